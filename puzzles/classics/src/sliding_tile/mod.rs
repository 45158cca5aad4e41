//! Sliding-tile puzzles on any rectangle of up to 16 squares: the 8-puzzle, the 15-puzzle
//! and their relatives.
//!
//! Numbered tiles fill a rectangle but for one square. A move slides a tile beside the
//! empty square into it. Solved is the board with the tiles in order and the empty square
//! where the instance wants it.
//!
//! - [`Rules`] (variant `reference`) is the rulebook, square by square.
//! - [`Bits`] (variant `bitboard`, the default) is the fast twin.
//! - [`frame`] reads and draws boards and opens instances.

pub mod bitboard;
pub mod frame;
pub mod rules;

use puzzle_api::{About, Family};

pub use bitboard::Bits;
pub use rules::Rules;

/// The published claims about sliding-tile puzzles, as TOML.
pub const CLAIMS: &str = include_str!("claims.toml");

/// Sliding-tile puzzles, whichever variant plays them.
pub struct SlidingTile;

impl Family for SlidingTile {
    fn about() -> About {
        frame::about()
    }
}

/// The table that hands both variants to the harness, `bitboard` first. Call it once: the
/// table is leaked.
#[must_use]
pub fn table() -> &'static puzzle_api::abi::AntipodeTable {
    puzzle_api::puzzle_table!(SlidingTile: Bits, Rules)
}
