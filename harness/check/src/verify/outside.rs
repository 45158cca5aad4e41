//! The states that a run backward left out: each must be one from which no root can be
//! reached (or none within the greatest level asked for).

use std::collections::HashSet;

use foldhash::fast::RandomState;
use puzzle_api::{Direction, Key, UNSOLVABLE};
use rayon::prelude::*;

use antipode_graph::{Expansion, Graph, PluginError};
use antipode_search::engines::BATCH;
use antipode_search::progress::Progress;

use super::faults::Faults;
use super::images::Images;
use super::on_tables::OnTables;
use super::part::{Goals, PartRules};

type Keys<K> = HashSet<K, RandomState>;

/// What was found beyond the states delivered.
#[derive(Debug)]
pub(super) struct Outside<K> {
    /// States looked at.
    pub(super) seen: u64,
    /// States that the run should have delivered, and why.
    faults: Vec<(K, &'static str)>,
    /// Whether every state that can be reached was looked at.
    pub(super) closed: bool,
}

impl<K: Key> Outside<K> {
    /// Counts the states that should have been delivered, each once.
    pub(super) fn record(
        &self,
        missing: &mut HashSet<K>,
        faults: &mut Faults<'_, K>,
    ) -> Result<(), PluginError> {
        for &(key, rule) in &self.faults {
            if missing.insert(key) {
                faults.add_missing(key, rule)?;
            }
        }
        Ok(())
    }
}

/// As many undelivered states are looked at as there are delivered ones, and some more.
const SOME_MORE: u64 = 1_000_000;

/// What the states left out are held against.
#[derive(Debug, Clone, Copy)]
pub(super) struct Beyond<'a, K> {
    pub(super) against: &'a PartRules<'a, K>,
    pub(super) part: u64,
    pub(super) images: &'a Images<K>,
    pub(super) goals: &'a Goals<K>,
    /// The rulebook as tables, where `images` holds representatives alone.
    pub(super) on: Option<OnTables<'a, K>>,
}

impl<K: Key> Beyond<'_, K> {
    /// Follows the moves of undelivered states breadth first, those that `elsewhere` looks at
    /// aside. Gives `None` where it was stopped.
    pub(super) fn follow(
        &self,
        mut level: Vec<K>,
        elsewhere: Option<&Graph<K>>,
        progress: &Progress,
    ) -> Result<Option<Outside<K>>, PluginError> {
        let most = self.images.len() as u64 + SOME_MORE;
        let limited = self.against.search.max_depth.is_some();
        let mut seen = Keys::default();
        let mut found = Outside {
            seen: 0,
            faults: Vec::new(),
            closed: true,
        };
        loop {
            level.par_sort_unstable();
            level.dedup();
            level.retain(|&key| seen.insert(key));
            if let Some(numbering) = elsewhere {
                let (left, astray) = self.without_rank(numbering, level)?;
                found.faults.extend(astray);
                level = left;
            }
            if level.is_empty() {
                found.seen = match self.on {
                    None => seen.len() as u64,
                    Some(on) => on.states(&seen.iter().copied().collect::<Vec<K>>()),
                };
                return Ok(Some(found));
            }
            if progress.stopping() {
                return Ok(None);
            }
            let (faults, next) = self.look(&level)?;
            found.faults.extend(faults);
            level = next;
            // What lies two levels beyond the last cannot be within it where moves lead back.
            if limited || !found.faults.is_empty() {
                level.clear();
            } else if seen.len() as u64 > most {
                found.closed = false;
                level.clear();
            }
        }
    }

    /// Faults among undelivered states, and the undelivered states that they lead to.
    #[allow(clippy::type_complexity)]
    pub(super) fn look(&self, keys: &[K]) -> Result<(Vec<(K, &'static str)>, Vec<K>), PluginError> {
        let looked = keys
            .par_chunks(BATCH)
            .map_init(Expansion::default, |out, keys| {
                let rules = self.against.rules;
                let goals = match self.on {
                    None => {
                        rules.expand(Direction::Forward, keys, out)?;
                        self.goals.among(rules, keys)?
                    }
                    Some(on) => {
                        on.expand(keys, out);
                        self.goals.among_orbits(on, keys)
                    }
                };
                let (mut faults, mut next) = (Vec::new(), Vec::new());
                for (i, &key) in keys.iter().enumerate() {
                    let mut leads = false;
                    for &successor in out.of(i) {
                        match self.images.get(successor) {
                            Some(place) => leads |= self.within(place.depth),
                            None => next.push(successor),
                        }
                    }
                    if goals[i] {
                        faults.push((key, "is at distance 0, and the run did not deliver it"));
                    } else if leads {
                        faults.push((
                            key,
                            "leads to a state delivered, and the run did not deliver it",
                        ));
                    }
                }
                next.sort_unstable();
                next.dedup();
                Ok((faults, next))
            });
        let looked: Vec<_> = looked.collect::<Result<_, PluginError>>()?;
        let (faults, next): (Vec<_>, Vec<_>) = looked.into_iter().unzip();
        Ok((faults.concat(), next.concat()))
    }

    /// Whether a state one move from another at `depth` had to be delivered.
    fn within(&self, depth: u16) -> bool {
        match self.against.search.max_depth {
            _ if depth == UNSOLVABLE => false,
            Some(most) => depth < most,
            None => true,
        }
    }

    /// States of whose orbits a numbering has no rank, and those that it has in another part: no
    /// move leads from one part to another, or the parts' distances are none.
    #[allow(clippy::type_complexity)]
    fn without_rank(
        &self,
        numbering: &Graph<K>,
        keys: Vec<K>,
    ) -> Result<(Vec<K>, Vec<(K, &'static str)>), PluginError> {
        let mut reduced = keys.clone();
        self.against.reduce(&mut reduced)?;
        let mut placed = Vec::new();
        numbering.place(&reduced, &mut placed)?;
        let (mut without, mut astray) = (Vec::new(), Vec::new());
        for (key, place) in keys.into_iter().zip(placed) {
            match place {
                None => without.push(key),
                Some(place) if place.part == self.part => {}
                Some(_) => astray.push((key, "lies in another part than what leads to it")),
            }
        }
        Ok((without, astray))
    }
}
