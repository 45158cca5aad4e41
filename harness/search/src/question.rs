//! A question to an engine: levels, a path, the least measure at the end of a line, all solutions,
//! or lengths between many states.

use std::path::PathBuf;
use std::sync::Arc;

use antipode_graph::{Graph, PluginError};
use antipode_reports::model::SearchFigures;
use puzzle_api::{Direction, Key};

use crate::digest::key_text;
use crate::error::{EngineError, Result};
use crate::options::EngineOptions;
use crate::outcome::{Fewest, Outcome, Solutions, Spent, with_width};
use crate::progress::Stop;
use crate::side::SideLevel;

/// Kinds of questions.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum QuestionKind {
    /// The level table of an instance.
    Levels,
    /// A path from a state to a goal.
    Path,
    /// The least measure that a sequence of moves can end with.
    Fewest,
    /// All solutions of the shortest length.
    Solutions,
    /// Lengths between many states.
    Many,
}

impl QuestionKind {
    /// All kinds.
    pub const ALL: [Self; 5] = [
        Self::Levels,
        Self::Path,
        Self::Fewest,
        Self::Solutions,
        Self::Many,
    ];

    /// The subject of such a question, in words.
    const fn looked_for(self) -> &'static str {
        match self {
            Self::Levels => "levels",
            Self::Path => "a path",
            Self::Fewest => "the least measure at the end of a line",
            Self::Solutions => "all solutions",
            Self::Many => "lengths between many states",
        }
    }

    /// Why an engine that does not answer such questions cannot.
    pub fn not_by(self, engine: &str) -> String {
        format!("engine {engine} does not look for {}", self.looked_for())
    }
}

/// A question about a graph, as far as it decides which engines can answer.
#[derive(Debug, Clone, Copy)]
pub enum Ask<'a, K> {
    /// All levels, along the moves or against them.
    Levels {
        /// Along successors or predecessors.
        direction: Direction,
        /// The start state; `None` for the instance's starts or solved states.
        from: Option<K>,
        /// Whether the walk ends at a given level.
        limited: bool,
    },
    /// A path.
    Path {
        /// The start, if it is already known.
        start: Option<K>,
        /// Where it may end.
        goal: &'a Goal<K>,
    },
    /// The least measure that a sequence of moves can end with.
    Fewest,
    /// All solutions.
    Solutions,
    /// Lengths between many states.
    Many,
}

impl<K> Ask<'_, K> {
    /// The kind of the question.
    pub const fn kind(&self) -> QuestionKind {
        match self {
            Self::Levels { .. } => QuestionKind::Levels,
            Self::Path { .. } => QuestionKind::Path,
            Self::Fewest => QuestionKind::Fewest,
            Self::Solutions => QuestionKind::Solutions,
            Self::Many => QuestionKind::Many,
        }
    }
}

/// Where a path may end.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Goal<K> {
    /// Any solved state.
    Solved,
    /// One state.
    State(K),
}

impl<K: Key> Goal<K> {
    /// The state, if it is one.
    #[must_use]
    pub const fn state(&self) -> Option<K> {
        match self {
            Self::State(key) => Some(*key),
            Self::Solved => None,
        }
    }

    /// The goal as identities have it.
    pub(crate) fn text(&self) -> String {
        match self {
            Self::Solved => "solved".to_owned(),
            Self::State(key) => key_text(*key),
        }
    }

    /// The place of the first of some states that is a goal.
    pub(crate) fn first_in(
        &self,
        graph: &Graph<K>,
        keys: &[K],
    ) -> Result<Option<usize>, PluginError> {
        Ok(match self {
            Self::State(goal) => keys.iter().position(|key| key == goal),
            Self::Solved => graph.is_solved(keys)?.iter().position(|&solved| solved),
        })
    }

    /// The smallest of some states that are goals.
    pub fn smallest_of(&self, graph: &Graph<K>, keys: &[K]) -> Result<Option<K>, PluginError> {
        match self {
            Self::State(goal) => Ok(keys.contains(goal).then_some(*goal)),
            Self::Solved => {
                let solved = graph.is_solved(keys)?;
                let met = keys.iter().zip(solved).filter(|(_, solved)| *solved);
                Ok(met.map(|(&key, _)| key).min())
            }
        }
    }
}

/// Where a search starts.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Roots<K> {
    /// The solved states of every part (backward).
    Solved,
    /// The instance's own start states (forward).
    Starts,
    /// One given state.
    State(K),
}

impl<K: Copy> Roots<K> {
    /// The state, if it is a given one.
    pub(crate) const fn state(&self) -> Option<K> {
        match self {
            Self::State(key) => Some(*key),
            Self::Solved | Self::Starts => None,
        }
    }
}

/// A question for a path, or another one about sequences of moves from a state.
#[derive(Debug)]
pub struct PathQuestion<'a, K> {
    /// The graph to search.
    pub graph: &'a Graph<K>,
    /// The rulebook, on which paths are replayed.
    pub rules: &'a Graph<K>,
    /// Where the path starts.
    pub start: K,
    /// Where it may end.
    pub goal: Goal<K>,
    /// Limits of the engine.
    pub options: &'a EngineOptions,
    /// The user's request to stop.
    pub stop: &'a Stop,
}

impl<K: Key> PathQuestion<'_, K> {
    /// The question without its limits.
    pub const fn ask(&self) -> Ask<'_, K> {
        Ask::Path {
            start: Some(self.start),
            goal: &self.goal,
        }
    }

    /// The graph and the rulebook in keys of the library's own width, if those of the question are
    /// wider: a search holds many.
    pub(crate) fn narrow(&self) -> Option<[Graph<u64>; 2]> {
        let of = |graph: &Graph<K>| Graph::new(Arc::clone(&graph.opened));
        let graphs = (K::WORDS > 1).then(|| Some([of(self.graph)?, of(self.rules)?]));
        graphs.flatten()
    }

    /// The question on graphs with other keys.
    pub(crate) fn on<'a, L: Key>(
        &'a self,
        [graph, rules]: &'a [Graph<L>; 2],
    ) -> PathQuestion<'a, L> {
        PathQuestion {
            graph,
            rules,
            start: with_width(self.start),
            goal: match self.goal {
                Goal::Solved => Goal::Solved,
                Goal::State(key) => Goal::State(with_width(key)),
            },
            options: self.options,
            stop: self.stop,
        }
    }

    /// A folder named after the question, so that the same command with `--resume` finds it.
    pub fn default_folder(&self) -> PathBuf {
        let opened = &self.graph.opened;
        let record = serde_json::json!({
            "plugin": opened.library.source.named().map(|(_, blake3)| blake3),
            "settings": opened.settings,
            "from": key_text(self.start),
            "to": self.goal.text(),
        });
        let name = opened
            .full_name()
            .replace(|c: char| !c.is_ascii_alphanumeric(), "-");
        let hash = xxhash_rust::xxh3::xxh3_64(record.to_string().as_bytes());
        PathBuf::from(format!("antipode-work-{name}-{hash:016x}"))
    }

    /// That folder, and those next to it for the levels and the windows of a beam.
    pub fn default_folders(&self) -> [PathBuf; 3] {
        let own = self.default_folder();
        let [levels, windows] = ["levels", "windows"].map(|kind| own.with_extension(kind));
        [own, levels, windows]
    }
}

/// The answer to a question for the least measure.
#[derive(Debug, Clone)]
pub struct FewestAnswer<K> {
    /// The finding.
    pub fewest: Fewest<K>,
    /// What the search did, in a line.
    pub summary: String,
    /// The engine's own statistics for records.
    pub figures: SearchFigures,
}

impl<K: Key> FewestAnswer<K> {
    /// The answer with other keys.
    pub(crate) fn with_keys<L: Key>(self) -> FewestAnswer<L> {
        let Fewest {
            best,
            line,
            at_least,
            why,
        } = self.fewest;
        FewestAnswer {
            fewest: Fewest {
                best,
                line: line.into_iter().map(with_width).collect(),
                at_least,
                why,
            },
            summary: self.summary,
            figures: self.figures,
        }
    }
}

/// The answer to a question for all solutions.
#[derive(Debug, Clone)]
pub struct SolutionsAnswer<K> {
    /// How the search ended; [`Outcome::Levels`] if there are solutions.
    pub outcome: Outcome<K>,
    /// The solutions, if there are any.
    pub solutions: Option<Solutions>,
    /// Its cost.
    pub spent: Spent,
}

impl<K: Key> SolutionsAnswer<K> {
    /// The answer with other keys.
    pub(crate) fn with_keys<L: Key>(self) -> SolutionsAnswer<L> {
        SolutionsAnswer {
            outcome: self.outcome.with_keys(),
            solutions: self.solutions,
            spent: self.spent,
        }
    }
}

/// How states are named in a search for many lengths at once.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Numbered {
    /// By their rank.
    ByRank,
    /// By their key.
    ByKey,
}

/// The answer to a question for a path.
#[derive(Debug, Clone)]
pub struct PathAnswer<K> {
    /// How the search ended.
    pub outcome: Outcome<K>,
    /// One line: the end of "solved in N moves, ", else the whole line.
    pub summary: String,
    /// Complete levels, as evidence.
    pub levels: Vec<SideLevel>,
    /// The engine's own statistics for records.
    pub figures: SearchFigures,
    /// Its cost, as far as the engine counts it.
    pub spent: Spent,
    /// The work folder with the finished levels, if there is one. It is to be removed once an
    /// answer is written.
    pub kept: Option<PathBuf>,
}

impl<K: Key> PathAnswer<K> {
    /// The answer with other keys.
    pub(crate) fn with_keys<L: Key>(self) -> PathAnswer<L> {
        PathAnswer {
            outcome: self.outcome.with_keys(),
            summary: self.summary,
            levels: self.levels,
            figures: self.figures,
            spent: self.spent,
            kept: self.kept,
        }
    }
}

impl<K> PathAnswer<K> {
    /// The answer, if no sample of its levels contradicts them.
    ///
    /// # Errors
    /// [`EngineError::Disagree`] with the first fault.
    pub fn sound(self) -> Result<Self> {
        let mut faults = self.spent.sampled.iter().flat_map(|s| &s.faults);
        match faults.next() {
            Some(fault) => Err(EngineError::Disagree(format!(
                "{fault}: the level tables cannot be believed"
            ))),
            None => Ok(self),
        }
    }
}
