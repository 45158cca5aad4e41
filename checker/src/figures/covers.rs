//! Sets of shifts whose sums make the distances of a permutation.

use std::collections::BTreeSet;

use crate::rules::board::{members, subsets};

pub fn sums(shifts: &[i32]) -> BTreeSet<i32> {
    let add = |sums: BTreeSet<i32>, shift: &i32| {
        sums.iter().flat_map(|sum| [*sum, sum + shift]).collect()
    };
    shifts.iter().fold(BTreeSet::from([0]), add)
}

pub fn covers(shifts: &[i32], wanted: &BTreeSet<i32>) -> bool {
    wanted.is_subset(&sums(shifts))
}

/// Size of the smallest set of shifts from -6 to 6 whose sums contain all wanted distances.
pub fn smallest(wanted: &BTreeSet<i32>) -> Option<usize> {
    let shifts: Vec<i32> = (-6..=6).filter(|&shift| shift != 0).collect();
    let serves = |mask: u128| {
        let chosen: Vec<i32> = members(mask).map(|i| shifts[i]).collect();
        covers(&chosen, wanted)
    };
    let of = |size: usize| subsets((1 << shifts.len()) - 1, size).into_iter();
    (0..=7).find(|&size| of(size).any(serves))
}

/// All sets of five shifts from -63 to 63 whose sums contain all distances.
pub fn fives(wanted: &BTreeSet<i32>) -> Vec<[i32; 5]> {
    let bits = |sums: &[i32]| {
        let near = sums.iter().filter(|sum| (-63..64).contains(*sum));
        near.fold(0_u128, |set, sum| set | 1 << (sum + 63))
    };
    let all = bits(&wanted.iter().copied().collect::<Vec<_>>());
    let with = |sums: &[i32], shift: i32| -> Vec<i32> {
        sums.iter().flat_map(|sum| [*sum, sum + shift]).collect()
    };
    let mut found = Vec::new();
    for a in -63..60 {
        for b in a + 1..61 {
            let two = with(&[0, a], b);
            for c in b + 1..62 {
                let three = with(&two, c);
                for d in c + 1..63 {
                    let four = with(&three, d);
                    let have = bits(&four);
                    // Four shifts have 16 sums; the greatest makes a missing one.
                    let missing = (all & !have).trailing_zeros() as i32 - 63;
                    let mut last: Vec<i32> = four.iter().map(|sum| missing - sum).collect();
                    last.retain(|e| d < *e && *e < 64);
                    last.sort_unstable();
                    last.dedup();
                    let serves = |e: &i32| {
                        let more: Vec<i32> = four.iter().map(|sum| sum + e).collect();
                        all & !(have | bits(&more)) == 0
                    };
                    found.extend(last.into_iter().filter(serves).map(|e| [a, b, c, d, e]));
                }
            }
        }
    }
    found
}
