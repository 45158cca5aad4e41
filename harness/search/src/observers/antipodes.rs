//! The deepest states: all orbits at the greatest distance.

use puzzle_api::Key;

use super::Batch;
use antipode_graph::Orbit;

/// Most antipodes kept. Beyond it, the smallest keys are kept and the level table has the count.
pub const MOST_ANTIPODES: usize = 100_000;

/// Orbits at the greatest distance seen so far.
#[derive(Debug, Clone)]
pub struct Antipodes<K> {
    /// Greatest distance seen.
    pub depth: Option<u16>,
    /// Orbits at that distance, in no order until [`Antipodes::sorted`].
    pub found: Vec<Orbit<K>>,
    /// The greatest key kept, once more were found than are kept.
    greatest: Option<K>,
}

impl<K> Default for Antipodes<K> {
    fn default() -> Self {
        Self {
            depth: None,
            found: Vec::new(),
            greatest: None,
        }
    }
}

impl<K: Key> Antipodes<K> {
    pub(super) fn observe(&mut self, batch: &Batch<'_, K>) {
        let Some(deepest) = batch.deepest else { return };
        if Some(deepest) < self.depth {
            return;
        }
        if Some(deepest) > self.depth {
            self.depth = Some(deepest);
            self.found.clear();
            self.greatest = None;
        }
        for (i, &depth) in batch.depths.iter().enumerate() {
            let kept = self
                .greatest
                .is_none_or(|greatest| batch.keys[i] < greatest);
            if depth == deepest && kept {
                self.found.push(Orbit {
                    key: batch.keys[i],
                    size: batch.sizes.get(i),
                });
            }
        }
        self.trim();
    }

    pub(super) fn absorb(&mut self, other: Self) {
        if other.depth > self.depth {
            *self = other;
        } else if other.depth == self.depth {
            self.found.extend(other.found);
            self.trim();
        }
    }

    /// Bounds the memory without making the result depend on the order of arrival.
    fn trim(&mut self) {
        if self.found.len() > 2 * MOST_ANTIPODES {
            let middle = MOST_ANTIPODES - 1;
            self.found
                .select_nth_unstable_by_key(middle, |orbit| orbit.key);
            self.found.truncate(MOST_ANTIPODES);
            self.greatest = Some(self.found[middle].key);
        }
    }

    fn sort(&mut self) {
        self.found.sort_unstable_by_key(|orbit| orbit.key);
    }

    /// The orbits by ascending key, at most [`MOST_ANTIPODES`].
    #[must_use]
    pub fn sorted(mut self) -> Vec<Orbit<K>> {
        self.sort();
        self.found.truncate(MOST_ANTIPODES);
        self.found
    }
}
