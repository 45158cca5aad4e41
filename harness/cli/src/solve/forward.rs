//! Strategy `forward`: breadth first along the moves; needs nothing of the puzzle. Where a
//! goal is any solved state and the solved states can be listed, what is no small search
//! is handed on to the strategy that searches from both ends.

use antipode_reports::model::{SearchFigures, SideLevel};
use antipode_search::outcome::{Outcome, StopReason};
use anyhow::Result;
use puzzle_api::Key;

use super::answer::Answer;
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
    if let Outcome::NotReached(StopReason::States(_)) = path.outcome {
        return meet::answer(question, stop);
    }
    let levels = path.levels.iter().zip(0..);
    let levels = levels.map(|(&states, depth)| SideLevel {
        side: "forward".to_owned(),
        depth,
        states,
        digest: String::new(),
    });
    let levels = levels.collect();
    let summary = match &path.outcome {
        Outcome::Path(_) | Outcome::Levels => format!("the fewest possible ({seen} states seen)"),
        Outcome::Unreachable(_) => {
            format!("unsolvable: none of the {seen} states that can be reached is a goal")
        }
        Outcome::NotReached(_) => format!(
            "stopped after {} levels and {seen} states without an answer",
            path.levels.len()
        ),
    };
    Ok(Answer {
        outcome: path.outcome,
        summary,
        figures: SearchFigures {
            states_seen: Some(seen),
            ..SearchFigures::default()
        },
        levels,
        kept: None,
    })
}
