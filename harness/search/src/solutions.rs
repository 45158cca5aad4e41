//! All solutions of a layered graph at once: the states that lie on one, level by level, and
//! how many lines of moves there are.
//!
//! A search forward from the start and one against the moves from the goals meet in the middle;
//! from there each is walked back, and only what lies on both sides stays. Where time can be
//! turned round and the goal is the start turned, the second search is the first turned.

use antipode_graph::{Expansion, Graph, PluginError};
use foldhash::fast::FixedState;
use hashbrown::HashMap;
use puzzle_api::{Capabilities, Direction, Key};

use crate::engines::find::{Reduction, Watch, open_goals, require_layers};
use crate::error::EngineError;
use crate::keyset::KeySet;
use crate::outcome::{Outcome, Proof, StopReason};
use crate::question::{Goal, PathQuestion};
use crate::steps::{BATCH, Steps};

/// States of one level that lie on a solution.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct OnSolutions {
    /// States, each orbit counted whole.
    pub states: u64,
    /// States up to the symmetries that keep start and goals.
    pub orbits: u64,
}

/// All solutions.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Solutions {
    /// The states on them, by the number of moves from the start.
    pub levels: Vec<OnSolutions>,
    /// Number of different lines of states from the start to a goal; none where that is 2^128
    /// or more.
    pub lines: Option<u128>,
}

/// Finds all solutions of the length that the shortest one has; in a layered graph with one
/// goal these are all. Holds about half of all states that can be reached, 9 bytes and more a
/// state. The outcome is [`Outcome::Levels`] where there are solutions; states expanded come
/// last.
///
/// # Errors
/// [`EngineError`]: a graph that is not layered or has no moves back, a puzzle that fails.
pub fn solutions<K: Key>(
    question: &PathQuestion<'_, K>,
) -> Result<(Outcome<K>, Option<Solutions>, u64), EngineError> {
    let graph = question.graph;
    require_layers(graph, "a search for all solutions", "--goal all")?;
    let back = Steps::backward(graph).ok_or_else(|| {
        EngineError::CannotHold(format!(
            "{}: lists no predecessors, which a search for all solutions needs",
            graph.opened.full_name()
        ))
    })?;
    let (goals, proof) = open_goals(graph, question.start, &question.goal)?;
    if goals.is_empty() {
        let proof = proof.map_or(Proof::OtherParts, Proof::Puzzle);
        return Ok((Outcome::Unreachable(proof), None, 0));
    }
    let mut search = Both {
        graph,
        reduction: keeping(question, &goals)?,
        back,
        out: Expansion::default(),
        expanded: 0,
    };
    let watch = Watch::start(question.means.limits(), question.stop);
    let (ahead, behind) = match search.meet(question.start, &goals, &watch)? {
        Met::Middle(ahead, behind) => (ahead, behind),
        Met::Never => {
            let proof = Proof::Exhausted {
                direction: Direction::Forward,
                states: search.expanded,
                levels: None,
            };
            return Ok((Outcome::Unreachable(proof), None, search.expanded));
        }
        Met::GaveUp(why) => return Ok((Outcome::NotReached(why), None, search.expanded)),
    };
    let levels = search.between(ahead, &behind)?;
    let lines = search.count(&levels, &goals)?;
    let levels = levels.iter().map(|level| search.size(level));
    let found = Solutions {
        levels: levels.collect::<Result<_, _>>()?,
        lines,
    };
    Ok((Outcome::Levels, Some(found), search.expanded))
}

/// The symmetries that keep the start and each goal, or all goals where any will do.
fn keeping<K: Key>(question: &PathQuestion<'_, K>, goals: &[K]) -> Result<Reduction, PluginError> {
    let graph = question.graph;
    if !graph.has(Capabilities::SYMMETRY) {
        return Ok(Reduction::Identity);
    }
    let start = graph.images(question.start)?;
    let goal = match question.goal {
        Goal::State(_) => Some(graph.images(goals[0])?),
        Goal::Solved => None,
    };
    let kept = |&index: &usize| {
        let goal = goal.as_ref();
        start[index] == question.start && goal.is_none_or(|goal| goal[index] == goals[0])
    };
    let kept: Vec<usize> = (0..start.len()).filter(kept).collect();
    Ok(match kept.len() {
        1 => Reduction::Identity,
        all if all == start.len() => Reduction::Group,
        _ => Reduction::Subgroup(kept),
    })
}

/// How the two searches ended.
enum Met<K> {
    /// Levels forward and levels back whose last ones have states in common.
    Middle(Vec<Level<K>>, Vec<Level<K>>),
    /// One ended before.
    Never,
    /// Given up, and why.
    GaveUp(StopReason),
}

/// Representatives of a level, in a list and as a set.
struct Level<K> {
    keys: Vec<K>,
    set: KeySet<K>,
}

impl<K: Key> Level<K> {
    fn of(keys: impl IntoIterator<Item = K>) -> Self {
        let (mut set, mut list) = (KeySet::with_room(0), Vec::new());
        list.extend(keys.into_iter().filter(|&key| set.insert(key)));
        Self { keys: list, set }
    }

    /// Whether two levels have a state in common.
    fn meets(&self, other: &Self) -> bool {
        let (few, many) = match self.keys.len() < other.keys.len() {
            true => (self, other),
            false => (other, self),
        };
        few.keys.iter().any(|&key| many.set.contains(key))
    }
}

struct Both<'a, K> {
    graph: &'a Graph<K>,
    reduction: Reduction,
    back: Steps,
    out: Expansion<K>,
    expanded: u64,
}

impl<K: Key> Both<'_, K> {
    /// Walks levels on both sides, the smaller one first, until they meet.
    fn meet(&mut self, start: K, goals: &[K], watch: &Watch<'_>) -> Result<Met<K>, EngineError> {
        let mut ends = [vec![start], goals.to_vec()];
        for end in &mut ends {
            self.reduction.reduce(self.graph, end)?;
        }
        let turned = self.turned(&Level::of(ends[0].clone()))?;
        let mirrored = turned.is_some_and(|turned| turned.keys == ends[1]);
        let [mut ahead, mut behind] = ends.map(|end| vec![Level::of(end)]);
        loop {
            let (front, rear) = (&ahead[ahead.len() - 1], &behind[behind.len() - 1]);
            if front.meets(rear) {
                return Ok(Met::Middle(ahead, behind));
            }
            if let Some(why) = watch.over(self.expanded) {
                return Ok(Met::GaveUp(why));
            }
            let forward = front.keys.len() <= rear.keys.len();
            let next = match (forward, mirrored) {
                (true, _) => self.step(Steps::FORWARD, front)?,
                (false, true) if ahead.len() > behind.len() => {
                    match self.turned(&ahead[behind.len()])? {
                        Some(turned) => turned,
                        None => self.step(self.back, rear)?,
                    }
                }
                (false, _) => self.step(self.back, rear)?,
            };
            if next.keys.is_empty() {
                return Ok(Met::Never);
            }
            match forward {
                true => ahead.push(next),
                false => behind.push(next),
            }
        }
    }

    /// A level with time turned round; nothing where the puzzle cannot.
    fn turned(&self, level: &Level<K>) -> Result<Option<Level<K>>, PluginError> {
        if !self.graph.has(Capabilities::TIME_REVERSAL) {
            return Ok(None);
        }
        let mut keys = level.keys.clone();
        self.graph.time_reversed(&mut keys)?;
        self.reduction.reduce(self.graph, &mut keys)?;
        Ok(Some(Level::of(keys)))
    }

    /// The level after one.
    fn step(&mut self, steps: Steps, level: &Level<K>) -> Result<Level<K>, PluginError> {
        let mut next = Level::of([]);
        self.each_batch(steps, &level.keys, |found| {
            let Level { keys, set } = &mut next;
            keys.extend(found.iter().copied().filter(|&key| set.insert(key)));
        })?;
        Ok(next)
    }

    /// Representatives of the neighbours of states, a batch at a time.
    fn each_batch(
        &mut self,
        steps: Steps,
        keys: &[K],
        mut take: impl FnMut(&[K]),
    ) -> Result<(), PluginError> {
        for batch in keys.chunks(BATCH) {
            steps.expand(self.graph, batch, &mut self.out)?;
            self.expanded += batch.len() as u64;
            self.reduction.reduce(self.graph, self.out.keys_mut())?;
            take(self.out.keys());
        }
        Ok(())
    }

    /// What lies on a line from the first level ahead to the first behind: from the last two
    /// levels outward, each time the neighbours that the search had met.
    fn between(
        &mut self,
        mut ahead: Vec<Level<K>>,
        behind: &[Level<K>],
    ) -> Result<Vec<Level<K>>, PluginError> {
        let [.., rear] = behind else {
            return Ok(ahead);
        };
        let last = ahead.len() - 1;
        ahead[last] = common(&ahead[last].keys, rear);
        for at in (0..last).rev() {
            let mut kept = Level::of([]);
            let keys = std::mem::take(&mut ahead[at + 1].keys);
            let met = &ahead[at].set;
            self.each_batch(self.back, &keys, |found| {
                let Level { keys, set } = &mut kept;
                let found = found.iter().copied().filter(|&key| met.contains(key));
                keys.extend(found.filter(|&key| set.insert(key)));
            })?;
            ahead[at + 1].keys = keys;
            ahead[at] = kept;
        }
        for met in behind.iter().rev().skip(1) {
            let mut kept = Level::of([]);
            self.each_batch(Steps::FORWARD, &ahead[ahead.len() - 1].keys, |found| {
                let Level { keys, set } = &mut kept;
                let found = found.iter().copied().filter(|&key| met.set.contains(key));
                keys.extend(found.filter(|&key| set.insert(key)));
            })?;
            ahead.push(kept);
        }
        Ok(ahead)
    }

    /// The number of lines through the levels, from the first state to the goals: of each state
    /// the sum over the states that lead there. A symmetry that keeps the start keeps it.
    fn count(&mut self, levels: &[Level<K>], goals: &[K]) -> Result<Option<u128>, PluginError> {
        let mut lines: HashMap<K, u128, FixedState> = HashMap::default();
        lines.extend(levels[0].keys.iter().map(|&key| (key, 1)));
        let (mut distinct, mut ends) = (Vec::new(), Vec::new());
        for level in &levels[1..] {
            let mut here =
                HashMap::with_capacity_and_hasher(level.keys.len(), FixedState::default());
            for batch in level.keys.chunks(BATCH) {
                self.back.expand(self.graph, batch, &mut self.out)?;
                self.expanded += batch.len() as u64;
                distinct.clear();
                ends.clear();
                for i in 0..batch.len() {
                    let first = distinct.len();
                    distinct.extend_from_slice(self.out.of(i));
                    // A state may be listed more than once, and is one state all the same.
                    distinct[first..].sort_unstable();
                    dedup_from(&mut distinct, first);
                    ends.push(distinct.len());
                }
                self.reduction.reduce(self.graph, &mut distinct)?;
                let mut first = 0;
                for (&key, &end) in batch.iter().zip(&ends) {
                    let before = distinct[first..end].iter().filter_map(|key| lines.get(key));
                    let sum = before.copied().try_fold(0_u128, u128::checked_add);
                    let Some(sum) = sum else { return Ok(None) };
                    here.insert(key, sum);
                    first = end;
                }
            }
            lines = here;
        }
        let mut ends = goals.to_vec();
        self.reduction.reduce(self.graph, &mut ends)?;
        let of = ends.iter().filter_map(|goal| lines.get(goal).copied());
        Ok(of.into_iter().try_fold(0_u128, u128::checked_add))
    }

    /// How many states a level stands for.
    fn size(&self, level: &Level<K>) -> Result<OnSolutions, PluginError> {
        let orbits = level.keys.len() as u64;
        let mut states = 0;
        match self.reduction {
            Reduction::Identity => states = orbits,
            Reduction::Group => {
                let mut sizes = Vec::new();
                for batch in level.keys.chunks(BATCH) {
                    self.graph
                        .canonical(&mut batch.to_vec(), Some(&mut sizes))?;
                    states += sizes.iter().copied().map(u64::from).sum::<u64>();
                }
            }
            Reduction::Subgroup(_) => {
                for batch in level.keys.chunks(BATCH) {
                    let images = self.reduction.spread(self.graph, batch)?;
                    for images in images.chunks(images.len() / batch.len()) {
                        let mut images = images.to_vec();
                        images.sort_unstable();
                        images.dedup();
                        states += images.len() as u64;
                    }
                }
            }
        }
        Ok(OnSolutions { states, orbits })
    }
}

/// The states of a list that are in a level.
fn common<K: Key>(keys: &[K], level: &Level<K>) -> Level<K> {
    Level::of(keys.iter().copied().filter(|&key| level.set.contains(key)))
}

/// Leaves each of the sorted entries from `first` on once.
fn dedup_from<K: Key>(keys: &mut Vec<K>, first: usize) {
    let mut kept = first;
    for at in first..keys.len() {
        if kept == first || keys[kept - 1] != keys[at] {
            keys[kept] = keys[at];
            kept += 1;
        }
    }
    keys.truncate(kept);
}
