//! Forward search from one state on the successors alone: the yardstick of both samples,
//! and what `solve` uses.

use std::collections::hash_map::Entry;

use foldhash::fast::RandomState;
use puzzle_api::{Direction, Key, UNSOLVABLE};

use antipode_graph::{Expansion, Graph, PluginError};

type Map<K, V> = std::collections::HashMap<K, V, RandomState>;

/// Outcome of a forward search.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Path<K> {
    /// States from the start to the goal, both included; `None` where no goal can be
    /// reached, and every state that can be reached was seen.
    pub states: Option<Vec<K>>,
    /// States seen, the size of the search tree.
    pub seen: u64,
    /// States of each level, as far as the search went.
    pub levels: Vec<u64>,
}

impl<K> Path<K> {
    /// Number of moves, or [`UNSOLVABLE`].
    #[must_use]
    pub fn distance(&self) -> u16 {
        let states = self.states.as_ref();
        states.map_or(UNSOLVABLE, |states| (states.len() - 1) as u16)
    }
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
        Ok(self
            .shortest(start, &Goal::Solved, &mut || false)?
            .distance())
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

    /// A shortest path; the same on every run. `stopping` is asked between levels; when
    /// it says so, the path is `None` with the levels seen so far.
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
        while !level.is_empty() && !stopping() {
            levels.push(level.len() as u64);
            if let Some(reached) = self.goal_in(&level, goal)? {
                return Ok(Path {
                    states: Some(trace(&parents, reached)),
                    seen: parents.len() as u64,
                    levels,
                });
            }
            if parents.len() as u64 > most {
                break;
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
        }
        Ok(Path {
            states: None,
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
