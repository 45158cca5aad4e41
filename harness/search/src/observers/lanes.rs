//! The inner loop of the level table: adds hashes to the sums of their levels, by one vector of
//! four words per state if the processor has such vectors.

use super::wide::vectorised;
use crate::digest::KeyHash;

/// A sum of hashes in words that need no carry: the halves of the low words, the high words, and
/// the number of hashes. Valid for fewer than 2^32 hashes; the high words wrap, as does the digest.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
#[repr(align(32))]
pub(super) struct Lane([u64; 4]);

impl Lane {
    #[inline]
    fn add(&mut self, words: [u64; 4]) {
        for (sum, word) in self.0.iter_mut().zip(words) {
            *sum = sum.wrapping_add(word);
        }
    }

    /// Sum of the hashes.
    pub(super) const fn digest(&self) -> KeyHash {
        let [low, middle, high, _] = self.0;
        (low as u128)
            .wrapping_add((middle as u128) << 32)
            .wrapping_add((high as u128) << 64)
    }

    /// How many were added.
    pub(super) const fn count(&self) -> u64 {
        self.0[3]
    }
}

/// Neighbours are often in one level; with separate sums they need not wait for each other's store.
const LANES: usize = 2;

/// Sums of a batch by slot.
#[derive(Debug, Clone, Default)]
pub(super) struct Lanes(Vec<[Lane; LANES]>);

impl Lanes {
    /// Starts again with n slots.
    pub(super) fn open(&mut self, slots: usize) {
        self.0.clear();
        self.0.resize(slots, Default::default());
    }

    /// Adds hashes, given by low and high words, to the slots `depth + 1`, wrapping; the slices
    /// have equal length.
    ///
    /// # Panics
    /// If a slot was not opened.
    pub(super) fn add(&mut self, depths: &[u16], low: &[u64], high: &[u64]) {
        // Some sweeps run level by level: then only the last sum is written.
        if let ([depth, after @ ..], [before @ .., _]) = (depths, depths)
            && after == before
        {
            self.0[slot_of(*depth)][0].add(sum(low, high));
            return;
        }
        #[cfg(target_arch = "x86_64")]
        let done = vectors::add(&mut self.0, depths, low, high);
        #[cfg(not(target_arch = "x86_64"))]
        let done = 0;
        self.add_plainly(&depths[done..], &low[done..], &high[done..]);
    }

    /// The same, one at a time.
    fn add_plainly(&mut self, depths: &[u16], low: &[u64], high: &[u64]) {
        let hashes = low.iter().zip(high);
        for (at, (&depth, (&low, &high))) in depths.iter().zip(hashes).enumerate() {
            self.0[slot_of(depth)][at % LANES].add(words_of(low, high));
        }
    }

    /// The sum of each slot.
    pub(super) fn sums(&self) -> impl Iterator<Item = Lane> + '_ {
        self.0.iter().map(|lanes| {
            lanes.iter().fold(Lane::default(), |mut sum, lane| {
                sum.add(lane.0);
                sum
            })
        })
    }
}

/// Slot of a depth: `UNSOLVABLE` is the greatest, so it wraps to the first slot.
pub(super) const fn slot_of(depth: u16) -> usize {
    depth.wrapping_add(1) as usize
}

/// One hash, given by low and high word, in the words of a lane.
const fn words_of(low: u64, high: u64) -> [u64; 4] {
    [low & 0xffff_ffff, low >> 32, high, 1]
}

vectorised! {
    /// The words of the sum of some hashes.
    fn sum(low: &[u64], high: &[u64]) -> [u64; 4] = sum_each for "avx2"
}

#[inline(always)]
fn sum_each(low: &[u64], high: &[u64]) -> [u64; 4] {
    let mut lane = Lane::default();
    for (&low, &high) in low.iter().zip(high) {
        lane.add(words_of(low, high));
    }
    lane.0
}

#[cfg(target_arch = "x86_64")]
mod vectors {
    #![allow(unsafe_code)]

    use std::arch::x86_64::*;

    use super::{LANES, Lane, slot_of};

    /// Hashes that go together.
    const WIDTH: usize = 8;

    /// Adds as many of the first hashes as fill whole vectors; returns their number.
    pub(super) fn add(
        lanes: &mut [[Lane; LANES]],
        depths: &[u16],
        low: &[u64],
        high: &[u64],
    ) -> usize {
        if !is_x86_feature_detected!("avx512f") || !is_x86_feature_detected!("avx512vl") {
            return 0;
        }
        let depths = depths.as_chunks().0;
        let hashes = low.as_chunks().0.iter().zip(high.as_chunks().0);
        // SAFETY: the processor has the features that the function is compiled for.
        unsafe { add_vectors(lanes, depths.iter().zip(hashes)) }
    }

    type Hashes<'a> = (&'a [u64; WIDTH], &'a [u64; WIDTH]);

    #[target_feature(enable = "avx512f,avx512vl")]
    fn add_vectors<'a>(
        lanes: &mut [[Lane; LANES]],
        states: impl Iterator<Item = (&'a [u16; WIDTH], Hashes<'a>)>,
    ) -> usize {
        let half = _mm512_set1_epi64(0xffff_ffff);
        let one = _mm512_set1_epi64(1);
        let mut done = 0;
        for (depths, (low, high)) in states {
            let (low, high) = (load(low), load(high));
            let low_halves = _mm512_and_si512(low, half);
            let high_halves = _mm512_srli_epi64::<32>(low);
            // Words of the even and of the odd states, in pairs.
            let even = (
                _mm512_unpacklo_epi64(low_halves, high_halves),
                _mm512_unpacklo_epi64(high, one),
            );
            let odd = (
                _mm512_unpackhi_epi64(low_halves, high_halves),
                _mm512_unpackhi_epi64(high, one),
            );
            let [zero, four] = four_by_four(even).map(|words| halves(words));
            let [first, fifth] = four_by_four(odd).map(|words| halves(words));
            let words = [
                zero[0], first[0], zero[1], first[1], four[0], fifth[0], four[1], fifth[1],
            ];
            for (at, (&depth, words)) in depths.iter().zip(words).enumerate() {
                add_words(&mut lanes[slot_of(depth)][at % LANES], words);
            }
            done += WIDTH;
        }
        done
    }

    /// From two words of four states each in both, makes the four words of the first two states and
    /// of the last two.
    #[inline]
    #[target_feature(enable = "avx512f")]
    fn four_by_four((front, back): (__m512i, __m512i)) -> [__m512i; 2] {
        let first = _mm512_setr_epi64(0, 1, 8, 9, 2, 3, 10, 11);
        let last = _mm512_setr_epi64(4, 5, 12, 13, 6, 7, 14, 15);
        [first, last].map(|order| _mm512_permutex2var_epi64(front, order, back))
    }

    #[inline]
    #[target_feature(enable = "avx512f")]
    fn halves(words: __m512i) -> [__m256i; 2] {
        [
            _mm512_castsi512_si256(words),
            _mm512_extracti64x4_epi64::<1>(words),
        ]
    }

    #[inline]
    #[target_feature(enable = "avx512f")]
    fn load(words: &[u64; WIDTH]) -> __m512i {
        // SAFETY: the array has as many bytes as the vector.
        unsafe { _mm512_loadu_si512(words.as_ptr().cast()) }
    }

    #[inline]
    #[target_feature(enable = "avx512f,avx512vl")]
    fn add_words(lane: &mut Lane, words: __m256i) {
        let at = lane.0.as_mut_ptr().cast();
        // SAFETY: a lane has as many bytes as the vector and is aligned to them.
        unsafe { _mm256_store_si256(at, _mm256_add_epi64(_mm256_load_si256(at), words)) };
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::collection::vec;
    use proptest::prelude::*;

    proptest! {
        #[test]
        fn vectors_add_what_the_plain_loop_adds(
            mut states in vec((0_u16..12, any::<(u64, u64)>()), 0..300), one_level: bool,
        ) {
            if one_level {
                states.iter_mut().for_each(|(slot, _)| *slot = 3);
            }
            // Depths from unsolvable on.
            let depths: Vec<u16> = states.iter().map(|(slot, _)| slot.wrapping_sub(1)).collect();
            let (low, high): (Vec<u64>, Vec<u64>) = states.iter().map(|(_, hash)| *hash).unzip();
            let mut all = Lanes::default();
            all.open(12);
            let mut plain = all.clone();
            all.add(&depths, &low, &high);
            plain.add_plainly(&depths, &low, &high);
            for (slot, (sum, twin)) in all.sums().zip(plain.sums()).enumerate() {
                prop_assert_eq!(sum, twin);
                let mut hashes = states.iter().filter(|(at, _)| usize::from(*at) == slot);
                let digest = hashes.try_fold((0_u128, 0), |(sum, count), (_, (low, high))| {
                    let hash = u128::from(*high) << 64 | u128::from(*low);
                    Some((sum.wrapping_add(hash), count + 1))
                });
                prop_assert_eq!(Some((sum.digest(), sum.count())), digest);
            }
        }
    }
}
