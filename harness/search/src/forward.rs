//! Forward search from one state on the successors alone: the yardstick of both samples,
//! and what `solve` uses.

use std::collections::hash_map::Entry;

use foldhash::fast::RandomState;
use puzzle_api::{Direction, Key, UNSOLVABLE};

use antipode_graph::{Expansion, Graph, PluginError};

use crate::outcome::{Outcome, Proof, StopReason};

type Map<K, V> = std::collections::HashMap<K, V, RandomState>;

/// Outcome of a forward search.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Path<K> {
    /// How it ended.
    pub outcome: Outcome<K>,
    /// States seen, the size of the search tree.
    pub seen: u64,
    /// States of each level, as far as the search went.
    pub levels: Vec<u64>,
}

/// Goal of a forward search.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Goal<K> {
    /// Any solved state.
    Solved,
    /// One state.
    State(K),
}

/// Breadth-first search forward, without symmetry.
#[derive(Debug, Clone)]
pub struct ForwardSolver<K> {
    graph: Graph<K>,
}

impl<K: Key> ForwardSolver<K> {
    /// A solver on a graph; for checks, the graph of the reference variant.
    #[must_use]
    pub fn new(graph: Graph<K>) -> Self {
        Self { graph }
    }

    /// The graph it searches.
    #[must_use]
    pub fn graph(&self) -> &Graph<K> {
        &self.graph
    }

    /// Distance from a state to the nearest solved one, or [`UNSOLVABLE`].
    ///
    /// # Errors
    /// [`PluginError`] where the puzzle fails.
    pub fn distance(&self, start: K) -> Result<u16, PluginError> {
        let path = self.shortest(start, &Goal::Solved, &mut || false)?;
        // Nothing stops it, so what is no path is known to be none.
        Ok(path.outcome.distance().unwrap_or(UNSOLVABLE))
    }

    /// Distance from a state to a goal ([`UNSOLVABLE`] where there is none) and the states
    /// seen; without a distance where more than `most` were seen before it was found.
    ///
    /// # Errors
    /// [`PluginError`] where the puzzle fails.
    pub fn within(
        &self,
        start: K,
        goal: &Goal<K>,
        most: u64,
    ) -> Result<(Option<u16>, u64), PluginError> {
        let mut known: foldhash::HashSet<K> = foldhash::HashSet::default();
        known.insert(start);
        let mut level = vec![start];
        let mut out = Expansion::default();
        let mut depth = 0;
        while !level.is_empty() {
            if self.goal_in(&level, goal)?.is_some() {
                return Ok((Some(depth), known.len() as u64));
            }
            let mut next = Vec::new();
            for batch in level.chunks(crate::engines::BATCH) {
                if known.len() as u64 > most {
                    return Ok((None, known.len() as u64));
                }
                self.graph.expand(Direction::Forward, batch, &mut out)?;
                next.extend(out.keys().iter().filter(|&&key| known.insert(key)));
            }
            level = next;
            depth = depth.saturating_add(1);
        }
        Ok((Some(UNSOLVABLE), known.len() as u64))
    }

    /// A shortest path; the same on every run. `stopping` is asked between levels.
    ///
    /// # Errors
    /// [`PluginError`] where the puzzle fails.
    pub fn shortest(
        &self,
        start: K,
        goal: &Goal<K>,
        stopping: &mut dyn FnMut() -> bool,
    ) -> Result<Path<K>, PluginError> {
        self.shortest_within(u64::MAX, start, goal, stopping)
    }

    /// [`ForwardSolver::shortest`], given up after the level in which more than `most`
    /// states were seen.
    ///
    /// # Errors
    /// [`PluginError`] where the puzzle fails.
    pub fn shortest_within(
        &self,
        most: u64,
        start: K,
        goal: &Goal<K>,
        stopping: &mut dyn FnMut() -> bool,
    ) -> Result<Path<K>, PluginError> {
        let mut parents: Map<K, K> = Map::default();
        parents.insert(start, start);
        let mut level = vec![start];
        let mut levels = Vec::new();
        let mut out = Expansion::default();
        let outcome = loop {
            if level.is_empty() {
                break Outcome::Unreachable(Proof::Exhausted {
                    direction: Direction::Forward,
                    states: parents.len() as u64,
                    levels: Some(levels.len() as u32),
                });
            }
            if stopping() {
                break Outcome::NotReached(StopReason::Requested);
            }
            levels.push(level.len() as u64);
            if let Some(reached) = self.goal_in(&level, goal)? {
                break Outcome::shortest(trace(&parents, reached));
            }
            if parents.len() as u64 > most {
                break Outcome::NotReached(StopReason::States(most));
            }
            let mut next = Vec::new();
            for batch in level.chunks(crate::engines::BATCH) {
                self.graph.expand(Direction::Forward, batch, &mut out)?;
                for (i, &parent) in batch.iter().enumerate() {
                    for &child in out.of(i) {
                        if let Entry::Vacant(free) = parents.entry(child) {
                            free.insert(parent);
                            next.push(child);
                        }
                    }
                }
            }
            level = next;
        };
        Ok(Path {
            outcome,
            seen: parents.len() as u64,
            levels,
        })
    }

    fn goal_in(&self, level: &[K], goal: &Goal<K>) -> Result<Option<K>, PluginError> {
        match goal {
            Goal::State(key) => Ok(level.contains(key).then_some(*key)),
            Goal::Solved => {
                let solved = self.graph.is_solved(level)?;
                Ok(level
                    .iter()
                    .zip(solved)
                    .find_map(|(&key, solved)| solved.then_some(key)))
            }
        }
    }
}

/// The way back from `reached` to the start, turned around.
fn trace<K: Key>(parents: &Map<K, K>, reached: K) -> Vec<K> {
    let mut path = vec![reached];
    let mut at = reached;
    while let Some(&parent) = parents.get(&at) {
        if parent == at {
            break;
        }
        path.push(parent);
        at = parent;
    }
    path.reverse();
    path
}
