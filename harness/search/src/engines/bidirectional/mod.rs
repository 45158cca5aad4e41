//! Shortest paths between two states by a side around each: one grows along the moves from the
//! start, the other against them from the goal. Each step grows the side whose next level promises
//! to be smaller, by one level, until they meet.
//!
//! While complete sides of radii a and b do not meet, no path of a + b moves exists. So the first
//! state found in both lies on a path of exactly a + b + 1 moves, and the level tables of the sides
//! are the evidence that nothing shorter exists. If a side stops growing before that, it holds
//! everything that can be reached from its end, so there is no path.
//!
//! States are kept as ranks if the puzzle numbers them (a bit per rank, once a side has grown
//! beyond a few million states), else as keys in hash tables. Levels are packed to one or two bytes
//! per state, in memory or in files of a work folder. A stopped or killed search continues from
//! that folder. Results do not depend on the number of threads.

mod engine;
mod folder;
mod memory;
mod resume;
mod search;
mod side;

pub use engine::BidirectionalEngine;
use std::path::PathBuf;

use puzzle_api::Key;

use crate::error::EngineError;
pub use crate::options::SideTable;
use crate::outcome::{NoPathProof, Outcome};
use crate::progress::Stop;
pub use crate::side::Side;
use crate::side::SideLevel;
use crate::space::{Keys, Ranks};
use crate::steps::DirectionSteps;
use antipode_graph::{Capabilities, Graph, PluginError};
use search::BidirectionalSearch;

/// Where finished levels are kept.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum BidirectionalFolder {
    /// In this folder from the start.
    Folder(PathBuf),
    /// In memory, and in this folder once they take much of it.
    WhenLarge(PathBuf),
}

/// Options and limits of a search.
#[derive(Debug, Clone)]
pub struct BidirectionalOptions {
    /// Bytes of memory that the search may take.
    pub memory: u64,
    /// Bytes of disk that it may take; `None` leaves a twentieth of the free space.
    pub disk: Option<u64>,
    /// How the states of a side are kept.
    pub table: SideTable,
    /// Where finished levels are kept.
    pub work: BidirectionalFolder,
    /// Whether to resume from the work folder.
    pub resume: bool,
    /// States collected before they are sorted and packed.
    pub run_states: usize,
    /// Bytes of packed levels that stay in memory.
    pub levels_in_memory: u64,
    /// Whether to report levels and progress on stderr.
    pub show_progress: bool,
}

impl BidirectionalOptions {
    /// Default number of states collected before they are sorted and packed.
    pub const RUN_STATES: usize = crate::level::RUN_STATES;
    /// Default bytes of packed levels that stay in memory.
    pub const LEVELS_IN_MEMORY: u64 = 256 << 20;

    /// Default options, with a memory limit and a place for large levels.
    #[must_use]
    pub fn new(memory: u64, work: BidirectionalFolder) -> Self {
        Self {
            memory,
            disk: None,
            table: SideTable::Auto,
            work,
            resume: false,
            run_states: Self::RUN_STATES,
            levels_in_memory: Self::LEVELS_IN_MEMORY,
            show_progress: false,
        }
    }
}

/// The ends to connect, and how.
#[derive(Debug, Clone)]
pub struct BidirectionalRequest<K> {
    /// The graph.
    pub graph: Graph<K>,
    /// Where the path starts.
    pub start: K,
    /// The states in which it may end; at least one.
    pub goals: Vec<K>,
    /// Options and limits.
    pub options: BidirectionalOptions,
}

/// The findings of a search.
#[derive(Debug, Clone)]
pub struct BidirectionalResult<K> {
    /// How it ended.
    pub outcome: Outcome<K>,
    /// Complete levels by side: forward, backward.
    pub sides: [Vec<SideLevel>; 2],
    /// States whose neighbours were listed, by this process.
    pub expanded: u64,
    /// Neighbours listed, by this process.
    pub moves: u64,
    /// Bytes of memory that the plan reserved.
    pub planned_memory: u64,
    /// Bytes of all packed levels.
    pub level_bytes: u64,
    /// The work folder with the finished levels, if there is one. The caller must
    /// [`clear`](crate::work::clear) it once the answer is written.
    pub work: Option<PathBuf>,
}

impl<K> BidirectionalResult<K> {
    /// States in both sides.
    #[must_use]
    pub fn states(&self) -> u64 {
        self.sides.iter().flatten().map(|level| level.states).sum()
    }
}

/// Whether a graph can be searched against its moves.
#[must_use]
pub fn possible<K: Key>(graph: &Graph<K>) -> bool {
    DirectionSteps::backward(graph).is_some()
}

/// Finds a shortest path, or shows that there is none. Runs on the calling thread's pool.
///
/// # Errors
/// [`EngineError`]: a puzzle without predecessors or that breaks its contract, too little
/// memory or disk, a damaged or foreign work folder.
pub fn meet<K: Key>(
    request: &BidirectionalRequest<K>,
    stop: &Stop,
) -> Result<BidirectionalResult<K>, EngineError> {
    match placed(request)? {
        NumberingPlace::Part(numbering) => {
            BidirectionalSearch::new(request, numbering, stop)?.run()
        }
        NumberingPlace::Unnumbered => BidirectionalSearch::new(request, Keys, stop)?.run(),
        NumberingPlace::Apart => Ok(BidirectionalResult {
            outcome: Outcome::Unreachable(NoPathProof::OtherParts),
            sides: [Vec::new(), Vec::new()],
            expanded: 0,
            moves: 0,
            planned_memory: 0,
            level_bytes: 0,
            work: None,
        }),
    }
}

/// Most bytes of memory that a search may need, if that is known in advance.
///
/// # Errors
/// [`PluginError`] if the puzzle fails.
pub fn planned_memory<K: Key>(
    request: &BidirectionalRequest<K>,
) -> Result<Option<u64>, PluginError> {
    Ok(match placed(request)? {
        NumberingPlace::Part(numbering) => {
            Some(memory::MemoryPlan::of(Some(numbering.size), 8, &request.options).bits_need())
        }
        NumberingPlace::Unnumbered | NumberingPlace::Apart => None,
    })
}

/// Place of the states in the puzzle's numbering.
enum NumberingPlace {
    /// All in one part that has ranks.
    Part(Ranks),
    /// Start and goals in different parts.
    Apart,
    /// The states are not all numbered.
    Unnumbered,
}

fn placed<K: Key>(request: &BidirectionalRequest<K>) -> Result<NumberingPlace, PluginError> {
    let graph = &request.graph;
    if !graph.has(Capabilities::RANK) {
        return Ok(NumberingPlace::Unnumbered);
    }
    let mut all = Vec::new();
    let mut keys = vec![request.start];
    keys.extend(&request.goals);
    graph.place(&keys, &mut all)?;
    let parts: Option<Vec<u64>> = all.iter().map(|at| at.map(|at| at.part)).collect();
    let Some(parts) = parts else {
        return Ok(NumberingPlace::Unnumbered);
    };
    let part = parts[0];
    if parts[1..].iter().all(|&other| other != part) {
        return Ok(NumberingPlace::Apart);
    }
    match graph.space(part)? {
        Some(size) if parts.iter().all(|&other| other == part) => {
            Ok(NumberingPlace::Part(Ranks { part, size }))
        }
        _ => Ok(NumberingPlace::Unnumbered),
    }
}
