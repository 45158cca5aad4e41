//! Limits and options of engines.

use std::fmt;
use std::path::PathBuf;
use std::str::FromStr;
use std::time::Duration;

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

type OptRow = (Opt, &'static str, fn(&EngineOptions) -> bool);

/// Every option with its name on the command line, and whether it was given.
const OPTIONS: [OptRow; 25] = [
    (Opt::Memory, "--memory", |o| o.memory.is_some()),
    (Opt::Disk, "--disk", |o| o.disk.is_some()),
    (Opt::Work, "--work", |o| o.work.is_some()),
    (Opt::Resume, "--resume", |o| o.resume),
    (Opt::KeepWork, "--keep-work", |o| o.keep_work),
    (Opt::KeepEvery, "--keep-every", |o| o.keep_every.is_some()),
    (Opt::Buckets, "--buckets", |o| o.buckets.is_some()),
    (Opt::Moves, "--moves", |o| o.moves.is_some()),
    (Opt::Table, "--table", |o| o.table.is_some()),
    (Opt::Visited, "--table", |o| o.visited.is_some()),
    (Opt::Frontier, "--frontier", |o| o.frontier.is_some()),
    (Opt::TableSize, "--table-size", |o| o.table_size.is_some()),
    (Opt::Replace, "--replace", |o| o.replace.is_some()),
    (Opt::Hash, "--hash", |o| o.hash.is_some()),
    (Opt::Seed, "--seed", |o| o.seed.is_some()),
    (Opt::Width, "--width", |o| o.width.is_some()),
    (Opt::Rounds, "--rounds", |o| o.rounds.is_some()),
    (Opt::Hosts, "--hosts", |o| o.together.hosts.is_some()),
    (Opt::Process, "--process", |o| o.together.process.is_some()),
    (Opt::Processes, "--processes", |o| {
        o.together.processes.is_some()
    }),
    (Opt::Secret, "--secret", |o| o.together.secret.is_some()),
    (Opt::Silence, "--silence", |o| o.together.silence.is_some()),
    (Opt::MaxDepth, "--max-depth", |o| o.max_depth.is_some()),
    (Opt::MaxStates, "--max-states", |o| o.max_states.is_some()),
    (Opt::MaxTime, "--max-time", |o| o.max_time.is_some()),
];

impl Opt {
    /// Its name on the command line.
    pub fn flag(self) -> &'static str {
        let row = OPTIONS.iter().find(|(option, ..)| *option == self);
        row.map_or("", |(_, flag, _)| flag)
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
    pub fn threads(threads: usize) -> Self {
        Self {
            threads,
            ..Self::default()
        }
    }

    /// The options that were given.
    pub fn given(&self) -> Vec<Opt> {
        let given = OPTIONS.iter().filter(|(.., is_given)| is_given(self));
        given.map(|(option, ..)| *option).collect()
    }

    /// When to give up.
    pub const fn limits(&self) -> SearchLimits {
        SearchLimits {
            nodes: self.max_states,
            time: self.max_time,
        }
    }
}

// Options of single engines, with their names on the command line.

/// The data that a dense table keeps for each rank.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum Representation {
    /// 8 bits: the distance, up to level 254.
    Byte,
    /// 2 bits: the distance modulo 3. One more bit while the frontier is full.
    TwoBits,
    /// 1 bit: reached or not. One more bit while the frontier is full.
    Bit,
}

impl Representation {
    /// All representations, the widest first.
    pub const ALL: [Self; 3] = [Self::Byte, Self::TwoBits, Self::Bit];

    /// Name on the command line.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Byte => "byte",
            Self::TwoBits => "two-bits",
            Self::Bit => "bit",
        }
    }
}

impl fmt::Display for Representation {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}

impl FromStr for Representation {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        Self::ALL
            .into_iter()
            .find(|representation| representation.name() == text)
            .ok_or_else(|| format!("no table '{text}'; use one of byte, two-bits, bit"))
    }
}

/// How the frontier is found.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum FrontierForm {
    /// From a list while it is short, by a scan of the table once it is long.
    #[default]
    Auto,
    /// Always from a list.
    List,
    /// Always by scan.
    Scan,
}

impl FromStr for FrontierForm {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        match text {
            "auto" => Ok(Self::Auto),
            "list" => Ok(Self::List),
            "scan" => Ok(Self::Scan),
            _ => Err(format!("no frontier '{text}'; use one of auto, list, scan")),
        }
    }
}

/// How states are partitioned.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Locality {
    /// By the puzzle's bucket, if it has one.
    #[default]
    Bucket,
    /// By a uniform hash of the key, to compare with the bucket.
    Uniform,
}

impl FromStr for Locality {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        match text {
            "bucket" => Ok(Self::Bucket),
            "uniform" => Ok(Self::Uniform),
            _ => Err(format!("'{text}' is neither bucket nor uniform")),
        }
    }
}

/// The moves tried in a state.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Moves {
    /// Only those of groups that did not lead to the state from the level before, if the puzzle
    /// names groups.
    #[default]
    Unused,
    /// All moves, to compare with the others.
    All,
}

impl FromStr for Moves {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        match text {
            "unused" => Ok(Self::Unused),
            "all" => Ok(Self::All),
            _ => Err(format!("'{text}' is neither unused nor all")),
        }
    }
}

/// How the states of a side are kept.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum SideTable {
    /// Hash tables at first, then a bit per rank once there are many states, if there are ranks.
    #[default]
    Auto,
    /// Hash tables to the end, for easy pairs in a space whose bits do not fit.
    Hash,
    /// A bit per rank from the beginning.
    Bits,
}

/// What to do when a slot is taken by another state.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Policy {
    /// Overwrite it, as the article on Diamond-41 does.
    Always,
    /// Keep the one whose subtree took more states to search; of equals, the newer.
    Costlier,
    /// Buckets of two: the first slot keeps the costlier state, the second takes the other.
    TwoSlots,
}

impl Policy {
    /// All policies.
    pub const ALL: [Self; 3] = [Self::Always, Self::Costlier, Self::TwoSlots];

    /// Name on the command line.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Always => "always",
            Self::Costlier => "costlier",
            Self::TwoSlots => "two-slots",
        }
    }
}

impl fmt::Display for Policy {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}

impl FromStr for Policy {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        let found = Self::ALL.into_iter().find(|policy| policy.name() == text);
        found.ok_or_else(|| format!("no policy '{text}'; use always, costlier or two-slots"))
    }
}

/// The hash of the table.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum HashKind {
    /// The mixer printed in the article (Thill, "Symmetries & Transposition Tables"): the finaliser
    /// Mix13 of David Stafford. A key of two words is folded first.
    Stafford,
    /// A random word for each set bit, combined by exclusive or (Zobrist). Computed here from the
    /// whole key, by tables of a byte each, not updated by moves.
    Zobrist,
}

impl HashKind {
    /// All hashes.
    pub const ALL: [Self; 2] = [Self::Stafford, Self::Zobrist];

    /// Name on the command line.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Stafford => "stafford",
            Self::Zobrist => "zobrist",
        }
    }
}

impl fmt::Display for HashKind {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}

impl FromStr for HashKind {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        let found = Self::ALL.into_iter().find(|hash| hash.name() == text);
        found.ok_or_else(|| format!("no hash '{text}'; use stafford or zobrist"))
    }
}

/// When to give up.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct SearchLimits {
    /// States expanded.
    pub nodes: Option<u64>,
    /// Wall-clock time.
    pub time: Option<Duration>,
}

// Options and limits of a search on disk.

/// Options and limits of a search on disk.
#[derive(Debug, Clone)]
pub struct DiskOptions {
    /// The engine that works there: levels of another engine are not its own.
    pub engine: &'static str,
    /// Folder for the levels of all parts.
    pub work: PathBuf,
    /// Whether to resume from the folder.
    pub resume: bool,
    /// Bytes of memory that the search may take.
    pub memory: u64,
    /// Bytes of disk that it may take; `None` leaves a twentieth of the free space.
    pub disk: Option<u64>,
    /// Every level whose number is a multiple of this is kept for paths.
    pub keep_every: u16,
    /// How states are parted.
    pub locality: Locality,
    /// The moves tried in a state.
    pub moves: Moves,
    /// Target number of states of a partition.
    pub partition_states: u64,
    /// Threads.
    pub threads: usize,
    /// Whether the levels of a complete part stay.
    pub keep_parts: bool,
    /// Whether the folder of a complete search stays.
    pub keep: bool,
}

impl DiskOptions {
    /// Default distance between kept levels: a side of n moves around a state is small compared
    /// with a level.
    pub const KEEP_EVERY: u16 = 16;
    /// Default target number of states of a partition: with the earlier and new levels, they fit a
    /// core's own cache.
    pub const PARTITION_STATES: u64 = 4096;

    /// Default options, with a work folder and a memory limit.
    pub fn new(work: PathBuf, memory: u64, threads: usize) -> Self {
        Self {
            engine: "disk",
            work,
            resume: false,
            memory,
            disk: None,
            keep_every: Self::KEEP_EVERY,
            locality: Locality::Bucket,
            moves: Moves::Unused,
            partition_states: Self::PARTITION_STATES,
            threads,
            keep_parts: false,
            keep: false,
        }
    }
}

/// A line without remedies by an option that is not `there`.
pub fn without_options(line: &str, there: impl Fn(&str) -> bool) -> String {
    let is_name = |c: char| c.is_ascii_lowercase() || c == '-';
    let missing = |at: usize, clause: &str| {
        let name = &clause[at + 2..];
        let name = &name[..name.find(|c| !is_name(c)).unwrap_or(name.len())];
        let apart = clause[..at].ends_with([' ', '(', '`', '\'']) || at == 0;
        apart && name.starts_with(|c: char| c.is_ascii_lowercase()) && !there(name)
    };
    let kept = line.split("; ").filter_map(|clause| {
        let mut found = clause.match_indices("--").map(|(at, _)| at);
        let Some(at) = found.find(|&at| missing(at, clause)) else {
            return Some(clause);
        };
        let before = &clause[..at];
        let end = before.rfind(", ").max(before.rfind(": "))?;
        // The name of an instance says nothing.
        Some(&clause[..end]).filter(|kept| kept.contains(' '))
    });
    kept.collect::<Vec<_>>().join("; ")
}

#[cfg(test)]
mod tests {
    use super::without_options;

    #[test]
    fn a_remedy_names_no_option_that_is_missing() {
        for (line, kept) in [
            ("no start; give a board with --board", "no start"),
            (
                "too large; give more by `--memory`; or less",
                "too large; or less",
            ),
            (
                "..-/--o is no board; write rows",
                "..-/--o is no board; write rows",
            ),
            ("leave out --to", ""),
            ("a/b: leave out --to", ""),
            (
                "none; free some, or give a smaller --memory",
                "none; free some",
            ),
            (
                "5 are allowed: allow more with --memory and rerun",
                "5 are allowed",
            ),
            ("give --seed, or --memory; rerun", "give --seed; rerun"),
        ] {
            assert_eq!(without_options(line, |name| name == "seed"), kept);
        }
    }
}
