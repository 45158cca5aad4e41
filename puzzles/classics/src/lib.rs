//! Four classics, a module each: sliding tiles, pancakes, the Towers of Hanoi, Lights Out.
//!
//! In each, `Rules` (variant `reference`) is the rulebook and `Bits` (variant `bitboard`, the
//! default) the fast variant.

pub mod hanoi;
pub mod lights_out;
pub mod pancake;
pub mod sliding_tile;
