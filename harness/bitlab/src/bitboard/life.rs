//! Conway's Game of Life by bit-plane adders (Browne, section 5.3.3 and listing 2).

use std::ops::{BitAnd, BitOr, BitXor, Not, Shl, Shr};

/// A word for listing 2: `u64`, and the types of the claims that count operations and record the
/// dependencies of each bit.
pub trait Word:
    Copy
    + BitAnd<Output = Self>
    + BitOr<Output = Self>
    + BitXor<Output = Self>
    + Not<Output = Self>
    + Shl<u32, Output = Self>
    + Shr<u32, Output = Self>
{
    /// A constant.
    fn constant(word: u64) -> Self;
}

impl Word for u64 {
    fn constant(word: u64) -> Self {
        word
    }
}

/// Listing 2's edge masks: name, the digits printed after `0x`, and the mask that is meant. A Java
/// `long` has at most 16 digits.
pub const MASKS: [(&str, &str, u64); 4] = [
    ("L", "808080808080808080", 0x8080_8080_8080_8080),
    ("R", "01010101010101011", 0x0101_0101_0101_0101),
    ("T", "00000000000000FF", 0x0000_0000_0000_00ff),
    ("B", "FF000000000000000", 0xff00_0000_0000_0000),
];

/// Listing 2 with its masks corrected, operation for operation: the next generation on the 8x8
/// torus, bit 0 being the north-east cell.
///
/// Cost: 82 operations (4 + 4 + 6 * 5 shifts and joins, 8 * 5 adds, 4). The planes `ones`, `twos`
/// and `fours` count the neighbours of every cell; an eighth leaves the top plane set.
#[inline(always)]
pub fn step<T: Word>(live: T) -> T {
    let [left, right, top, bottom] = MASKS.map(|(_, _, mask)| T::constant(mask));
    let [not_left, not_right] = [MASKS[0].2, MASKS[1].2].map(|mask| T::constant(!mask));
    let west = |c: T| (c & not_left) << 1 | (c & left) >> 7;
    let east = |c: T| (c & not_right) >> 1 | (c & right) << 7;
    let north = live >> 8 | (live & top) << 56;
    let south = live << 8 | (live & bottom) >> 56;
    let [mut ones, mut twos, mut fours] = [T::constant(0); 3];
    for near in [
        west(north),
        west(live),
        west(south),
        north,
        south,
        east(north),
        east(live),
        east(south),
    ] {
        let carry_to_twos = ones & near;
        let carry_to_fours = twos & carry_to_twos;
        ones = ones ^ near;
        twos = twos ^ carry_to_twos;
        fours = fours | carry_to_fours;
    }
    (live | ones) & twos & !fours
}
