//! Options of single engines, with their names on the command line.

use std::fmt;
use std::str::FromStr;
use std::time::Duration;

/// The data that a dense table keeps for each rank.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum Representation {
    /// 8 bits: the distance, up to level 254.
    Byte,
    /// 2 bits: the distance modulo 3. One more bit while the frontier is full.
    TwoBits,
    /// 1 bit: reached or not. One more bit while the frontier is full.
    Bit,
}

impl Representation {
    /// All representations, the widest first.
    pub const ALL: [Self; 3] = [Self::Byte, Self::TwoBits, Self::Bit];

    /// Name on the command line.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::Byte => "byte",
            Self::TwoBits => "two-bits",
            Self::Bit => "bit",
        }
    }
}

impl fmt::Display for Representation {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}

impl FromStr for Representation {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        Self::ALL
            .into_iter()
            .find(|representation| representation.name() == text)
            .ok_or_else(|| format!("no table '{text}'; use one of byte, two-bits, bit"))
    }
}

/// How the frontier is found.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum FrontierForm {
    /// From a list while it is short, by a scan of the table once it is long.
    #[default]
    Auto,
    /// Always from a list.
    List,
    /// Always by scan.
    Scan,
}

impl FromStr for FrontierForm {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        match text {
            "auto" => Ok(Self::Auto),
            "list" => Ok(Self::List),
            "scan" => Ok(Self::Scan),
            _ => Err(format!("no frontier '{text}'; use one of auto, list, scan")),
        }
    }
}

/// How states are partitioned.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Locality {
    /// By the puzzle's bucket, if it has one.
    #[default]
    Bucket,
    /// By a uniform hash of the key, to compare with the bucket.
    Uniform,
}

impl FromStr for Locality {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        match text {
            "bucket" => Ok(Self::Bucket),
            "uniform" => Ok(Self::Uniform),
            _ => Err(format!("'{text}' is neither bucket nor uniform")),
        }
    }
}

/// The moves tried in a state.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Moves {
    /// Only those of groups that did not lead to the state from the level before, if the puzzle
    /// names groups.
    #[default]
    Unused,
    /// All moves, to compare with the others.
    All,
}

impl FromStr for Moves {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        match text {
            "unused" => Ok(Self::Unused),
            "all" => Ok(Self::All),
            _ => Err(format!("'{text}' is neither unused nor all")),
        }
    }
}

/// How the states of a side are kept.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum SideTable {
    /// Hash tables at first, then a bit per rank once there are many states, if there are ranks.
    #[default]
    Auto,
    /// Hash tables to the end, for easy pairs in a space whose bits do not fit.
    Hash,
    /// A bit per rank from the beginning.
    Bits,
}

/// What to do when a slot is taken by another state.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Policy {
    /// Overwrite it, as the article on Diamond-41 does.
    Always,
    /// Keep the one whose subtree took more states to search; of equals, the newer.
    Costlier,
    /// Buckets of two: the first slot keeps the costlier state, the second takes the other.
    TwoSlots,
}

impl Policy {
    /// All policies.
    pub const ALL: [Self; 3] = [Self::Always, Self::Costlier, Self::TwoSlots];

    /// Name on the command line.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::Always => "always",
            Self::Costlier => "costlier",
            Self::TwoSlots => "two-slots",
        }
    }
}

impl fmt::Display for Policy {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}

impl FromStr for Policy {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        let found = Self::ALL.into_iter().find(|policy| policy.name() == text);
        found.ok_or_else(|| format!("no policy '{text}'; use always, costlier or two-slots"))
    }
}

/// The hash of the table.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum HashKind {
    /// The mixer printed in the article (Thill, "Symmetries & Transposition Tables"): the finaliser
    /// Mix13 of David Stafford. A key of two words is folded first.
    Stafford,
    /// A random word for each set bit, combined by exclusive or (Zobrist). Computed here from the
    /// whole key, by tables of a byte each, not updated by moves.
    Zobrist,
}

impl HashKind {
    /// All hashes.
    pub const ALL: [Self; 2] = [Self::Stafford, Self::Zobrist];

    /// Name on the command line.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::Stafford => "stafford",
            Self::Zobrist => "zobrist",
        }
    }
}

impl fmt::Display for HashKind {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}

impl FromStr for HashKind {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        let found = Self::ALL.into_iter().find(|hash| hash.name() == text);
        found.ok_or_else(|| format!("no hash '{text}'; use stafford or zobrist"))
    }
}

/// When to give up.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct SearchLimits {
    /// States expanded.
    pub nodes: Option<u64>,
    /// Wall-clock time.
    pub time: Option<Duration>,
}
