//! The deepest states: every orbit at the greatest distance.

use puzzle_api::Key;

use super::Batch;
use crate::plugin::Orbit;

/// Most antipodes kept; beyond it the smallest keys are kept and the level table has the count.
pub const MOST_ANTIPODES: usize = 100_000;

/// Orbits at the greatest distance seen so far.
#[derive(Debug, Clone)]
pub struct Antipodes<K> {
    /// Greatest distance seen.
    pub depth: Option<u16>,
    /// Orbits at that distance, in no order until [`Antipodes::sorted`].
    pub found: Vec<Orbit<K>>,
    /// The greatest key kept when there were too many: a greater one need not be looked at.
    bound: Option<K>,
}

impl<K> Default for Antipodes<K> {
    fn default() -> Self {
        Self {
            depth: None,
            found: Vec::new(),
            bound: None,
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
            self.bound = None;
        }
        for (i, &depth) in batch.depths.iter().enumerate() {
            if depth == deepest && self.bound.is_none_or(|bound| batch.keys[i] <= bound) {
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
            let at = MOST_ANTIPODES - 1;
            let (_, last, _) = self.found.select_nth_unstable_by_key(at, |orbit| orbit.key);
            self.bound = Some(last.key);
            self.found.truncate(MOST_ANTIPODES);
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
