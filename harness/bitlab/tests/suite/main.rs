//! Bit permutations and bitboards against their literal twins, and the claims about them.

mod bitboard;
mod claims;
mod permute;
mod permute_emit;
