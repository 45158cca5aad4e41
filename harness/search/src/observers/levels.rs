//! The level table: states, orbits and digest of each distance.

use antipode_reports::model::{Level, LevelTable, Unreached};
use puzzle_api::UNSOLVABLE;

use super::{Batch, OrbitSizes};
use crate::digest::{KeyHash, hex};
use crate::wide::vectorised;

/// Sums over one level.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct LevelSum {
    /// States, each orbit counted with its size.
    pub states: u64,
    /// Orbits.
    pub orbits: u64,
    /// Wrapping sum of the hashes of the orbits' canonical keys.
    pub digest: KeyHash,
}

impl LevelSum {
    fn add(&mut self, other: &Self) {
        self.states += other.states;
        self.orbits += other.orbits;
        self.digest = self.digest.wrapping_add(other.digest);
    }
}

/// Sums over all levels. Slot 0 holds the unsolvable states, slot d + 1 level d, so that
/// the hot loop indexes without a branch.
#[derive(Debug, Clone, Default)]
pub struct LevelSums {
    slots: Vec<LevelSum>,
    lanes: Lanes,
}

const fn join(low: u64, high: u64) -> KeyHash {
    (high as u128) << 64 | low as u128
}

impl LevelSums {
    /// Begins a batch with a given greatest distance, not counting unsolvable states.
    pub(super) fn open(&mut self, deepest: Option<u16>) {
        let slots = deepest.map_or(1, |deepest| slot_of(deepest) + 1);
        if self.slots.len() < slots {
            self.slots.resize(slots, LevelSum::default());
        }
    }

    /// Sums up a stretch of the batch; `high` holds the high words of the keys' hashes.
    pub(super) fn observe<K>(&mut self, batch: &Batch<'_, K>, high: &[u64]) {
        let sizes = match batch.sizes {
            OrbitSizes::Each(sizes) => sizes,
            OrbitSizes::Uniform(size) => {
                // Most searches run level by level: then no sum but the level's is touched.
                if let Some(depth) = only_depth(batch.depths) {
                    let lane = Lane(sum(batch.hashes, high));
                    self.slots[slot_of(depth)].add(&lane.level_sum(size));
                } else {
                    self.lanes.open(self.slots.len());
                    self.lanes.add(batch.depths, batch.hashes, high);
                }
                return;
            }
        };
        let hashes = batch.hashes.iter().zip(high);
        for ((&depth, (&low, &high)), &size) in batch.depths.iter().zip(hashes).zip(sizes) {
            let sum = &mut self.slots[slot_of(depth)];
            sum.orbits += 1;
            sum.states += u64::from(size);
            sum.digest = sum.digest.wrapping_add(join(low, high));
        }
    }

    /// Ends it.
    pub(super) fn close(&mut self, sizes: OrbitSizes<'_>) {
        let OrbitSizes::Uniform(size) = sizes else {
            return;
        };
        for (sum, lane) in self.slots.iter_mut().zip(self.lanes.sums()) {
            sum.add(&lane.level_sum(size));
        }
        self.lanes.0.clear();
    }

    pub(super) fn absorb(&mut self, other: &Self) {
        if self.slots.len() < other.slots.len() {
            self.slots.resize(other.slots.len(), LevelSum::default());
        }
        for (sum, more) in self.slots.iter_mut().zip(&other.slots) {
            sum.add(more);
        }
    }

    /// Adds to one level (for records read back).
    pub fn add(&mut self, depth: u16, sum: &LevelSum) {
        let slot = slot_of(depth);
        if self.slots.len() <= slot {
            self.slots.resize(slot + 1, LevelSum::default());
        }
        self.slots[slot].add(sum);
    }

    /// Non-empty levels, from 0 on; `UNSOLVABLE` first if it is not empty.
    pub fn iter(&self) -> impl Iterator<Item = (u16, &LevelSum)> {
        self.slots
            .iter()
            .enumerate()
            .filter(|(_, sum)| sum.orbits > 0)
            .map(|(slot, sum)| ((slot as u16).wrapping_sub(1), sum))
    }

    /// Leaves out the unsolvable states, about which a search for a path says nothing.
    pub fn forget_unsolvable(&mut self) {
        if let Some(unsolvable) = self.slots.first_mut() {
            *unsolvable = LevelSum::default();
        }
    }

    /// Sums of one level.
    pub fn level(&self, depth: u16) -> LevelSum {
        self.slots.get(slot_of(depth)).copied().unwrap_or_default()
    }

    /// States seen, including unsolvable ones.
    pub fn total_states(&self) -> u64 {
        self.slots.iter().map(|sum| sum.states).sum()
    }

    /// Orbits seen, including unsolvable ones.
    pub fn total_orbits(&self) -> u64 {
        self.slots.iter().map(|sum| sum.orbits).sum()
    }

    /// The table for reports; `whole` means that unsolvable states were counted too, so their row
    /// is included even if empty.
    pub fn table(&self, whole: bool) -> LevelTable {
        let levels = self
            .iter()
            .filter(|(depth, _)| *depth != UNSOLVABLE)
            .map(|(depth, sum)| Level {
                depth: u32::from(depth),
                states: sum.states.into(),
                orbits: sum.orbits.into(),
                digest: hex(sum.digest),
            })
            .collect();
        let rest = self.level(UNSOLVABLE);
        let unsolvable = whole.then(|| Unreached {
            states: rest.states.into(),
            orbits: rest.orbits.into(),
            digest: hex(rest.digest),
        });
        LevelTable { levels, unsolvable }
    }
}

// The inner loop of the level table: adds hashes to the sums of their levels, by one vector of
// four words per state if the processor has such vectors.

/// A sum of hashes in words that need no carry: the halves of the low words, the high words, and
/// the number of hashes. Valid for fewer than 2^32 hashes; the high words wrap, as does the digest.
#[derive(Debug, Clone, Copy, Default)]
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

    /// The sums of orbits of a size.
    const fn level_sum(&self, size: u32) -> LevelSum {
        LevelSum {
            states: self.count() * size as u64,
            orbits: self.count(),
            digest: self.digest(),
        }
    }
}

/// The distance of all states of a batch, if it is one.
fn only_depth(depths: &[u16]) -> Option<u16> {
    let (&first, others) = depths.split_first()?;
    (others == &depths[..others.len()]).then_some(first)
}

/// Neighbours are often in one level; with separate sums they need not wait for each other's store.
const LANES: usize = 2;

/// Sums of a batch by slot.
#[derive(Debug, Clone, Default)]
pub(super) struct Lanes(Vec<[Lane; LANES]>);

impl Lanes {
    /// Has n slots, empty ones unless it was opened before.
    pub(super) fn open(&mut self, slots: usize) {
        self.0.resize(slots, Default::default());
    }

    /// Adds hashes, given by low and high words, to the slots `depth + 1`, wrapping; the slices
    /// have equal length.
    ///
    /// # Panics
    /// If a slot was not opened.
    pub(super) fn add(&mut self, depths: &[u16], low: &[u64], high: &[u64]) {
        #[cfg(target_arch = "x86_64")]
        if is_x86_feature_detected!("avx2") {
            // SAFETY: the processor has the feature that the function is compiled for.
            #[allow(unsafe_code)]
            return unsafe { vectors::add(&mut self.0, depths, low, high) };
        }
        self.add_plainly(depths, low, high);
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
    fn sum(low: &[u64], high: &[u64]) -> [u64; 4] = sum_each for ["avx2"] else sum_each
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

    /// Adds as `Lanes::add_plainly` does. A third faster than what the compiler makes of that.
    #[target_feature(enable = "avx2")]
    pub(super) fn add(lanes: &mut [[Lane; LANES]], depths: &[u16], low: &[u64], high: &[u64]) {
        let one = _mm_set_epi64x(1, 0);
        let hashes = low.iter().zip(high);
        for (at, (&depth, (&low, &high))) in depths.iter().zip(hashes).enumerate() {
            let halves = _mm_cvtepu32_epi64(_mm_cvtsi64_si128(low as i64));
            let rest = _mm_or_si128(_mm_cvtsi64_si128(high as i64), one);
            let words = _mm256_set_m128i(rest, halves);
            let lane = lanes[slot_of(depth)][at % LANES].0.as_mut_ptr().cast();
            // SAFETY: a lane has as many bytes as the vector and is aligned to them.
            unsafe { _mm256_store_si256(lane, _mm256_add_epi64(_mm256_load_si256(lane), words)) };
        }
    }
}
