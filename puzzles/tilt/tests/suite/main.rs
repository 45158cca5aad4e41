//! Tilt's variants, symmetries against its rulebook; `harness/check/tests/suite/proofs.rs` has its
//! sweep.

mod rulebook;
mod symmetry;
mod variants;

use puzzle_api::Puzzle;

fn open<P: Puzzle>(instance: &str, pairs: &[(&str, &str)]) -> P {
    P::opened(instance, pairs).unwrap()
}
