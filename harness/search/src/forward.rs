//! Forward search from one state on the successors alone: the oracle of both samples, and the
//! search loop of engines `reference` and `orbits` for paths.

use antipode_graph::{Expansion, Graph, PluginError};
use hashbrown::HashMap;
use puzzle_api::{Direction, Key, UNSOLVABLE};

use crate::breadth_first::BreadthFirst;
use crate::outcome::{Outcome, StopReason, counted};
pub use crate::question::Goal;
use crate::reduction::{Reduction, follow};
use crate::steps::{BATCH, DirectionSteps};

/// Initial capacity in representatives: those of the Donkey fit.
const ROOM: usize = 14_000;

/// Outcome of a forward search.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Path<K> {
    /// How it ended.
    pub outcome: Outcome<K>,
    /// States seen, the size of the search tree.
    pub seen: u64,
    /// The same, counting one state per orbit of start and goal, if symmetry is used.
    pub orbits: u64,
    /// States of each level, as far as the search went.
    pub levels: Vec<u64>,
}

/// Breadth-first search forward, by default without symmetry.
#[derive(Debug, Clone)]
pub struct ForwardSolver<K> {
    graph: Graph<K>,
    reduction: Reduction,
}

impl<K: Key> ForwardSolver<K> {
    /// A solver on a graph; checks use the graph of the reference variant.
    pub fn new(graph: Graph<K>) -> Self {
        Self::by_orbits(graph, Reduction::Identity)
    }

    /// A solver in which one state represents its orbit under these symmetries. They must keep the
    /// start, so that the whole orbit has the same distance from it, and the goal.
    pub(crate) fn by_orbits(graph: Graph<K>, reduction: Reduction) -> Self {
        Self { graph, reduction }
    }

    /// The graph it searches.
    pub fn graph(&self) -> &Graph<K> {
        &self.graph
    }

    /// Distance from a state to the nearest solved one, or [`UNSOLVABLE`].
    pub fn distance(&self, start: K) -> Result<u16, PluginError> {
        let path = self.shortest(start, &Goal::Solved, &mut || false)?;
        // Nothing stops it, so it fails only if the path has more moves than levels can count.
        path.outcome.distance().ok_or_else(|| {
            let opened = &self.graph.opened;
            opened.broken(
                "successors",
                "leads on for more moves than are counted".to_owned(),
            )
        })
    }

    /// Distance from a state to a goal ([`UNSOLVABLE`] if there is none) and the states seen.
    /// Without a distance if more than `most` were seen before it was found, or if it is more than
    /// [`counted`].
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

    /// A shortest path; the same on every run. `stopping` is called between levels.
    pub fn shortest(
        &self,
        start: K,
        goal: &Goal<K>,
        stopping: &mut dyn FnMut() -> bool,
    ) -> Result<Path<K>, PluginError> {
        self.shortest_within(u64::MAX, start, goal, stopping)
    }

    /// Like [`ForwardSolver::shortest`], but gives up in the level in which more than `most` states
    /// are seen.
    pub fn shortest_within(
        &self,
        most: u64,
        start: K,
        goal: &Goal<K>,
        stopping: &mut dyn FnMut() -> bool,
    ) -> Result<Path<K>, PluginError> {
        self.shortest_no_deeper((most, None), start, goal, stopping)
    }

    /// Like [`ForwardSolver::shortest_within`] n states, and within a number of moves if a depth is
    /// given.
    pub fn shortest_no_deeper(
        &self,
        (most, deepest): (u64, Option<u16>),
        start: K,
        goal: &Goal<K>,
        stopping: &mut dyn FnMut() -> bool,
    ) -> Result<Path<K>, PluginError> {
        let (graph, reduction) = (&self.graph, &self.reduction);
        let list = |steps: DirectionSteps, keys: &[K], out: &mut Expansion<K>| {
            reduction.expand(graph, steps, keys, out)
        };
        let mut search = self.around(start).traced();
        if *reduction != Reduction::Identity {
            search = search.listing(&list).with_capacity(ROOM);
        }
        // A limit of few states is looked at often.
        let mut search = search.looking_every(usize::try_from(most / 256).unwrap_or(usize::MAX));
        let (mut levels, mut seen, mut orbits) = (Vec::new(), 0, 0);
        let outcome = loop {
            if search.level().is_empty() {
                break Outcome::exhausted(Direction::Forward, seen, Some(levels.len() as u32));
            }
            if stopping() {
                break Outcome::NotReached(StopReason::Requested);
            }
            let states = match reduction {
                Reduction::Identity => search.level().len() as u64,
                _ => reduction.sizes(graph, search.level())?.iter().sum(),
            };
            let goal = self.goal_in(search.level(), goal)?;
            if goal.is_none() && seen + states > most {
                break Outcome::NotReached(StopReason::States(most));
            }
            levels.push(states);
            seen += states;
            orbits += search.level().len() as u64;
            if let Some(at) = goal {
                let chain = search.way_to(at);
                let path = match reduction {
                    Reduction::Identity => chain,
                    _ => follow(graph, reduction, start, &chain[1..])?,
                };
                break Outcome::shortest(path);
            }
            if let Some(deepest) = deepest.filter(|&deepest| search.depth() >= deepest.into()) {
                break Outcome::NotReached(StopReason::Depth(deepest));
            }
            if !search.advance_within(search.seen().saturating_add(most - seen))? {
                break Outcome::NotReached(StopReason::States(most));
            }
        };
        Ok(Path {
            outcome,
            seen,
            orbits,
            levels,
        })
    }

    /// Number of shortest lines of states from a state to a solved one, at most 2^128 - 1; 0 if
    /// there is none, `None` if stopped. `stopping` is called between levels.
    pub fn solutions(
        &self,
        start: K,
        stopping: &mut dyn FnMut() -> bool,
    ) -> Result<Option<u128>, PluginError> {
        let mut search = self.around(start);
        let (mut lines, mut out) = (HashMap::from([(start, 1_u128)]), Expansion::default());
        while !search.level().is_empty() {
            let level = search.level().to_vec();
            let solved = self.graph.is_solved(&level)?.into_iter().zip(&level);
            let solved = solved
                .filter(|(solved, _)| *solved)
                .map(|(_, key)| lines[key]);
            match solved.fold(0, u128::saturating_add) {
                0 if stopping() => return Ok(None),
                0 => {}
                all => return Ok(Some(all)),
            }
            search.advance()?;
            let mut next: HashMap<K, u128> = search.level().iter().map(|&key| (key, 0)).collect();
            for batch in level.chunks(BATCH) {
                self.graph.expand(Direction::Forward, batch, &mut out)?;
                for (i, &key) in batch.iter().enumerate() {
                    for other in out.others(i, key) {
                        if let Some(all) = next.get_mut(&other) {
                            *all = all.saturating_add(lines[&key]);
                        }
                    }
                }
            }
            lines = next;
        }
        Ok(Some(0))
    }

    fn around(&self, start: K) -> BreadthFirst<'_, K> {
        BreadthFirst::new(&self.graph, &[DirectionSteps::FORWARD], &[start])
    }

    /// Place of the first goal in a level; for representatives, that of the smallest.
    fn goal_in(&self, level: &[K], goal: &Goal<K>) -> Result<Option<usize>, PluginError> {
        if self.reduction == Reduction::Identity {
            return goal.first_in(&self.graph, level);
        }
        let smallest = goal.smallest_of(&self.graph, level)?;
        Ok(level.iter().position(|&key| Some(key) == smallest))
    }
}
