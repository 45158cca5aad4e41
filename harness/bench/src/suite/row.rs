//! One row: everything that a sample of it needs to know.

use std::time::Duration;

use puzzle_api::{Direction, Settings};

use antipode_graph::direction_name;
use antipode_reports::model::Plugin;
use antipode_search::engines::Representation;

use super::file::{Limits, Verb};

/// One thing to measure.
#[derive(Debug, Clone)]
pub struct Row {
    /// Unique name.
    pub name: String,
    /// Its name before, where it was renamed.
    pub was: Option<String>,
    /// What it runs, as the suite asks for it: the same for the row under another name.
    pub runs: String,
    /// Rows of a group answer the same question.
    pub group: String,
    /// Puzzle.
    pub puzzle: String,
    /// Instance.
    pub instance: String,
    /// Settings.
    pub settings: Settings,
    /// Variant.
    pub variant: String,
    /// Name of the engine; `None` for a path, or where it was refused before one was chosen.
    pub engine: Option<&'static str>,
    /// Direction; `None` for a path, or where it was refused before one was known.
    pub direction: Option<Direction>,
    /// Worker threads.
    pub threads: u16,
    /// Start.
    pub from: Option<String>,
    /// End.
    pub to: Option<String>,
    /// Greatest level.
    pub max_depth: Option<u16>,
    /// Table of engine dense.
    pub table: Option<Representation>,
    /// What it runs.
    pub verb: Verb,
    /// Another program that answers, with its arguments.
    pub command: Option<Vec<String>>,
    /// A program that runs before each run, not timed.
    pub prepare: Option<Vec<String>>,
    /// A program that runs when the last run is over.
    pub cleanup: Option<Vec<String>>,
    /// Growth that fails.
    pub limit: Limits,
    /// Time of a sample.
    pub timeout: Duration,
    /// Memory of a sample.
    pub memory: Option<u64>,
    /// Answer, where the suite gives one.
    pub expect: Option<String>,
    /// Whether it is measured against itself.
    pub twin: bool,
    /// Where the rules come from.
    pub plugin: Plugin,
    /// Where the suite's text tells of it.
    pub at: usize,
    /// Why the engine cannot hold it.
    pub refused: Option<String>,
}

impl Row {
    /// Engine as the table shows it.
    #[must_use]
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
    #[must_use]
    pub fn settings_text(&self) -> String {
        let pairs = self
            .settings
            .iter()
            .map(|(key, value)| format!("{key}={value}"));
        pairs.collect::<Vec<_>>().join(";")
    }

    /// What the row asks, whoever answers: rows of one key are held against each other.
    #[must_use]
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
