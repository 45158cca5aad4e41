//! Every state with its distance, for checks that need them all at once.

use puzzle_api::Key;

use super::Batch;

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

/// All states seen; off unless asked for.
#[derive(Debug, Clone)]
pub struct Collected<K>(Option<Vec<Distance<K>>>);

impl<K> Default for Collected<K> {
    fn default() -> Self {
        Self(None)
    }
}

impl<K: Key> Collected<K> {
    pub(super) fn on() -> Self {
        Self(Some(Vec::new()))
    }

    pub(super) fn fork(&self) -> Self {
        Self(self.0.as_ref().map(|_| Vec::new()))
    }

    pub(super) fn observe(&mut self, batch: &Batch<'_, K>) {
        let Some(all) = &mut self.0 else { return };
        all.extend((0..batch.keys.len()).map(|i| Distance {
            key: batch.keys[i],
            depth: batch.depths[i],
            orbit_size: batch.sizes.get(i),
        }));
    }

    pub(super) fn absorb(&mut self, other: Self) {
        if let (Some(all), Some(more)) = (&mut self.0, other.0) {
            all.extend(more);
        }
    }

    /// Takes the states out, in no order.
    pub fn take(&mut self) -> Vec<Distance<K>> {
        self.0.take().unwrap_or_default()
    }
}
