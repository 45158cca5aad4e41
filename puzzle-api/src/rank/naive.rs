//! The combinatorial number system as defined: a sum over the members, and its inverse by the
//! greatest binomial that still fits.

use super::{binomial, low_bits};

/// The rank of a subset among those of its size.
#[must_use]
pub fn rank(mask: u64) -> u64 {
    let mut sum = 0;
    let mut index = 0;
    for position in 0..64 {
        if mask >> position & 1 == 1 {
            index += 1;
            sum += binomial(position, index);
        }
    }
    sum
}

/// The subset of `members` of `cells` cells with a rank; `None` beyond the last.
///
/// # Panics
/// If `cells` > 64.
#[must_use]
pub fn unrank(cells: u32, members: u32, rank: u64) -> Option<u64> {
    if rank >= binomial(cells, members) {
        return None;
    }
    let mut left = rank;
    let mut mask = 0;
    let mut position = cells;
    for index in (1..=members).rev() {
        // The greatest position below the last one whose binomial still fits.
        position = (0..position)
            .rev()
            .find(|&position| binomial(position, index) <= left)?;
        left -= binomial(position, index);
        mask |= 1 << position;
    }
    debug_assert_eq!(mask & !low_bits(cells), 0);
    Some(mask)
}
