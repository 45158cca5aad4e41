//! What an author of a puzzle needs: the trait, the C boundary, bitboards, permutations and ranking.

pub mod bitboard;
pub mod permute;
