//! Links between two levels: which states of one lead to which of the other.

use antipode_graph::{Expansion, PluginError, prefetch};
use puzzle_api::Key;

use super::Both;
use crate::error::{EngineError, Result};
use crate::keyset::mix;
use crate::ranks::RankSet;
use crate::steps::DirectionSteps;

/// Slots, and states of a level, that are fetched ahead of their use.
const AHEAD: usize = 48;
/// Marks an empty slot.
const FREE: u32 = 0;

/// The place of each state in a level: a table of places by the high bits of a hash, behind a
/// filter, as most neighbours are not in the level. A level in order of hashes fills the table from
/// one end to the other.
///
/// A slot has the place, counted from 1, in its low bits, and as many bits of the hash as fit above
/// it. If the hash bits differ, the state itself, which is in no cache, need not be read.
pub(super) struct Places<'a, K> {
    level: &'a [K],
    sieve: Sieve,
    slots: Vec<u32>,
    /// The bits of a slot that hold a place.
    place: u32,
}

/// Lookups in a level and buffers for the answers, which are reused.
#[derive(Debug, Default)]
pub(super) struct LinkQuery {
    pub(super) hashes: Vec<u64>,
    /// The places of states that are in the level, each with the number of the state among all.
    pub(super) found: Vec<(u32, u32)>,
}

impl<'a, K: Key> Places<'a, K> {
    pub(super) fn of(level: &'a [K]) -> Result<Self> {
        if level.len() >= u32::MAX as usize {
            return Err(EngineError::CannotHold(format!(
                "a level of {} states, of 2^32 at most; a search for all solutions cannot take this instance",
                level.len()
            )));
        }
        let size = (2 * level.len()).max(64);
        let mut places = Self {
            level,
            sieve: Sieve::of(level)?,
            slots: vec![FREE; size],
            place: u32::MAX
                .checked_shr((level.len() as u32).leading_zeros())
                .unwrap_or(0),
        };
        for (place, &key) in (1..).zip(level) {
            let hash = mix(key.to_u128());
            let mut slot = places.slot(hash);
            while places.slots[slot] != FREE {
                slot = places.after(slot);
            }
            places.slots[slot] = places.tag(hash) | place;
        }
        Ok(places)
    }

    #[inline]
    fn slot(&self, hash: u64) -> usize {
        ((u128::from(hash) * self.slots.len() as u128) >> 64) as usize
    }

    #[inline]
    fn after(&self, slot: usize) -> usize {
        if slot + 1 == self.slots.len() {
            0
        } else {
            slot + 1
        }
    }

    /// From low bits of the hash, since neighbouring states here have the same high bits.
    #[inline]
    fn tag(&self, hash: u64) -> u32 {
        hash as u32 & !self.place
    }

    /// The first place with a matching hash in its slot that `is` accepts.
    #[inline]
    fn first(&self, hash: u64, is: impl Fn(u32) -> bool) -> Option<u32> {
        let mut slot = self.slot(hash);
        loop {
            let held = self.slots[slot];
            if held == FREE {
                return None;
            }
            let place = (held & self.place) - 1;
            if (held ^ hash as u32) & !self.place == 0 && is(place) {
                return Some(place);
            }
            slot = self.after(slot);
        }
    }

    /// The place of a state; `None` if it is not in the level.
    pub(super) fn find(&self, key: K) -> Option<u32> {
        let is = |place: u32| self.level[place as usize] == key;
        self.first(mix(key.to_u128()), is)
    }

    /// Finds the places of those of some states that are in the level.
    pub(super) fn find_all(&self, keys: &[K], asked: &mut LinkQuery) {
        asked.hashes.clear();
        let hashes = keys.iter().map(|key| mix(key.to_u128()));
        asked.hashes.extend(hashes);
        self.find_hashed(keys, asked);
    }

    /// The same for states whose hashes are given.
    pub(super) fn find_hashed(&self, keys: &[K], asked: &mut LinkQuery) {
        let found = &mut asked.found;
        // Overwrites what was there.
        found.resize(keys.len(), (0, 0));
        let passed = self.sieve.pass(&asked.hashes, found);
        // In two rounds, as a slot determines which state of the level is to be fetched.
        let mut taken = 0;
        for at in 0..passed {
            if let Some(&(later, _)) = found[..passed].get(at + AHEAD) {
                let slot = self.slot(asked.hashes[later as usize]);
                prefetch(&self.slots[slot]);
            }
            let (number, _) = found[at];
            if let Some(place) = self.first(asked.hashes[number as usize], |_| true) {
                found[taken] = (number, place);
                taken += 1;
            }
        }
        let mut kept = 0;
        for at in 0..taken {
            if let Some(&(_, later)) = found[..taken].get(at + AHEAD) {
                prefetch(&self.level[later as usize]);
            }
            let (number, place) = found[at];
            let key = keys[number as usize];
            let place = match self.level[place as usize] == key {
                true => Some(place),
                false => self.find(key),
            };
            if let Some(place) = place {
                found[kept] = (number, place);
                kept += 1;
            }
        }
        found.truncate(kept);
    }
}

/// For each state of a level, the states one move from it, by their places in another level. Each
/// different state is listed once, even if two of them represent each other.
#[derive(Debug, Default)]
pub(super) struct Links {
    places: Vec<u32>,
    ends: Vec<usize>,
}

/// Marks a state that is left out.
const GONE: u32 = u32::MAX;

impl Links {
    #[cfg(test)]
    pub(super) fn new(of: Vec<Vec<u32>>) -> Self {
        let mut links = Self::default();
        for places in of {
            links.places.extend(places);
            links.ends.push(links.places.len());
        }
        links
    }

    /// The places for each state, one after another.
    pub(super) fn each(&self) -> impl Iterator<Item = &[u32]> {
        let mut start = 0;
        self.ends.iter().map(move |&end| {
            let places = &self.places[start..end];
            start = end;
            places
        })
    }

    /// Keeps only the states of the level that are reached.
    pub(super) fn keep<K: Key>(&mut self, level: &mut Vec<K>) {
        let mut moved = vec![GONE; level.len()];
        for &place in &self.places {
            moved[place as usize] = 0;
        }
        let mut kept = 0;
        for at in 0..level.len() {
            level[kept] = level[at];
            if moved[at] != GONE {
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
        steps: DirectionSteps,
        level: &[K],
        other: &[K],
    ) -> Result<Links> {
        let places = Places::of(other)?;
        let mut links = Links::default();
        links.ends.reserve_exact(level.len());
        let mut asked = LinkQuery::default();
        for batch in level.chunks(SHORT_BATCH) {
            self.expand(steps, batch)?;
            places.find_all(self.out.keys(), &mut asked);
            let mut found = asked.found.iter().peekable();
            let mut end = 0;
            for (i, &key) in batch.iter().enumerate() {
                end += self.out.of(i).len();
                let first = links.places.len();
                while let Some((_, place)) = found.next_if(|(number, _)| (*number as usize) < end) {
                    links.places.push(*place);
                }
                if has_twice(&links.places[first..]) {
                    links.places.truncate(first);
                    self.different(steps, key, &places, &mut links.places)?;
                }
                links.ends.push(links.places.len());
            }
        }
        Ok(links)
    }

    /// The places of all different neighbours of a state. One may be listed more than once, but
    /// counts once; two that represent each other count twice.
    fn different(
        &self,
        steps: DirectionSteps,
        key: K,
        places: &Places<'_, K>,
        found: &mut Vec<u32>,
    ) -> Result<()> {
        let mut out = Expansion::default();
        steps.expand(self.graph, &[key], &mut out)?;
        let neighbours = out.keys_mut();
        neighbours.sort_unstable();
        neighbours.dedup();
        self.reduction.reduce(self.graph, neighbours)?;
        found.extend(neighbours.iter().filter_map(|&key| places.find(key)));
        Ok(())
    }
}

/// Whether some place is listed more than once, for short lists: all pairs are compared, since no
/// processor could predict the end of a list.
#[inline]
fn has_twice(places: &[u32]) -> bool {
    let mut twice = false;
    for (at, place) in places.iter().enumerate() {
        for other in &places[..at] {
            twice |= other == place;
        }
    }
    twice
}

// The moves between two levels that were met from both sides.

/// Bits of a filter for each state that it holds: one in n other states passes it.
const BITS_A_STATE: u64 = 16;
/// States in a batch whose neighbours are only looked up: few enough to stay in the first caches
/// from one pass to the next.
pub(super) const SHORT_BATCH: usize = 512;
/// Words of a filter that are fetched ahead of their use.
const WORDS_AHEAD: usize = 24;

/// Filters out most states that a level does not hold, by a bit at a place given by their hash.
/// Most neighbours are not in that level, and looking all of them up in its set would take several
/// times as long.
pub(super) struct Sieve {
    bits: RankSet,
    shift: u32,
}

impl Sieve {
    pub(super) fn of<K: Key>(keys: &[K]) -> Result<Self> {
        let size = (keys.len() as u64 * BITS_A_STATE)
            .next_power_of_two()
            .max(64);
        let bits = RankSet::new(size)
            .map_err(|error| EngineError::Memory(format!("no memory for {size} bits ({error})")))?;
        let mut sieve = Self {
            bits,
            shift: 64 - size.trailing_zeros(),
        };
        for &key in keys {
            let bit = mix(key.to_u128()) >> sieve.shift;
            sieve.bits.insert_alone(bit);
        }
        Ok(sieve)
    }

    /// Writes the numbers of the states that the level may hold, by their hashes, to the first
    /// entries of `out`; returns how many there are. `out` has room for all. Without a branch per
    /// state, which no processor could predict.
    pub(super) fn pass(&self, hashes: &[u64], out: &mut [(u32, u32)]) -> usize {
        let mut passed = 0;
        for (at, &hash) in hashes.iter().enumerate() {
            if let Some(&later) = hashes.get(at + WORDS_AHEAD) {
                self.bits.prefetch(later >> self.shift);
            }
            out[passed] = (at as u32, 0);
            passed += usize::from(self.bits.contains(hash >> self.shift));
        }
        passed
    }
}

impl<K: Key> Both<'_, K> {
    /// The states of `front` with a move to `rear`, and those of `rear` to which such moves lead.
    /// If the levels are each other's time-reversed images, the latter are the images of the
    /// former.
    pub(super) fn bridge(
        &mut self,
        front: &[K],
        rear: &[K],
        mirrored: bool,
    ) -> Result<(Vec<K>, Vec<K>)> {
        match mirrored {
            true => self.bridge_mirrored(front),
            false => self.bridge_any(front, rear),
        }
    }

    fn bridge_any(&mut self, front: &[K], rear: &[K]) -> Result<(Vec<K>, Vec<K>)> {
        let places = Places::of(rear)?;
        let (mut left, mut reached) = (Vec::new(), vec![false; rear.len()]);
        let mut asked = LinkQuery::default();
        for batch in front.chunks(SHORT_BATCH) {
            self.expand(DirectionSteps::FORWARD, batch)?;
            places.find_all(self.out.keys(), &mut asked);
            let mut crossing = asked.found.iter().peekable();
            let mut end = 0;
            for (at, &key) in batch.iter().enumerate() {
                end += self.out.of(at).len();
                let mut crosses = false;
                while let Some((_, place)) =
                    crossing.next_if(|(number, _)| (*number as usize) < end)
                {
                    crosses = true;
                    reached[*place as usize] = true;
                }
                if crosses {
                    left.push(key);
                }
            }
        }
        Ok((left, marked(rear, &reached)))
    }

    /// The same if the other level is the front with time reversed, without that level. A successor
    /// is in it if its time-reversed image is in the front. If it is, then a move leads from there
    /// to the state's own reversed image. Of the two moves, only the one to the state of the higher
    /// hash is looked up.
    fn bridge_mirrored(&mut self, front: &[K]) -> Result<(Vec<K>, Vec<K>)> {
        let places = Places::of(front)?;
        let mut crosses = vec![false; front.len()];
        let (mut neighbours, mut of) = (Vec::new(), Vec::new());
        let mut asked = LinkQuery::default();
        for (batch, start) in front.chunks(SHORT_BATCH).zip((0..).step_by(SHORT_BATCH)) {
            self.expand_turned(batch)?;
            let keys = self.out.keys();
            let Some(&any) = keys.first() else { continue };
            // Overwrites the buffer.
            neighbours.resize(keys.len(), any);
            asked.hashes.resize(keys.len(), 0);
            of.resize(keys.len(), 0);
            let mut count = 0;
            for (at, own) in batch.iter().enumerate() {
                let own = mix(own.to_u128());
                for &key in self.out.of(at) {
                    let hash = mix(key.to_u128());
                    (neighbours[count], asked.hashes[count]) = (key, hash);
                    of[count] = start + at;
                    count += usize::from(hash >= own);
                }
            }
            asked.hashes.truncate(count);
            places.find_hashed(&neighbours[..count], &mut asked);
            for &(number, place) in &asked.found {
                crosses[place as usize] = true;
                crosses[of[number as usize]] = true;
            }
        }
        let left = marked(front, &crosses);
        let first = self.rear_of(&left)?;
        Ok((left, first))
    }

    /// The successors of some states with time reversed: the predecessors of the reversed states.
    pub(super) fn expand_turned(&mut self, batch: &[K]) -> Result<(), PluginError> {
        // Time reversal is known to work here; whether a state represents others does not matter.
        let mut turned = batch.to_vec();
        self.graph.time_reversed(&mut turned)?;
        self.expand(self.back, &turned)
    }
}

/// The states of a level that are marked.
fn marked<K: Key>(level: &[K], marks: &[bool]) -> Vec<K> {
    let marked = level.iter().zip(marks).filter(|(_, mark)| **mark);
    marked.map(|(&key, _)| key).collect()
}
