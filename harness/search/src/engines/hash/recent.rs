//! Levels of graphs whose states do not come back from afar, so that few levels are kept.
//! In a layered graph a state never comes back, and duplicates are only looked for within
//! the level being made. Where moves can be undone, a neighbour of level n lies in n-1, n
//! or n+1, and those three are held.
//!
//! Keys are parted by hash into partitions whose tables fit the second-level cache. A
//! partition is filled by one thread at a time, so nothing is locked.

use puzzle_api::{Capabilities, Key};
use rayon::prelude::*;

use crate::engines::keyset::{KeySet, mix};
use crate::engines::{BATCH, DEEPEST, EngineError, Neighbours, Search};
use crate::observers::Observers;
use crate::outcome::{Counters, Outcome, StopReason, Walked};
use crate::progress::Progress;
use antipode_graph::Expansion;

/// Keys of a partition aimed at: with slots to spare, half a mebibyte of short keys.
const PARTITION: usize = 1 << 15;
/// Most partitions, as a power of two: beyond, the parted pieces of a batch get too short.
const MOST_PARTITIONS_LOG2: u32 = 12;
/// Batches expanded before their neighbours go into the tables; bounds the memory for
/// candidates to some 200 MiB.
const SLAB: usize = 512;

/// Levels that a new one is compared with, the last of them the one in hand.
struct Known<K> {
    levels: Vec<Vec<Vec<K>>>,
    /// How many levels states may come back from.
    reach: usize,
}

impl<K: Key> Known<K> {
    fn last(&self) -> &[Vec<K>] {
        self.levels.last().map_or(&[], Vec::as_slice)
    }

    fn push(&mut self, level: Vec<Vec<K>>) {
        self.levels.push(level);
        let kept = self.reach.max(1);
        let old = self.levels.len().saturating_sub(kept);
        self.levels.drain(..old);
    }

    /// Batches of all states that can come up again.
    fn batches(&self) -> Vec<&[K]> {
        let levels = match self.reach {
            0 => &[],
            _ => self.levels.as_slice(),
        };
        let pieces = levels.iter().flatten();
        pieces.flat_map(|keys| keys.chunks(BATCH)).collect()
    }
}

/// Walks a graph whose states come back from the last two levels at most.
pub(super) fn walk<K: Key>(
    search: &Search<K>,
    part: u64,
    observers: &mut Observers<K>,
    progress: &Progress,
) -> Result<Walked<K>, EngineError> {
    let neighbours = Neighbours::of(search, part)?;
    let mut known = Known {
        levels: vec![vec![search.distinct_roots(part)?]],
        reach: if search.graph.has(Capabilities::LAYERED) {
            0
        } else {
            2
        },
    };
    let counters = Counters::default();
    let mut depth = 0;
    loop {
        let size: usize = known.last().iter().map(Vec::len).sum();
        search.observe_all(part, known.last(), depth, observers)?;
        progress.level(depth, size as u64);
        if size == 0 || search.max_depth == Some(depth) {
            return Ok(counters.walked(Outcome::Levels));
        }
        if depth == DEEPEST {
            return Err(super::too_deep(search));
        }
        match next_level(search, &neighbours, &known, (&counters, progress))? {
            Next::Level(next) => known.push(next),
            Next::Stopped(why) => return Ok(counters.walked(Outcome::NotReached(why))),
        }
        depth += 1;
    }
}

enum Next<K> {
    Level(Vec<Vec<K>>),
    Stopped(StopReason),
}

/// Neighbours of a batch, put in order of partitions: those of partition p are
/// `keys[starts[p]..starts[p + 1]]`.
struct Parted<K> {
    keys: Vec<K>,
    starts: Vec<u32>,
}

impl<K: Key> Parted<K> {
    fn of(keys: &[K], log2: u32) -> Self {
        let part_of = |key: K| match log2 {
            0 => 0,
            _ => (mix(key.to_u128()) >> (64 - log2)) as usize,
        };
        let mut starts = vec![0_u32; (1 << log2) + 1];
        let parts: Vec<u16> = keys.iter().map(|&key| part_of(key) as u16).collect();
        for &part in &parts {
            starts[part as usize + 1] += 1;
        }
        for i in 1..starts.len() {
            starts[i] += starts[i - 1];
        }
        let mut next = starts.clone();
        let mut parted = keys.to_vec();
        for (&key, &part) in keys.iter().zip(&parts) {
            let at = &mut next[part as usize];
            parted[*at as usize] = key;
            *at += 1;
        }
        Self {
            keys: parted,
            starts,
        }
    }

    fn of_partition(&self, part: usize) -> &[K] {
        &self.keys[self.starts[part] as usize..self.starts[part + 1] as usize]
    }
}

/// One partition of the level being made.
#[derive(Clone)]
struct Partition<K> {
    table: KeySet<K>,
    /// What is new, where the table holds earlier levels too.
    fresh: Option<Vec<K>>,
}

impl<K: Key> Partition<K> {
    fn bytes(&self) -> u64 {
        let fresh = self.fresh.as_ref().map_or(0, Vec::capacity);
        self.table.bytes() + (fresh * size_of::<K>()) as u64
    }

    fn take(&mut self, keys: &[K]) {
        match &mut self.fresh {
            None => {
                for &key in keys {
                    self.table.insert(key);
                }
            }
            Some(fresh) => fresh.extend(keys.iter().filter(|&&key| self.table.insert(key))),
        }
    }

    fn into_keys(self) -> Vec<K> {
        match self.fresh {
            None => self.table.into_keys(),
            Some(mut fresh) => {
                fresh.shrink_to_fit();
                fresh
            }
        }
    }
}

/// The new neighbours of a level, by partitions.
fn next_level<K: Key>(
    search: &Search<K>,
    neighbours: &Neighbours<K>,
    known: &Known<K>,
    (counters, progress): (&Counters, &Progress),
) -> Result<Next<K>, EngineError> {
    let level = known.last();
    let size: usize = level.iter().map(Vec::len).sum();
    let log2 = partitions_log2(size);
    let mut partitions = vec![
        Partition {
            table: KeySet::new(log2),
            fresh: None,
        };
        1 << log2
    ];
    let earlier = known.batches();
    let held = earlier
        .iter()
        .map(|keys| keys.len())
        .sum::<usize>()
        .max(size)
        * size_of::<K>();
    for slab in earlier.chunks(SLAB) {
        let parted: Vec<Parted<K>> = slab.par_iter().map(|keys| Parted::of(keys, log2)).collect();
        fill(&mut partitions, &parted);
    }
    if known.reach > 0 {
        for partition in &mut partitions {
            partition.fresh = Some(Vec::new());
        }
    }
    let batches: Vec<&[K]> = level.iter().flat_map(|keys| keys.chunks(BATCH)).collect();
    for slab in batches.chunks(SLAB) {
        if progress.stopping() {
            return Ok(Next::Stopped(StopReason::Requested));
        }
        let parted: Vec<Parted<K>> = slab
            .par_iter()
            .map_init(Expansion::default, |out, batch| {
                neighbours.expand(&search.graph, batch, out)?;
                search.reduce(out.keys_mut())?;
                counters.batch(batch.len(), out.keys().len());
                progress.expanded(batch.len() as u64);
                Ok(Parted::of(out.keys(), log2))
            })
            .collect::<Result<_, EngineError>>()?;
        fill(&mut partitions, &parted);
        let taken = held as u64 + partitions.iter().map(Partition::bytes).sum::<u64>();
        if let Some(limit) = search.memory.filter(|&limit| taken > limit) {
            return Ok(Next::Stopped(StopReason::memory(limit)));
        }
    }
    let next = partitions.into_par_iter().map(Partition::into_keys);
    Ok(Next::Level(next.collect()))
}

/// Puts what was parted into the partitions, each by one thread.
fn fill<K: Key>(partitions: &mut [Partition<K>], parted: &[Parted<K>]) {
    let numbered = partitions.par_iter_mut().enumerate();
    numbered.for_each(|(number, partition)| {
        for batch in parted {
            partition.take(batch.of_partition(number));
        }
    });
}

/// Levels rarely grow more than fourfold, so the next is guessed to be that large.
fn partitions_log2(size: usize) -> u32 {
    let wanted = (size * 4 / PARTITION).max(1).next_power_of_two();
    wanted.trailing_zeros().min(MOST_PARTITIONS_LOG2)
}

#[cfg(test)]
mod tests {
    use super::Parted;

    #[test]
    fn parting_keeps_every_key_once() {
        let keys: Vec<u64> = (0..1000).map(|i| i * i).collect();
        for log2 in [0, 1, 5, 12] {
            let parted = Parted::of(&keys, log2);
            let mut all: Vec<u64> = (0..1 << log2)
                .flat_map(|part| parted.of_partition(part).to_vec())
                .collect();
            all.sort_unstable();
            assert_eq!(all, keys);
        }
    }
}
