//! Y reduction (Browne, section 5.2.3 and listing 1).
//!
//! The printed text has lost the code of listing 1. What follows is built
//! from its description: one integer a column, two consecutive bits a cell
//! (00 empty, 01 white, 10 black), and in each pass every triplet of mutually
//! adjacent cells replaced by its majority, in a shrinking number of columns.

/// Who owns a cell of a connection game, or has won it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Colour {
    /// Stored as 01.
    White,
    /// Stored as 10.
    Black,
}

/// Largest side of a [`YBoard`]: two bits a cell, a column in 64 bits.
pub const MAX_SIDE: usize = 32;

/// A triangular board of the game of Y.
///
/// Column `c` of a board of side `n` holds cells `0..n - c`. The cell `(c, r)`
/// touches `(c, r ± 1)`, `(c ± 1, r)`, `(c + 1, r - 1)` and `(c - 1, r + 1)`;
/// the three sides are `c == 0`, `r == 0` and `c + r == n - 1`.
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

    /// Cells along a side.
    pub const fn side(&self) -> usize {
        self.side
    }

    /// All `(column, row)` cells.
    pub fn cells(&self) -> impl Iterator<Item = (usize, usize)> + use<> {
        let side = self.side;
        (0..side).flat_map(move |c| (0..side - c).map(move |r| (c, r)))
    }

    /// Sets a cell; `false`, and nothing done, off the board.
    pub fn set(&mut self, column: usize, row: usize, to: Option<Colour>) -> bool {
        if column >= self.side || row >= self.side - column {
            return false;
        }
        let code = match to {
            None => 0,
            Some(Colour::White) => 1,
            Some(Colour::Black) => 2,
        };
        let cells = &mut self.columns[column];
        *cells = *cells & !(3 << (2 * row)) | code << (2 * row);
        true
    }

    /// The owner of a cell; `None` when empty or off the board.
    pub fn get(&self, column: usize, row: usize) -> Option<Colour> {
        if column >= self.side || row >= self.side - column {
            return None;
        }
        colour(self.columns[column] >> (2 * row))
    }

    /// Replaces every triplet by its majority: a board one cell smaller.
    /// Cost: one shift and four logical operations a column, several columns
    /// at a time where the compiler has vectors.
    fn reduce(&mut self) {
        let columns = &mut self.columns[..self.side];
        self.side -= 1;
        for c in 1..columns.len() {
            let (near, next) = (columns[c - 1], columns[c]);
            let above = near >> 2;
            columns[c - 1] = near & above | next & (near | above);
        }
    }

    /// The board one side smaller; `None` for a single cell.
    pub fn reduced(&self) -> Option<Self> {
        let mut smaller = self.clone();
        (self.side > 1).then(|| {
            smaller.reduce();
            smaller
        })
    }

    /// Browne, listing 1: the colour that connects all three sides, if any.
    /// Cost: `5 * n * (n - 1) / 2` operations for side `n`.
    ///
    /// The two bit planes never mix, so either colour's reduction is exact on
    /// its own, whether the board is full or not.
    pub fn winner(&self) -> Option<Colour> {
        let mut left = self.clone();
        while left.side > 1 {
            left.reduce();
        }
        colour(left.columns[0])
    }
}

/// Decodes the low two bits. Above a column's last cell a reduction leaves
/// garbage, which never reaches a cell that is still on the board.
fn colour(code: u64) -> Option<Colour> {
    match code & 3 {
        1 => Some(Colour::White),
        2 => Some(Colour::Black),
        _ => None,
    }
}
