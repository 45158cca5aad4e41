//! What counts as one move.

use std::str::FromStr;

use puzzle_api::BadInput;

/// What counts as one move. Every length, level and distance depends on it; in both, a move
/// can be undone by one move.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default)]
pub enum Metric {
    /// One piece any distance: the default, and the metric of nearly all published figures.
    #[default]
    Move,
    /// One piece by one cell.
    Step,
}

impl FromStr for Metric {
    type Err = BadInput;

    fn from_str(text: &str) -> Result<Self, BadInput> {
        match text {
            "move" => Ok(Self::Move),
            "step" => Ok(Self::Step),
            other => Err(BadInput::new(format!(
                "metric={}: no such metric: use move (one piece any distance) or step (one cell)",
                other.escape_default()
            ))),
        }
    }
}
