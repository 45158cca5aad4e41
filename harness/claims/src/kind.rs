//! Kinds of claims by name. The question of each, and how it is decided, is a file in `kinds`.

use std::fmt;

use antipode_reports::text::did_you_mean;

/// A kind of claims.
#[derive(Clone, Copy, PartialEq, Eq)]
pub enum ClaimKind {
    /// The fewest moves from a board to a solved one, or to another.
    Length,
    /// A path exists.
    Solvable,
    /// None does.
    Unreachable,
    /// A board at the greatest distance.
    Hardest,
    /// A figure of a search.
    Count,
    /// Sizes of levels.
    Levels,
    /// A table of lengths.
    Lengths,
    /// No search: a figure that a puzzle or a module derives.
    Derived,
}

impl ClaimKind {
    /// All kinds, in the order in which they are documented.
    pub const ALL: [Self; 8] = [
        Self::Length,
        Self::Solvable,
        Self::Unreachable,
        Self::Hardest,
        Self::Count,
        Self::Levels,
        Self::Lengths,
        Self::Derived,
    ];

    /// Name in files.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::Length => "length",
            Self::Solvable => "solvable",
            Self::Unreachable => "unreachable",
            Self::Hardest => "hardest",
            Self::Count => "count",
            Self::Levels => "levels",
            Self::Lengths => "lengths",
            Self::Derived => "derived",
        }
    }

    /// The kind of a name.
    ///
    /// # Errors
    /// A line that names all kinds.
    pub(crate) fn named(name: &str) -> Result<Self, String> {
        let found = Self::ALL.into_iter().find(|kind| kind.name() == name);
        found.ok_or_else(|| {
            let names = Self::ALL.map(Self::name);
            let near = did_you_mean(name, names);
            format!(
                "no kind of claim '{name}'; {near}use one of {}",
                names.join(", ")
            )
        })
    }
}

impl fmt::Debug for ClaimKind {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}

/// The type of figure that a kind compares with `claimed`.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Claimed {
    /// Whatever the comparison requires.
    Any,
    /// A whole number.
    Whole,
    /// A whole number of moves, or `unsolvable`.
    Moves,
    /// A whole number, if given.
    WholeOrNone,
    /// Whole numbers, one per level.
    Sizes,
    /// No figure: the statement holds or fails, or the kind reads a table.
    Nothing,
}
