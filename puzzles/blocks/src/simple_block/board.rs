//! Boards as text and as keys, and the names of their pieces.

use std::cmp::Reverse;
use std::collections::BTreeMap;
use std::fmt::Display;

use crate::rules::{beside, first_apart};
use crate::text::{Fault, Sizes};

/// Most cells of a board: a key has four bits per cell.
pub const MOST_CELLS: usize = 16;

pub const SIZES: Sizes = Sizes {
    rows: (2, MOST_CELLS / 2),
    columns: (2, MOST_CELLS / 2),
    cells: MOST_CELLS,
};

pub const EMPTY: char = '.';

/// A rectangle of cells, numbered in reading order.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct Grid {
    pub rows: usize,
    pub columns: usize,
}

impl Grid {
    pub fn cells(self) -> usize {
        self.rows * self.columns
    }

    /// Some cells pushed into the upper left corner, as a picture of the board: for each cell,
    /// whether it is covered. Pieces never turn, so this is the shape of a piece.
    pub fn shape(self, cells: &[usize]) -> Vec<bool> {
        let rows = cells.iter().map(|cell| cell / self.columns);
        let columns = cells.iter().map(|cell| cell % self.columns);
        let (top, left) = (rows.min().unwrap_or(0), columns.min().unwrap_or(0));
        let mut shape = vec![false; self.cells()];
        for cell in cells {
            shape[cell - top * self.columns - left] = true;
        }
        shape
    }

    /// The name of a part: the rows of the goal piece's shape, and the number of empty cells.
    pub(super) fn part_name(self, goal: &[bool], empty: impl Display) -> String {
        let rows = goal.chunks(self.columns);
        let covers = |column: &usize| rows.clone().any(|row| row[*column]);
        let width = (0..self.columns).filter(covers).count();
        let draw = |row: &[bool]| -> String {
            let cells = row[..width].iter();
            cells
                .map(|&covered| if covered { 'A' } else { '.' })
                .collect()
        };
        let rows: Vec<String> = rows
            .clone()
            .filter(|row| row.contains(&true))
            .map(draw)
            .collect();
        format!("{} {empty} empty", rows.join("/"))
    }
}

#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub struct Board {
    pub grid: Grid,
    /// The piece on each cell: 0 none, 1 the goal piece, 2 and up the others.
    pub cells: Vec<u8>,
}

impl Board {
    /// A board of a goal piece and other pieces in any order, each given by its cells.
    ///
    /// The others are numbered by their shapes: of two, the one that covers the first cell in which
    /// they differ comes first. Pieces of one shape are numbered by their first cells. So a piece
    /// keeps its number in any move, except for pieces of one shape that pass each other.
    pub fn new(grid: Grid, goal: &[usize], mut others: Vec<Vec<usize>>) -> Self {
        others
            .sort_by_cached_key(|cells| (Reverse(grid.shape(cells)), cells.iter().min().copied()));
        let mut cells = vec![0; grid.cells()];
        for (number, piece) in
            (1..).zip(std::iter::once(goal).chain(others.iter().map(Vec::as_slice)))
        {
            piece.iter().for_each(|&cell| cells[cell] = number);
        }
        Self { grid, cells }
    }

    pub fn pieces(&self) -> usize {
        self.cells.iter().copied().max().unwrap_or(0).into()
    }

    /// The cells that a piece covers, in reading order.
    pub fn covered(&self, piece: usize) -> Vec<usize> {
        let own = |&cell: &usize| usize::from(self.cells[cell]) == piece;
        (0..self.cells.len()).filter(own).collect()
    }

    /// The shapes of the pieces, in the order of their numbers.
    pub fn shapes(&self) -> Vec<Vec<bool>> {
        let shape = |piece| self.grid.shape(&self.covered(piece));
        (1..=self.pieces()).map(shape).collect()
    }

    pub fn key(&self) -> u64 {
        let cells = self.cells.iter();
        cells.fold(0, |key, &piece| key << 4 | u64::from(piece))
    }

    pub fn of_key(grid: Grid, key: u64) -> Self {
        let last = grid.cells() - 1;
        let piece = |cell: usize| (key >> (4 * (last - cell)) & 15) as u8;
        let cells = (0..grid.cells()).map(piece).collect();
        Self { grid, cells }
    }

    /// Reads a board: rows joined by `/`, `.` an empty cell, `A` the goal piece, any other
    /// letter a piece.
    pub fn parse(text: &str) -> Result<Self, Fault> {
        let refuse = |why: &str| Err(Fault::new(None, why));
        let known = |mark: char| mark == EMPTY || mark.is_ascii_alphabetic();
        let rows = SIZES.rows_of(text, known, "a letter for a piece, '.' for an empty cell")?;
        let grid = Grid {
            rows: rows.len(),
            columns: rows[0].len(),
        };
        let size = (grid.rows, grid.columns);
        let marks: Vec<char> = rows.concat();
        let mut pieces: BTreeMap<char, Vec<usize>> = BTreeMap::new();
        for (cell, &mark) in marks.iter().enumerate().filter(|held| *held.1 != EMPTY) {
            pieces.entry(mark).or_default().push(cell);
        }
        if !pieces.contains_key(&'A') {
            return refuse("the board has no goal piece: write it with the letter A");
        }
        if !marks.contains(&EMPTY) {
            return refuse("the board has no empty cell, so that nothing moves");
        }
        for (letter, cells) in &pieces {
            if let Some(cell) = first_apart(cells, |cell, way| beside(size, cell, way)) {
                let what = format!(
                    "this cell of piece {letter} is connected to no other: give it a letter of \
                     its own"
                );
                return Err(Fault::at(cell / grid.columns, cell % grid.columns, what));
            }
        }
        let goal = pieces.remove(&'A').unwrap_or_default();
        let pieces = pieces.into_values().collect();
        Ok(Self::new(grid, &goal, pieces))
    }
}
