//! The deepest states: all orbits at the greatest distance.

use antipode_graph::Orbit;
use puzzle_api::Key;

use super::Batch;

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
    pub fn sorted(mut self) -> Vec<Orbit<K>> {
        self.sort();
        self.found.truncate(MOST_ANTIPODES);
        self.found
    }
}

// Every state with its distance, for checks that need them all at once.

/// A state with its distance.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub struct Distance<K> {
    /// Canonical key.
    pub key: K,
    /// Distance, or [`puzzle_api::UNSOLVABLE`].
    pub depth: u16,
    /// Size of the orbit.
    pub orbit_size: u32,
}

/// All states seen; off unless requested.
#[derive(Debug, Clone)]
pub enum Collected<K> {
    /// Not asked for.
    Off,
    /// Everything so far, and the most states that may be kept.
    On(Vec<Distance<K>>, usize),
    /// More states were seen than may be kept, and all were dropped.
    TooMany,
}

impl<K: Key> Collected<K> {
    pub(super) fn on(most: usize) -> Self {
        Self::On(Vec::new(), most)
    }

    pub(super) fn fork(&self) -> Self {
        match self {
            Self::Off | Self::TooMany => Self::Off,
            Self::On(_, most) => Self::on(*most),
        }
    }

    /// Whether n more can be kept; if not, none are.
    pub(super) fn need(&mut self, more: u64) -> bool {
        let Self::On(all, most) = self else {
            return false;
        };
        let fit = (*most as u64).saturating_sub(all.len() as u64) >= more;
        if !fit {
            *self = Self::TooMany;
        }
        fit
    }

    pub(super) fn observe(&mut self, batch: &Batch<'_, K>) {
        let Self::On(all, _) = self else { return };
        all.extend((0..batch.keys.len()).map(|i| Distance {
            key: batch.keys[i],
            depth: batch.depths[i],
            orbit_size: batch.sizes.get(i),
        }));
        self.bound();
    }

    pub(super) fn absorb(&mut self, other: Self) {
        match (&mut *self, other) {
            (Self::On(all, _), Self::On(more, _)) => all.extend(more),
            (Self::On(..), Self::TooMany) => *self = Self::TooMany,
            _ => {}
        }
        self.bound();
    }

    fn bound(&mut self) {
        if matches!(self, Self::On(all, most) if all.len() > *most) {
            *self = Self::TooMany;
        }
    }

    /// Removes and returns the states, in no order; `None` if there were too many to keep.
    pub fn take(&mut self) -> Option<Vec<Distance<K>>> {
        match std::mem::replace(self, Self::Off) {
            Self::Off => Some(Vec::new()),
            Self::On(all, _) => Some(all),
            Self::TooMany => None,
        }
    }
}
