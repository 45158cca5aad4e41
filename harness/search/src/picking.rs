//! A uniform sample of states as they arrive: those with the least hashes, in any order and on any
//! number of threads.

use std::sync::atomic::AtomicU64;
use std::sync::atomic::Ordering::Relaxed;
use std::sync::{Mutex, PoisonError};

use puzzle_api::Key;

use crate::error::locked;
use crate::keyset::mix;

/// States with their hashes.
pub(crate) type Picked<I> = Vec<(u64, I)>;

pub(crate) fn hash<I: Key>(id: I) -> u64 {
    mix(id.to_u128() ^ 1 << 64)
}

/// Keeps the `most` states with the least hashes.
pub(crate) fn keep_least<I: Key>(picked: &mut Picked<I>, most: usize) {
    if picked.len() > most {
        picked.select_nth_unstable(most);
        picked.truncate(most);
    }
}

/// Picks states of a level as they arrive.
pub(crate) struct Picking<I> {
    most: usize,
    /// Only smaller hashes are still useful.
    limit: AtomicU64,
    picked: Mutex<Picked<I>>,
}

impl<I: Key> Picking<I> {
    pub(crate) fn new(most: usize) -> Self {
        Self {
            most,
            limit: AtomicU64::new(if most == 0 { 0 } else { u64::MAX }),
            picked: Mutex::new(Vec::new()),
        }
    }

    /// The level that holds some states.
    pub(crate) fn of(most: usize, states: &[I]) -> Self {
        let picking = Self::new(most);
        picking.see(states);
        picking
    }

    /// Picks from some new states.
    #[inline]
    pub(crate) fn see(&self, new: &[I]) {
        let limit = self.limit.load(Relaxed);
        if limit == 0 {
            return;
        }
        let hashed = new.iter().map(|&id| (hash(id), id));
        let own: Picked<I> = hashed.filter(|(hash, _)| *hash <= limit).collect();
        if own.is_empty() {
            return;
        }
        let mut picked = locked(&self.picked);
        picked.extend(own);
        if picked.len() > 2 * self.most {
            keep_least(&mut picked, self.most);
            let greatest = picked.iter().map(|(hash, _)| *hash).max();
            self.limit.store(greatest.unwrap_or(u64::MAX), Relaxed);
        }
    }

    /// The states picked, in no order, and some more.
    pub(crate) fn picked(self) -> Picked<I> {
        let picked = self.picked.into_inner();
        picked.unwrap_or_else(PoisonError::into_inner)
    }

    /// The states picked, sorted.
    pub(crate) fn states(self) -> Vec<I> {
        let most = self.most;
        let mut picked = self.picked();
        keep_least(&mut picked, most);
        let mut states: Vec<I> = picked.into_iter().map(|(_, state)| state).collect();
        states.sort_unstable();
        states
    }
}
