//! Sets of keys that only grow within a level: open addressing over the bare keys.

use puzzle_api::Key;

/// A multiplicative hash whose high bits are good: the high ones choose a partition, the
/// next ones a slot.
#[inline]
pub(super) fn mix<K: Key>(key: K) -> u64 {
    let number = key.to_u128();
    let folded = (number as u64) ^ ((number >> 64) as u64).rotate_left(32);
    // The product alone leaves the low bits of neighbouring keys in order.
    let product = folded.wrapping_mul(0x9e37_79b9_7f4a_7c15);
    (product ^ (product >> 32)).wrapping_mul(0xd6e8_feb8_6659_fd93)
}

/// Slots of a new set.
const FIRST_SLOTS: usize = 64;

/// Distinct keys of one partition. The key with all bits set marks an empty slot and is
/// kept apart.
#[derive(Debug, Clone)]
pub(super) struct Distinct<K> {
    slots: Vec<K>,
    len: usize,
    holds_mark: bool,
    /// High bits of the hash that all keys of the partition share.
    skip: u32,
}

fn mark<K: Key>() -> K {
    K::from_words(&[u64::MAX, u64::MAX])
}

impl<K: Key> Distinct<K> {
    /// An empty set of keys that agree in the first `skip` bits of their hash.
    pub(super) fn new(skip: u32) -> Self {
        Self {
            slots: vec![mark(); FIRST_SLOTS],
            len: 0,
            holds_mark: false,
            skip,
        }
    }

    /// Bytes taken.
    pub(super) fn bytes(&self) -> u64 {
        (self.slots.capacity() * size_of::<K>()) as u64
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
            at = (at + 1) & (self.slots.len() - 1);
        }
        self.slots[at] = key;
        self.len += 1;
        // At two thirds full, a miss looks at five slots on average.
        if self.len * 3 > self.slots.len() * 2 {
            self.grow();
        }
        true
    }

    #[inline]
    fn home(&self, key: K) -> usize {
        let bits = self.slots.len().trailing_zeros();
        ((mix(key) << self.skip) >> (64 - bits)) as usize
    }

    #[cold]
    fn grow(&mut self) {
        let larger = vec![mark(); self.slots.len() * 2];
        let old = std::mem::replace(&mut self.slots, larger);
        for key in old {
            if key == mark() {
                continue;
            }
            let mut at = self.home(key);
            while self.slots[at] != mark() {
                at = (at + 1) & (self.slots.len() - 1);
            }
            self.slots[at] = key;
        }
    }

    /// The keys, in no order that matters.
    pub(super) fn into_keys(self) -> Vec<K> {
        let mut keys = self.slots;
        keys.retain(|&key| key != mark());
        if self.holds_mark {
            keys.push(mark());
        }
        keys.shrink_to_fit();
        keys
    }
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use proptest::prelude::*;

    use super::Distinct;

    proptest! {
        #[test]
        fn holds_what_an_ordered_set_holds(
            keys in prop::collection::vec(prop_oneof![0_u64..300, Just(u64::MAX), any::<u64>()], 0..600),
            skip in 0_u32..12,
        ) {
            let mut plain = BTreeSet::new();
            let mut set = Distinct::new(skip);
            for key in keys {
                prop_assert_eq!(set.insert(key), plain.insert(key));
            }
            let mut held = set.into_keys();
            held.sort_unstable();
            prop_assert_eq!(held, plain.into_iter().collect::<Vec<_>>());
        }

        #[test]
        fn holds_long_keys(keys in prop::collection::vec(any::<u128>(), 0..300)) {
            let plain: BTreeSet<u128> = keys.iter().copied().collect();
            let mut set = Distinct::new(3);
            for &key in keys.iter().chain(&keys) {
                set.insert(key);
            }
            let mut held = set.into_keys();
            held.sort_unstable();
            prop_assert_eq!(held, plain.into_iter().collect::<Vec<_>>());
        }
    }
}
