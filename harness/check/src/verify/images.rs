//! Every state that a run represents: the images of the delivered states, each with its orbit.
//! Symmetries only list them here; the rules judge each.

use std::sync::{Mutex, PoisonError};

use puzzle_api::Key;

use antipode_graph::{Capabilities, PluginError, lock};
use antipode_search::engines::BATCH;
use antipode_search::observers::Distance;
use antipode_search::parallel;
use antipode_search::reconstruct_path::rising;

use super::part::PartRules;
use super::slots::{Slots, get_all, hash, table_of};

/// Where a state was delivered.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Delivery {
    /// Position of its orbit among the states delivered.
    pub(super) orbit: u32,
    /// Distance that the run gives the orbit.
    pub(super) depth: u16,
    /// Its index among the orbit's states.
    pub(super) nth: u16,
}

impl Delivery {
    /// None at all: a run has fewer orbits.
    pub(super) const NONE: Self = Self {
        orbit: u32::MAX,
        depth: u16::MAX,
        nth: u16::MAX,
    };
}

/// States of the smallest shard, and the most shards.
const SHARD: usize = 1 << 14;
const MOST_SHARDS: usize = 128;

/// The states that a run represents, 37 bytes or more each.
#[derive(Debug)]
pub(super) struct Images<K> {
    /// Different images of each delivered state, orbit by orbit.
    keys: Vec<K>,
    /// Where each orbit ends in `keys`.
    ends: Vec<usize>,
    shards: Vec<Slots<K>>,
    /// Orbits that share a state with an earlier one.
    pub(super) repeated: Vec<usize>,
}

impl<K: Key> Images<K> {
    /// Lists the images of the states delivered, by the symmetries of the rules if these
    /// have any.
    pub(super) fn of(
        against: &PartRules<'_, K>,
        states: &[Distance<K>],
    ) -> Result<Self, PluginError> {
        let (keys, ends) = list(against, states)?;
        let mut images = Self {
            keys,
            ends,
            shards: Vec::new(),
            repeated: Vec::new(),
        };
        images.index(states);
        Ok(images)
    }

    fn index(&mut self, states: &[Distance<K>]) {
        let (shards, room) = shards_of(self.keys.len());
        let filling: Vec<Mutex<Slots<K>>> = (0..shards)
            .map(|_| Mutex::new(Slots::with_capacity(room)))
            .collect();
        let repeated = Mutex::new(Vec::new());
        let batches = Mutex::new((0..).step_by(BATCH).zip(states.chunks(BATCH)));
        parallel::each(rayon::current_num_threads(), &|_| {
            let next = || lock(&batches).next();
            let mut sorted = vec![Vec::new(); shards];
            while let Some((first, states)) = next() {
                for (orbit, state) in (first..).zip(states) {
                    for (nth, &key) in self.orbit(orbit).iter().enumerate() {
                        let place = Delivery {
                            orbit: orbit as u32,
                            depth: state.depth,
                            nth: nth as u16,
                        };
                        let hash = hash(key);
                        sorted[table_of(hash, shards)].push((key, hash, place));
                    }
                }
                for (shard, sorted) in filling.iter().zip(&mut sorted) {
                    lock(shard).insert_all(sorted, |shard, (key, hash, place), before| {
                        // The first orbit keeps it, whatever the order of threads.
                        if before.orbit < place.orbit {
                            shard.insert(key, hash, before);
                        }
                        let later = before.orbit.max(place.orbit) as usize;
                        lock(&repeated).push(later);
                    });
                    sorted.clear();
                }
            }
        });
        let unlock = |shard: Mutex<_>| shard.into_inner().unwrap_or_else(PoisonError::into_inner);
        self.shards = filling.into_iter().map(unlock).collect();
        self.repeated = rising(&lock(&repeated));
    }

    /// Number of states.
    pub(super) fn len(&self) -> usize {
        self.keys.len()
    }

    /// The states of one orbit.
    pub(super) fn orbit(&self, orbit: usize) -> &[K] {
        self.orbits(orbit..orbit + 1)
    }

    /// The states of a range of orbits.
    pub(super) fn orbits(&self, range: std::ops::Range<usize>) -> &[K] {
        let end = |orbit: usize| orbit.checked_sub(1).map_or(0, |before| self.ends[before]);
        &self.keys[end(range.start)..end(range.end)]
    }

    /// Where a state was delivered.
    pub(super) fn get(&self, key: K) -> Option<Delivery> {
        let hash = hash(key);
        self.shards[table_of(hash, self.shards.len())].get(key, hash)
    }

    /// Appends where each of some states was delivered.
    pub(super) fn get_all(&self, keys: &[K], out: &mut Vec<Option<Delivery>>) {
        get_all(&self.shards, keys, out);
    }

    /// Position of a state among all.
    pub(super) fn position(&self, place: Delivery) -> usize {
        let orbit = place.orbit as usize;
        let start = orbit.checked_sub(1).map_or(0, |before| self.ends[before]);
        start + usize::from(place.nth)
    }
}

/// Different images of each state, orbit by orbit, with the ends.
fn list<K: Key>(
    against: &PartRules<'_, K>,
    states: &[Distance<K>],
) -> Result<(Vec<K>, Vec<usize>), PluginError> {
    if !against.search.symmetry {
        let keys = states.iter().map(|state| state.key).collect();
        return Ok((keys, (1..=states.len()).collect()));
    }
    let graph = match against.rules.has(Capabilities::SYMMETRY) {
        true => against.rules,
        false => &against.search.graph,
    };
    let count = (graph.opened.symmetry_count as usize).max(1);
    let chunks = parallel::try_map(states.chunks((BATCH / count).max(1)), |chunk| {
        let delivered: Vec<K> = chunk.iter().map(|state| state.key).collect();
        let mut images = graph.images_of(&delivered)?;
        let (mut keys, mut ends) = (Vec::with_capacity(images.len()), Vec::new());
        for (own, &key) in images.chunks_exact_mut(count).zip(&delivered) {
            own.sort_unstable();
            let start = keys.len();
            // The state itself, whatever its images are.
            keys.push(key);
            for &image in &*own {
                if image != key && keys[start..].last() != Some(&image) {
                    keys.push(image);
                }
            }
            ends.push(keys.len());
        }
        Ok::<_, PluginError>((keys, ends))
    })?;
    let mut keys = Vec::with_capacity(chunks.iter().map(|(keys, _)| keys.len()).sum());
    let mut ends = Vec::with_capacity(states.len());
    for (more, their_ends) in chunks {
        let start = keys.len();
        keys.extend(more);
        ends.extend(their_ends.into_iter().map(|end| start + end));
    }
    Ok((keys, ends))
}

/// The number of shards for n states, and the capacity of each.
fn shards_of(states: usize) -> (usize, usize) {
    let shards = states.div_ceil(SHARD).clamp(1, MOST_SHARDS);
    // Some shards get a little more than others.
    (shards, (states + states / 32).div_ceil(shards))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn shards_have_room_for_all_and_little_more() {
        for states in [0, 1, 1000, 14_336, 14_337, 1 << 20, 39_916_800, 239_500_800] {
            let (shards, room) = shards_of(states);
            assert!((1..=MOST_SHARDS).contains(&shards) && shards * room >= states);
            assert!(shards * room <= states + states / 32 + shards, "{states}");
        }
    }
}
