//! Shortens a given path by searches along it that are small compared with a full one.
//!
//! - *Crossing and neighbourhood*: breadth-first search within the states a few moves around one
//!   path or several (iterative tunnelling: Furcy, "ITSA*", 2006).
//! - *Free ends*: from a state of the path to the nearest goal, whichever it is.
//! - *Windows*: between two states of the path, from both ends. Such a search finds the shortest
//!   path between them, so a window that does not change is proven.
//!
//! When none of them helps any more, each gets four times as much memory. Nothing is lost by
//! stopping: the shortest path so far is the answer.

mod region;
mod window;

use std::path::PathBuf;

use puzzle_api::Key;

use crate::engines::find::{Watch, check_given, check_path};
use crate::error::EngineError;
use crate::options::SearchLimits;
use crate::outcome::StopReason;
use crate::progress::{Stop, note};
use crate::question::Goal;
use crate::work::ScratchFolder;
use antipode_graph::{Expansion, Graph};
use antipode_reports::count;
use puzzle_api::Direction;
use window::Windows;

/// Bytes that the first round may take.
const FIRST_ROUND: u64 = 8 << 20;
/// Growth of the memory limit from round to round.
const MORE: u64 = 4;

/// Options and limits.
#[derive(Debug, Clone)]
pub struct ImproveOptions {
    /// Bytes of memory that a search may take.
    pub memory: u64,
    /// Folder for searches that outgrow the memory; each runs in a folder of its own there, which
    /// is removed at the end.
    pub work: PathBuf,
    /// When to give up; states are not counted here.
    pub limits: SearchLimits,
    /// Whether to report on stderr what became shorter.
    pub show_progress: bool,
}

impl ImproveOptions {
    /// Default bytes of memory: enough for windows of a hundred moves and more.
    pub const MEMORY: u64 = 1 << 30;
}

/// The states of a path between which no shorter path exists.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Proven {
    /// Moves before the first.
    pub from: usize,
    /// Moves before the last.
    pub to: usize,
}

/// The step that made a path shorter, and its length then.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Gain {
    /// The method used.
    pub by: &'static str,
    /// Moves of the path then.
    pub moves: usize,
}

/// A path, and the steps applied to it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Improved<K> {
    /// The path.
    pub states: Vec<K>,
    /// How it became shorter, in order.
    pub gains: Vec<Gain>,
    /// The widest windows that were searched completely, in order.
    pub proven: Vec<Proven>,
    /// Whether no path to any goal is shorter.
    pub shortest: bool,
    /// Why the searches ended; `None` if there is nothing left to gain.
    pub ended: Option<StopReason>,
}

impl<K> Improved<K> {
    /// Width in moves of the windows that were searched completely; 0 for none.
    #[must_use]
    pub fn window(&self) -> usize {
        let widths = self.proven.iter().map(|window| window.to - window.from);
        widths.min().unwrap_or(0)
    }
}

/// Shortens paths that all lead from one state to a goal, and joins them into one.
///
/// # Errors
/// [`EngineError`]: no path, one that starts elsewhere or is invalid on the rulebook, or a puzzle
/// that breaks its contract.
pub fn improve<K: Key>(
    graph: &Graph<K>,
    rules: &Graph<K>,
    goal: &Goal<K>,
    paths: Vec<Vec<K>>,
    options: &ImproveOptions,
    stop: &Stop,
) -> Result<Improved<K>, EngineError> {
    for path in &paths {
        check_given(rules, path, Some(goal))?;
    }
    let name = graph.opened.full_name();
    let least = paths.iter().min_by_key(|path| path.len()).cloned();
    let Some(states) = least.filter(|path| !path.is_empty()) else {
        return Err(EngineError::CannotHold(format!(
            "{name}: no path to shorten"
        )));
    };
    if paths.iter().any(|path| path[0] != states[0]) {
        let text = format!("{name}: the paths start at different states; give paths from one");
        return Err(EngineError::CannotHold(text));
    }
    let mut work = Shortening {
        graph,
        goal,
        options,
        scratch: ScratchFolder::within(&options.work)?,
        watch: Watch::start(options.limits, stop),
        stop,
        others: paths,
        done: Improved {
            states,
            gains: Vec::new(),
            proven: Vec::new(),
            shortest: false,
            ended: None,
        },
    };
    work.run()?;
    check_path(rules, &work.done.states, Some(goal))?;
    Ok(work.done)
}

/// A path being shortened.
struct Shortening<'a, K> {
    graph: &'a Graph<K>,
    goal: &'a Goal<K>,
    options: &'a ImproveOptions,
    scratch: ScratchFolder,
    watch: Watch<'a>,
    stop: &'a Stop,
    /// Paths to cross it with.
    others: Vec<Vec<K>>,
    done: Improved<K>,
}

impl<K: Key> Shortening<'_, K> {
    fn run(&mut self) -> Result<(), EngineError> {
        self.straighten()?;
        let mut memory = FIRST_ROUND.min(self.options.memory);
        loop {
            while !self.done.shortest && self.round(memory)? {}
            if self.done.shortest {
                return Ok(());
            }
            self.done.ended = self.watch.over(0);
            if self.done.ended.is_some() {
                return Ok(());
            }
            if memory >= self.options.memory {
                self.done.ended = Some(StopReason::memory(self.options.memory));
                return Ok(());
            }
            memory = memory.saturating_mul(MORE).min(self.options.memory);
        }
    }

    /// Tries everything once; returns whether something became shorter.
    fn round(&mut self, memory: u64) -> Result<bool, EngineError> {
        let before = self.moves();
        self.cross(memory)?;
        self.free_ends(memory)?;
        self.windows(memory)?;
        Ok(self.moves() < before && self.watch.over(0).is_none())
    }

    fn moves(&self) -> usize {
        self.done.states.len() - 1
    }

    /// Whether to stop before the next search.
    fn over(&self) -> bool {
        self.done.shortest || self.watch.over(0).is_some()
    }

    /// Replaces a part of the path by a shorter one.
    fn take(&mut self, states: Vec<K>, by: &'static str) {
        if states.len() >= self.done.states.len() {
            return;
        }
        self.others
            .push(std::mem::replace(&mut self.done.states, states));
        self.done.proven.clear();
        let moves = self.moves();
        self.done.gains.push(Gain { by, moves });
        if self.options.show_progress {
            note(format_args!("{}, by {by}", count(moves, "moves")));
        }
    }

    /// Ends the path at its first goal, and removes detours that return to a state.
    fn straighten(&mut self) -> Result<(), EngineError> {
        let mut states = self.done.states.clone();
        if let Goal::Solved = self.goal {
            let solved = self.graph.is_solved(&states)?;
            let first = solved.iter().position(|&solved| solved);
            states.truncate(first.map_or(states.len(), |at| at + 1));
        }
        let mut out = Expansion::default();
        let mut way = vec![states[0]];
        let mut at = 0;
        while at + 1 < states.len() {
            self.graph
                .expand(Direction::Forward, &[states[at]], &mut out)?;
            let ahead = (at + 1..states.len()).rev();
            let next = ahead
                .clone()
                .find(|&next| out.keys().contains(&states[next]));
            // For a state that occurs twice, the last occurrence counts.
            at = next.unwrap_or(at + 1);
            way.push(states[at]);
        }
        self.take(way, "leaving out detours");
        Ok(())
    }

    fn windows(&mut self, memory: u64) -> Result<(), EngineError> {
        Windows::new(memory).run(self)
    }
}

#[cfg(test)]
mod tests;
