//! The eight symmetries of the square, acting on masks of squares.

use super::HOLE;

pub(super) const SIDE: usize = 5;
/// Squares of the board, the hole among them.
pub(super) const SQUARES: usize = SIDE * SIDE;

/// Number of squares over which `images` spreads each of a mask's five rows.
type RowImages = [[u32; 32]; SIDE];

/// The symmetries of the board as look-ups from row patterns to masks.
/// Building it costs a few microseconds and it holds 5 KiB.
pub(super) struct Symmetries {
    images: [RowImages; 8],
}

impl Symmetries {
    pub(super) fn new() -> Self {
        let mut images = [[[0; 32]; SIDE]; 8];
        for (symmetry, rows) in images.iter_mut().enumerate() {
            for (row, patterns) in rows.iter_mut().enumerate() {
                for (pattern, image) in patterns.iter_mut().enumerate() {
                    *image = row_image(symmetry, row, pattern);
                }
            }
        }
        Self { images }
    }

    /// The image of `mask`; symmetry 0 is the identity.
    pub(super) fn image(&self, symmetry: usize, mask: u32) -> u32 {
        let rows = &self.images[symmetry & 7];
        (0..SIDE).fold(0, |image, row| {
            image | rows[row][(mask >> (SIDE * row)) as usize & 31]
        })
    }

    /// No image of `grey` is numerically smaller.
    pub(super) fn is_canonical(&self, grey: u32) -> bool {
        (1..8).all(|symmetry| self.image(symmetry, grey) >= grey)
    }

    /// The symmetries other than the identity that keep `grey`.
    pub(super) fn stabiliser(&self, grey: u32) -> Vec<usize> {
        (1..8)
            .filter(|&symmetry| self.image(symmetry, grey) == grey)
            .collect()
    }
}

fn row_image(symmetry: usize, row: usize, pattern: usize) -> u32 {
    (0..SIDE)
        .filter(|column| pattern >> column & 1 == 1)
        .fold(0, |image, column| {
            image | 1 << square_image(symmetry, row, column)
        })
}

fn square_image(symmetry: usize, row: usize, column: usize) -> usize {
    let (mut r, mut c) = (row, column);
    if symmetry & 1 != 0 {
        c = SIDE - 1 - c;
    }
    if symmetry & 2 != 0 {
        r = SIDE - 1 - r;
    }
    if symmetry & 4 != 0 {
        (r, c) = (c, r);
    }
    SIDE * r + c
}

/// Canonical grey masks of one size, ascending.
pub(super) fn canonical_greys(symmetries: &Symmetries, greys: u32) -> Vec<u32> {
    let open = 24;
    if greys > open {
        return Vec::new();
    }
    let mut found = Vec::new();
    // Subsets of the 24 squares other than the hole, as 24-bit numbers without the hole's bit:
    // expanding them keeps the ascending order.
    let mut subset: u32 = (1 << greys) - 1;
    while subset < 1 << open {
        let low = subset & ((1 << HOLE) - 1);
        let mask = low | (subset >> HOLE) << (HOLE + 1);
        if symmetries.is_canonical(mask) {
            found.push(mask);
        }
        if subset == 0 {
            break;
        }
        subset = next_of_same_size(subset);
    }
    found
}

/// Gosper's step to the next larger number with equally many bits; `bits` is not 0.
fn next_of_same_size(bits: u32) -> u32 {
    let lowest = bits & bits.wrapping_neg();
    let carried = bits + lowest;
    carried | (((bits ^ carried) >> 2) / lowest)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_eight_images_are_distinct_and_keep_the_hole() {
        let symmetries = Symmetries::new();
        let probe = 0b10_00000_00000_00000_00001_u32 | 1 << 7;
        let mut images: Vec<u32> = (0..8).map(|s| symmetries.image(s, probe)).collect();
        images.sort_unstable();
        images.dedup();
        assert_eq!(images.len(), 8);
        assert!((0..8).all(|s| symmetries.image(s, 1 << HOLE) == 1 << HOLE));
    }

    #[test]
    fn the_full_set_of_greys_is_its_own_image() {
        let symmetries = Symmetries::new();
        assert_eq!(canonical_greys(&symmetries, 24).len(), 1);
        assert_eq!(canonical_greys(&symmetries, 0), [0]);
        assert!(canonical_greys(&symmetries, 25).is_empty());
    }
}
