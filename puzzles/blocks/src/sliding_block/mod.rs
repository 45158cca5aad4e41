//! Sliding-block puzzles: Climb Pro 24 and its relatives, and boards of your own.
//!
//! Pieces of any shape slide on a board with walls. No piece may be turned or lifted, and pieces of
//! equal shape are interchangeable. A board is solved if every piece with a goal is on it.
//!
//! - [`Rules`] (variant `reference`) is the rulebook, cell by cell.
//! - [`Bits`] (variant `bitboard`, the default) is the fast twin.
//! - `board` reads and draws boards, `instances` names those that ship, and `alphabet` ranks
//!   positions. `derive` computes the figures behind `claims.toml`.
//!
//! Section names refer to Gil Dogon, "Climbpro 24 and the big BFS problem" (2011, "the
//! seed" of the claims).

mod alphabet;
mod bitboard;
mod board;
mod derive;
mod grid;
mod huffman;
mod instances;
mod placements;
mod rules;
mod symmetry;

pub use bitboard::Bits;
pub use instances::{placed, shipped};
pub use rules::Rules;

puzzle_api::family! {
    /// Sliding-block puzzles, with either variant.
    SlidingBlock: Bits, Rules; instances::about, derive
}
