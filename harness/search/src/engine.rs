//! The trait of an engine, as the registry lists it. It says what it answers, its requirements for
//! a puzzle and its options, and runs.

use std::collections::BTreeMap;

use antipode_graph::{Capabilities, Graph, Library};
use puzzle_api::{Direction, Key};
use serde_json::Value;

use crate::blocks::{FinishedBlock, Journal};
use crate::error::{EngineError, Result};
use crate::observers::Observers;
pub use crate::options::{EngineOptions, Opt};
use crate::outcome::{Outcome, Spent, Walked};
use crate::progress::Progress;
use crate::question::Numbered;
pub use crate::question::{
    Ask, FewestAnswer, PathAnswer, PathQuestion, QuestionKind, SolutionsAnswer,
};
use crate::search::Search;
pub use crate::side::SideLevel;

/// Data that an engine prepares before it walks levels.
#[derive(Debug, Clone, Default)]
pub struct Ready {
    /// A line for the user before the walk starts, if any.
    pub line: Option<String>,
    /// Members of the run's record.
    pub record: BTreeMap<String, Value>,
}

/// The evidence for the length of a path, by how the engine finds it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Finds {
    /// Complete levels: no path is shorter.
    ByLevels,
    /// A lower bound: no path is shorter if the bound is right.
    ByBound,
    /// The first path met, or the most promising one: shortest only in a layered graph.
    ByEvaluation,
}

/// Sizes of a search that are known before it starts.
#[derive(Debug, Clone, Copy, Default)]
pub struct Load {
    /// Most states that one machine holds at a time.
    pub states: u64,
    /// Ranks of the largest part; 0 without a numbering.
    pub ranks: u64,
    /// Parts, of which each thread walks one at a time.
    pub parts: u64,
    /// Threads of a machine.
    pub threads: u64,
    /// Bytes that the puzzle's own sweep takes.
    pub sweep: u64,
    /// Bytes of the stored moves of a part, for puzzles without predecessors.
    pub stored: u64,
}

impl Load {
    /// Parts walked at the same time.
    pub fn at_once(&self) -> u64 {
        self.parts.clamp(1, self.threads.max(1))
    }

    /// Bytes of batches, neighbours and observers over all threads: `most` each, or less for few
    /// states.
    pub(crate) fn scratch(&self, most: u64, states: u64) -> u64 {
        let of_states = states.saturating_mul(SCRATCH_OF_A_STATE);
        of_states.clamp(LEAST_SCRATCH, most) * self.threads.max(1)
    }
}

/// Most bytes of a state in a batch, with its neighbours, and in the observers.
const SCRATCH_OF_A_STATE: u64 = 512;
const LEAST_SCRATCH: u64 = 64 << 10;

/// Resources that an engine takes, as measured on the page *How large can it get*; the costlier one
/// of two figures there.
#[derive(Debug, Clone, Copy)]
pub struct Footprint {
    /// Options of the measurement, after the engine's name; empty for the defaults.
    pub options: &'static str,
    /// Bytes of memory that a search needs on each machine, without the program itself: with as
    /// much, it is not refused.
    pub memory: fn(&Load) -> u64,
    /// Bytes of disk per state.
    pub disk: f64,
    /// States per core-second.
    pub rate: f64,
    /// Whether memory depends on ranks, so that states have to be numbered.
    pub numbered: bool,
    /// Whether several machines share one search.
    pub shared: bool,
}

impl Footprint {
    /// The footprint of an engine that needs nothing.
    pub const NONE: Self = Self {
        options: "",
        memory: |_| 0,
        disk: 0.0,
        rate: 0.0,
        numbered: false,
        shared: false,
    };
}

/// Static facts about an engine.
#[derive(Debug)]
pub struct Facts {
    /// Name on the command line.
    pub name: &'static str,
    /// What the engine is, in a few words.
    pub summary: &'static str,
    /// Kinds of questions that it answers.
    pub answers: &'static [QuestionKind],
    /// Whether it works on one thread, however many are available.
    pub works_alone: bool,
    /// The evidence for a path that it finds.
    pub finds: Finds,
    /// Whether all levels that a path search reports are complete, even if it was stopped: then no
    /// path is shorter than the number of levels.
    pub tells_whole_levels: bool,
    /// Whether its levels are the puzzle's own and unverified. From the solved states, these are
    /// all states of a part, including unsolvable ones.
    pub puzzles_word: bool,
    /// Resources that it takes; empty if not measured.
    pub footprints: &'static [Footprint],
    /// How a search for many lengths at once names states; `None` if it has no such search.
    pub numbered: Option<Numbered>,
}

impl Facts {
    /// Defaults for most engines.
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
    /// Static facts about it.
    fn facts(&self) -> &'static Facts;

    /// Options that it takes with a kind of question; all others are refused by name.
    fn options(&self, kind: QuestionKind) -> &'static [Opt];

    /// Whether it works on one thread on this graph, however many are available.
    fn works_alone_on(&self, _graph: &Graph<K>) -> bool {
        self.facts().works_alone
    }

    /// Answers a question for a path on the calling thread, if that is cheap. `None` if
    /// [`Engine::path`] is to continue.
    fn path_alone(&self, _question: &PathQuestion<'_, K>) -> Result<Option<PathAnswer<K>>> {
        Ok(None)
    }

    /// Why it cannot answer a question on a graph, or `None` if it can.
    fn obstacle(&self, graph: &Graph<K>, ask: &Ask<'_, K>) -> Option<String>;

    /// Its preference if the user names no engine; 0 for never. Called only if there is no
    /// obstacle.
    fn preference(&self, _graph: &Graph<K>, _ask: &Ask<'_, K>) -> u8 {
        0
    }

    /// The preference if there is no obstacle, else 0. For engines that determine obstacle and
    /// preference together.
    fn preferred(&self, graph: &Graph<K>, ask: &Ask<'_, K>) -> u8 {
        match self.obstacle(graph, ask) {
            Some(_) => 0,
            None => self.preference(graph, ask),
        }
    }

    /// The variant that it searches if the user names none; by default the puzzle's first.
    fn variant<'a>(&self, library: &'a Library) -> &'a str {
        &library.variants[0]
    }

    /// Allocates within its limits, before levels are walked.
    ///
    /// # Errors
    /// [`EngineError::CannotHold`] if the limits do not suffice.
    fn prepare(
        &self,
        _search: &mut Search<K>,
        _options: &EngineOptions,
        _rules: &Graph<K>,
    ) -> Result<Ready> {
        Ok(Ready::default())
    }

    /// Walks the levels of one part and passes all states to the observers.
    fn levels(
        &self,
        search: &Search<K>,
        _part: u64,
        _observers: &mut Observers<K>,
        _progress: &Progress,
    ) -> Result<Walked<K>> {
        Err(self.does_not(&search.graph, QuestionKind::Levels))
    }

    /// Distributes the parts of a search over several processes; `None` if this one walks all of
    /// them.
    ///
    /// # Errors
    /// A process that cannot be reached.
    fn distributed(
        &self,
        _search: &Search<K>,
        _progress: &Progress,
    ) -> Result<Option<Box<dyn Distributed<K>>>> {
        Ok(None)
    }

    /// Finds a path or shows that there is none. `None` leaves it to the registry, which then
    /// searches the engine's levels for one.
    fn path(&self, _question: &PathQuestion<'_, K>) -> Result<Option<PathAnswer<K>>> {
        Ok(None)
    }

    /// Finds the least measure that a sequence of moves from the start can end with.
    fn fewest(&self, question: &PathQuestion<'_, K>) -> Result<FewestAnswer<K>> {
        Err(self.does_not(question.graph, QuestionKind::Fewest))
    }

    /// Finds all solutions of the shortest length.
    fn solutions(&self, question: &PathQuestion<'_, K>) -> Result<SolutionsAnswer<K>> {
        Err(self.does_not(question.graph, QuestionKind::Solutions))
    }

    /// The error for a kind of question that the engine does not answer.
    fn does_not(&self, graph: &Graph<K>, kind: QuestionKind) -> EngineError {
        EngineError::refused(&graph.opened, kind.not_by(self.facts().name))
    }
}

/// Why no engine except the puzzle's own sweep can search backward; `None` if one can.
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
        .then(|| "backward needs predecessors, or ranks to store the forward graph by; use --direction forward".into())
}

// Result of a run over all parts of a search, and parts shared by several processes.

/// The findings of a run.
#[derive(Debug)]
pub struct EngineRun<K> {
    /// Observers with the results of all finished parts (of one part: of finished levels).
    pub observers: Observers<K>,
    /// Parts finished.
    pub parts_done: u64,
    /// Total number of parts, including those that the run was not about.
    pub parts_total: u64,
    /// [`Outcome::Levels`] if nothing is missing, else the reason why it ended.
    pub outcome: Outcome<K>,
    /// Cost of the run, without the work of earlier runs.
    pub spent: Spent,
}

impl<K> EngineRun<K> {
    /// Whether nothing is missing.
    pub const fn complete(&self) -> bool {
        self.outcome.is_answer()
    }
}

/// Parts of a search that were distributed over several processes, as one of them sees it. Each
/// walks its own, and all have the same result.
pub trait Distributed<K>: Sync {
    /// Whether this process walks a block.
    fn wants(&self, block: u64) -> bool;

    /// Blocks of this process that others finished in an earlier run; records them here.
    ///
    /// # Errors
    /// [`EngineError`] if a folder cannot be read, or belongs to another run.
    fn finished(&self, journal: &Journal) -> Result<Vec<FinishedBlock>>;

    /// Joins the results of all processes, into observers like `fresh`; notifies them if this one
    /// has failed.
    ///
    /// # Errors
    /// An error here, or a process that is gone.
    fn join(
        self: Box<Self>,
        fresh: &Observers<K>,
        ran: Result<EngineRun<K>>,
    ) -> Result<EngineRun<K>>;
}
