//! A uniform sample of the states of a level, independent of their order.

use std::collections::BinaryHeap;

use puzzle_api::Key;

use crate::keyset::mix;

/// Number of states picked from each level.
const PICKED: usize = 32;

/// The states with the smallest hashes under a seed: the same ones in any order.
#[derive(Debug, Clone)]
pub(super) struct Pick<K> {
    seed: u64,
    smallest: BinaryHeap<(u64, K)>,
}

impl<K: Key> Pick<K> {
    pub(super) fn new(seed: u64) -> Self {
        Self {
            seed,
            smallest: BinaryHeap::with_capacity(PICKED + 1),
        }
    }

    #[inline]
    pub(super) fn show(&mut self, keys: &[K]) {
        for &key in keys {
            let hash = mix(key.to_u128() ^ u128::from(self.seed) << 64);
            self.offer(hash, key);
        }
    }

    #[inline]
    fn offer(&mut self, hash: u64, key: K) {
        let full = self.smallest.len() == PICKED;
        if full
            && self
                .smallest
                .peek()
                .is_some_and(|most| *most <= (hash, key))
        {
            return;
        }
        self.smallest.push((hash, key));
        if full {
            self.smallest.pop();
        }
    }

    pub(super) fn absorb(&mut self, other: Self) {
        for (hash, key) in other.smallest {
            self.offer(hash, key);
        }
    }

    pub(super) fn states(&self) -> Vec<K> {
        let mut states: Vec<K> = self.smallest.iter().map(|&(_, key)| key).collect();
        states.sort_unstable();
        states
    }
}

#[cfg(test)]
mod tests {
    use super::{PICKED, Pick};

    #[test]
    fn what_is_picked_does_not_depend_on_order_or_workers() {
        let keys: Vec<u64> = (0..5000).map(|i| i * i).collect();
        let mut all = Pick::new(7);
        all.show(&keys);
        let (mut one, mut other) = (Pick::new(7), Pick::new(7));
        let (first, rest) = keys.split_at(1234);
        other.show(first);
        one.show(rest);
        one.absorb(other);
        assert_eq!(one.states(), all.states());
        assert_eq!(all.states().len(), PICKED);
        let mut elsewhere = Pick::new(8);
        elsewhere.show(&keys);
        assert_ne!(elsewhere.states(), all.states());
    }
}
