//! Y reduction (Browne, section 5.2.3 and listing 1), for Y and for Hex.
//!
//! The printed text has lost the code of listing 1. This follows its description: one integer per
//! column, two consecutive bits per cell (00 empty, 01 white, 10 black). Each pass replaces every
//! triplet of mutually adjacent cells by its majority, in a shrinking number of columns.

/// The owner of a cell in a connection game, or the winner.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Colour {
    /// Stored as 01.
    White,
    /// Stored as 10.
    Black,
}

/// Largest side of a [`YBoard`]: two bits per cell, a column in 64 bits.
pub const MAX_SIDE: usize = 32;

/// A triangular board of the game of Y.
///
/// Column `c` of a board of side `n` holds cells `0..n - c`. The cell `(c, r)` touches
/// `(c, r ± 1)`, `(c ± 1, r)`, `(c + 1, r - 1)` and `(c - 1, r + 1)`; the three sides are `c == 0`,
/// `r == 0` and `c + r == n - 1`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct YBoard {
    columns: [u64; MAX_SIDE],
    side: usize,
}

impl YBoard {
    /// An empty board; `None` unless `1 <= side <= 32`.
    pub fn new(side: usize) -> Option<Self> {
        (1..=MAX_SIDE).contains(&side).then_some(Self {
            columns: [0; MAX_SIDE],
            side,
        })
    }

    /// A board of Hex as one of Y: an empty rhombus of `side` columns and rows, with the same names
    /// of cells. Its corners are filled so that White needs a chain from column 0 to the last
    /// column and Black one from row 0 to the last row. `None` unless `1 <= side <= 16`.
    pub fn hex(side: usize) -> Option<Self> {
        let mut board = Self::new((2 * side).checked_sub(1)?)?;
        for c in 0..board.side {
            for r in 0..board.side - c {
                let beyond = [(c >= side, Colour::White), (r >= side, Colour::Black)];
                let corner = beyond.into_iter().find(|(beyond, _)| *beyond);
                board.set(c, r, corner.map(|(_, colour)| colour));
            }
        }
        Some(board)
    }

    /// Cells along a side.
    pub const fn side(&self) -> usize {
        self.side
    }

    /// Sets a cell; returns `false`, without an effect, off the board.
    pub fn set(&mut self, column: usize, row: usize, to: Option<Colour>) -> bool {
        if column >= self.side || row >= self.side - column {
            return false;
        }
        let code = to.map_or(0, |colour| 1 + colour as u64);
        let cells = &mut self.columns[column];
        *cells = *cells & !(3 << (2 * row)) | code << (2 * row);
        true
    }

    /// Returns the owner of a cell; `None` if it is empty or off the board.
    pub fn get(&self, column: usize, row: usize) -> Option<Colour> {
        if column >= self.side || row >= self.side - column {
            return None;
        }
        colour(self.columns[column] >> (2 * row))
    }

    /// Listing 1: returns the colour that connects all three sides, if any.
    /// Cost: `5 * n * (n - 1) / 2` operations for side `n`.
    ///
    /// The two bit planes never mix, so either colour's reduction is exact on its own, whether the
    /// board is full or not.
    pub fn winner(&self) -> Option<Colour> {
        let mut columns = self.columns;
        for side in (1..self.side).rev() {
            for c in 0..side {
                let (near, next) = (columns[c], columns[c + 1]);
                let above = near >> 2;
                columns[c] = near & above | next & (near | above);
            }
        }
        colour(columns[0])
    }
}

/// Decodes the low two bits. Above a column's last cell a reduction leaves garbage, which never
/// reaches a cell that is still on the board.
fn colour(code: u64) -> Option<Colour> {
    match code & 3 {
        1 => Some(Colour::White),
        2 => Some(Colour::Black),
        _ => None,
    }
}
