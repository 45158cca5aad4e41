//! Checks tried on puzzles with known answers, honest and dishonest.

mod built_in;
mod cube;
mod deep;
mod proofs;
mod word;
