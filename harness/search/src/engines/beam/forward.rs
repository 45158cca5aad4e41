//! One pass of the beam.

use foldhash::fast::FixedState;
use hashbrown::{HashMap, HashSet};
use puzzle_api::Key;

use super::LevelSum;
use super::perimeter::Perimeter;
use super::score::Scorer;
use crate::digest::hash_key;
use crate::engines::BATCH;
use crate::engines::find::{Reduction, Watch};
use crate::error::EngineError;
use crate::outcome::StopReason;
use crate::recurrence::{broken, said};
use crate::steps::Steps;
use antipode_graph::{Expansion, Graph};

/// How a pass ended.
pub(super) enum Pass<K> {
    /// The representatives from the start, itself aside, to a state of the perimeter.
    Met(Vec<K>),
    /// The perimeter was not met, and every state was looked at.
    Exhausted,
    /// The perimeter was not met, but states were left out.
    Missed,
    /// Given up, and why.
    GaveUp(StopReason),
}

pub(super) struct Beam<'a, K> {
    graph: &'a Graph<K>,
    reduction: &'a Reduction,
    scorer: &'a Scorer,
    width: usize,
    nodes: u64,
    /// The states kept of each level, and where in the level before each comes from.
    levels: Vec<Vec<(K, u32)>>,
    /// The level of each of them, where it is only the library's word that none comes back.
    met: Option<HashMap<K, usize, FixedState>>,
    /// Candidates of the level in hand, while they are few.
    candidates: HashSet<K, FixedState>,
    out: Expansion<K>,
}

/// Candidates up to which each is looked up among those before it. More are sorted, which goes
/// through memory in its order; of a few hundred that takes ten times as long.
const LOOKED_UP: usize = 1 << 16;

impl<'a, K: Key> Beam<'a, K> {
    pub(super) fn new(
        graph: &'a Graph<K>,
        reduction: &'a Reduction,
        scorer: &'a Scorer,
        width: usize,
    ) -> Self {
        Self {
            graph,
            reduction,
            scorer,
            width,
            nodes: 0,
            levels: Vec::new(),
            met: said(graph).map(|_| HashMap::default()),
            candidates: HashSet::default(),
            out: Expansion::default(),
        }
    }

    /// States expanded.
    pub(super) fn nodes(&self) -> u64 {
        self.nodes
    }

    /// Goes from the start, itself a representative, until the perimeter is met.
    pub(super) fn pass(
        &mut self,
        start: K,
        perimeter: &Perimeter<K>,
        watch: &Watch<'_>,
    ) -> Result<Pass<K>, EngineError> {
        self.levels.push(vec![(start, 0)]);
        let mut all = true;
        loop {
            self.none_comes_back()?;
            let level = &self.levels[self.levels.len() - 1];
            if level.is_empty() {
                return Ok(if all { Pass::Exhausted } else { Pass::Missed });
            }
            if let Some(at) = level
                .iter()
                .position(|&(key, _)| perimeter.level_of(key).is_some())
            {
                return Ok(Pass::Met(self.chain(at)));
            }
            let next = match self.next(watch)? {
                Ok(next) => next,
                Err(why) => return Ok(Pass::GaveUp(why)),
            };
            let (next, cut) = self.keep(next, perimeter)?;
            all &= !cut;
            self.levels.push(next);
        }
    }

    /// Refuses a state of the last level that an earlier one has too.
    fn none_comes_back(&mut self) -> Result<(), EngineError> {
        let depth = self.levels.len() - 1;
        let (Some(met), Some(level)) = (&mut self.met, self.levels.last()) else {
            return Ok(());
        };
        for &(key, _) in level {
            if let Some(before) = met.insert(key, depth) {
                return Err(broken(self.graph, "layered", key, before, depth).into());
            }
        }
        Ok(())
    }

    /// The distinct successors of the last level, each with one it comes from; or why to
    /// give up.
    fn next(
        &mut self,
        watch: &Watch<'_>,
    ) -> Result<Result<Vec<(K, u32)>, StopReason>, EngineError> {
        let level: Vec<K> = match self.levels.last() {
            Some(level) => level.iter().map(|&(key, _)| key).collect(),
            None => Vec::new(),
        };
        let mut next: Vec<(K, u32)> = Vec::new();
        let (mut few, mut enough) = (true, 1 << 20);
        self.candidates.clear();
        for (at, batch) in level.chunks(BATCH).enumerate() {
            if let Some(why) = watch.over(self.nodes) {
                return Ok(Err(why));
            }
            self.reduction
                .expand(self.graph, Steps::FORWARD, batch, &mut self.out)?;
            self.nodes += batch.len() as u64;
            for i in 0..batch.len() {
                let parent = (at * BATCH + i) as u32;
                let of = self.out.of(i).iter().map(|&key| (key, parent));
                match few {
                    true => next.extend(of.filter(|&(key, _)| self.candidates.insert(key))),
                    false => next.extend(of),
                }
                few &= next.len() < LOOKED_UP;
            }
            // Duplicates are dropped whenever the candidates have doubled.
            if next.len() > enough {
                distinct(&mut next);
                enough = (next.len() * 2).max(1 << 20);
            }
        }
        if !few {
            distinct(&mut next);
        }
        Ok(Ok(next))
    }

    /// Size and digest of each level that holds a state: evidence where none was left out.
    pub(super) fn level_sums(&self) -> Vec<LevelSum> {
        let levels = self.levels.iter().filter(|level| !level.is_empty());
        levels
            .map(|level| LevelSum {
                states: level.len() as u64,
                digest: level.iter().fold(0, |sum: u128, (key, _)| {
                    sum.wrapping_add(hash_key(key.to_u128()))
                }),
            })
            .collect()
    }

    /// The most promising states of a level and whether others were left out. A state of
    /// the perimeter is as promising as can be.
    fn keep(
        &self,
        level: Vec<(K, u32)>,
        perimeter: &Perimeter<K>,
    ) -> Result<(Vec<(K, u32)>, bool), EngineError> {
        if level.len() <= self.width {
            return Ok((level, false));
        }
        if let Some(&met) = level
            .iter()
            .find(|(key, _)| perimeter.level_of(*key).is_some())
        {
            return Ok((vec![met], true));
        }
        let keys: Vec<K> = level.iter().map(|&(key, _)| key).collect();
        let scores = self.scorer.scores(self.graph, &keys)?;
        let mut scored: Vec<_> = scores.into_iter().zip(level).collect();
        scored.select_nth_unstable(self.width - 1);
        scored.truncate(self.width);
        Ok((scored.into_iter().map(|(_, state)| state).collect(), true))
    }

    /// The representatives from the start, itself aside, to entry `at` of the last level.
    fn chain(&self, at: usize) -> Vec<K> {
        let mut chain = Vec::new();
        let mut at = at;
        for level in self.levels[1..].iter().rev() {
            let (key, parent) = level[at];
            chain.push(key);
            at = parent as usize;
        }
        chain.reverse();
        chain
    }
}

/// Sorts and drops duplicates; of those with one key the first origin stays.
fn distinct<K: Key>(states: &mut Vec<(K, u32)>) {
    states.sort_unstable();
    states.dedup_by_key(|state| state.0);
}
