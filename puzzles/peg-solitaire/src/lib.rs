//! Peg solitaire on any board of up to 64 holes: rules, fast variants, proofs of
//! impossibility, and the published claims about the diamond board of 41 holes.
//!
//! A peg jumps over a neighbour, along a row, a column or a line, into the empty hole behind it.
//! The neighbour is removed. A board is solved with one peg left, anywhere or in a given hole.
//!
//! - [`Rules`] (variant `reference`) is the rulebook, cell by cell.
//! - [`Bits`] (variant `bitboard`, the default) holds a board in one word.
//! - `layout` is the layout of the published solver, in which a step is a rotation of the word.
//! - `board` holds the boards as drawings, `instances` the state graphs.
//!
//! "The article" is Markus Thill, "Solving Peg Solitaire with efficient Bit-Board
//! Representations" (<https://www.markusthill.github.io>), named by section.

mod bitboard;
mod board;
mod bound;
mod derive;
mod instances;
mod layout;
mod printed;
pub mod proof;
mod rules;

pub use bitboard::Bits;
pub use board::DRAWINGS;
pub use rules::Rules;

puzzle_api::family! {
    /// Peg solitaire, with any variant.
    PegSolitaire: Bits, Rules; instances::about, derive
}
