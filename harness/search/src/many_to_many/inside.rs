//! The inside of a side on the rulebook. A side of radius r holds all states within r moves of
//! its centre if it holds the centre, and all neighbours of its states within r - 1 moves: those
//! inside it. Each that is looked at is expanded by the rulebook, and all its neighbours must be
//! in the side, as themselves: no two states of one rank.
//!
//! Of many states those are taken whose hashes are the least, so that they are the same on any
//! number of threads. All are a proof; of a side backward, by the rulebook's own predecessors.

use std::sync::atomic::{AtomicU64, Ordering::Relaxed};
use std::sync::{Mutex, PoisonError};

use puzzle_api::Key;
use rayon::prelude::*;
use serde::{Deserialize, Serialize};

use crate::engines::dfs::stafford;
use crate::error::EngineError;
use crate::space::Space;
use crate::steps::Steps;
use crate::visited::VisitedSet;
use antipode_graph::{Expansion, Graph};

/// What looking at the inside of a side came to.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Inside {
    /// States inside it.
    pub states: u64,
    /// How many of them were looked at.
    pub looked_at: u64,
    /// How many of these have a neighbour on the rulebook that is not in the side.
    pub wrong: u64,
    /// The first of those, drawn.
    pub fault: Option<String>,
}

impl Inside {
    /// Whether the side is proven to hold all that it should.
    #[must_use]
    pub const fn proven(&self) -> bool {
        self.looked_at == self.states && self.wrong == 0
    }
}

/// States with their hashes.
type Picked<I> = Vec<(u64, I)>;

fn hash<I: Key>(id: I) -> u64 {
    let number = id.to_u128();
    stafford(number as u64 ^ stafford((number >> 64) as u64))
}

/// Keeps the `most` of the least hashes.
fn keep_least<I: Key>(picked: &mut Picked<I>, most: usize) {
    if picked.len() > most {
        picked.select_nth_unstable(most);
        picked.truncate(most);
    }
}

/// Picks states out of a level as they come.
pub(super) struct Picking<I> {
    most: usize,
    /// What a hash must be below to be of use still.
    limit: AtomicU64,
    picked: Mutex<Picked<I>>,
}

impl<I: Key> Picking<I> {
    pub(super) fn new(most: usize) -> Self {
        Self {
            most,
            limit: AtomicU64::new(if most == 0 { 0 } else { u64::MAX }),
            picked: Mutex::new(Vec::new()),
        }
    }

    /// The level that holds one state.
    pub(super) fn of(most: usize, id: I) -> Self {
        let picking = Self::new(most);
        picking.see(&[id]);
        picking
    }

    /// Takes what it needs of some new states.
    #[inline]
    pub(super) fn see(&self, new: &[I]) {
        let limit = self.limit.load(Relaxed);
        if limit == 0 {
            return;
        }
        let hashed = new.iter().map(|&id| (hash(id), id));
        let own: Picked<I> = hashed.filter(|(hash, _)| *hash <= limit).collect();
        if own.is_empty() {
            return;
        }
        let mut picked = self.picked.lock().unwrap_or_else(PoisonError::into_inner);
        picked.extend(own);
        if picked.len() > 2 * self.most {
            keep_least(&mut picked, self.most);
            let greatest = picked.iter().map(|(hash, _)| *hash).max();
            self.limit.store(greatest.unwrap_or(u64::MAX), Relaxed);
        }
    }
}

/// What was picked of the inside of a side that grows.
pub(super) struct Insides<I> {
    most: usize,
    states: u64,
    picked: Picked<I>,
}

impl<I: Key> Insides<I> {
    pub(super) fn new(most: usize) -> Self {
        Self {
            most,
            states: 0,
            picked: Vec::new(),
        }
    }

    /// Takes a level that now lies inside: all of its neighbours were met.
    pub(super) fn add(&mut self, states: u64, level: Picking<I>) {
        self.states += states;
        let level = level.picked.into_inner();
        self.picked
            .extend(level.unwrap_or_else(PoisonError::into_inner));
        keep_least(&mut self.picked, self.most);
    }

    /// Looks at the states picked. `met` is all that the search has met.
    pub(super) fn look<K: Key, S: Space<K, Id = I>>(
        mut self,
        (graph, rules): (&Graph<K>, &Graph<K>),
        space: &S,
        backward: bool,
        met: &VisitedSet<I>,
    ) -> Result<Inside, EngineError> {
        let steps = match backward {
            false => Some(Steps::FORWARD),
            // A reversal is no part of the rulebook.
            true => Steps::backward(rules).filter(|steps| *steps != Steps::Turned),
        };
        let Some(steps) = steps else {
            self.picked.clear();
            return Ok(self.inside(&[], rules));
        };
        self.picked.sort_unstable();
        let look = |picked: &[(u64, I)]| -> Result<Vec<K>, EngineError> {
            let ids: Vec<I> = picked.iter().map(|(_, id)| *id).collect();
            let (mut keys, mut found, mut back) = (Vec::new(), Vec::new(), Vec::new());
            let mut out = Expansion::default();
            space.keys(graph, &ids, &mut keys)?;
            steps.expand(rules, &keys, &mut out)?;
            space.ids(graph, out.keys(), &mut found)?;
            space.keys(graph, &found, &mut back)?;
            let mut at = 0;
            let wrong = |i: &usize| {
                let own = at..at + out.of(*i).len();
                at = own.end;
                let as_themselves = back[own.clone()] == out.keys()[own.clone()];
                !as_themselves || found[own].iter().any(|&id| !met.contains(id))
            };
            Ok((0..keys.len()).filter(wrong).map(|i| keys[i]).collect())
        };
        let wrong = self.picked.par_chunks(AT_ONCE).map(look);
        let wrong: Vec<Vec<K>> = wrong.collect::<Result<_, _>>()?;
        Ok(self.inside(&wrong.concat(), rules))
    }

    fn inside<K: Key>(&self, wrong: &[K], rules: &Graph<K>) -> Inside {
        let drawn = |&key: &K| {
            let drawn = rules.draw(key);
            drawn.unwrap_or_else(|error| error.to_string())
        };
        Inside {
            states: self.states,
            looked_at: self.picked.len() as u64,
            wrong: wrong.len() as u64,
            fault: wrong.first().map(drawn),
        }
    }
}

/// States looked at in one call.
const AT_ONCE: usize = 512;

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_least_are_picked_however_they_come() {
        let all: Vec<u64> = (0..10_000).collect();
        let picked = |chunk: usize| {
            let (one, two) = (Picking::new(100), Picking::new(100));
            all[..4000].chunks(chunk).rev().for_each(|new| one.see(new));
            all[4000..].chunks(chunk).for_each(|new| two.see(new));
            let mut inside = Insides::new(100);
            inside.add(4000, one);
            inside.add(6000, two);
            inside.picked.sort_unstable();
            (inside.states, inside.picked)
        };
        let mut expected: Picked<u64> = all.iter().map(|&id| (hash(id), id)).collect();
        expected.sort_unstable();
        expected.truncate(100);
        for chunk in [1, 7, 500, 10_000] {
            assert_eq!(picked(chunk), (10_000, expected.clone()));
        }
    }

    #[test]
    fn where_nothing_is_asked_for_nothing_is_picked() {
        let level = Picking::of(0, 5_u64);
        let mut inside = Insides::new(0);
        inside.add(1, level);
        assert_eq!((inside.states, inside.picked.len()), (1, 0));
    }
}
