//! What a strategy found, and how it is printed.

use antipode_search::outcome::Outcome;
use std::io::Write;
use std::path::PathBuf;

use anyhow::Result;
use puzzle_api::Key;

use super::{Format, Question};
use antipode_graph::{Graph, move_names};
use antipode_reports::model::{Move, SearchFigures, SideLevel, SideLevels, Solution};

/// What a strategy found.
pub(super) struct Answer<K> {
    /// How the search ended.
    pub(super) outcome: Outcome<K>,
    /// One line: what follows "solved in N moves, ", else the whole line.
    pub(super) summary: String,
    /// What the strategy says of its search.
    pub(super) figures: SearchFigures,
    /// Complete levels, as evidence.
    pub(super) levels: Vec<SideLevel>,
    /// The work folder, of no use once the answer is written down.
    pub(super) kept: Option<PathBuf>,
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
            (_, Format::Json) => {
                let record = self.record(question)?;
                let text = serde_json::to_string_pretty(&record)?;
                writeln!(std::io::stdout(), "{text}")?;
            }
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

    /// The answer as it is printed for programs; the file says more.
    pub(super) fn record(&self, question: &Question<'_, K>) -> Result<Solution> {
        let graph = &question.graph;
        let states = self.states();
        Ok(Solution {
            instance: graph.opened.full_name(),
            variant: graph.opened.variant.clone(),
            from: graph.draw(question.start)?,
            length: states.len().checked_sub(1),
            moves: moves(graph, states)?,
            search: SearchFigures {
                levels: SideLevels::of(&self.levels),
                ..self.figures.clone()
            },
            made: None,
        })
    }
}

/// The moves along a path, each with the state after it.
pub(super) fn moves<K: Key>(graph: &Graph<K>, states: &[K]) -> Result<Vec<Move>> {
    let names = move_names(graph, states).into_iter();
    names
        .zip(states.iter().skip(1))
        .map(|(name, &state)| {
            Ok(Move {
                r#move: name,
                state: graph.draw(state)?,
            })
        })
        .collect()
}
