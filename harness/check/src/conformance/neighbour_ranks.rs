//! Ranks of neighbours in one call against the three calls that it stands for.

use std::collections::BTreeMap;

use puzzle_api::{Capabilities, Direction, Key};

use super::report::Verdict;
use super::subject::{Subject, skipped};
use antipode_graph::{Expansion, PluginError, RankExpansion};
use antipode_search::engines::BATCH;

type Checked = Result<Verdict, PluginError>;

/// The ranks that `neighbour_ranks` gives are those of the successors, and of the
/// predecessors where there are some.
pub(super) fn neighbour_ranks_are_ranks_of_neighbours<K: Key>(subject: &Subject<K>) -> Checked {
    let graph = &subject.graph;
    if !graph.has(Capabilities::NEIGHBOUR_RANKS) {
        return Ok(skipped("no neighbour_ranks"));
    }
    let mut ways = vec![Direction::Forward];
    if graph.has(Capabilities::PREDECESSORS) {
        ways.push(Direction::Backward);
    }
    let (mut placed, mut fast) = (Vec::new(), RankExpansion::default());
    for batch in subject.states.chunks(BATCH) {
        graph.place(batch, &mut placed)?;
        let mut by_part: BTreeMap<u64, (Vec<K>, Vec<u64>)> = BTreeMap::new();
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
                    let text = "neighbour_ranks of this state are not the ranks of its neighbours";
                    return Ok(subject.failed(text, &[("state", states[i])]));
                }
            }
        }
    }
    Ok(subject.passed())
}

/// The first state whose ranks of neighbours differ, asked for one state at a time where a
/// whole batch differs.
fn differs<K: Key>(
    subject: &Subject<K>,
    way: Direction,
    part: u64,
    size: u64,
    states: &[K],
    ranks: &[u64],
    fast: &mut RankExpansion<K>,
) -> Result<Option<usize>, PluginError> {
    let mut agree = |states: &[K], ranks: &[u64]| -> Result<bool, PluginError> {
        let (mut out, mut literal) = (Expansion::default(), Vec::new());
        subject.graph.expand(way, states, &mut out)?;
        subject.graph.ranks(part, size, out.keys(), &mut literal)?;
        subject
            .graph
            .neighbour_ranks(way, part, size, ranks, fast)?;
        let mut given = fast.ranks().to_vec();
        // A move that changes nothing may be listed or not, and repetitions do not count.
        for list in [&mut given, &mut literal] {
            list.extend_from_slice(ranks);
            list.sort_unstable();
            list.dedup();
        }
        Ok(given == literal)
    };
    if agree(states, ranks)? {
        return Ok(None);
    }
    for i in 0..states.len() {
        if !agree(&states[i..=i], &ranks[i..=i])? {
            return Ok(Some(i));
        }
    }
    Ok(Some(0))
}
