//! The eight symmetries of the board. A canonical form is decided on the grey mask alone, by tables
//! of all eight images of a row. Then only the winning image of the key is made. If images tie, all
//! are made by masked shifts that move both masks at once.

use crate::board::{SIDE, SQUARES};

/// One of the two masks of a key.
const MASK: u64 = (1 << SQUARES) - 1;

/// Patterns of one row.
const PATTERNS: usize = 1 << SIDE;

/// The images of a mask, by index, in eight lanes. Each is shifted left by 3, with its index below
/// it, so that the least lane names the least image.
#[derive(Clone, Copy)]
#[repr(align(32))]
struct Lanes([i32; 8]);

/// The images of every row's patterns: 5 KiB. The images of a mask are the OR of those of
/// its rows, index and all.
static ROWS: [[Lanes; PATTERNS]; SIDE] = {
    let mut rows = [[Lanes([0; 8]); PATTERNS]; SIDE];
    let mut at = 0;
    while at < 8 * SIDE * PATTERNS {
        let (row, pattern, index) = (at / 8 / PATTERNS, at / 8 % PATTERNS, at % 8);
        let mut column = 0;
        let mut image = 0;
        while column < SIDE {
            image |= (pattern >> column & 1) << destination(row, column, index);
            column += 1;
        }
        rows[row][pattern].0[index] = (image << 3 | index) as i32;
        at += 1;
    }
    rows
};

/// The image of a square under this symmetry. Bit 0 mirrors left and right, bit 1 mirrors top and
/// bottom, bit 2 then swaps rows and columns.
const fn destination(row: usize, column: usize, index: usize) -> usize {
    let column = if index & 1 == 0 {
        column
    } else {
        SIDE - 1 - column
    };
    let row = if index & 2 == 0 { row } else { SIDE - 1 - row };
    if index & 4 == 0 {
        SIDE * row + column
    } else {
        SIDE * column + row
    }
}

/// All images of a mask. As a call, it would return them in memory.
#[inline(always)]
fn lanes(mask: u64) -> [i32; 8] {
    let mut lanes = [0; 8];
    for (row, images) in ROWS.iter().enumerate() {
        let images = &images[(mask >> (SIDE * row)) as usize % PATTERNS].0;
        for (lane, image) in lanes.iter_mut().zip(images) {
            *lane |= image;
        }
    }
    lanes
}

/// The image of a key: bit 0 of `index` mirrors left and right, bit 1 mirrors top and
/// bottom, bit 2 then swaps rows and columns. Without branches.
#[inline]
#[must_use]
pub fn image(key: u64, index: u32) -> u64 {
    let index = index as usize % 8;
    let (mut p, mut q) = (0, 0);
    for (row, images) in ROWS.iter().enumerate() {
        let pattern = |from: usize| (key >> (from + SIDE * row)) as usize % PATTERNS;
        q |= images[pattern(0)].0[index];
        p |= images[pattern(SQUARES)].0[index];
    }
    (p as u64 >> 3) << SQUARES | q as u64 >> 3
}

const ROW: u64 = both(0b11111);
const COLUMN: u64 = both(0b00001_00001_00001_00001_00001);

/// A mask of squares for P and Q at once.
const fn both(mask: u64) -> u64 {
    mask << SQUARES | mask
}

/// The squares whose column exceeds their row by `by`.
const fn diagonal(by: i32) -> u64 {
    let mut mask = 0;
    let mut row = 0;
    while row < SIDE as i32 {
        let column = row + by;
        if 0 <= column && column < SIDE as i32 {
            mask |= 1 << (SIDE as i32 * row + column);
        }
        row += 1;
    }
    both(mask)
}

/// Squares that move by one distance, up if it is positive.
type Term = (i32, u64);

/// Mirrors left and right.
const MIRROR: [Term; 5] = [
    (4, COLUMN),
    (2, COLUMN << 1),
    (0, COLUMN << 2),
    (-2, COLUMN << 3),
    (-4, COLUMN << 4),
];

/// Mirrors top and bottom.
const FLIP: [Term; 5] = [
    (20, ROW),
    (10, ROW << 5),
    (0, ROW << 10),
    (-10, ROW << 15),
    (-20, ROW << 20),
];

/// Swaps rows and columns: a square `by` above the diagonal moves up `4 by` bits.
const TRANSPOSE: [Term; 9] = [
    (16, diagonal(4)),
    (12, diagonal(3)),
    (8, diagonal(2)),
    (4, diagonal(1)),
    (0, diagonal(0)),
    (-4, diagonal(-1)),
    (-8, diagonal(-2)),
    (-12, diagonal(-3)),
    (-16, diagonal(-4)),
];

/// One masked shift per distance.
#[inline(always)]
fn moved<const N: usize>(key: u64, terms: [Term; N]) -> u64 {
    terms.iter().fold(0, |image, &(by, mask)| {
        let distance = by.unsigned_abs();
        image
            | if by < 0 {
                (key & mask) >> distance
            } else {
                (key & mask) << distance
            }
    })
}

/// All images, by index; one transposition, which costs twice a mirror.
#[inline]
#[must_use]
pub fn images(key: u64) -> [u64; 8] {
    let (mirrored, flipped) = (moved(key, MIRROR), moved(key, FLIP));
    let swapped = moved(key, TRANSPOSE);
    // Mirrored and then transposed is transposed and then flipped.
    let (left, right) = (moved(swapped, FLIP), moved(swapped, MIRROR));
    [
        key,
        mirrored,
        flipped,
        moved(mirrored, FLIP),
        swapped,
        left,
        right,
        moved(left, MIRROR),
    ]
}

/// The grey squares of a key.
#[inline]
const fn grey(key: u64) -> u64 {
    key >> SQUARES & key & MASK
}

/// The least lane, by halves: compilers leave a loop as a chain of eight comparisons.
#[inline(always)]
fn least(lanes: [i32; 8]) -> i32 {
    let four: [i32; 4] = std::array::from_fn(|at| lanes[at].min(lanes[at + 4]));
    let two: [i32; 2] = std::array::from_fn(|at| four[at].min(four[at + 2]));
    two[0].min(two[1])
}

/// The image with the smallest grey mask; among those, with the smallest key.
#[inline]
#[must_use]
pub fn canonical(key: u64) -> u64 {
    let grey = grey(key);
    let greys = lanes(grey);
    // Successors of canonical boards have a canonical grey mask already, mostly one without
    // symmetry: only its own lane is as low.
    let own = (grey << 3 | 7) as i32;
    if count(greys, |image| image <= own) == 1 {
        return key;
    }
    let best = least(greys);
    // Lanes with the same mask differ in the index only.
    if count(greys, |image| (image ^ best) < 8) == 1 {
        return image(key, best as u32);
    }
    least_of(key, &greys, best)
}

/// The number of lanes for which this holds; a sum of words, which stays in lanes.
#[inline(always)]
fn count(lanes: [i32; 8], holds: impl Fn(i32) -> bool) -> i32 {
    lanes.map(|lane| i32::from(holds(lane))).iter().sum()
}

/// The smallest key among the images with the smallest grey mask.
#[inline(never)]
fn least_of(key: u64, greys: &[i32; 8], best: i32) -> u64 {
    let images = images(key).into_iter().zip(greys);
    images.fold(u64::MAX, |least, (image, grey)| {
        let tied = (grey ^ best) < 8;
        least.min(if tied { image } else { u64::MAX })
    })
}

/// Number of different images: eight over the number of images equal to the key.
#[inline]
#[must_use]
pub fn orbit_size(key: u64) -> u32 {
    let greys = lanes(grey(key));
    if count(greys, |image| (image ^ greys[0]) < 8) == 1 {
        return 8;
    }
    // The grey mask is symmetric, which is rare; the key may be, too.
    8 / images(key).iter().filter(|&&image| image == key).count() as u32
}

/// Whether no image of a grey mask is numerically smaller.
#[must_use]
pub fn is_canonical_grey(grey: u32) -> bool {
    let least = (grey << 3) as i32;
    lanes(u64::from(grey)).iter().all(|&image| image >= least)
}

#[cfg(test)]
mod tests {
    use super::*;
    use antipode_bitlab::permute::{Op, Permutation, Strategy, Value};

    /// The work of the lab's naive program: distances and masks.
    fn compiled(index: usize) -> Vec<Term> {
        let squares = (0..2 * SQUARES).map(|bit| {
            let (mask, square) = (bit / SQUARES, bit % SQUARES);
            SQUARES * mask + destination(square / SIDE, square % SIDE, index)
        });
        let to: Vec<usize> = squares.collect();
        let program = Strategy::Naive
            .compile(&Permutation::from_list(&to).unwrap())
            .program;
        let ops = program.ops();
        let shift = |word: Value| {
            ops.iter().find_map(|op| match *op {
                Op::Shl(from, by) if from == word => Some(by as i32),
                Op::Shr(from, by) if from == word => Some(-(by as i32)),
                _ => None,
            })
        };
        let mut terms = Vec::new();
        for (at, op) in ops.iter().enumerate() {
            if let Op::And(Value::INPUT, mask) = *op {
                let word = ops.iter().flat_map(Op::operands);
                let word = word.into_iter().find(|word| word.index() == at + 1);
                terms.push((word.and_then(shift).unwrap_or(0), mask));
            }
        }
        terms.sort_unstable_by_key(|term| -term.0);
        terms
    }

    #[test]
    fn the_masked_shifts_are_what_the_lab_compiles() {
        assert_eq!(compiled(1), MIRROR);
        assert_eq!(compiled(2), FLIP);
        assert_eq!(compiled(4), TRANSPOSE);
    }
}
