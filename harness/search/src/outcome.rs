//! How a search ended, whatever it searched for and with which engine, and its cost.

use std::convert::Infallible;
use std::fmt;
use std::sync::atomic::{AtomicU64, Ordering::Relaxed};
use std::time::Duration;

use antipode_reports::cost::LevelCost;
use antipode_reports::count;
use antipode_reports::model::{StopKind, StopRecord};
use indicatif::HumanCount;
use puzzle_api::{Direction, Key, UNSOLVABLE};
use serde::{Deserialize, Serialize};

use crate::error::{EngineError, Result};
use crate::memory::human;
use crate::shard::Shard;

/// How a search ended.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Outcome<K> {
    /// A path to a goal.
    Path(FoundPath<K>),
    /// There is no path, and that is certain.
    Unreachable(NoPathProof),
    /// All requested levels were walked.
    Levels,
    /// Unknown: the search ended before that.
    NotReached(StopReason),
}

/// Greatest distance that an engine distinguishes from "not reached".
pub(crate) const DEEPEST: u16 = UNSOLVABLE - 2;

/// A number of moves as levels count it; `None` if it is too large for them.
pub fn counted(moves: u32) -> Option<u16> {
    u16::try_from(moves).ok().filter(|&moves| moves <= DEEPEST)
}

/// A path that a search found.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct FoundPath<K> {
    /// States from the start to the goal, both included.
    pub states: Vec<K>,
    /// Whether the search shows that no path is shorter.
    pub shortest: bool,
}

impl<K> FoundPath<K> {
    /// Number of moves.
    pub fn moves(&self) -> usize {
        self.states.len().saturating_sub(1)
    }
}

impl<K> Outcome<K> {
    /// A path that is proven to be shortest.
    pub const fn shortest(states: Vec<K>) -> Self {
        Self::Path(FoundPath {
            states,
            shortest: true,
        })
    }

    /// All states that one end leads to were met, and no path was: [`NoPathProof::Exhausted`].
    pub(crate) const fn exhausted(direction: Direction, states: u64, levels: Option<u32>) -> Self {
        Self::Unreachable(NoPathProof::Exhausted {
            direction,
            states,
            levels,
        })
    }

    /// States of the path; none if there is no path.
    pub fn states(&self) -> &[K] {
        match self {
            Self::Path(path) => &path.states,
            Self::Unreachable(_) | Self::Levels | Self::NotReached(_) => &[],
        }
    }

    /// Whether the question was answered.
    pub const fn is_answer(&self) -> bool {
        !matches!(self, Self::NotReached(_))
    }

    /// The cause that ended the search before an answer.
    pub const fn stop(&self) -> Option<&StopReason> {
        match self {
            Self::NotReached(reason) => Some(reason),
            Self::Path(_) | Self::Unreachable(_) | Self::Levels => None,
        }
    }

    /// Number of moves of a shortest path, or the fact that there is none; `None` if that is
    /// unknown.
    pub fn fewest(&self) -> Option<Option<usize>> {
        match self {
            Self::Path(path) if path.shortest => Some(Some(path.moves())),
            Self::Unreachable(_) => Some(None),
            Self::Path(_) | Self::Levels | Self::NotReached(_) => None,
        }
    }

    /// [`Outcome::fewest`] as levels count it, with [`UNSOLVABLE`] for no path; `None` if it is too
    /// large for them.
    pub fn distance(&self) -> Option<u16> {
        match self.fewest()? {
            None => Some(UNSOLVABLE),
            Some(moves) => u32::try_from(moves).ok().and_then(counted),
        }
    }

    /// The same outcome, with the states of the path written in another way.
    pub fn try_map<L, E>(&self, write: impl FnMut(&K) -> Result<L, E>) -> Result<Outcome<L>, E> {
        Ok(match self {
            Self::Path(path) => Outcome::Path(FoundPath {
                states: path.states.iter().map(write).collect::<Result<_, E>>()?,
                shortest: path.shortest,
            }),
            Self::Unreachable(proof) => Outcome::Unreachable(proof.clone()),
            Self::Levels => Outcome::Levels,
            Self::NotReached(reason) => Outcome::NotReached(reason.clone()),
        })
    }
}

/// A key in another width, which holds it.
pub(crate) fn with_width<K: Key, L: Key>(key: K) -> L {
    L::from_u128(key.to_u128())
}

impl<K: Key> Outcome<K> {
    /// The same outcome, with keys of another width, which holds them.
    pub(crate) fn with_keys<L: Key>(&self) -> Outcome<L> {
        let Ok(outcome) = self.try_map(|&key| Ok::<L, Infallible>(with_width(key)));
        outcome
    }
}

/// The least measure that a sequence of moves can end with.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Fewest<K> {
    /// The least measure at which a sequence of moves was found to end.
    pub best: u64,
    /// The line that ends with it.
    pub line: Vec<K>,
    /// No line ends with less than this.
    pub at_least: u64,
    /// Why `at_least` holds, or what ended the search.
    pub why: Floor,
}

/// Why no sequence of moves is known to end with less.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Floor {
    /// No measure is less than 0.
    Zero,
    /// No state has a smaller measure than a solved one.
    Solved,
    /// No solved state can be reached, which the puzzle proves.
    NoneSolved,
    /// Every sequence of moves was searched.
    Searched,
    /// Every sequence of moves was searched, by a loaded library's variant and not its rulebook.
    SearchedOf {
        /// The variant.
        variant: String,
        /// The rulebook's.
        rulebook: String,
    },
    /// The search ended before that.
    Stopped(StopReason),
}

impl fmt::Display for Floor {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Zero => f.write_str("nothing is less than 0"),
            Self::Solved => f.write_str("no state has less than a solved one"),
            Self::NoneSolved => f.write_str(
                "no solved state can be reached, which the puzzle proves without a search",
            ),
            Self::Searched => f.write_str("every line of moves was searched"),
            Self::SearchedOf { variant, rulebook } => write!(
                f,
                "every line of moves of variant {variant} was searched; --variant {rulebook} searches those of the rulebook"
            ),
            Self::Stopped(reason) => reason.fmt(f),
        }
    }
}

impl<K> Fewest<K> {
    /// Whether the least measure is known.
    pub fn is_exact(&self) -> bool {
        self.best == self.at_least
    }
}

/// States of one level that are on a solution.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct OnSolutions {
    /// States, each orbit counted whole.
    pub states: u64,
    /// States up to the symmetries that keep start and goals.
    pub orbits: u64,
}

/// All solutions.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Solutions {
    /// The states on them, by the number of moves from the start.
    pub levels: Vec<OnSolutions>,
    /// Number of different lines of states from the start to a goal; `None` if that is 2^128
    /// or more.
    pub lines: Option<u128>,
}

/// The evidence that there is no path.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum NoPathProof {
    /// All states reachable from one end were met, and the other end is not among them.
    Exhausted {
        /// Along the moves from the start, or against them from the goals.
        direction: Direction,
        /// States met; for a search that keeps no levels, states expanded.
        states: u64,
        /// Levels that they form, if the search went by levels.
        levels: Option<u32>,
    },
    /// Start and goals are in different parts, and no move leads from one part to another.
    OtherParts,
    /// The puzzle's own refutation: a reason on the first line, then the data that a checker needs.
    Puzzle(String),
}

impl fmt::Display for NoPathProof {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Exhausted {
                direction: Direction::Backward,
                states,
                ..
            } => write!(
                f,
                "every state from which a goal can be reached was searched, {} in all",
                HumanCount(*states)
            ),
            Self::Exhausted {
                states,
                levels: Some(levels),
                ..
            } => write!(
                f,
                "every line of moves was searched, {} with {}",
                count(*levels, "levels"),
                count(*states, "states")
            ),
            Self::Exhausted { states, .. } => write!(
                f,
                "every line of moves was searched ({} expanded)",
                count(*states, "states")
            ),
            Self::OtherParts => f.write_str(
                "start and goal lie in different parts, and no move leads from one to another",
            ),
            Self::Puzzle(text) => f.write_str(text.lines().next().unwrap_or_default()),
        }
    }
}

/// The cause that ended a search before it had an answer.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub enum StopReason {
    /// The user requested it.
    Requested,
    /// The greatest level requested was reached, and may not be the last.
    Depth(u16),
    /// The number of states expanded.
    States(u64),
    /// The elapsed time.
    Time(Duration),
    /// The next step does not fit the allowed memory.
    Memory(Limit),
    /// The next step does not fit the disk, or the allowed share of it.
    Disk(Limit),
    /// No path uses only this many most promising states of each level.
    Width(u64),
    /// This many of the requested paths are beyond the limits.
    Open(u64),
    /// Only the parts of a shard were requested.
    Shard(Shard),
    /// The rulebook did not confirm the result, as it sees more than this many states.
    Unchecked(u64),
}

/// A limit of memory or disk.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Limit {
    /// Bytes allowed, if known.
    pub allowed: Option<u64>,
    /// The amount needed and the remedy, if the engine says more than that it is too much.
    pub said: Option<String>,
}

impl StopReason {
    /// The next level does not fit this much memory.
    pub const fn memory(allowed: u64) -> Self {
        Self::Memory(Limit {
            allowed: Some(allowed),
            said: None,
        })
    }

    /// The limit that an error of a work folder concerns; any other error is returned.
    ///
    /// # Errors
    /// The same error, if it is a defect.
    pub fn of_limit(error: EngineError) -> Result<Self> {
        let limit = |said| Limit {
            allowed: None,
            said: Some(said),
        };
        match error {
            EngineError::Memory(said) => Ok(Self::Memory(limit(said))),
            EngineError::Disk(said) => Ok(Self::Disk(limit(said))),
            other => Err(other),
        }
    }

    /// Whether the line says how to resume.
    pub const fn names_remedy(&self) -> bool {
        matches!(self, Self::Memory(limit) | Self::Disk(limit) if limit.said.is_some())
    }

    /// The reason in the form of records.
    pub fn record(&self) -> StopRecord {
        let (reason, limit) = match self {
            Self::Requested => (StopKind::Requested, None),
            Self::Depth(depth) => (StopKind::Depth, Some(u64::from(*depth))),
            Self::States(states) => (StopKind::States, Some(*states)),
            Self::Time(time) => (StopKind::Time, Some(time.as_millis() as u64)),
            Self::Memory(limit) => (StopKind::Memory, limit.allowed),
            Self::Disk(limit) => (StopKind::Disk, limit.allowed),
            Self::Width(width) => (StopKind::Width, Some(*width)),
            Self::Open(paths) => (StopKind::Open, Some(*paths)),
            Self::Shard(_) => (StopKind::Shard, None),
            Self::Unchecked(states) => (StopKind::Unchecked, Some(*states)),
        };
        StopRecord { reason, limit }
    }
}

impl fmt::Display for StopReason {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Requested => f.write_str("stopped on request"),
            Self::Depth(limit) => write!(
                f,
                "--max-depth {limit} was reached, and what lies further was not searched"
            ),
            Self::States(limit) => {
                write!(f, "stopped at the limit of {}", count(*limit, "states"))
            }
            Self::Time(limit) => {
                write!(f, "stopped at the limit of {} s", limit.as_secs_f64())
            }
            Self::Memory(limit) | Self::Disk(limit) => match (&limit.said, limit.allowed) {
                (Some(said), _) => f.write_str(said),
                (None, Some(allowed)) => write!(
                    f,
                    "the next level does not fit the {} of memory allowed; allow more by --memory",
                    human(allowed)
                ),
                (None, None) => f.write_str("the next level does not fit"),
            },
            Self::Width(width) => write!(
                f,
                "no path within the {} most promising states of each level",
                HumanCount(*width)
            ),
            Self::Open(paths) => {
                write!(f, "beyond the limits: {}", count(*paths, "pairs"))
            }
            Self::Shard(shard) => write!(f, "shard {shard}: the other parts were left to others"),
            Self::Unchecked(states) => write!(
                f,
                "not checked: the rulebook sees more than {} states",
                HumanCount(*states)
            ),
        }
    }
}

/// The result of searching the levels of a part.
#[derive(Debug, Clone, PartialEq)]
pub struct Walked<K> {
    /// [`Outcome::Levels`], or what ended the walk early.
    pub outcome: Outcome<K>,
    /// Its cost.
    pub spent: Spent,
}

/// The cost of a search, summed over its parts.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
pub struct Spent {
    /// States expanded or swept.
    pub expanded: u64,
    /// Those of them that earlier runs expanded, from which this one resumed.
    #[serde(skip)]
    pub earlier: u64,
    /// Moves listed, in any order of levels; `None` if the engine does not see them.
    pub generated: Option<u64>,
    /// Moves out of each level, if the engine counts them so.
    pub moves: Vec<u64>,
    /// The cost of each level, if the engine reports it.
    pub levels: Vec<LevelCost>,
    /// Bytes read from its own files.
    pub read: u64,
    /// Bytes written to its own files.
    pub written: u64,
    /// Bytes that processes sent each other, if several shared the search.
    pub sent: Option<u64>,
    /// Results of samples of its levels, if the engine takes some.
    pub sampled: Option<Sampled>,
}

impl Spent {
    /// States expanded, and moves listed if they were counted.
    pub(crate) fn of(expanded: u64, generated: Option<u64>) -> Self {
        Self {
            expanded,
            generated,
            ..Self::default()
        }
    }

    /// Adds the moves out of a level.
    pub fn add_moves(&mut self, depth: u16, moves: u64) {
        let slot = usize::from(depth);
        if self.moves.len() <= slot {
            self.moves.resize(slot + 1, 0);
        }
        self.moves[slot] += moves;
    }

    /// Adds the cost of a level.
    pub fn add_level(&mut self, cost: LevelCost) {
        if let Some(before) = cost.depth.checked_sub(1) {
            self.add_moves(before as u16, cost.generated);
        }
        *self.generated.get_or_insert(0) += cost.generated;
        self.read += cost.bytes_read;
        self.written += cost.bytes_written;
        self.levels.push(cost);
    }

    /// Adds the result of a level's sample.
    pub fn add_sample(&mut self, level: Sampled) {
        self.sampled.get_or_insert_default().add(level);
    }

    /// Adds the cost of another part.
    pub fn absorb(&mut self, other: Self) {
        self.expanded += other.expanded;
        self.earlier += other.earlier;
        if let Some(more) = other.generated {
            *self.generated.get_or_insert(0) += more;
        }
        for (depth, moves) in (0..).zip(other.moves) {
            self.add_moves(depth, moves);
        }
        self.levels.extend(other.levels);
        self.read += other.read;
        self.written += other.written;
        if let Some(more) = other.sent {
            *self.sent.get_or_insert(0) += more;
        }
        if let Some(sampled) = other.sampled {
            self.add_sample(sampled);
        }
    }
}

/// Number of faults of samples that are kept.
const MOST_FAULTS: usize = 8;

/// Results of samples of levels.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Sampled {
    /// Number of levels from which states were picked.
    pub levels: u64,
    /// Number of levels that there are.
    pub of: u64,
    /// States picked.
    pub states: u64,
    /// Their neighbours on the rulebook.
    pub neighbours: u64,
    /// States with a misplaced neighbour.
    pub wrong: u64,
    /// The first few faults, a line each.
    pub faults: Vec<String>,
}

impl Sampled {
    /// Adds the results of other samples.
    pub(crate) fn add(&mut self, level: Self) {
        self.levels += level.levels;
        self.of += level.of;
        self.states += level.states;
        self.neighbours += level.neighbours;
        self.wrong += level.wrong;
        self.faults.extend(level.faults);
        self.faults.truncate(MOST_FAULTS);
    }
}

/// Counters to which the threads of one search add, batch by batch.
#[derive(Debug, Default)]
pub struct Counters {
    expanded: AtomicU64,
    generated: AtomicU64,
}

impl Counters {
    /// Counts a batch: the expanded states, and their neighbours, each as often as it is listed.
    pub fn batch(&self, expanded: usize, generated: usize) {
        self.expanded.fetch_add(expanded as u64, Relaxed);
        self.generated.fetch_add(generated as u64, Relaxed);
    }

    /// States expanded so far.
    pub(crate) fn expanded(&self) -> u64 {
        self.expanded.load(Relaxed)
    }

    /// The counters.
    pub fn spent(&self) -> Spent {
        let generated = self.generated.load(Relaxed);
        Spent::of(self.expanded(), Some(generated))
    }

    /// An outcome, with the counts.
    pub fn walked<K>(&self, outcome: Outcome<K>) -> Walked<K> {
        let spent = self.spent();
        Walked { outcome, spent }
    }
}
