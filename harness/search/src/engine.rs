//! The trait of an engine, as the registry lists it. It says what it answers,
//! what it needs of a puzzle, which options it takes, and runs.

use std::collections::BTreeMap;

use antipode_graph::{Capabilities, Graph, Library};
use puzzle_api::{Direction, Key};
use serde_json::Value;

use crate::distributed::Distributed;
use crate::error::EngineError;
use crate::observers::Observers;
pub use crate::options::{EngineOptions, Opt};
use crate::outcome::Walked;
use crate::progress::Progress;
use crate::question::Numbered;
pub use crate::question::{
    Ask, FewestAnswer, PathAnswer, PathQuestion, QuestionKind, SolutionsAnswer,
};
use crate::search::Search;
pub use crate::side::SideLevel;

/// What an engine made ready before it walks levels.
#[derive(Debug, Clone, Default)]
pub struct Ready {
    /// A line for the user, if there is something to say before it starts.
    pub line: Option<String>,
    /// Members of the run's record.
    pub record: BTreeMap<String, Value>,
}

/// What the length of a path rests on, by the way the engine finds it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Finds {
    /// Complete levels: no path is shorter.
    ByLevels,
    /// A lower bound: no path is shorter as far as the bound is one.
    ByBound,
    /// The path met first, or the most promising: as short as any only in a layered graph.
    ByEvaluation,
}

/// What an engine takes of its machines, as the page *How large can it get* has it measured; of
/// two figures there the one that takes more.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Footprint {
    /// The options that it was measured with, after the engine's name; none for the usual ones.
    pub options: &'static str,
    /// Bytes of memory a rank or a state, all machines together.
    pub memory: f64,
    /// Bytes of disk a state.
    pub disk: f64,
    /// States a core-second.
    pub rate: f64,
    /// Whether memory depends on ranks, so that states have to be numbered.
    pub numbered: bool,
    /// Whether several machines share one search.
    pub shared: bool,
}

impl Footprint {
    /// That of an engine that takes nothing.
    pub const NONE: Self = Self {
        options: "",
        memory: 0.0,
        disk: 0.0,
        rate: 0.0,
        numbered: false,
        shared: false,
    };
}

/// What is known of an engine without asking it.
#[derive(Debug)]
pub struct Facts {
    /// Name on the command line.
    pub name: &'static str,
    /// What it is, in a few words.
    pub summary: &'static str,
    /// Kinds of questions that it answers.
    pub answers: &'static [QuestionKind],
    /// Whether it works on one thread, however many there are.
    pub works_alone: bool,
    /// What a path that it finds rests on.
    pub finds: Finds,
    /// Whether all levels that a search for a path reports are complete, also one that was
    /// stopped: then no path is shorter than they are many.
    pub tells_whole_levels: bool,
    /// Whether its levels come unverified from the puzzle itself. From the solved states these
    /// are all states of a part, whether they can be solved or not.
    pub puzzles_word: bool,
    /// What it takes of its machines; nothing if that was not measured.
    pub footprints: &'static [Footprint],
    /// How states are named in a search for many lengths at once; `None` if it makes none.
    pub numbered: Option<Numbered>,
}

impl Facts {
    /// What most engines have in common.
    pub const USUAL: Self = Self {
        name: "",
        summary: "",
        answers: &[],
        works_alone: false,
        finds: Finds::ByLevels,
        tells_whole_levels: false,
        puzzles_word: false,
        footprints: &[],
        numbered: None,
    };
}

/// An engine, as the registry lists it.
pub trait Engine<K: Key>: Sync {
    /// What is known of it without asking.
    fn facts(&self) -> &'static Facts;

    /// Options that it takes with a kind of question; all others are refused by name.
    fn options(&self, kind: QuestionKind) -> &'static [Opt];

    /// Whether it works on one thread on this graph, however many there are.
    fn works_alone_on(&self, _graph: &Graph<K>) -> bool {
        self.facts().works_alone
    }

    /// Answers a question for a path on the thread that asks, if that takes little; `None`
    /// if [`Engine::path`] is to continue.
    ///
    /// # Errors
    /// [`EngineError`] if the puzzle fails.
    fn path_alone(
        &self,
        _question: &PathQuestion<'_, K>,
    ) -> Result<Option<PathAnswer<K>>, EngineError> {
        Ok(None)
    }

    /// Why it cannot answer a question on a graph, or `None` if it can.
    fn obstacle(&self, graph: &Graph<K>, ask: &Ask<'_, K>) -> Option<String>;

    /// How much it is to be preferred if the user names no engine; 0 for never. Asked
    /// only if there is no obstacle.
    fn preference(&self, _graph: &Graph<K>, _ask: &Ask<'_, K>) -> u8 {
        0
    }

    /// How much it is to be preferred if nothing stands in its way, else 0; for engines that
    /// find out both by the same work.
    fn preferred(&self, graph: &Graph<K>, ask: &Ask<'_, K>) -> u8 {
        match self.obstacle(graph, ask) {
            Some(_) => 0,
            None => self.preference(graph, ask),
        }
    }

    /// The variant that it searches if the user names none: the puzzle's first.
    fn variant<'a>(&self, library: &'a Library) -> &'a str {
        &library.variants[0]
    }

    /// Takes what it may have, before levels are walked.
    ///
    /// # Errors
    /// [`EngineError::CannotHold`] if it is not enough.
    fn prepare(
        &self,
        _search: &mut Search<K>,
        _options: &EngineOptions,
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
        Err(self.does_not(&search.graph, QuestionKind::Levels))
    }

    /// Deals the parts of a search out to several processes; `None` if this one walks all of
    /// them.
    ///
    /// # Errors
    /// Processes that cannot be met.
    fn distributed(
        &self,
        _search: &Search<K>,
        _progress: &Progress,
    ) -> Result<Option<Box<dyn Distributed<K>>>, EngineError> {
        Ok(None)
    }

    /// Finds a path, or that there is none; `None` if its levels are to be searched for
    /// one, which the registry does for every engine that walks levels.
    ///
    /// # Errors
    /// [`EngineError`] from the puzzle or the engine.
    fn path(&self, _question: &PathQuestion<'_, K>) -> Result<Option<PathAnswer<K>>, EngineError> {
        Ok(None)
    }

    /// Finds the least measure that a line of moves from the start can end with.
    ///
    /// # Errors
    /// [`EngineError`] from the puzzle or the engine.
    fn fewest(&self, question: &PathQuestion<'_, K>) -> Result<FewestAnswer<K>, EngineError> {
        Err(self.does_not(question.graph, QuestionKind::Fewest))
    }

    /// Finds all solutions of the length that the shortest one has.
    ///
    /// # Errors
    /// [`EngineError`] from the puzzle or the engine.
    fn solutions(&self, question: &PathQuestion<'_, K>) -> Result<SolutionsAnswer<K>, EngineError> {
        Err(self.does_not(question.graph, QuestionKind::Solutions))
    }

    /// The error of an engine that is asked what it does not answer.
    fn does_not(&self, graph: &Graph<K>, kind: QuestionKind) -> EngineError {
        let (name, why) = (graph.opened.full_name(), kind.not_by(self.facts().name));
        EngineError::CannotHold(format!("{name}: {why}"))
    }
}

/// Why no engine but the puzzle's own loop can go against the moves, if none can.
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
