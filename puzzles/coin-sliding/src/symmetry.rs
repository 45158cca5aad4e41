//! The symmetries of a board: they keep cells next to each other, so they keep moves.
//!
//! Index bit 0 mirrors left and right, bit 1 mirrors top and bottom, bit 2 then swaps
//! rows and columns (square boards only).

use crate::board::Shape;

/// Number of symmetries of the board itself: 4, or 8 for a square.
pub fn count(shape: &Shape) -> u32 {
    if shape.width == shape.height { 8 } else { 4 }
}

/// The image of a cell under a symmetry.
pub fn target(shape: &Shape, cell: u32, index: u32) -> u32 {
    let size = (shape.height as usize, shape.width as usize);
    puzzle_api::turned(index as usize, size, cell as usize) as u32
}

/// The image of a set of coins, cell by cell.
pub fn image(shape: &Shape, coins: u64, index: u32) -> u64 {
    (0..shape.cells())
        .filter(|&cell| coins >> cell & 1 == 1)
        .fold(0, |image, cell| image | 1 << target(shape, cell, index))
}

/// The symmetries that keep each of some sets of boards, the identity first. Each is listed once,
/// also on a board so narrow that two of them are the same.
pub fn keeping(shape: &Shape, sets: &[&[u64]]) -> Vec<u32> {
    let keeps = |index: u32| {
        sets.iter().all(|set| {
            set.iter()
                .all(|&coins| set.contains(&image(shape, coins, index)))
        })
    };
    let mut kept: Vec<u32> = Vec::new();
    for index in (0..count(shape)).filter(|&index| keeps(index)) {
        let same = |other: u32| {
            (0..shape.cells()).all(|cell| target(shape, cell, index) == target(shape, cell, other))
        };
        if !kept.iter().any(|&other| same(other)) {
            kept.push(index);
        }
    }
    kept
}

/// Tables that give an image by bytes of the mask: 16 KiB per symmetry.
#[derive(Debug, Clone)]
pub(crate) struct ByteTables(Vec<[[u64; 256]; 8]>);

impl ByteTables {
    pub(crate) fn new(shape: &Shape, indices: &[u32]) -> Self {
        let table = |&index: &u32| {
            let mut table = [[0; 256]; 8];
            for (byte, row) in (0..).zip(&mut table) {
                for (pattern, entry) in (0_u64..).zip(row.iter_mut()) {
                    *entry = image(shape, pattern << (8 * byte) & shape.mask(), index);
                }
            }
            table
        };
        Self(indices.iter().map(table).collect())
    }

    pub(crate) fn count(&self) -> u32 {
        self.0.len() as u32
    }

    /// The image under the symmetry at a place in the list.
    #[inline]
    pub(crate) fn image(&self, coins: u64, at: u32) -> u64 {
        let bytes = coins.to_le_bytes();
        let table = &self.0[at as usize];
        (0..8).fold(0, |image, i| image | table[i][usize::from(bytes[i])])
    }

    /// The smallest image.
    #[inline]
    pub(crate) fn canonical(&self, coins: u64) -> u64 {
        (1..self.count()).fold(coins, |least, at| least.min(self.image(coins, at)))
    }

    /// Number of different images.
    pub(crate) fn orbit_size(&self, coins: u64) -> u32 {
        // The orbit has as many states as the group has cosets of this state's stabiliser.
        let keeping = (0..self.count()).filter(|&at| self.image(coins, at) == coins);
        self.count() / keeping.count() as u32
    }
}
