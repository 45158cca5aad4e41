//! Paths: from where the searches met back to the source, and on to the target.

use puzzle_api::{Direction, Key};

use super::sides::TargetSide;
use crate::error::EngineError;
use crate::level::LevelStates;
use crate::reconstruct_path::SideLevels;
use crate::space::Space;
use crate::steps::DirectionSteps;
use antipode_graph::{Expansion, Graph, PluginError};

/// A shortest path over a state that lies `levels.len()` moves from the source and in `side`. Among
/// equally good steps, it takes the smallest state.
pub(super) fn path<K: Key, S: Space<K>>(
    graph: &Graph<K>,
    space: &S,
    meeting: S::Id,
    levels: &[LevelStates<S::Id>],
    side: &TargetSide<S::Id>,
) -> Result<Vec<K>, EngineError> {
    let ways = [
        Some(DirectionSteps::FORWARD),
        DirectionSteps::backward(graph),
    ];
    let depth = levels.len() as u32;
    let mut path =
        SideLevels::new(graph, space, ways, levels).reconstruct_path(meeting, Some(depth))?;
    path.reverse();
    path.extend(&descent(graph, space, meeting, side)?[1..]);
    Ok(path)
}

/// A shortest path from a state of a side to its centre, both included. If the state's level is not
/// kept, the path first enters the outermost level that is.
pub(super) fn descent<K: Key, S: Space<K>>(
    graph: &Graph<K>,
    space: &S,
    from: S::Id,
    side: &TargetSide<S::Id>,
) -> Result<Vec<K>, EngineError> {
    let ways = [
        DirectionSteps::backward(graph),
        Some(DirectionSteps::FORWARD),
    ];
    let depth = side.distance(from)?;
    SideLevels::new(graph, space, ways, &side.kept).reconstruct_path(from, depth)
}

/// Plays a path on a graph: from its source to its target, each step to a successor.
///
/// # Errors
/// [`PluginError`] if the puzzle fails.
pub(super) fn replay<K: Key>(
    rules: &Graph<K>,
    path: &[K],
    (source, target): (K, K),
) -> Result<Option<String>, PluginError> {
    if path.first() != Some(&source) || path.last() != Some(&target) {
        return Ok(Some("does not lead from the one to the other".into()));
    }
    let mut out = Expansion::default();
    rules.expand(Direction::Forward, &path[..path.len() - 1], &mut out)?;
    let wrong = (1..path.len()).find(|&step| !out.of(step - 1).contains(&path[step]));
    Ok(wrong.map(|step| format!("step {step} is no move of {}", rules.opened.variant)))
}
