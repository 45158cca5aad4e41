//! One pass of the beam.

use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering::Relaxed};

use foldhash::fast::FixedState;
use hashbrown::HashSet;
use puzzle_api::{Direction, Key};
use rayon::prelude::*;

use super::base::Base;
use super::choose::{Chooser, all};
use super::keep::PassLevels;
use super::learned::Fitted;
use crate::digest::scattered;
use crate::engines::BATCH;
use crate::engines::beam::BeamOptions;
use crate::engines::find::Watch;
use crate::error::{EngineError, Result};
use crate::outcome::StopReason;
use crate::parallel;
use crate::progress::{Progress, note};
use crate::question::Goal;
use antipode_graph::{Capabilities, Expansion, Graph, PluginError};

/// A pass gives up after this many levels without a better state by the puzzle's order, plus half
/// of all levels so far.
const PATIENCE: usize = 200;
/// Most levels of a pass.
const DEEPEST: usize = 20_000;
/// Bytes of the filter for each state that a level may keep: some 400 levels at a false-positive
/// rate of one in a thousand.
const FILTER: usize = 1024;
/// And the least, for some 25 levels: with less, a pass soon mistakes every state for one kept
/// before.
const LEAST_FILTER: usize = 64;
/// The filter's share of the memory.
const FILTER_SHARE: usize = 4;

/// How a pass ended.
pub(super) enum End<K> {
    /// At a goal; moves from the start.
    Met(K, usize),
    /// Without a goal.
    Missed,
    /// Given up, and why.
    GaveUp(StopReason),
}

/// How fast a path approaches the goal: for a beam that is to find a shorter one, states far behind
/// it are of less use.
pub(super) struct Pace {
    /// By the number of moves so far: the greatest value of the puzzle's order from that point on.
    farthest: Vec<u64>,
    /// Moves that a state may be behind.
    slack: usize,
}

impl Pace {
    /// The pace of a path, whose slack is a fraction of its moves. `None` if the puzzle has no
    /// order.
    pub(super) fn of<K: Key>(
        graph: &Graph<K>,
        path: &[K],
        part: usize,
    ) -> Result<Option<Self>, PluginError> {
        if !graph.has(Capabilities::MOVE_ORDER) {
            return Ok(None);
        }
        let mut farthest = graph.move_order(path)?;
        for at in (1..farthest.len()).rev() {
            farthest[at - 1] = farthest[at - 1].max(farthest[at]);
        }
        Ok(Some(Self {
            farthest,
            slack: path.len() / part,
        }))
    }

    /// The greatest value of the puzzle's order that a state may have after n moves.
    pub(super) fn limit(&self, depth: usize) -> Option<u64> {
        self.farthest.get(depth.checked_sub(self.slack)?).copied()
    }
}

/// Guidance of a pass, in addition to the puzzle's.
pub(super) struct Guide<'a, K> {
    /// States that are kept wherever they are met.
    pub(super) let_in: &'a [K],
    pub(super) pace: Option<Pace>,
    pub(super) learned: Option<Arc<Fitted>>,
}

/// A pass of some width.
pub(super) struct Pass<'a, K> {
    graph: &'a Graph<K>,
    goal: &'a Goal<K>,
    chooser: Chooser,
    /// States kept so far.
    seen: Filter,
    level: Vec<K>,
    depth: usize,
    expanded: u64,
    /// Of these, the states that have not been met so far.
    let_in: HashSet<K, FixedState>,
    pace: Option<Pace>,
    /// Whether solved states are no candidates, as the pass began from them.
    around_goals: bool,
    /// The levels after which the pass begins, from some states of the last.
    base: Option<&'a Base<K>>,
    /// The level in which the best by the puzzle's order was first met.
    best_at: usize,
}

/// Least bytes of memory for a pass of a given width.
pub(super) fn least_memory(width: usize) -> u64 {
    (FILTER_SHARE as u64).saturating_mul((LEAST_FILTER as u64).saturating_mul(width as u64))
}

impl<'a, K: Key> Pass<'a, K> {
    pub(super) fn new(
        graph: &'a Graph<K>,
        goal: &'a Goal<K>,
        options: &BeamOptions,
        (number, width): (u32, usize),
        guide: Guide<'_, K>,
    ) -> Self {
        let Guide {
            let_in,
            pace,
            learned,
        } = guide;
        let seed = options.seed ^ u64::from(number) << 32;
        Self {
            graph,
            goal,
            chooser: Chooser::new(graph, (width, seed), learned),
            seen: Filter::new(
                width
                    .saturating_mul(FILTER)
                    .min(options.memory as usize / FILTER_SHARE),
            ),
            level: Vec::new(),
            depth: 0,
            let_in: let_in.iter().copied().collect(),
            pace,
            around_goals: false,
            base: None,
            expanded: 0,
            best_at: 0,
        }
    }

    pub(super) fn expanded(&self) -> u64 {
        self.expanded
    }

    pub(super) fn depth(&self) -> usize {
        self.depth
    }

    pub(super) fn best(&self) -> Option<u64> {
        self.chooser.best()
    }

    pub(super) fn width(&self) -> usize {
        self.chooser.width()
    }

    /// The same pass from solved states, which are no candidates again.
    pub(super) fn around_goals(self) -> Self {
        Self {
            around_goals: true,
            ..self
        }
    }

    /// The same pass from states of the last of some levels.
    pub(super) fn behind(self, base: Option<&'a Base<K>>) -> Self {
        Self { base, ..self }
    }

    /// The chooser of its states.
    #[cfg(test)]
    pub(super) fn chooser(&self) -> &Chooser {
        &self.chooser
    }

    /// Resumes the finished levels of the pass, as far as they are sound. Else begins it, after its
    /// base or from sorted roots.
    pub(super) fn restore(&mut self, kept: &mut PassLevels<K>, roots: &[K]) -> Result<()> {
        for depth in kept.depths() {
            match kept.read(depth) {
                Ok(level) => self.level = level,
                Err(EngineError::Damaged { path, what, .. }) => {
                    note(format_args!(
                        "{}: damaged ({what}); continuing from what is sound before it",
                        path.display()
                    ));
                    kept.cut(depth);
                    break;
                }
                Err(error) => return Err(error),
            }
            self.take_up(depth)?;
        }
        if kept.depths().is_empty() {
            self.level = match self.base {
                Some(base) => {
                    kept.first = base.depth();
                    base.choose(&self.chooser)?
                }
                None => roots.to_vec(),
            };
            let whole = kept.is_whole();
            kept.add(&self.level, whole)?;
            self.take_up(kept.depths().start)?;
        }
        Ok(())
    }

    /// Counts a level that was kept.
    fn take_up(&mut self, depth: usize) -> Result<()> {
        let before = self.chooser.best();
        self.chooser.note(self.graph, &self.level)?;
        self.kept_one(depth, before);
        Ok(())
    }

    fn kept_one(&mut self, depth: usize, before: Option<u64>) {
        let seen = &self.seen;
        parallel::map(self.level.chunks(BATCH), |keys| {
            keys.iter().for_each(|&key| seen.add(scattered(key, 0)));
        });
        if !self.let_in.is_empty() {
            for key in &self.level {
                self.let_in.remove(key);
            }
        }
        self.depth = depth;
        if self.chooser.best() != before {
            self.best_at = depth;
        }
    }

    /// Continues until a goal is met in fewer than `bound` moves.
    pub(super) fn run(
        &mut self,
        kept: &mut PassLevels<K>,
        bound: usize,
        watch: &Watch<'_>,
        progress: &Progress,
    ) -> Result<End<K>> {
        while self.depth + 1 < bound && self.depth < DEEPEST && !self.is_stale() {
            if let Some(why) = watch.over(self.expanded) {
                return Ok(End::GaveUp(why));
            }
            let mut next = self.next()?;
            if let Some(base) = self.base.filter(|base| self.depth < base.depth() + 2) {
                next = base.without_known(&next)?;
            }
            progress.expanded(self.level.len() as u64);
            if let Some(goal) = self.goal.smallest_of(self.graph, &next)? {
                return Ok(End::Met(goal, self.depth + 1));
            }
            if next.is_empty() {
                break;
            }
            let before = self.chooser.best();
            let candidates = next.len();
            let farthest = self.pace.as_ref();
            let farthest = farthest.and_then(|pace| pace.limit(self.depth + 1));
            let graph = self.graph;
            let limits = (kept.is_whole(), farthest);
            self.level = self.chooser.choose(graph, next, limits, &self.let_in)?;
            kept.add(&self.level, self.level.len() == candidates)?;
            self.kept_one(self.depth + 1, before);
            progress.level(
                self.depth.min(u16::MAX.into()) as u16,
                self.level.len() as u64,
            );
        }
        Ok(End::Missed)
    }

    /// Solved states, sorted, reached by some levels after the first goal; or why it gave up. Those
    /// levels are not kept.
    pub(super) fn solved_behind(
        &mut self,
        levels: usize,
        watch: &Watch<'_>,
    ) -> Result<Result<Vec<K>, StopReason>> {
        let mut all = Vec::new();
        for _ in 0..levels {
            if let Some(why) = watch.over(self.expanded) {
                return Ok(Err(why));
            }
            let next = self.next()?;
            if next.is_empty() {
                break;
            }
            let (mut solved, others) = self.by_solved(next)?;
            all.append(&mut solved);
            let before = self.chooser.best();
            let graph = self.graph;
            self.level = self
                .chooser
                .choose(graph, others, (false, None), &self.let_in)?;
            self.kept_one(self.depth + 1, before);
        }
        all.sort_unstable();
        all.dedup();
        Ok(Ok(all))
    }

    /// Splits states into the solved ones and the others.
    fn by_solved(&self, keys: Vec<K>) -> Result<(Vec<K>, Vec<K>), PluginError> {
        let graph = self.graph;
        let mut solved = all(&keys, |keys| graph.is_solved(keys))?.into_iter();
        Ok(keys.into_iter().partition(|_| solved.next() == Some(true)))
    }

    /// Whether a state was kept before, and is not to be admitted.
    #[inline]
    fn has(&self, key: K) -> bool {
        self.seen.has(scattered(key, 0)) && (self.let_in.is_empty() || !self.let_in.contains(&key))
    }

    /// Whether there was no better state for a long time.
    fn is_stale(&self) -> bool {
        self.best().is_some() && self.depth > self.best_at + PATIENCE + self.depth / 2
    }

    /// Neighbours of the level that were not kept before, sorted, each once.
    fn next(&mut self) -> Result<Vec<K>, PluginError> {
        self.expanded += self.level.len() as u64;
        let parts = parallel::try_map(self.level.chunks(BATCH), |keys| {
            let mut out = Expansion::default();
            self.graph.expand(Direction::Forward, keys, &mut out)?;
            // All are looked up before any is left out: their words are far apart, so their
            // cache misses overlap.
            let seen: Vec<bool> = out.keys().iter().map(|&key| self.has(key)).collect();
            let new = out.keys().iter().zip(seen).filter(|(_, seen)| !seen);
            Ok::<Vec<K>, PluginError>(new.map(|(&key, _)| key).collect())
        });
        let mut next = parts?.concat();
        next.par_sort_unstable();
        next.dedup();
        match self.around_goals {
            true => Ok(self.by_solved(next)?.1),
            false => Ok(next),
        }
    }
}

/// A Bloom filter (1970): a set of hashes with a few false positives. A state that it rejects
/// wrongly is one candidate among many.
struct Filter {
    words: Vec<AtomicU64>,
}

impl Filter {
    fn new(bytes: usize) -> Self {
        let words = bytes.div_ceil(8).next_power_of_two();
        Self {
            words: std::iter::repeat_with(AtomicU64::default)
                .take(words)
                .collect(),
        }
    }

    /// A word, and three bits of it.
    #[inline]
    fn place(&self, hash: u64) -> (usize, u64) {
        let bits = 1 << (hash & 63) | 1 << (hash >> 6 & 63) | 1 << (hash >> 12 & 63);
        ((hash >> 18) as usize & (self.words.len() - 1), bits)
    }

    #[inline]
    fn has(&self, hash: u64) -> bool {
        let (at, bits) = self.place(hash);
        self.words[at].load(Relaxed) & bits == bits
    }

    #[inline]
    fn add(&self, hash: u64) {
        let (at, bits) = self.place(hash);
        self.words[at].fetch_or(bits, Relaxed);
    }
}
