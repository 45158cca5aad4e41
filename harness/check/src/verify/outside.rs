//! The states that a backward run left out: no root must be reachable from any of them (or none
//! within the greatest requested level).

use std::cell::RefCell;

use puzzle_api::{Direction, Key, UNSOLVABLE};
use rayon::prelude::*;

use antipode_graph::{Expansion, Graph, PluginError};
use antipode_search::breadth_first::BreadthFirst;
use antipode_search::parallel;
use antipode_search::progress::Progress;
use antipode_search::steps::DirectionSteps;

use super::images::Images;
use super::part::{Goals, PartRules};

/// The states found beyond the delivered ones.
#[derive(Debug)]
pub(super) struct Outside<K> {
    /// States looked at.
    pub(super) seen: u64,
    /// States that the run should have delivered, and why.
    pub(super) faults: Vec<(K, &'static str)>,
    /// Whether every reachable state was checked.
    pub(super) closed: bool,
}

/// States that one thread checks in one call, so that a batch of a search keeps several threads
/// busy.
const AT_ONCE: usize = 512;

/// As many undelivered states are checked as there are delivered ones, and some more.
const SOME_MORE: u64 = 1_000_000;

/// Context of a check of the states left out.
#[derive(Debug, Clone, Copy)]
pub(super) struct Beyond<'a, K> {
    pub(super) against: &'a PartRules<'a, K>,
    pub(super) part: u64,
    pub(super) images: &'a Images<K>,
    pub(super) goals: &'a Goals<K>,
}

impl<K: Key> Beyond<'_, K> {
    /// Follows the moves of undelivered states breadth-first, except for states that `elsewhere`
    /// checks. Returns `None` if it was stopped.
    pub(super) fn follow(
        &self,
        mut left_out: Vec<K>,
        elsewhere: Option<&Graph<K>>,
        progress: &Progress,
    ) -> Result<Option<Outside<K>>, PluginError> {
        left_out.par_sort_unstable();
        let faults = RefCell::new(Vec::new());
        let look = |_: DirectionSteps, keys: &[K], out: &mut Expansion<K>| {
            faults.borrow_mut().extend(self.look(keys, out)?);
            Ok(())
        };
        let rules = self.against.rules;
        let mut search =
            BreadthFirst::new(rules, &[DirectionSteps::FORWARD], &left_out).listing(&look);
        let most = self.images.len() as u64 + SOME_MORE;
        let limited = self.against.search.max_depth.is_some();
        let (mut seen, mut closed) = (0, true);
        loop {
            let level = search.level();
            seen += level.len() as u64;
            if let Some(numbering) = elsewhere {
                let (without, astray) = self.without_rank(numbering, level)?;
                faults.borrow_mut().extend(astray);
                let mut without = without.into_iter();
                search.leave_out(|_| !without.next().unwrap_or(false));
            }
            if search.level().is_empty() {
                break;
            }
            if search.seen() > most {
                closed = false;
                break;
            }
            if progress.stopping() {
                return Ok(None);
            }
            search.advance()?;
            // A state two levels beyond the last cannot be within it if moves lead back.
            if limited || !faults.borrow().is_empty() {
                break;
            }
        }
        Ok(Some(Outside {
            seen,
            faults: faults.into_inner(),
            closed,
        }))
    }

    /// Faults among undelivered states, and in `out` the undelivered states that they lead to.
    pub(super) fn look(
        &self,
        keys: &[K],
        out: &mut Expansion<K>,
    ) -> Result<Vec<(K, &'static str)>, PluginError> {
        let looked = parallel::try_map(keys.chunks(AT_ONCE), |keys| {
            let (rules, mut out) = (self.against.rules, Expansion::default());
            rules.expand(Direction::Forward, keys, &mut out)?;
            let goals = self.goals.among(rules, keys)?;
            let (mut faults, mut next) = (Vec::new(), Vec::new());
            let mut ends = Vec::with_capacity(keys.len());
            for (i, &key) in keys.iter().enumerate() {
                let mut leads = false;
                for &successor in out.of(i) {
                    match self.images.get(successor) {
                        Some(place) => leads |= self.within(place.depth),
                        None => next.push(successor),
                    }
                }
                ends.push(next.len());
                if goals[i] {
                    faults.push((key, "is at distance 0, and the run did not deliver it"));
                } else if leads {
                    faults.push((
                        key,
                        "leads to a state delivered, and the run did not deliver it",
                    ));
                }
            }
            Ok::<_, PluginError>((faults, next, ends))
        })?;
        out.clear();
        let mut all = Vec::new();
        for (faults, next, ends) in looked {
            all.extend(faults);
            let mut start = 0;
            for end in ends {
                out.push(next[start..end].iter().copied());
                start = end;
            }
        }
        Ok(all)
    }

    /// Whether a state one move from another at `depth` had to be delivered.
    fn within(&self, depth: u16) -> bool {
        match self.against.search.max_depth {
            _ if depth == UNSOLVABLE => false,
            Some(most) => depth < most,
            None => true,
        }
    }

    /// For each state: whether a numbering has no rank for its orbit, and its ranks in another
    /// part. If a move leads from one part to another, the parts' distances are wrong.
    #[allow(clippy::type_complexity)]
    fn without_rank(
        &self,
        numbering: &Graph<K>,
        keys: &[K],
    ) -> Result<(Vec<bool>, Vec<(K, &'static str)>), PluginError> {
        let mut reduced = keys.to_vec();
        self.against.reduce(&mut reduced)?;
        let mut placed = Vec::new();
        numbering.place(&reduced, &mut placed)?;
        let astray = keys.iter().zip(&placed).filter_map(|(&key, place)| {
            let elsewhere = place.as_ref().is_some_and(|place| place.part != self.part);
            elsewhere.then_some((key, "lies in another part than its predecessor"))
        });
        let astray = astray.collect();
        Ok((placed.iter().map(Option::is_none).collect(), astray))
    }
}
