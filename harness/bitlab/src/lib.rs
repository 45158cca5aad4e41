//! Bit permutations, the literal twins of bitboards, and the claims about both.

pub mod bitboard;
mod derived;
pub mod permute;

pub use derived::{Derivation, Derived};
