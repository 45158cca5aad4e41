//! What an engine is to everybody else: one row of the registry. It says what it answers,
//! what it needs of a puzzle, which options it heeds, and runs.

use std::collections::BTreeMap;
use std::path::PathBuf;
use std::time::Duration;

use antipode_graph::{Graph, Library, direction_name};
use antipode_reports::model::{self, SearchFigures};
use puzzle_api::{Capabilities, Direction, Key};
use serde_json::Value;

use crate::digest::hex;
use crate::engines::bidirectional::Table;
use crate::engines::dfs::{HashKind, Policy};
use crate::engines::find::Limits;
use crate::engines::{FrontierForm, Locality, Representation, Search};
use crate::error::EngineError;
use crate::forward::Goal;
use crate::many_to_many;
use crate::observers::{LevelSums, Observers};
use crate::outcome::{Outcome, Walked};
use crate::progress::{Progress, Stop};

/// Kinds of questions.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Kind {
    /// The level table of an instance.
    Levels,
    /// A path from a state to a goal.
    Path,
    /// Lengths between many states.
    Many,
}

impl Kind {
    /// All kinds.
    pub const ALL: [Self; 3] = [Self::Levels, Self::Path, Self::Many];
}

/// What is asked of a graph, as far as it decides which engines can answer.
#[derive(Debug, Clone, Copy)]
pub enum Ask<'a, K> {
    /// All levels, along the moves or against them.
    Levels {
        /// Along successors or predecessors.
        direction: Direction,
        /// Whether every part is to be walked from its solved states to its last level.
        whole: bool,
    },
    /// A path.
    Path {
        /// Where it starts, where that is known already.
        start: Option<K>,
        /// Where it may end.
        goal: &'a Goal<K>,
    },
    /// Lengths between many states.
    Many,
}

impl<K> Ask<'_, K> {
    /// Which kind of question it is.
    #[must_use]
    pub const fn kind(&self) -> Kind {
        match self {
            Self::Levels { .. } => Kind::Levels,
            Self::Path { .. } => Kind::Path,
            Self::Many => Kind::Many,
        }
    }
}

/// Options that only some engines heed.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Opt {
    /// Bytes of memory.
    Memory,
    /// Bytes of disk.
    Disk,
    /// The work folder.
    Work,
    /// Going on from the work folder.
    Resume,
    /// Keeping the work folder of a search that is complete.
    KeepWork,
    /// Which levels are kept for paths.
    KeepEvery,
    /// How states are parted.
    Buckets,
    /// What a dense table keeps of each rank.
    Table,
    /// How states met are kept by searches from both ends.
    Visited,
    /// How a dense table finds a level.
    Frontier,
    /// Bytes of a transposition table.
    TableSize,
    /// What happens to a slot that is taken.
    Replace,
    /// The hash of a transposition table.
    Hash,
    /// The seed of the order among equally promising moves.
    Seed,
    /// States of a level that a beam keeps.
    Width,
    /// States after which to give up.
    MaxStates,
    /// Time after which to give up.
    MaxTime,
}

impl Opt {
    /// Its name on the command line.
    #[must_use]
    pub const fn flag(self) -> &'static str {
        match self {
            Self::Memory => "--memory",
            Self::Disk => "--disk",
            Self::Work => "--work",
            Self::Resume => "--resume",
            Self::KeepWork => "--keep-work",
            Self::KeepEvery => "--keep-every",
            Self::Buckets => "--buckets",
            Self::Table | Self::Visited => "--table",
            Self::Frontier => "--frontier",
            Self::TableSize => "--table-size",
            Self::Replace => "--replace",
            Self::Hash => "--hash",
            Self::Seed => "--seed",
            Self::Width => "--width",
            Self::MaxStates => "--max-states",
            Self::MaxTime => "--max-time",
        }
    }
}

/// What an engine may take, and how it shall go about it. `None` leaves it to the engine;
/// what is given must be heeded by the engine that runs ([`Opt`]).
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Means {
    /// Worker threads; 0 for one.
    pub threads: usize,
    /// Whether to report progress on stderr.
    pub show_progress: bool,
    /// Bytes of memory.
    pub memory: Option<u64>,
    /// Bytes of disk.
    pub disk: Option<u64>,
    /// Work folder.
    pub work: Option<PathBuf>,
    /// Whether to go on from the work folder.
    pub resume: bool,
    /// Whether the work folder of a complete search stays.
    pub keep_work: bool,
    /// Every level whose number is a multiple of this is kept for paths.
    pub keep_every: Option<u16>,
    /// How states are parted.
    pub buckets: Option<Locality>,
    /// States of a partition aimed at; not on the command line, since results and, within
    /// a wide range, costs do not depend on it.
    pub partition_states: Option<u64>,
    /// What a dense table keeps of each rank.
    pub table: Option<Representation>,
    /// How states met are kept by searches from both ends.
    pub visited: Option<Table>,
    /// How a dense table finds a level.
    pub frontier: Option<FrontierForm>,
    /// Bytes of a transposition table.
    pub table_size: Option<u64>,
    /// What happens to a slot that is taken.
    pub replace: Option<Policy>,
    /// Hash of a transposition table.
    pub hash: Option<HashKind>,
    /// Seed of the order among equally promising moves.
    pub seed: Option<u64>,
    /// States of a level that a beam keeps at most.
    pub width: Option<u64>,
    /// States after which to give up.
    pub max_states: Option<u64>,
    /// Time after which to give up.
    pub max_time: Option<Duration>,
}

impl Means {
    /// So many threads, and everything else as the engine likes.
    #[must_use]
    pub fn threads(threads: usize) -> Self {
        Self {
            threads,
            ..Self::default()
        }
    }

    /// The options that were given.
    #[must_use]
    pub fn given(&self) -> Vec<Opt> {
        let all = [
            (Opt::Memory, self.memory.is_some()),
            (Opt::Disk, self.disk.is_some()),
            (Opt::Work, self.work.is_some()),
            (Opt::Resume, self.resume),
            (Opt::KeepWork, self.keep_work),
            (Opt::KeepEvery, self.keep_every.is_some()),
            (Opt::Buckets, self.buckets.is_some()),
            (Opt::Table, self.table.is_some()),
            (Opt::Visited, self.visited.is_some()),
            (Opt::Frontier, self.frontier.is_some()),
            (Opt::TableSize, self.table_size.is_some()),
            (Opt::Replace, self.replace.is_some()),
            (Opt::Hash, self.hash.is_some()),
            (Opt::Seed, self.seed.is_some()),
            (Opt::Width, self.width.is_some()),
            (Opt::MaxStates, self.max_states.is_some()),
            (Opt::MaxTime, self.max_time.is_some()),
        ];
        all.into_iter()
            .filter_map(|(option, given)| given.then_some(option))
            .collect()
    }

    /// When to give up.
    #[must_use]
    pub const fn limits(&self) -> Limits {
        Limits {
            nodes: self.max_states,
            time: self.max_time,
        }
    }
}

/// A path that is asked for.
#[derive(Debug)]
pub struct PathQuestion<'a, K> {
    /// The graph to search.
    pub graph: &'a Graph<K>,
    /// The rulebook, on which paths are played again.
    pub rules: &'a Graph<K>,
    /// Where the path starts.
    pub start: K,
    /// Where it may end.
    pub goal: Goal<K>,
    /// What the engine may take.
    pub means: &'a Means,
    /// The user's wish to stop.
    pub stop: &'a Stop,
}

impl<K: Key> PathQuestion<'_, K> {
    /// The question without its means.
    #[must_use]
    pub const fn ask(&self) -> Ask<'_, K> {
        Ask::Path {
            start: Some(self.start),
            goal: &self.goal,
        }
    }

    /// A folder named after the question, so that the same command with `--resume` finds it.
    #[must_use]
    pub fn default_folder(&self) -> PathBuf {
        let opened = &self.graph.opened;
        let goal = match self.goal {
            Goal::Solved => "solved".to_owned(),
            Goal::State(key) => format!("{:x}", key.to_u128()),
        };
        let record = serde_json::json!({
            "settings": opened.settings,
            "from": format!("{:x}", self.start.to_u128()),
            "to": goal,
        });
        let name = opened
            .full_name()
            .replace(|c: char| !c.is_ascii_alphanumeric(), "-");
        let hash = xxhash_rust::xxh3::xxh3_64(record.to_string().as_bytes());
        PathBuf::from(format!("antipode-work-{name}-{hash:016x}"))
    }
}

/// One complete level of a search for a path.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct SideLevel {
    /// Along the moves from the start, or against them from the goal.
    pub side: Direction,
    /// Distance from that end.
    pub depth: u16,
    /// States.
    pub states: u64,
    /// Level digest; nothing where the engine makes none.
    pub digest: Option<u128>,
}

impl SideLevel {
    /// The levels of a walk from the start.
    #[must_use]
    pub fn forward(levels: &LevelSums) -> Vec<Self> {
        let levels = levels.iter().map(|(depth, sum)| Self {
            side: Direction::Forward,
            depth,
            states: sum.states,
            digest: Some(sum.digest),
        });
        levels.collect()
    }

    /// As records hold it.
    #[must_use]
    pub fn record(&self) -> model::SideLevel {
        model::SideLevel {
            side: direction_name(self.side).to_owned(),
            depth: self.depth.into(),
            states: self.states,
            digest: self.digest.map_or_else(String::new, hex),
        }
    }

    /// The levels of both sides, as records hold them; nothing where there are none, or no
    /// digests.
    #[must_use]
    pub fn figures(levels: &[Self]) -> Option<model::SideLevels> {
        let rows: Vec<model::SideLevel> = levels.iter().map(Self::record).collect();
        model::SideLevels::of(&rows)
    }
}

/// What came of a question for a path.
#[derive(Debug, Clone)]
pub struct PathAnswer<K> {
    /// How the search ended.
    pub outcome: Outcome<K>,
    /// One line: what follows "solved in N moves, ", else the whole line.
    pub summary: String,
    /// Complete levels, as evidence.
    pub levels: Vec<SideLevel>,
    /// What the engine has to say of itself in records.
    pub figures: SearchFigures,
    /// The work folder that holds the finished levels, where there is one: of no use, and to
    /// be removed, once an answer is written down.
    pub kept: Option<PathBuf>,
}

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

    /// Options that it heeds with a kind of question; all others are refused by name.
    fn options(&self, kind: Kind) -> &'static [Opt];

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
        Err(cannot(
            search.graph.opened.full_name(),
            self.name(),
            "levels",
        ))
    }

    /// Finds a path, or that there is none.
    ///
    /// # Errors
    /// [`EngineError`] from the puzzle or the engine.
    fn path(&self, question: &PathQuestion<'_, K>) -> Result<PathAnswer<K>, EngineError> {
        Err(cannot(
            question.graph.opened.full_name(),
            self.name(),
            "a path",
        ))
    }

    /// Finds lengths between many states.
    ///
    /// # Errors
    /// [`EngineError`] from the puzzle or the engine.
    fn many(
        &self,
        request: &many_to_many::Request,
        _stop: &Stop,
    ) -> Result<many_to_many::Outcome, EngineError> {
        let name = format!("{}/{}", request.library.name, request.instance);
        Err(cannot(name, self.name(), "lengths between many states"))
    }
}

fn cannot(name: String, engine: &str, what: &str) -> EngineError {
    EngineError::CannotHold(format!("{name}: engine {engine} does not look for {what}"))
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
