//! What counts as one move. Every length, level and distance depends on it. In each metric, one
//! move undoes a move.

use puzzle_api::{BadInput, Settings, shown};

/// The definition of one move.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Metric {
    /// One piece along any free path.
    Piece,
    /// One piece straight, any distance.
    Line,
    /// One piece by one cell.
    Step,
}

/// The metrics of a puzzle, the default first: the value of setting `metric`, and its meaning.
#[derive(Debug, Clone, Copy)]
pub struct Metrics(pub &'static [(&'static str, Metric, &'static str)]);

impl Metrics {
    /// The metric given by settings.
    pub fn of(&self, settings: &Settings) -> Result<Metric, BadInput> {
        let Some(text) = settings.get("metric").map(|text| text.trim()) else {
            return Ok(self.0[0].1);
        };
        let found = self.0.iter().find(|(name, _, _)| *name == text);
        found.map(|(_, metric, _)| *metric).ok_or_else(|| {
            let known = self.listed("");
            BadInput::new(format!(
                "metric={}: no such metric: use {known}",
                shown(text)
            ))
        })
    }

    /// The setting with its default, for a list of settings.
    pub fn key(&self) -> String {
        format!("metric={}", self.0[0].0)
    }

    /// The description of the setting, for a list of settings.
    pub fn summary(&self) -> String {
        format!("what is one move: {}", self.listed(", the default"))
    }

    fn listed(&self, of_first: &str) -> String {
        let mut text = String::new();
        for (at, (name, _, meaning)) in self.0.iter().enumerate() {
            text += match at {
                0 => "",
                _ if at + 1 == self.0.len() => " or ",
                _ => ", ",
            };
            let more = if at == 0 { of_first } else { "" };
            text += &format!("{name} ({meaning}{more})");
        }
        text
    }
}
