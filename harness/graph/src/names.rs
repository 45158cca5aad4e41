//! Names that people read: of a direction, and of the moves along a path.

use puzzle_api::{Direction, Key};

use crate::Graph;

/// `forward` or `backward`.
#[must_use]
pub const fn direction_name(direction: Direction) -> &'static str {
    match direction {
        Direction::Forward => "forward",
        Direction::Backward => "backward",
    }
}

/// Names of the moves along a path; a move without a name is its number.
pub fn move_names<K: Key>(graph: &Graph<K>, states: &[K]) -> Vec<String> {
    states
        .windows(2)
        .enumerate()
        .map(|(i, pair)| {
            let name = graph.describe_move(pair[0], pair[1]);
            name.unwrap_or_else(|| format!("move {}", i + 1))
        })
        .collect()
}
