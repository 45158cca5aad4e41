//! How many states are on a solution, and how many lines of states lead through them.

use antipode_graph::PluginError;
use foldhash::fast::FixedState;
use hashbrown::HashMap;
use puzzle_api::Key;

use super::{Both, OnSolutions};
use crate::engines::find::Reduction;
use crate::steps::BATCH;

/// Of the states of a level, how many lines lead there from the start; those of an orbit have
/// the same number, as a symmetry that keeps the start turns lines into lines.
type Lines<K> = HashMap<K, u128, FixedState>;

impl<K: Key> Both<'_, K> {
    /// The number of lines through the levels, from the first state to the goals; none from
    /// 2^128 on.
    pub(super) fn count(
        &mut self,
        levels: &[Vec<K>],
        goals: &[K],
    ) -> Result<Option<u128>, PluginError> {
        let Some(lines) = self.count_to_last(levels)? else {
            return Ok(None);
        };
        let mut ends = goals.to_vec();
        self.reduction.reduce(self.graph, &mut ends)?;
        let of = ends.iter().filter_map(|goal| lines.get(goal).copied());
        Ok(of.into_iter().try_fold(0_u128, u128::checked_add))
    }

    /// The same where the levels from `middle` on are those before it with time turned round:
    /// as many lines lead from a state to the goal as from the start to the turned state.
    pub(super) fn count_mirrored(
        &mut self,
        ahead: &[Vec<K>],
        middle: &[K],
        shared: bool,
    ) -> Result<Option<u128>, PluginError> {
        let Some(before) = self.count_to_last(ahead)? else {
            return Ok(None);
        };
        let Some(turned) = self.turned(middle)? else {
            return Ok(None);
        };
        let here = match shared {
            true => None,
            false => match self.count_on(&before, middle)? {
                None => return Ok(None),
                counted => counted,
            },
        };
        let here = here.as_ref().unwrap_or(&before);
        let mut states = middle.iter().zip(&turned).zip(self.states_of(middle)?);
        Ok(states.try_fold(0_u128, |sum, ((key, turned), states)| {
            let (to, from) = (here.get(key)?, before.get(turned)?);
            sum.checked_add(to.checked_mul(*from)?.checked_mul(states.into())?)
        }))
    }

    fn count_to_last(&mut self, levels: &[Vec<K>]) -> Result<Option<Lines<K>>, PluginError> {
        let mut lines: Lines<K> = levels[0].iter().map(|&key| (key, 1)).collect();
        for level in &levels[1..] {
            match self.count_on(&lines, level)? {
                Some(here) => lines = here,
                None => return Ok(None),
            }
        }
        Ok(Some(lines))
    }

    /// From one level to the next: of each state the sum over the states that lead there.
    fn count_on(&mut self, lines: &Lines<K>, level: &[K]) -> Result<Option<Lines<K>>, PluginError> {
        let mut here = HashMap::with_capacity_and_hasher(level.len(), FixedState::default());
        let (mut distinct, mut ends) = (Vec::new(), Vec::new());
        for batch in level.chunks(BATCH) {
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
        Ok(Some(here))
    }

    /// How many states and orbits there are in each level.
    pub(super) fn sizes(&self, levels: &[Vec<K>]) -> Result<Vec<OnSolutions>, PluginError> {
        let size = |level: &Vec<K>| {
            Ok(OnSolutions {
                states: self.states_of(level)?.iter().sum(),
                orbits: level.len() as u64,
            })
        };
        levels.iter().map(size).collect()
    }

    /// How many states each of some representatives stands for.
    fn states_of(&self, keys: &[K]) -> Result<Vec<u64>, PluginError> {
        let mut states = Vec::with_capacity(keys.len());
        match self.reduction {
            Reduction::Identity => states.resize(keys.len(), 1),
            Reduction::Group => {
                let mut sizes = Vec::new();
                for batch in keys.chunks(BATCH) {
                    self.graph
                        .canonical(&mut batch.to_vec(), Some(&mut sizes))?;
                    states.extend(sizes.iter().copied().map(u64::from));
                }
            }
            Reduction::Subgroup(_) => {
                for batch in keys.chunks(BATCH) {
                    let images = self.reduction.spread(self.graph, batch)?;
                    for images in images.chunks(images.len() / batch.len()) {
                        let mut images = images.to_vec();
                        images.sort_unstable();
                        images.dedup();
                        states.push(images.len() as u64);
                    }
                }
            }
        }
        Ok(states)
    }
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
