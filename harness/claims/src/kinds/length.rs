//! Kind `length`: `claimed` is the length of a shortest solution of the instance's start (or
//! `board`), or of a shortest path to `to`.

use antipode_check::ask::PathRequest;
use antipode_reports::count;
use antipode_reports::model::Verdict;
use antipode_search::engine::{EngineOptions, QuestionKind};
use antipode_search::engines::EngineError;
use antipode_search::outcome::{NoPathProof, Outcome};

use super::{Claimed, Decide, Diagnostics, KeyFault, at, keys, place};
use crate::compare::whole;
use crate::context::Context;
use crate::effort::Effort;
use crate::field::Field;
use crate::finding::Finding;
use crate::path::{self, Ending, PathClaim, ShownPath, unanswered};
use crate::sample::Sample;
use crate::source::ClaimSource;
use crate::spec::{Case, Compare};

pub(super) struct Length;

/// Ways to compare a length with the one claimed.
const COMPARISONS: [Compare; 4] = [
    Compare::Equal,
    Compare::AtMost,
    Compare::AtLeast,
    Compare::Report,
];

impl Decide for Length {
    fn about(&self) -> &'static str {
        "The length of a shortest solution, or of a shortest path to a state."
    }

    fn unit(&self, case: &Case) -> &'static str {
        keys::unit_of_length(case)
    }

    fn sample(&self) -> Sample {
        Sample {
            puzzle: "rush-hour",
            statement: "Card 1 takes exactly 9 moves.",
            sets: &[("instance", "\"card-1\""), ("claimed", "9")],
            fits: &[
                keys::CARD_1,
                keys::CARD_1_SOLVED,
                (
                    "path",
                    "\"B left 1, E up 3, C right 3, D down 3, A right 3, D up 3, C left 1, E down 3, A right 1\"",
                ),
            ],
        }
    }

    fn keys(&self) -> &'static [Field] {
        const KEYS: [Field; 9] = [
            keys::INSTANCE.needed(),
            keys::CLAIMED.needed(),
            keys::COMPARE.one_of(&COMPARISONS),
            keys::BOARD,
            keys::SETTINGS,
            keys::TO,
            keys::PATH_ENGINE,
            keys::MAX_DEPTH,
            keys::PATH,
        ];
        &KEYS
    }

    fn claimed(&self) -> Claimed {
        Claimed::Moves
    }

    fn read(&self, case: &mut Case) -> Result<(), KeyFault> {
        read(case)
    }

    fn check(
        &self,
        source: &ClaimSource,
        case: &Case,
        context: &Context,
    ) -> Result<(), Diagnostics> {
        check(source, case, context)
    }

    fn decide(
        &self,
        source: &ClaimSource,
        case: &Case,
        context: &mut Context,
    ) -> Result<Finding, EngineError> {
        let found = path::path(&question(source, case, context.effort)?, context)?;
        let mut finding = match &found.ending {
            Ending::Searched(Outcome::Path(path)) => {
                Finding::of_figure(case, &path.moves().to_string())?
            }
            Ending::Searched(Outcome::Unreachable(_)) => Finding::new(
                "unsolvable",
                match (case.compare, case.claimed == "unsolvable") {
                    (Compare::Report, _) => Verdict::Reported,
                    (_, true) => Verdict::Confirmed,
                    (_, false) => Verdict::Refuted,
                },
            ),
            Ending::Searched(_) => left_open(&found.ending, ""),
            Ending::MoreThan(depth) if beyond(case, *depth) => {
                Finding::new(format!("more than {depth}"), Verdict::Refuted)
            }
            Ending::MoreThan(depth) => Finding::not_reached(format!(
                "No solution within {}; a search by this effort ends there.",
                count(depth, "moves")
            )),
            // An invalid path says nothing about a lower bound, or about a figure that is only
            // reported.
            Ending::Broken { what, .. } => match case.compare {
                Compare::AtLeast | Compare::Report => left_open(&found.ending, ""),
                _ => Finding::new(what, Verdict::Refuted),
            },
        };
        if let Some(moves) = found.ending.moves() {
            finding.found = moves.to_string();
        }
        let shown = shown_by_path(case, &finding, &found.ending);
        take_over(&mut finding, found, shown);
        Ok(finding)
    }
}

/// The finding for an outcome that shows neither a path nor that there is none.
pub(super) fn left_open(ending: &Ending<()>, what: &str) -> Finding {
    Finding::not_reached(match ending {
        Ending::Searched(open) => unanswered(open),
        Ending::MoreThan(depth) => format!("No {what} within {}.", count(depth, "moves")),
        Ending::Broken { what, .. } => what.clone(),
    })
}

/// Reads the keys of a question for a path.
pub(super) fn read(case: &Case) -> Result<(), KeyFault> {
    keys::path_engine(case)?;
    let searches = ["engine", "max_depth"];
    let odd = searches.into_iter().find(|key| case.own.contains_key(*key));
    if let Some(odd) = odd.filter(|_| keys::known(case, "path").is_some()) {
        let line = format!(
            "claim '{}': '{odd}' says nothing together with 'path', which is played and not searched for; leave it out",
            case.id
        );
        return Err((Some(odd.to_owned()), line));
    }
    keys::for_both(|effort| keys::max_depth(case, effort))
}

/// Checks that a case has an answerable question.
pub(super) fn check(
    source: &ClaimSource,
    case: &Case,
    context: &Context,
) -> Result<(), Diagnostics> {
    let question = at("instance", question(source, case, Effort::Full))?;
    path::check(&question, context.engine_for(QuestionKind::Path))
}

/// The question of a case. A bound from above is not searched beyond.
///
/// # Errors
/// [`EngineError`] if there is no such instance.
pub(super) fn question(
    source: &ClaimSource,
    case: &Case,
    effort: Effort,
) -> Result<PathClaim, EngineError> {
    let bound = match case.compare {
        Compare::AtMost => whole(&case.claimed).and_then(|most| u16::try_from(most).ok()),
        _ => None,
    };
    Ok(PathClaim {
        request: PathRequest {
            engine: keys::path_engine(case).unwrap_or_default(),
            from: case.board.clone(),
            to: keys::known(case, "to").map(str::to_owned),
            options: EngineOptions {
                max_depth: keys::max_depth(case, effort).unwrap_or_default(),
                ..EngineOptions::default()
            },
            ..place(source, case)?.path()
        },
        given: keys::known(case, "path").map(str::to_owned),
        bound,
    })
}

/// Whether a path decides by itself, even if there may be a shorter one.
fn shown_by_path(case: &Case, finding: &Finding, ending: &Ending<()>) -> bool {
    let Some(moves) = ending.moves() else {
        return false;
    };
    match (case.compare, finding.verdict) {
        (Compare::AtMost, Verdict::Confirmed) | (Compare::AtLeast, Verdict::Refuted) => true,
        (Compare::Equal, Verdict::Refuted) => whole(&case.claimed) > Some(moves.into()),
        // The figure reported of the claim's own path is its length.
        (Compare::Report, Verdict::Reported) => keys::known(case, "path").is_some(),
        _ => false,
    }
}

/// Whether complete levels up to a depth without a solution refute a claim.
fn beyond(case: &Case, depth: u16) -> bool {
    let bounds = matches!(case.compare, Compare::Equal | Compare::AtMost);
    bounds && whole(&case.claimed).is_some_and(|claimed| claimed <= depth.into())
}

/// The data on a path for the certificate.
///
/// `shown` means that the path itself, replayed on the rulebook, decides. Else the proof that there
/// is no shorter one, or none at all, decides.
pub(super) fn take_over(finding: &mut Finding, found: ShownPath, shown: bool) {
    let by_path = shown && found.ending.moves().is_some();
    if let Some(why) = found.unchecked.filter(|_| !by_path) {
        finding.unchecked(why);
    }
    let said = sentence(&match (&found.disagreement, &found.ending) {
        (Some(text), _) => format!("our own derivations disagree: {text}"),
        (None, Ending::Searched(Outcome::Unreachable(proof @ NoPathProof::Puzzle(_)))) => {
            proof.to_string()
        }
        (None, _) => found.searched,
    });
    finding.note = match finding.note.is_empty() {
        true => said,
        false => format!("{} {said}", finding.note),
    };
    finding.disagreement |= found.disagreement.is_some();
    finding.witnesses.push(found.picture);
    finding.variant = found.variants;
    finding.engine = found.engine;
    finding.proof = found.ending.proof().map(str::to_owned);
    if let Some(analysis) = found.analysis {
        if found.rests_on_levels && !shown {
            // The levels are the fast variant's; breadth-first levels are the rulebook's own.
            finding.judged_by(&analysis);
        }
        finding.rest_on(analysis.into());
    }
}

/// A line as a sentence.
fn sentence(line: &str) -> String {
    let mut letters = line.chars();
    let first = letters.next().map(|first| first.to_uppercase().to_string());
    format!("{}{}.", first.unwrap_or_default(), letters.as_str())
}
