//! What counts as one move.

use std::str::FromStr;

use puzzle_api::BadInput;

/// What counts as one move. With one empty cell both are the same; in both, a move can be
/// undone by one move.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default)]
pub enum Metric {
    /// One car by one cell: the default, and what the published figures count.
    #[default]
    Step,
    /// One car any distance.
    Move,
}

impl FromStr for Metric {
    type Err = BadInput;

    fn from_str(text: &str) -> Result<Self, BadInput> {
        match text {
            "step" => Ok(Self::Step),
            "move" => Ok(Self::Move),
            other => Err(BadInput::new(format!(
                "metric={}: no such metric: use step (one cell) or move (one car any distance)",
                puzzle_api::shown(other)
            ))),
        }
    }
}
