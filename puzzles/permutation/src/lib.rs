//! Permutation puzzles from a text, without code: pieces of some kinds on places, each of
//! which may be turned, and moves that permute and turn them. The text is the form of
//! twsearch (`.tws`), ksolve (`.def`) or cubing.js (`kpuzzle.json`).
//!
//! - [`definition`] is the content of a text; `read` reads it, as `text` or as `kpuzzle`; [`words`]
//!   has tokens and faults, [`alg`] reads moves as people write them.
//! - [`numbering`] counts states without gaps.
//! - [`Rules`] (variant `reference`) is the rulebook, piece by piece.
//! - [`Bits`] (variant `bitboard`, the default) works on packed keys.
//! - [`kept`] finds what no move changes, [`rotations`] finds the symmetries of the whole puzzle.
//! - [`instances`] names the definitions that ship and opens those of users.

pub mod alg;
pub mod bitboard;
pub mod boards;
pub mod definition;
pub mod instances;
pub mod kept;
mod kpuzzle;
pub mod numbering;
mod read;
pub mod rotations;
pub mod rules;
pub mod state;
mod text;
pub mod words;

pub use bitboard::Bits;
pub use rules::Rules;

puzzle_api::family! {
    /// Permutation puzzles, with either variant.
    Permutation: Bits, Rules; instances::about
}
