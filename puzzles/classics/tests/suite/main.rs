//! The fast variant of each classic against its rulebook.

mod hanoi;
mod lights_out;
mod pancake;
mod sliding_tile;
