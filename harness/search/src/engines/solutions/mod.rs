//! Engine `solutions`: all solutions of a layered graph at once. It finds the states on solutions,
//! level by level, and the number of sequences of moves.
//!
//! A search forward from the start and one backward from the goals meet in the middle. From there,
//! each is walked back, and only states on both sides stay. If time can be reversed and the goal is
//! the image of the start, the second half is the image of the first.

mod bridge;
mod engine;
mod lines;
mod links;
mod meet;

use std::sync::atomic::{AtomicU64, Ordering::Relaxed};

use antipode_graph::{Capabilities, Expansion, Graph, PluginError};
use puzzle_api::{Direction, Key, NEVER};

use crate::engines::find::{Reduction, Watch, not_layered, open_goals, refused};
use crate::error::EngineError;
use crate::kernel::{self, Kernel};
use crate::outcome::{NoPathProof, OnSolutions, Outcome, Solutions, Spent, StopReason};
use crate::question::{Goal, PathQuestion, SolutionsAnswer};
use crate::steps::DirectionSteps;
use crate::visited::{VisitedSet, partitions_of};
pub use engine::SolutionsEngine;
use links::Links;
use meet::{Met, Middle};

/// Finds all solutions of the shortest length; in a layered graph with one goal these are all
/// solutions. Holds about half of all states that can be reached, 9 bytes and more per state.
///
/// # Errors
/// [`EngineError`]: a graph that is not layered or has no backward moves, or a puzzle that fails.
pub fn solutions<K: Key>(
    question: &PathQuestion<'_, K>,
) -> Result<SolutionsAnswer<K>, EngineError> {
    let graph = question.graph;
    let back = steps_back(graph).map_err(|why| refused(graph, &why))?;
    let (goals, proof) = open_goals(graph, question.start, &question.goal)?;
    if goals.is_empty() {
        let proof = proof.map_or(NoPathProof::OtherParts, NoPathProof::Puzzle);
        return Ok(answer(Outcome::Unreachable(proof), None, 0));
    }
    let least = least_left(question, &goals)?;
    let mut search = Both {
        graph,
        reduction: keeping(question, &goals)?,
        back,
        least,
        bounds_start: least.is_some() && is_goal_turned(graph, question.start)?,
        out: Expansion::default(),
        expanded: 0,
    };
    let watch = Watch::start(question.options.limits(), question.stop);
    let middle = match search.meet(question.start, &goals, &watch) {
        Ok(Met::Middle(middle)) => middle,
        Ok(Met::Never) => {
            let proof = NoPathProof::Exhausted {
                direction: Direction::Forward,
                states: search.expanded,
                levels: None,
            };
            return Ok(answer(Outcome::Unreachable(proof), None, search.expanded));
        }
        Ok(Met::GaveUp(why)) => {
            return Ok(answer(Outcome::NotReached(why), None, search.expanded));
        }
        Err(error) => {
            let why = StopReason::of_limit(error)?;
            return Ok(answer(Outcome::NotReached(why), None, search.expanded));
        }
    };
    let found = search.between(middle, &goals)?;
    Ok(answer(Outcome::Levels, Some(found), search.expanded))
}

fn answer<K>(
    outcome: Outcome<K>,
    solutions: Option<Solutions>,
    expanded: u64,
) -> SolutionsAnswer<K> {
    SolutionsAnswer {
        outcome,
        solutions,
        spent: Spent {
            expanded,
            ..Spent::default()
        },
    }
}

/// The backward steps, or why not all solutions of a graph can be found.
fn steps_back<K: Key>(graph: &Graph<K>) -> Result<DirectionSteps, String> {
    if let Some(why) = not_layered(graph, "a search for all solutions", "--goal all") {
        return Err(why);
    }
    let lacks = || "lists no predecessors, which a search for all solutions needs".to_owned();
    DirectionSteps::backward(graph).ok_or_else(lacks)
}

/// The symmetries that keep the start and each goal, or the set of goals if any goal will do.
fn keeping<K: Key>(question: &PathQuestion<'_, K>, goals: &[K]) -> Result<Reduction, PluginError> {
    match question.goal {
        Goal::State(_) => Reduction::fixing(question.graph, &[question.start, goals[0]]),
        Goal::Solved => Reduction::fixing(question.graph, &[question.start]),
    }
}

/// A lower bound on the moves from the start to a goal, if the puzzle has one that holds for all
/// goals. As in a choice of engine, the bound of a loaded library is unverified.
fn least_left<K: Key>(
    question: &PathQuestion<'_, K>,
    goals: &[K],
) -> Result<Option<u64>, PluginError> {
    let graph = question.graph;
    if !graph.proves(Capabilities::LOWER_BOUND) || graph.is_solved(goals)?.contains(&false) {
        return Ok(None);
    }
    Ok(Some(graph.lower_bound(&[question.start])?[0]))
}

/// Whether the start is a goal once time is reversed. Then the states reached from the start are
/// the time-reversed states from which a goal is reached, and a bound applies to them too.
fn is_goal_turned<K: Key>(graph: &Graph<K>, start: K) -> Result<bool, PluginError> {
    if !graph.has(Capabilities::TIME_REVERSAL) {
        return Ok(false);
    }
    let mut turned = [start];
    graph.time_reversed(&mut turned)?;
    Ok(graph.is_solved(&turned)?[0])
}

/// Makes levels, and counts the states.
type Growing<'a, K> = (Kernel<'a, K, Expansion<K>>, &'a Watched<'a>);

/// Largest initial capacity of a level, as a multiple of the size of the level before.
const MOST_GROWN: usize = 2;

struct Both<'a, K> {
    graph: &'a Graph<K>,
    reduction: Reduction,
    back: DirectionSteps,
    /// A lower bound on the moves from the start to a goal, if there is one.
    least: Option<u64>,
    /// Whether the bound shows which states cannot be reached from the start.
    bounds_start: bool,
    out: Expansion<K>,
    expanded: u64,
}

impl<K: Key> Both<'_, K> {
    /// A level with time reversed; `None` if the puzzle does not support this.
    fn turned(&self, level: &[K]) -> Result<Option<Vec<K>>, PluginError> {
        if !self.graph.has(Capabilities::TIME_REVERSAL) {
            return Ok(None);
        }
        let mut keys = level.to_vec();
        self.graph.time_reversed(&mut keys)?;
        self.reduction.reduce(self.graph, &mut keys)?;
        Ok(Some(keys))
    }

    /// The states one move from those of the last of some levels, in order of their hashes. Along
    /// the moves, states that a bound shows to lead to no goal are left out. The set, whose memory
    /// is reused, then has all of them.
    fn step(
        &mut self,
        steps: DirectionSteps,
        levels: &[Vec<K>],
        set: &mut VisitedSet<K>,
        (kernel, watched): &Growing<'_, K>,
    ) -> Result<Result<Vec<K>, StopReason>, EngineError> {
        let (graph, reduction) = (self.graph, &self.reduction);
        let bounded = self.is_bounded(steps);
        let neighbours = |batch: &[K], out: &mut Expansion<K>| {
            expand(graph, reduction, (steps, bounded), batch, out)?;
            Ok(())
        };
        let expected = expected(levels);
        set.reset(partitions_of(expected), expected);
        watched.expanded.store(self.expanded, Relaxed);
        let filled = kernel.fill(&neighbours, set, &levels[levels.len() - 1..])?;
        self.expanded = watched.expanded.load(Relaxed);
        match filled {
            Ok(()) => {}
            Err(StopReason::Requested) => {
                let why = watched.watch.over(self.expanded);
                return Ok(Err(why.unwrap_or(StopReason::Requested)));
            }
            Err(why) => return Ok(Err(why)),
        }
        let mut next = Vec::new();
        if next.try_reserve_exact(set.len()).is_err() {
            return Ok(Err(kernel.no_more()));
        }
        // The bound is asked only once the states are in the set, unless the puzzle prunes by
        // itself. The set then also holds hopeless states, but checking each neighbour takes
        // longer.
        let asked = steps == DirectionSteps::FORWARD && bounded && !reduction.prunes(graph, steps);
        for partition in 0..set.partitions() {
            let first = next.len();
            set.list(partition, &mut next);
            if asked {
                let bounds = graph.lower_bound(&next[first..])?;
                leave_out(&mut next, first, &bounds);
            }
        }
        next.shrink_to_fit();
        Ok(Ok(next))
    }

    /// Whether a bound recognises neighbours on no solution: forward, those that lead to no goal;
    /// backward, those that the start does not reach.
    fn is_bounded(&self, steps: DirectionSteps) -> bool {
        match steps {
            DirectionSteps::FORWARD => self.least.is_some(),
            _ => self.bounds_start,
        }
    }

    /// Writes representatives of the neighbours of a batch to `out`, without some that are on no
    /// solution, if the puzzle recognises them.
    fn expand(&mut self, steps: DirectionSteps, batch: &[K]) -> Result<(), PluginError> {
        self.expanded += batch.len() as u64;
        let how = (steps, self.is_bounded(steps));
        expand(self.graph, &self.reduction, how, batch, &mut self.out)
    }

    /// The states on a line from the start to a goal.
    fn between(&mut self, middle: Middle<K>, goals: &[K]) -> Result<Solutions, EngineError> {
        let Middle {
            mut ahead,
            mut after,
            shared,
            mirrored,
        } = middle;
        let back = self.walk(self.back, &mut ahead)?;
        if mirrored {
            let mut levels = self.sizes(&ahead)?;
            let last = (&*ahead[ahead.len() - 1], back);
            let lines = self.count_mirrored(last, &after[0], shared)?;
            let turned = levels.len() - usize::from(shared);
            levels.extend_from_within(..turned);
            levels[ahead.len()..].reverse();
            return Ok(Solutions { levels, lines });
        }
        after.reverse();
        self.walk(DirectionSteps::FORWARD, &mut after)?;
        after.reverse();
        ahead.extend(after.into_iter().skip(usize::from(shared)));
        Ok(Solutions {
            levels: self.sizes(&ahead)?,
            lines: self.count(&ahead, back, goals)?,
        })
    }

    /// Goes from the last level, which has only states on a solution, to the first, and keeps the
    /// states that are one move from a kept state. Returns the links, the first level's first.
    fn walk(
        &mut self,
        steps: DirectionSteps,
        levels: &mut [Vec<K>],
    ) -> Result<Vec<Links>, EngineError> {
        let mut all = Vec::new();
        for at in (1..levels.len()).rev() {
            let mut links = self.links(steps, &levels[at], &levels[at - 1])?;
            links.keep(&mut levels[at - 1]);
            all.push(links);
        }
        all.reverse();
        Ok(all)
    }
}

/// Representatives of the neighbours of a batch, without those that the puzzle excludes by its
/// bound.
fn expand<K: Key>(
    graph: &Graph<K>,
    reduction: &Reduction,
    (steps, bounded): (DirectionSteps, bool),
    batch: &[K],
    out: &mut Expansion<K>,
) -> Result<(), PluginError> {
    match bounded {
        true => reduction.expand_pruned(graph, steps, batch, out),
        false => reduction.expand(graph, steps, batch, out),
    }
}

/// Why a search ends if the system provides no more memory.
const NO_MORE: &str = "the system gives no more memory for all solutions";

/// Counts the states of a step, and ends it if the search gives up.
struct Watched<'a> {
    watch: &'a Watch<'a>,
    expanded: AtomicU64,
}

impl<'a> Watched<'a> {
    fn new(watch: &'a Watch<'a>) -> Self {
        Self {
            watch,
            expanded: AtomicU64::new(0),
        }
    }
}

impl kernel::Watch for Watched<'_> {
    fn stopping(&self) -> bool {
        self.watch.over(self.expanded.load(Relaxed)).is_some()
    }

    fn expanded(&self, states: u64, _moves: u64) {
        self.expanded.fetch_add(states, Relaxed);
    }
}

/// The expected number of states one move from the last level: that level plus its increase over
/// the one before it, which is seldom too few.
fn expected<K>(levels: &[Vec<K>]) -> usize {
    let length = |back: usize| levels.len().checked_sub(back).map(|at| levels[at].len());
    let last = length(1).unwrap_or(0);
    let before = length(2).unwrap_or(0).max(1);
    let grown = last.saturating_mul(last) / before;
    grown.clamp(last / 2, MOST_GROWN * last)
}

/// Leaves out the states that lead to no goal, among those from `first` on. Without a branch per
/// state, which no processor could predict.
fn leave_out<K: Key>(keys: &mut Vec<K>, first: usize, bounds: &[u64]) {
    let mut kept = first;
    for (at, &bound) in (first..).zip(bounds) {
        keys[kept] = keys[at];
        kept += usize::from(bound != NEVER);
    }
    keys.truncate(kept);
}
