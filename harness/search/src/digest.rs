//! Level digests: an order-free fingerprint of a set of states.
//!
//! The digest of a level is the wrapping 128-bit sum, over its orbits, of XXH3-128 of the canonical
//! key's 16 little-endian bytes. It does not depend on order, threads, engine or the use of
//! symmetry in the search. So two runs that agree in it found the same set.

use puzzle_api::Key;

use crate::keyset::stafford;
use crate::wide::vectorised;

/// Hash of one canonical key.
pub type KeyHash = u128;

const PRIME32_2: u64 = 0x85EB_CA77;
const PRIME64_1: u64 = 0x9E37_79B1_85EB_CA87;
const PRIME64_2: u64 = 0xC2B2_AE3D_27D4_EB4F;
const AVALANCHE: u64 = 0x1656_6791_9E37_79F9;
/// Bytes 32..48 and 48..64 of XXH3's default secret, each folded to one word.
const FLIP_LOW: u64 = 0x78E5_C0CC_4EE6_79CB ^ 0x2172_FFCC_7DD0_5A82;
const FLIP_HIGH: u64 = 0x8E24_43F7_7446_08B8 ^ 0x4C26_3A81_E690_35E0;

/// XXH3-128 with seed 0 of a key's 16 little-endian bytes: the 16-byte path of XXH3
/// alone, so that it is inlined into the observers' loop. The `xxhash-rust` crate is
/// its twin in the tests.
#[inline]
pub fn hash_key(key: u128) -> KeyHash {
    let low = key as u64;
    let high = (key >> 64) as u64;
    let product = u128::from(low ^ high ^ FLIP_LOW) * u128::from(PRIME64_1);
    let flipped = high ^ FLIP_HIGH;
    let upper = ((product >> 64) as u64)
        .wrapping_add(flipped)
        .wrapping_add((flipped & 0xffff_ffff).wrapping_mul(PRIME32_2 - 1));
    let lower = (product as u64).wrapping_add(15 << 54) ^ upper.swap_bytes();
    let mixed = u128::from(lower) * u128::from(PRIME64_2);
    let mixed_high = ((mixed >> 64) as u64).wrapping_add(upper.wrapping_mul(PRIME64_2));
    (u128::from(avalanche(mixed_high)) << 64) | u128::from(avalanche(mixed as u64))
}

/// [`hash_key`] of many keys at once: the low words of the hashes go to `low`, the high
/// words to `high`. Short keys are hashed several at a time if the processor has vectors; the
/// results are the same everywhere.
pub fn hash_keys<K: Key>(keys: &[K], low: &mut Vec<u64>, high: &mut Vec<u64>) {
    low.resize(keys.len(), 0);
    high.resize(keys.len(), 0);
    if K::WORDS == 1 {
        hash_short_keys(&K::words_of(keys), low, high);
        return;
    }
    for ((key, low), high) in keys.iter().zip(low).zip(high) {
        let hash = hash_key(key.to_u128());
        (*low, *high) = (hash as u64, (hash >> 64) as u64);
    }
}

/// The level digest of keys that represent only themselves.
pub fn sum_of<K: Key>(keys: &[K]) -> u128 {
    let (mut low, mut high) = (Vec::new(), Vec::new());
    hash_keys(keys, &mut low, &mut high);
    let hashes = low.iter().zip(&high);
    hashes.fold(0_u128, |sum, (&low, &high)| {
        sum.wrapping_add(u128::from(high) << 64 | u128::from(low))
    })
}

vectorised! {
    fn hash_short_keys(keys: &[u64], low: &mut [u64], high: &mut [u64])
        = hash_each_short for ["avx512f" "avx512dq"] else hash_short_keys_narrow
}

vectorised! {
    fn hash_short_keys_narrow(keys: &[u64], low: &mut [u64], high: &mut [u64])
        = hash_each_short for ["avx2"] else hash_each
}

#[inline(always)]
fn hash_each_short(keys: &[u64], low: &mut [u64], high: &mut [u64]) {
    for ((&key, low), high) in keys.iter().zip(low).zip(high) {
        (*low, *high) = hash_short(key);
    }
}

fn hash_each(keys: &[u64], low: &mut [u64], high: &mut [u64]) {
    for ((&key, low), high) in keys.iter().zip(low).zip(high) {
        let hash = hash_key(key.into());
        (*low, *high) = (hash as u64, (hash >> 64) as u64);
    }
}

/// [`hash_key`] of a key of one word, written with 32-bit products only, which vector units have.
#[inline(always)]
fn hash_short(key: u64) -> (u64, u64) {
    const FOLDED: u64 =
        FLIP_HIGH.wrapping_add((FLIP_HIGH & 0xffff_ffff).wrapping_mul(PRIME32_2 - 1));
    let (low, high) = wide_product(key ^ FLIP_LOW, PRIME64_1);
    let upper = high.wrapping_add(FOLDED);
    let lower = low.wrapping_add(15 << 54) ^ upper.swap_bytes();
    let (mixed_low, mixed_high) = wide_product(lower, PRIME64_2);
    let mixed_high = mixed_high.wrapping_add(upper.wrapping_mul(PRIME64_2));
    (avalanche(mixed_low), avalanche(mixed_high))
}

/// Low and high word of a 64 by 64 bit product.
#[inline(always)]
const fn wide_product(a: u64, b: u64) -> (u64, u64) {
    const HALF: u64 = 0xffff_ffff;
    let (a0, a1, b0, b1) = (a & HALF, a >> 32, b & HALF, b >> 32);
    let (p00, p01, p10, p11) = (a0 * b0, a0 * b1, a1 * b0, a1 * b1);
    let middle = (p00 >> 32) + (p01 & HALF) + p10;
    let low = (middle << 32) | (p00 & HALF);
    (low, p11 + (p01 >> 32) + (middle >> 32))
}

#[inline(always)]
fn avalanche(mut word: u64) -> u64 {
    word ^= word >> 37;
    word = word.wrapping_mul(AVALANCHE);
    word ^ (word >> 32)
}

/// A digest as 32 lower-case hex digits.
pub fn hex(digest: u128) -> String {
    format!("{digest:032x}")
}

/// A hash of a key under a seed, for random choices that depend on no order.
#[inline]
pub(crate) fn scattered<K: Key>(key: K, seed: u64) -> u64 {
    let number = key.to_u128();
    stafford(number as u64 ^ stafford((number >> 64) as u64 ^ seed))
}

// Keys as text in records and messages: hexadecimal digits, since readers of JSON lose digits
// of large numbers.

/// A key as text.
pub(crate) fn key_text<K: Key>(key: K) -> String {
    format!("{:x}", key.to_u128())
}

/// The key of a text; `None` if the text is not a key.
pub(crate) fn key_from_text<K: Key>(text: &str) -> Option<K> {
    u128::from_str_radix(text, 16).ok().map(key_from_number)
}

/// Keys as texts.
pub(crate) fn key_texts<K: Key>(keys: &[K]) -> Vec<String> {
    keys.iter().copied().map(key_text).collect()
}

/// The keys of texts; other texts are left out.
pub(crate) fn keys_from_texts<K: Key>(texts: &[String]) -> Vec<K> {
    let keys = texts.iter();
    keys.filter_map(|text| key_from_text(text)).collect()
}

/// A key from a number; the high word is dropped if keys have one word.
#[inline]
pub(crate) fn key_from_number<K: Key>(number: u128) -> K {
    K::from_words(&[number as u64, (number >> 64) as u64])
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;
    use xxhash_rust::xxh3::xxh3_128;

    proptest! {
        #[test]
        fn inlined_hash_equals_the_library(key: u128) {
            for key in [key, key >> 64] {
                prop_assert_eq!(hash_key(key), xxh3_128(&key.to_le_bytes()));
            }
        }

        #[test]
        fn hashing_many_equals_hashing_one(keys: Vec<u64>, long: Vec<u128>) {
            let (mut low, mut high) = (Vec::new(), Vec::new());
            hash_keys(&keys, &mut low, &mut high);
            for ((&key, &low), &high) in keys.iter().zip(&low).zip(&high) {
                let hash = hash_key(key.into());
                prop_assert_eq!((low, high), (hash as u64, (hash >> 64) as u64));
                prop_assert_eq!(hash_short(key), (low, high));
            }
            hash_keys(&long, &mut low, &mut high);
            for ((&key, &low), &high) in long.iter().zip(&low).zip(&high) {
                let hash = hash_key(key);
                prop_assert_eq!((low, high), (hash as u64, (hash >> 64) as u64));
            }
        }
    }

    #[test]
    fn keys_come_back_from_their_texts() {
        for key in [0, 10, u128::MAX, u128::MAX - 1] {
            assert_eq!(key_from_text(&key_text(key)), Some(key));
        }
        assert_eq!(key_from_text::<u64>("1f"), Some(31));
        for none in ["", "g", "0x1f"] {
            assert_eq!(key_from_text::<u64>(none), None, "{none}");
        }
    }
}
