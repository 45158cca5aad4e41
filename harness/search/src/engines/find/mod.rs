//! Shared code of searches for one path: the question, its limits, symmetry that keeps the goal,
//! and the check of a path on the rulebook.

mod recheck;

use std::time::Instant;

use antipode_reports::count;
use indicatif::HumanCount;
use puzzle_api::{Direction, Key};

use crate::error::EngineError;
pub use crate::options::SearchLimits;
use crate::outcome::{FoundPath, Outcome, StopReason};
use crate::progress::Stop;
use crate::question::Goal;
pub use crate::reduction::Reduction;
pub use crate::replay::{check_given, check_path, follow};
use antipode_graph::{Capabilities, Graph};
pub use recheck::{RECHECKED, borne_out};

/// Limits with the clock running.
#[derive(Debug)]
pub struct Watch<'a> {
    limits: SearchLimits,
    started: Instant,
    stop: &'a Stop,
}

impl<'a> Watch<'a> {
    /// Starts the clock.
    #[must_use]
    pub fn start(limits: SearchLimits, stop: &'a Stop) -> Self {
        Self {
            limits,
            started: Instant::now(),
            stop,
        }
    }

    /// The remaining limits for a search that begins now, without the limit on states.
    #[must_use]
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
    #[must_use]
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

/// Refuses graphs in which a path can return to a state: a search that keeps no path in its table
/// would give wrong answers there.
///
/// # Errors
/// [`EngineError::CannotHold`] that names what to use instead.
pub fn require_layers<K: Key>(
    graph: &Graph<K>,
    what: &str,
    without: &str,
) -> Result<(), EngineError> {
    not_layered(graph, what, without).map_or(Ok(()), |why| Err(refused(graph, &why)))
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

/// The error of a graph that a search cannot take.
pub fn refused<K: Key>(graph: &Graph<K>, why: &str) -> EngineError {
    EngineError::CannotHold(format!("{}: {why}", graph.opened.full_name()))
}

/// A path through a layered graph. Between two given states all have equal length; a lower bound
/// may prove that none of several goals is nearer.
///
/// # Errors
/// [`EngineError`] if the puzzle fails.
pub fn layered_path<K: Key>(
    graph: &Graph<K>,
    states: Vec<K>,
    goal: &Goal<K>,
) -> Result<Outcome<K>, EngineError> {
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
) -> Result<(Vec<K>, Option<String>), EngineError> {
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
pub fn listed_goals<K: Key>(graph: &Graph<K>, goal: &Goal<K>) -> Result<Vec<K>, EngineError> {
    match goal {
        Goal::State(key) => Ok(vec![*key]),
        Goal::Solved if graph.has(Capabilities::SOLVED_ROOTS) => {
            Ok(graph.roots(Direction::Backward, 0)?)
        }
        Goal::Solved => Err(EngineError::CannotHold(format!(
            "{}: cannot list its solved states; give a goal by --to",
            graph.opened.full_name()
        ))),
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
