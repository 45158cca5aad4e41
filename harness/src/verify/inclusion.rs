//! The list for the inclusiveness check: states drawn uniformly and solved forward.

use puzzle_api::{Capabilities, Key};
use rayon::prelude::*;

use super::ForwardSolver;
use crate::engine::EngineError;
use crate::observe::InclusionList;
use crate::plugin::{Graph, PluginError};

/// States drawn and solved at a time by one thread.
const BATCH: u64 = 64;

/// Draws `count` states of the instance and solves each forward. The draw is uniform
/// over states by the reference's own generator; where it has none, by rank. Gives an
/// empty list where neither exists.
///
/// # Errors
/// [`EngineError`] where the puzzle fails.
pub fn draw_list<K: Key>(
    graph: &Graph<K>,
    solver: &ForwardSolver<K>,
    seed: u64,
    count: u64,
) -> Result<InclusionList<K>, EngineError> {
    let drawer = if solver.graph().has(Capabilities::RANDOM) {
        solver.graph()
    } else if graph.has(Capabilities::RANDOM) {
        graph
    } else {
        return Ok(InclusionList::default());
    };
    let batches: Vec<Vec<(u64, K, u16)>> = (0..count.div_ceil(BATCH))
        .into_par_iter()
        .map(|batch| {
            let first = batch * BATCH;
            let size = BATCH.min(count - first) as usize;
            let drawn = drawer.random(seed, first, size)?;
            solve_batch(graph, solver, &drawn)
        })
        .collect::<Result<_, PluginError>>()?;
    Ok(InclusionList::new(batches.into_iter().flatten()))
}

/// Part, canonical key and forward distance of each drawn state. The state is solved as
/// drawn, and only then replaced by its representative.
fn solve_batch<K: Key>(
    graph: &Graph<K>,
    solver: &ForwardSolver<K>,
    drawn: &[K],
) -> Result<Vec<(u64, K, u16)>, PluginError> {
    let mut canonical = drawn.to_vec();
    solver.graph().canonical(&mut canonical, None)?;
    let parts = parts_of(graph, &canonical)?;
    let mut solved = Vec::with_capacity(drawn.len());
    for ((&start, &key), &part) in drawn.iter().zip(&canonical).zip(&parts) {
        solved.push((part, key, solver.distance(start)?));
    }
    Ok(solved)
}

/// Part of each canonical state; 0 where the instance has no parts.
pub(super) fn parts_of<K: Key>(graph: &Graph<K>, keys: &[K]) -> Result<Vec<u64>, PluginError> {
    if !graph.has(Capabilities::PARTS) {
        return Ok(vec![0; keys.len()]);
    }
    let mut placed = Vec::new();
    graph.place(keys, &mut placed)?;
    // A representative outside the numbering goes to a part that is never walked, so
    // that the check reports it as missed instead of passing over it.
    Ok(placed
        .into_iter()
        .map(|at| at.map_or(u64::MAX, |at| at.part))
        .collect())
}
