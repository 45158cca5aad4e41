//! What a strategy found, and how it is printed.

use std::io::Write;
use std::path::PathBuf;

use anyhow::Result;
use puzzle_api::Key;
use serde_json::{Map, Value, json};

use super::{Format, Question};
use antipode_graph::move_names;

/// Whether there is a path.
pub(super) enum Found<K> {
    /// States from the start to the goal, both included; none shorter exists.
    Path(Vec<K>),
    /// There is none, and that is certain.
    NoPath,
    /// Not known: the user stopped the search.
    Stopped,
}

/// What a strategy found.
pub(super) struct Answer<K> {
    /// Whether there is a path.
    pub(super) found: Found<K>,
    /// One line: what follows "solved in N moves, ", else the whole line.
    pub(super) summary: String,
    /// More members of the JSON form.
    pub(super) details: Map<String, Value>,
    /// Complete levels, as evidence.
    pub(super) levels: Vec<LevelRow>,
    /// The work folder, of no use once the answer is written down.
    pub(super) kept: Option<PathBuf>,
}

/// One complete level of a search.
pub(super) struct LevelRow {
    /// `forward` or `backward`.
    pub(super) side: &'static str,
    pub(super) depth: u16,
    pub(super) states: u64,
    /// 32 hex digits; empty where the strategy keeps none.
    pub(super) digest: String,
}

impl<K: Key> Answer<K> {
    /// States of the path; nothing where there is none.
    pub(super) fn states(&self) -> &[K] {
        match &self.found {
            Found::Path(states) => states,
            Found::NoPath | Found::Stopped => &[],
        }
    }

    /// Writes the answer to stdout; how far a stopped search got goes to stderr.
    pub(super) fn print(&self, question: &Question<'_, K>, format: Format) -> Result<()> {
        match (&self.found, format) {
            (Found::Stopped, _) => eprintln!("{}", self.summary),
            (_, Format::Text) => write!(std::io::stdout(), "{}", self.text(question)?)?,
            (_, Format::Json) => writeln!(std::io::stdout(), "{:#}", self.json(question)?)?,
        }
        Ok(())
    }

    fn text(&self, question: &Question<'_, K>) -> Result<String> {
        let states = self.states();
        let names = move_names(&question.graph, states);
        let mut text = String::new();
        for (i, &state) in states.iter().enumerate() {
            if i > 0 {
                text += &format!("{i}. {}\n", names[i - 1]);
            }
            for row in question.graph.draw(state)?.split('/') {
                text += &format!("   {row}\n");
            }
        }
        if let Some(moves) = states.len().checked_sub(1) {
            let unit = if moves == 1 { "move" } else { "moves" };
            text += &format!("solved in {moves} {unit}, ");
        }
        Ok(text + &self.summary + "\n")
    }

    /// The answer as JSON.
    pub(super) fn json(&self, question: &Question<'_, K>) -> Result<Value> {
        let graph = &question.graph;
        let states = self.states();
        let names = move_names(graph, states);
        let mut moves = Vec::new();
        for (i, name) in names.iter().enumerate() {
            moves.push(json!({ "move": name, "state": graph.draw(states[i + 1])? }));
        }
        let mut value = json!({
            "instance": graph.opened.full_name(),
            "variant": graph.opened.variant,
            "from": graph.draw(question.start)?,
            "length": states.len().checked_sub(1),
            "moves": moves,
        });
        if let Some(members) = value.as_object_mut() {
            members.extend(self.details.clone());
        }
        Ok(value)
    }
}
