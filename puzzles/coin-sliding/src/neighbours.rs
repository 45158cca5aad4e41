//! Neighbours of all cells at once, by shifts.

use crate::board::Shape;

/// The masks by which a board's cells are shifted onto their neighbours.
#[derive(Debug, Clone, Copy)]
pub struct Neighbours {
    width: u32,
    not_first_column: u64,
    not_last_column: u64,
    not_first_row: u64,
    not_last_row: u64,
}

/// For every cell, whether at least two coins are next to it, and whether exactly two are.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Counts {
    /// Cells with two, three or four coins next to them.
    pub two_or_more: u64,
    /// Cells with three or four coins next to them.
    pub three_or_more: u64,
}

impl Neighbours {
    /// The masks of a board.
    pub fn new(shape: &Shape) -> Self {
        let cells = |keep: &dyn Fn(u32, u32) -> bool| {
            let kept = (0..shape.cells()).filter(|c| keep(c / shape.width, c % shape.width));
            kept.fold(0, |mask, cell| mask | 1_u64 << cell)
        };
        Self {
            // A single row of 64 cells has no neighbours above or below, and its masks of rows are
            // empty, so any distance works.
            width: shape.width % 64,
            not_first_column: cells(&|_, column| column > 0),
            not_last_column: cells(&|_, column| column + 1 < shape.width),
            not_first_row: cells(&|row, _| row > 0),
            not_last_row: cells(&|row, _| row + 1 < shape.height),
        }
    }

    /// The coins shifted onto their four neighbours.
    #[inline(always)]
    fn shifted(&self, coins: u64) -> [u64; 4] {
        [
            (coins & self.not_last_column) << 1,
            (coins & self.not_first_column) >> 1,
            (coins & self.not_last_row) << self.width,
            (coins & self.not_first_row) >> self.width,
        ]
    }

    /// The cells next to any of some cells.
    #[inline]
    pub fn beside(&self, cells: u64) -> u64 {
        let [left, right, up, down] = self.shifted(cells);
        left | right | up | down
    }

    /// Counts coins next to every cell at once, as a sum of four bits (about twenty
    /// operations).
    #[inline(always)]
    pub fn count(&self, coins: u64) -> Counts {
        let [a, b, c, d] = self.shifted(coins);
        let (any_ab, both_ab, any_cd, both_cd) = (a | b, a & b, c | d, c & d);
        Counts {
            two_or_more: both_ab | both_cd | any_ab & any_cd,
            three_or_more: both_ab & any_cd | any_ab & both_cd,
        }
    }
}
