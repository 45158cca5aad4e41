//! Forward search from one state on the successors alone: the oracle of both samples,
//! and what `solve` uses.

use puzzle_api::{Direction, Key, UNSOLVABLE};

use crate::breadth_first::BreadthFirst;
use crate::outcome::{Outcome, Proof, StopReason, counted};
pub use crate::question::Goal;
use crate::steps::Steps;
use antipode_graph::{Graph, PluginError};

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
        // Nothing stops it, so only a path of more moves than levels count has no distance.
        path.outcome.distance().ok_or_else(|| {
            let opened = &self.graph.opened;
            opened.broken(
                "successors",
                "leads on for more moves than are counted".to_owned(),
            )
        })
    }

    /// Distance from a state to a goal ([`UNSOLVABLE`] where there is none) and the states
    /// seen; without a distance where more than `most` were seen before it was found, or where
    /// it is more than [`counted`].
    ///
    /// # Errors
    /// [`PluginError`] where the puzzle fails.
    pub fn within(
        &self,
        start: K,
        goal: &Goal<K>,
        most: u64,
    ) -> Result<(Option<u16>, u64), PluginError> {
        let mut search = self.around(start);
        while !search.level().is_empty() {
            if self.goal_in(search.level(), goal)?.is_some() {
                return Ok((counted(search.depth()), search.seen()));
            }
            if !search.advance_within(most)? {
                return Ok((None, search.seen()));
            }
        }
        Ok((Some(UNSOLVABLE), search.seen()))
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
        self.shortest_no_deeper((most, None), start, goal, stopping)
    }

    /// [`ForwardSolver::shortest_within`] so many states and, where a depth is given too, so
    /// many moves.
    ///
    /// # Errors
    /// [`PluginError`] where the puzzle fails.
    pub fn shortest_no_deeper(
        &self,
        (most, deepest): (u64, Option<u16>),
        start: K,
        goal: &Goal<K>,
        stopping: &mut dyn FnMut() -> bool,
    ) -> Result<Path<K>, PluginError> {
        let mut search = self.around(start).traced();
        let mut levels = Vec::new();
        let outcome = loop {
            if search.level().is_empty() {
                break Outcome::Unreachable(Proof::Exhausted {
                    direction: Direction::Forward,
                    states: search.seen(),
                    levels: Some(levels.len() as u32),
                });
            }
            if stopping() {
                break Outcome::NotReached(StopReason::Requested);
            }
            levels.push(search.level().len() as u64);
            if let Some(at) = self.goal_in(search.level(), goal)? {
                break Outcome::shortest(search.way_to(at));
            }
            if search.seen() > most {
                break Outcome::NotReached(StopReason::States(most));
            }
            if let Some(deepest) = deepest.filter(|&deepest| search.depth() >= deepest.into()) {
                break Outcome::NotReached(StopReason::Depth(deepest));
            }
            search.advance()?;
        };
        Ok(Path {
            outcome,
            seen: search.seen(),
            levels,
        })
    }

    fn around(&self, start: K) -> BreadthFirst<'_, K> {
        BreadthFirst::new(&self.graph, &[Steps::FORWARD], &[start])
    }

    /// Place of the first goal in a level.
    fn goal_in(&self, level: &[K], goal: &Goal<K>) -> Result<Option<usize>, PluginError> {
        match goal {
            Goal::State(goal) => Ok(level.iter().position(|key| key == goal)),
            Goal::Solved => {
                let solved = self.graph.is_solved(level)?;
                Ok(solved.iter().position(|&solved| solved))
            }
        }
    }
}
