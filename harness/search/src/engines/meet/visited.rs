//! The states of a ball: hash tables while it is small, a bit a number once it is not.

use std::sync::RwLock;

use foldhash::fast::FixedState;
use hashbrown::HashSet;
use puzzle_api::Key;
use rayon::prelude::*;

use crate::ranks::RankSet;

/// Hash tables a ball is spread over, so that threads seldom wait for each other.
const SHARDS: usize = 64;
/// Words fetched ahead of their use: a miss takes about as long as this many lookups.
const AHEAD: usize = 24;

/// A set of numbers that threads add to.
#[derive(Debug)]
pub(super) enum Visited<C> {
    /// Tables of numbers.
    Hashed(Vec<RwLock<HashSet<C, FixedState>>>),
    /// A bit a number.
    Bits(RankSet),
}

impl<C: Key> Visited<C> {
    /// An empty set of hash tables.
    pub(super) fn hashed() -> Self {
        Self::Hashed((0..SHARDS).map(|_| RwLock::default()).collect())
    }

    /// An empty set of bits.
    pub(super) fn bits(size: u64) -> std::io::Result<Self> {
        Ok(Self::Bits(RankSet::new(size)?))
    }

    /// Inserts numbers; the places of those that were not there before go to `new`.
    pub(super) fn insert(&self, codes: &[C], new: &mut Vec<u32>) {
        new.clear();
        match self {
            Self::Hashed(shards) => each_shard(codes, |shard, places| {
                let mut set = shards[shard].write().unwrap_or_else(|e| e.into_inner());
                new.extend(places.iter().filter(|&&at| set.insert(codes[at as usize])));
            }),
            Self::Bits(set) => {
                for (at, code) in codes.iter().enumerate() {
                    if let Some(later) = codes.get(at + AHEAD) {
                        set.prefetch(rank(later));
                    }
                    if set.insert(rank(code)) {
                        new.push(at as u32);
                    }
                }
            }
        }
    }

    /// The smallest of some numbers that is in the set.
    pub(super) fn smallest_of(&self, codes: &[C]) -> Option<C> {
        match self {
            Self::Hashed(shards) => {
                let mut smallest: Option<C> = None;
                each_shard(codes, |shard, places| {
                    let set = shards[shard].read().unwrap_or_else(|e| e.into_inner());
                    let found = places.iter().map(|&at| codes[at as usize]);
                    let found = found.filter(|code| set.contains(code)).min();
                    smallest = smallest.into_iter().chain(found).min();
                });
                smallest
            }
            Self::Bits(set) => {
                let places = codes.iter().enumerate();
                let found = places.filter(|&(at, code)| {
                    if let Some(later) = codes.get(at + AHEAD) {
                        set.prefetch(rank(later));
                    }
                    set.contains(rank(code))
                });
                found.map(|(_, &code)| code).min()
            }
        }
    }

    /// Goes over to a bit a number.
    ///
    /// # Errors
    /// Where the system does not give the memory.
    pub(super) fn turn_to_bits(&mut self, size: u64) -> std::io::Result<()> {
        if let Self::Hashed(shards) = self {
            let set = RankSet::new(size)?;
            std::mem::take(shards).into_par_iter().for_each(|shard| {
                for code in shard.into_inner().unwrap_or_else(|e| e.into_inner()) {
                    let _new = set.insert(rank(&code));
                }
            });
            *self = Self::Bits(set);
        }
        Ok(())
    }

    /// Bytes of the hash tables; a set of bits was counted when the search began.
    pub(super) fn table_bytes(&self) -> u64 {
        match self {
            Self::Hashed(shards) => {
                let rooms = shards.iter().map(|shard| {
                    let set = shard.read().unwrap_or_else(|e| e.into_inner());
                    set.capacity() as u64 * 8 / 7 * (size_of::<C>() as u64 + 1)
                });
                rooms.sum()
            }
            Self::Bits(_) => 0,
        }
    }

    /// Whether this is a bit a number.
    pub(super) fn is_bits(&self) -> bool {
        matches!(self, Self::Bits(_))
    }
}

fn rank<C: Key>(code: &C) -> u64 {
    code.to_u128() as u64
}

/// High bits of a multiplicative hash: independent of the tables' own bits.
fn shard_of<C: Key>(code: &C) -> usize {
    let number = code.to_u128();
    let folded = (number as u64) ^ ((number >> 64) as u64).rotate_left(32);
    (folded.wrapping_mul(0x9e37_79b9_7f4a_7c15) >> 58) as usize
}

/// Calls `visit` with each shard that occurs and the places of its numbers.
fn each_shard<C: Key>(codes: &[C], mut visit: impl FnMut(usize, &[u32])) {
    const { assert!(SHARDS == 1 << (64 - 58)) }
    let mut ends = [0_usize; SHARDS];
    for code in codes {
        ends[shard_of(code)] += 1;
    }
    let mut sum = 0;
    for end in &mut ends {
        sum += std::mem::replace(end, sum);
    }
    let mut places = vec![0_u32; codes.len()];
    for (at, code) in codes.iter().enumerate() {
        let end = &mut ends[shard_of(code)];
        places[*end] = at as u32;
        *end += 1;
    }
    let mut start = 0;
    for (shard, &end) in ends.iter().enumerate() {
        if start < end {
            visit(shard, &places[start..end]);
        }
        start = end;
    }
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use proptest::prelude::*;

    use super::Visited;

    fn behaves<const N: usize>(sets: [Visited<u64>; N], batches: &[Vec<u64>], size: u64) {
        let mut sets = sets;
        let mut twin = BTreeSet::new();
        for (round, batch) in batches.iter().enumerate() {
            let before = twin.clone();
            twin.extend(batch.iter().copied());
            for set in &mut sets {
                let smallest = batch.iter().filter(|code| before.contains(code)).min();
                assert_eq!(set.smallest_of(batch).as_ref(), smallest);
                let mut new = Vec::new();
                set.insert(batch, &mut new);
                let new: Vec<u64> = new.iter().map(|&at| batch[at as usize]).collect();
                let distinct: BTreeSet<u64> = new.iter().copied().collect();
                assert_eq!(new.len(), distinct.len());
                assert_eq!(distinct, twin.difference(&before).copied().collect());
            }
            if round == batches.len() / 2 {
                sets[0].turn_to_bits(size).expect("memory");
            }
        }
    }

    proptest! {
        #[test]
        fn tables_bits_and_what_turns_from_one_to_the_other_agree(
            batches in prop::collection::vec(prop::collection::vec(0_u64..500, 0..200), 1..8),
        ) {
            let sets = [Visited::hashed(), Visited::hashed(), Visited::bits(500).expect("memory")];
            behaves(sets, &batches, 500);
        }
    }
}
