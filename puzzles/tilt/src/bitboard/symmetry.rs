//! The eight symmetries of the board, by tables of all eight images of a row. A canonical
//! form is decided on the grey mask alone; only the winning image of the key is made.
//! What else was tried, and measured: see the README and `benches/symmetry.rs`.

use crate::board::{SIDE, SQUARES};

/// One of the two masks of a key.
const MASK: u64 = (1 << SQUARES) - 1;

/// The images of a mask, by index, in eight lanes: each is shifted left by 3, and its
/// index is below it, so that the least lane names the least image.
#[derive(Clone, Copy)]
#[repr(align(32))]
struct Lanes([i32; 8]);

/// The images of every row's patterns: 5 KiB. The images of a mask are the OR of those of
/// its rows, index and all.
static ROWS: [[Lanes; 1 << SIDE]; SIDE] = {
    let mut rows = [[Lanes([0; 8]); 1 << SIDE]; SIDE];
    let mut at = 0;
    while at < SIDE * 8 << SIDE {
        let (row, pattern, index) = (at / 8 >> SIDE, at / 8 % (1 << SIDE), at % 8);
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

/// Where the image of this index takes a square: bit 0 mirrors left and right, bit 1
/// mirrors top and bottom, bit 2 then swaps rows and columns.
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

/// All images of a mask.
#[inline]
fn lanes(mask: u64) -> [i32; 8] {
    let mut lanes = [0; 8];
    for (row, images) in ROWS.iter().enumerate() {
        let images = &images[(mask >> (SIDE * row)) as usize % (1 << SIDE)].0;
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
        let pattern = |from: usize| (key >> (from + SIDE * row)) as usize % (1 << SIDE);
        q |= images[pattern(0)].0[index];
        p |= images[pattern(SQUARES)].0[index];
    }
    (p as u64 >> 3) << SQUARES | q as u64 >> 3
}

/// All images, by index.
#[inline]
#[must_use]
pub fn images(key: u64) -> [u64; 8] {
    let (p, q) = (lanes(key >> SQUARES), lanes(key));
    std::array::from_fn(|index| (p[index] as u64 >> 3) << SQUARES | q[index] as u64 >> 3)
}

/// The grey squares of a key.
#[inline]
const fn grey(key: u64) -> u64 {
    key >> SQUARES & key & MASK
}

/// The image with the smallest grey mask; among those, with the smallest key.
#[inline]
#[must_use]
pub fn canonical(key: u64) -> u64 {
    let greys = lanes(grey(key));
    let best = greys.into_iter().fold(i32::MAX, i32::min);
    // Lanes with the same mask differ in the index only.
    let ties = greys.iter().filter(|&grey| (grey ^ best) < 8).count();
    if ties > 1 {
        return least_of(key, &greys, best);
    }
    // What a search makes from canonical boards has a canonical grey mask already.
    match best & 7 {
        0 => key,
        index => image(key, index as u32),
    }
}

/// The smallest key among the images with the smallest grey mask.
#[cold]
fn least_of(key: u64, greys: &[i32; 8], best: i32) -> u64 {
    let tied = greys.iter().filter(|&grey| (grey ^ best) < 8);
    tied.map(|grey| image(key, *grey as u32))
        .fold(u64::MAX, u64::min)
}

/// Number of different images: eight over the number of images equal to the key.
#[inline]
#[must_use]
pub fn orbit_size(key: u64) -> u32 {
    let (p, q) = (lanes(key >> SQUARES), lanes(key));
    let same = (0..8).filter(|&index| (p[index] ^ p[0] | q[index] ^ q[0]) < 8);
    8 / same.count() as u32
}

/// Whether no image of a grey mask is numerically smaller.
#[must_use]
pub fn is_canonical_grey(grey: u32) -> bool {
    let least = (grey << 3) as i32;
    lanes(u64::from(grey)).iter().all(|&image| image >= least)
}
