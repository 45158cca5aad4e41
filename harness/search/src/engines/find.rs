//! Shared code of searches for one path: the question, its limits, symmetry that keeps the goal,
//! and the check of a path on the rulebook.

use std::time::Instant;

use antipode_graph::{Capabilities, Graph};
use antipode_reports::count;
use indicatif::HumanCount;
use puzzle_api::Key;

use crate::error::{EngineError, Result};
use crate::forward::ForwardSolver;
pub use crate::options::SearchLimits;
use crate::outcome::{FoundPath, Outcome, StopReason};
use crate::progress::Stop;
use crate::question::{Goal, PathQuestion};
pub use crate::reduction::{Reduction, check_given, check_path, follow};

/// Limits with the clock running.
#[derive(Debug)]
pub struct Watch<'a> {
    limits: SearchLimits,
    started: Instant,
    stop: &'a Stop,
}

impl<'a> Watch<'a> {
    /// Starts the clock.
    pub fn start(limits: SearchLimits, stop: &'a Stop) -> Self {
        Self {
            limits,
            started: Instant::now(),
            stop,
        }
    }

    /// The remaining limits for a search that begins now, without the limit on states.
    pub fn left(&self) -> SearchLimits {
        SearchLimits {
            nodes: None,
            time: self
                .limits
                .time
                .map(|time| time.saturating_sub(self.started.elapsed())),
        }
    }

    /// Why to give up after n states, if there is a reason.
    pub fn over(&self, nodes: u64) -> Option<StopReason> {
        if self.stop.requested() {
            return Some(StopReason::Requested);
        }
        if let Some(limit) = self.limits.nodes.filter(|&limit| nodes >= limit) {
            return Some(StopReason::States(limit));
        }
        let limit = self.limits.time?;
        (self.started.elapsed() >= limit).then_some(StopReason::Time(limit))
    }
}

/// Why a graph in which a path can return to a state is refused; `None` if none can.
pub fn not_layered<K: Key>(graph: &Graph<K>, what: &str, without: &str) -> Option<String> {
    let layered = graph.has(Capabilities::LAYERED);
    (!layered).then(|| {
        format!(
            "{what} needs a layered graph, in which no state can come back; leave out {without}"
        )
    })
}

/// A path through a layered graph. Between two given states all have equal length; a lower bound
/// may prove that none of several goals is nearer.
pub fn layered_path<K: Key>(
    graph: &Graph<K>,
    states: Vec<K>,
    goal: &Goal<K>,
) -> Result<Outcome<K>> {
    let shortest = match goal {
        Goal::State(_) => true,
        Goal::Solved => {
            graph.proves(Capabilities::LOWER_BOUND)
                && graph.lower_bound(&states[..1])?[0] + 1 >= states.len() as u64
        }
    };
    Ok(Outcome::Path(FoundPath { states, shortest }))
}

/// Goal states of a question that the puzzle cannot show to be unreachable, and its proof for one
/// of the others.
///
/// # Errors
/// [`EngineError`] if the puzzle fails or cannot list its solved states.
pub fn open_goals<K: Key>(
    graph: &Graph<K>,
    start: K,
    goal: &Goal<K>,
) -> Result<(Vec<K>, Option<String>)> {
    let (mut open, mut proof) = (Vec::new(), None);
    for key in listed_goals(graph, goal)? {
        match graph.refute(start, Some(key))? {
            None => open.push(key),
            Some(text) => proof = Some(text),
        }
    }
    Ok((open, proof))
}

/// All goal states of a question.
///
/// # Errors
/// [`EngineError`] if the puzzle fails or cannot list its solved states.
pub fn listed_goals<K: Key>(graph: &Graph<K>, goal: &Goal<K>) -> Result<Vec<K>> {
    match goal {
        Goal::State(key) => Ok(vec![*key]),
        Goal::Solved if graph.has(Capabilities::SOLVED_ROOTS) => Ok(graph.all_solved()?),
        Goal::Solved => Err(EngineError::refused(
            &graph.opened,
            "cannot list its solved states; give a goal by --to",
        )),
    }
}

/// Describes the outcome of a search that finds some path, and does not search level by level.
pub(super) fn say<K>(outcome: &Outcome<K>, searched: &str) -> String {
    match outcome {
        Outcome::Path(FoundPath { shortest: true, .. }) => {
            format!("the fewest possible, played again on the rulebook ({searched})")
        }
        Outcome::Path(_) | Outcome::Levels => format!("played again on the rulebook ({searched})"),
        Outcome::Unreachable(proof) => format!("unsolvable: {proof}"),
        Outcome::NotReached(why) => format!("{why}; not decided ({searched})"),
    }
}

/// Describes the outcome of a search by levels; the goal is in the last one.
pub(super) fn say_levels<K>(outcome: &Outcome<K>, levels: usize, seen: u64) -> String {
    let states = count(seen, "states");
    let seen = HumanCount(seen);
    match outcome {
        Outcome::Path(_) | Outcome::Levels => format!("the fewest possible ({states} seen)"),
        Outcome::Unreachable(_) => {
            format!("unsolvable: all {seen} reachable states were searched, and none is a goal")
        }
        Outcome::NotReached(StopReason::Requested) => {
            format!("stopped after {levels} levels and {states} without an answer")
        }
        Outcome::NotReached(why) => {
            format!("{why}; not decided ({levels} levels and {states} seen)")
        }
    }
}

// Rechecks the answer of a loaded library on its rulebook alone.
//
// If a library was loaded, a search rests on unverified data: moves of a fast variant,
// predecessors, symmetries, parts. A replay shows that a path is valid. A plain search on the
// rulebook shows that none is shorter, or that there is none.

/// States that such a search may see.
pub const RECHECKED: u64 = 2_000_000;

/// Whether the rulebook confirms the distance of an outcome. False if that takes more than
/// [`RECHECKED`] states, or the user stopped the search for it. Also true for outcomes without
/// distances, and for built-in puzzles.
///
/// # Errors
/// [`EngineError`] if the two differ, or the puzzle fails.
pub fn borne_out<K: Key>(question: &PathQuestion<'_, K>, outcome: &Outcome<K>) -> Result<bool> {
    let proven = question.graph.proves(Capabilities::NONE);
    let Some(found) = outcome.fewest().filter(|_| !proven) else {
        return Ok(true);
    };
    let rules = ForwardSolver::new(question.rules.clone());
    let mut stopping = || question.stop.requested();
    let again = rules.shortest_within(RECHECKED, question.start, &question.goal, &mut stopping)?;
    if let Outcome::NotReached(StopReason::States(_) | StopReason::Requested) = again.outcome {
        return Ok(false);
    }
    let by_rules = again.outcome.fewest();
    if by_rules == Some(found) {
        return Ok(true);
    }
    let text = |fewest: Option<usize>| match fewest {
        None => "no path".to_owned(),
        Some(moves) => count(moves, question.graph.opened.unit()),
    };
    Err(EngineError::Disagree(format!(
        "{}: {} by variant {} and what else the library says, {} by its rulebook alone, variant {}",
        question.graph.opened.full_name(),
        text(found),
        question.graph.opened.variant,
        text(by_rules.flatten()),
        question.rules.opened.variant
    )))
}
