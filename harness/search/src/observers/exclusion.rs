//! Exclusiveness (thesis, section 3.3.2): one in N of the states met is picked and solved forward.

use puzzle_api::Key;

use super::Batch;
use crate::digest::hash_key;
use crate::wide::any_within;

/// Selects states whose key hash falls into a window of the 64-bit circle. The window's place
/// depends on the seed and its width on N; neither depends on threads or order.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Sampling {
    start: u64,
    /// Width of the window; 0 picks nothing.
    width: u64,
}

impl Sampling {
    /// Picks nothing.
    pub const OFF: Self = Self { start: 0, width: 0 };

    /// Picks one state in `one_in` (0 picks nothing, 1 nearly everything).
    pub fn new(seed: u64, one_in: u64) -> Self {
        let start = puzzle_api::Xorshift::for_draw(seed, u64::MAX).next_u64();
        Self {
            start,
            width: u64::MAX.checked_div(one_in).unwrap_or(0),
        }
    }

    /// N, if one state in N is picked; 0 for none.
    pub const fn one_in(&self) -> u64 {
        match u64::MAX.checked_div(self.width) {
            Some(one_in) => one_in,
            None => 0,
        }
    }

    /// Where the window of hashes begins, and its width; 0 if it picks nothing.
    pub(crate) const fn window(self) -> (u64, u64) {
        (self.start, self.width)
    }

    /// The same window, half as wide: it picks a part of the same states.
    const fn halved(self) -> Self {
        Self {
            width: self.width / 2,
            ..self
        }
    }

    /// Place of a hash in the window: a random order of the picked states.
    pub const fn place(&self, hash: u64) -> u64 {
        hash.wrapping_sub(self.start)
    }

    /// Whether a key is picked, by the low word of its hash.
    #[inline]
    pub const fn picks(&self, hash: u64) -> bool {
        hash.wrapping_sub(self.start) < self.width
    }
}

/// A picked state, with its distance in the run.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub struct Spot<K> {
    /// Canonical key.
    pub key: K,
    /// Distance by the run.
    pub depth: u16,
}

/// A state whose two distances differ.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub struct Mismatch<K> {
    /// Canonical key.
    pub key: K,
    /// Distance by the run.
    pub run: u16,
    /// Distance by forward search with the rules.
    pub forward: u16,
}

/// Mismatches kept as witnesses; the count continues.
pub const MOST_MISMATCHES: usize = 100;

/// States picked, and the outcome for those already solved.
#[derive(Debug, Clone)]
pub struct SpotChecks<K> {
    sampling: Sampling,
    /// The narrowest window allowed, and the number of waiting states at which it is halved, if the
    /// number of states is not known in advance.
    narrowing: Option<(u64, usize)>,
    /// Picked and not yet solved.
    pub waiting: Vec<Spot<K>>,
    /// Number solved.
    pub solved: u64,
    /// Number picked and left unsolved, since a forward search would have taken too long.
    pub left: u64,
    /// Number whose distances differ.
    pub wrong: u64,
    /// Some of those.
    pub mismatches: Vec<Mismatch<K>>,
}

impl<K: Key> SpotChecks<K> {
    pub(super) fn new(sampling: Sampling) -> Self {
        Self {
            sampling,
            narrowing: None,
            waiting: Vec::new(),
            solved: 0,
            left: 0,
            wrong: 0,
            mismatches: Vec::new(),
        }
    }

    /// The rule that picks states.
    pub fn sampling(&self) -> Sampling {
        self.sampling
    }

    /// Picks every state at first, and a smaller share whenever more than `most` wait, down to one
    /// in `one_in`. For searches whose number of states is not known in advance.
    pub fn pick_up_to(&mut self, one_in: u64, most: usize) {
        let narrowest = u64::MAX.checked_div(one_in).unwrap_or(0);
        if narrowest > 0 {
            self.sampling.width = u64::MAX;
            self.narrowing = Some((narrowest, most));
        }
    }

    pub(super) fn fork(&self) -> Self {
        let mut fresh = Self::new(self.sampling);
        fresh.narrowing = self.narrowing;
        fresh
    }

    /// Width of the window, as records have it.
    pub(super) const fn window(&self) -> u64 {
        self.sampling.width
    }

    /// Restores a window that had been narrowed.
    pub(super) fn restore_window(&mut self, width: u64) {
        if self.narrowing.is_some() && width < self.sampling.width {
            self.sampling.width = width;
        }
    }

    /// Narrows the window while too many states wait.
    fn narrow(&mut self) {
        let Some((narrowest, most)) = self.narrowing else {
            return;
        };
        while self.waiting.len() > most && self.sampling.width / 2 >= narrowest {
            self.narrow_to(self.sampling.halved());
        }
    }

    fn narrow_to(&mut self, sampling: Sampling) {
        self.sampling = sampling;
        self.waiting
            .retain(|spot| sampling.picks(hash_key(spot.key.to_u128()) as u64));
    }

    pub(super) fn observe(&mut self, batch: &Batch<'_, K>) {
        let Sampling { start, width, .. } = self.sampling;
        if width == 0 || !any_within(batch.hashes, start, width) {
            return;
        }
        for (i, &hash) in batch.hashes.iter().enumerate() {
            if self.sampling.picks(hash) {
                self.waiting.push(Spot {
                    key: batch.keys[i],
                    depth: batch.depths[i],
                });
            }
        }
        self.narrow();
    }

    /// Records the outcome of one forward search.
    pub fn record(&mut self, spot: Spot<K>, forward: u16) {
        self.solved += 1;
        if forward != spot.depth {
            self.wrong += 1;
            self.mismatches.push(Mismatch {
                key: spot.key,
                run: spot.depth,
                forward,
            });
            self.trim();
        }
    }

    pub(super) fn absorb(&mut self, other: Self) {
        self.waiting.extend(other.waiting);
        if other.narrowing.is_some() && other.sampling.width < self.sampling.width {
            self.narrow_to(other.sampling);
        }
        self.narrow();
        self.solved += other.solved;
        self.left += other.left;
        self.wrong += other.wrong;
        self.mismatches.extend(other.mismatches);
        self.trim();
    }

    /// The smallest keys are kept, so that witnesses do not depend on threads.
    fn trim(&mut self) {
        if self.mismatches.len() > 2 * MOST_MISMATCHES {
            self.mismatches.sort_unstable();
            self.mismatches.truncate(MOST_MISMATCHES);
        }
    }
}
