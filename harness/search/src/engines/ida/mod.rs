//! Engine `ida`: iterative deepening A* (Korf, "Depth-first iterative-deepening", 1985), for
//! shortest paths if no table fits the states.
//!
//! Depth first, within a length that no path can stay below. If it finds no goal, the next length
//! is the least one that the puzzle's lower bound leaves open. The path found is shortest only if
//! the bound is valid: 0 at a goal, and falling by at most one per move.

mod engine;
mod search;

pub use engine::IdaEngine;
