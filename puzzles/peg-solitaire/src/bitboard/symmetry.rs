//! The symmetries of a board by tables: for each run of six holes and each pattern of pegs on them,
//! all eight images side by side. So one pass over the runs gives all images. At most 11 runs, 44
//! KiB; the diamond of 41 holes needs 28 KiB.

use super::fill;

const RUN: usize = 6;
const PATTERNS: usize = 1 << RUN;
/// Images side by side; a smaller group repeats the identity.
const LANES: usize = 8;

/// The images of a key.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[repr(align(64))]
struct Lanes([u64; LANES]);

/// A group of symmetries of a board of up to 64 holes.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Symmetries {
    /// Images of pattern p of run r at `r * PATTERNS + p`.
    table: Vec<Lanes>,
    count: usize,
    /// Whether the processor has eight lanes of 64 bits.
    wide: bool,
}

#[cfg(target_arch = "x86_64")]
pub(super) fn is_wide() -> bool {
    is_x86_feature_detected!("avx512f")
        && is_x86_feature_detected!("avx512vl")
        && is_x86_feature_detected!("popcnt")
}

#[cfg(not(target_arch = "x86_64"))]
pub(super) fn is_wide() -> bool {
    false
}

#[inline(always)]
pub(super) fn least(lanes: [u64; LANES]) -> u64 {
    let quarter = |lane: usize| lanes[lane].min(lanes[lane + 4]);
    quarter(0).min(quarter(2)).min(quarter(1).min(quarter(3)))
}

#[cfg(target_arch = "x86_64")]
#[target_feature(enable = "avx512f,avx512vl")]
#[inline]
pub(super) fn least_wide(lanes: std::arch::x86_64::__m512i) -> u64 {
    use std::arch::x86_64::*;
    let (low, high) = (
        _mm512_castsi512_si256(lanes),
        _mm512_extracti64x4_epi64::<1>(lanes),
    );
    let four = _mm256_min_epu64(low, high);
    let (low, high) = (
        _mm256_castsi256_si128(four),
        _mm256_extracti128_si256::<1>(four),
    );
    let two = _mm_min_epu64(low, high);
    let one = _mm_min_epu64(two, _mm_unpackhi_epi64(two, two));
    _mm_cvtsi128_si64(one) as u64
}

impl Symmetries {
    /// Tables for at most eight symmetries, each as the image of every hole, the identity first.
    pub fn new(holes: usize, symmetries: &[Vec<usize>]) -> Self {
        assert!(
            (1..=LANES).contains(&symmetries.len()),
            "one to eight symmetries"
        );
        let image = |hole: usize, index: usize| {
            let symmetry = symmetries.get(index).unwrap_or(&symmetries[0]);
            symmetry.get(hole).map_or(0, |image| 1 << image)
        };
        let mut table = vec![Lanes([0; LANES]); holes.div_ceil(RUN) * PATTERNS];
        for (at, run) in table.chunks_exact_mut(PATTERNS).enumerate() {
            let images: [[u64; LANES]; RUN] = std::array::from_fn(|hole| {
                std::array::from_fn(|index| image(at * RUN + hole, index))
            });
            fill(run, |without, hole| {
                Lanes(std::array::from_fn(|index| {
                    without.0[index] | images[hole][index]
                }))
            });
        }
        Self {
            table,
            count: symmetries.len(),
            wide: is_wide(),
        }
    }

    /// All images of a key; those beyond the group repeat the key.
    #[inline(always)]
    pub(super) fn lanes(&self, key: u64) -> [u64; LANES] {
        let mut lanes = [0; LANES];
        let mut rest = key;
        for run in self.table.chunks_exact(PATTERNS) {
            let images = &run[rest as usize % PATTERNS].0;
            for (lane, image) in lanes.iter_mut().zip(images) {
                *lane |= image;
            }
            rest >>= RUN;
        }
        lanes
    }

    /// Like [`Symmetries::lanes`], in one register.
    #[cfg(target_arch = "x86_64")]
    #[target_feature(enable = "avx512f")]
    #[inline]
    #[allow(unsafe_code)]
    pub(super) fn lanes_wide(&self, key: u64) -> std::arch::x86_64::__m512i {
        use std::arch::x86_64::*;
        let (mut lanes, mut rest) = (_mm512_setzero_si512(), key);
        for run in self.table.chunks_exact(PATTERNS) {
            let images = &run[rest as usize % PATTERNS].0;
            // SAFETY: there are eight words, and the load needs no alignment.
            let images = unsafe { _mm512_loadu_si512(images.as_ptr().cast()) };
            lanes = _mm512_or_si512(lanes, images);
            rest >>= RUN;
        }
        lanes
    }

    /// Whether there is more than the identity.
    pub(super) fn has_some(&self) -> bool {
        self.count > 1
    }

    /// Whether all eight images are found in one register.
    pub(super) fn is_wide(&self) -> bool {
        self.wide && self.count > 1
    }

    /// The image under symmetry `index`; beyond the group, under the identity.
    #[inline]
    pub fn image(&self, key: u64, index: u32) -> u64 {
        let runs = self.table.chunks_exact(PATTERNS).enumerate();
        let lane = index as usize % LANES;
        runs.fold(0, |image, (at, run)| {
            image | run[(key >> (RUN * at)) as usize % PATTERNS].0[lane]
        })
    }

    #[inline]
    pub fn canonical(&self, key: u64) -> u64 {
        if self.count == 1 {
            return key;
        }
        #[cfg(target_arch = "x86_64")]
        if self.wide {
            // SAFETY: the processor has the features that the function is compiled for.
            #[allow(unsafe_code)]
            return unsafe { self.canonical_wide(key) };
        }
        least(self.lanes(key))
    }

    /// Like [`Symmetries::canonical`], all images in one register: in half the time.
    #[cfg(target_arch = "x86_64")]
    #[target_feature(enable = "avx512f,avx512vl")]
    fn canonical_wide(&self, key: u64) -> u64 {
        least_wide(self.lanes_wide(key))
    }

    /// Number of different images: the order of the group by that of the stabiliser.
    #[inline]
    pub fn orbit_size(&self, key: u64) -> u32 {
        self.canonical_and_size(key).1
    }

    /// The smallest image, and the number of different ones.
    #[inline]
    pub fn canonical_and_size(&self, key: u64) -> (u64, u32) {
        #[cfg(target_arch = "x86_64")]
        if self.wide {
            // SAFETY: the processor has the features that the function is compiled for.
            #[allow(unsafe_code)]
            let (least, same) = unsafe { self.least_and_same_wide(key) };
            return (least, self.size_by(same));
        }
        let lanes = self.lanes(key);
        let same = lanes.iter().filter(|&&image| image == key).count();
        (least(lanes), self.size_by(same))
    }

    /// The number of images, if n lanes equal the key.
    #[inline]
    fn size_by(&self, same: usize) -> u32 {
        // Lanes beyond the group repeat the key and do not count.
        (self.count / (same - (LANES - self.count))) as u32
    }

    /// The smallest image, and the number of lanes that equal the key, in one register.
    #[cfg(target_arch = "x86_64")]
    #[target_feature(enable = "avx512f,avx512vl,popcnt")]
    #[inline]
    fn least_and_same_wide(&self, key: u64) -> (u64, usize) {
        use std::arch::x86_64::*;
        let lanes = self.lanes_wide(key);
        let same = _mm512_cmpeq_epi64_mask(lanes, _mm512_set1_epi64(key as i64));
        (least_wide(lanes), same.count_ones() as usize)
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::{Symmetries, least};
    use crate::board::Board;

    proptest! {
        /// On a processor without such a register, the two are the same.
        #[test]
        fn one_register_holds_the_same_images(key in 0_u64..1 << 33) {
            let board = Board::of_name("english-33").expect("reads");
            let symmetries = Symmetries::new(board.len(), &board.symmetries());
            let images = (0..8).map(|index| symmetries.image(key, index));
            prop_assert_eq!(Some(least(symmetries.lanes(key))), images.min());
            let lanes = symmetries.lanes(key);
            prop_assert_eq!(symmetries.canonical(key), least(lanes));
            let different: std::collections::BTreeSet<u64> = lanes.into();
            let both = (least(lanes), different.len() as u32);
            prop_assert_eq!(symmetries.canonical_and_size(key), both);
        }
    }
}
