//! Checks the lower bound: if no move lowers it by more than one, it is never
//! more than the distance.

use puzzle_api::{Direction, NEVER};

use super::Checked;
use super::subject::{Subject, skipped};
use antipode_graph::{Capabilities, Expansion};
use antipode_search::engines::BATCH;

/// A bound in words.
fn told(bound: u64) -> String {
    match bound {
        NEVER => "never".to_owned(),
        bound => bound.to_string(),
    }
}

/// The bound is 0 if a state is solved, and no move lowers it by more than one.
pub(super) fn bound_falls_by_one(subject: &Subject) -> Checked {
    let graph = &subject.graph;
    subject.needs(Capabilities::LOWER_BOUND, "no lower bound")?;
    let mut out = Expansion::default();
    for batch in subject.states.chunks(BATCH) {
        let bounds = graph.lower_bound(batch)?;
        let solved = graph.is_solved(batch)?;
        graph.expand(Direction::Forward, batch, &mut out)?;
        let after = graph.lower_bound(out.keys())?;
        let mut after = after.iter();
        for (i, (&state, &bound)) in batch.iter().zip(&bounds).enumerate() {
            if solved[i] && bound > 0 {
                let text = format!(
                    "the state is solved, and its lower bound is {}",
                    told(bound)
                );
                return subject.fail(text, &[("state", state)]);
            }
            for (&next, &left) in out.of(i).iter().zip(&mut after) {
                if bound > left.saturating_add(1) {
                    let (bound, left) = (told(bound), told(left));
                    let text =
                        format!("the lower bound falls from {bound} to {left} by a single move");
                    return subject.fail(text, &[("state", state), ("successor", next)]);
                }
            }
        }
    }
    Ok(subject.passed())
}

/// Neighbours listed without those that the bound excludes are the other representatives, in order.
pub(super) fn pruned_orbits(subject: &Subject) -> Checked {
    let graph = &subject.graph;
    let mut ways = vec![Direction::Forward, Direction::Backward];
    ways.retain(|&way| graph.prunes(way));
    if ways.is_empty() {
        return Ok(skipped("no pruning by a lower bound"));
    }
    let (mut all, mut left) = (Expansion::default(), Expansion::default());
    for way in ways {
        for batch in subject.states.chunks(BATCH) {
            graph.expand_to_orbits(way, batch, &mut all)?;
            let mut asked = all.keys().to_vec();
            if way == Direction::Backward {
                graph.time_reversed(&mut asked)?;
            }
            let bounds = graph.lower_bound(&asked)?;
            let mut bounds = bounds.iter();
            graph.expand_pruned(way, batch, &mut left)?;
            for (i, &state) in batch.iter().enumerate() {
                let bounded = all.of(i).iter().zip(&mut bounds);
                let hoped = bounded.filter(|(_, bound)| **bound != NEVER);
                if !hoped.map(|(key, _)| key).eq(left.of(i)) {
                    let text = "its pruned neighbours are not those with a finite bound";
                    return subject.fail(text, &[("state", state)]);
                }
            }
        }
    }
    Ok(subject.passed())
}
