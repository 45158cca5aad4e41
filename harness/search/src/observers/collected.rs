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
