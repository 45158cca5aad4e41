//! Rechecks the answer of a loaded library on its rulebook alone.
//!
//! If a library was loaded, a search rests on unverified data: moves of a fast variant,
//! predecessors, symmetries, parts. A replay shows that a path is valid. A plain search on the
//! rulebook shows that none is shorter, or that there is none.

use antipode_graph::Capabilities;
use puzzle_api::Key;

use crate::error::EngineError;
use crate::forward::ForwardSolver;
use crate::outcome::{Outcome, StopReason};
use crate::question::PathQuestion;

/// States that such a search may see.
pub const RECHECKED: u64 = 2_000_000;

/// Whether the rulebook confirms the distance of an outcome. False if that takes more than
/// [`RECHECKED`] states, or the user stopped the search for it. Also true for outcomes without
/// distances, and for built-in puzzles.
///
/// # Errors
/// [`EngineError`] if the two differ, or the puzzle fails.
pub fn borne_out<K: Key>(
    question: &PathQuestion<'_, K>,
    outcome: &Outcome<K>,
) -> Result<bool, EngineError> {
    let proven = question.graph.proves(Capabilities::NONE);
    let Some(found) = outcome.fewest().filter(|_| !proven) else {
        return Ok(true);
    };
    let rules = ForwardSolver::new(question.rules.clone());
    let mut stopping = || question.stop.requested();
    let again = rules.shortest_within(RECHECKED, question.start, &question.goal, &mut stopping)?;
    if let Outcome::NotReached(StopReason::States(_) | StopReason::Requested) = again.outcome {
        return Ok(false);
    }
    let by_rules = again.outcome.fewest();
    if by_rules == Some(found) {
        return Ok(true);
    }
    let text = |fewest: Option<usize>| match fewest {
        None => "no path".to_owned(),
        Some(moves) => format!("{moves} moves"),
    };
    Err(EngineError::Disagree(format!(
        "{}: {} by variant {} and what else the library says, {} by its rulebook alone, variant {}",
        question.graph.opened.full_name(),
        text(found),
        question.graph.opened.variant,
        text(by_rules.flatten()),
        question.rules.opened.variant
    )))
}
