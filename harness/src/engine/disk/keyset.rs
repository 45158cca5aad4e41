//! The set of keys that a worker holds of one partition: open addressing over bare keys,
//! emptied and filled again for each partition.

use puzzle_api::Key;

/// Slots for each key expected: at two thirds full, a miss looks at five slots.
const SLOTS_PER_KEY: (usize, usize) = (3, 2);

/// Most partitions, as a power of two.
pub(super) const MOST_PARTITIONS_LOG2: u32 = 15;

/// Mixes a number so that its high bits spread evenly.
#[inline]
pub(super) fn spread(number: u128) -> u64 {
    let folded = (number as u64) ^ ((number >> 64) as u64).rotate_left(32);
    // The product alone leaves the low bits of neighbouring keys in order.
    let product = folded.wrapping_mul(0x9e37_79b9_7f4a_7c15);
    (product ^ (product >> 32)).wrapping_mul(0xd6e8_feb8_6659_fd93)
}

/// Keys, each once. The key with all bits set marks an empty slot and is kept apart.
#[derive(Debug)]
pub(super) struct KeySet<K> {
    slots: Vec<K>,
    len: usize,
    holds_mark: bool,
}

fn mark<K: Key>() -> K {
    K::from_words(&[u64::MAX, u64::MAX])
}

impl<K: Key> Default for KeySet<K> {
    fn default() -> Self {
        Self {
            slots: Vec::new(),
            len: 0,
            holds_mark: false,
        }
    }
}

impl<K: Key> KeySet<K> {
    /// Bytes that a set for so many keys takes.
    pub(super) const fn bytes_for(keys: u64) -> u64 {
        slots_for(keys as usize) as u64 * size_of::<K>() as u64
    }

    /// Empties the set and makes room for so many keys.
    pub(super) fn reset(&mut self, keys: usize) {
        let slots = slots_for(keys);
        self.slots.clear();
        if self.slots.capacity() > 4 * slots && self.slots.capacity() * size_of::<K>() > 1 << 20 {
            self.slots = Vec::new();
        }
        self.slots.resize(slots, mark());
        self.len = 0;
        self.holds_mark = false;
    }

    /// Where a key belongs. The high bits of the hash may have chosen the partition, and
    /// then all keys here share them.
    #[inline]
    fn home(&self, key: K) -> usize {
        let hash = spread(key.to_u128()) << MOST_PARTITIONS_LOG2;
        ((u128::from(hash) * self.slots.len() as u128) >> 64) as usize
    }

    /// Whether the key was not yet in the set, which it now is.
    #[inline]
    pub(super) fn insert(&mut self, key: K) -> bool {
        if key == mark() {
            return !std::mem::replace(&mut self.holds_mark, true);
        }
        let mut at = self.home(key);
        loop {
            let slot = self.slots[at];
            if slot == key {
                return false;
            }
            if slot == mark() {
                break;
            }
            at += 1;
            if at == self.slots.len() {
                at = 0;
            }
        }
        self.slots[at] = key;
        self.len += 1;
        if self.len * SLOTS_PER_KEY.0 > self.slots.len() * SLOTS_PER_KEY.1 {
            self.grow();
        }
        true
    }

    #[cold]
    fn grow(&mut self) {
        let larger = vec![mark(); slots_for(self.len * 2)];
        let old = std::mem::replace(&mut self.slots, larger);
        self.len = 0;
        for key in old {
            if key != mark() {
                self.insert(key);
            }
        }
    }
}

const fn slots_for(keys: usize) -> usize {
    keys * SLOTS_PER_KEY.0 / SLOTS_PER_KEY.1 + 64
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use proptest::prelude::*;

    use super::KeySet;

    proptest! {
        #[test]
        fn the_set_is_a_set(
            keys in prop::collection::vec(0_u64..300, 0..600),
            room in 0_usize..400,
            marked: bool,
        ) {
            let mut set = KeySet::default();
            for _ in 0..2 {
                set.reset(room);
                let mut twin = BTreeSet::new();
                let mark = marked.then_some(u64::MAX);
                for &key in keys.iter().chain(&mark).chain(&mark) {
                    prop_assert_eq!(set.insert(key), twin.insert(key));
                }
            }
        }
    }
}
