//! Tables held against the literal rulebook on states of the run itself.
//!
//! What tables rest on is shown on all of their entries, but that a board does what its lines,
//! windows or places do by themselves is shown on drawn boards alone. So states that the run
//! delivered are looked at on the rulebook too, through the functions that any check calls: where
//! they move, what their images are, that an image moves to the same orbits, whether they are
//! solved, and, in runs whose states are counted by their ranks, whether they have one.

use puzzle_api::proof::halves_agree;
use puzzle_api::{Direction, Key};
use rayon::prelude::*;

use antipode_graph::{Expansion, PluginError};
use antipode_search::engines::BATCH;
use antipode_search::observers::Distance;

use super::on_tables::OnTables;
use super::part::PartRules;

/// Of so many orbits one is looked at, the first of each distance besides.
const EACH: usize = 256;
/// Of so many orbits or fewer every one is.
const LEAST: usize = 128;

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
        // Where nothing is counted by ranks, nothing rests on what tables say of them.
        let backward = self.against.search.direction == Direction::Backward;
        if let Some(numbering) = backward.then(|| self.against.numbering()).flatten() {
            numbering.place(&images, &mut placed)?;
        }
        let (mut asked, mut asked_of) = (Vec::with_capacity(2 * keys.len()), Vec::new());
        for (nth, orbit) in orbits.iter().enumerate() {
            let first = asked.len();
            asked.push(keys[nth]);
            asked.extend(another(&images[nth * count..(nth + 1) * count], orbit / 3));
            asked_of.push((first, asked.len() - 1));
        }
        let moves = self.moves(&asked)?;
        // One wrong state of a batch is enough to say that the tables are wrong.
        let halves = halves_agree(self.on.tables, &keys).err();

        let mut held = Held::default();
        for (nth, &orbit) in orbits.iter().enumerate() {
            let own = nth * count..(nth + 1) * count;
            let ranked = |at: usize| placed[at].is_some_and(|place| place.part == self.part);
            let (first, other) = (&moves[asked_of[nth].0], &moves[asked_of[nth].1]);
            let fault = if let Some(fault) = first.fault.or(other.fault) {
                Some(fault)
            } else if first.orbits != other.orbits {
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
            } else if let Some((_, what)) = halves.filter(|(at, _)| *at == nth) {
                Some(what)
            } else {
                first.astray.or(other.astray)
            };
            held.states += 1 + (asked_of[nth].1 - asked_of[nth].0) as u64;
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
        let by_tables = ByTables::of(self.on, keys);
        let (mut all, mut led) = (Vec::with_capacity(keys.len()), Vec::new());
        for (at, &key) in keys.iter().enumerate() {
            let from = led.len();
            led.extend(once(out.of(at), key));
            let (listed, _) = by_tables.lists(at);
            let same = listed.is_some_and(|listed| once(listed, key) == led[from..]);
            all.push((from..led.len(), same));
        }
        let moves = led.clone();
        if self.against.search.symmetry {
            rules.canonical(&mut led, None)?;
        }
        let moves = all.into_iter().enumerate().map(|(at, (range, same))| {
            let ruled = (&moves[range.clone()], &led[range.clone()]);
            let agree = !same || by_tables.lead_to(at, ruled, keys[at]);
            let mut orbits = led[range].to_vec();
            orbits.sort_unstable();
            orbits.dedup();
            Moves {
                orbits,
                fault: (!same).then_some("moves by the tables other than by the rulebook"),
                astray: (!agree)
                    .then_some("a move of it leads to another orbit by the tables than it does"),
            }
        });
        Ok(moves.collect())
    }
}

struct Moves<K> {
    /// Orbits that they lead to, by the rulebook, once each and in order.
    orbits: Vec<K>,
    fault: Option<&'static str>,
    /// As where every orbit is looked at: by the list of representatives.
    astray: Option<&'static str>,
}

/// Where moves lead by the tables: states, and what the run delivers for them.
struct ByTables<K> {
    moves: Vec<K>,
    ends: Vec<usize>,
    orbits: Vec<K>,
    orbits_ends: Vec<usize>,
}

impl<K: Key> ByTables<K> {
    fn of(on: OnTables<'_, K>, keys: &[K]) -> Self {
        let mut lists = Self {
            moves: Vec::new(),
            ends: Vec::new(),
            orbits: Vec::new(),
            orbits_ends: Vec::new(),
        };
        on.tables
            .successors(keys, &mut lists.moves, &mut lists.ends);
        let (orbits, ends) = (&mut lists.orbits, &mut lists.orbits_ends);
        on.successors(keys, orbits, ends, &mut Vec::new());
        lists
    }

    /// Both lists of one state, where there is one.
    fn lists(&self, at: usize) -> (Option<&[K]>, Option<&[K]>) {
        let list = |ends: &[usize]| {
            let start = at
                .checked_sub(1)
                .map_or(Some(0), |at| ends.get(at).copied())?;
            Some(start..*ends.get(at)?)
        };
        let moves = list(&self.ends).and_then(|range| self.moves.get(range));
        let orbits = list(&self.orbits_ends).and_then(|range| self.orbits.get(range));
        (moves, orbits)
    }

    /// Whether each move of a state leads to the orbit that it leads to by the rulebook, given
    /// all moves in order with their representatives.
    fn lead_to(&self, at: usize, (moves, led): (&[K], &[K]), key: K) -> bool {
        let (Some(listed), Some(orbits)) = self.lists(at) else {
            return false;
        };
        let right = |(next, orbit): (&K, &K)| {
            *next == key
                || moves
                    .binary_search(next)
                    .is_ok_and(|nth| led[nth] == *orbit)
        };
        listed.len() == orbits.len() && listed.iter().zip(orbits).all(right)
    }
}

/// One of the images of a state that is another state, where there is one: which, goes round.
fn another<K: Key>(images: &[K], start: usize) -> Option<K> {
    let (own, others) = images.split_first()?;
    let (front, back) = others.split_at(start % others.len().max(1));
    back.iter()
        .chain(front)
        .find(|image| *image != own)
        .copied()
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
