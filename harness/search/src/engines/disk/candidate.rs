//! States on their way into a level: a key alone, or a key with its marks.
//!
//! If a puzzle names groups of moves ([`puzzle_api::Form::Unused`]), a state is marked with the
//! groups that have a move back to the level before. All states there that lead to it contribute
//! marks (frontier search: Korf, Zhang, Thayer, Hohwald). No move of a marked group is tried, and
//! no state is lost. If a move leads from p to c, all moves of the group that has the move back
//! lead from c to p or to a neighbour of p, which is in the level of c at the latest. And every
//! move from a level to the previous one is marked. Let c of level n lead to p of level n-1. Had p
//! not tried the move to c, its group would be marked. Then c would be a state of level n-2 or its
//! neighbour, and so lie in level n-1. So p did try it, and marked c. So the tried moves lead to
//! the current level or the next, and are compared only with the current one.
//!
//! A puzzle's groups are an assertion. `conformance` compares them with all moves, and the samples
//! of each level ([`super::sample`]) detect a neighbour lost by them.

use std::fmt::Debug;

use puzzle_api::Key;

/// Groups of moves that are useless from a state, one bit each, in as many bytes as needed.
pub(super) trait UsedOperators: Copy + Ord + Default + Debug + Send + Sync {
    /// Whether the mark is not empty.
    const THERE: bool;

    fn of(bits: u32) -> Self;

    fn bits(self) -> u32;

    /// All groups of both marks.
    fn join(self, other: Self) -> Self;
}

impl UsedOperators for () {
    const THERE: bool = false;

    #[inline]
    fn of(_: u32) {}

    #[inline]
    fn bits(self) -> u32 {
        0
    }

    #[inline]
    fn join(self, (): ()) {}
}

impl UsedOperators for u32 {
    const THERE: bool = true;

    #[inline]
    fn of(bits: u32) -> Self {
        bits
    }

    #[inline]
    fn bits(self) -> u32 {
        self
    }

    #[inline]
    fn join(self, other: Self) -> Self {
        self | other
    }
}

/// A state on its way into a level.
pub(super) trait Candidate: Copy + Ord + Debug + Send + Sync {
    type Key: Key;

    /// The mark of the candidate.
    type Mark: UsedOperators;

    /// Whether it has a mark.
    const MARKED: bool = Self::Mark::THERE;

    fn new(key: Self::Key, mark: Self::Mark) -> Self;

    fn key(self) -> Self::Key;

    fn mark(self) -> Self::Mark;

    /// Adds the groups of another mark.
    #[inline]
    fn joined(self, mark: Self::Mark) -> Self {
        Self::new(self.key(), self.mark().join(mark))
    }
}

impl<K: Key> Candidate for K {
    type Key = K;
    type Mark = ();

    #[inline]
    fn new(key: K, (): ()) -> Self {
        key
    }

    #[inline]
    fn key(self) -> K {
        self
    }

    #[inline]
    fn mark(self) {}
}

/// A key with its mark.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct Marked<K> {
    key: K,
    mark: u32,
}

impl<K: Key> Candidate for Marked<K> {
    type Key = K;
    type Mark = u32;

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
}

/// Sorts candidates, each key once with all its marks.
pub(super) fn settle<C: Candidate>(candidates: &mut Vec<C>) {
    candidates.sort_unstable();
    candidates.dedup_by(|later, first| {
        let same = later.key() == first.key();
        if same {
            *first = first.joined(later.mark());
        }
        same
    });
}
