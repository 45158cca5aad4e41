//! States drawn at some distances: those whose hashes with a seed are smallest. This sample is
//! uniform, and the same in any order, with any number of threads and by any engine.

use std::ops::RangeInclusive;

use puzzle_api::Key;

use super::Batch;
use crate::digest::hash_key;
use antipode_graph::Orbit;

/// A draw: its distances, size and seed.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Draw {
    /// Distances that the states may have.
    pub depths: RangeInclusive<u16>,
    /// Orbits to draw.
    pub count: usize,
    /// Seed of the draw.
    pub seed: u64,
}

/// An orbit with its place in the draw, its distance and its size.
type Ticket<K> = (u64, K, u16, u32);

/// The states drawn so far; none unless a draw was requested.
#[derive(Debug, Clone)]
pub struct Drawn<K> {
    pub(super) draw: Option<Draw>,
    found: Vec<Ticket<K>>,
    /// The last place drawn, once more were found than are drawn.
    last: Option<u64>,
}

impl<K: Key> Drawn<K> {
    /// A draw, or none.
    pub const fn new(draw: Option<Draw>) -> Self {
        Self {
            draw,
            found: Vec::new(),
            last: None,
        }
    }

    pub(super) fn fork(&self) -> Self {
        Self::new(self.draw.clone())
    }

    pub(super) fn observe(&mut self, batch: &Batch<'_, K>) {
        let Some(draw) = &self.draw else { return };
        for (i, depth) in batch.depths.iter().enumerate() {
            if !draw.depths.contains(depth) {
                continue;
            }
            let place = place(batch.hashes[i], draw.seed);
            if self.last.is_none_or(|last| place <= last) {
                self.found
                    .push((place, batch.keys[i], *depth, batch.sizes.get(i)));
            }
        }
        self.trim(2);
    }

    pub(super) fn absorb(&mut self, other: Self) {
        self.found.extend(other.found);
        self.trim(2);
    }

    /// Drops orbits that are not drawn, once `spare` times as many are kept as are drawn.
    fn trim(&mut self, spare: usize) {
        let count = self.draw.as_ref().map_or(0, |draw| draw.count);
        if count > 0 && self.found.len() > count.saturating_mul(spare) {
            self.found.select_nth_unstable(count - 1);
            self.found.truncate(count);
            self.last = Some(self.found[count - 1].0);
        }
    }

    /// The orbits drawn, in the order of the draw, each with its distance.
    pub fn sorted(mut self) -> Vec<(u16, Orbit<K>)> {
        self.trim(1);
        self.found.sort_unstable();
        let found = self.found.into_iter();
        found
            .map(|(_, key, depth, size)| (depth, Orbit { key, size }))
            .collect()
    }
}

/// The place in a draw of a key, by the low word of its hash.
fn place(hash: u64, seed: u64) -> u64 {
    hash_key(u128::from(seed) << 64 | u128::from(hash)) as u64
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::observers::{Observers, OrbitSizes};

    const KEYS: u64 = 5_000;

    fn drawn(count: usize, seed: u64, forks: usize) -> Vec<(u16, Orbit<u64>)> {
        let mut all = Observers::<u64>::plain();
        all.drawn = Drawn::new(Some(Draw {
            depths: 2..=3,
            count,
            seed,
        }));
        // Each number of forks has another order.
        let keys: Vec<u64> = (0..KEYS)
            .map(|key| (key * 7 + forks as u64) % KEYS)
            .collect();
        for keys in keys.chunks(KEYS as usize / forks) {
            let depths: Vec<u16> = keys.iter().map(|key| (key % 5) as u16).collect();
            let mut seen = all.fork();
            seen.observe(0, keys, &depths, OrbitSizes::Uniform(1));
            all.absorb(seen);
        }
        all.drawn.sorted()
    }

    #[test]
    fn a_draw_does_not_depend_on_order_and_begins_every_larger_one() {
        for seed in 0..4 {
            let some = drawn(10, seed, 1);
            assert_eq!(some.len(), 10);
            assert_eq!(some, drawn(10, seed, 3));
            assert_eq!(some, drawn(40, seed, 7)[..10]);
            assert_ne!(some, drawn(10, seed + 1, 1));
        }
    }
}
