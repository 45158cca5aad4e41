//! Engine `ida`: iterative deepening A* (Korf, "Depth-first iterative-deepening", 1985), for
//! shortest paths if no table holds the states.
//!
//! Depth first, within a length that no path can stay below. If it finds no goal, the next length
//! is the least one that the puzzle's lower bound leaves open. That the path found is a shortest
//! one rests on the bound: it is 0 at a goal and falls by at most one per move.

mod engine;
mod search;

pub use engine::IdaEngine;
