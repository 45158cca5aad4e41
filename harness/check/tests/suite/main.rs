//! Checks tried on puzzles whose answers are known, honest and not.

mod built_in;
mod cube;
mod deep;
mod rotations;
mod used_moves;
mod word;
