//! Planted faults: an honest puzzle in which one function gives one wrong answer, on one state or
//! one orbit. They are generated from the members of the C table, so a new function has its faults
//! at once. None ends in a false "confirmed".
//!
//! A rulebook is the reference for all checks: there is no fault in its own successors and solved
//! states. Each fault is in a variant next to an honest rulebook; if it is not in the rules, also
//! in a rulebook that stands alone.

mod board;
mod fault;
mod puzzle;

use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;
use std::sync::atomic::Ordering;

use antipode_check::analysis::{Analysis, Checks, Request, analyse};
use antipode_check::verify::{ConsistencyScope, Proof};
use antipode_claims::{Context, Effort};
use antipode_graph::{Library, Source};
use antipode_reports::model::Verdict;
use antipode_search::progress::Stop;
use antipode_search::registry::EngineId;
use puzzle_api::Direction;
use puzzle_api::abi::{ANTIPODE_IS_LAYERED, ANTIPODE_IS_UNDIRECTED, AntipodeVariant};

use board::{At, PARTS, SIDE};
use fault::{Fault, OF_TOWERS, Place, Way, faults, offered};
use puzzle::{ASKED, library, variants};

/// A puzzle, and the direction of its search.
#[derive(Clone, Copy)]
struct Setting {
    directed: bool,
    tower: bool,
    alone: bool,
    engine: &'static str,
}

impl Setting {
    fn name(self) -> String {
        let of = |is, yes, no| if is { yes } else { no };
        format!(
            "{} {}{}, {}",
            of(self.directed, "directed", "undirected"),
            of(self.tower, "tower", "board"),
            of(self.alone, " alone", ""),
            self.engine
        )
    }

    fn variants(self) -> Vec<AntipodeVariant> {
        variants(self.directed, self.tower, self.alone)
    }

    fn states(self) -> u64 {
        let parts = if self.tower { PARTS } else { 1 };
        parts * SIDE * SIDE
    }

    fn engine(self) -> Option<EngineId> {
        Some(self.engine.parse().unwrap())
    }

    /// Without ranks, and if moves cannot be undone, the check itself says what is open.
    fn proves(self) -> bool {
        self.tower || !self.directed
    }
}

fn analysis(
    library: &Arc<Library>,
    instance: &str,
    setting: Setting,
    scope: ConsistencyScope,
) -> Result<Analysis, String> {
    let request = Request {
        engine: setting.engine(),
        direction: Some(Direction::Backward),
        checks: Checks::only(scope),
        ..Request::new(Arc::clone(library), instance.to_owned())
    };
    analyse(&request, &Stop::default()).map_err(|error| error.to_string())
}

/// The result of a check of an instance, in a word, and the figures found.
fn checked(
    library: &Arc<Library>,
    instance: &str,
    setting: Setting,
    scope: ConsistencyScope,
) -> (&'static str, String) {
    let found = match analysis(library, instance, setting, scope) {
        Ok(found) => found,
        Err(error) => {
            assert!(!error.contains('\n'), "{instance}: {error}");
            return ("an error", String::new());
        }
    };
    let word = match found.proof {
        _ if found.failed() => "a fault",
        Proof::Complete => "proven",
        Proof::Open(_) => "open",
        Proof::None => "nothing",
    };
    (word, format!("{:?} {:?}", found.levels, found.antipodes))
}

/// The outcome of a claim; `None` if it ends in an error.
fn judged(
    library: &Arc<Library>,
    context: &mut Context,
    instance: &str,
    lines: &str,
) -> Option<Verdict> {
    let lines = format!("instance = \"{instance}\"\n{lines}");
    let judged = crate::judged(library, &lines, context).ok()?;
    Some(judged.result.verdict)
}

/// The verdicts on a true count, a true hardest board and a false one.
fn claims(
    library: &Arc<Library>,
    instance: &str,
    setting: Setting,
    effort: Effort,
) -> [Option<Verdict>; 3] {
    // A board of another instance is refuted: the others have other faults.
    let mut one = Library::clone(library);
    one.instances.retain(|known| known.name == instance);
    let library = &Arc::new(one);
    let mut context = Context::new(effort, 1, 1, Stop::default());
    context.engine = setting.engine();
    let count = format!(
        "kind = \"count\"\ncount = \"solvable_states\"\nclaimed = {}",
        setting.states()
    );
    let distances = At::distances(0, setting.directed);
    let hardest = distances.last().unwrap().0;
    // The square next to the middle.
    let near = distances[1].0;
    let board = |at: At| format!("kind = \"hardest\"\nboard = \"{}\"", board::draw(&at));
    [count, board(hardest), board(near)]
        .map(|lines| judged(library, &mut context, instance, &lines))
}

/// False outcomes in three verdicts: the truth refuted, or the false board confirmed.
fn lie([count, hardest, near]: [Option<Verdict>; 3]) -> Option<&'static str> {
    match (count, hardest, near) {
        (Some(Verdict::Refuted), _, _) => Some("a false count is confirmed"),
        (_, Some(Verdict::Refuted), _) => Some("a hardest board is refuted"),
        (_, _, Some(Verdict::Confirmed)) => Some("a board that is not the hardest is confirmed"),
        _ => None,
    }
}

/// The outcome of each fault, by fault.
type Caught = BTreeMap<String, BTreeSet<String>>;

/// A fault in a puzzle.
struct Planting<'a> {
    library: &'a Arc<Library>,
    setting: Setting,
    /// The figures without it.
    honest: &'a str,
    instance: String,
    /// Claims take a thousand times as long as the check of such a small puzzle.
    claims: Claims,
}

/// Where claims are judged.
#[derive(PartialEq, Eq)]
enum Claims {
    Always,
    /// A check that got the wrong answer and accepted it.
    IfAsked,
    Never,
}

impl Planting<'_> {
    /// Checks on a sample and completely, then judges claims if the check found nothing. Returns
    /// what is false.
    fn lies(&self, caught: &mut Caught) -> Vec<String> {
        let (library, setting, instance) = (self.library, self.setting, &self.instance);
        let asked = &ASKED[usize::from(setting.tower)];
        asked.store(false, Ordering::Relaxed);
        let few = ConsistencyScope::Parts { count: 8, seed: 1 };
        let (quick, figures) = checked(library, instance, setting, few);
        let mut lies = Vec::new();
        if quick == "proven" && figures != self.honest {
            lies.push(format!("quick: proven, and wrong: {figures}"));
        }
        let (full, figures) = checked(library, instance, setting, ConsistencyScope::All);
        if full == "proven" && figures != self.honest {
            lies.push(format!("full: proven, and wrong: {figures}"));
        }
        let content = !["a fault", "an error"].contains(&full);
        let was_asked = asked.load(Ordering::Relaxed);
        let judged = match self.claims {
            Claims::Always => content,
            Claims::IfAsked => content && was_asked,
            Claims::Never => false,
        };
        let mut word = "";
        if judged {
            let verdicts = claims(library, instance, setting, Effort::Full);
            lies.extend(lie(verdicts).map(|what| format!("{what}: {verdicts:?}")));
            let as_honest =
                verdicts == [Verdict::Confirmed, Verdict::Confirmed, Verdict::Refuted].map(Some);
            word = if as_honest {
                ", claims right"
            } else {
                ", claims not confirmed"
            };
        }
        let never = if asked.load(Ordering::Relaxed) {
            ""
        } else {
            " (never asked)"
        };
        let told = format!("quick {quick}, full {full}{word}{never}");
        caught.entry(instance.clone()).or_default().insert(told);
        let place = format!("{instance}, {}", setting.name());
        lies.into_iter()
            .map(|lie| format!("{place}: {lie}"))
            .collect()
    }
}

/// Next to an honest rulebook (`false`) or alone: undirected and directed, with ranks and without.
const SETTINGS: [(bool, bool, bool, &str); 8] = [
    (false, true, false, "hash"),
    (false, true, false, "dense"),
    (false, true, false, "sweep"),
    (true, true, false, "hash"),
    (true, true, true, "dense"),
    (false, false, false, "hash"),
    (true, false, false, "hash"),
    (false, false, true, "hash"),
];

fn settings() -> impl Iterator<Item = Setting> {
    let of = |(directed, tower, alone, engine)| Setting {
        directed,
        tower,
        alone,
        engine,
    };
    SETTINGS.into_iter().map(of)
}

#[test]
fn the_honest_puzzles_are_proven() {
    for setting in settings() {
        let library = Arc::new(library(setting.variants()));
        let (by, _) = checked(&library, "board", setting, ConsistencyScope::All);
        assert_eq!(by == "proven", setting.proves(), "{}: {by}", setting.name());
        let verdicts = claims(&library, "board", setting, Effort::Full);
        let (proves, right) = (setting.proves(), Some(Verdict::Confirmed));
        let as_they_are = verdicts == [right, right, Some(Verdict::Refuted)];
        assert!(as_they_are || !proves, "{}: {verdicts:?}", setting.name());
        assert_eq!(verdicts[0] == right, proves, "{}", setting.name());
        assert_ne!(verdicts[2], right);
    }
}

#[test]
fn every_function_has_faults() {
    let faults = faults();
    assert!(faults.len() >= 40);
    for (member, offered) in offered(&variants(false, true, false)[0]) {
        assert!(
            offered,
            "the puzzle does not offer {member}, so nothing is planted there"
        );
        assert!(
            faults.iter().any(|fault| fault.member == member),
            "{member}"
        );
    }
}

/// Whether a fault is another statement about the rules, if nothing else states them.
fn is_the_rules(fault: &Fault) -> bool {
    ["successors", "is_solved"].contains(&fault.member) && fault.way != Way::Fail
}

/// Keeps the panics that are planted out of the output.
fn quiet() {
    let tell = std::panic::take_hook();
    std::panic::set_hook(Box::new(move |panic| {
        if !panic.to_string().contains("planted/puzzle.rs") {
            tell(panic);
        }
    }));
}

#[test]
fn no_fault_of_a_board_is_confirmed() {
    plant(settings().filter(|setting| !setting.tower), 65);
}

#[test]
fn no_fault_of_a_tower_is_confirmed() {
    plant(settings().filter(|setting| setting.tower), 117);
}

/// Plants every fault, and shows the outcome. At least this many are found by the complete check; the
/// others change no figure.
fn plant(settings: impl Iterator<Item = Setting>, found: usize) {
    quiet();
    let (mut caught, mut lies) = (Caught::new(), Vec::new());
    for setting in settings {
        let offering = Arc::new(library(setting.variants()));
        let mut without = setting.variants();
        for variant in &mut without {
            variant.expand = None;
        }
        let without = Arc::new(library(without));
        let (_, honest) = checked(&offering, "board", setting, ConsistencyScope::All);
        for fault in faults() {
            if setting.alone && is_the_rules(&fault) {
                continue;
            }
            // If orbits of neighbours are offered, the neighbours themselves are never requested.
            let of_orbits = fault.member == "expand";
            let library = if of_orbits { &offering } else { &without };
            let claims = match (setting.tower, OF_TOWERS.contains(&fault.member)) {
                (true, true) => Claims::IfAsked,
                (false, false) if setting.alone && fault.place == Place::State => Claims::Always,
                (false, false) if !setting.directed && fault.place == Place::Orbit => {
                    Claims::IfAsked
                }
                _ => Claims::Never,
            };
            let planting = Planting {
                library,
                setting,
                honest: &honest,
                instance: fault.name(),
                claims,
            };
            lies.extend(planting.lies(&mut caught));
        }
    }
    for (name, told) in &caught {
        let told: Vec<&str> = told.iter().map(String::as_str).collect();
        println!("{name}: {}", told.join("; "));
    }
    let by_check = |told: &&String| told.contains("full a fault") || told.contains("full an error");
    let caught = caught
        .values()
        .filter(|told| told.iter().any(|told| by_check(&told)));
    assert!(lies.is_empty(), "{} lies:\n{}", lies.len(), lies.join("\n"));
    assert_eq!(caught.count(), found);
}

/// The facts of the table are no function; a wrong one is equally bad. A search that rested on it
/// ends, with the reason if the library was loaded.
#[test]
fn a_fact_that_is_none() {
    for setting in settings() {
        let (_, honest) = checked(
            &Arc::new(library(setting.variants())),
            "board",
            setting,
            ConsistencyScope::All,
        );
        for fact in [ANTIPODE_IS_LAYERED, ANTIPODE_IS_UNDIRECTED] {
            let mut variants = setting.variants();
            variants[0].facts ^= fact;
            let mut library = library(variants);
            library.source = Source::File {
                path: "planted.so".into(),
                blake3: String::new(),
            };
            let library = Arc::new(library);
            let (full, figures) = checked(&library, "board", setting, ConsistencyScope::All);
            assert!(full != "proven" || figures == honest, "{fact}: {figures}");
            // With all ranks counted, nothing is forgotten; else the walk ends in a cycle.
            if fact == ANTIPODE_IS_LAYERED {
                assert_eq!(full == "an error", !setting.tower, "{}", setting.name());
            }
        }
    }
}
