//! Tilt's variants, symmetries and sweep against its rulebook.

mod proof;
mod rulebook;
mod symmetry;
mod variants;

use puzzle_api::Puzzle;

fn open<P: Puzzle>(instance: &str, pairs: &[(&str, &str)]) -> P {
    P::opened(instance, pairs).unwrap()
}
