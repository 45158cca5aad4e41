//! Checks tried on puzzles whose answers are known, honest and not.

mod cube;
mod deep;
mod rotations;
mod used_moves;
mod word;
