//! Observers: an engine passes each finished batch of states to them; they count, digest, cross off
//! and sample. New needs are new observers, not new search loops.

mod antipodes;
mod drawn;
mod exclusion;
mod inclusion;
mod levels;
mod record;

use std::ops::Range;
use std::sync::Arc;

use puzzle_api::Key;

use crate::digest::hash_keys;
use crate::wide;
pub use antipodes::{Antipodes, Collected, Distance, MOST_ANTIPODES};
pub use drawn::{Draw, Drawn};
pub use exclusion::{Mismatch, Sampling, Spot, SpotChecks};
pub use inclusion::{InclusionList, Sample, Strike, Strikes};
pub use levels::{LevelSum, LevelSums};
pub use record::{ConsistencyTally, Record};

/// Orbit sizes of a batch.
#[derive(Debug, Clone, Copy)]
pub enum OrbitSizes<'a> {
    /// All states have orbits of this size.
    Uniform(u32),
    /// One entry per state.
    Each(&'a [u32]),
}

impl OrbitSizes<'_> {
    /// Orbit size of state `i`.
    pub fn get(&self, i: usize) -> u32 {
        match self {
            Self::Uniform(size) => *size,
            Self::Each(sizes) => sizes[i],
        }
    }

    fn slice(&self, states: Range<usize>) -> Self {
        match self {
            Self::Uniform(size) => Self::Uniform(*size),
            Self::Each(sizes) => Self::Each(&sizes[states]),
        }
    }
}

/// States that pass through all observers together: their hashes stay in the first-level cache with
/// the engine's data.
const AT_ONCE: usize = 256;

/// A stretch of a batch of states with final distances: each orbit of the instance is passed once.
#[derive(Debug, Clone, Copy)]
pub struct Batch<'a, K> {
    /// Part that the states belong to.
    pub part: u64,
    /// Canonical keys.
    pub keys: &'a [K],
    /// Low word of each key's hash.
    pub hashes: &'a [u64],
    /// Distance of each, or [`puzzle_api::UNSOLVABLE`].
    pub depths: &'a [u16],
    /// Orbit size of each.
    pub sizes: OrbitSizes<'a>,
    /// Greatest distance in the whole batch, not counting unsolvable states.
    pub deepest: Option<u16>,
}

/// One thread's view of a run: the observers with their results so far.
#[derive(Debug, Clone)]
pub struct Observers<K> {
    /// Level table with digests.
    pub levels: LevelSums,
    /// The deepest states.
    pub antipodes: Antipodes<K>,
    /// Inclusiveness: sampled states crossed off as they are met.
    pub strikes: Strikes<K>,
    /// Exclusiveness: states picked to be solved forward.
    pub spots: SpotChecks<K>,
    /// Every state seen, if requested.
    pub collected: Collected<K>,
    /// States drawn at some distances, if requested.
    pub drawn: Drawn<K>,
    /// The level table of each part, if requested.
    pub parts: Option<Vec<(u64, LevelSums)>>,
    /// Outcome of the consistency check. It needs whole parts, and so is no observer of batches.
    pub consistency: ConsistencyTally,
    hashes: Vec<u64>,
    high: Vec<u64>,
    depths: Vec<u16>,
}

impl<K: Key> Observers<K> {
    /// Observers with an inclusion list (may be empty) and a sampling rule (may be off).
    pub fn new(list: Arc<InclusionList<K>>, sampling: Sampling) -> Self {
        Self {
            levels: LevelSums::default(),
            antipodes: Antipodes::default(),
            strikes: Strikes::new(list),
            spots: SpotChecks::new(sampling),
            collected: Collected::Off,
            drawn: Drawn::new(None),
            parts: None,
            consistency: ConsistencyTally::default(),
            hashes: Vec::new(),
            high: Vec::new(),
            depths: Vec::new(),
        }
    }

    /// Observers of the level table and the antipodes alone.
    pub fn plain() -> Self {
        Self::new(Arc::default(), Sampling::OFF)
    }

    /// The same observers, without results.
    #[must_use]
    pub fn fork(&self) -> Self {
        let mut fresh = Self::new(self.strikes.list(), self.spots.sampling());
        fresh.spots = self.spots.fork();
        fresh.collected = self.collected.fork();
        fresh.drawn = self.drawn.fork();
        fresh.parts = self.parts.as_ref().map(|_| Vec::new());
        fresh
    }

    /// Like [`Observers::fork`], but keeps every state, 16 bytes or more per state; if there are
    /// more than `most`, none.
    #[must_use]
    pub fn fork_collecting(&self, most: usize) -> Self {
        let mut fresh = self.fork();
        fresh.collected = Collected::on(most);
        fresh
    }

    /// Whether every one of some more orbits must be shown; if not, a sample and the sums of their
    /// level do. More orbits than may be kept are as good as shown.
    pub(crate) fn need_all(&mut self, orbits: u64) -> bool {
        self.collected.need(orbits) || self.drawn.draw.is_some()
    }

    /// Shows a batch to every observer.
    pub fn observe(&mut self, part: u64, keys: &[K], depths: &[u16], sizes: OrbitSizes<'_>) {
        let deepest = wide::deepest(depths);
        self.levels.open(deepest);
        for (at, keys) in keys.chunks(AT_ONCE).enumerate() {
            let here = at * AT_ONCE..at * AT_ONCE + keys.len();
            hash_keys(keys, &mut self.hashes, &mut self.high);
            let batch = Batch {
                part,
                keys,
                hashes: &self.hashes,
                depths: &depths[here.clone()],
                sizes: sizes.slice(here),
                deepest,
            };
            self.levels.observe(&batch, &self.high);
            self.antipodes.observe(&batch);
            self.strikes.observe(&batch);
            self.spots.observe(&batch);
            self.collected.observe(&batch);
            self.drawn.observe(&batch);
        }
        self.levels.close(sizes);
    }

    /// Shows a batch within one level.
    pub fn observe_level(&mut self, part: u64, keys: &[K], depth: u16, sizes: OrbitSizes<'_>) {
        let mut depths = std::mem::take(&mut self.depths);
        depths.clear();
        depths.resize(keys.len(), depth);
        self.observe(part, keys, &depths, sizes);
        self.depths = depths;
    }

    /// Adds the results of others. The result does not depend on the order.
    pub fn absorb(&mut self, other: Self) {
        self.levels.absorb(&other.levels);
        self.antipodes.absorb(other.antipodes);
        self.strikes.absorb(other.strikes);
        self.spots.absorb(other.spots);
        self.collected.absorb(other.collected);
        self.drawn.absorb(other.drawn);
        if let (Some(parts), Some(more)) = (&mut self.parts, other.parts) {
            parts.extend(more);
        }
        self.consistency.absorb(other.consistency);
    }
}
