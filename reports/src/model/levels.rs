use super::wire;
use serde::{Deserialize, Serialize};

/// One level of a search: all states at the same distance from the roots.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Level {
    /// Distance from the roots, in moves.
    pub depth: u32,
    /// Number of states at this distance.
    #[serde(with = "wire::decimal")]
    pub states: u128,
    /// Number of orbits: states that a symmetry of the board turns into each other count once.
    #[serde(with = "wire::decimal")]
    pub orbits: u128,
    /// Digest of the level, 32 lowercase hexadecimal digits.
    pub digest: String,
}

/// The states that no level holds: for a backward search over a whole space, the unsolvable ones.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Unreached {
    /// Number of states.
    #[serde(with = "wire::decimal")]
    pub states: u128,
    /// Number of orbits.
    #[serde(with = "wire::decimal")]
    pub orbits: u128,
    /// Digest over them, formed as for a level.
    pub digest: String,
}

/// Sizes and digests of all levels of a search, nearest first.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct LevelTable {
    /// The levels by rising depth.
    pub levels: Vec<Level>,
    /// The states that were never reached, where the search knows them all.
    pub unsolvable: Option<Unreached>,
}

impl LevelTable {
    /// States over all levels, without the unsolvable ones.
    pub fn total_states(&self) -> u128 {
        saturating_sum(self.levels.iter().map(|level| level.states))
    }

    /// Orbits over all levels, without the unsolvable ones.
    pub fn total_orbits(&self) -> u128 {
        saturating_sum(self.levels.iter().map(|level| level.orbits))
    }

    /// Depth of the deepest level; `None` for an empty table.
    pub fn max_depth(&self) -> Option<u32> {
        self.levels.iter().map(|level| level.depth).max()
    }
}

/// A table can come from a file, and no content of a file may bring the program down.
fn saturating_sum(counts: impl Iterator<Item = u128>) -> u128 {
    counts.fold(0, u128::saturating_add)
}

/// A state at the greatest distance that was found.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Antipode {
    /// Its distance from the roots.
    pub depth: u32,
    /// The state as text, rows joined by `/`.
    pub state: String,
    /// Number of states in its orbit, itself included.
    pub orbit_size: u32,
}
