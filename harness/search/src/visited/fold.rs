//! Short keys, one to one, as numbers whose high bits choose a partition and whose place within
//! it 32 bits tell: half of what a key takes, and twice as many to a cache line.

use super::MOST_PARTITIONS;

/// Narrowest and widest keys, in bits, that fold: beyond, there are more to a partition than 32
/// bits tell apart.
const NARROWEST: u32 = 8;
const WIDEST: u32 = 32 + MOST_PARTITIONS.ilog2() - 1;
/// Odd, so that a product can be undone.
const FIRST: u64 = 0x9e37_79b9_7f4a_7c15;
/// The same of the second product.
const SECOND: u64 = 0xd6e8_feb8_6659_fd93;

/// A permutation of the numbers of so many bits, which leaves none of them in order.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Fold {
    bits: u32,
    mask: u64,
    half: u32,
}

impl Fold {
    /// For numbers of the bits of `used`; nothing where these are too many.
    pub(super) fn of(used: u64) -> Option<Self> {
        let bits = (u64::BITS - used.leading_zeros()).max(NARROWEST);
        (bits <= WIDEST).then(|| Self {
            bits,
            mask: u64::MAX >> (u64::BITS - bits),
            half: bits.div_ceil(2),
        })
    }

    /// Fewest partitions in which 32 bits tell the numbers apart, with one to spare.
    pub(super) fn least_partitions(self) -> usize {
        (1 << self.bits.saturating_sub(u32::BITS)) + 1
    }

    /// Whether the number has no more bits.
    #[inline]
    pub(super) fn takes(self, number: u64) -> bool {
        number <= self.mask
    }

    #[inline]
    fn folded(self, number: u64) -> u64 {
        let product = number.wrapping_mul(FIRST) & self.mask;
        (product ^ (product >> self.half)).wrapping_mul(SECOND) & self.mask
    }

    /// The number that was folded.
    fn unfolded(self, folded: u64) -> u64 {
        let product = folded.wrapping_mul(inverse(SECOND)) & self.mask;
        (product ^ (product >> self.half)).wrapping_mul(inverse(FIRST)) & self.mask
    }

    /// The partition of a number, of so many.
    #[inline]
    pub(super) fn partition(self, number: u64, count: usize) -> usize {
        ((self.folded(number) * count as u64) >> self.bits) as usize
    }

    /// The first folded number of a partition.
    pub(super) fn start(self, partition: usize, count: usize) -> u64 {
        ((partition as u64) << self.bits).div_ceil(count as u64)
    }

    /// What tells a number from all others of the partition that starts there: from 1.
    #[inline]
    pub(super) fn entry(self, number: u64, start: u64) -> u32 {
        (self.folded(number) - start + 1) as u32
    }

    /// The number with an entry.
    pub(super) fn number(self, entry: u32, start: u64) -> u64 {
        self.unfolded(start + u64::from(entry) - 1)
    }
}

/// What an odd number is multiplied with to give 1, modulo 2^64.
const fn inverse(odd: u64) -> u64 {
    // Right in three bits to begin with; every round doubles them.
    let (mut inverse, mut round) = (odd, 0);
    while round < 5 {
        inverse = inverse.wrapping_mul(2_u64.wrapping_sub(odd.wrapping_mul(inverse)));
        round += 1;
    }
    inverse
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::{Fold, WIDEST};

    proptest! {
        #[test]
        fn numbers_go_into_their_partition_and_come_back(
            number in any::<u64>(),
            bits in 1..=WIDEST,
            more in 0_usize..4000,
        ) {
            let fold = Fold::of(1 << (bits - 1)).expect("narrow");
            let number = number >> (64 - bits);
            prop_assert!(fold.takes(number));
            let count = fold.least_partitions() + more;
            let partition = fold.partition(number, count);
            prop_assert!(partition < count);
            let (start, end) = (fold.start(partition, count), fold.start(partition + 1, count));
            prop_assert!((start..end).contains(&fold.folded(number)));
            prop_assert!(end - start < u64::from(u32::MAX));
            let entry = fold.entry(number, start);
            prop_assert!(entry > 0);
            prop_assert_eq!(fold.number(entry, start), number);
        }
    }

    #[test]
    fn wide_keys_do_not_fold() {
        assert_eq!(Fold::of(1 << WIDEST), None);
        assert!(!Fold::of(1 << 20).expect("narrow").takes(1 << 21));
    }
}
