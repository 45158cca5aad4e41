//! The reports of processes to each other at the end, joined: the same on all of them.

use antipode_reports::cost::LevelCost;
use puzzle_api::Key;
use serde::{Deserialize, Serialize};

use crate::engines::disk::peers::{Peers, joined, shared};
use crate::error::EngineError;
use crate::key_text::{key_from_text, key_text};
use crate::observers::{Collected, Distance, Observers, Record};
use crate::outcome::Spent;

/// A process's report to the others.
#[derive(Serialize, Deserialize)]
struct Told {
    seen: Record,
    levels: Vec<LevelCost>,
    expanded: u64,
    sent: u64,
    /// Every state, if requested and not too many: key, distance, size of the orbit.
    states: Option<Vec<(String, u16, u32)>>,
}

pub(super) fn unreadable() -> EngineError {
    EngineError::CannotHold("what another process saw cannot be read".into())
}

/// Joins the findings and costs of all processes.
///
/// # Errors
/// A process that is gone.
pub(super) fn put_together<K: Key>(
    peers: &dyn Peers,
    sent: u64,
    observers: &mut Observers<K>,
    spent: &mut Spent,
) -> Result<(), EngineError> {
    let most = match &observers.collected {
        Collected::On(_, most) => Some(*most),
        Collected::Off | Collected::TooMany => None,
    };
    let many = matches!(observers.collected, Collected::TooMany);
    let states = observers.collected.take().filter(|_| !many);
    let told = Told {
        seen: Record::of(observers),
        levels: std::mem::take(&mut spent.levels),
        expanded: spent.expanded,
        sent,
        states: states.map(|states| states.iter().map(written).collect()),
    };
    let all = shared(peers, &told)?;
    let mut seen = observers.fork();
    let mut whole = Some(Vec::new());
    for told in &all {
        told.seen.replay(&mut seen).ok_or_else(unreadable)?;
        let more = told.states.as_ref().map(|states| states.iter().map(read));
        whole = match (whole, more) {
            (Some(mut whole), Some(more)) => {
                for state in more {
                    whole.push(state.ok_or_else(unreadable)?);
                }
                Some(whole)
            }
            _ => None,
        };
    }
    seen.collected = match (most.or(many.then_some(0)), whole) {
        (None, _) => Collected::Off,
        (Some(most), Some(whole)) if whole.len() <= most => Collected::On(whole, most),
        (Some(_), _) => Collected::TooMany,
    };
    *observers = seen;
    *spent = Spent {
        expanded: all.iter().map(|told| told.expanded).sum(),
        sampled: spent.sampled.take(),
        sent: Some(all.iter().map(|told| told.sent).sum()),
        ..Spent::default()
    };
    let costs: Vec<LevelCost> = all.into_iter().flat_map(|told| told.levels).collect();
    by_level(costs).for_each(|cost| spent.add_level(cost));
    Ok(())
}

/// The cost of each level, over all processes that had a share in it.
pub(super) fn by_level(mut costs: Vec<LevelCost>) -> impl Iterator<Item = LevelCost> {
    costs.sort_by_key(|cost| cost.depth);
    let levels: Vec<LevelCost> = costs
        .chunk_by(|one, other| one.depth == other.depth)
        .map(|level| joined(level[0].depth as u16, level))
        .collect();
    levels.into_iter()
}

fn written<K: Key>(state: &Distance<K>) -> (String, u16, u32) {
    (key_text(state.key), state.depth, state.orbit_size)
}

fn read<K: Key>((key, depth, orbit_size): &(String, u16, u32)) -> Option<Distance<K>> {
    Some(Distance {
        key: key_from_text(key)?,
        depth: *depth,
        orbit_size: *orbit_size,
    })
}
