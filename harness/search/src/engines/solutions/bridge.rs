//! The moves between two levels that were met from both sides.

use puzzle_api::Key;

use super::Both;
use super::links::Places;
use crate::error::EngineError;
use crate::keyset::mix;
use crate::ranks::RankSet;
use crate::steps::Steps;
use crate::visited::{VisitedSet, partitions_of};

/// Bits of a sieve for each state that it holds: one in so many others gets through.
const BITS_A_STATE: u64 = 32;
/// States in a batch whose neighbours are only looked up: few enough that these stay in the
/// first caches, from one pass over them to the next.
pub(super) const SHORT_BATCH: usize = 512;
/// Words of a sieve that are fetched ahead of their use.
const AHEAD: usize = 24;

/// Tells most states that a level does not hold, by a bit at a place that their hash names:
/// most neighbours are none of that level, and looking them all up in its set would take several
/// times as long.
pub(super) struct Sieve {
    bits: RankSet,
    shift: u32,
}

impl Sieve {
    pub(super) fn of<K: Key>(keys: &[K]) -> Result<Self, EngineError> {
        let size = (keys.len() as u64 * BITS_A_STATE)
            .next_power_of_two()
            .max(64);
        let bits = RankSet::new(size)
            .map_err(|error| EngineError::Memory(format!("no memory for {size} bits ({error})")))?;
        let sieve = Self {
            bits,
            shift: 64 - size.trailing_zeros(),
        };
        for &key in keys {
            let _new = sieve.bits.insert(sieve.place(key));
        }
        Ok(sieve)
    }

    fn place<K: Key>(&self, key: K) -> u64 {
        mix(key.to_u128()) >> self.shift
    }

    /// Numbers of the states that the level may hold, in the first entries of `out`; gives how
    /// many. There is room for all. Without a branch a state, which no processor could guess.
    pub(super) fn pass<K: Key>(&self, keys: &[K], out: &mut [(u32, u32)]) -> usize {
        let mut passed = 0;
        for (at, &key) in keys.iter().enumerate() {
            if let Some(&later) = keys.get(at + AHEAD) {
                self.bits.prefetch(self.place(later));
            }
            out[passed] = (at as u32, 0);
            passed += usize::from(self.bits.contains(self.place(key)));
        }
        passed
    }
}

impl<K: Key> Both<'_, K> {
    /// The states of `front` with a move to `rear`, and those of `rear` that such moves lead
    /// to. Where the two are each other's turned levels, the latter are the former turned.
    pub(super) fn bridge(
        &mut self,
        front: &[K],
        rear: &[K],
        mirrored: bool,
    ) -> Result<(Vec<K>, Vec<K>), EngineError> {
        let places = Places::of(rear)?;
        // Few of them cross, as a rule.
        let expected = if mirrored { 0 } else { rear.len() / 4 };
        let reached = VisitedSet::tables(partitions_of(expected), expected);
        let mut first = Vec::new();
        let (mut left, mut hits) = (Vec::new(), Vec::new());
        let mut found = Vec::new();
        for batch in front.chunks(SHORT_BATCH) {
            self.expand(Steps::FORWARD, batch)?;
            places.found(self.out.keys(), &mut found);
            let mut crossing = found.iter().peekable();
            let mut end = 0;
            for (at, &key) in batch.iter().enumerate() {
                end += self.out.of(at).len();
                let mut crosses = false;
                while crossing
                    .next_if(|(number, _)| (*number as usize) < end)
                    .is_some()
                {
                    crosses = true;
                }
                if crosses {
                    left.push(key);
                }
            }
            if !mirrored {
                hits.clear();
                hits.extend(found.iter().map(|&(_, place)| rear[place as usize]));
                reached.insert(&hits, &mut first);
            }
        }
        let first = match self.turned(&left)?.filter(|_| mirrored) {
            Some(turned) => turned,
            None => VisitedSet::in_order(&first),
        };
        Ok((left, first))
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::Sieve;

    proptest! {
        #[test]
        fn a_sieve_lets_through_all_that_it_holds_and_few_others(
            held in prop::collection::btree_set(any::<u64>(), 1..300),
        ) {
            let keys: Vec<u64> = held.iter().copied().collect();
            let sieve = Sieve::of(&keys).unwrap();
            let mut may = vec![(0, 0); 10_000];
            prop_assert_eq!(sieve.pass(&keys, &mut may), keys.len());
            prop_assert!((0..).zip(&may[..keys.len()]).all(|(at, may)| may.0 == at));
            let others: Vec<u64> = (0..10_000).filter(|key| !held.contains(key)).collect();
            prop_assert!(sieve.pass(&others, &mut may) < others.len() / 10);
        }
    }
}
