//! Numbers by keys, for look-ups that mostly wait for memory.

const FREE: u128 = 0;
const LEAST: usize = 1 << 10;

/// Numbers by keys other than 0: open addressing, with the number next to its key. So a look-up
/// takes one cache line, which [`Memo::fetch`] can prefetch.
#[derive(Debug, Default)]
pub(super) struct Memo {
    /// A power of two, at most three quarters in use, or none.
    slots: Vec<Slot>,
    held: usize,
}

/// Aligned, so that no slot crosses a cache line.
#[derive(Debug, Clone, Copy, Default)]
#[repr(align(32))]
struct Slot {
    key: u128,
    number: u32,
}

/// A key and the place at which its search begins.
#[derive(Debug, Clone, Copy)]
pub(super) struct Wanted {
    key: u128,
    hash: u64,
}

impl Wanted {
    #[inline]
    pub(super) fn new(key: u128) -> Self {
        // The product's upper half depends on all bits of both halves of the key.
        let (low, high) = (key as u64, (key >> 64) as u64);
        let product = u128::from(low ^ 0x9e37_79b9_7f4a_7c15)
            * u128::from(high.rotate_left(32) ^ 0xd1b5_4a32_d192_ed03);
        Self {
            key,
            hash: (product >> 64) as u64 ^ product as u64,
        }
    }
}

impl Memo {
    #[inline]
    fn slot(&self, hash: u64) -> usize {
        (hash.wrapping_mul(0x9e37_79b9_7f4a_7c15) >> 32) as usize & (self.slots.len() - 1)
    }

    /// Prefetches the memory that a look-up will need.
    #[inline]
    pub(super) fn fetch(&self, wanted: Wanted) {
        #[cfg(target_arch = "x86_64")]
        if !self.slots.is_empty() {
            let slot = &self.slots[self.slot(wanted.hash)];
            // SAFETY: a hint with the address of an existing slot; it reads and writes nothing.
            #[allow(unsafe_code)]
            unsafe {
                use std::arch::x86_64::{_MM_HINT_T0, _mm_prefetch};
                _mm_prefetch::<_MM_HINT_T0>(std::ptr::from_ref(slot).cast());
            }
        }
        #[cfg(not(target_arch = "x86_64"))]
        let _ = wanted;
    }

    #[inline]
    pub(super) fn get(&mut self, wanted: Wanted, make: impl FnOnce() -> u32) -> u32 {
        if self.held * 4 >= self.slots.len() * 3 {
            self.grow();
        }
        let mut at = self.slot(wanted.hash);
        loop {
            let slot = self.slots[at];
            if slot.key == wanted.key {
                return slot.number;
            }
            if slot.key == FREE {
                break;
            }
            at = (at + 1) & (self.slots.len() - 1);
        }
        let (key, number) = (wanted.key, make());
        self.slots[at] = Slot { key, number };
        self.held += 1;
        number
    }

    fn grow(&mut self) {
        let slots = (self.slots.len() * 2).max(LEAST);
        let old = std::mem::replace(&mut self.slots, vec![Slot::default(); slots]);
        for slot in old.into_iter().filter(|slot| slot.key != FREE) {
            let mut at = self.slot(Wanted::new(slot.key).hash);
            while self.slots[at].key != FREE {
                at = (at + 1) & (self.slots.len() - 1);
            }
            self.slots[at] = slot;
        }
    }

    /// Forgets all of them, and keeps the memory.
    pub(super) fn clear(&mut self) {
        self.slots.fill(Slot::default());
        self.held = 0;
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;
    use std::collections::HashMap;

    proptest! {
        #[test]
        fn numbers_are_those_of_a_map(
            asked in prop::collection::vec((0_u128..3_000, 0_u32..3), 0..6_000),
            forgotten in 0_usize..6_000,
        ) {
            let (mut memo, mut map) = (Memo::default(), HashMap::new());
            for (at, &(key, spread)) in asked.iter().enumerate() {
                if at == forgotten {
                    memo.clear();
                    map.clear();
                }
                let (key, own) = ((key << (40 * spread)) + 1, at as u32);
                let wanted = Wanted::new(key);
                memo.fetch(wanted);
                prop_assert_eq!(memo.get(wanted, || own), *map.entry(key).or_insert(own));
            }
        }
    }
}
