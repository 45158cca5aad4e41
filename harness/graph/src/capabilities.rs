//! The offers of an opened instance, as the reader of a table sees them.

use std::ops::BitOr;

/// The set of an opened instance's offers beyond the required functions. The reader of a table
/// computes it from the members that are not null and from the instance's answers; no puzzle
/// declares it.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default)]
pub struct Capabilities(u32);

impl Capabilities {
    /// Nothing beyond the required functions.
    pub const NONE: Self = Self(0);
    /// [`puzzle_api::SolvedStates`].
    pub const SOLVED_ROOTS: Self = Self(1);
    /// [`puzzle_api::Predecessors`].
    pub const PREDECESSORS: Self = Self(1 << 1);
    /// [`puzzle_api::Symmetry`], and more than the identity.
    pub const SYMMETRY: Self = Self(1 << 2);
    /// Parts, by [`puzzle_api::Numbering::part_count`].
    pub const PARTS: Self = Self(1 << 3);
    /// [`puzzle_api::Numbering`].
    pub const RANK: Self = Self(1 << 4);
    /// [`puzzle_api::Hint::Bucket`].
    pub const BUCKET: Self = Self(1 << 5);
    /// [`puzzle_api::RandomStates`].
    pub const RANDOM: Self = Self(1 << 6);
    /// [`puzzle_api::Sweep`], backward from the solved states.
    pub const SWEEP: Self = Self(1 << 7);
    /// [`puzzle_api::Layered`].
    pub const LAYERED: Self = Self(1 << 9);
    /// [`puzzle_api::Undirected`].
    pub const UNDIRECTED: Self = Self(1 << 10);
    /// [`puzzle_api::Layered::time_reversal`], or moves that can be undone.
    pub const TIME_REVERSAL: Self = Self(1 << 11);
    /// [`puzzle_api::Hint::MoveOrder`].
    pub const MOVE_ORDER: Self = Self(1 << 12);
    /// [`puzzle_api::Objective`].
    pub const OBJECTIVE: Self = Self(1 << 13);
    /// [`puzzle_api::Numbering::neighbour_ranks`].
    pub const NEIGHBOUR_RANKS: Self = Self(1 << 14);
    /// [`puzzle_api::LowerBound`].
    pub const LOWER_BOUND: Self = Self(1 << 15);
    /// [`puzzle_api::Hint::DiversityClass`].
    pub const DIVERSITY_CLASS: Self = Self(1 << 16);
    /// [`puzzle_api::Hints::features`].
    pub const FEATURES: Self = Self(1 << 17);
    /// [`puzzle_api::Form::Unused`], of moves that can be undone.
    pub const USED_MOVES: Self = Self(1 << 8);

    /// Whether everything in `other` is offered.
    #[must_use]
    pub const fn has(self, other: Self) -> bool {
        self.0 & other.0 == other.0
    }
}

impl BitOr for Capabilities {
    type Output = Self;

    fn bitor(self, other: Self) -> Self {
        Self(self.0 | other.0)
    }
}

impl FromIterator<Self> for Capabilities {
    fn from_iter<I: IntoIterator<Item = Self>>(each: I) -> Self {
        each.into_iter().fold(Self::NONE, BitOr::bitor)
    }
}
