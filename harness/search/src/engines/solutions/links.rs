//! Between two levels: which states of the one lead to which of the other.

use antipode_graph::Expansion;
use puzzle_api::Key;

use super::Both;
use super::bridge::{SHORT_BATCH, Sieve};
use crate::error::EngineError;
use crate::keyset::mix;
use crate::steps::Steps;

/// Slots of places that are fetched ahead of their use.
const AHEAD: usize = 16;
/// A slot that holds nothing.
const FREE: u32 = u32::MAX;

/// Where each state of a level stands in it: a table of places by the high bits of a hash, and
/// before it a sieve, as most neighbours are none of the level. A level in order of hashes
/// fills the table from its one end to the other.
pub(super) struct Places<'a, K> {
    level: &'a [K],
    sieve: Sieve,
    slots: Vec<u32>,
    shift: u32,
}

impl<'a, K: Key> Places<'a, K> {
    pub(super) fn of(level: &'a [K]) -> Result<Self, EngineError> {
        if level.len() >= FREE as usize {
            return Err(EngineError::CannotHold(format!(
                "a level of {} states, of 2^32 at most; a search for all solutions cannot take this instance",
                level.len()
            )));
        }
        let size = (2 * level.len()).next_power_of_two().max(64);
        let mut places = Self {
            level,
            sieve: Sieve::of(level)?,
            slots: vec![FREE; size],
            shift: 64 - size.trailing_zeros(),
        };
        for (place, &key) in level.iter().enumerate() {
            let mut slot = places.slot(key);
            while places.slots[slot] != FREE {
                slot = (slot + 1) % size;
            }
            places.slots[slot] = place as u32;
        }
        Ok(places)
    }

    #[inline]
    fn slot(&self, key: K) -> usize {
        (mix(key.to_u128()) >> self.shift) as usize
    }

    /// The place of a state; none where it is not of the level.
    #[inline]
    pub(super) fn find(&self, key: K) -> Option<u32> {
        let mut slot = self.slot(key);
        loop {
            match self.slots[slot] {
                FREE => return None,
                place if self.level[place as usize] == key => return Some(place),
                _ => slot = (slot + 1) % self.slots.len(),
            }
        }
    }

    /// The places of those of some states that are of the level, each with the number of the
    /// state among them.
    pub(super) fn found(&self, keys: &[K], out: &mut Vec<(u32, u32)>) {
        // What was there is written over.
        out.resize(keys.len(), (0, 0));
        let passed = self.sieve.pass(keys, out);
        let mut kept = 0;
        for at in 0..passed {
            if let Some(&(later, _)) = out[..passed].get(at + AHEAD) {
                let slot = self.slot(keys[later as usize]);
                crate::ranks::prefetch(&self.slots[slot]);
            }
            let (number, _) = out[at];
            if let Some(place) = self.find(keys[number as usize]) {
                out[kept] = (number, place);
                kept += 1;
            }
        }
        out.truncate(kept);
    }
}

/// Of each state of a level the states one move from it, by their places in another level: once
/// for each different state, also where two of them stand for each other.
#[derive(Debug, Default)]
pub(super) struct Links {
    places: Vec<u32>,
    ends: Vec<usize>,
}

impl Links {
    /// The places for each state, in turn.
    pub(super) fn each(&self) -> impl Iterator<Item = &[u32]> {
        let mut start = 0;
        self.ends.iter().map(move |&end| {
            let places = &self.places[start..end];
            start = end;
            places
        })
    }

    /// Leaves of the level those states to which something leads.
    pub(super) fn keep<K: Key>(&mut self, level: &mut Vec<K>) {
        let mut moved = vec![FREE; level.len()];
        for &place in &self.places {
            moved[place as usize] = 0;
        }
        let mut kept = 0;
        for at in 0..level.len() {
            level[kept] = level[at];
            if moved[at] != FREE {
                moved[at] = kept as u32;
                kept += 1;
            }
        }
        level.truncate(kept);
        level.shrink_to_fit();
        for place in &mut self.places {
            *place = moved[*place as usize];
        }
    }
}

impl<K: Key> Both<'_, K> {
    /// The links from each state of `level` to those of `other`.
    pub(super) fn links(
        &mut self,
        steps: Steps,
        level: &[K],
        other: &[K],
    ) -> Result<Links, EngineError> {
        let places = Places::of(other)?;
        let mut links = Links::default();
        links.ends.reserve_exact(level.len());
        let mut found = Vec::new();
        let mut single = (None, Expansion::default());
        for batch in level.chunks(SHORT_BATCH) {
            self.expand(steps, batch)?;
            places.found(self.out.keys(), &mut found);
            let (mut at, mut end) = (0, 0);
            for (i, key) in batch.iter().enumerate() {
                let begin = end;
                end += self.out.of(i).len();
                let first = at;
                while at < found.len() && (found[at].0 as usize) < end {
                    let (number, place) = found[at];
                    // A state may be listed more than once, and is one state all the same. Which
                    // neighbour it was that stands there is only asked where two may be one.
                    let mut again = false;
                    for &(other, _) in found[first..at].iter().filter(|found| found.1 == place) {
                        if single.0 != Some(*key) {
                            steps.expand(self.graph, std::slice::from_ref(key), &mut single.1)?;
                            single.0 = Some(*key);
                        }
                        let of = |number: u32| single.1.keys().get(number as usize - begin);
                        again |= of(other) == of(number);
                    }
                    if !again {
                        links.places.push(place);
                    }
                    at += 1;
                }
                links.ends.push(links.places.len());
            }
        }
        Ok(links)
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::{Links, Places};

    proptest! {
        #[test]
        fn a_state_is_found_where_it_stands(
            held in prop::collection::btree_set(0_u64..5_000, 0..600),
            asked in prop::collection::vec(0_u64..5_000, 0..300),
        ) {
            let level: Vec<u64> = held.into_iter().collect();
            let places = Places::of(&level).unwrap();
            let twin = |key: &u64| level.iter().position(|other| other == key);
            let mut found = Vec::new();
            places.found(&asked, &mut found);
            let all = asked.iter().enumerate();
            let expected: Vec<(u32, u32)> = all
                .filter_map(|(at, key)| Some((at as u32, twin(key)? as u32)))
                .collect();
            prop_assert_eq!(found, expected);
            for key in &asked {
                prop_assert_eq!(places.find(*key).map(|place| place as usize), twin(key));
            }
        }

        #[test]
        fn what_nothing_leads_to_goes(
            size in 1_usize..200,
            picked in prop::collection::vec(any::<prop::sample::Index>(), 0..100),
        ) {
            let mut level: Vec<u64> = (0..size as u64).map(|key| 7 * key).collect();
            let places: Vec<u32> = picked.iter().map(|at| at.index(size) as u32).collect();
            let meant: Vec<u64> = places.iter().map(|&place| level[place as usize]).collect();
            let mut links = Links { ends: vec![places.len()], places };
            links.keep(&mut level);
            let now: Vec<u64> = links.places.iter().map(|&place| level[place as usize]).collect();
            prop_assert_eq!(now, meant);
            prop_assert!((0..level.len() as u32).all(|place| links.places.contains(&place)));
        }
    }
}
