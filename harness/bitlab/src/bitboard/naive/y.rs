//! Who has won a game of Y: by the reduction rule on arrays of cells, and by
//! union-find over connected groups.

use crate::bitboard::y::{Colour, YBoard};

/// A triangle of cells as columns of shrinking length; see [`triangle`].
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Triangle(Vec<Vec<Option<Colour>>>);

/// The cells of a board.
pub fn triangle(board: &YBoard) -> Triangle {
    let side = board.side();
    let column = |c| (0..side - c).map(|r| board.get(c, r)).collect();
    Triangle((0..side).map(column).collect())
}

fn majority(cells: [Option<Colour>; 3]) -> Option<Colour> {
    [Colour::White, Colour::Black]
        .into_iter()
        .find(|&colour| cells.iter().filter(|&&cell| cell == Some(colour)).count() >= 2)
}

/// Van Rijswijck's Y reduction, cell by cell, to the single cell left.
pub fn winner_by_reduction(cells: &Triangle) -> Option<Colour> {
    let mut cells = cells.0.clone();
    while cells.len() > 1 {
        let smaller = |c: usize| {
            let triplet = |r: usize| [cells[c][r], cells[c][r + 1], cells[c + 1][r]];
            let rows = 0..cells[c].len() - 1;
            rows.map(|r| majority(triplet(r))).collect()
        };
        cells = (0..cells.len() - 1).map(smaller).collect();
    }
    *cells.first()?.first()?
}

/// A forest over cells with the sides that each tree touches.
#[derive(Clone, Debug, Default)]
pub struct UnionFind {
    parent: Vec<u16>,
    size: Vec<u16>,
    sides: Vec<u8>,
}

impl UnionFind {
    fn reset(&mut self, cells: usize) {
        self.parent.clear();
        self.parent.extend((0..cells).map(|i| i as u16));
        self.size.clear();
        self.size.resize(cells, 1);
        self.sides.clear();
        self.sides.resize(cells, 0);
    }

    /// Root of a cell's tree, halving the path to it.
    fn find(&mut self, mut cell: usize) -> usize {
        while self.parent[cell] as usize != cell {
            let above = self.parent[cell] as usize;
            self.parent[cell] = self.parent[above];
            cell = self.parent[cell] as usize;
        }
        cell
    }

    /// Joins two trees by size; the sides they touch add up.
    fn union(&mut self, a: usize, b: usize) {
        let (a, b) = (self.find(a), self.find(b));
        if a == b {
            return;
        }
        let (big, small) = if self.size[a] < self.size[b] {
            (b, a)
        } else {
            (a, b)
        };
        self.parent[small] = big as u16;
        self.size[big] += self.size[small];
        self.sides[big] |= self.sides[small];
    }

    /// The colour one of whose connected groups touches all three sides,
    /// stateless: every cell is entered anew. Weighted quick union with path
    /// halving (Sedgewick and Wayne), cells in one flat array.
    pub fn winner(&mut self, cells: &Triangle) -> Option<Colour> {
        let cells = &cells.0;
        let side = cells.len();
        self.reset(side * side);
        for (c, column) in cells.iter().enumerate() {
            for (r, cell) in column.iter().enumerate() {
                if cell.is_some() {
                    self.enter(cells, c, r);
                }
            }
        }
        let all = (0..side * side).find(|&i| self.sides[i] == 7)?;
        cells[all / side][all % side]
    }

    /// Marks the sides a cell is on and joins it to its earlier neighbours of
    /// the same colour.
    fn enter(&mut self, cells: &[Vec<Option<Colour>>], c: usize, r: usize) {
        let side = cells.len();
        let here = c * side + r;
        self.sides[here] =
            u8::from(c == 0) | u8::from(r == 0) << 1 | u8::from(c + r + 1 == side) << 2;
        if r > 0 && cells[c][r - 1] == cells[c][r] {
            self.union(here, here - 1);
        }
        if c > 0 && cells[c - 1][r] == cells[c][r] {
            self.union(here, here - side);
        }
        if c > 0 && cells[c - 1][r + 1] == cells[c][r] {
            self.union(here, here - side + 1);
        }
    }
}
