//! Permutation puzzles: formats of other programs, and the fast variant against the rulebook.

mod formats;
mod variants;
