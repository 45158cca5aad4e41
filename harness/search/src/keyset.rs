//! One partition of a visited set: open addressing over bare keys, that only grows until it
//! is emptied or taken apart.

use puzzle_api::Key;

/// Slots for each key expected: at two thirds full, a miss looks at five slots.
const SLOTS_PER_KEY: (usize, usize) = (3, 2);

/// A multiplicative hash whose high bits are good: the high ones choose a partition, the
/// next ones a slot.
#[inline]
pub(crate) fn mix(number: u128) -> u64 {
    let folded = (number as u64) ^ ((number >> 64) as u64).rotate_left(32);
    // The product alone leaves the low bits of neighbouring keys in order.
    let product = folded.wrapping_mul(0x9e37_79b9_7f4a_7c15);
    (product ^ (product >> 32)).wrapping_mul(0xd6e8_feb8_6659_fd93)
}

/// Keys, each once. The key with all bits set marks an empty slot and is kept apart.
#[derive(Debug, Clone)]
pub(crate) struct KeySet<K> {
    slots: Vec<K>,
    len: usize,
    holds_mark: bool,
    /// High bits of the hash that all keys may share, as those of a partition do.
    skip: u32,
}

fn mark<K: Key>() -> K {
    K::from_words(&[u64::MAX, u64::MAX])
}

impl<K: Key> KeySet<K> {
    /// An empty set, for keys that may agree in the first `skip` bits of their hash.
    pub(crate) fn new(skip: u32) -> Self {
        Self::with_room(skip, 0)
    }

    /// As [`KeySet::new`], with room for so many keys.
    pub(crate) fn with_room(skip: u32, keys: usize) -> Self {
        Self {
            slots: vec![mark(); slots_for(keys)],
            len: 0,
            holds_mark: false,
            skip,
        }
    }

    /// Bytes that a set for so many keys takes.
    pub(crate) const fn bytes_for(keys: u64) -> u64 {
        slots_for(keys as usize) as u64 * size_of::<K>() as u64
    }

    /// Bytes taken.
    pub(crate) fn bytes(&self) -> u64 {
        (self.slots.capacity() * size_of::<K>()) as u64
    }

    /// Empties the set and makes room for so many keys.
    pub(crate) fn reset(&mut self, keys: usize) {
        let slots = slots_for(keys);
        self.slots.clear();
        if self.slots.capacity() > 4 * slots && self.slots.capacity() * size_of::<K>() > 1 << 20 {
            self.slots = Vec::new();
        }
        self.slots.resize(slots, mark());
        self.len = 0;
        self.holds_mark = false;
    }

    #[inline]
    fn home(&self, key: K) -> usize {
        let hash = mix(key.to_u128()) << self.skip;
        ((u128::from(hash) * self.slots.len() as u128) >> 64) as usize
    }

    /// Whether the key was not yet in the set, which it now is.
    #[inline]
    pub(crate) fn insert(&mut self, key: K) -> bool {
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

    /// Whether the key is in the set.
    #[inline]
    pub(crate) fn contains(&self, key: K) -> bool {
        if key == mark() {
            return self.holds_mark;
        }
        let mut at = self.home(key);
        loop {
            let slot = self.slots[at];
            if slot == key || slot == mark() {
                return slot == key;
            }
            at += 1;
            if at == self.slots.len() {
                at = 0;
            }
        }
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

    /// The keys, in no order that matters.
    pub(crate) fn into_keys(self) -> Vec<K> {
        let mut keys = self.slots;
        keys.retain(|&key| key != mark());
        if self.holds_mark {
            keys.push(mark());
        }
        keys.shrink_to_fit();
        keys
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

    fn sorted(set: KeySet<impl puzzle_api::Key>) -> Vec<u128> {
        let keys = set.into_keys().into_iter();
        let mut keys: Vec<u128> = keys.map(puzzle_api::Key::to_u128).collect();
        keys.sort_unstable();
        keys
    }

    proptest! {
        #[test]
        fn holds_what_an_ordered_set_holds(
            keys in prop::collection::vec(prop_oneof![0_u64..300, Just(u64::MAX), any::<u64>()], 0..600),
            skip in 0_u32..16,
            room in 0_usize..400,
        ) {
            let mut set = KeySet::new(skip);
            let mut plain = BTreeSet::new();
            for again in [false, true] {
                if again {
                    set.reset(room);
                    plain.clear();
                }
                for &key in &keys {
                    prop_assert_eq!(set.contains(key), plain.contains(&key));
                    prop_assert_eq!(set.insert(key), plain.insert(key));
                }
            }
            prop_assert_eq!(sorted(set), plain.into_iter().map(u128::from).collect::<Vec<_>>());
        }

        #[test]
        fn holds_long_keys(keys in prop::collection::vec(any::<u128>(), 0..300)) {
            let plain: BTreeSet<u128> = keys.iter().copied().collect();
            let mut set = KeySet::new(3);
            for &key in keys.iter().chain(&keys) {
                set.insert(key);
            }
            prop_assert_eq!(sorted(set), plain.into_iter().collect::<Vec<_>>());
        }
    }
}
