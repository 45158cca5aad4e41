//! Bit permutations and bitboards with their literal twins, and the claims about them.

pub mod bitboard;
pub mod permute;
