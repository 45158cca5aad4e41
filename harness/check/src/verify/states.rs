//! Checks every state of a part by the rules: its moves, and its orbit.

use std::borrow::Cow;
use std::collections::HashSet;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};

use puzzle_api::{Direction, Key, UNSOLVABLE};

use antipode_graph::{Expansion, Graph, PluginError};
use antipode_search::digest::hash_key;
use antipode_search::engines::{BATCH, EngineError};
use antipode_search::observers::Distance;
use antipode_search::parallel;
use antipode_search::progress::Progress;

use super::faults::Faults;
use super::images::{Delivery, Images};
use super::outside::Beyond;
use super::part::{Goals, PartRules};

/// A part's states, and the references to compare them with.
pub(super) struct PartCheck<'a, K> {
    pub(super) against: &'a PartRules<'a, K>,
    pub(super) part: u64,
    pub(super) states: &'a [Distance<K>],
    pub(super) goals: Goals<K>,
    pub(super) images: Images<K>,
    /// By position: whether a state one closer leads to it (forward).
    pub(super) reached: Vec<AtomicBool>,
    /// A bit for each rank: whether a delivered state is known to have it.
    pub(super) settled: Vec<AtomicU64>,
}

/// The fault of a state on which the variants disagree.
const DIFFERING: &str = "the variants do not agree on its moves, or whether it is solved";

/// Results for the moves of some states.
#[derive(Debug)]
pub(super) struct Seen<K> {
    faults: Vec<(usize, K, &'static str)>,
    /// Successors that were not delivered.
    pub(super) outside: Vec<K>,
    /// How many of the first are sorted and unique.
    in_order: usize,
    /// Sum of hashes of the moves between delivered states, minus those of the reversed moves: 0 if
    /// every move can be undone.
    moves: u128,
    /// Whether some undelivered successors were dropped.
    pub(super) cut: bool,
}

/// Most undelivered successors that are kept.
const MOST_OUTSIDE: usize = 1 << 25;

impl<K: Key> Seen<K> {
    pub(super) fn nothing() -> Self {
        Self {
            faults: Vec::new(),
            outside: Vec::new(),
            in_order: 0,
            moves: 0,
            cut: false,
        }
    }

    /// Records the fault of the orbit at a position.
    pub(super) fn fault(&mut self, orbit: usize, key: K, rule: &'static str) {
        self.faults.push((orbit, key, rule));
    }

    /// Passes on the faults, in order.
    pub(super) fn record(&mut self, faults: &mut Faults<'_, K>) -> Result<(), PluginError> {
        self.faults.sort_by_key(|(orbit, ..)| *orbit);
        for (orbit, key, rule) in std::mem::take(&mut self.faults) {
            faults.add(orbit, key, rule)?;
        }
        Ok(())
    }

    /// Sorts the undelivered successors, removes duplicates and drops those above the bound.
    pub(super) fn close(&mut self) {
        self.bound(MOST_OUTSIDE);
    }

    pub(super) fn and(self, other: Self) -> Self {
        self.and_keep(other, MOST_OUTSIDE)
    }

    fn and_keep(mut self, mut other: Self, most: usize) -> Self {
        if self.in_order < other.in_order {
            std::mem::swap(&mut self, &mut other);
        }
        self.faults.extend(other.faults);
        self.moves = self.moves.wrapping_add(other.moves);
        self.cut |= other.cut;
        // If the sorted ones fill the bound, greater ones are dropped at once.
        let greatest = match self.in_order == most {
            true => self.outside[..most].last().copied(),
            false => None,
        };
        let all = self.outside.len() + other.outside.len();
        let kept = |key: &K| greatest.is_none_or(|greatest| *key <= greatest);
        self.outside.extend(other.outside.into_iter().filter(kept));
        self.cut |= self.outside.len() < all;
        // Rare enough to be cheap.
        let more = self.outside.len() - self.in_order;
        if more >= BATCH.max(self.in_order.min(most / 4)) {
            self.bound(most);
        }
        self
    }

    /// Removes duplicates and keeps the least `most`, whatever the number of threads.
    fn bound(&mut self, most: usize) {
        self.outside[self.in_order..].sort_unstable();
        // The standard sort merges two sorted runs in one pass.
        self.outside.sort();
        self.outside.dedup();
        self.cut |= self.outside.len() > most;
        self.outside.truncate(most);
        self.in_order = self.outside.len();
    }

    pub(super) fn one_way(&self) -> bool {
        self.moves != 0
    }
}

/// Hash of a move; the reverse move has another.
fn move_hash(from: u128, to: u128) -> u128 {
    hash_key(from.wrapping_mul(0x9e37_79b9_7f4a_7c15_f39c_c060_5ced_c835) ^ to)
}

impl<'a, K: Key> PartCheck<'a, K> {
    pub(super) fn new(
        against: &'a PartRules<'a, K>,
        part: u64,
        states: &'a [Distance<K>],
    ) -> Result<Self, PluginError> {
        let images = Images::of(against, states)?;
        let size = match against.numbering() {
            Some(numbering) if against.search.direction == Direction::Backward => {
                numbering.space(part)?.unwrap_or(0)
            }
            _ => 0,
        };
        // If the space is far larger than the delivered set, every rank is looked up.
        let size = size.min(64 * images.len() as u64);
        Ok(Self {
            against,
            part,
            states,
            goals: against.goals(part)?,
            reached: match against.search.direction {
                Direction::Forward => (0..images.len()).map(|_| AtomicBool::new(false)).collect(),
                Direction::Backward => Vec::new(),
            },
            settled: (0..size.div_ceil(64)).map(|_| AtomicU64::new(0)).collect(),
            images,
        })
    }

    pub(super) fn beyond(&self) -> Beyond<'_, K> {
        Beyond {
            against: self.against,
            part: self.part,
            images: &self.images,
            goals: &self.goals,
        }
    }

    /// Whether the rulebook reads its drawing of each state of an orbit as that state.
    pub(super) fn is_read_back(&self, orbit: usize) -> Result<bool, PluginError> {
        for &key in self.images.orbit(orbit) {
            if !is_read_back(self.against.rules, key)? {
                return Ok(false);
            }
        }
        Ok(true)
    }

    /// Checks every state. Returns `None` if it was stopped.
    pub(super) fn states(
        &self,
        faults: &mut Faults<'_, K>,
        progress: &Progress,
    ) -> Result<Option<Seen<K>>, EngineError> {
        let orbits = (BATCH * self.states.len() / self.images.len().max(1)).max(1);
        let starts = (0..self.states.len()).step_by(orbits);
        let seen = parallel::try_map(starts, |start| {
            if progress.stopping() {
                return Ok(Seen::nothing());
            }
            let end = self.states.len().min(start + orbits);
            self.chunk(start..end, &mut Expansion::default())
        })?;
        let mut seen: Seen<K> = seen.into_iter().fold(Seen::nothing(), Seen::and);
        if progress.stopping() {
            return Ok(None);
        }
        seen.close();
        seen.record(faults)?;
        Ok(Some(seen))
    }

    /// Checks all states of some orbits.
    fn chunk(
        &self,
        orbits: std::ops::Range<usize>,
        out: &mut Expansion<K>,
    ) -> Result<Seen<K>, EngineError> {
        let keys = self.images.orbits(orbits.clone());
        let goal = self.goals.among(self.against.rules, keys)?;
        let expanded = self.expanded(orbits.clone());
        let rules = self.against.rules;
        rules.expand(Direction::Forward, &expanded, out)?;
        let differing = self.differing(keys, &expanded, out)?;
        let mut all_places = Vec::with_capacity(out.keys().len());
        self.images.get_all(out.keys(), &mut all_places);
        let mut places = all_places.as_slice();
        let mut lists = 0..expanded.len();
        let of_orbits = self.orbit_faults(orbits.clone(), keys)?;
        let mut seen = Seen::nothing();
        let (mut at, mut first, mut other) = (0, Vec::new(), Vec::new());
        for (orbit, of_orbit) in orbits.zip(of_orbits) {
            let state = &self.states[orbit];
            let mut fault = of_orbit;
            let goes_on = self.goes_on(orbit);
            for (nth, &key) in self.images.orbit(orbit).iter().enumerate() {
                let led = if nth == 0 { &mut first } else { &mut other };
                let list = goes_on.then(|| lists.next()).flatten();
                let successors = list.map_or(&[][..], |list| out.of(list));
                let own;
                (own, places) = places.split_at(successors.len());
                let state = (key, state.depth, goal[at]);
                let of_moves = self.moves(state, (successors, own), led, &mut seen);
                fault = fault.or(of_moves);
                if differing.contains(&key) {
                    fault = fault.or(Some(DIFFERING));
                }
                if nth > 0 && first != other {
                    fault = fault.or(Some("an image of it moves to other orbits"));
                }
                at += 1;
            }
            if let Some(rule) = fault {
                seen.fault(orbit, state.key, rule);
            }
        }
        seen.close();
        Ok(seen)
    }

    /// States for which a variant and its rulebook program differ in moves, or in whether they are
    /// solved; levels may not show such a difference.
    fn differing(
        &self,
        keys: &[K],
        expanded: &[K],
        ruled: &Expansion<K>,
    ) -> Result<HashSet<K>, PluginError> {
        let (graph, rules) = (&self.against.search.graph, self.against.rules);
        let mut differing = HashSet::new();
        if !graph.opened.library.is_program() || graph.opened.variant == rules.opened.variant {
            return Ok(differing);
        }
        let solved = graph.is_solved(keys)?.into_iter();
        let pairs = keys.iter().zip(solved.zip(rules.is_solved(keys)?));
        differing.extend(
            pairs
                .filter(|(_, (own, ruled))| own != ruled)
                .map(|(&key, _)| key),
        );
        let mut own = Expansion::default();
        graph.expand(Direction::Forward, expanded, &mut own)?;
        for (i, &key) in expanded.iter().enumerate() {
            if own.others(i, key) != ruled.others(i, key) {
                differing.insert(key);
            }
        }
        Ok(differing)
    }

    /// Whether the successors of an orbit can be checked: those of the deepest level of a forward
    /// run with a depth limit were not requested.
    fn goes_on(&self, orbit: usize) -> bool {
        let search = self.against.search;
        search.direction == Direction::Backward
            || search.max_depth != Some(self.states[orbit].depth)
    }

    /// The states whose moves are checked.
    fn expanded(&self, orbits: std::ops::Range<usize>) -> Cow<'_, [K]> {
        if orbits.clone().all(|orbit| self.goes_on(orbit)) {
            return Cow::Borrowed(self.images.orbits(orbits));
        }
        let going_on = orbits.filter(|&orbit| self.goes_on(orbit));
        Cow::Owned(
            going_on
                .flat_map(|orbit| self.images.orbit(orbit).to_vec())
                .collect(),
        )
    }

    /// Checks the moves of one state; `orbits` receives the orbits that they reach.
    fn moves(
        &self,
        (key, depth, goal): (K, u16, bool),
        (successors, places): (&[K], &[Option<Delivery>]),
        orbits: &mut Vec<u32>,
        seen: &mut Seen<K>,
    ) -> Option<&'static str> {
        orbits.clear();
        let search = self.against.search;
        let ranks_show = self.against.numbering().is_some() && search.max_depth.is_none();
        let undo = search.direction == Direction::Backward && !ranks_show;
        let own = if undo { hash_key(key.to_u128()) } else { 0 };
        let mut around = SuccessorDistances::default();
        for (i, &successor) in successors.iter().enumerate() {
            // A move that changes nothing may or may not be listed, and any move may be listed
            // twice.
            if successor == key || successors[..i].contains(&successor) {
                continue;
            }
            let place = places[i];
            orbits.push(place.map_or(u32::MAX, |place| place.orbit));
            match place {
                None => {
                    around.left_out = true;
                    seen.outside.push(successor);
                }
                Some(place) => {
                    around.add(place.depth);
                    self.mark(depth, place);
                    if undo {
                        let to = hash_key(successor.to_u128());
                        let difference = move_hash(own, to).wrapping_sub(move_hash(to, own));
                        seen.moves = seen.moves.wrapping_add(difference);
                    }
                }
            }
        }
        orbits.sort_unstable();
        orbits.dedup();
        match self.against.search.direction {
            Direction::Backward if self.against.whole && around.left_out => Some(LEFT_OUT),
            Direction::Backward => judge(depth, goal, around.least),
            Direction::Forward => judge_forward(depth, goal, &around),
        }
    }

    /// Records that a state one closer leads to a place.
    fn mark(&self, depth: u16, place: Delivery) {
        if !self.reached.is_empty() && Some(place.depth) == depth.checked_add(1) {
            self.reached[self.images.position(place)].store(true, Ordering::Relaxed);
        }
    }

    /// The fault of each orbit as a whole, by the searched variant and by the rules.
    fn orbit_faults(
        &self,
        orbits: std::ops::Range<usize>,
        images: &[K],
    ) -> Result<Vec<Option<&'static str>>, PluginError> {
        let graph = &self.against.search.graph;
        let (mut led, mut ruled) = (images.to_vec(), Vec::new());
        let own: Vec<K> = self.states[orbits.clone()]
            .iter()
            .map(|state| state.key)
            .collect();
        ruled.clone_from(&own);
        if self.against.search.symmetry {
            graph.canonical(&mut led, None)?;
            self.against.reduce(&mut ruled)?;
        }
        let astray = self.astray(images)?;
        let mut at = 0;
        let fault = |(nth, orbit): (usize, usize)| {
            let count = self.images.orbit(orbit).len();
            let range = at..at + count;
            at += count;
            if ruled[nth] != own[nth] || led[range.start] != own[nth] {
                Some("is not the representative of its orbit")
            } else if self.against.search.symmetry
                && led[range.clone()].iter().any(|&led| led != own[nth])
            {
                Some("an image of it has another canonical form")
            } else if count as u64 != u64::from(self.states[orbit].orbit_size) {
                Some("counts as another number of states than its orbit has")
            } else {
                astray[range].iter().find_map(|&fault| fault)
            }
        };
        Ok(orbits.enumerate().map(fault).collect())
    }

    /// States without a predecessor one closer.
    pub(super) fn without_predecessor(
        &self,
        faults: &mut Faults<'_, K>,
    ) -> Result<(), PluginError> {
        let mut reached = self.reached.iter();
        for (orbit, state) in self.states.iter().enumerate() {
            let own = reached.by_ref().take(self.images.orbit(orbit).len());
            let all = own.fold(true, |all, one| all & one.load(Ordering::Relaxed));
            if state.depth > 0 && !all {
                faults.add(orbit, state.key, "has no predecessor one closer")?;
            }
        }
        Ok(())
    }
}

/// Whether the rulebook reads its drawing of a state as that state.
pub(super) fn is_read_back<K: Key>(rules: &Graph<K>, key: K) -> Result<bool, PluginError> {
    Ok(rules.parse(&rules.draw(key)?).ok() == Some(key))
}

pub(super) const LEFT_OUT: &str = "has a successor that the run did not deliver";

/// Distances of a state's successors.
#[derive(Debug)]
pub(super) struct SuccessorDistances {
    pub(super) least: u16,
    most: u16,
    /// One was not delivered.
    pub(super) left_out: bool,
}

impl Default for SuccessorDistances {
    fn default() -> Self {
        Self {
            least: UNSOLVABLE,
            most: 0,
            left_out: false,
        }
    }
}

impl SuccessorDistances {
    pub(super) fn add(&mut self, depth: u16) {
        self.least = self.least.min(depth);
        self.most = self.most.max(depth);
    }
}

/// The rule for one state, given the least distance among its successors.
pub(super) fn judge(depth: u16, solved: bool, least: u16) -> Option<&'static str> {
    match (solved, depth) {
        (true, 0) => None,
        (true, _) => Some("is solved, but not at distance 0"),
        (false, 0) => Some("is at distance 0, but not solved"),
        (false, UNSOLVABLE) if least == UNSOLVABLE => None,
        (false, UNSOLVABLE) => Some("counts as unsolvable, but has a solvable successor"),
        (false, _) if least == UNSOLVABLE => Some("counts as solvable, but no successor is"),
        (false, _) if least + 1 > depth => Some("has no successor one closer"),
        (false, _) if least + 1 < depth => Some("has a successor more than one closer"),
        (false, _) => None,
    }
}

/// The rules for one state of a run forward.
pub(super) fn judge_forward(
    depth: u16,
    start: bool,
    around: &SuccessorDistances,
) -> Option<&'static str> {
    match (start, depth) {
        (true, 1..) => Some("is a start, but not at distance 0"),
        (false, 0) => Some("is at distance 0, but no start"),
        _ if around.left_out => Some(LEFT_OUT),
        _ if around.most > depth.saturating_add(1) => {
            Some("has a successor more than one further on")
        }
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::collection::vec;
    use proptest::prelude::*;
    use std::collections::BTreeSet;

    proptest! {
        #[test]
        fn the_least_are_kept_and_it_is_told_that_more_were_met(
            batches in vec(vec(0_u64..20_000, 0..900), 0..40),
            most in 1_usize..12_000,
            by_halves: bool,
        ) {
            let seen = |batch: &Vec<u64>| Seen {
                outside: batch.clone(),
                ..Seen::nothing()
            };
            let all: BTreeSet<u64> = batches.iter().flatten().copied().collect();
            let together = |batches: &[Vec<u64>]| {
                let each = batches.iter().map(seen);
                each.fold(Seen::nothing(), |all, more| all.and_keep(more, most))
            };
            let mut found = match by_halves {
                true => {
                    let (front, back) = batches.split_at(batches.len() / 2);
                    together(front).and_keep(together(back), most)
                }
                false => together(&batches),
            };
            found.bound(most);
            prop_assert_eq!(found.cut, all.len() > most);
            prop_assert_eq!(found.outside, all.into_iter().take(most).collect::<Vec<u64>>());
        }
    }
}
