//! Hashes of keys for the table: the two that the article on Diamond-41 compares.

use crate::keyset::stafford;
use crate::options::HashKind;

use puzzle_api::{Key, Xorshift};

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
    #[must_use]
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
        let number = key.to_u128();
        if self.words.is_empty() {
            let (low, high) = (number as u64, (number >> 64) as u64);
            return if K::WORDS == 1 {
                stafford(low)
            } else {
                stafford(low ^ stafford(high))
            };
        }
        let mut rest = number;
        self.words.chunks_exact(256).fold(0, |hash, words| {
            let word = words[rest as usize & 0xff];
            rest >>= 8;
            hash ^ word
        })
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::{HashKind, Hasher, WORDS_SEED, stafford};
    use puzzle_api::Xorshift;

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
