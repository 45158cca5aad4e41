//! The article's functions. Its `mv` and the three lines that perform a jump are
//! [`Layout::landings`](crate::layout::Layout::landings) and
//! [`layout::jump`](crate::layout::jump).

/// Set bits of a word, and the number of rounds of the printed loop ("Bit-Boards").
pub fn bit_count(mut word: u64) -> (u32, u32) {
    let (mut count, mut rounds) = (0, 0);
    while word != 0 {
        word &= word - 1;
        count += 1;
        rounds += 1;
    }
    (count, rounds)
}

/// The constants of the printed hash function, in the order of its multiplications.
pub const FACTORS: [u64; 2] = [0xbf58_476d_1ce4_e5b9, 0x94d0_49bb_1331_11eb];

/// The printed hash function ("Symmetries & Transposition Tables"), David Stafford's
/// thirteenth mix.
pub fn hash(mut x: u64) -> u64 {
    x = (x ^ x >> 30).wrapping_mul(FACTORS[0]);
    x = (x ^ x >> 27).wrapping_mul(FACTORS[1]);
    x ^ x >> 31
}

/// The word with a given hash: every step of [`hash`] undone.
pub fn unhash(mut x: u64) -> u64 {
    x = unshift(x, 31);
    x = unshift(x.wrapping_mul(inverse(FACTORS[1])), 27);
    unshift(x.wrapping_mul(inverse(FACTORS[0])), 30)
}

/// The x with `x ^ x >> by` given: each round gets `by` more bits right, from the top.
const fn unshift(given: u64, by: u32) -> u64 {
    let mut x = given;
    let mut right = by;
    while right < u64::BITS {
        x = given ^ x >> by;
        right += by;
    }
    x
}

/// The inverse of an odd factor modulo 2^64 (Newton: each round doubles the bits).
const fn inverse(odd: u64) -> u64 {
    let mut inverse = odd;
    let mut round = 0;
    while round < 5 {
        inverse = inverse.wrapping_mul(2_u64.wrapping_sub(odd.wrapping_mul(inverse)));
        round += 1;
    }
    inverse
}

/// The printed index into a table of 2^n entries: the hash as an `int` of 32 bits, then
/// masked.
pub fn index(hash: u64, mask: i32) -> i32 {
    (hash as i32) & mask
}

#[cfg(test)]
mod tests {
    use super::{hash, unhash};
    use proptest::prelude::*;

    #[test]
    fn the_hash_is_that_of_splitmix() {
        // First output of the published splitmix64 generator for seed 0.
        assert_eq!(hash(0x9e37_79b9_7f4a_7c15), 0xe220_a839_7b1d_cdaf);
    }

    proptest! {
        #[test]
        fn the_hash_can_be_undone(word in any::<u64>()) {
            prop_assert_eq!(unhash(hash(word)), word);
            prop_assert_eq!(hash(unhash(word)), word);
        }
    }
}
