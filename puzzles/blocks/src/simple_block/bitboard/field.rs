//! Sets of cells as words: pieces that step by shifts, and their digits in keys.

use std::cmp::Reverse;

use crate::simple_block::board::MOST_CELLS;

/// Cells of a board, the first cell the lowest bit.
pub(crate) type Cells = u16;

/// A board as shifts and masks.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Field {
    pub columns: u32,
    pub cells: u32,
    pub all: Cells,
    /// Cells of the first and the last column, and of the first and the last row.
    pub left: Cells,
    pub right: Cells,
    pub top: Cells,
    pub bottom: Cells,
}

impl Field {
    pub fn new(rows: usize, columns: usize) -> Self {
        let cells = rows * columns;
        let column = |at: usize| (0..rows).fold(0, |mask, row| mask | 1 << (row * columns + at));
        let all = Cells::MAX >> (MOST_CELLS - cells);
        let top = all >> (cells - columns);
        Self {
            columns: columns as u32,
            cells: cells as u32,
            all,
            left: column(0),
            right: column(columns - 1),
            top,
            bottom: top << (cells - columns),
        }
    }

    /// A piece after a step up, left, right and down; no cells beyond an edge.
    #[inline]
    pub fn steps(&self, piece: Cells) -> [Cells; 4] {
        let unless = |edge: Cells, moved: Cells| if piece & edge == 0 { moved } else { 0 };
        [
            unless(self.top, piece >> self.columns),
            unless(self.left, piece >> 1),
            unless(self.right, piece << 1),
            unless(self.bottom, piece << self.columns),
        ]
    }

    /// Cells pushed into the upper left corner.
    #[inline]
    pub fn pushed(&self, mut piece: Cells) -> Cells {
        while piece & self.top == 0 {
            piece >>= self.columns;
        }
        while piece & self.left == 0 {
            piece >>= 1;
        }
        piece
    }

    /// Cells pushed into the lower right corner.
    pub fn pushed_down(&self, mut piece: Cells) -> Cells {
        while piece & self.bottom == 0 {
            piece <<= self.columns;
        }
        while piece & self.right == 0 {
            piece <<= 1;
        }
        piece
    }

    /// The sort key of pieces: the greater comes first.
    #[inline]
    pub fn order(&self, piece: Cells) -> Cells {
        self.pushed(piece).reverse_bits()
    }

    pub fn connected(&self, cells: Cells) -> bool {
        self.component(cells) == cells
    }

    /// All connected sets of cells, by their lowest cell.
    pub fn pieces_at(&self) -> Vec<Vec<Cells>> {
        let mut pieces_at = vec![Vec::new(); self.cells as usize];
        for cells in (1..=self.all).filter(|&cells| self.connected(cells)) {
            pieces_at[cells.trailing_zeros() as usize].push(cells);
        }
        pieces_at
    }

    /// The cells that are connected to the lowest one.
    fn component(&self, cells: Cells) -> Cells {
        let mut reached = cells & cells.wrapping_neg();
        loop {
            let beside = (reached & !self.right) << 1
                | (reached & !self.left) >> 1
                | (reached & !self.bottom) << self.columns
                | reached >> self.columns;
            let further = (reached | beside) & cells;
            if further == reached {
                return reached;
            }
            reached = further;
        }
    }

    /// The least number of cells that stay empty if n pieces lie on them: those outside the n
    /// largest components.
    pub fn least_empty(&self, mut cells: Cells, pieces: u32) -> u32 {
        let mut sizes = Vec::new();
        while cells != 0 {
            let component = self.component(cells);
            sizes.push(component.count_ones());
            cells &= !component;
        }
        sizes.sort_unstable_by_key(|&size| Reverse(size));
        sizes.iter().skip(pieces as usize).sum()
    }

    /// A digit 1 of a key for each cell.
    #[inline]
    pub fn digits(&self, cells: Cells) -> u64 {
        let mut key = 0;
        let mut rest = cells;
        while rest != 0 {
            key |= 1 << (4 * (self.cells - 1 - rest.trailing_zeros()));
            rest &= rest - 1;
        }
        key
    }

    /// The pieces of a key, indexed by their number; index 0 has the empty cells.
    #[inline]
    pub fn pieces(&self, key: u64) -> [Cells; MOST_CELLS] {
        let mut pieces = [0; MOST_CELLS];
        for cell in 0..self.cells {
            let piece = key >> (4 * (self.cells - 1 - cell)) & 15;
            pieces[piece as usize] |= 1 << cell;
        }
        pieces
    }

    /// The places that a piece can reach by steps within free cells, its own place first, and their
    /// number.
    #[inline]
    pub fn reached(&self, piece: Cells, free: Cells) -> ([Cells; MOST_CELLS], usize) {
        let mut reached = [0; MOST_CELLS];
        reached[0] = piece;
        let (mut next, mut count) = (0, 1);
        while next < count {
            for moved in self.steps(reached[next]) {
                if moved != 0 && moved & !free == 0 && !reached[..count].contains(&moved) {
                    reached[count] = moved;
                    count += 1;
                }
            }
            next += 1;
        }
        (reached, count)
    }

    /// The digits of pieces of one shape, numbered by their first cells, after one of them has
    /// moved.
    #[inline]
    pub fn renumbered(&self, alike: &[Cells], from: usize, moved: Cells, first: usize) -> u64 {
        let others = || alike.iter().enumerate().filter(|&(at, _)| at != from);
        let before = |piece: Cells| piece.trailing_zeros() < moved.trailing_zeros();
        let place = others().filter(|&(_, &piece)| before(piece)).count();
        let mut key = self.digits(moved) * (first + place) as u64;
        for (at, (_, &piece)) in others().enumerate() {
            let number = first + at + usize::from(at >= place);
            key |= self.digits(piece) * number as u64;
        }
        key
    }

    /// The key of a goal piece and others in any order.
    pub fn key(&self, goal: Cells, others: &mut [Cells]) -> u64 {
        // Among pieces of one shape, the one with the lower first cell comes first.
        others.sort_unstable_by_key(|&piece| (!self.order(piece), piece.trailing_zeros()));
        let numbered = (2..).zip(others);
        numbered.fold(self.digits(goal), |key, (number, &mut piece)| {
            key | (self.digits(piece) * number)
        })
    }
}
