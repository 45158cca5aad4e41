//! Strategy `forward`: breadth first along the moves; needs nothing of the puzzle. Where a
//! goal is any solved state and the solved states can be listed, what is no small search
//! is handed on to the strategy that searches from both ends.

use anyhow::Result;
use puzzle_api::Key;
use serde_json::{Map, json};

use super::answer::{Answer, Found, LevelRow};
use super::{Question, meet};
use antipode_search::forward::ForwardSolver;
use antipode_search::progress::Stop;

/// States that a search along the moves may see before the other end is brought in.
const SMALL: u64 = 1 << 20;

/// Answers a question.
pub(super) fn answer<K: Key>(question: &Question<'_, K>, stop: &Stop) -> Result<Answer<K>> {
    let solver = ForwardSolver::new(question.graph.clone());
    let (start, goal) = (question.start, &question.goal);
    let small = if meet::possible(question) {
        SMALL
    } else {
        u64::MAX
    };
    let path = solver.shortest_within(small, start, goal, &mut || stop.requested())?;
    let seen = path.seen;
    if path.states.is_none() && seen > small && !stop.requested() {
        return meet::answer(question, stop);
    }
    let levels = path.levels.iter().zip(0..);
    let levels = levels.map(|(&states, depth)| LevelRow {
        side: "forward",
        depth,
        states,
        digest: String::new(),
    });
    let levels = levels.collect();
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
        levels,
        kept: None,
    })
}
