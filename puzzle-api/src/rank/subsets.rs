//! Subsets in the order of their ranks, without ranks.

use super::low_bits;

/// The next larger mask with equally many bits, which has the next rank; `None` if it would not fit
/// 64 bits, and for 0. A handful of operations (HAKMEM, item 175).
#[inline]
#[must_use]
pub fn next_subset(mask: u64) -> Option<u64> {
    if mask == 0 {
        return None;
    }
    let lowest = mask & mask.wrapping_neg();
    let raised = mask.checked_add(lowest)?;
    // The block of ones that was carried, except for its top, goes to the bottom.
    let block = (mask ^ raised) >> 2;
    Some(raised | block >> lowest.trailing_zeros())
}

/// All subsets of `members` of `cells` cells in the order of their ranks.
pub fn all(cells: u32, members: u32) -> impl Iterator<Item = u64> {
    let board = low_bits(cells);
    let first = (members <= cells).then(|| low_bits(members));
    std::iter::successors(first, |&mask| next_subset(mask))
        .take_while(move |&mask| mask & !board == 0)
}
