//! Sets of shifts of which the sums make the distances of a permutation.

use std::collections::BTreeSet;

use crate::rules::board::members;
use crate::rules::keys::orders;

pub fn sums(shifts: &[i32]) -> BTreeSet<i32> {
    let add = |sums: BTreeSet<i32>, shift: &i32| {
        sums.iter().flat_map(|sum| [*sum, sum + shift]).collect()
    };
    shifts.iter().fold(BTreeSet::from([0]), add)
}

pub fn covers(shifts: &[i32], wanted: &BTreeSet<i32>) -> bool {
    wanted.is_subset(&sums(shifts))
}

/// Size of the smallest set of shifts from -6 to 6 whose sums hold all wanted.
pub fn smallest(wanted: &BTreeSet<i32>) -> Option<usize> {
    let shifts: Vec<i32> = (-6..=6).filter(|&shift| shift != 0).collect();
    let of = |size: u32| (0_u128..1 << shifts.len()).filter(move |mask| mask.count_ones() == size);
    (0..=7_u32)
        .find(|&size| {
            of(size).any(|mask| {
                let chosen: Vec<i32> = members(mask).map(|i| shifts[i]).collect();
                covers(&chosen, wanted)
            })
        })
        .map(|size| size as usize)
}

/// All sets of five shifts from -63 to 63 of which the sums hold all distances.
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
                    // Four shifts have 16 sums; the greatest makes one that is missing.
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

/// In how many orders five shifts, each of some of the bits, make the rotation within 64 bits
/// without two bits ever in one place.
pub fn routes(five: &[i32; 5], moves: &[i32]) -> usize {
    /// Places a bit and those after it, in every way; the words taken after each shift.
    fn place(order: &[i32], moves: &[i32], bit: usize, taken: &mut [u64; 5]) -> bool {
        if bit == moves.len() {
            return true;
        }
        for chosen in 0_u32..32 {
            let used = |i: usize| if chosen >> i & 1 == 1 { order[i] } else { 0 };
            if (0..5).map(used).sum::<i32>() != moves[bit] {
                continue;
            }
            let mut at = bit as i32;
            let places: [i32; 5] = std::array::from_fn(|i| {
                at += used(i);
                at
            });
            let free = |(i, at): (usize, &i32)| (0..64).contains(at) && taken[i] >> at & 1 == 0;
            if places.iter().enumerate().all(free) {
                let before = *taken;
                places
                    .iter()
                    .zip(&mut *taken)
                    .for_each(|(at, word)| *word |= 1 << at);
                if place(order, moves, bit + 1, taken) {
                    return true;
                }
                *taken = before;
            }
        }
        false
    }
    let serves = |order: &Vec<i32>| place(order, moves, 0, &mut [0; 5]);
    orders(five).iter().filter(|order| serves(order)).count()
}

/// In how many orders four rotations of a word of 64 bits make the moves without two bits ever in
/// one place. The moves are all multiples of 4 but the sums of four rotations no more, so that each
/// rotation is a multiple too, and each bit has one choice.
pub fn four_rotations(moves: &[i32]) -> usize {
    let sum = |four: &[i32; 4], some: usize| -> i32 {
        let chosen = (0..4).filter(|at| some >> at & 1 == 1);
        chosen.map(|at| four[at]).sum::<i32>() & 63
    };
    let all = 0..15_i32.pow(4);
    let ordered = all.map(|n| [n, n / 15, n / 225, n / 3375].map(|digit| 4 * (1 + digit % 15)));
    let works = |four: &[i32; 4]| {
        let mut some = [usize::MAX; 64];
        (0..16).for_each(|chosen| some[sum(four, chosen) as usize] = chosen);
        let all = (0..64).step_by(4).all(|by| some[by] != usize::MAX);
        all && (0..4).all(|stage| {
            let mut taken = 0_u64;
            moves.iter().zip(0..).all(|(by, bit)| {
                let so_far = some[(by & 63) as usize] & ((2 << stage) - 1);
                let place = (bit + sum(four, so_far)) & 63;
                let free = taken >> place & 1 == 0;
                taken |= 1 << place;
                free
            })
        })
    };
    ordered.filter(works).count()
}
