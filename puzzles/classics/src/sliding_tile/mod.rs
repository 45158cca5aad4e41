//! Sliding-tile puzzles on any rectangle of up to 25 squares: the 8-puzzle, the 15-puzzle, the
//! 24-puzzle and their relatives.
//!
//! Numbered tiles fill a rectangle except for one square. A move slides a tile next to the
//! empty square into it. Solved is the board with the tiles in order and the empty square
//! where the instance wants it.
//!
//! Boards of up to 16 squares are puzzle `sliding-tile`, larger ones, whose keys have two words,
//! puzzle `large-tile`.

pub mod bitboard;
pub mod frame;
pub mod large;
mod patterns;
pub mod rules;

use puzzle_api::{About, BadInput, Family, Placed, Request};

pub use bitboard::Bits;
pub use large::Large;
pub use rules::Rules;

puzzle_api::family! {
    /// Sliding-tile puzzles, with either variant.
    SlidingTile: Bits, Rules; frame::about
}

/// Boards of more than 16 squares.
pub struct LargeTile;

impl Family for LargeTile {
    fn about() -> About {
        frame::about_large()
    }
}

/// The table of puzzle `large-tile`.
pub fn large_table() -> &'static puzzle_api::abi::AntipodeTable {
    puzzle_api::puzzle_table!(LargeTile: Large, Rules<u128>)
}

/// Reads a board of puzzle `sliding-tile`, as [`frame::placed`] does.
///
/// # Errors
/// Anything else.
pub fn placed(request: &Request<'_>, text: &str) -> Result<Placed, BadInput> {
    frame::placed(request, text, false)
}

/// Reads a board of puzzle `large-tile`, as [`frame::placed`] does.
///
/// # Errors
/// Anything else.
pub fn placed_large(request: &Request<'_>, text: &str) -> Result<Placed, BadInput> {
    frame::placed(request, text, true)
}
