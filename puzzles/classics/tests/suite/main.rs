//! Properties of each classic beyond the contract that the suite of `antipode-check` tests, in
//! which every fast variant agrees with its rulebook.

mod hanoi;
mod lights_out;
mod pancake;
mod sliding_tile;
