//! Level digests: an order-free fingerprint of a set of states.
//!
//! The digest of a level is the wrapping 128-bit sum, over its orbits, of XXH3-128 of
//! the canonical key's 16 little-endian bytes. It does not depend on order, threads,
//! engine or on whether symmetry was used in the search, so two runs that agree in it
//! found the same set.

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
#[must_use]
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

#[inline]
fn avalanche(mut word: u64) -> u64 {
    word ^= word >> 37;
    word = word.wrapping_mul(AVALANCHE);
    word ^ (word >> 32)
}

/// A digest as 32 lower-case hex digits.
#[must_use]
pub fn hex(digest: u128) -> String {
    format!("{digest:032x}")
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;
    use xxhash_rust::xxh3::xxh3_128;

    proptest! {
        #[test]
        fn inlined_hash_equals_the_library(key: u128) {
            prop_assert_eq!(hash_key(key), xxh3_128(&key.to_le_bytes()));
        }

        #[test]
        fn inlined_hash_equals_the_library_on_short_keys(key: u64) {
            let key = u128::from(key);
            prop_assert_eq!(hash_key(key), xxh3_128(&key.to_le_bytes()));
        }
    }
}
