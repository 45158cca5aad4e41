//! Questions to both variants of any of the four puzzles.

use std::collections::HashSet;

use puzzle_api::optional::*;
use puzzle_api::{Direction, Puzzle};

pub fn open<P: Puzzle>(instance: &str, settings: &[(&str, &str)]) -> P {
    P::opened(instance, settings).unwrap_or_else(|error| panic!("{instance} {settings:?}: {error}"))
}

/// Both variants of an instance.
pub fn both<R: Puzzle, B: Puzzle>(instance: &str, settings: &[(&str, &str)]) -> (R, B) {
    (open(instance, settings), open(instance, settings))
}

/// Keys of the starts.
pub fn starts<P: Puzzle>(puzzle: &P) -> Vec<P::Key> {
    let mut starts = Vec::new();
    puzzle.starts(&mut |state| starts.push(puzzle.key(&state)));
    starts
}

/// The start as text.
pub fn drawn<P: Puzzle>(puzzle: &P) -> String {
    puzzle.draw(&puzzle.state(starts(puzzle)[0]))
}

/// Fewest moves from the start to a solved state.
pub fn fewest<P: Expand>(puzzle: &P) -> u32 {
    let mut level = starts(puzzle);
    let mut seen: HashSet<P::Key> = level.iter().copied().collect();
    let is_solved = |key: &P::Key| puzzle.is_solved(&puzzle.state(*key));
    let mut depth = 0;
    while !level.iter().any(is_solved) {
        let next = puzzle.neighbours(Want::all(Direction::Forward), &level);
        level = next.keys;
        level.retain(|&key| seen.insert(key));
        assert!(!level.is_empty(), "no solution");
        depth += 1;
    }
    depth
}
