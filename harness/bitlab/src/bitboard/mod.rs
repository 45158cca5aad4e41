//! The literal twins of [`puzzle_api::bitboard`], the updates that it leaves out (Y reduction,
//! Life, packing), and the claims about C. Browne, *Bitboard Methods for Games*.

pub mod claims;
pub mod life;
pub mod naive;
pub mod packing;
pub mod y;
