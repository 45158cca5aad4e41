//! Engine `reference`: a queue and an ordered map, one state at a time, without symmetry.
//! It is the oracle, so it stays plain.

use std::collections::{BTreeMap, VecDeque};

use puzzle_api::Key;

use super::{DEEPEST, EngineError, Neighbours, Search};
use crate::observers::Observers;
use crate::outcome::{Counters, Outcome, StopReason, Walked};
use crate::progress::Progress;
use antipode_graph::Expansion;

pub(super) fn walk<K: Key>(
    search: &Search<K>,
    part: u64,
    observers: &mut Observers<K>,
    progress: &Progress,
) -> Result<Walked<K>, EngineError> {
    let neighbours = Neighbours::of(search, part)?;
    let mut distance = BTreeMap::new();
    let mut queue = VecDeque::new();
    for root in search.root_keys(part)? {
        if distance.insert(root, 0).is_none() {
            queue.push_back(root);
        }
    }
    let mut out = Expansion::default();
    let counters = Counters::default();
    let mut outcome = Outcome::Levels;
    while let Some(key) = queue.pop_front() {
        let depth: u16 = distance[&key];
        if search.max_depth == Some(depth) || depth == DEEPEST {
            continue;
        }
        if progress.stopping() {
            // Levels up to this one are complete, the next is not.
            distance.retain(|_, &mut d| d <= depth);
            outcome = Outcome::NotReached(StopReason::Requested);
            break;
        }
        neighbours.expand(&search.graph, &[key], &mut out)?;
        progress.expanded(1);
        counters.batch(1, out.keys().len());
        for &next in out.keys() {
            distance.entry(next).or_insert_with(|| {
                queue.push_back(next);
                depth + 1
            });
        }
    }
    let mut levels: BTreeMap<u16, Vec<K>> = BTreeMap::new();
    for (&key, &depth) in &distance {
        levels.entry(depth).or_default().push(key);
    }
    for (depth, keys) in levels {
        search.observe(part, &keys, depth, observers)?;
    }
    if outcome == Outcome::Levels && search.covers_space() {
        search.observe_rest(part, |key| distance.contains_key(key), observers)?;
    }
    Ok(counters.walked(outcome))
}
