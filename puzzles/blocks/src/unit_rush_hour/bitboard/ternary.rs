//! Converts between sets of cells and numbers of base three, twelve cells at a time.

use std::sync::LazyLock;

/// Cells that one look-up takes.
const CELLS: u32 = 12;

/// 3 to the twelfth.
const VALUES: u64 = 531_441;

/// By the set of the cells: the sum of their powers of three.
static SUMS: LazyLock<Vec<u32>> = LazyLock::new(|| {
    let sum = |set: u32| {
        let own = (0..CELLS).filter(|&cell| set >> cell & 1 == 1);
        own.map(|cell| 3_u32.pow(cell)).sum()
    };
    (0..1 << CELLS).map(sum).collect()
});

/// By the number: the cells with digit 1 and those with digit 2.
static SETS: LazyLock<Vec<[u16; 2]>> = LazyLock::new(|| {
    let sets = |number: u64| {
        let (mut sets, mut rest) = ([0; 2], number);
        for cell in 0..CELLS {
            match rest % 3 {
                0 => {}
                digit => sets[digit as usize - 1] |= 1 << cell,
            }
            rest /= 3;
        }
        sets
    };
    (0..VALUES).map(sets).collect()
});

/// The sum of 3^c over the cells c of a set, of the first 36.
#[inline]
pub(super) fn sum(set: u64) -> u64 {
    let sums = &*SUMS;
    let of = |group: u32| u64::from(sums[(set >> (CELLS * group)) as usize & ((1 << CELLS) - 1)]);
    of(0) + VALUES * (of(1) + VALUES * of(2))
}

/// The cells with digit 1 and those with digit 2 of a number below 3^36.
#[inline]
pub(super) fn split(number: u64) -> (u64, u64) {
    let sets = &*SETS;
    let (mut lying, mut standing, mut rest) = (0, 0, number);
    for group in 0..3 {
        let [one, two] = sets[(rest % VALUES) as usize];
        lying |= u64::from(one) << (CELLS * group);
        standing |= u64::from(two) << (CELLS * group);
        rest /= VALUES;
    }
    (lying, standing)
}
