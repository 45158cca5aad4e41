//! Strategy `forward`: breadth first along the moves; needs nothing of the puzzle.

use anyhow::Result;
use puzzle_api::Key;
use serde_json::{Map, json};

use super::Question;
use super::answer::{Answer, Found};
use crate::progress::Stop;
use crate::verify::ForwardSolver;

/// Answers a question.
pub(super) fn answer<K: Key>(question: &Question<'_, K>, stop: &Stop) -> Result<Answer<K>> {
    let solver = ForwardSolver::new(question.graph.clone());
    let path = solver.shortest(question.start, &question.goal, &mut || stop.requested())?;
    let seen = path.seen;
    let (found, summary) = match path.states {
        Some(states) => (
            Found::Path(states),
            format!("the fewest possible ({seen} states seen)"),
        ),
        None if stop.requested() => {
            let levels = path.levels.len();
            let how_far =
                format!("stopped after {levels} levels and {seen} states without an answer");
            (Found::Stopped, how_far)
        }
        None => (
            Found::NoPath,
            format!("unsolvable: none of the {seen} states that can be reached is a goal"),
        ),
    };
    Ok(Answer {
        found,
        summary,
        details: Map::from_iter([("states_seen".to_owned(), json!(seen))]),
    })
}
