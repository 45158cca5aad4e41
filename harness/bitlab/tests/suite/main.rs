//! Bit permutations and bitboards against their literal twins, and the claims about them.

mod bitboard_algorithms;
mod bitboard_board;
mod bitboard_claims;
mod bitboard_puzzles;
mod bitboard_uses;
mod permute;
mod permute_emit;
