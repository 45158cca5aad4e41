//! ThinkFun's Tilt: rules, fast variant, instances and claims.
//!
//! A 5x5 tray with a hole in the middle holds grey, blue and green blocks. Grey ones
//! are fixed; tilting the tray slides all others until something stops them. Solved
//! is a board without green blocks, and a blue block must never fall.
//!
//! - [`Rules`] (variant `reference`) is the rulebook, cell by cell.
//! - [`Bits`] (variant `bitboard`, the default) is the fast twin.
//! - `instances` names the state graphs, `printed` tests the functions printed in
//!   the thesis, `derive` computes the figures behind `claims.toml`.
//!
//! Section numbers refer to Julian Neeleman, "Optimisations and Generalisations of
//! Retrograde Analysis", Radboud University 2015 ("the thesis").

pub mod bitboard;
pub mod board;
mod derive;
mod instances;
mod printed;
pub mod proof;
pub mod rules;
mod sample;
mod sweep;
pub mod symmetry;

pub use bitboard::Bits;
pub use rules::Rules;

puzzle_api::family! {
    /// ThinkFun's Tilt, with either variant.
    TiltPuzzle: Bits, Rules; instances::about, derive
}
