//! The literal twins: every algorithm again, on arrays of cells, one cell at a
//! time, with bounds checks instead of masks.
//!
//! They share nothing with the bit versions but the names of grids and
//! directions: adjacency comes from the table of `Cells::delta`, not from
//! shifts. They are the oracle of the property tests and the slow side of
//! the benches, so they are written to be read, not to be fast.

pub mod games;
pub mod life;
pub mod lines;
pub mod packing;
pub mod position;
pub mod y;

use super::{Direction, Grid};

/// A set of cells in reading order, one flag each.
pub type Set = Vec<bool>;

/// A board as an array of cells.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Cells {
    grid: Grid,
    width: usize,
    on_board: Vec<bool>,
}

impl Cells {
    /// A board of `width` columns; `on_board` lists its cells row by row and
    /// says which exist. The last row is cut off if incomplete.
    pub fn new(grid: Grid, width: usize, mut on_board: Vec<bool>) -> Self {
        let width = width.max(1);
        on_board.truncate(on_board.len() / width * width);
        Self {
            grid,
            width,
            on_board,
        }
    }

    /// Number of cells, those off the board included.
    pub fn len(&self) -> usize {
        self.on_board.len()
    }

    /// Whether there is no cell.
    pub fn is_empty(&self) -> bool {
        self.on_board.is_empty()
    }

    /// Which cells exist.
    pub fn on_board(&self) -> &[bool] {
        &self.on_board
    }

    /// Directions of adjacency.
    pub fn directions(&self) -> &'static [Direction] {
        self.grid.directions()
    }

    /// One direction an axis.
    pub fn axes(&self) -> &'static [Direction] {
        self.grid.axes()
    }

    /// Columns east and rows south of a step.
    fn delta(&self, d: Direction) -> (i64, i64) {
        let square = [
            (0, -1),
            (1, -1),
            (1, 0),
            (1, 1),
            (0, 1),
            (-1, 1),
            (-1, 0),
            (-1, -1),
        ];
        let hexagonal = [
            (0, -1),
            (1, -1),
            (1, 0),
            (0, 1),
            (0, 1),
            (-1, 1),
            (-1, 0),
            (0, -1),
        ];
        match self.grid {
            Grid::Hexagonal => hexagonal[d as usize],
            _ => square[d as usize],
        }
    }

    /// The cell one step from `cell`; `None` when that is off the board.
    pub fn neighbour(&self, cell: usize, d: Direction) -> Option<usize> {
        let (dx, dy) = self.delta(d);
        let x = (cell % self.width) as i64 + dx;
        let y = (cell / self.width) as i64 + dy;
        if x < 0 || x >= self.width as i64 || y < 0 {
            return None;
        }
        let to = y as usize * self.width + x as usize;
        (has(&self.on_board, to)).then_some(to)
    }

    /// The set of cells that satisfy a condition, off the board excluded.
    pub fn select(&self, keep: impl Fn(usize) -> bool) -> Set {
        (0..self.len())
            .map(|cell| self.on_board[cell] && keep(cell))
            .collect()
    }

    /// Whether some neighbour of `cell` is in the set.
    pub fn touches(&self, set: &[bool], cell: usize) -> bool {
        let mut neighbours = self.directions().iter();
        neighbours.any(|&d| self.neighbour(cell, d).is_some_and(|to| has(set, to)))
    }

    /// Section 4.3 in one direction: set cells, and cells whose neighbour in
    /// the opposite direction is set.
    pub fn dilate_towards(&self, set: &[bool], d: Direction) -> Set {
        self.select(|cell| {
            let from = self.neighbour(cell, d.opposite());
            has(set, cell) || from.is_some_and(|from| has(set, from))
        })
    }

    /// Section 4.3 in all directions.
    pub fn dilate(&self, set: &[bool]) -> Set {
        self.select(|cell| has(set, cell) || self.touches(set, cell))
    }

    /// Section 4.4 in one direction.
    pub fn erode_towards(&self, set: &[bool], d: Direction) -> Set {
        self.select(|cell| {
            let from = self.neighbour(cell, d.opposite());
            has(set, cell) && from.is_some_and(|from| has(set, from))
        })
    }

    /// Section 4.4 in all directions: off the board counts as unset.
    pub fn erode(&self, set: &[bool]) -> Set {
        self.select(|cell| {
            let mut around = self.directions().iter();
            let kept = |&d| self.neighbour(cell, d).is_some_and(|to| has(set, to));
            has(set, cell) && around.all(kept)
        })
    }

    /// Length of the longest line along an axis, by walking from every cell.
    pub fn line_length_along(&self, set: &[bool], axis: Direction) -> u32 {
        let starts = (0..self.len()).filter(|&cell| self.on_board[cell] && has(set, cell));
        starts
            .map(|start| {
                let next = |&cell: &usize| self.neighbour(cell, axis).filter(|&to| has(set, to));
                std::iter::successors(Some(start), next).count() as u32
            })
            .max()
            .unwrap_or(0)
    }

    /// Algorithm 6: length of the longest line.
    pub fn line_length(&self, set: &[bool]) -> u32 {
        let axes = self.axes().iter();
        axes.map(|&axis| self.line_length_along(set, axis))
            .max()
            .unwrap_or(0)
    }

    /// Algorithm 7: whether some line has four cells or more.
    pub fn has_line_of_four(&self, set: &[bool]) -> bool {
        self.line_length(set) >= 4
    }

    /// Algorithm 8: the first pattern all of whose cells are set.
    pub fn find_pattern(&self, patterns: &[Set], set: &[bool]) -> Option<usize> {
        let contains = |pattern: &Set| (0..self.len()).all(|i| !has(pattern, i) || has(set, i));
        patterns.iter().position(contains)
    }

    /// Algorithm 8, exact: and no other set cell touches the pattern.
    pub fn find_exact_pattern(&self, patterns: &[Set], set: &[bool]) -> Option<usize> {
        patterns.iter().position(|pattern| {
            (0..self.len()).all(|i| match has(pattern, i) {
                true => has(set, i),
                false => !has(set, i) || !self.touches(pattern, i),
            })
        })
    }

    /// Algorithm 11: a press toggles the cell and its neighbours.
    pub fn press(&self, lit: &[bool], cell: usize) -> Set {
        let mut lit = lit.to_vec();
        let around = self.directions().iter();
        let around = around.filter_map(|&d| self.neighbour(cell, d));
        for at in around.chain([cell]) {
            if let Some(lit) = lit.get_mut(at).filter(|_| has(&self.on_board, cell)) {
                *lit = !*lit;
            }
        }
        lit
    }
}

/// Whether a cell is in a set; beyond its end it is not.
pub fn has(set: &[bool], cell: usize) -> bool {
    set.get(cell).copied().unwrap_or(false)
}
