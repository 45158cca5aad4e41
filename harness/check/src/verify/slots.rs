//! A table from states to the place of their delivery, made for many look-ups at once. A state is
//! in the first free slot from its hash on. The first slots of a batch are all prefetched before
//! any is read, so memory answers all in the time of one.

use puzzle_api::Key;

use super::images::Delivery;

/// At most four of this many slots are filled before the table grows.
const OF: usize = 5;
/// Number of look-ups whose slots are prefetched.
const AHEAD: usize = 16;

/// The hash of a state. The lower half gives the slot in a table, the
/// upper half the table.
pub(super) fn hash<K: Key>(key: K) -> u64 {
    let key = key.to_u128();
    let (low, high) = (key as u64 ^ 0x9e37_79b9_7f4a_7c15, (key >> 64) as u64);
    let product = u128::from(low) * u128::from(high ^ 0xd6e8_feb8_6659_fd93);
    (product as u64 ^ (product >> 64) as u64).wrapping_mul(0x9e37_79b9_7f4a_7c15)
}

/// One of n, by 32 bits of a hash.
fn spread(hash: u32, many: usize) -> usize {
    ((u64::from(hash) * many as u64) >> 32) as usize
}

/// The table of a state by its hash.
pub(super) fn table_of(hash: u64, tables: usize) -> usize {
    spread((hash >> 32) as u32, tables)
}

/// One table.
#[derive(Debug)]
pub(super) struct Slots<K> {
    slots: Vec<(K, Delivery)>,
    taken: usize,
}

impl<K: Key> Slots<K> {
    /// A table with capacity for some states.
    pub(super) fn with_capacity(states: usize) -> Self {
        let many = states + states / (OF - 1) + 1;
        Self {
            slots: vec![(K::from_words(&[0, 0]), Delivery::NONE); many],
            taken: 0,
        }
    }

    fn home(&self, hash: u64) -> usize {
        spread(hash as u32, self.slots.len())
    }

    /// The slot of a state, searched from a slot on, or the first free one.
    fn find(&self, key: K, mut at: usize) -> usize {
        loop {
            let (held, place) = self.slots[at];
            if held == key || place == Delivery::NONE {
                return at;
            }
            at = if at + 1 == self.slots.len() {
                0
            } else {
                at + 1
            };
        }
    }

    /// Puts a state to its place; returns where it was before.
    pub(super) fn insert(&mut self, key: K, hash: u64, place: Delivery) -> Option<Delivery> {
        let at = self.find(key, self.home(hash));
        let before = std::mem::replace(&mut self.slots[at], (key, place)).1;
        if before != Delivery::NONE {
            return Some(before);
        }
        self.taken += 1;
        if self.taken * OF > self.slots.len() * (OF - 1) {
            self.grow();
        }
        None
    }

    /// Puts some states to their places, each with its hash, the slots read ahead; `before` is
    /// called with where each was before.
    pub(super) fn insert_all(
        &mut self,
        states: &[(K, u64, Delivery)],
        mut before: impl FnMut(&mut Self, (K, u64, Delivery), Delivery),
    ) {
        for states in states.chunks(AHEAD) {
            for &(_, hash, _) in states {
                std::hint::black_box(self.slots[self.home(hash)].1);
            }
            for &(key, hash, place) in states {
                if let Some(earlier) = self.insert(key, hash, place) {
                    before(self, (key, hash, place), earlier);
                }
            }
        }
    }

    fn grow(&mut self) {
        let more = Self::with_capacity(2 * self.taken);
        for (key, place) in std::mem::replace(self, more).slots {
            if place != Delivery::NONE {
                self.insert(key, hash(key), place);
            }
        }
    }

    /// The place of a state.
    pub(super) fn get(&self, key: K, hash: u64) -> Option<Delivery> {
        let place = self.slots[self.find(key, self.home(hash))].1;
        (place != Delivery::NONE).then_some(place)
    }
}

/// Appends the place of each state in its table among some.
pub(super) fn get_all<K: Key>(tables: &[Slots<K>], keys: &[K], out: &mut Vec<Option<Delivery>>) {
    out.reserve(keys.len());
    let mut ahead = [(K::from_words(&[0, 0]), Delivery::NONE, 0); AHEAD];
    for keys in keys.chunks(AHEAD) {
        for (slot, &key) in ahead.iter_mut().zip(keys) {
            let hash = hash(key);
            let table = &tables[table_of(hash, tables.len())];
            let (held, place) = table.slots[table.home(hash)];
            *slot = (held, place, hash);
        }
        let found = keys.iter().zip(&ahead).map(|(&key, &(held, place, hash))| {
            if held == key && place != Delivery::NONE {
                return Some(place);
            }
            tables[table_of(hash, tables.len())].get(key, hash)
        });
        out.extend(found);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::collection::vec;
    use proptest::prelude::*;
    use std::collections::HashMap;

    fn place(orbit: usize) -> Delivery {
        Delivery {
            orbit: orbit as u32,
            depth: orbit as u16,
            nth: 0,
        }
    }

    proptest! {
        #[test]
        fn what_was_put_in_is_found_as_in_a_map(
            keys in vec(0_u64..3000, 0..2000),
            room in 0_usize..2000,
            tables in 1_usize..4,
            high: bool,
        ) {
            let spread = |key: u64| u128::from(key) << if high { 70 } else { 0 };
            let mut slots: Vec<_> = (0..tables).map(|_| Slots::with_capacity(room / tables)).collect();
            let mut map = HashMap::new();
            for (orbit, &key) in keys.iter().enumerate() {
                let (key, place) = (spread(key), place(orbit));
                let table = &mut slots[table_of(hash(key), tables)];
                prop_assert_eq!(table.insert(key, hash(key), place), map.insert(key, place));
            }
            let asked: Vec<u128> = (0..3100).map(spread).collect();
            let mut found = Vec::new();
            get_all(&slots, &asked, &mut found);
            for (key, found) in asked.into_iter().zip(found) {
                let one = slots[table_of(hash(key), tables)].get(key, hash(key));
                prop_assert_eq!((one, found), (map.get(&key).copied(), map.get(&key).copied()));
            }
        }
    }

    #[test]
    fn hashes_share_states_evenly() {
        // Neighbours, and states that differ in high bits alone.
        for shift in [0, 20, 40, 64, 100] {
            let mut counts = [[0_u32; 100]; 2];
            for key in 0..100_000_u128 {
                let hash = hash(key << shift);
                counts[0][table_of(hash, 100)] += 1;
                counts[1][spread(hash as u32, 100)] += 1;
            }
            let even = |count: &u32| (850..1150).contains(count);
            assert!(counts.iter().flatten().all(even), "{shift}: {counts:?}");
        }
    }
}
