//! What counts as one move.

use std::fmt;
use std::str::FromStr;

use puzzle_api::BadInput;

/// What counts as one move. Every length, level and distance depends on it. In each of
/// them a move can be undone by one move.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default)]
pub enum Metric {
    /// One piece along any free path, any distance: the default, and the metric of nearly
    /// all published figures.
    #[default]
    Piece,
    /// One piece straight in one direction, any distance.
    Line,
    /// One piece by one cell.
    Step,
}

impl Metric {
    /// All metrics.
    pub const ALL: [Self; 3] = [Self::Piece, Self::Line, Self::Step];

    /// Name in settings.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::Piece => "piece",
            Self::Line => "line",
            Self::Step => "step",
        }
    }
}

impl fmt::Display for Metric {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}

impl FromStr for Metric {
    type Err = BadInput;

    fn from_str(text: &str) -> Result<Self, BadInput> {
        let found = Self::ALL.into_iter().find(|metric| metric.name() == text);
        found.ok_or_else(|| {
            BadInput::new(format!(
                "metric={}: no such metric: use piece (one piece along any free path), line \
                 (straight, any distance) or step (one cell)",
                text.escape_default()
            ))
        })
    }
}
