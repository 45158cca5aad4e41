use super::{Record, Unit, wire};
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;

/// A position to look at and to play on: what `explore` prints, and what its page asks for.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Position {
    /// `PUZZLE/INSTANCE`.
    pub instance: String,
    /// Settings of the instance.
    pub settings: BTreeMap<String, String>,
    /// What distances count.
    #[serde(default, skip_serializing_if = "Unit::is_moves")]
    pub unit: Unit,
    /// The position as text, rows joined by `/`.
    pub board: String,
    /// The position as a picture, an SVG; `None` if the puzzle says nothing about its symbols.
    pub svg: Option<String>,
    /// How far it is from the nearest solved position.
    #[serde(flatten)]
    pub remaining: Remaining,
    /// Where distances come from, in one sentence.
    pub basis: String,
    /// Every move of the rulebook that leads to another position, each such position once.
    pub moves: Vec<PositionMove>,
    /// Name of the part that the position lies in, if there are several.
    pub part: Option<String>,
    /// How many positions lie at each distance, if that is known.
    pub levels: Vec<PositionLevel>,
    /// Whether every other position of the part is unsolvable.
    pub levels_complete: bool,
    /// Further remarks, one sentence each.
    pub notes: Vec<String>,
}

/// Distance of a position from the nearest solved one, as far as it is known. One of the three
/// fields is set, or none if no position is solved.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Remaining {
    /// The exact number of moves.
    pub distance: Option<u32>,
    /// The least number of moves, if no more is known.
    pub at_least: Option<u32>,
    /// No solved position can be reached.
    pub unsolvable: bool,
}

/// A move and where it leads.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct PositionMove {
    /// A player's name for it, if the puzzle has one.
    pub r#move: Option<String>,
    /// The position after it.
    pub board: String,
    /// How far that is.
    #[serde(flatten)]
    pub remaining: Remaining,
    /// Whether it begins a shortest solution.
    pub shortest: bool,
    /// Whether it is the worst of all moves, each known exactly: the last by distance (unsolvable
    /// after all others), then name, then board.
    pub worst: bool,
}

/// A distance with the number of positions at it.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct PositionLevel {
    /// Distance from the nearest solved position.
    pub depth: u32,
    /// Positions.
    #[serde(with = "wire::decimal")]
    pub states: u128,
}

impl Record for Position {
    const SCHEMA: &'static str = "antipode-position-1";
}
