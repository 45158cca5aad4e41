//! Tables held against the literal rulebook on states of the run itself.
//!
//! What tables rest on is shown on all of their entries, but that a board does what its lines,
//! windows or places do by themselves is shown on drawn boards alone. So states that the run
//! delivered are looked at on the rulebook too, through the functions that any check calls: where
//! they move, what their images are, that an image moves to the same orbits, whether they are
//! solved, and whether they have a rank.

use std::collections::BTreeSet;

use puzzle_api::{Direction, Key};
use rayon::prelude::*;

use antipode_graph::{Expansion, PluginError};
use antipode_search::engines::BATCH;
use antipode_search::observers::Distance;

use super::on_tables::OnTables;
use super::part::PartRules;

/// Of so many orbits one is looked at, the first of each distance besides.
const EACH: usize = 64;
/// Of so many orbits or fewer every one is.
const LEAST: usize = 512;

/// What was looked at on the rulebook, and where tables say something else.
#[derive(Debug, Default)]
pub(super) struct Held {
    /// States looked at.
    pub(super) states: u64,
    /// Positions of orbits, and what differs.
    pub(super) faults: Vec<(usize, &'static str)>,
}

/// The orbits that are looked at: spread evenly, and the first of each distance.
fn chosen<K>(states: &[Distance<K>]) -> Vec<usize> {
    let apart = (states.len() / LEAST).clamp(1, EACH);
    let mut met = vec![false; 1 + usize::from(u16::MAX)];
    let mut is_first =
        |state: &Distance<K>| !std::mem::replace(&mut met[usize::from(state.depth)], true);
    let all = states.iter().enumerate();
    all.filter(|(at, state)| is_first(state) | (at % apart == 0))
        .map(|(at, _)| at)
        .collect()
}

/// Holds tables against the rulebook on some of the states delivered, and of each on another
/// image: which one, changes from orbit to orbit.
pub(super) fn held<K: Key>(
    on: OnTables<'_, K>,
    against: &PartRules<'_, K>,
    part: u64,
    states: &[Distance<K>],
) -> Result<Held, PluginError> {
    let chosen = chosen(states);
    let batches = chosen.par_chunks((BATCH / on.count()).max(1));
    let batches = batches.map(|orbits| Batch { on, against, part }.held(orbits, states));
    batches.try_reduce(Held::default, |mut all, more| {
        all.states += more.states;
        all.faults.extend(more.faults);
        Ok(all)
    })
}

struct Batch<'a, K> {
    on: OnTables<'a, K>,
    against: &'a PartRules<'a, K>,
    part: u64,
}

impl<K: Key> Batch<'_, K> {
    fn held(&self, orbits: &[usize], states: &[Distance<K>]) -> Result<Held, PluginError> {
        let (rules, count) = (self.against.rules, self.on.count());
        let symmetry = self.against.search.symmetry;
        let keys: Vec<K> = orbits.iter().map(|&orbit| states[orbit].key).collect();
        let mut images = Vec::new();
        self.on.images(&keys, &mut images);
        // What is no state is a fault of the run, which is told where every orbit is looked at.
        let are_states: Vec<bool> = keys
            .iter()
            .zip(images.chunks_exact(count))
            .map(|(key, images)| *key == images[0])
            .collect();
        let orbits = kept(orbits, &are_states, 1);
        let keys = kept(&keys, &are_states, 1);
        let images = kept(&images, &are_states, count);

        let (mut by_rules, mut led) = (keys.clone(), images.clone());
        let mut ruled_images = images.clone();
        if symmetry {
            rules.canonical(&mut by_rules, None)?;
            self.against.search.graph.canonical(&mut led, None)?;
            ruled_images = rules.images_of(&keys)?;
        }
        let solved = rules.is_solved(&images)?;
        let mut solved_by_tables = Vec::new();
        self.on.tables.are_solved(&images, &mut solved_by_tables);
        let mut placed = Vec::new();
        if let Some(numbering) = self.against.numbering() {
            numbering.place(&images, &mut placed)?;
        }
        // Each with another of its images.
        let each = orbits.iter().enumerate();
        let both: Vec<K> = each
            .flat_map(|(nth, orbit)| [keys[nth], images[nth * count + (1 + orbit / 3) % count]])
            .collect();
        let moves = self.moves(&both)?;

        let mut held = Held::default();
        for (nth, &orbit) in orbits.iter().enumerate() {
            let own = nth * count..(nth + 1) * count;
            let ranked = |at: usize| placed[at].is_some_and(|place| place.part == self.part);
            let fault = if let Some(fault) = moves[2 * nth].fault.or(moves[2 * nth + 1].fault) {
                Some(fault)
            } else if moves[2 * nth].orbits != moves[2 * nth + 1].orbits {
                Some("an image of it moves to other orbits")
            } else if ruled_images.get(own.clone()) != Some(&images[own.clone()]) {
                Some("has other images by the tables than by the rulebook")
            } else if self.on.representative(&images[own.clone()]) != by_rules[nth] {
                Some("has another representative by the tables than by the rulebook")
            } else if led[own.clone()].iter().any(|led| *led != by_rules[nth]) {
                Some("an image of it has another canonical form")
            } else if solved[own.clone()] != solved_by_tables[own.clone()] {
                Some("is or is not solved by the tables, other than by the rulebook")
            } else if !placed.is_empty()
                && own
                    .clone()
                    .any(|at| ranked(at) != self.on.tables.is_ranked(self.part, images[at]))
            {
                Some("has or has no rank by the tables, other than by the numbering")
            } else {
                None
            };
            held.states += if count > 1 { 2 } else { 1 };
            held.faults.extend(fault.map(|fault| (orbit, fault)));
        }
        Ok(held)
    }

    /// Where the moves of states lead by the rulebook, and whether by the tables too. A move that
    /// changes nothing may be listed or not, and any of them twice.
    fn moves(&self, keys: &[K]) -> Result<Vec<Moves<K>>, PluginError> {
        let rules = self.against.rules;
        let mut out = Expansion::default();
        rules.expand(Direction::Forward, keys, &mut out)?;
        let (mut by_tables, mut ends) = (Vec::new(), Vec::new());
        self.on.tables.successors(keys, &mut by_tables, &mut ends);
        let (mut all, mut led) = (Vec::with_capacity(keys.len()), Vec::new());
        let mut start = 0;
        for (at, &key) in keys.iter().enumerate() {
            let moves = once(out.of(at), key);
            let same = ends
                .get(at)
                .is_some_and(|&end| once(&by_tables[start..end], key) == moves);
            start = ends.get(at).copied().unwrap_or(start);
            let from = led.len();
            led.extend(moves);
            all.push((from..led.len(), same));
        }
        if self.against.search.symmetry {
            rules.canonical(&mut led, None)?;
        }
        let moves = all.into_iter().map(|(range, same)| Moves {
            orbits: led[range].iter().copied().collect(),
            fault: (!same).then_some("moves by the tables other than by the rulebook"),
        });
        Ok(moves.collect())
    }
}

struct Moves<K> {
    /// Orbits that they lead to, by the rulebook.
    orbits: BTreeSet<K>,
    fault: Option<&'static str>,
}

/// Each successor once and in order, without the state itself.
fn once<K: Key>(successors: &[K], key: K) -> Vec<K> {
    let mut others = successors.to_vec();
    others.retain(|&next| next != key);
    others.sort_unstable();
    others.dedup();
    others
}

/// Of groups of so many those that are to be kept.
fn kept<T: Copy>(all: &[T], keep: &[bool], many: usize) -> Vec<T> {
    let groups = all.chunks_exact(many).zip(keep);
    let groups = groups.filter(|(_, keep)| **keep);
    groups.flat_map(|(group, _)| group.to_vec()).collect()
}

#[cfg(test)]
mod tests;
