//! Tests of the block puzzles.

mod refused;
mod rush_hour;
mod rush_hour_sweep;
mod simple_block;
mod sliding_block;
mod sliding_block_bad_input;
mod twins;
mod unit_rush_hour;
