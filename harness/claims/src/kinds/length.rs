//! Kinds about one path, from the instance's start (or `board`) to a solved state (or to `to`):
//! `length`, of which `claimed` is the fewest moves, `solvable` and `unreachable`.

use antipode_reports::count;
use antipode_reports::model::Verdict;
use antipode_search::engine::QuestionKind;
use antipode_search::engines::EngineError;
use antipode_search::outcome::{NoPathProof, Outcome};

use super::{Claimed, Decided, Diagnostics, KeyFault, Kind, at, keys, one_or_more, place};
use crate::compare::whole;
use crate::context::Context;
use crate::finding::Finding;
use crate::path::{self, Ending, PathClaim, ShownPath, unanswered};
use crate::source::ClaimSource;
use crate::spec::{Case, Compare};
use puzzle_api::Effort;

/// The fewest moves from a board to a solved one, or to another.
pub(super) const LENGTH: Kind = Kind {
    claimed: Claimed::Moves,
    unit: keys::unit_of_length,
    read: |case| read(case),
    check,
    decide,
    analysed: |_| None,
};

fn decide(source: &ClaimSource, case: &Case, context: &mut Context) -> Decided {
    let found = path::path(&question(source, case, context.effort)?, context)?;
    let mut finding = match &found.answer.ending {
        Ending::Searched(Outcome::Path(path)) => {
            Finding::of_figure(case, &path.moves().to_string())?
        }
        Ending::Searched(Outcome::Unreachable(_)) => Finding::new(
            "unsolvable",
            match (case.compare, case.claimed == "unsolvable") {
                (Compare::Report, _) => Verdict::Reported,
                (Compare::AtLeast, _) | (_, true) => Verdict::Confirmed,
                _ => Verdict::Refuted,
            },
        ),
        Ending::Searched(_) => left_open(&found.answer.ending, ""),
        Ending::MoreThan(depth) => match beyond(case, *depth) {
            Some(verdict) => Finding::new(format!("more than {depth}"), verdict),
            None => Finding::not_reached(format!(
                "No solution within {}; a search by this effort ends there.",
                count(depth, "moves")
            )),
        },
        // An invalid path says nothing about a lower bound, or about a figure that is only
        // reported.
        Ending::Broken { what, .. } => match case.compare {
            Compare::AtLeast | Compare::Report => left_open(&found.answer.ending, ""),
            _ => Finding::new(what, Verdict::Refuted),
        },
    };
    if let Some(moves) = found.answer.ending.moves() {
        finding.found = moves.to_string();
    }
    let shown = shown_by_path(case, &finding, &found.answer.ending);
    take_over(&mut finding, found, shown);
    Ok(finding)
}

/// A path exists, from the instance's start (or `board`) to a solved state (or to `to`).
pub(super) const SOLVABLE: Kind = Kind {
    claimed: Claimed::Nothing,
    unit: |_, _| "",
    read: |case| read(case),
    check,
    decide: |source, case, context| {
        let found = path::path(&question(source, case, context.effort)?, context)?;
        Ok(solvable(found, true, ["unsolvable", "solution"], |moves| {
            moves.to_string()
        }))
    },
    analysed: |_| None,
};

/// None does, which the puzzle's own proof shows, or a search that saw everything.
pub(super) const UNREACHABLE: Kind = Kind {
    decide: |source, case, context| {
        let found = path::path(&question(source, case, context.effort)?, context)?;
        let length = |moves| one_or_more(moves, keys::unit_of_length(source, case));
        Ok(solvable(found, false, ["unreachable", "path"], length))
    },
    ..SOLVABLE
};

/// The finding of a claim that there is a path, or none: the word if there is none, and what is
/// looked for.
fn solvable(
    found: ShownPath,
    claimed: bool,
    [none, what]: [&str; 2],
    length: impl Fn(u32) -> String,
) -> Finding {
    let decided = |shown: bool, found: String| {
        Finding::new(
            found,
            match shown == claimed {
                true => Verdict::Confirmed,
                false => Verdict::Refuted,
            },
        )
    };
    let mut finding = match &found.answer.ending {
        Ending::Searched(Outcome::Path(path)) => decided(true, length(path.moves() as u32)),
        Ending::Searched(Outcome::Unreachable(_)) => decided(false, none.to_owned()),
        open => left_open(open, what),
    };
    let shown = found.answer.ending.moves().is_some();
    take_over(&mut finding, found, shown);
    finding
}

/// The finding for an outcome that shows neither a path nor that there is none.
pub(super) fn left_open(ending: &Ending, what: &str) -> Finding {
    Finding::not_reached(match ending {
        Ending::Searched(open) => sentence(&unanswered(open)),
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
            "'{odd}' says nothing together with 'path', which is played and not searched for; leave it out"
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
        place: place(source, case)?,
        from: case.board.clone(),
        to: keys::known(case, "to").map(str::to_owned),
        engine: keys::path_engine(case).unwrap_or_default(),
        max_depth: keys::max_depth(case, effort).unwrap_or_default(),
        given: keys::known(case, "path").map(str::to_owned),
        bound,
    })
}

/// Whether a path decides by itself, even if there may be a shorter one.
fn shown_by_path(case: &Case, finding: &Finding, ending: &Ending) -> bool {
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

/// The verdict of complete levels up to a depth without a solution, if they decide.
fn beyond(case: &Case, depth: u16) -> Option<Verdict> {
    let (claimed, depth) = (whole(&case.claimed)?, u128::from(depth));
    match case.compare {
        Compare::Equal | Compare::AtMost if claimed <= depth => Some(Verdict::Refuted),
        Compare::AtLeast if claimed <= depth + 1 => Some(Verdict::Confirmed),
        _ => None,
    }
}

/// The data on a path for the certificate.
///
/// `shown` means that the path itself, replayed on the rulebook, decides. Else the proof that there
/// is no shorter one, or none at all, decides.
pub(super) fn take_over(finding: &mut Finding, found: ShownPath, shown: bool) {
    let by_path = shown && found.answer.ending.moves().is_some();
    if let Some(why) = found.answer.unchecked.filter(|_| !by_path) {
        finding.unchecked(why);
    }
    let said = sentence(&match (&found.answer.disagreement, &found.answer.ending) {
        (Some(text), _) => format!("our own derivations disagree: {text}"),
        (None, Ending::Searched(Outcome::Unreachable(proof @ NoPathProof::Puzzle(_)))) => {
            proof.to_string()
        }
        (None, _) => found.answer.searched,
    });
    finding.add(&said);
    finding.disagreement |= found.answer.disagreement.is_some();
    finding.witnesses.push(found.picture);
    finding.variant = found.answer.variants;
    finding.engine = found.answer.engine.to_owned();
    finding.proof = found.answer.ending.proof().map(str::to_owned);
    if let Some(analysis) = found.answer.analysis {
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
