//! The lower bound of the moves that are left: by what it may change along a move it is never
//! more than the distance.

use puzzle_api::{Direction, Key};

use super::report::Verdict;
use super::subject::{Subject, skipped};
use antipode_graph::{Capabilities, Expansion, PluginError};
use antipode_search::engines::BATCH;

/// The bound is 0 where a state is solved, and no move lowers it by more than one.
pub(super) fn bound_falls_by_one<K: Key>(subject: &Subject<K>) -> Result<Verdict, PluginError> {
    let graph = &subject.graph;
    if !graph.has(Capabilities::LOWER_BOUND) {
        return Ok(skipped("no lower bound"));
    }
    let mut out = Expansion::default();
    for batch in subject.states.chunks(BATCH) {
        let bounds = graph.lower_bound(batch)?;
        let solved = graph.is_solved(batch)?;
        graph.expand(Direction::Forward, batch, &mut out)?;
        let after = graph.lower_bound(out.keys())?;
        let mut after = after.iter();
        for (i, (&state, &bound)) in batch.iter().zip(&bounds).enumerate() {
            if solved[i] && bound > 0 {
                let text = format!("the state is solved, and its lower bound is {bound}");
                return Ok(subject.failed(text, &[("state", state)]));
            }
            for (&next, &left) in out.of(i).iter().zip(&mut after) {
                if bound > left.saturating_add(1) {
                    let text =
                        format!("the lower bound falls from {bound} to {left} by a single move");
                    return Ok(subject.failed(text, &[("state", state), ("successor", next)]));
                }
            }
        }
    }
    Ok(subject.passed())
}
