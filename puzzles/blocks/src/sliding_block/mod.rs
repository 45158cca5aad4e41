//! Sliding-block puzzles: Climb Pro 24 and its relatives, and boards of your own.
//!
//! Pieces of any shape slide on a board with walls, none may be turned or lifted, and
//! pieces of equal shape are interchangeable. Solved is a board on which every piece with
//! a goal stands there.
//!
//! - [`Rules`] (variant `reference`) is the rulebook, cell by cell.
//! - [`Bits`] (variant `bitboard`, the default) is the fast twin.
//! - [`board`] reads and draws boards, [`instances`] names those that ship, [`alphabet`]
//!   ranks positions, [`mod@derive`] computes the figures
//!   behind `claims.toml`.
//!
//! Section names refer to Gil Dogon, "Climbpro 24 and the big BFS problem" (2011, "the
//! seed" of the claims).

pub mod alphabet;
pub mod bitboard;
pub mod board;
pub mod derive;
pub mod grid;
pub mod huffman;
pub mod instances;
pub mod placements;
pub mod rules;
pub mod symmetry;

use puzzle_api::{About, BadInput, Effort, Family, Figure, Settings};

pub use bitboard::Bits;
pub use rules::Rules;

/// The published claims about sliding-block puzzles, as TOML.
pub const CLAIMS: &str = include_str!("../../claims/sliding-block.toml");

/// Sliding-block puzzles, whichever variant plays it.
pub struct SlidingBlock;

impl Family for SlidingBlock {
    fn about() -> About {
        instances::about()
    }

    fn derivations() -> &'static [(&'static str, &'static [&'static str])] {
        &derive::NAMES
    }

    fn derive(what: &str, parameters: &Settings, effort: Effort) -> Result<Vec<Figure>, BadInput> {
        derive::derive(what, parameters, effort)
    }
}

/// The table that hands both variants to the harness, `bitboard` first. Call it once:
/// the table is leaked.
#[must_use]
pub fn table() -> &'static puzzle_api::abi::AntipodeTable {
    puzzle_api::puzzle_table!(SlidingBlock: Bits, Rules)
}
