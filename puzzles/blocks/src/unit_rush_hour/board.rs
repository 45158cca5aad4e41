//! Boards as text: rows joined by `/`, or the cells of a square board in one line.

use crate::text::{Fault, Sizes};

pub const MOST_SIDE: usize = 10;

/// Most cells of a board: a key has a digit of base three for each, and the row of the exit.
pub const MOST_CELLS: usize = 36;

pub const SIZES: Sizes = Sizes {
    rows: (2, MOST_SIDE),
    columns: (2, MOST_SIDE),
    cells: MOST_CELLS,
};

/// The content of a cell, in the order of digits and ranks.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Cell {
    Empty,
    Lying,
    Standing,
}

#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub struct Board {
    pub rows: usize,
    pub columns: usize,
    /// Row whose left end the target car has to reach, from 0 at the top.
    pub exit: usize,
    pub cells: Vec<Cell>,
}

impl Board {
    /// The cell of the target: the leftmost car that lies in the exit's row. It stays the
    /// leftmost, as no car passes another.
    pub fn target(&self) -> Option<usize> {
        let first = self.exit * self.columns;
        (first..first + self.columns).find(|&cell| self.cells[cell] == Cell::Lying)
    }

    /// The number of cars that lie in a row.
    pub fn lying(&self, row: usize) -> usize {
        let row = &self.cells[row * self.columns..(row + 1) * self.columns];
        row.iter().filter(|&&cell| cell == Cell::Lying).count()
    }

    /// The number of cars that stand in a column.
    pub fn standing(&self, column: usize) -> usize {
        let column = self.cells[column..].iter().step_by(self.columns);
        column.filter(|&&cell| cell == Cell::Standing).count()
    }

    pub fn empty(&self) -> usize {
        self.cells.iter().filter(|&&c| c == Cell::Empty).count()
    }

    /// Reads a board: rows joined by `/`, or all cells of a square board in one line. `A` is the
    /// target, whose row has the exit, `-` or `=` a lying car, `|` a standing one, `.` an empty
    /// cell.
    pub fn parse(text: &str) -> Result<Self, Fault> {
        let write = "'-' for a car that moves along its row, '|' for one that moves along its \
                     column, '.' for an empty cell, A for the target";
        let symbols = SIZES.rows_of(text, |symbol| ".-=|A".contains(symbol), write)?;
        let (rows, columns) = (symbols.len(), symbols[0].len());
        let (mut cells, mut target) = (Vec::new(), None);
        for (row, symbols) in symbols.iter().enumerate() {
            for (column, &symbol) in symbols.iter().enumerate() {
                cells.push(match symbol {
                    '.' => Cell::Empty,
                    '|' => Cell::Standing,
                    'A' => {
                        if target.replace(row).is_some() {
                            let what = "a second target: write A once";
                            return Err(Fault::at(row, column, what));
                        }
                        if cells[row * columns..].contains(&Cell::Lying) {
                            let what = "a car that lies left of the target shuts it in for good: \
                                        write the leftmost one of the row as A";
                            return Err(Fault::at(row, column, what));
                        }
                        Cell::Lying
                    }
                    _ => Cell::Lying,
                });
            }
        }
        let exit = target.ok_or_else(|| {
            let what = "the board has no target: write A for the leftmost car that lies in the \
                        row of the exit";
            Fault::new(None, what)
        })?;
        Ok(Self {
            rows,
            columns,
            exit,
            cells,
        })
    }
}
