//! Engine `dfs`: depth first with a transposition table, for one path or for the least measure that
//! a sequence of moves can end with (Thill, "Symmetries & Transposition Tables"). On layered graphs
//! only: there, a state's value does not depend on the path to it.
//!
//! In general the path found is not a shortest one; between two given states of a layered graph,
//! all paths have equal length.

mod engine;
mod hash;
mod search;
mod table;

use puzzle_api::{Direction, Key};

use super::find::{
    Reduction, Watch, follow, layered_path, not_layered, open_goals, refused, require_layers,
};
use crate::error::EngineError;
use crate::options::SearchLimits;
pub use crate::options::{HashKind, Policy};
use crate::outcome::{Fewest, Floor, NoPathProof, Outcome};
use crate::progress::Stop;
use crate::question::Goal;
use antipode_graph::{Capabilities, Graph};
pub use engine::DfsEngine;
pub use hash::Hasher;
use search::{DfsSearch, End};
pub use table::{TableStats, TranspositionTable};

/// How to search.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct DfsOptions {
    /// Bytes for the table, which has the greatest power of two of slots that fits.
    pub table_bytes: u64,
    /// What to do when a slot is taken.
    pub policy: Policy,
    /// Hash of the keys.
    pub hash: HashKind,
    /// Whether symmetric states share an entry.
    pub symmetry: bool,
    /// Seed of the order of moves that the puzzle considers equally promising.
    pub seed: u64,
    /// When to give up.
    pub limits: SearchLimits,
}

impl Default for DfsOptions {
    fn default() -> Self {
        Self {
            table_bytes: 1 << 28,
            policy: Policy::TwoSlots,
            hash: HashKind::Stafford,
            symmetry: true,
            seed: 1,
            limits: SearchLimits::default(),
        }
    }
}

/// Statistics of a search.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Stats {
    /// States expanded; a state that was forgotten and met again counts again.
    pub nodes: u64,
    /// Statistics of the table.
    pub table: TableStats,
}

/// A search for a path.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct DfsResult<K> {
    /// How it ended.
    pub outcome: Outcome<K>,
    /// Its statistics.
    pub stats: Stats,
}

/// Searches for a path from a state to a goal.
///
/// # Errors
/// [`EngineError`] if the graph is not layered or the puzzle fails.
pub fn reach<K: Key>(
    graph: &Graph<K>,
    start: K,
    goal: &Goal<K>,
    options: &DfsOptions,
    stop: &Stop,
) -> Result<DfsResult<K>, EngineError> {
    require_layers(graph, "dfs", "--engine")?;
    let reduction = reduction(graph, goal, options)?;
    let watch = Watch::start(options.limits, stop);
    let mut search = DfsSearch::new(graph, &reduction, options)?;
    let end = search.reach(start, goal, &watch)?;
    let stats = search.stats();
    let outcome = match end {
        End::Goal(chain) => layered_path(graph, follow(graph, &reduction, start, &chain)?, goal)?,
        End::Exhausted => Outcome::Unreachable(NoPathProof::Exhausted {
            direction: Direction::Forward,
            states: stats.nodes,
            levels: None,
        }),
        End::GaveUp(why) => Outcome::NotReached(why),
    };
    Ok(DfsResult { outcome, stats })
}

/// Searches for the least measure at which a sequence of moves from a state ends. Ends early at an
/// unbeatable bound: the least measure of the solved states, if they can be listed, or one more if
/// the puzzle proves that none can be reached. By the contract of `measure`, no line ends below the
/// solved states. For a loaded library this is unverified, so there the search continues to the
/// end, without symmetry, and bounds only on the rulebook.
///
/// # Errors
/// [`EngineError`] if the graph is not layered, the puzzle has no measure or fails.
pub fn fewest<K: Key>(
    graph: &Graph<K>,
    start: K,
    options: &DfsOptions,
    stop: &Stop,
) -> Result<(Fewest<K>, Stats), EngineError> {
    if let Some(why) = no_fewest(graph) {
        return Err(refused(graph, &why));
    }
    let opened = &graph.opened;
    let proven = graph.proves(Capabilities::NONE);
    let reduction = match options.symmetry && proven {
        true => Reduction::keeping(graph, &Goal::Solved)?,
        false => Reduction::Identity,
    };
    let watch = Watch::start(options.limits, stop);
    let (floor, proof) = match proven {
        true => floor(graph, start)?,
        false => (0, Floor::Zero),
    };
    let mut search = DfsSearch::new(graph, &reduction, options)?;
    let (best, chain, gave_up) = search.fewest(start, floor, &watch)?;
    let line = follow(graph, &reduction, start, &chain)?;
    let (at_least, why) = match gave_up {
        None if best == floor => (best, proof),
        None if !proven && opened.variant != opened.library.reference_variant() => (
            floor,
            Floor::SearchedOf {
                variant: opened.variant.clone(),
                rulebook: opened.library.reference_variant().to_owned(),
            },
        ),
        None => (best, Floor::Searched),
        Some(why) => (floor, Floor::Stopped(why)),
    };
    let fewest = Fewest {
        best,
        line,
        at_least,
        why,
    };
    Ok((fewest, search.stats()))
}

/// Why the least measure cannot be found; `None` if it can.
fn no_fewest<K: Key>(graph: &Graph<K>) -> Option<String> {
    let without = "--goal fewest";
    let measured = graph.has(Capabilities::OBJECTIVE);
    let unmeasured = || format!("says nothing of what is to be the fewest; leave out {without}");
    not_layered(graph, "a search for the fewest", without).or_else(|| (!measured).then(unmeasured))
}

fn reduction<K: Key>(
    graph: &Graph<K>,
    goal: &Goal<K>,
    options: &DfsOptions,
) -> Result<Reduction, EngineError> {
    match options.symmetry {
        true => Ok(Reduction::keeping(graph, goal)?),
        false => Ok(Reduction::Identity),
    }
}

/// A lower bound on the measure at the end of any line, and its reason.
fn floor<K: Key>(graph: &Graph<K>, start: K) -> Result<(u64, Floor), EngineError> {
    if !graph.has(Capabilities::SOLVED_ROOTS) {
        return Ok((0, Floor::Zero));
    }
    let solved = graph.roots(Direction::Backward, 0)?;
    let least = graph.objective(&solved)?.into_iter().min().unwrap_or(0);
    let (open, proof) = open_goals(graph, start, &Goal::Solved)?;
    if proof.is_none() || !open.is_empty() {
        return Ok((least, Floor::Solved));
    }
    // A line may end with as little in a state that is not solved. Those have names.
    for name in graph.names()? {
        let named = graph.parse(&name)?;
        if !solved.contains(&named)
            && graph.objective(&[named])?[0] <= least
            && graph.refute(start, Some(named))?.is_none()
        {
            return Ok((least, Floor::Solved));
        }
    }
    Ok((least + 1, Floor::NoneSolved))
}
