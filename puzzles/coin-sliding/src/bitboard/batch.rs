//! Ranks of the neighbours of a batch of boards: the inner loop of a search by rank. It is compiled
//! twice, since counting and finding bits takes several instructions on plain x86-64, and one on
//! newer processors.
#![allow(unsafe_code)]

use puzzle_api::Direction;
use puzzle_api::rank::{Steps, subsets};

use super::Bits;

/// Like [`puzzle_api::Numbering::neighbour_ranks`], on the instance's only part; each
/// board is shown to `see`.
pub(super) fn neighbour_ranks(
    bits: &Bits,
    way: Direction,
    ranks: &[u64],
    see: &mut impl FnMut(u64),
    out: &mut Vec<u64>,
) {
    #[cfg(target_arch = "x86_64")]
    if std::arch::is_x86_feature_detected!("avx2")
        && std::arch::is_x86_feature_detected!("bmi1")
        && std::arch::is_x86_feature_detected!("popcnt")
    {
        // SAFETY: the processor has just been found to support all three.
        return unsafe { newer(bits, way, ranks, see, out) };
    }
    any(bits, way, ranks, see, out);
}

#[cfg(target_arch = "x86_64")]
#[target_feature(enable = "avx2,bmi1,popcnt")]
fn newer(
    bits: &Bits,
    way: Direction,
    ranks: &[u64],
    see: &mut impl FnMut(u64),
    out: &mut Vec<u64>,
) {
    any(bits, way, ranks, see, out);
}

#[inline(always)]
fn any(bits: &Bits, way: Direction, ranks: &[u64], see: &mut impl FnMut(u64), out: &mut Vec<u64>) {
    let mut steps = Steps::default();
    let mut last: Option<(u64, u64)> = None;
    for &rank in ranks {
        // A scan requests ranks in order, mostly with few gaps if the table is full.
        let following = last
            .filter(|&(before, _)| before.checked_add(1) == Some(rank))
            .filter(|_| rank < bits.pieces.count())
            .and_then(|(_, coins)| subsets::next_subset(coins));
        let Some(coins) = following.or_else(|| bits.pieces.unrank(rank)) else {
            continue;
        };
        last = Some((rank, coins));
        see(coins);
        match way {
            Direction::Forward => bits.successor_ranks(coins, rank, &mut steps, out),
            Direction::Backward => bits.predecessor_ranks(coins, rank, &mut steps, out),
        }
    }
}
