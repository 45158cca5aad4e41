//! Tilt's variants, symmetries and sweep against its rulebook.

mod rulebook;
mod sweep;
mod symmetry;
mod variants;

use puzzle_api::{Puzzle, Request, Settings};

fn open<P: Puzzle>(instance: &str, pairs: &[(&str, &str)]) -> P {
    let pairs = pairs.iter().map(|&(k, v)| (k.to_owned(), v.to_owned()));
    let settings = &pairs.collect::<Settings>();
    P::open(&Request { instance, settings }).unwrap()
}
