//! The level table: states, orbits and digest of each distance.

use puzzle_api::UNSOLVABLE;

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
    lanes: Vec<[Lane; LANES]>,
}

/// Sums of one level within a batch.
#[derive(Debug, Clone, Copy, Default)]
struct Lane {
    digest: KeyHash,
    orbits: u64,
}

/// Neighbours in a batch often lie in one level; with a sum of their own they need not
/// wait for each other's store.
const LANES: usize = 4;

const fn join(low: u64, high: u64) -> KeyHash {
    (high as u128) << 64 | low as u128
}

const fn slot_of(depth: u16) -> usize {
    // UNSOLVABLE is the greatest u16, so it wraps to slot 0.
    depth.wrapping_add(1) as usize
}

impl LevelSums {
    /// Adds a batch up; `high` holds the high words of the keys' hashes.
    pub(super) fn observe<K>(&mut self, batch: &Batch<'_, K>, high: &[u64]) {
        let slots = batch.deepest.map_or(1, |deepest| slot_of(deepest) + 1);
        if self.slots.len() < slots {
            self.slots.resize(slots, LevelSum::default());
        }
        let hashes = batch.hashes.iter().zip(high);
        let states = batch.depths.iter().zip(hashes).enumerate();
        match batch.sizes {
            OrbitSizes::Uniform(size) => {
                self.lanes.clear();
                self.lanes.resize(slots, [Lane::default(); LANES]);
                for (i, (&depth, (&low, &high))) in states {
                    let lane = &mut self.lanes[slot_of(depth)][i % LANES];
                    lane.digest = lane.digest.wrapping_add(join(low, high));
                    lane.orbits += 1;
                }
                for (sum, lanes) in self.slots.iter_mut().zip(&self.lanes) {
                    for lane in lanes {
                        sum.orbits += lane.orbits;
                        sum.states += lane.orbits * u64::from(size);
                        sum.digest = sum.digest.wrapping_add(lane.digest);
                    }
                }
            }
            OrbitSizes::Each(sizes) => {
                for (i, (&depth, (&low, &high))) in states {
                    let sum = &mut self.slots[slot_of(depth)];
                    sum.orbits += 1;
                    sum.states += u64::from(sizes[i]);
                    sum.digest = sum.digest.wrapping_add(join(low, high));
                }
            }
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

    /// Levels that hold something, from 0 on; `UNSOLVABLE` first where it does.
    pub fn iter(&self) -> impl Iterator<Item = (u16, &LevelSum)> {
        self.slots
            .iter()
            .enumerate()
            .filter(|(_, sum)| sum.orbits > 0)
            .map(|(slot, sum)| ((slot as u16).wrapping_sub(1), sum))
    }

    /// Leaves the unsolvable states out, of which a search for a path has nothing to say.
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

    /// States seen, unsolvable ones included.
    #[must_use]
    pub fn total_states(&self) -> u64 {
        self.slots.iter().map(|sum| sum.states).sum()
    }

    /// Orbits seen, unsolvable ones included.
    #[must_use]
    pub fn total_orbits(&self) -> u64 {
        self.slots.iter().map(|sum| sum.orbits).sum()
    }

    /// The table for reports; `whole` says that unsolvable states were counted too, so
    /// that their row belongs in it even when it is empty.
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
