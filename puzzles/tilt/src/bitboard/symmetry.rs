//! The eight symmetries of the board as permutations of the 50 bits of a key: masked
//! shifts that move both masks at once (thesis, section 3.2).

use crate::board::{SIDE, SQUARES};

const ROW: u64 = both(0b11111);
const COLUMN: u64 = both(0b00001_00001_00001_00001_00001);

/// A mask of squares for P and Q at once.
const fn both(mask: u64) -> u64 {
    mask << SQUARES | mask
}

/// The squares whose column exceeds their row by `by` (`above`), or the reverse.
const fn diagonal(by: usize, above: bool) -> u64 {
    let mut mask = 0;
    let mut at = 0;
    while at + by < SIDE {
        let (row, column) = if above { (at, at + by) } else { (at + by, at) };
        mask |= 1 << (SIDE * row + column);
        at += 1;
    }
    both(mask)
}

/// Mirrors left and right.
#[inline]
const fn mirror(key: u64) -> u64 {
    (key & COLUMN) << 4
        | (key & COLUMN << 1) << 2
        | key & COLUMN << 2
        | (key & COLUMN << 3) >> 2
        | (key & COLUMN << 4) >> 4
}

/// Mirrors top and bottom.
#[inline]
const fn flip(key: u64) -> u64 {
    (key & ROW) << 20
        | (key & ROW << 5) << 10
        | key & ROW << 10
        | (key & ROW << 15) >> 10
        | (key & ROW << 20) >> 20
}

/// Swaps rows and columns: a square `by` above the diagonal moves up `4 by` bits.
#[inline]
const fn transpose(key: u64) -> u64 {
    (key & diagonal(0, true))
        | (key & const { diagonal(1, true) }) << 4
        | (key & const { diagonal(2, true) }) << 8
        | (key & const { diagonal(3, true) }) << 12
        | (key & const { diagonal(4, true) }) << 16
        | (key & const { diagonal(1, false) }) >> 4
        | (key & const { diagonal(2, false) }) >> 8
        | (key & const { diagonal(3, false) }) >> 12
        | (key & const { diagonal(4, false) }) >> 16
}

/// The image of a key: bit 0 of `index` mirrors left and right, bit 1 mirrors top and
/// bottom, bit 2 then swaps rows and columns.
#[inline]
#[must_use]
pub const fn image(key: u64, index: u32) -> u64 {
    let key = if index & 1 == 0 { key } else { mirror(key) };
    let key = if index & 2 == 0 { key } else { flip(key) };
    if index & 4 == 0 { key } else { transpose(key) }
}

/// All images, by index.
#[inline]
#[must_use]
pub const fn images(key: u64) -> [u64; 8] {
    let mirrored = mirror(key);
    let (flipped, turned) = (flip(key), flip(mirrored));
    [
        key,
        mirrored,
        flipped,
        turned,
        transpose(key),
        transpose(mirrored),
        transpose(flipped),
        transpose(turned),
    ]
}

/// The grey squares of a key.
#[inline]
const fn grey(key: u64) -> u64 {
    key >> SQUARES & key & ((1 << SQUARES) - 1)
}

/// The image with the smallest grey mask; among those, with the smallest key.
#[inline]
#[must_use]
pub fn canonical(key: u64) -> u64 {
    let mut best = (grey(key), key);
    for image in images(key) {
        // Most images fall out on the grey masks alone.
        let grey = grey(image);
        if grey < best.0 || grey == best.0 && image < best.1 {
            best = (grey, image);
        }
    }
    best.1
}

/// Number of different images: eight over the number of images equal to the key.
#[inline]
#[must_use]
pub fn orbit_size(key: u64) -> u32 {
    8 / images(key).iter().filter(|&&image| image == key).count() as u32
}

/// Whether no image of a grey mask is numerically smaller.
#[must_use]
pub fn is_canonical_grey(grey: u32) -> bool {
    images(u64::from(grey))
        .iter()
        .all(|&image| image >= u64::from(grey))
}
