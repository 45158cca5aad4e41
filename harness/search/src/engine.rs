//! What an engine is to everybody else: one row of the registry. It says what it answers,
//! what it needs of a puzzle, which options it takes, and runs.

use std::collections::BTreeMap;

use antipode_graph::{Graph, Library};
use puzzle_api::{Capabilities, Direction, Key};
use serde_json::Value;

use crate::dealt::Dealt;
use crate::error::EngineError;
pub use crate::means::{Means, Opt};
use crate::observers::Observers;
use crate::outcome::Walked;
use crate::progress::Progress;
use crate::question::Numbered;
pub use crate::question::{Ask, Kind, PathAnswer, PathQuestion};
use crate::search::Search;
pub use crate::side::SideLevel;

/// What an engine made ready before it walks levels.
#[derive(Debug, Clone, Default)]
pub struct Ready {
    /// A line for the user, where there is something to say before it starts.
    pub line: Option<String>,
    /// Members of the run's record.
    pub record: BTreeMap<String, Value>,
}

/// An engine: one row of the registry.
pub trait Engine<K: Key>: Sync {
    /// Name on the command line.
    fn name(&self) -> &'static str;

    /// What it is, in a few words.
    fn summary(&self) -> &'static str;

    /// Kinds of questions that it answers.
    fn answers(&self) -> &'static [Kind];

    /// Options that it takes with a kind of question; all others are refused by name.
    fn options(&self, kind: Kind) -> &'static [Opt];

    /// Whether it works on one thread, however many there are.
    fn works_alone(&self) -> bool {
        false
    }

    /// Why it cannot answer a question on a graph, or nothing if it can.
    fn obstacle(&self, graph: &Graph<K>, ask: &Ask<'_, K>) -> Option<String>;

    /// How much it is to be preferred where the user names no engine; 0 for never. Asked
    /// only where there is no obstacle.
    fn preference(&self, _graph: &Graph<K>, _ask: &Ask<'_, K>) -> u8 {
        0
    }

    /// The variant that it searches where the user names none: the puzzle's first.
    fn variant<'a>(&self, library: &'a Library) -> &'a str {
        &library.variants[0]
    }

    /// Whether it shows the unsolvable states of a part too, whatever the search covers.
    fn shows_all(&self) -> bool {
        false
    }

    /// Takes what it may have, before levels are walked.
    ///
    /// # Errors
    /// [`EngineError::CannotHold`] where it is not enough.
    fn prepare(
        &self,
        _search: &mut Search<K>,
        _means: &Means,
        _rules: &Graph<K>,
    ) -> Result<Ready, EngineError> {
        Ok(Ready::default())
    }

    /// Walks the levels of one part and shows all of it to the observers.
    ///
    /// # Errors
    /// [`EngineError`] from the puzzle or the engine.
    fn levels(
        &self,
        search: &Search<K>,
        _part: u64,
        _observers: &mut Observers<K>,
        _progress: &Progress,
    ) -> Result<Walked<K>, EngineError> {
        Err(EngineError::CannotHold(format!(
            "{}: engine {} does not look for levels",
            search.graph.opened.full_name(),
            self.name()
        )))
    }

    /// Deals the parts of a search out to several processes; nothing where this one walks all of
    /// them.
    ///
    /// # Errors
    /// Processes that cannot be met.
    fn dealt(
        &self,
        _search: &Search<K>,
        _progress: &Progress,
    ) -> Result<Option<Box<dyn Dealt<K>>>, EngineError> {
        Ok(None)
    }

    /// Finds a path, or that there is none; nothing where its levels are to be searched for
    /// one, which the registry does for every engine that walks levels.
    ///
    /// # Errors
    /// [`EngineError`] from the puzzle or the engine.
    fn path(&self, _question: &PathQuestion<'_, K>) -> Result<Option<PathAnswer<K>>, EngineError> {
        Ok(None)
    }

    /// How states are told apart in a search for many lengths at once; nothing where it makes
    /// none.
    fn numbered(&self) -> Option<Numbered> {
        None
    }
}

/// Why no engine but the puzzle's own loop can go against the moves, where none can.
#[must_use]
pub fn backward_obstacle<K: Key>(graph: &Graph<K>, ask: &Ask<'_, K>) -> Option<String> {
    let backward = matches!(
        ask,
        Ask::Levels {
            direction: Direction::Backward,
            ..
        }
    );
    let can = graph.has(Capabilities::PREDECESSORS) || graph.has(Capabilities::RANK);
    (backward && !can)
        .then(|| "backward needs predecessors, or ranks to store the forward graph by".into())
}
