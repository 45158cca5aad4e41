//! Boards as text: rows joined by `/`, or the cells of a square board in one line.

use puzzle_api::BadInput;

use crate::text::{Sizes, place};

/// Longest side of a board.
pub const MOST_SIDE: usize = 10;

/// Most cells of a board: a key has a digit of base three for each, and the row of the exit.
pub const MOST_CELLS: usize = 36;

/// Allowed sizes of boards.
pub const SIZES: Sizes = Sizes {
    rows: (2, MOST_SIDE),
    columns: (2, MOST_SIDE),
    cells: MOST_CELLS,
};

/// The content of a cell, in the order of digits and ranks.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Cell {
    /// Nothing.
    Empty,
    /// A car that moves along its row.
    Lying,
    /// A car that moves along its column.
    Standing,
}

/// A board with its cars.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub struct Board {
    /// Number of rows.
    pub rows: usize,
    /// Number of columns.
    pub columns: usize,
    /// Row whose left end the target car has to reach, from 0 at the top.
    pub exit: usize,
    /// The content of each cell, row by row.
    pub cells: Vec<Cell>,
}

impl Board {
    /// The cell of the target: the leftmost car that lies in the exit's row. It stays the
    /// leftmost, as no car passes another.
    #[must_use]
    pub fn target(&self) -> Option<usize> {
        let first = self.exit * self.columns;
        (first..first + self.columns).find(|&cell| self.cells[cell] == Cell::Lying)
    }

    /// The number of cars that lie in a row.
    #[must_use]
    pub fn lying(&self, row: usize) -> usize {
        let row = &self.cells[row * self.columns..(row + 1) * self.columns];
        row.iter().filter(|&&cell| cell == Cell::Lying).count()
    }

    /// The number of cars that stand in a column.
    #[must_use]
    pub fn standing(&self, column: usize) -> usize {
        let column = self.cells[column..].iter().step_by(self.columns);
        column.filter(|&&cell| cell == Cell::Standing).count()
    }

    /// The number of empty cells.
    #[must_use]
    pub fn empty(&self) -> usize {
        self.cells.iter().filter(|&&c| c == Cell::Empty).count()
    }

    /// The board as rows joined by `/`: `A` the target, `-` a lying car, `|` a standing one, `.` an
    /// empty cell.
    #[must_use]
    pub fn draw(&self) -> String {
        let target = self.target();
        let mut text = String::new();
        for (cell, content) in self.cells.iter().enumerate() {
            if cell > 0 && cell % self.columns == 0 {
                text.push('/');
            }
            text.push(match content {
                Cell::Empty => '.',
                Cell::Lying if target == Some(cell) => 'A',
                Cell::Lying => '-',
                Cell::Standing => '|',
            });
        }
        text
    }

    /// Reads a board: rows joined by `/`, or all cells of a square board in one line. `A` is the
    /// target, whose row has the exit, `-` or `=` a lying car, `|` a standing one, `.` an empty
    /// cell.
    ///
    /// # Errors
    /// One line that names the place and the remedy.
    pub fn parse(text: &str) -> Result<Self, BadInput> {
        let symbols = SIZES.rows_of(text)?;
        let (rows, columns) = (symbols.len(), symbols[0].len());
        let (mut cells, mut target) = (Vec::new(), None);
        for (row, symbols) in symbols.iter().enumerate() {
            for (column, &symbol) in symbols.iter().enumerate() {
                cells.push(match symbol {
                    '.' => Cell::Empty,
                    '-' | '=' => Cell::Lying,
                    '|' => Cell::Standing,
                    'A' => {
                        if target.replace(row).is_some() {
                            return Err(BadInput::new(format!(
                                "{}: a second target: write A once",
                                place(row, column)
                            )));
                        }
                        if cells[row * columns..].contains(&Cell::Lying) {
                            return Err(BadInput::new(format!(
                                "{}: a car that lies left of the target shuts it in for good: \
                                 write the leftmost one of the row as A",
                                place(row, column)
                            )));
                        }
                        Cell::Lying
                    }
                    other => {
                        return Err(BadInput::new(format!(
                            "{}: '{}' is no cell: write '-' for a car that moves along its row, \
                             '|' for one that moves along its column, '.' for an empty cell, A \
                             for the target",
                            place(row, column),
                            other.escape_default()
                        )));
                    }
                });
            }
        }
        let exit = target.ok_or_else(|| {
            BadInput::new(
                "the board has no target: write A for the leftmost car that lies in the row of \
                 the exit",
            )
        })?;
        Ok(Self {
            rows,
            columns,
            exit,
            cells,
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::unit_rush_hour::boards::TROMP;

    #[test]
    fn boards_read_back() {
        for (name, text, _) in TROMP {
            let board = Board::parse(text).unwrap();
            assert_eq!(board.draw(), text, "{name}");
            assert_eq!(board.empty(), 1, "{name}");
        }
        // Tromp's program reads `=` for `-`, and rows need no `/` if the board is square.
        let board = Board::parse("|A|=.|-||").unwrap();
        assert_eq!(board.draw(), "|A|/-.|/-||");
        assert_eq!((board.lying(1), board.standing(2)), (1, 3));
    }

    #[test]
    fn what_is_no_board_is_refused_with_its_place() {
        let refused = |text: &str| Board::parse(text).unwrap_err().0;
        for (text, part) in [
            ("", "0 cells"),
            ("A.-", "3 cells"),
            ("A./.", "row 2 has 1 cells"),
            ("|./.|", "no target"),
            ("A./.A", "row 2, column 2: a second target"),
            ("-A/..", "row 1, column 2: a car that lies left"),
            ("A./x.", "row 2, column 1: 'x'"),
            ("A....../......./......./......./......./.......", "6 of 7"),
            ("A", "1 of 1"),
        ] {
            assert!(refused(text).contains(part), "{text}: {}", refused(text));
        }
    }
}
