//! One row: all data that a sample of it needs.

use std::collections::BTreeMap;
use std::time::Duration;

use puzzle_api::{Direction, Settings};

use antipode_graph::direction_name;
use antipode_reports::bench::LoadedFile;
use antipode_search::engines::Representation;

use super::file::{Metric, Verb};

/// One thing to measure: its text, with the defaults filled in.
#[derive(Debug, Clone)]
pub struct SuiteRow {
    /// Unique name.
    pub name: String,
    /// Its name before, if it was renamed.
    pub was: Option<String>,
    /// Its run, as the suite defines it: the same for the row under another name.
    pub(crate) runs: String,
    pub(crate) group: String,
    pub(crate) puzzle: String,
    pub(crate) instance: String,
    pub(crate) settings: Settings,
    pub(crate) variant: String,
    /// Name of the engine; `None` for a path, or if the row was refused before one was chosen.
    pub(crate) engine: Option<&'static str>,
    /// Direction; `None` for a path, or if the row was refused before it was known.
    pub(crate) direction: Option<Direction>,
    pub(crate) threads: u16,
    pub(crate) from: Option<String>,
    pub(crate) to: Option<String>,
    pub(crate) max_depth: Option<u16>,
    pub(crate) table: Option<Representation>,
    pub(crate) verb: Verb,
    /// Another program that answers, with its arguments.
    pub command: Option<Vec<String>>,
    pub(crate) prepare: Option<Vec<String>>,
    pub(crate) cleanup: Option<Vec<String>>,
    /// Growth that fails.
    pub limit: BTreeMap<Metric, f64>,
    pub(crate) timeout: Duration,
    pub(crate) memory: Option<u64>,
    pub(crate) expect: Option<String>,
    pub(crate) twin: bool,
    /// Version of the rules; unknown for a command.
    pub(crate) version: String,
    pub(crate) library: Option<LoadedFile>,
    pub(crate) at: usize,
    /// Why the engine cannot run it.
    pub refused: Option<String>,
}

impl SuiteRow {
    /// Engine as the table shows it.
    pub fn engine_name(&self) -> &'static str {
        match &self.command {
            Some(_) => "command",
            None => self.engine.unwrap_or("solve"),
        }
    }

    /// The programs that it runs, each with its arguments.
    pub fn commands(&self) -> impl Iterator<Item = &[String]> {
        let all = [&self.command, &self.prepare, &self.cleanup];
        all.into_iter().flatten().map(Vec::as_slice)
    }

    /// Settings as the table shows them.
    pub fn settings_text(&self) -> String {
        let pairs = self.settings.iter();
        let pairs = pairs.map(|(key, value)| format!("{key}={value}"));
        pairs.collect::<Vec<_>>().join(";")
    }

    /// The row's question, whichever solver answers: rows of one key are compared.
    pub fn group_key(&self) -> String {
        let mut text = format!("{}/{}", self.puzzle, self.instance);
        let mut add = |part: String| text += &format!(" {part}");
        for (key, value) in &self.settings {
            add(format!("{key}={value}"));
        }
        match (self.verb, self.direction) {
            (Verb::Solve, _) => add("path".to_owned()),
            (Verb::Analyse, Some(direction)) => add(direction_name(direction).to_owned()),
            (Verb::Analyse, None) => {}
        }
        for (name, end) in [("from", &self.from), ("to", &self.to)] {
            if let Some(end) = end {
                add(format!("{name} {end}"));
            }
        }
        if let Some(depth) = self.max_depth {
            add(format!("to level {depth}"));
        }
        text
    }
}
