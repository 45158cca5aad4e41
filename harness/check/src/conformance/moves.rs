//! Successors and predecessors: each the mirror of the other, within their capacity.

use std::collections::HashMap;

use puzzle_api::Direction;

use super::subject::{Subject, passed};
use super::{Checked, Ended};
use antipode_graph::{Capabilities, Expansion};
use antipode_search::breadth_first::BreadthFirst;
use antipode_search::reconstruct_path::rising;
use antipode_search::steps::{BATCH, DirectionSteps};

/// x is a predecessor of each of its successors.
pub(super) fn successors(subject: &Subject) -> Checked {
    subject.needs(Capabilities::PREDECESSORS, "no predecessors")?;
    let fault = "the second state is a successor of the first, but the first is not among the predecessors of the second";
    let ways = [Direction::Forward, Direction::Backward];
    mirrored(subject, ways, "successor", fault)
}

/// x is a successor of each of its predecessors.
pub(super) fn predecessors(subject: &Subject) -> Checked {
    subject.needs(Capabilities::PREDECESSORS, "no predecessors")?;
    let fault = "the second state is listed as a predecessor of the first, but the first is not among the successors of the second";
    let ways = [Direction::Backward, Direction::Forward];
    mirrored(subject, ways, "predecessor", fault)
}

/// Every move can be undone, if the puzzle says so.
pub(super) fn moves_can_be_undone(subject: &Subject) -> Checked {
    subject.needs(Capabilities::UNDIRECTED, "not said to be undirected")?;
    let fault = "said to be undirected, but no move leads from the second state back to the first";
    mirrored(subject, [Direction::Forward; 2], "successor", fault)
}

/// Reversal is an involution that maps each move to a move in the opposite direction.
pub(super) fn reversal(subject: &Subject) -> Checked {
    let graph = &subject.graph;
    subject.needs(Capabilities::TIME_REVERSAL, "not said to be reversible")?;
    let (mut out, mut turned) = (Expansion::default(), Expansion::default());
    for batch in subject.states.chunks(BATCH / 8) {
        let mut images = batch.to_vec();
        graph.time_reversed(&mut images)?;
        let mut twice = images.clone();
        graph.time_reversed(&mut twice)?;
        if let Some(i) = (0..batch.len()).find(|&i| twice[i] != batch[i]) {
            let text = "reversed twice, this state is another";
            return subject.fail(text, &[("state", batch[i]), ("reversed twice", twice[i])]);
        }
        graph.expand(Direction::Forward, batch, &mut out)?;
        let mut ends = out.keys().to_vec();
        graph.time_reversed(&mut ends)?;
        graph.expand(Direction::Forward, &ends, &mut turned)?;
        let mut at = 0;
        for (i, &state) in batch.iter().enumerate() {
            for &next in out.of(i) {
                if next != state && !turned.of(at).contains(&images[i]) {
                    let text = "the second state is a successor of the first, but reversed, the first is no successor of the second";
                    return subject.fail(text, &[("state", state), ("successor", next)]);
                }
                at += 1;
            }
        }
    }
    Ok(subject.passed())
}

/// Looks for neighbours in one direction whose neighbours in the other do not include the state. A
/// move that changes nothing may or may not be listed.
fn mirrored(subject: &Subject, [there, back]: [Direction; 2], role: &str, fault: &str) -> Checked {
    let graph = &subject.graph;
    let (mut out, mut returned) = (Expansion::default(), Expansion::default());
    for batch in subject.states.chunks(BATCH) {
        graph.expand(there, batch, &mut out)?;
        let distinct = rising(out.keys());
        let mut sources: HashMap<u128, Vec<u128>> = HashMap::with_capacity(distinct.len());
        for chunk in distinct.chunks(BATCH) {
            graph.expand(back, chunk, &mut returned)?;
            for (i, &key) in chunk.iter().enumerate() {
                sources.insert(key, returned.of(i).to_vec());
            }
        }
        for (i, &state) in batch.iter().enumerate() {
            let one_way = out.of(i).iter().filter(|&&next| next != state);
            if let Some(&next) = one_way
                .filter(|next| !sources[*next].contains(&state))
                .min()
            {
                return subject.fail(fault, &[("state", state), (role, next)]);
            }
        }
    }
    Ok(subject.passed())
}

/// States whose neighbours are requested with too small a buffer.
const CROWDED: usize = 64;

/// The neighbours are the same however small the buffer is, and nothing is written beyond it.
pub(super) fn capacity_is_respected(subject: &Subject) -> Checked {
    let graph = &subject.graph;
    let batch = &subject.states[..subject.states.len().min(CROWDED)];
    let mut ways = vec![("successors", Direction::Forward, false)];
    if graph.has(Capabilities::PREDECESSORS) {
        ways.push(("predecessors", Direction::Backward, false));
    }
    for (name, way) in [
        ("representatives of successors", Direction::Forward),
        ("representatives of predecessors", Direction::Backward),
    ] {
        if graph.finds_orbits(way) {
            ways.push((name, way, true));
        }
    }
    for (name, way, orbits) in ways {
        let expand = |out: &mut Expansion<u128>| match orbits {
            true => graph.expand_to_orbits(way, batch, out),
            false => graph.expand(way, batch, out),
        };
        let mut all = Expansion::default();
        expand(&mut all)?;
        let total = all.keys().len();
        for capacity in [total, total.saturating_sub(1), total / 2, 1, 0] {
            let mut crowded = Expansion::with_capacity(capacity, total + CROWDED);
            expand(&mut crowded)?;
            let differs = (0..batch.len()).find(|&i| rising(all.of(i)) != rising(crowded.of(i)));
            if let Some(i) = differs {
                let text = format!("{name} of this state change with room for {capacity} keys");
                return subject.fail(text, &[("state", batch[i])]);
            }
        }
    }
    Ok(passed(format!("{} states", batch.len())))
}

/// Number of states from which paths are compared, if there is no start or it shows nothing.
const FOLLOWED: usize = 16;

/// Every path to a state has the same length, if the puzzle says so: from the start, and from some
/// of the states checked.
pub(super) fn levels_are_layers(subject: &Subject) -> Checked {
    let graph = &subject.graph;
    subject.needs(Capabilities::LAYERED, "not said to be layered")?;
    let most = subject.scope.exhaustive.clamp(1, 100_000);
    let roots = graph.roots(Direction::Forward, 0)?;
    let mut followed = 0;
    if !roots.is_empty() {
        followed += paths_from(subject, &roots, most)?;
    }
    let apart = subject.states.len().div_ceil(FOLLOWED).max(1);
    for &state in subject.states.iter().step_by(apart) {
        followed += paths_from(subject, &[state], most / FOLLOWED)?;
    }
    Ok(passed(format!(
        "{followed} states on from the start and from others"
    )))
}

/// Follows all paths until they have reached n states, and returns their number. Ends at a state
/// that is reached by two paths of different lengths.
fn paths_from(subject: &Subject, roots: &[u128], most: usize) -> Result<u64, Ended> {
    let graph = &subject.graph;
    let mut search = BreadthFirst::new(graph, &[DirectionSteps::FORWARD], roots);
    let mut levels: Vec<Vec<u128>> = Vec::new();
    let mut out = Expansion::default();
    while !search.level().is_empty() && search.seen() <= most as u64 {
        let level = search.level().to_vec();
        levels.push(rising(&level));
        graph.expand(Direction::Forward, &level, &mut out)?;
        for (i, &state) in level.iter().enumerate() {
            // A successor that was met too early lies in this level or an earlier one.
            let back = |key: &&u128| **key != state && search.has_met(**key);
            if let Some(&key) = out.of(i).iter().find(back) {
                let at = levels.iter().position(|of| of.binary_search(&key).is_ok());
                let text = format!(
                    "said to be layered, but the second state is reached in {} moves and in {}",
                    at.unwrap_or(0),
                    levels.len()
                );
                return subject.fail(text, &[("state", state), ("successor", key)]);
            }
        }
        search.advance()?;
    }
    Ok(search.seen())
}
