//! Chooses the states of a level that a beam keeps.
//!
//! States lie in diversity classes, by the puzzle's own number, such as one of the order of the big
//! blocks and the cell of the block with a goal. Without it, classes are by the bucket and the
//! place in the puzzle's order. Within a diversity class, states are in the puzzle's order, or in
//! random order if it has none. A part of the width is distributed evenly, to the first states of
//! every diversity class. The rest goes to the most promising by the puzzle's order. No diversity
//! class keeps more than its share of the width in a level. By the order alone, the beam would fill
//! up with similar states. States that are far behind the best path, and those of diversity classes
//! that have used up their shares, come last.

use std::sync::Arc;

use foldhash::fast::FixedState;
use hashbrown::{HashMap, HashSet};
use puzzle_api::Key;
use rayon::prelude::*;

use super::learned::Fitted;
use crate::digest::scattered;
use crate::engines::BATCH;
use crate::keyset::stafford;
use crate::parallel;
use antipode_graph::{Capabilities, Graph, PluginError};

/// Number of strata that fill the width, if each has its full share.
const CLASSES: usize = 800;
/// Least states that a diversity class may keep.
const LEAST_SHARE: usize = 16;

/// A level up to this many widths is kept whole. A state left out so early was never followed to
/// where it differs from the rest.
const WHOLE: usize = 8;
/// Shares that a diversity class may keep in all levels together. Without this limit, a beam that
/// has gone as far as it can in some diversity classes stays there: see the README of the engine.
const SHARES: u64 = 10;
/// The part of the width that is distributed evenly among the diversity classes, in tenths.
const EVENLY: usize = 3;

/// Chooses the states of one pass, level by level.
pub(super) struct Chooser {
    width: usize,
    share: u32,
    seed: u64,
    diversity_classes: DiversityClasses,
    by: By,
    /// Number of states kept of each diversity class.
    kept: HashMap<u64, u64, FixedState>,
    /// The best value so far of the order by which states are sorted.
    best: Option<u64>,
}

/// The number that identifies a diversity class.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum DiversityClasses {
    /// The puzzle's own number.
    Puzzle,
    /// The puzzle's bucket, and its order.
    Bucket,
    /// Nothing: there is one.
    One,
}

/// Keys by which states are ordered.
#[derive(Debug, Clone)]
enum By {
    /// The puzzle's own order.
    Puzzle,
    /// A learned distance.
    Learned(Arc<Fitted>),
    Chance,
}

/// Data on the states of a level.
struct LevelKnown {
    diversity_classes: Vec<u64>,
    order: Vec<u64>,
    /// Marks the states that lag too far behind by the puzzle's order; empty if none does.
    late: Vec<bool>,
}

/// A cut-off among the states of a level that is too large to hold: the states before it fill the
/// width.
pub(super) struct Cutoff {
    /// The number of states before it, by diversity class.
    first: usize,
    /// For the other states, those with a smaller order and random number are before it.
    end: (u32, u32),
}

/// A state among those of its diversity class.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
struct Ranked {
    diversity_class: u64,
    late: bool,
    order: u32,
    chance: u32,
    at: u32,
}

impl Chooser {
    pub(super) fn new<K: Key>(
        graph: &Graph<K>,
        (width, seed): (usize, u64),
        learned: Option<Arc<Fitted>>,
    ) -> Self {
        let by = match learned {
            Some(learned) => By::Learned(learned),
            None if graph.has(Capabilities::MOVE_ORDER) => By::Puzzle,
            None => By::Chance,
        };
        Self {
            width,
            share: (width / CLASSES).max(LEAST_SHARE) as u32,
            seed,
            diversity_classes: match () {
                () if graph.has(Capabilities::DIVERSITY_CLASS) => DiversityClasses::Puzzle,
                () if graph.has(Capabilities::BUCKET) => DiversityClasses::Bucket,
                () => DiversityClasses::One,
            },
            by,
            kept: HashMap::default(),
            best: None,
        }
    }

    /// The best value so far of the order by which states are sorted; smaller is better.
    pub(super) fn best(&self) -> Option<u64> {
        self.best
    }

    /// Number of states of a level that are kept.
    pub(super) fn width(&self) -> usize {
        self.width
    }

    /// Records states that were kept.
    pub(super) fn note<K: Key>(&mut self, graph: &Graph<K>, keys: &[K]) -> Result<(), PluginError> {
        let order = self.order(graph, keys)?;
        let diversity_classes = self.diversity_classes(graph, keys, &order)?;
        self.note_kept(&order, &diversity_classes);
        Ok(())
    }

    fn note_kept(&mut self, order: &[u64], diversity_classes: &[u64]) {
        if self.diversity_classes != DiversityClasses::One {
            for &diversity_class in diversity_classes {
                *self.kept.entry(diversity_class).or_insert(0) += 1;
            }
        }
        let least = order.iter().min().copied();
        self.best = [self.best, least].into_iter().flatten().min();
    }

    /// The states to keep, in their order. All if the width allows, or a multiple of it if no
    /// earlier level was cut (`whole`); admitted states always. States farther off than `farthest`
    /// by the puzzle's order are kept only if the others do not fill the width.
    pub(super) fn choose<K: Key>(
        &mut self,
        graph: &Graph<K>,
        keys: Vec<K>,
        (whole, farthest): (bool, Option<u64>),
        let_in: &HashSet<K, FixedState>,
    ) -> Result<Vec<K>, PluginError> {
        let order = self.order(graph, &keys)?;
        let diversity_classes = self.diversity_classes(graph, &keys, &order)?;
        let room = match whole {
            true => self.width.saturating_mul(WHOLE),
            false => self.width,
        };
        if keys.len() <= room {
            self.note_kept(&order, &diversity_classes);
            return Ok(keys);
        }
        let late = self.late(graph, &keys, &order, farthest)?;
        let known = LevelKnown {
            diversity_classes,
            order,
            late,
        };
        let mut taken = self.take(&keys, &known);
        for (key, taken) in keys.iter().zip(&mut taken) {
            *taken |= !let_in.is_empty() && let_in.contains(key);
        }
        let (order, diversity_classes) = (
            chosen(&known.order, &taken),
            chosen(&known.diversity_classes, &taken),
        );
        self.note_kept(&order, &diversity_classes);
        Ok(chosen(&keys, &taken))
    }

    /// Most states of a diversity class in a level.
    fn most_of_a_class(&self) -> usize {
        match self.diversity_classes {
            DiversityClasses::One => self.width,
            DiversityClasses::Puzzle | DiversityClasses::Bucket => self.share as usize,
        }
    }

    /// States by diversity class, in their order within each.
    fn ranked<K: Key>(&self, keys: &[K], known: &LevelKnown) -> Vec<Ranked> {
        let ranked = |at: usize| Ranked {
            diversity_class: known.diversity_classes[at],
            late: known.late.get(at).copied().unwrap_or(false),
            order: short(known.order.get(at).copied().unwrap_or(0)),
            chance: (scattered(keys[at], self.seed) >> 32) as u32,
            at: at as u32,
        };
        let batches = (0..keys.len()).step_by(BATCH);
        let mut ranked = parallel::map(batches, |start| {
            let batch = start..keys.len().min(start + BATCH);
            batch.map(ranked).collect::<Vec<Ranked>>()
        })
        .concat();
        ranked.par_sort_unstable();
        ranked
    }

    /// Marks the states that fill the width.
    fn take<K: Key>(&self, keys: &[K], known: &LevelKnown) -> Vec<bool> {
        let ranked = self.ranked(keys, known);
        let share = self.most_of_a_class();
        // Takes from each diversity class its share of first states: those that it may keep, and
        // those that are late.
        let by_class = ranked.chunk_by(|one, other| one.diversity_class == other.diversity_class);
        let diversity_classes: Vec<(&[Ranked], &[Ranked])> = by_class
            .map(|diversity_class| {
                let kept = self
                    .kept
                    .get(&diversity_class[0].diversity_class)
                    .copied()
                    .unwrap_or(0);
                let left = (share as u64 * SHARES).saturating_sub(kept) as usize;
                let in_time = diversity_class.partition_point(|state| !state.late);
                let share = diversity_class.len().min(share);
                diversity_class[..share].split_at(share.min(left).min(in_time))
            })
            .collect();
        // By place within a diversity class: the number of states at this place.
        let mut at_place = vec![0_usize; share];
        for (diversity_class, _) in &diversity_classes {
            let places = at_place.iter_mut().zip(*diversity_class);
            places.for_each(|(many, _)| *many += 1);
        }
        let (evenly, first) = dealt_evenly(&at_place, self.width);
        let mut taken = vec![false; keys.len()];
        let (mut others, mut late) = (Vec::new(), Vec::new());
        for (diversity_class, over) in diversity_classes {
            let (firsts, rest) = diversity_class.split_at(first.min(diversity_class.len()));
            for state in firsts {
                taken[state.at as usize] = true;
            }
            others.extend_from_slice(rest);
            late.extend_from_slice(over);
        }
        let left = self.width - evenly;
        let late_left = left.saturating_sub(others.len());
        for (states, many) in [(others, left), (late, late_left)] {
            for state in most_promising(states, many) {
                taken[state.at as usize] = true;
            }
        }
        taken
    }

    /// The first states of each diversity class, at most its share, each with its place in it.
    /// Diversity classes follow each other.
    fn firsts<K: Key>(
        &self,
        graph: &Graph<K>,
        keys: &[K],
    ) -> Result<Vec<(usize, Ranked)>, PluginError> {
        let order = self.order(graph, keys)?;
        let known = LevelKnown {
            diversity_classes: self.diversity_classes(graph, keys, &order)?,
            order,
            late: Vec::new(),
        };
        let ranked = self.ranked(keys, &known);
        let diversity_classes =
            ranked.chunk_by(|one, other| one.diversity_class == other.diversity_class);
        let share = self.most_of_a_class();
        let firsts = diversity_classes
            .flat_map(|diversity_class| diversity_class.iter().copied().take(share).enumerate());
        Ok(firsts.collect())
    }

    /// The cut-off among many states, of which a sample with whole diversity classes is given.
    pub(super) fn line<K: Key>(
        &self,
        graph: &Graph<K>,
        some: &[K],
        part: f64,
    ) -> Result<Cutoff, PluginError> {
        let firsts = self.firsts(graph, some)?;
        let width = (self.width as f64 * part) as usize;
        let mut at_place = vec![0_usize; self.most_of_a_class()];
        firsts.iter().for_each(|&(place, _)| at_place[place] += 1);
        let (evenly, first) = dealt_evenly(&at_place, width);
        let mut others: Vec<(u32, u32)> = firsts
            .into_iter()
            .filter(|&(place, _)| place >= first)
            .map(|(_, state)| (state.order, state.chance))
            .collect();
        let left = width - evenly;
        let end = match left < others.len() {
            true => *others.select_nth_unstable(left).1,
            false => (u32::MAX, u32::MAX),
        };
        Ok(Cutoff { first, end })
    }

    /// Those of some states, with whole diversity classes, that are before a cut-off.
    pub(super) fn before<K: Key>(
        &self,
        graph: &Graph<K>,
        keys: &[K],
        line: &Cutoff,
    ) -> Result<Vec<K>, PluginError> {
        let firsts = self.firsts(graph, keys)?.into_iter();
        let before = firsts
            .filter(|(place, state)| *place < line.first || (state.order, state.chance) < line.end);
        Ok(before.map(|(_, state)| keys[state.at as usize]).collect())
    }

    fn order<K: Key>(&self, graph: &Graph<K>, keys: &[K]) -> Result<Vec<u64>, PluginError> {
        match &self.by {
            By::Puzzle => all(keys, |keys| graph.move_order(keys)),
            By::Learned(learned) => all(keys, |keys| learned.order(graph, keys)),
            By::Chance => Ok(Vec::new()),
        }
    }

    /// Marks the states that lag too far behind by the puzzle's order.
    fn late<K: Key>(
        &self,
        graph: &Graph<K>,
        keys: &[K],
        order: &[u64],
        farthest: Option<u64>,
    ) -> Result<Vec<bool>, PluginError> {
        let Some(farthest) = farthest else {
            return Ok(Vec::new());
        };
        let late = |order: &[u64]| order.iter().map(|&order| order > farthest).collect();
        match &self.by {
            By::Learned(_) => Ok(late(&all(keys, |keys| graph.move_order(keys))?)),
            By::Puzzle | By::Chance => Ok(late(order)),
        }
    }

    fn diversity_classes<K: Key>(
        &self,
        graph: &Graph<K>,
        keys: &[K],
        order: &[u64],
    ) -> Result<Vec<u64>, PluginError> {
        Ok(match self.diversity_classes {
            DiversityClasses::Puzzle => all(keys, |keys| graph.diversity_class(keys))?,
            DiversityClasses::Bucket => {
                let mut diversity_classes = all(keys, |keys| graph.bucket(keys))?;
                // Ordered by the bucket alone, a diversity class fills up with equally distant
                // states.
                for (diversity_class, &order) in diversity_classes.iter_mut().zip(order) {
                    *diversity_class = stafford(*diversity_class ^ stafford(order));
                }
                diversity_classes
            }
            // One value for all: the random number decides.
            DiversityClasses::One => vec![0; keys.len()],
        })
    }
}

/// Number of states that are distributed evenly, and the number per diversity class, from the
/// number of states at each place.
fn dealt_evenly(at_place: &[usize], width: usize) -> (usize, usize) {
    let (mut evenly, mut first) = (0, 0);
    for &many in at_place {
        if many == 0 || evenly + many > width * EVENLY / 10 {
            break;
        }
        evenly += many;
        first += 1;
    }
    (evenly, first)
}

/// A place in the puzzle's order in half the memory.
fn short(order: u64) -> u32 {
    order.min(u32::MAX.into()) as u32
}

/// The first n of some states by the puzzle's order.
fn most_promising(mut states: Vec<Ranked>, many: usize) -> Vec<Ranked> {
    if many < states.len() {
        if many > 0 {
            states.select_nth_unstable_by_key(many, |state| (state.order, state.chance, state.at));
        }
        states.truncate(many);
    }
    states
}

/// Computes a value of states, batch by batch on all threads.
pub(super) fn all<K: Key, T: Clone + Send>(
    keys: &[K],
    ask: impl Fn(&[K]) -> Result<Vec<T>, PluginError> + Sync + Send,
) -> Result<Vec<T>, PluginError> {
    Ok(parallel::try_map(keys.chunks(BATCH), ask)?.concat())
}

/// The marked ones of some items.
fn chosen<T: Copy>(of: &[T], marked: &[bool]) -> Vec<T> {
    let marked = of.iter().zip(marked).filter(|(_, marked)| **marked);
    marked.map(|(&one, _)| one).collect()
}
