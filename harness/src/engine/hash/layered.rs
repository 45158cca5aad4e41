//! Levels of a layered graph: a state cannot come back in a later level, so nothing but
//! the level in hand and the one being made is kept, and duplicates are only looked for
//! within the latter.
//!
//! Keys are parted by hash into partitions whose tables fit the second-level cache. A
//! partition is filled by one thread at a time, so nothing is locked.

use puzzle_api::Key;
use rayon::prelude::*;

use super::distinct::{Distinct, mix};
use crate::engine::{BATCH, DEEPEST, Ended, EngineError, Neighbours, Search};
use crate::observe::Observers;
use crate::plugin::Expansion;
use crate::progress::Progress;

/// Keys of a partition aimed at: with slots to spare, half a mebibyte of short keys.
const PARTITION: usize = 1 << 15;
/// Most partitions, as a power of two: beyond, the parted pieces of a batch get too short.
const MOST_PARTITIONS_LOG2: u32 = 12;
/// Batches expanded before their neighbours go into the tables; bounds the memory for
/// candidates to some 200 MiB.
const SLAB: usize = 512;

/// Walks a graph whose every path to a state has the same length.
pub(super) fn walk<K: Key>(
    search: &Search<K>,
    part: u64,
    observers: &mut Observers<K>,
    progress: &Progress,
) -> Result<Ended, EngineError> {
    let neighbours = Neighbours::of(search, part)?;
    let mut level = vec![search.distinct_roots(part)?];
    let mut depth = 0;
    loop {
        let size: usize = level.iter().map(Vec::len).sum();
        search.observe_all(part, &level, depth, observers)?;
        progress.level(depth, size as u64);
        if size == 0 || search.max_depth == Some(depth) {
            return Ok(Ended::Complete);
        }
        if depth == DEEPEST {
            return Err(super::too_deep(search));
        }
        match next_level(search, &neighbours, &level, progress)? {
            Next::Level(next) => level = next,
            Next::Stopped(why) => return Ok(why),
        }
        depth += 1;
    }
}

enum Next<K> {
    Level(Vec<Vec<K>>),
    Stopped(Ended),
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
            _ => (mix(key) >> (64 - log2)) as usize,
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

/// The distinct neighbours of a level, by partitions.
fn next_level<K: Key>(
    search: &Search<K>,
    neighbours: &Neighbours<K>,
    level: &[Vec<K>],
    progress: &Progress,
) -> Result<Next<K>, EngineError> {
    let size: usize = level.iter().map(Vec::len).sum();
    let log2 = partitions_log2(size);
    let mut tables = vec![Distinct::new(log2); 1 << log2];
    let batches: Vec<&[K]> = level.iter().flat_map(|keys| keys.chunks(BATCH)).collect();
    for slab in batches.chunks(SLAB) {
        if progress.stopping() {
            return Ok(Next::Stopped(Ended::Stopped));
        }
        let parted: Vec<Parted<K>> = slab
            .par_iter()
            .map_init(Expansion::default, |out, batch| {
                neighbours.expand(&search.graph, batch, out)?;
                search.reduce(out.keys_mut())?;
                progress.expanded(batch.len() as u64);
                progress.generated(out.keys().len() as u64);
                Ok(Parted::of(out.keys(), log2))
            })
            .collect::<Result<_, EngineError>>()?;
        tables.par_iter_mut().enumerate().for_each(|(part, table)| {
            for batch in &parted {
                for &key in batch.of_partition(part) {
                    table.insert(key);
                }
            }
        });
        if let Some(limit) = search.memory
            && (size * size_of::<K>()) as u64 + tables.iter().map(Distinct::bytes).sum::<u64>()
                > limit
        {
            return Ok(Next::Stopped(Ended::Full));
        }
    }
    let next = tables.into_par_iter().map(Distinct::into_keys).collect();
    Ok(Next::Level(next))
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
