//! States on their way into a level: a key alone, or a key with the mark of what led there.
//!
//! Where a puzzle names groups of moves ([`puzzle_api::UsedMoves`]), a state is marked with the
//! groups that have a move back to the level before, by all states there that lead to it (Korf,
//! "Linear-space best-first search", and with Zhang, frontier search). No move of a marked group
//! leads to anything new, so none is tried: each leads to the state that the mark came from, or to
//! a neighbour of it, which is in its level, in the one before, or in that of the marked state. By
//! induction every move from a level to the one before is marked: the state that it leads to was
//! expanded with all its groups but those that are of no use, and a move of such a group leads to
//! no level behind. So neighbours are held against their own level alone.

use std::fmt::Debug;

use puzzle_api::Key;

/// A state on its way into a level.
pub(super) trait Candidate: Copy + Ord + Debug + Send + Sync {
    type Key: Key;

    /// Whether it has a mark.
    const MARKED: bool;

    fn new(key: Self::Key, mark: u32) -> Self;

    fn key(self) -> Self::Key;

    /// Groups of moves that are of no use from there.
    fn mark(self) -> u32;

    /// Adds groups.
    fn join(&mut self, mark: u32);
}

impl<K: Key> Candidate for K {
    type Key = K;

    const MARKED: bool = false;

    #[inline]
    fn new(key: K, _: u32) -> Self {
        key
    }

    #[inline]
    fn key(self) -> K {
        self
    }

    #[inline]
    fn mark(self) -> u32 {
        0
    }

    #[inline]
    fn join(&mut self, _: u32) {}
}

/// A key with its mark.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct Marked<K> {
    key: K,
    mark: u32,
}

impl<K: Key> Candidate for Marked<K> {
    type Key = K;

    const MARKED: bool = true;

    #[inline]
    fn new(key: K, mark: u32) -> Self {
        Self { key, mark }
    }

    #[inline]
    fn key(self) -> K {
        self.key
    }

    #[inline]
    fn mark(self) -> u32 {
        self.mark
    }

    #[inline]
    fn join(&mut self, mark: u32) {
        self.mark |= mark;
    }
}

/// Puts candidates in order, each key once with all its marks.
pub(super) fn settle<C: Candidate>(candidates: &mut Vec<C>) {
    candidates.sort_unstable();
    candidates.dedup_by(|later, first| {
        let same = later.key() == first.key();
        if same {
            first.join(later.mark());
        }
        same
    });
}
