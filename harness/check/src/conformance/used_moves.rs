//! Compares moves without those of used groups, and the marks, with all moves.

use std::collections::BTreeSet;

use puzzle_api::Direction;

use super::Checked;
use super::subject::Subject;
use antipode_graph::{Capabilities, Expansion, PluginError};
use antipode_search::engines::BATCH;

/// Most states checked: each of their neighbours is expanded, too.
const MOST: usize = 1024;

/// Groups together leave out what each leaves out alone. A mark belongs to a group that leads back,
/// and only to neighbours.
pub(super) fn used_moves_lead_back(subject: &Subject) -> Checked {
    let graph = &subject.graph;
    subject.needs(
        Capabilities::USED_MOVES,
        "no form of expand without used moves",
    )?;
    let mut all = Expansion::default();
    for batch in subject.states[..subject.states.len().min(MOST)].chunks(BATCH) {
        if let Some(state) = leaves_out_more(subject, batch)? {
            let text = "expand of this state leaves out other moves than those of the groups that were used";
            return subject.fail(text, &[("state", state)]);
        }
        graph.expand(Direction::Forward, batch, &mut all)?;
        let (mut near, mut back, mut left) = Default::default();
        graph.expand_unused(batch, &vec![0; batch.len()], &mut near)?;
        graph.expand(Direction::Forward, near.keys(), &mut back)?;
        graph.expand_unused(near.keys(), near.marks(), &mut left)?;
        let mut at = 0;
        for (i, &state) in batch.iter().enumerate() {
            let beside = all.others(i, state);
            for &neighbour in near.of(i) {
                let (back, left) = (back.others(at, neighbour), left.others(at, neighbour));
                at += 1;
                let leads_back = neighbour == state || !left.contains(&state);
                let mut dropped = back.difference(&left);
                if !leads_back || dropped.any(|to| *to != state && !beside.contains(to)) {
                    let text = "expand marks the neighbour with a group that does not lead back to the state and to its neighbours alone";
                    let states = [("state", state), ("neighbour", neighbour)];
                    return subject.fail(text, &states);
                }
            }
        }
    }
    Ok(subject.passed())
}

/// The first state in which no group leaves out only existing neighbours, or several leave out
/// something else than each does alone.
fn leaves_out_more(subject: &Subject, batch: &[u128]) -> Result<Option<u128>, PluginError> {
    let (graph, mut out) = (&subject.graph, Expansion::default());
    graph.expand(Direction::Forward, batch, &mut out)?;
    let whole: Vec<BTreeSet<u128>> = (0..)
        .zip(batch)
        .map(|(i, &key)| out.others(i, key))
        .collect();
    let mut unused = |used: u32| -> Result<Vec<BTreeSet<u128>>, PluginError> {
        graph.expand_unused(batch, &vec![used; batch.len()], &mut out)?;
        Ok((0..)
            .zip(batch)
            .map(|(i, &key)| out.others(i, key))
            .collect())
    };
    let of_none = unused(0)?;
    let alone: Vec<_> = (0..u32::BITS)
        .map(|group| unused(1 << group))
        .collect::<Result<_, _>>()?;
    for used in [0, 0x5555_5555, 0x3333_3333, 0xffff_0f0f, u32::MAX] {
        let together = unused(used)?;
        for (i, &state) in batch.iter().enumerate() {
            let groups = alone
                .iter()
                .zip(0..)
                .filter(|(_, group)| used >> group & 1 == 1);
            let mut wanted = whole[i].clone();
            groups.for_each(|(left, _)| wanted.retain(|key| left[i].contains(key)));
            if of_none[i] != whole[i] || together[i] != wanted {
                return Ok(Some(state));
            }
        }
    }
    Ok(None)
}
