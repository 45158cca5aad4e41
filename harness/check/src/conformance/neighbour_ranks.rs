//! Compares ranks of neighbours from one call with the three calls that it replaces.

use std::collections::BTreeMap;

use puzzle_api::Direction;

use super::Checked;
use super::subject::Subject;
use antipode_graph::{Capabilities, Expansion, PluginError, RankExpansion};
use antipode_search::engines::BATCH;

/// The ranks from `neighbour_ranks` are those of the successors, and of the predecessors if there
/// are some. Their keys are those of the states.
pub(super) fn neighbour_ranks_are_ranks_of_neighbours(subject: &Subject) -> Checked {
    let graph = &subject.graph;
    subject.needs(Capabilities::NEIGHBOUR_RANKS, "no neighbour_ranks")?;
    let mut ways = vec![Direction::Forward];
    if graph.has(Capabilities::PREDECESSORS) {
        ways.push(Direction::Backward);
    }
    let (mut placed, mut fast) = (Vec::new(), RankExpansion::default());
    for batch in subject.states.chunks(BATCH) {
        graph.place(batch, &mut placed)?;
        let mut by_part: BTreeMap<u64, (Vec<u128>, Vec<u64>)> = BTreeMap::new();
        for (&state, at) in batch.iter().zip(&placed) {
            if let Some(at) = at {
                let (states, ranks) = by_part.entry(at.part).or_default();
                states.push(state);
                ranks.push(at.rank);
            }
        }
        for (part, (states, ranks)) in by_part {
            let size = graph.space(part)?.unwrap_or(0);
            for &way in &ways {
                if let Some(i) = differs(subject, way, part, size, &states, &ranks, &mut fast)? {
                    let text = "neighbour_ranks of this state are not the ranks of its neighbours, or its key is another";
                    return subject.fail(text, &[("state", states[i])]);
                }
            }
        }
    }
    Ok(subject.passed())
}

/// The first state whose ranks of neighbours differ. Asks for one state at a time, since a rank
/// missing for one state may be a neighbour of another. The whole batch must have the same result
/// as its states alone.
fn differs(
    subject: &Subject,
    way: Direction,
    part: u64,
    size: u64,
    states: &[u128],
    ranks: &[u64],
    fast: &mut RankExpansion<u128>,
) -> Result<Option<usize>, PluginError> {
    let graph = &subject.graph;
    let (mut out, mut alone) = (Expansion::default(), Vec::new());
    graph.expand(way, states, &mut out)?;
    for (i, rank) in ranks.iter().enumerate() {
        let mut literal = Vec::new();
        graph.ranks(part, size, out.of(i), &mut literal)?;
        graph.neighbour_ranks(way, (part, size), &ranks[i..=i], false, fast)?;
        let mut given = fast.ranks().to_vec();
        alone.extend_from_slice(&given);
        // A move that changes nothing may or may not be listed, and repetitions do not count.
        for list in [&mut given, &mut literal] {
            list.push(*rank);
            list.sort_unstable();
            list.dedup();
        }
        if given != literal {
            return Ok(Some(i));
        }
    }
    graph.neighbour_ranks(way, (part, size), ranks, true, fast)?;
    let other = |(key, state): (&u128, &u128)| key != state;
    if let Some(i) = fast.keys().iter().zip(states).position(other) {
        return Ok(Some(i));
    }
    let mut together = fast.ranks().to_vec();
    together.sort_unstable();
    alone.sort_unstable();
    Ok((together != alone).then_some(0))
}
