//! From a chain of representatives to a path of states, and its check.

use puzzle_api::{Direction, Key};

use crate::error::EngineError;
use crate::question::Goal;
use crate::reduction::Reduction;
use antipode_graph::{Expansion, Graph, PluginError};

/// The path from `start` whose states are represented by the members of `chain`, without the start.
/// In a chain of representatives, each represents a successor of the one before, so a matching
/// successor of the state itself exists.
///
/// # Errors
/// [`PluginError`] if the puzzle fails, or if its symmetries do not map moves to
/// moves.
pub fn follow<K: Key>(
    graph: &Graph<K>,
    reduction: &Reduction,
    start: K,
    chain: &[K],
) -> Result<Vec<K>, PluginError> {
    let mut path = vec![start];
    let mut out = Expansion::default();
    for &wanted in chain {
        let at = path[path.len() - 1];
        graph.expand(Direction::Forward, &[at], &mut out)?;
        let mut reduced = out.keys().to_vec();
        reduction.reduce(graph, &mut reduced)?;
        match reduced.iter().position(|&key| key == wanted) {
            Some(i) => path.push(out.keys()[i]),
            None => {
                let fault = format!(
                    "does not map the moves of {} to those of its image",
                    graph.draw(at)?
                );
                return Err(graph.opened.broken("canonical", fault));
            }
        }
    }
    Ok(path)
}

/// [`check_path`] for a path from a user, which is bad input if it is invalid.
///
/// # Errors
/// [`EngineError::CannotHold`] that names the first invalid step.
pub fn check_given<K: Key>(
    rules: &Graph<K>,
    path: &[K],
    goal: Option<&Goal<K>>,
) -> Result<(), EngineError> {
    check_path(rules, path, goal).map_err(|error| match error {
        EngineError::Disagree(why) => EngineError::CannotHold(why),
        other => other,
    })
}

/// Replays a path on another variant, the rulebook: every step must be one of its moves, and the
/// last state a goal.
///
/// # Errors
/// [`EngineError`] that names the first invalid step.
pub fn check_path<K: Key>(
    rules: &Graph<K>,
    path: &[K],
    goal: Option<&Goal<K>>,
) -> Result<(), EngineError> {
    let mut out = Expansion::default();
    for (i, pair) in path.windows(2).enumerate() {
        rules.expand(Direction::Forward, &pair[..1], &mut out)?;
        if !out.keys().contains(&pair[1]) {
            return Err(EngineError::Disagree(format!(
                "{}: move {} of the path is none on variant {}: {} to {}",
                rules.opened.full_name(),
                i + 1,
                rules.opened.variant,
                rules.draw(pair[0])?,
                rules.draw(pair[1])?
            )));
        }
    }
    let Some((&last, goal)) = path.last().zip(goal) else {
        return Ok(());
    };
    let reached = match goal {
        Goal::State(key) => last == *key,
        Goal::Solved => rules.is_solved(&[last])?[0],
    };
    if reached {
        return Ok(());
    }
    Err(EngineError::Disagree(format!(
        "{}: the path ends at {}, which is no goal on variant {}",
        rules.opened.full_name(),
        rules.draw(last)?,
        rules.opened.variant
    )))
}
