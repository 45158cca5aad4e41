//! Which states of a level a beam keeps.
//!
//! States lie in strata, by the puzzle's own number, such as one of the order of the big blocks
//! and the cell of the block with a goal; without it, by the bucket and the place in the
//! puzzle's order. No stratum keeps more than its share of the width, and the width is dealt out by
//! quotas, each of which takes the states that it puts first: how rarely the stratum was kept
//! so far, and the puzzle's own order, or chance where it has none. By one alone the beam
//! fills up with what looks alike.

use foldhash::fast::FixedState;
use hashbrown::{HashMap, HashSet};
use puzzle_api::Key;
use rayon::prelude::*;

use crate::engines::BATCH;
use crate::keyset::stafford;
use antipode_graph::{Capabilities, Graph, PluginError};

/// Strata that fill the width, if each has its full share.
const STRATA: usize = 800;
/// Least states that a stratum may keep.
const LEAST_SHARE: usize = 16;

/// A hash of a key.
#[inline]
pub(super) fn hash<K: Key>(key: K, seed: u64) -> u64 {
    let number = key.to_u128();
    stafford(number as u64 ^ stafford((number >> 64) as u64 ^ seed))
}

/// Chooses level after level of one pass.
pub(super) struct Chooser {
    width: usize,
    share: u32,
    seed: u64,
    strata: Strata,
    by_order: bool,
    /// How many states of each stratum were kept.
    kept: HashMap<u64, u64, FixedState>,
    /// The best by the puzzle's order so far.
    best: Option<u64>,
}

/// What tells strata apart.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Strata {
    /// The puzzle's own number.
    Puzzle,
    /// The puzzle's bucket, and its order.
    Bucket,
    /// Nothing: there is one.
    One,
}

/// By what a part of the width is dealt out.
#[derive(Debug, Clone, Copy)]
enum Quota {
    /// How rarely the stratum was kept.
    Rare,
    /// The puzzle's order, else chance.
    Promising,
}

/// What is known of the states of a level.
struct Known {
    strata: Vec<u64>,
    order: Vec<u64>,
}

impl Chooser {
    pub(super) fn new<K: Key>(graph: &Graph<K>, width: usize, seed: u64) -> Self {
        Self {
            width,
            share: (width / STRATA).max(LEAST_SHARE) as u32,
            seed,
            strata: match () {
                () if graph.has(Capabilities::STRATUM) => Strata::Puzzle,
                () if graph.has(Capabilities::BUCKET) => Strata::Bucket,
                () => Strata::One,
            },
            by_order: graph.has(Capabilities::MOVE_ORDER),
            kept: HashMap::default(),
            best: None,
        }
    }

    /// The best by the puzzle's order so far; smaller is better.
    pub(super) fn best(&self) -> Option<u64> {
        self.best
    }

    /// States of a level that are kept.
    pub(super) fn width(&self) -> usize {
        self.width
    }

    /// Counts states that were kept.
    pub(super) fn count<K: Key>(
        &mut self,
        graph: &Graph<K>,
        keys: &[K],
    ) -> Result<(), PluginError> {
        let known = self.known(graph, keys)?;
        self.note(&known, 0..keys.len());
        Ok(())
    }

    /// The states to keep, in their order; all where the width allows, and those let in always.
    pub(super) fn choose<K: Key>(
        &mut self,
        graph: &Graph<K>,
        keys: Vec<K>,
        let_in: &HashSet<K, FixedState>,
    ) -> Result<Vec<K>, PluginError> {
        let known = self.known(graph, &keys)?;
        if keys.len() <= self.width {
            self.note(&known, 0..keys.len());
            return Ok(keys);
        }
        let mut taken: Vec<bool> = keys.iter().map(|key| let_in.contains(key)).collect();
        let mut shares: HashMap<u64, u32, FixedState> = HashMap::default();
        let mut left = self.width;
        left = left.saturating_sub(taken.iter().filter(|&&taken| taken).count());
        for (quota, share) in [(Quota::Rare, 2), (Quota::Promising, 1)] {
            let marks = (&mut taken[..], &mut shares);
            left -= self.take(&keys, &known, quota, left / share, marks);
        }
        let chosen: Vec<usize> = (0..keys.len()).filter(|&at| taken[at]).collect();
        self.note(&known, chosen.iter().copied());
        Ok(chosen.into_iter().map(|at| keys[at]).collect())
    }

    /// Marks the states that a quota puts first; gives how many.
    fn take<K: Key>(
        &self,
        keys: &[K],
        known: &Known,
        quota: Quota,
        want: usize,
        (taken, shares): (&mut [bool], &mut HashMap<u64, u32, FixedState>),
    ) -> usize {
        let seed = stafford(self.seed ^ quota as u64);
        let place = |at: usize| -> (u64, u64) {
            let first = match quota {
                Quota::Rare => self.kept.get(&known.strata[at]).copied(),
                Quota::Promising => known.order.get(at).copied(),
            };
            let first = first.unwrap_or(0);
            (first, hash(keys[at], seed))
        };
        let open = (0..keys.len()).filter(|&at| !taken[at]);
        let mut ranked: Vec<((u64, u64), u32)> = open.map(|at| (place(at), at as u32)).collect();
        ranked.par_sort_unstable();
        let mut got = 0;
        for (_, at) in ranked {
            if got == want {
                break;
            }
            let at = at as usize;
            if self.strata != Strata::One {
                let share = shares.entry(known.strata[at]).or_insert(0);
                if *share == self.share {
                    continue;
                }
                *share += 1;
            }
            taken[at] = true;
            got += 1;
        }
        got
    }

    fn note(&mut self, known: &Known, kept: impl Iterator<Item = usize>) {
        for at in kept {
            if self.strata != Strata::One {
                *self.kept.entry(known.strata[at]).or_insert(0) += 1;
            }
            if let Some(&order) = known.order.get(at) {
                self.best = Some(self.best.map_or(order, |best| best.min(order)));
            }
        }
    }

    fn known<K: Key>(&self, graph: &Graph<K>, keys: &[K]) -> Result<Known, PluginError> {
        type Asked<'a, K> = &'a (dyn Fn(&[K]) -> Result<Vec<u64>, PluginError> + Sync);
        let all = |ask: Asked<'_, K>| -> Result<Vec<u64>, PluginError> {
            let parts: Result<Vec<_>, _> = keys.par_chunks(BATCH).map(ask).collect();
            Ok(parts?.concat())
        };
        let order = match self.by_order {
            true => all(&|keys| graph.move_order(keys))?,
            false => Vec::new(),
        };
        let strata = match self.strata {
            Strata::Puzzle => all(&|keys| graph.stratum(keys))?,
            Strata::Bucket => {
                let mut strata = all(&|keys| graph.bucket(keys))?;
                // By the bucket alone a stratum fills up with states that are all as far.
                for (stratum, &order) in strata.iter_mut().zip(&order) {
                    *stratum = stafford(*stratum ^ stafford(order));
                }
                strata
            }
            // One for all: chance decides.
            Strata::One => vec![0; keys.len()],
        };
        Ok(Known { strata, order })
    }
}
