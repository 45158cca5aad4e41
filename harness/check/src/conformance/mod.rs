//! Conformance: does a puzzle keep the promises of `puzzle.rs` and `antipode.h`? Every check has a
//! name. Its finding is the smallest counterexample among the states checked, those nearest to the
//! roots first.

mod bound;
pub mod isolate;
mod moves;
mod neighbour_ranks;
mod numbering;
mod purity;
mod report;
mod search;
mod subject;
mod symmetry;
mod text;
mod used_moves;
mod variants;

use std::sync::Arc;

use puzzle_api::Settings;

use crate::again::{self, Again};
use antipode_graph::{Graph, Library, PluginError};
use antipode_search::progress::Stop;
pub use report::{Board, CheckAt, Event, TestFinding, Verdict};
pub use subject::{Scope, Stuck, Subject};

/// A check: examines a subject, and returns its verdict.
pub type Check = fn(&Subject) -> Checked;

/// The outcome of a check that ran to its end, or what ended it before.
type Checked = Result<Verdict, Ended>;

/// What ends a check.
#[derive(Debug)]
pub enum Ended {
    /// It does not apply, or the contract is broken.
    Verdict(Verdict),
    /// A call failed.
    Error(PluginError),
}

impl From<PluginError> for Ended {
    fn from(error: PluginError) -> Self {
        Self::Error(error)
    }
}

/// Name of the stage that collects the states to check, which calls roots and moves for the first
/// time.
pub const COLLECT: &str = "collect-states";

/// Name of the check that asks a fresh process, one state at a time.
pub const AGAIN: &str = "new-process-does-not-matter";

/// The number of checks of the self-test on loading. The others take longer, or compare variants.
const QUICK: usize = 32;

/// All checks by name, cheap ones first.
pub const CHECKS: [(&str, Check); 45] = [
    ("roots-are-solved", search::roots_are_solved),
    ("drawings-read-back", text::drawings_read_back),
    ("nonsense-is-refused", text::nonsense_is_refused),
    ("unknown-settings-are-refused", text::unknown_settings),
    ("capacity-is-respected", moves::capacity_is_respected),
    ("batches-do-not-matter", purity::batches_do_not_matter),
    ("repetition-does-not-matter", purity::repetition),
    ("successors-have-predecessors", moves::successors),
    ("predecessors-have-successors", moves::predecessors),
    ("moves-can-be-undone", moves::moves_can_be_undone),
    ("levels-are-layers", moves::levels_are_layers),
    ("bound-falls-by-one-a-move", bound::bound_falls_by_one),
    ("reversal-turns-moves-round", moves::reversal),
    ("names-are-states", text::names_are_states),
    (
        "neighbour-ranks-are-ranks-of-neighbours",
        neighbour_ranks::neighbour_ranks_are_ranks_of_neighbours,
    ),
    ("used-moves-lead-back", used_moves::used_moves_lead_back),
    ("identity-comes-first", symmetry::identity_comes_first),
    ("canonical-is-idempotent", symmetry::canonical_is_idempotent),
    ("canonical-lies-in-orbit", symmetry::canonical_lies_in_orbit),
    ("canonical-is-constant-on-orbits", symmetry::one_canonical),
    ("orbit-size-counts-images", symmetry::orbit_sizes),
    (
        "neighbour-orbits-are-orbits-of-neighbours",
        symmetry::neighbour_orbits_are_orbits_of_neighbours,
    ),
    ("pruned-orbits-are-those-with-hope", bound::pruned_orbits),
    ("symmetry-keeps-solved", symmetry::symmetry_keeps_solved),
    ("symmetry-keeps-moves", symmetry::symmetry_keeps_moves),
    ("ranks-are-in-range", numbering::ranks_are_in_range),
    ("unrank-inverts-place", numbering::unrank_inverts_place),
    ("place-inverts-unrank", numbering::place_inverts_unrank),
    ("parts-cover", numbering::parts_cover),
    ("moves-stay-in-part", numbering::moves_stay_in_part),
    ("roots-lie-in-their-part", numbering::roots_in_part),
    ("solved-are-roots", search::solved_are_roots),
    ("variants-agree-on-successors", variants::successors),
    ("variants-agree-on-solved", variants::solved_agree),
    ("variants-agree-on-predecessors", variants::predecessors),
    ("variants-agree-on-canonical", variants::canonical_agree),
    ("variants-agree-on-roots", variants::roots_agree),
    ("variants-agree-on-drawings", variants::drawings_agree),
    ("draws-are-states", search::draws_are_states),
    ("draws-ignore-batches", search::draws_ignore_batches),
    ("threads-do-not-matter", purity::threads_do_not_matter),
    ("handles-do-not-matter", purity::handles_do_not_matter),
    ("names-are-lines", text::names_are_lines),
    ("sweep-delivers-once", search::sweep_delivers_once),
    ("sweep-agrees-with-hash", search::sweep_agrees_with_hash),
];

/// The scope of a library's test.
#[derive(Debug, Clone)]
pub struct TestPlan {
    /// Instance and settings of each graph to test.
    pub instances: Vec<(String, Settings)>,
    /// Variants to test.
    pub variants: Vec<String>,
    /// Boards to check in addition to those of the instances, if they are valid.
    pub boards: Vec<String>,
    /// The scope of the checks.
    pub scope: Scope,
    /// Number of [`CHECKS`] to run.
    pub checks: usize,
    /// Reads the claims of a library (file name for errors, text) and counts them; `None`
    /// leaves them out.
    pub claims: Option<ReadClaims>,
    /// The check after which to begin, if an earlier process got that far.
    pub after: Option<CheckAt>,
}

/// The number of claims in a text, or its error.
pub type ReadClaims = fn(&str, &str) -> Result<usize, String>;

/// Runs a plan; every event goes to `watch`.
///
/// # Errors
/// [`PluginError::BadInput`] for an instance or setting that the puzzle refuses.
pub fn test(
    library: &Arc<Library>,
    plan: &TestPlan,
    stop: &Stop,
    watch: &mut dyn FnMut(Event),
) -> Result<(), PluginError> {
    let mut after = plan.after.as_ref();
    match (plan.claims, after) {
        (Some(read), None) => claims_are_read(library, read, watch),
        (_, Some(over)) if over.check == CLAIMS => after = None,
        _ => {}
    }
    for (instance, settings) in &plan.instances {
        for variant in &plan.variants {
            let place = TestedInstance {
                library,
                instance,
                variant,
                settings,
                after: after.map(|over| over.check.as_str()),
            };
            if let Some(over) = after {
                if (&over.instance, &over.variant) != (&place.name(), variant) {
                    continue;
                }
                after = None;
            }
            place.test(plan, stop, watch)?;
        }
    }
    Ok(())
}

/// Name of the check that reads the library's claims.
const CLAIMS: &str = "claims-are-read";

/// Checks that `certify` can read the library's own claims.
fn claims_are_read(library: &Library, read: ReadClaims, watch: &mut dyn FnMut(Event)) {
    let at = CheckAt {
        instance: library.name.clone(),
        variant: String::new(),
        check: CLAIMS.to_owned(),
    };
    watch(Event::Started(at.clone()));
    let file = format!("claims of {}", library.name);
    let claims = library.claims();
    let verdict = match read(&file, &claims) {
        _ if claims.is_empty() => subject::skipped("no claims"),
        Ok(claims) => subject::passed(subject::counted(claims, "claim")),
        Err(error) => Verdict::Failed {
            text: error,
            boards: Vec::new(),
            by_itself: true,
        },
    };
    watch(Event::Found(at.found(verdict)));
}

/// One instance in one variant.
struct TestedInstance<'a> {
    library: &'a Arc<Library>,
    instance: &'a str,
    variant: &'a str,
    settings: &'a Settings,
    /// Its last check that is already over.
    after: Option<&'a str>,
}

impl TestedInstance<'_> {
    fn graph(&self, variant: &str) -> Result<Graph<u128>, PluginError> {
        let opened = self.library.open(self.instance, variant, self.settings)?;
        Ok(Graph::of(opened))
    }

    fn test(
        &self,
        plan: &TestPlan,
        stop: &Stop,
        watch: &mut dyn FnMut(Event),
    ) -> Result<(), PluginError> {
        if self.after == Some(COLLECT) {
            return Ok(());
        }
        self.start(COLLECT, watch);
        let subject = match self.subject(plan) {
            Ok(subject) => subject,
            Err(Stuck {
                error: PluginError::BadInput(text),
                ..
            }) => return Err(PluginError::BadInput(text)),
            Err(Stuck { error, state }) => {
                let role = "state".to_owned();
                let boards = state.map(|state| Board { role, state });
                let verdict = Verdict::on(&error, boards.into_iter().collect());
                self.found(COLLECT, verdict, watch);
                return Ok(());
            }
        };
        if subject.states.is_empty() {
            let why = "no state to look at: no start, no solved states, no numbering, no draws; name one with --board";
            self.found(COLLECT, subject::skipped(why), watch);
            return Ok(());
        }
        if self.after.is_none() {
            self.found(COLLECT, subject.passed(), watch);
        }
        let all = &CHECKS[..plan.checks.min(CHECKS.len())];
        let place = |over: &str| all.iter().position(|(name, _)| *name == over);
        let first = (self.after).map_or(0, |over| place(over).map_or(all.len(), |at| at + 1));
        for &(name, check) in &all[first..] {
            if stop.requested() {
                break;
            }
            self.start(name, watch);
            let verdict = match check(&subject) {
                Ok(verdict) | Err(Ended::Verdict(verdict)) => verdict,
                Err(Ended::Error(error)) => blame(&subject, check, &error),
            };
            self.found(name, verdict, watch);
        }
        // The checks of a library that is only loaded leave this to the later repetition of its
        // answers.
        let last = self.after == Some(AGAIN);
        if plan.checks == usize::MAX && !last && !stop.requested() {
            self.start(AGAIN, watch);
            let verdict = match again::confirm() {
                Ok(Again::Nothing) => subject::skipped("not asked again"),
                Ok(Again::Stopped) => return Ok(()),
                Ok(asked) => subject::passed(match asked {
                    Again::Sample => "a sample of all answers above",
                    Again::All if self.after.is_some() => {
                        "all answers since the check that timed out"
                    }
                    _ => "all answers above",
                }),
                Err(error) => subject.failed(error.to_string(), &[]),
            };
            self.found(AGAIN, verdict, watch);
        }
        Ok(())
    }

    fn subject(&self, plan: &TestPlan) -> Result<Subject, Stuck> {
        let reference = self.library.reference_variant();
        let rules = (reference != self.variant).then(|| self.graph(reference));
        Subject::gather(
            self.graph(self.variant)?,
            rules.transpose()?,
            &plan.boards,
            plan.scope,
        )
    }

    fn name(&self) -> String {
        format!("{}/{}", self.library.name, self.instance)
    }

    fn at(&self, check: &str) -> CheckAt {
        CheckAt {
            instance: self.name(),
            variant: self.variant.to_owned(),
            check: check.to_owned(),
        }
    }

    fn start(&self, check: &str, watch: &mut dyn FnMut(Event)) {
        watch(Event::Started(self.at(check)));
    }

    fn found(&self, check: &str, verdict: Verdict, watch: &mut dyn FnMut(Event)) {
        watch(Event::Found(self.at(check).found(verdict)));
    }
}

/// Most states tried one by one to find the one on which a call fails.
const BLAMED: usize = 2000;

/// A verdict on a call that failed, with the first state that it fails on alone.
fn blame(subject: &Subject, check: Check, error: &PluginError) -> Verdict {
    let states = subject.states.iter().take(BLAMED);
    let mut failing = states.filter_map(|&state| match check(&subject.narrowed(state)) {
        Err(Ended::Error(error)) => Some((state, error)),
        _ => None,
    });
    match failing.next() {
        Some((state, error)) => Verdict::on(&error, subject.boards(&[("state", state)])),
        None => Verdict::on(error, Vec::new()),
    }
}

/// The command that tests a library, or the program of a rulebook.
#[must_use]
pub fn tested_by(named: &str) -> String {
    match std::path::Path::new(named).exists() {
        true => format!("antipode test-plugin {named}"),
        false => format!("antipode test-plugin --rules '{named}'"),
    }
}

/// A library that fails the self-test.
#[derive(Debug, thiserror::Error)]
#[error(
    "{file}: fails the check {check} on {instance}, the first that it lists: {text}; `{}` says more",
    tested_by(file)
)]
pub struct SelfTestFailed {
    file: String,
    check: String,
    instance: String,
    /// The finding, with its boards.
    text: String,
    /// Whether a call failed by itself: no two answers differ.
    pub by_itself: bool,
}

/// The quick checks on a few states of the first instance, before anything that a library says is
/// believed. Milliseconds.
///
/// # Errors
/// [`SelfTestFailed`] with the first failure.
pub fn self_test(library: &Arc<Library>, file: &str) -> Result<(), SelfTestFailed> {
    let instance = library.instances.first();
    let plan = TestPlan {
        instances: instance
            .map(|info| (info.name.clone(), Settings::new()))
            .into_iter()
            .collect(),
        variants: library.variants.iter().take(1).cloned().collect(),
        boards: Vec::new(),
        scope: Scope::QUICK,
        checks: QUICK,
        claims: None,
        after: None,
    };
    let mut first = None;
    let run = test(library, &plan, &Stop::default(), &mut |event| {
        if let Event::Found(finding) = event
            && finding.failed()
        {
            first.get_or_insert(finding);
        }
    });
    if let Err(error) = run {
        // An instance that needs settings cannot be opened without.
        tracing::debug!("{file}: no self-test: {error}");
    }
    match first {
        Some(TestFinding {
            at: CheckAt {
                instance, check, ..
            },
            verdict:
                Verdict::Failed {
                    text,
                    boards,
                    by_itself,
                },
        }) => {
            let boards = boards.iter();
            let boards = boards.map(|board| format!(", {} {}", board.role, board.state));
            Err(SelfTestFailed {
                file: file.to_owned(),
                check,
                instance,
                text: text + &boards.collect::<String>(),
                by_itself,
            })
        }
        _ => Ok(()),
    }
}
