//! Boards as text: rows joined by `/`, or the cells of a square board in one line.

use std::collections::BTreeMap;

use crate::text::{Fault, Sizes};

pub const MOST_SIDE: usize = 8;

const SIZES: Sizes = Sizes {
    rows: (2, MOST_SIDE),
    columns: (3, MOST_SIDE),
    cells: MOST_SIDE * MOST_SIDE,
};

/// Letters of the pieces of a board in their order, if none are given; `o` and `x` mean something
/// else.
pub(crate) const LETTERS: &str = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnpqrstuvwyz";

/// A car (two cells) or a truck (three).
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct Piece {
    /// Whether it stands in a column; otherwise it lies in a row.
    pub upright: bool,
    /// Row of its first cell, from the top.
    pub row: u8,
    /// Column of its first cell, from the left.
    pub column: u8,
    pub length: u8,
}

impl Piece {
    /// Its cells, as `8 * row + column`.
    pub fn cells(self) -> impl Iterator<Item = usize> {
        let first = 8 * usize::from(self.row) + usize::from(self.column);
        let stride = if self.upright { 8 } else { 1 };
        (0..usize::from(self.length)).map(move |cell| first + stride * cell)
    }

    /// Pieces that lie come first, row by row; then those that stand, column by column.
    /// No move changes this order.
    fn order(self) -> (bool, u8, u8) {
        match self.upright {
            false => (false, self.row, self.column),
            true => (true, self.column, self.row),
        }
    }
}

#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub struct Board {
    pub width: u8,
    pub height: u8,
    /// Cells with a wall, as bits `8 * row + column`.
    pub walls: u64,
    /// The red car, then the others: lying pieces row by row, standing pieces column by column.
    pub pieces: Vec<Piece>,
}

impl Board {
    pub fn new(width: u8, height: u8, walls: u64, red: Piece, mut others: Vec<Piece>) -> Self {
        others.sort_unstable_by_key(|piece| piece.order());
        others.insert(0, red);
        Self {
            width,
            height,
            walls,
            pieces: others,
        }
    }

    pub fn red(&self) -> Piece {
        self.pieces[0]
    }

    /// The board as rows joined by `/`, with a letter for each piece in their order: `.` empty,
    /// `#` a wall. A piece keeps its letter whatever is moved.
    pub fn draw_by(&self, letters: &str) -> String {
        let mut cells = [b'.'; 64];
        for (cell, symbol) in cells.iter_mut().enumerate() {
            if self.walls >> cell & 1 == 1 {
                *symbol = b'#';
            }
        }
        for (piece, letter) in self.pieces.iter().zip(letters.bytes().cycle()) {
            piece.cells().for_each(|cell| cells[cell] = letter);
        }
        let row = |row: usize| {
            let first = 8 * row;
            let cells = &cells[first..first + usize::from(self.width)];
            String::from_utf8_lossy(cells).into_owned()
        };
        let rows: Vec<String> = (0..usize::from(self.height)).map(row).collect();
        rows.join("/")
    }

    /// Reads a board: rows joined by `/`, or all cells of a square board in one line. `.` or
    /// `o` is empty, `#` or `x` a wall, `A` the red car, any other letter a piece. Also returns the
    /// letters of the pieces in their order.
    pub fn lettered(text: &str) -> Result<(Self, String), Fault> {
        let known = |symbol: char| ".o#x".contains(symbol) || symbol.is_ascii_alphabetic();
        let write = "a letter for a piece, '.' or 'o' for an empty cell, '#' or 'x' for a wall";
        let rows = SIZES.rows_of(text, known, write)?;
        let (height, width) = (rows.len(), rows[0].len());
        let mut walls = 0;
        let mut letters: BTreeMap<char, Vec<(usize, usize)>> = BTreeMap::new();
        for (row, cells) in rows.iter().enumerate() {
            for (column, &symbol) in cells.iter().enumerate() {
                match symbol {
                    '.' | 'o' => {}
                    '#' | 'x' => walls |= 1_u64 << (8 * row + column),
                    letter => letters.entry(letter).or_default().push((row, column)),
                }
            }
        }
        let red = letters.remove(&'A').ok_or_else(|| {
            let what = "the board has no red car: write it AA, lying in the exit's row";
            Fault::new(None, what)
        })?;
        let red = piece('A', &red)?;
        if red.upright || red.length != 2 {
            let what = "the red car A has two cells side by side: write AA";
            return Err(Fault::at(red.row.into(), red.column.into(), what));
        }
        let mut others = Vec::new();
        for (letter, cells) in letters {
            let other = piece(letter, &cells)?;
            if !other.upright && other.row == red.row {
                let what = format!(
                    "piece {letter} lies in the row of the red car, where no other piece may: \
                     remove it"
                );
                return Err(Fault::at(other.row.into(), other.column.into(), what));
            }
            others.push(other);
        }
        let board = Self::new(width as u8, height as u8, walls, red, others);
        let at = |piece: &Piece| rows[usize::from(piece.row)][usize::from(piece.column)];
        let letters = board.pieces.iter().map(at).collect();
        Ok((board, letters))
    }
}

/// The piece made by the cells of a letter, which are given row by row.
fn piece(letter: char, cells: &[(usize, usize)]) -> Result<Piece, Fault> {
    let (row, column) = cells[0];
    let fits = |upright: bool| {
        cells.iter().enumerate().all(|(i, &(r, c))| match upright {
            true => (r, c) == (row + i, column),
            false => (r, c) == (row, column + i),
        })
    };
    if !(2..=3).contains(&cells.len()) || !(fits(true) || fits(false)) {
        let what = format!(
            "piece {letter} is neither a car of two cells nor a truck of three, side by side in \
             one line"
        );
        return Err(Fault::at(row, column, what));
    }
    Ok(Piece {
        upright: fits(true),
        row: row as u8,
        column: column as u8,
        length: cells.len() as u8,
    })
}
