//! What searches for one path share: the question, its limits, symmetry that keeps the
//! goal, and the check of a path on the rulebook.

mod replay;
mod symmetry;

use std::time::{Duration, Instant};

use puzzle_api::{Capabilities, Direction, Key};

use super::EngineError;
use crate::forward::Goal;
use crate::progress::Stop;
use antipode_graph::Graph;
pub use replay::{check_path, follow};
pub use symmetry::Reduction;

/// How a search for one path ended.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Found<K> {
    /// States from the start to the goal, both included.
    Path(Vec<K>),
    /// There is no path, and that is certain; why, in one line.
    NoPath(String),
    /// Not known; what ended the search, in one line.
    Unknown(String),
}

/// When to give up.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Limits {
    /// States expanded.
    pub nodes: Option<u64>,
    /// Wall-clock time.
    pub time: Option<Duration>,
}

/// Limits with the clock running.
#[derive(Debug)]
pub struct Watch<'a> {
    limits: Limits,
    started: Instant,
    stop: &'a Stop,
}

impl<'a> Watch<'a> {
    /// Starts the clock.
    #[must_use]
    pub fn start(limits: Limits, stop: &'a Stop) -> Self {
        Self {
            limits,
            started: Instant::now(),
            stop,
        }
    }

    /// Why to give up after so many states, if there is a reason.
    #[must_use]
    pub fn over(&self, nodes: u64) -> Option<String> {
        if self.stop.requested() {
            return Some("stopped on request".to_owned());
        }
        if let Some(limit) = self.limits.nodes.filter(|&limit| nodes >= limit) {
            return Some(format!("stopped at the limit of {limit} states"));
        }
        let limit = self.limits.time?;
        (self.started.elapsed() >= limit)
            .then(|| format!("stopped at the limit of {:.1} s", limit.as_secs_f64()))
    }
}

/// Refuses graphs in which a path can come back to a state: a search that keeps no path
/// in its table would give wrong answers there.
///
/// # Errors
/// [`EngineError::CannotHold`] that names what to use instead.
pub fn require_layers<K: Key>(graph: &Graph<K>, engine: &str) -> Result<(), EngineError> {
    if graph.has(Capabilities::LAYERED) {
        return Ok(());
    }
    Err(EngineError::CannotHold(format!(
        "{}: {engine} needs a layered graph, in which no state can come back; leave out --engine",
        graph.opened.full_name()
    )))
}

/// Goal states of a question that the puzzle cannot show to be out of reach, and the
/// proof for one of those that it can.
///
/// # Errors
/// [`EngineError`] where the puzzle fails or cannot list its solved states.
pub fn open_goals<K: Key>(
    graph: &Graph<K>,
    start: K,
    goal: &Goal<K>,
) -> Result<(Vec<K>, Option<String>), EngineError> {
    let all = match goal {
        Goal::State(key) => vec![*key],
        Goal::Solved if graph.has(Capabilities::SOLVED_ROOTS) => {
            graph.roots(Direction::Backward, 0)?
        }
        Goal::Solved => {
            return Err(EngineError::CannotHold(format!(
                "{}: cannot list its solved states; give a goal by --to",
                graph.opened.full_name()
            )));
        }
    };
    let (mut open, mut proof) = (Vec::new(), None);
    for key in all {
        match graph.refute(start, Some(key))? {
            None => open.push(key),
            Some(text) => proof = Some(text),
        }
    }
    Ok((open, proof))
}
