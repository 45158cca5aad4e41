//! What a strategy found, and how it is printed.

use antipode_search::outcome::Outcome;
use std::io::Write;

use anyhow::Result;
use puzzle_api::Key;
use serde_json::{Map, Value, json};

use super::{Format, Question};
use antipode_graph::move_names;

/// What a strategy found.
pub(super) struct Answer<K> {
    /// How the search ended.
    pub(super) outcome: Outcome<K>,
    /// One line: what follows "solved in N moves, ", else the whole line.
    pub(super) summary: String,
    /// More members of the JSON form.
    pub(super) details: Map<String, Value>,
    /// Complete levels, as evidence.
    pub(super) levels: Vec<LevelRow>,
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
        self.outcome.states()
    }

    /// Writes the answer to stdout; how far a stopped search got goes to stderr.
    pub(super) fn print(&self, question: &Question<'_, K>, format: Format) -> Result<()> {
        match (self.outcome.is_answer(), format) {
            (false, _) => eprintln!("{}", self.summary),
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
