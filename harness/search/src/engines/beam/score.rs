//! Scores how promising the states of a beam are.

use puzzle_api::Key;

use super::perimeter::Perimeter;
use crate::engines::find::Reduction;
use crate::keyset::stafford;
use antipode_graph::{Graph, PluginError};

/// Number of states of the rim from which the score is learned, spread evenly over it.
const SAMPLE: usize = 20_000;
/// Steps of the score per unit of log odds.
const FINENESS: f64 = 256.0;
/// No bit counts as more certain than this.
const CERTAIN: f64 = 1e-3;

/// Scores states by the similarity of their key's bits to those of states on the perimeter's rim;
/// smaller is more promising.
pub(super) struct Scorer {
    /// Score of byte b of the key with value v at `b * 256 + v`.
    bytes: Vec<i32>,
    seed: u64,
}

impl Scorer {
    pub(super) fn new<K: Key>(
        graph: &Graph<K>,
        reduction: &Reduction,
        perimeter: &Perimeter<K>,
        seed: u64,
    ) -> Result<Self, PluginError> {
        Ok(Self {
            bytes: learn(graph, reduction, perimeter.rim())?,
            seed: stafford(seed ^ 0x6265_616d),
        })
    }

    /// Scores of a batch, with a tie-break: a hash of the key, so that it does not depend on the
    /// order of the batch.
    pub(super) fn scores<K: Key>(&self, keys: &[K]) -> Vec<(i64, u64)> {
        let chance = |key: K| {
            let number = key.to_u128();
            stafford(number as u64 ^ stafford((number >> 64) as u64 ^ self.seed))
        };
        let score = |&key: &K| (self.learned(key), chance(key));
        keys.iter().map(score).collect()
    }

    #[inline]
    fn learned<K: Key>(&self, key: K) -> i64 {
        let mut rest = key.to_u128();
        let mut sum = 0;
        for bytes in self.bytes.chunks_exact(256) {
            sum += i64::from(bytes[rest as usize & 0xff]);
            rest >>= 8;
        }
        sum
    }
}

/// Number of keys in which each bit is set. Counted by bytes, since a key has few.
fn counted<K: Key>(keys: &[K]) -> Vec<u64> {
    let bytes = 8 * K::WORDS;
    let mut values = vec![0_u32; 256 * bytes];
    for key in keys {
        let mut rest = key.to_u128();
        let mut byte = 0;
        while rest != 0 {
            values[byte * 256 + (rest & 0xff) as usize] += 1;
            rest >>= 8;
            byte += 1;
        }
    }
    let set = |bit: usize| {
        let of_byte = values[bit / 8 * 256..][..256].iter().enumerate();
        let with = of_byte.filter(|(value, _)| value >> (bit % 8) & 1 == 1);
        with.map(|(_, &keys)| u64::from(keys)).sum()
    };
    (0..8 * bytes).map(set).collect()
}

/// Log odds of each bit on the rim, summed over each byte.
fn learn<K: Key>(
    graph: &Graph<K>,
    reduction: &Reduction,
    rim: &[K],
) -> Result<Vec<i32>, PluginError> {
    let step = rim.len().div_ceil(SAMPLE).max(1);
    let sample: Vec<K> = rim.iter().copied().step_by(step).collect();
    let states = reduction.spread(graph, &sample)?;
    let bits = 64 * K::WORDS;
    let set = counted(&states);
    let weight = |bit: usize| {
        let share = set[bit] as f64 / states.len().max(1) as f64;
        let share = share.clamp(CERTAIN, 1.0 - CERTAIN);
        (-(share / (1.0 - share)).ln() * FINENESS) as i32
    };
    let weights: Vec<i32> = (0..bits).map(weight).collect();
    let joined = |weights: &[i32], value: usize| {
        let set = (0..8).filter(|bit| value >> bit & 1 == 1);
        set.map(|bit| weights[bit]).sum()
    };
    Ok(weights
        .chunks_exact(8)
        .flat_map(|weights| (0..256).map(move |value| joined(weights, value)))
        .collect())
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::counted;

    proptest! {
        #[test]
        fn bits_are_counted_as_one_by_one(
            short in prop::collection::vec(any::<u64>(), 0..50),
            long in prop::collection::vec(any::<u128>(), 0..50),
        ) {
            let twin = |bit: u32| short.iter().filter(|&key| key >> bit & 1 == 1).count() as u64;
            prop_assert_eq!(counted(&short), (0..64).map(twin).collect::<Vec<_>>());
            let twin = |bit: u32| long.iter().filter(|&key| key >> bit & 1 == 1).count() as u64;
            prop_assert_eq!(counted(&long), (0..128).map(twin).collect::<Vec<_>>());
        }
    }
}
