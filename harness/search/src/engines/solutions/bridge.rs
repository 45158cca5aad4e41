//! The moves between two levels that were met from both sides.

use puzzle_api::Key;

use super::Both;
use super::links::{LinkQuery, Places};
use crate::error::EngineError;
use crate::keyset::mix;
use crate::ranks::RankSet;
use crate::steps::DirectionSteps;
use antipode_graph::PluginError;

/// Bits of a filter for each state that it holds: one in n other states passes it.
const BITS_A_STATE: u64 = 16;
/// States in a batch whose neighbours are only looked up: few enough to stay in the first caches
/// from one pass to the next.
pub(super) const SHORT_BATCH: usize = 512;
/// Words of a filter that are fetched ahead of their use.
const AHEAD: usize = 24;

/// Filters out most states that a level does not hold, by a bit at a place given by their hash.
/// Most neighbours are not in that level, and looking all of them up in its set would take several
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
        let mut sieve = Self {
            bits,
            shift: 64 - size.trailing_zeros(),
        };
        for &key in keys {
            let bit = mix(key.to_u128()) >> sieve.shift;
            sieve.bits.insert_alone(bit);
        }
        Ok(sieve)
    }

    /// Writes the numbers of the states that the level may hold, by their hashes, to the first
    /// entries of `out`; returns how many there are. `out` has room for all. Without a branch per
    /// state, which no processor could predict.
    pub(super) fn pass(&self, hashes: &[u64], out: &mut [(u32, u32)]) -> usize {
        let mut passed = 0;
        for (at, &hash) in hashes.iter().enumerate() {
            if let Some(&later) = hashes.get(at + AHEAD) {
                self.bits.prefetch(later >> self.shift);
            }
            out[passed] = (at as u32, 0);
            passed += usize::from(self.bits.contains(hash >> self.shift));
        }
        passed
    }
}

impl<K: Key> Both<'_, K> {
    /// The states of `front` with a move to `rear`, and those of `rear` to which such moves lead.
    /// If the levels are each other's time-reversed images, the latter are the images of the
    /// former.
    pub(super) fn bridge(
        &mut self,
        front: &[K],
        rear: &[K],
        mirrored: bool,
    ) -> Result<(Vec<K>, Vec<K>), EngineError> {
        match mirrored {
            true => self.bridge_mirrored(front),
            false => self.bridge_any(front, rear),
        }
    }

    fn bridge_any(&mut self, front: &[K], rear: &[K]) -> Result<(Vec<K>, Vec<K>), EngineError> {
        let places = Places::of(rear)?;
        let (mut left, mut reached) = (Vec::new(), vec![false; rear.len()]);
        let mut asked = LinkQuery::default();
        for batch in front.chunks(SHORT_BATCH) {
            self.expand(DirectionSteps::FORWARD, batch)?;
            places.find_all(self.out.keys(), &mut asked);
            let mut crossing = asked.found.iter().peekable();
            let mut end = 0;
            for (at, &key) in batch.iter().enumerate() {
                end += self.out.of(at).len();
                let mut crosses = false;
                while let Some((_, place)) =
                    crossing.next_if(|(number, _)| (*number as usize) < end)
                {
                    crosses = true;
                    reached[*place as usize] = true;
                }
                if crosses {
                    left.push(key);
                }
            }
        }
        Ok((left, marked(rear, &reached)))
    }

    /// The same if the other level is the front with time reversed, without that level. A successor
    /// is in it if its time-reversed image is in the front. If it is, then a move leads from there
    /// to the state's own reversed image. Of the two moves, only the one to the state of the higher
    /// hash is looked up.
    fn bridge_mirrored(&mut self, front: &[K]) -> Result<(Vec<K>, Vec<K>), EngineError> {
        let places = Places::of(front)?;
        let mut crosses = vec![false; front.len()];
        let (mut neighbours, mut of) = (Vec::new(), Vec::new());
        let mut asked = LinkQuery::default();
        for (batch, start) in front.chunks(SHORT_BATCH).zip((0..).step_by(SHORT_BATCH)) {
            self.expand_turned(batch)?;
            let keys = self.out.keys();
            let Some(&any) = keys.first() else { continue };
            // Overwrites the buffer.
            neighbours.resize(keys.len(), any);
            asked.hashes.resize(keys.len(), 0);
            of.resize(keys.len(), 0);
            let mut count = 0;
            for (at, own) in batch.iter().enumerate() {
                let own = mix(own.to_u128());
                for &key in self.out.of(at) {
                    let hash = mix(key.to_u128());
                    (neighbours[count], asked.hashes[count]) = (key, hash);
                    of[count] = start + at;
                    count += usize::from(hash >= own);
                }
            }
            asked.hashes.truncate(count);
            places.find_hashed(&neighbours[..count], &mut asked);
            for &(number, place) in &asked.found {
                crosses[place as usize] = true;
                crosses[of[number as usize]] = true;
            }
        }
        let left = marked(front, &crosses);
        let first = self.rear_of(&left)?;
        Ok((left, first))
    }

    /// The successors of some states with time reversed: the predecessors of the reversed states.
    pub(super) fn expand_turned(&mut self, batch: &[K]) -> Result<(), PluginError> {
        // Time reversal is known to work here; whether a state represents others does not matter.
        let mut turned = batch.to_vec();
        self.graph.time_reversed(&mut turned)?;
        self.expand(self.back, &turned)
    }
}

/// The states of a level that are marked.
fn marked<K: Key>(level: &[K], marks: &[bool]) -> Vec<K> {
    let marked = level.iter().zip(marks).filter(|(_, mark)| **mark);
    marked.map(|(&key, _)| key).collect()
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::{Sieve, mix};

    proptest! {
        #[test]
        fn a_sieve_lets_through_all_that_it_holds_and_few_others(
            held in prop::collection::btree_set(any::<u64>(), 1..300),
        ) {
            let keys: Vec<u64> = held.iter().copied().collect();
            let sieve = Sieve::of(&keys).unwrap();
            let mut may = vec![(0, 0); 10_000];
            let hashes = |keys: &[u64]| -> Vec<u64> {
                keys.iter().map(|&key| mix(u128::from(key))).collect()
            };
            prop_assert_eq!(sieve.pass(&hashes(&keys), &mut may), keys.len());
            prop_assert!((0..).zip(&may[..keys.len()]).all(|(at, may)| may.0 == at));
            let others: Vec<u64> = (0..10_000).filter(|key| !held.contains(key)).collect();
            prop_assert!(sieve.pass(&hashes(&others), &mut may) < others.len() / 10);
        }
    }
}
