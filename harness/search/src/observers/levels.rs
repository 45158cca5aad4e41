//! The level table: states, orbits and digest of each distance.

use puzzle_api::UNSOLVABLE;

use super::lanes::{Lanes, slot_of};
use super::{Batch, OrbitSizes};
use crate::digest::{KeyHash, hex};
use antipode_reports::model::{Level, LevelTable, Unreached};

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
        self.lanes.open(slots);
    }

    /// Sums up a stretch of the batch; `high` holds the high words of the keys' hashes.
    pub(super) fn observe<K>(&mut self, batch: &Batch<'_, K>, high: &[u64]) {
        let OrbitSizes::Each(sizes) = batch.sizes else {
            self.lanes.add(batch.depths, batch.hashes, high);
            return;
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
            sum.orbits += lane.count();
            sum.states += lane.count() * u64::from(size);
            sum.digest = sum.digest.wrapping_add(lane.digest());
        }
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
    #[must_use]
    pub fn level(&self, depth: u16) -> LevelSum {
        self.slots.get(slot_of(depth)).copied().unwrap_or_default()
    }

    /// States seen, including unsolvable ones.
    #[must_use]
    pub fn total_states(&self) -> u64 {
        self.slots.iter().map(|sum| sum.states).sum()
    }

    /// Orbits seen, including unsolvable ones.
    #[must_use]
    pub fn total_orbits(&self) -> u64 {
        self.slots.iter().map(|sum| sum.orbits).sum()
    }

    /// The table for reports; `whole` means that unsolvable states were counted too, so their row
    /// is included even if empty.
    #[must_use]
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
