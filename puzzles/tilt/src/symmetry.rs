//! The eight symmetries of the board, by tables of all eight images of a row. A canonical form is
//! decided on the grey mask alone. Then only the winning image of the key is made, or all of them if
//! images tie.

use puzzle_api::rank::subsets;

use crate::board::{HOLE, SIDE, SQUARES};

/// One of the two masks of a key.
const MASK: u64 = (1 << SQUARES) - 1;

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
pub fn image(key: u64, index: u32) -> u64 {
    let mask = |mask: u64| u64::from(mask_image(mask as u32, index));
    mask(key >> SQUARES) << SQUARES | mask(key)
}

/// The image of a mask of squares.
#[inline]
pub fn mask_image(mask: u32, index: u32) -> u32 {
    let image = ROWS.iter().enumerate().fold(0, |image, (row, images)| {
        image | images[(mask >> (SIDE * row)) as usize % PATTERNS].0[index as usize % 8]
    });
    image as u32 >> 3
}

/// All images, by index.
#[inline]
pub fn images(key: u64) -> [u64; 8] {
    let (p, q) = (lanes(key >> SQUARES), lanes(key & MASK));
    std::array::from_fn(|index| (p[index] as u64 >> 3) << SQUARES | q[index] as u64 >> 3)
}

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
pub fn orbit_size(key: u64) -> u32 {
    let greys = lanes(grey(key));
    if count(greys, |image| (image ^ greys[0]) < 8) == 1 {
        return 8;
    }
    // The grey mask is symmetric, which is rare; the key may be, too.
    8 / images(key).iter().filter(|&&image| image == key).count() as u32
}

/// Whether no image of a grey mask is numerically smaller.
pub fn is_canonical_grey(grey: u32) -> bool {
    let least = (grey << 3) as i32;
    lanes(u64::from(grey)).iter().all(|&image| image >= least)
}

/// Grey masks that no symmetry makes smaller, by count and then by value, for counts from `least` to
/// `most`: the parts of a box. Takes about a millisecond for up to 6 greys.
pub fn part_greys(least: u32, most: u32) -> Vec<u32> {
    let splice = |subset: u64| {
        let low = subset & ((1 << HOLE) - 1);
        (low | (subset & !low) << 1) as u32
    };
    let sets = (least..=most).flat_map(|count| subsets::all(SQUARES as u32 - 1, count));
    sets.map(splice)
        .filter(|&grey| is_canonical_grey(grey))
        .collect()
}
