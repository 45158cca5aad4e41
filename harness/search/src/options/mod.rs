//! Limits and options of engines.

mod choices;
mod disk;

use std::path::PathBuf;
use std::time::Duration;

pub use choices::{
    FrontierForm, HashKind, Locality, Moves, Policy, Representation, SearchLimits, SideTable,
};
pub use disk::DiskOptions;

/// Options that only some engines take.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Opt {
    /// Bytes of memory.
    Memory,
    /// Bytes of disk.
    Disk,
    /// The work folder.
    Work,
    /// Resuming from the work folder.
    Resume,
    /// Keeping the work folder of a complete search.
    KeepWork,
    /// The levels kept for paths.
    KeepEvery,
    /// How states are parted.
    Buckets,
    /// The moves tried in a state.
    Moves,
    /// The data that a dense table keeps for each rank.
    Table,
    /// How searches from both ends keep the states met.
    Visited,
    /// How a dense table finds a level.
    Frontier,
    /// Bytes of a transposition table.
    TableSize,
    /// The treatment of a slot that is taken.
    Replace,
    /// The hash of a transposition table.
    Hash,
    /// The seed of the order among equally promising moves.
    Seed,
    /// States of a level that a beam keeps.
    Width,
    /// Rounds of a beam at its full width.
    Rounds,
    /// The processes that share a search.
    Hosts,
    /// The number of this process among them.
    Process,
    /// The number to start on this machine.
    Processes,
    /// The file by which they authenticate each other.
    Secret,
    /// How long one of them may be silent.
    Silence,
    /// Greatest length of a path to search for.
    MaxDepth,
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
            Self::Moves => "--moves",
            Self::Table | Self::Visited => "--table",
            Self::Frontier => "--frontier",
            Self::TableSize => "--table-size",
            Self::Replace => "--replace",
            Self::Hash => "--hash",
            Self::Seed => "--seed",
            Self::Width => "--width",
            Self::Rounds => "--rounds",
            Self::Hosts => "--hosts",
            Self::Process => "--process",
            Self::Processes => "--processes",
            Self::Secret => "--secret",
            Self::Silence => "--silence",
            Self::MaxDepth => "--max-depth",
            Self::MaxStates => "--max-states",
            Self::MaxTime => "--max-time",
        }
    }
}

/// Limits and options of an engine. `None` leaves it to the engine; the engine that runs must
/// accept every given option ([`Opt`]).
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct EngineOptions {
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
    /// Whether to resume from the work folder.
    pub resume: bool,
    /// Whether the work folder of a complete search stays.
    pub keep_work: bool,
    /// Every level whose number is a multiple of this is kept for paths.
    pub keep_every: Option<u16>,
    /// How states are parted.
    pub buckets: Option<Locality>,
    /// The moves tried in a state.
    pub moves: Option<Moves>,
    /// Target number of states of a partition. It is not on the command line, since results and,
    /// within a wide range, costs do not depend on it.
    pub partition_states: Option<u64>,
    /// The processes that share the search.
    pub together: Together,
    /// The data that a dense table keeps for each rank.
    pub table: Option<Representation>,
    /// How searches from both ends keep the states met.
    pub visited: Option<SideTable>,
    /// How a dense table finds a level.
    pub frontier: Option<FrontierForm>,
    /// Bytes of a transposition table.
    pub table_size: Option<u64>,
    /// The treatment of a slot that is taken.
    pub replace: Option<Policy>,
    /// Hash of a transposition table.
    pub hash: Option<HashKind>,
    /// Seed of the order among equally promising moves.
    pub seed: Option<u64>,
    /// Most states of a level that a beam keeps.
    pub width: Option<u64>,
    /// Rounds of a beam at its full width.
    pub rounds: Option<u64>,
    /// Greatest length of a path to search for.
    pub max_depth: Option<u16>,
    /// States after which to give up.
    pub max_states: Option<u64>,
    /// Time after which to give up.
    pub max_time: Option<Duration>,
}

/// Processes that share a search.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Together {
    /// File with a line for each of them: its address.
    pub hosts: Option<PathBuf>,
    /// The line of this process, from 0 on.
    pub process: Option<usize>,
    /// The number to start on this machine, by the program that reads the command line.
    pub processes: Option<usize>,
    /// File by which they authenticate each other.
    pub secret: Option<PathBuf>,
    /// How long one of them may be silent before it is considered gone.
    pub silence: Option<Duration>,
}

impl EngineOptions {
    /// A number of threads, and the engine's defaults otherwise.
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
            (Opt::Moves, self.moves.is_some()),
            (Opt::Table, self.table.is_some()),
            (Opt::Visited, self.visited.is_some()),
            (Opt::Frontier, self.frontier.is_some()),
            (Opt::TableSize, self.table_size.is_some()),
            (Opt::Replace, self.replace.is_some()),
            (Opt::Hash, self.hash.is_some()),
            (Opt::Seed, self.seed.is_some()),
            (Opt::Width, self.width.is_some()),
            (Opt::Rounds, self.rounds.is_some()),
            (Opt::Hosts, self.together.hosts.is_some()),
            (Opt::Process, self.together.process.is_some()),
            (Opt::Processes, self.together.processes.is_some()),
            (Opt::Secret, self.together.secret.is_some()),
            (Opt::Silence, self.together.silence.is_some()),
            (Opt::MaxDepth, self.max_depth.is_some()),
            (Opt::MaxStates, self.max_states.is_some()),
            (Opt::MaxTime, self.max_time.is_some()),
        ];
        all.into_iter()
            .filter_map(|(option, given)| given.then_some(option))
            .collect()
    }

    /// When to give up.
    #[must_use]
    pub const fn limits(&self) -> SearchLimits {
        SearchLimits {
            nodes: self.max_states,
            time: self.max_time,
        }
    }
}
