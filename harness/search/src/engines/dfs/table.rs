//! The transposition table: data on states seen before, in a fixed amount of memory.

use std::marker::PhantomData;

use puzzle_api::{Key, Xorshift};

use crate::digest::scattered;
use crate::options::{HashKind, Policy};

/// Statistics of the table.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct TableStats {
    /// Slots.
    pub slots: u64,
    /// Slots in use at the end.
    pub used: u64,
    /// States looked up.
    pub probes: u64,
    /// States found.
    pub hits: u64,
    /// States stored, each once its subtree was searched.
    pub stores: u64,
    /// States replaced.
    pub lost: u64,
    /// States not stored.
    pub declined: u64,
}

/// The entry of a state.
#[derive(Debug, Clone, Copy)]
struct TranspositionEntry<K> {
    key: K,
    value: u32,
    /// Binary logarithm of the states searched below, plus one; 0 for an empty slot.
    cost: u8,
}

/// Words of a slot after those of the key: the value, and above it the cost.
const BEHIND: usize = 1;

/// Values of states, indexed by the hash of their key. The whole key is kept and compared, so that
/// two states are never confused.
#[derive(Debug, Clone)]
pub struct TranspositionTable<K> {
    /// Slot after slot. All zero at first. The system allocates only the pages that are written to,
    /// so a small search pays only for the part of a large table that it uses.
    words: Vec<u64>,
    policy: Policy,
    hasher: Hasher,
    stats: TableStats,
    keys: PhantomData<K>,
}

impl<K: Key> TranspositionTable<K> {
    /// A table of at most n bytes: the greatest power of two of slots that fits, at least two.
    pub fn new(bytes: u64, policy: Policy, hash: HashKind) -> Self {
        let fitting = (bytes / (8 * Self::STRIDE as u64)).max(2);
        let slots = 1_u64 << fitting.ilog2();
        Self {
            words: vec![0; slots as usize * Self::STRIDE],
            keys: PhantomData,
            policy,
            hasher: Hasher::new(hash, K::WORDS),
            stats: TableStats {
                slots,
                ..TableStats::default()
            },
        }
    }

    const STRIDE: usize = K::WORDS + BEHIND;

    #[inline]
    fn slot(&self, at: usize) -> TranspositionEntry<K> {
        let words = &self.words[at * Self::STRIDE..][..Self::STRIDE];
        TranspositionEntry {
            key: K::from_words(words),
            value: words[K::WORDS] as u32,
            cost: (words[K::WORDS] >> 32) as u8,
        }
    }

    #[inline]
    fn put(&mut self, at: usize, slot: TranspositionEntry<K>) {
        let words = &mut self.words[at * Self::STRIDE..][..Self::STRIDE];
        let key = slot.key.to_u128();
        words[0] = key as u64;
        if K::WORDS == 2 {
            words[1] = (key >> 64) as u64;
        }
        words[K::WORDS] = u64::from(slot.value) | u64::from(slot.cost) << 32;
    }

    /// The statistics so far.
    pub fn stats(&self) -> TableStats {
        self.stats
    }

    /// As in the article: the hash modulo the size, a power of two.
    #[inline]
    fn home(&self, key: K) -> usize {
        let at = self.hasher.hash(key) as usize & (self.stats.slots as usize - 1);
        match self.policy {
            Policy::TwoSlots => at & !1,
            Policy::Always | Policy::Costlier => at,
        }
    }

    #[inline]
    fn bucket(&self, home: usize) -> std::ops::Range<usize> {
        match self.policy {
            Policy::TwoSlots => home..home + 2,
            Policy::Always | Policy::Costlier => home..home + 1,
        }
    }

    /// The value of a state, if it is known.
    #[inline]
    pub fn probe(&mut self, key: K) -> Option<u32> {
        self.stats.probes += 1;
        // The first sequence of moves looks up every state on it, each on a different page.
        if self.stats.used == 0 {
            return None;
        }
        let home = self.home(key);
        let mut bucket = self.bucket(home).map(|at| self.slot(at));
        let slot = bucket.find(|slot| slot.cost > 0 && slot.key == key)?;
        let value = slot.value;
        self.stats.hits += 1;
        Some(value)
    }

    /// Stores the value of a state whose search took `nodes` states.
    pub fn store(&mut self, key: K, value: u32, nodes: u64) {
        self.stats.stores += 1;
        let cost = nodes.max(1).ilog2() as u8 + 1;
        let new = TranspositionEntry { key, value, cost };
        let home = self.home(key);
        for at in self.bucket(home) {
            let slot = self.slot(at);
            if slot.cost == 0 || slot.key == key {
                self.stats.used += u64::from(slot.cost == 0);
                self.put(at, new);
                return;
            }
        }
        let first = self.slot(home);
        let costlier = first.cost > cost;
        match self.policy {
            Policy::Costlier if costlier => {
                self.stats.declined += 1;
                return;
            }
            Policy::Always | Policy::Costlier => self.put(home, new),
            Policy::TwoSlots if costlier => self.put(home + 1, new),
            Policy::TwoSlots => {
                self.put(home + 1, first);
                self.put(home, new);
            }
        }
        self.stats.lost += 1;
    }
}

// Hashes of keys for the table: the two that the article on Diamond-41 compares.

/// A hash made ready.
#[derive(Debug, Clone)]
pub struct Hasher {
    /// For byte b of the key with value v, at `b * 256 + v`; empty for the mixer.
    words: Vec<u64>,
}

/// Seed of the Zobrist words. Fixed: the user's seed does not change the hash.
const WORDS_SEED: u64 = 0x5a6f_6272_6973_7431;

impl Hasher {
    /// A hash for keys of `key_words` words.
    pub fn new(kind: HashKind, key_words: usize) -> Self {
        if kind == HashKind::Stafford {
            return Self { words: Vec::new() };
        }
        let bits: Vec<u64> = (0..64 * key_words as u64)
            .map(|bit| Xorshift::for_draw(WORDS_SEED, bit).next_u64())
            .collect();
        let bytes = bits.chunks_exact(8);
        let joined = |bits: &[u64], value: usize| {
            let set = (0..8).filter(|bit| value >> bit & 1 == 1);
            set.fold(0, |word, bit| word ^ bits[bit])
        };
        Self {
            words: bytes
                .flat_map(|bits| (0..256).map(move |value| joined(bits, value)))
                .collect(),
        }
    }

    /// The hash of a key.
    #[inline]
    pub fn hash<K: Key>(&self, key: K) -> u64 {
        if self.words.is_empty() {
            return scattered(key, 0);
        }
        let mut rest = key.to_u128();
        self.words.chunks_exact(256).fold(0, |hash, words| {
            let word = words[rest as usize & 0xff];
            rest >>= 8;
            hash ^ word
        })
    }
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeMap;

    use super::{HashKind, Hasher, Policy, TranspositionTable, WORDS_SEED};
    use crate::keyset::stafford;
    use proptest::prelude::*;
    use puzzle_api::Xorshift;

    proptest! {
        /// A table may forget, but a value found is the last one stored, and its statistics add up.
        #[test]
        fn says_only_what_it_was_told(
            steps in prop::collection::vec((0_u64..60, 0_u32..9, 1_u64..5000, any::<bool>()), 1..400),
            bytes in 0_u64..800,
            policy in prop::sample::select(Policy::ALL.to_vec()),
            hash in prop::sample::select(HashKind::ALL.to_vec()),
        ) {
            let mut table = TranspositionTable::new(bytes, policy, hash);
            let mut told = BTreeMap::new();
            for &(key, value, nodes, store) in &steps {
                if store {
                    table.store(key, value, nodes);
                    if table.probe(key).is_some() {
                        told.insert(key, value);
                    }
                } else if let Some(found) = table.probe(key) {
                    prop_assert_eq!(Some(&found), told.get(&key));
                }
            }
            let stats = table.stats();
            prop_assert!(stats.slots.is_power_of_two() && stats.slots >= 2);
            prop_assert!(stats.slots == 2 || stats.slots * 16 <= bytes);
            prop_assert!(stats.used <= stats.slots && stats.hits <= stats.probes);
            prop_assert!(stats.used + stats.lost + stats.declined <= stats.stores);
            prop_assert_eq!(stats.declined > 0 && policy != Policy::Costlier, false);
            let live = (0..stats.slots).filter(|&at| table.slot(at as usize).cost > 0).count();
            prop_assert_eq!(live as u64, stats.used);
        }
    }

    #[test]
    fn each_policy_keeps_what_it_promises() {
        let full = |policy| {
            let mut table = TranspositionTable::<u64>::new(0, policy, HashKind::Stafford);
            for key in 0..64 {
                let nodes = if key == 7 { 1000 } else { 1 };
                table.store(key, key as u32, nodes);
            }
            table
        };
        assert_eq!(full(Policy::Costlier).probe(7), Some(7));
        let mut two = full(Policy::TwoSlots);
        assert_eq!((two.probe(7), two.probe(63)), (Some(7), Some(63)));
        assert_eq!(full(Policy::Always).probe(63), Some(63));
        assert_eq!(two.stats().lost, 62);
    }

    #[test]
    fn the_mixer_gives_known_values() {
        // The finaliser of splitmix64: its first output from state 0 mixes the golden ratio.
        assert_eq!(stafford(0), 0);
        assert_eq!(stafford(0x9e37_79b9_7f4a_7c15), 0xe220_a839_7b1d_cdaf);
    }

    proptest! {
        /// The literal twin: a word per set bit.
        #[test]
        fn zobrist_by_bytes_equals_zobrist_by_bits(key: u64, long: u128) {
            let plain = |key: u128| {
                let set = (0..128).filter(|bit| key >> bit & 1 == 1);
                set.fold(0, |hash, bit| hash ^ Xorshift::for_draw(WORDS_SEED, bit).next_u64())
            };
            prop_assert_eq!(Hasher::new(HashKind::Zobrist, 1).hash(key), plain(key.into()));
            prop_assert_eq!(Hasher::new(HashKind::Zobrist, 2).hash(long), plain(long));
        }

        #[test]
        fn both_words_of_a_long_key_count(key: u128, bit in 0_u32..128) {
            for kind in HashKind::ALL {
                let hasher = Hasher::new(kind, 2);
                prop_assert_ne!(hasher.hash(key), hasher.hash(key ^ 1 << bit));
            }
        }
    }
}
