//! Engine `solutions`: all solutions of a layered graph at once. It finds the states on solutions,
//! level by level, and the number of sequences of moves.
//!
//! A search forward from the start and one backward from the goals meet in the middle. From there,
//! each is walked back, and only states on both sides stay. If time can be reversed and the goal is
//! the image of the start, the second half is the image of the first.

mod lines;
mod links;

use antipode_graph::{Capabilities, Expansion, Graph, PluginError};
use puzzle_api::{Direction, Key, NEVER};

use super::find::{Reduction, Watch, not_layered, open_goals};
use crate::engine::{Engine, Facts};
use crate::error::{EngineError, Result};
use crate::kernel::{Kernel, Watched};
use crate::keyset::KeySet;
use crate::options::Opt;
use crate::outcome::{Counters, NoPathProof, OnSolutions, Outcome, Solutions, Spent, StopReason};
use crate::progress::{Progress, Stop};
use crate::question::{Ask, Goal, PathQuestion, QuestionKind, SolutionsAnswer};
use crate::steps::DirectionSteps;
use crate::visited::{VisitedSet, partitions_of};
use links::Links;

/// Finds all solutions of the shortest length; in a layered graph with one goal these are all
/// solutions. Holds about half of all states that can be reached, 9 bytes and more per state.
///
/// # Errors
/// [`EngineError`]: a graph that is not layered or has no backward moves, or a puzzle that fails.
pub fn solutions<K: Key>(question: &PathQuestion<'_, K>) -> Result<SolutionsAnswer<K>> {
    let graph = question.graph;
    let back = steps_back(graph).map_err(|why| EngineError::refused(&graph.opened, why))?;
    let (goals, proof) = open_goals(graph, question.start, &question.goal)?;
    if goals.is_empty() {
        let proof = proof.map_or(NoPathProof::OtherParts, NoPathProof::Puzzle);
        return Ok(answer(Outcome::Unreachable(proof), None, 0));
    }
    let least = least_left(question, &goals)?;
    let counters = Counters::default();
    let mut search = Both {
        graph,
        reduction: keeping(question, &goals)?,
        back,
        least,
        bounds_start: least.is_some() && is_goal_turned(graph, question.start)?,
        out: Expansion::default(),
        counters: &counters,
    };
    let watch = Watch::start(question.options.limits(), question.stop);
    let middle = match search.meet(question.start, &goals, &watch) {
        Ok(Met::Middle(middle)) => middle,
        Ok(Met::Never) => {
            let seen = counters.expanded();
            let none = Outcome::exhausted(Direction::Forward, seen, None);
            return Ok(answer(none, None, seen));
        }
        Ok(Met::GaveUp(why)) => {
            return Ok(answer(Outcome::NotReached(why), None, counters.expanded()));
        }
        Err(error) => {
            let why = StopReason::of_limit(error)?;
            return Ok(answer(Outcome::NotReached(why), None, counters.expanded()));
        }
    };
    let found = search.between(middle, &goals)?;
    Ok(answer(Outcome::Levels, Some(found), counters.expanded()))
}

fn answer<K>(
    outcome: Outcome<K>,
    solutions: Option<Solutions>,
    expanded: u64,
) -> SolutionsAnswer<K> {
    SolutionsAnswer {
        outcome,
        solutions,
        spent: Spent::of(expanded, None),
    }
}

/// The backward steps, or why not all solutions of a graph can be found.
fn steps_back<K: Key>(graph: &Graph<K>) -> Result<DirectionSteps, String> {
    if let Some(why) = not_layered(graph, "a search for all solutions", "--goal all") {
        return Err(why);
    }
    let lacks = || {
        "lists no predecessors, which a search for all solutions needs; leave out --goal all"
            .to_owned()
    };
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
type Growing<'a, K> = (Kernel<'a, K, Expansion<K>>, &'a Watch<'a>);

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
    counters: &'a Counters,
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
        (kernel, watch): &Growing<'_, K>,
    ) -> Result<Result<Vec<K>, StopReason>> {
        let (graph, reduction) = (self.graph, &self.reduction);
        let bounded = self.is_bounded(steps);
        let neighbours = |batch: &[K], out: &mut Expansion<K>| {
            expand(graph, reduction, (steps, bounded), batch, out)?;
            Ok(())
        };
        let expected = expected(levels);
        set.reset(partitions_of(expected), expected);
        let filled = kernel.fill(&neighbours, set, &levels[levels.len() - 1..])?;
        match filled {
            Ok(()) => {}
            Err(StopReason::Requested) => {
                let why = watch.over(self.counters.expanded());
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
        self.counters.batch(batch.len(), 0);
        let how = (steps, self.is_bounded(steps));
        expand(self.graph, &self.reduction, how, batch, &mut self.out)
    }

    /// The states on a line from the start to a goal.
    fn between(&mut self, middle: Middle<K>, goals: &[K]) -> Result<Solutions> {
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
    fn walk(&mut self, steps: DirectionSteps, levels: &mut [Vec<K>]) -> Result<Vec<Links>> {
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

/// Engine `solutions`.
#[derive(Debug)]
pub struct SolutionsEngine;

impl<K: Key> Engine<K> for SolutionsEngine {
    fn facts(&self) -> &'static Facts {
        &Facts {
            name: "solutions",
            summary: "all solutions through a layered graph, from both ends",
            answers: &[QuestionKind::Solutions],
            ..Facts::USUAL
        }
    }

    fn options(&self, _: QuestionKind) -> &'static [Opt] {
        &[Opt::MaxStates, Opt::MaxTime]
    }

    fn obstacle(&self, graph: &Graph<K>, _: &Ask<'_, K>) -> Option<String> {
        steps_back(graph).err()
    }

    fn preference(&self, _: &Graph<K>, _: &Ask<'_, K>) -> u8 {
        1
    }

    fn solutions(&self, question: &PathQuestion<'_, K>) -> Result<SolutionsAnswer<K>> {
        solutions(question)
    }
}

// Where a forward and a backward search meet: at a level that both have, or by moves from the last
// level of one to the last of the other. The latter saves making the largest level.

/// States that are tried before a whole level is expanded for its moves to the other side. If the
/// two sides are one move apart, many states have such a move.
const TRIED: usize = 1 << 10;

/// How the two searches ended.
enum Met<K> {
    /// They have met.
    Middle(Middle<K>),
    /// One ended before.
    Never,
    /// Given up, and why.
    GaveUp(StopReason),
}

/// Two searches that have met. The last level ahead and the first after it hold only states on a
/// path from start to goal. The others hold all states met.
struct Middle<K> {
    /// Levels from the start on.
    ahead: Vec<Vec<K>>,
    /// Levels from the middle to the goals; if these are the time-reversed levels ahead, only the
    /// first.
    after: Vec<Vec<K>>,
    /// Whether the first level after is a copy of the last ahead.
    shared: bool,
    /// Whether the levels after are those ahead with time reversed.
    mirrored: bool,
}

impl<K: Key> Middle<K> {
    /// Joins the levels of both sides; `first` is the rest of the last level behind.
    fn new(
        [ahead, mut behind]: [Vec<Vec<K>>; 2],
        first: Vec<K>,
        (shared, mirrored): (bool, bool),
    ) -> Self {
        behind.pop();
        let others = behind.into_iter().rev().filter(|_| !mirrored);
        Self {
            ahead,
            after: std::iter::once(first).chain(others).collect(),
            shared,
            mirrored,
        }
    }
}

impl<K: Key> Both<'_, K> {
    /// Walks levels on both sides, the smaller one first, until they meet.
    fn meet(&mut self, start: K, goals: &[K], watch: &Watch<'_>) -> Result<Met<K>> {
        let mut ends = [vec![start], goals.to_vec()];
        for end in &mut ends {
            self.reduction.reduce(self.graph, end)?;
            end.sort_unstable();
            end.dedup();
        }
        // If two goals represent each other, reversed lines would lead to only one.
        let turned = self.turned(&ends[0])?.filter(|_| goals.len() == 1);
        let mirrored = turned.is_some_and(|turned| turned == ends[1]);
        let mut sides = ends.map(|end| vec![end]);
        let (counters, progress) = (self.counters, Progress::silent(&Stop::default()));
        let over = |expanded| watch.over(expanded).is_some();
        let watched = Watched::new(counters, &progress).until(&over);
        let growing = (Kernel::new(NO_MORE, &watched), watch);
        let mut ahead_set = VisitedSet::of(last(&sides[0]));
        let mut common = ahead_set.held(last(&sides[1]));
        loop {
            // If sides are mirrored, the one ahead is walked, and then reversed: their last levels
            // are each other's images only when the sides are equally long.
            let longer = mirrored && sides[0].len() > sides[1].len();
            let bridged = longer && !common.is_empty();
            if bridged {
                sides[0].pop();
            } else if !common.is_empty() {
                sides[0].pop();
                sides[0].push(common.clone());
                return Ok(Met::Middle(Middle::new(sides, common, (true, mirrored))));
            }
            if let Some(why) = watch.over(self.counters.expanded()) {
                return Ok(Met::GaveUp(why));
            }
            let (front, rear) = (last(&sides[0]), last(&sides[1]));
            // Length of a path that crosses from these levels by one move.
            let moves = (sides[0].len() + sides[1].len() - 1) as u64;
            let too_short = self.least.is_some_and(|least| moves < least);
            if bridged || !longer && !too_short && self.may_bridge(front, rear, mirrored)? {
                drop(ahead_set);
                let (left, first) = self.bridge(front, rear, mirrored)?;
                sides[0].pop();
                sides[0].push(left);
                return Ok(Met::Middle(Middle::new(sides, first, (false, mirrored))));
            }
            let next;
            if longer && too_short {
                // A path through a state of both levels would be as long.
                sides[1].push(Vec::new());
            } else if longer {
                next = self.rear_of(&sides[0][sides[1].len()])?;
                common = ahead_set.held(&next);
                sides[1].push(next);
            } else if mirrored || front.len() <= rear.len() {
                // A level that was useless before, since paths through it were too short.
                let missing = mirrored && !too_short && rear.is_empty();
                let turned = match missing {
                    true => Some(self.rear_of(front)?),
                    false => None,
                };
                match self.step(DirectionSteps::FORWARD, &sides[0], &mut ahead_set, &growing)? {
                    Ok(step) => next = step,
                    Err(why) => return Ok(Met::GaveUp(why)),
                }
                common = ahead_set.held(turned.as_deref().unwrap_or(rear));
                sides[0].push(next);
            } else {
                let mut set = VisitedSet::tables(1, 0);
                match self.step(self.back, &sides[1], &mut set, &growing)? {
                    Ok(step) => next = step,
                    Err(why) => return Ok(Met::GaveUp(why)),
                }
                common = set.held(front);
                sides[1].push(next);
            }
            let ended = |side: &Vec<Vec<K>>| last(side).is_empty();
            if ended(&sides[0]) || !mirrored && ended(&sides[1]) {
                return Ok(Met::Never);
            }
        }
    }

    /// The level behind that is a level ahead with time reversed; reversal is known to work.
    fn rear_of(&self, front: &[K]) -> Result<Vec<K>, PluginError> {
        let turned = self.turned(front)?.unwrap_or_default();
        Ok(VisitedSet::in_order(&turned))
    }

    /// Whether some move leads from one of the first states of a level to another level. The other
    /// level is not read if it is the first one with time reversed.
    fn may_bridge(&mut self, front: &[K], rear: &[K], mirrored: bool) -> Result<bool, PluginError> {
        let tried = &front[..front.len().min(TRIED)];
        let others = match mirrored {
            true => {
                self.expand_turned(tried)?;
                front
            }
            false => {
                self.expand(DirectionSteps::FORWARD, tried)?;
                rear
            }
        };
        let mut found = KeySet::with_capacity(self.out.keys().len());
        for &key in self.out.keys() {
            found.insert(key);
        }
        Ok(others.iter().any(|&key| found.contains(key)))
    }
}

fn last<K>(side: &[Vec<K>]) -> &[K] {
    side.last().map_or(&[], Vec::as_slice)
}
