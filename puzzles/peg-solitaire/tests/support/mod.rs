//! Code that several test files use.

use puzzle_api::{Puzzle, Request, Settings};

/// An opened variant.
pub fn open<P: Puzzle>(instance: &str, pairs: &[(&str, &str)]) -> P {
    let settings: Settings = pairs
        .iter()
        .map(|(key, value)| ((*key).to_owned(), (*value).to_owned()))
        .collect();
    let request = Request {
        instance,
        settings: &settings,
    };
    P::open(&request).unwrap()
}

/// Sorted keys that a method emits.
pub fn keys<P: Puzzle<Key = u64>>(
    puzzle: &P,
    list: impl FnOnce(&mut dyn FnMut(P::State)),
) -> Vec<u64> {
    let mut keys = Vec::new();
    list(&mut |state| keys.push(puzzle.key(&state)));
    keys.sort_unstable();
    keys
}
