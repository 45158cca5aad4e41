//! Engine `hash`: level by level, each level's canonical keys deduplicated in a hash set.
//! On a puzzle with predecessors this is the retrograde queue of the thesis (A.1). A
//! layered graph, or one whose moves can be undone, needs no set of all states met: see
//! [`recent`].

mod recent;
mod row;

use foldhash::fast::FixedState;
use hashbrown::HashSet;
use puzzle_api::{Capabilities, Key};
use rayon::prelude::*;
pub use row::Row;

use super::{BATCH, DEEPEST, EngineError, Neighbours, Search};
use crate::observers::Observers;
use crate::outcome::{Counters, Outcome, StopReason, Walked};
use crate::progress::Progress;
use antipode_graph::Expansion;

type KeySet<K> = HashSet<K, FixedState>;

/// Shards of the visited set when one part is walked on all threads.
const SHARDS: usize = 64;
/// Batches expanded before duplicates are dropped; bounds the memory for candidates.
const SLAB: usize = 128;

struct Visited<K> {
    shards: Vec<KeySet<K>>,
}

impl<K: Key> Visited<K> {
    fn new(shards: usize) -> Self {
        Self {
            shards: (0..shards).map(|_| KeySet::default()).collect(),
        }
    }

    /// High bits of a multiplicative hash: independent of the set's own bits.
    fn shard_of(&self, key: K) -> usize {
        let number = key.to_u128();
        let folded = (number as u64) ^ ((number >> 64) as u64).rotate_left(32);
        let mixed = folded.wrapping_mul(0x9e37_79b9_7f4a_7c15);
        ((u128::from(mixed) * self.shards.len() as u128) >> 64) as usize
    }

    /// Bytes that the sets take, with a control byte a slot.
    fn bytes(&self) -> u64 {
        let slots: usize = self.shards.iter().map(KeySet::capacity).sum();
        (slots * (size_of::<K>() + 1)) as u64
    }

    fn contains(&self, key: &K) -> bool {
        self.shards[self.shard_of(*key)].contains(key)
    }

    /// Inserts candidates, sorted by shard; gives those that are new.
    fn insert(&mut self, candidates: Vec<Vec<Vec<K>>>) -> Vec<K> {
        let new: Vec<Vec<K>> = self
            .shards
            .par_iter_mut()
            .enumerate()
            .map(|(shard, set)| {
                let mine = candidates.iter().flat_map(|batch| &batch[shard]);
                mine.copied().filter(|&key| set.insert(key)).collect()
            })
            .collect();
        new.concat()
    }

    fn split(&self, keys: &[K]) -> Vec<Vec<K>> {
        let mut by_shard = vec![Vec::new(); self.shards.len()];
        for &key in keys {
            by_shard[self.shard_of(key)].push(key);
        }
        by_shard
    }
}

pub(super) fn walk<K: Key>(
    search: &Search<K>,
    part: u64,
    observers: &mut Observers<K>,
    progress: &Progress,
) -> Result<Walked<K>, EngineError> {
    let graph = &search.graph;
    let recent = graph.has(Capabilities::LAYERED) || graph.has(Capabilities::UNDIRECTED);
    if recent && !search.covers_space() {
        return recent::walk(search, part, observers, progress);
    }
    // Parts already run on all threads, and nesting would only cost memory.
    let shards = if search.graph.opened.part_count > 1 {
        1
    } else {
        SHARDS
    };
    let neighbours = Neighbours::of(search, part)?;
    let mut visited = Visited::new(shards);
    let roots = search.distinct_roots(part)?;
    let mut level = visited.insert(vec![visited.split(&roots)]);
    let counters = Counters::default();
    let mut depth = 0;
    loop {
        search.observe_all(part, std::slice::from_ref(&level), depth, observers)?;
        progress.level(depth, level.len() as u64);
        if level.is_empty() || search.max_depth == Some(depth) {
            break;
        }
        if depth == DEEPEST {
            return Err(too_deep(search));
        }
        if let Some(limit) = search.memory.filter(|&limit| visited.bytes() > limit) {
            return Ok(counters.walked(Outcome::NotReached(StopReason::memory(limit))));
        }
        let watch = (&counters, progress);
        match next_level(search, &neighbours, &mut visited, &level, watch)? {
            Some(next) => level = next,
            None => return Ok(counters.walked(Outcome::NotReached(StopReason::Requested))),
        }
        depth += 1;
    }
    if search.covers_space() {
        search.observe_rest(part, |key| visited.contains(key), observers)?;
    }
    Ok(counters.walked(Outcome::Levels))
}

fn too_deep<K: Key>(search: &Search<K>) -> EngineError {
    let name = search.graph.opened.full_name();
    EngineError::CannotHold(format!(
        "{name}: deeper than {DEEPEST} levels, more than this version counts"
    ))
}

/// The new states among the neighbours of a level; `None` when asked to stop.
fn next_level<K: Key>(
    search: &Search<K>,
    neighbours: &Neighbours<K>,
    visited: &mut Visited<K>,
    level: &[K],
    (counters, progress): (&Counters, &Progress),
) -> Result<Option<Vec<K>>, EngineError> {
    let mut next = Vec::new();
    for slab in level.chunks(BATCH * SLAB) {
        if progress.stopping() {
            return Ok(None);
        }
        let seen = &*visited;
        let candidates: Vec<Vec<Vec<K>>> = slab
            .par_chunks(BATCH)
            .map_init(Expansion::default, |out, batch| {
                neighbours.expand(&search.graph, batch, out)?;
                search.reduce(out.keys_mut())?;
                progress.expanded(batch.len() as u64);
                counters.batch(batch.len(), out.keys().len());
                Ok(seen.split(out.keys()))
            })
            .collect::<Result<_, EngineError>>()?;
        next.extend(visited.insert(candidates));
    }
    Ok(Some(next))
}
