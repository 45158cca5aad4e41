//! The article's way to find moves. A table of all contents of a few whole rows gives the cells
//! with two or more coins next to them. The board is looked up in overlapping pieces. Chaffin,
//! section "Finding moves".

use std::sync::{Arc, LazyLock};

use puzzle_api::BadInput;
use puzzle_api::rank::low_bits;

use crate::board::Shape;

/// Most cells of a piece: 2^20 entries of four bytes are 4 MiB.
pub const PIECE_CELLS: u32 = 20;

/// How a board is cut into overlapping pieces of whole rows.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Cut {
    width: u32,
    rows: u32,
}

impl Cut {
    /// The cut of a board: one piece if the board fits one, else pieces that overlap by two rows.
    /// Only rows between two others of a piece (or at the board's edge) are counted in full. On 5x9
    /// these are four pieces of four rows.
    ///
    /// # Errors
    /// Boards whose pieces of [`PIECE_CELLS`] cells have fewer than three rows.
    pub fn new(shape: &Shape) -> Result<Self, BadInput> {
        let fit = PIECE_CELLS / shape.width;
        let rows = fit.min(shape.height);
        if rows < shape.height && rows < 3 {
            return Err(BadInput::new(format!(
                "pieces need three rows within {PIECE_CELLS} cells, but rows have {} cells here: use a \
                 width of at most {}",
                shape.width,
                PIECE_CELLS / 3
            )));
        }
        Ok(Self {
            width: shape.width,
            rows,
        })
    }

    /// The table of all contents of a piece: the cells of the piece with two or more
    /// coins of the piece next to them.
    fn table(&self) -> Vec<u32> {
        let cells = self.width * self.rows;
        let beside: Vec<u32> = (0..cells).map(|cell| self.beside(cell)).collect();
        let entry = |content: u32| {
            let crowded = |cell: &u32| (beside[*cell as usize] & content).count_ones() >= 2;
            (0..cells).filter(crowded).fold(0, |out, c| out | 1 << c)
        };
        (0..1_u32 << cells).map(entry).collect()
    }

    /// The cells next to a cell of a piece, as a mask.
    fn beside(&self, cell: u32) -> u32 {
        let (row, column) = (cell / self.width, cell % self.width);
        let mut mask = 0;
        for other in 0..self.width * self.rows {
            let (r, c) = (other / self.width, other % self.width);
            if r.abs_diff(row) + c.abs_diff(column) == 1 {
                mask |= 1 << other;
            }
        }
        mask
    }
}

/// The article's table, of four rows of five cells.
static FOUR_ROWS_OF_FIVE: LazyLock<Arc<[u32]>> = LazyLock::new(|| {
    let cut = Cut { width: 5, rows: 4 };
    cut.table().into()
});

/// A board's pieces with their table.
#[derive(Debug, Clone)]
pub struct Table {
    cut: Cut,
    content: u64,
    entries: Arc<[u32]>,
}

impl Table {
    /// The table of a board (tens of milliseconds for pieces of 20 cells, once).
    ///
    /// # Errors
    /// Same as [`Cut::new`].
    pub fn new(shape: &Shape) -> Result<Self, BadInput> {
        let cut = Cut::new(shape)?;
        let entries = match (cut.width, cut.rows) {
            (5, 4) => Arc::clone(&FOUR_ROWS_OF_FIVE),
            _ => cut.table().into(),
        };
        Ok(Self {
            content: low_bits(cut.width * cut.rows),
            entries,
            cut,
        })
    }

    /// The result of one piece, as cells of the board.
    #[inline]
    #[must_use]
    pub fn piece(&self, coins: u64, start: u32) -> u64 {
        let shift = start * self.cut.width;
        let content = (coins >> shift & self.content) as usize;
        u64::from(self.entries[content]) << shift
    }
}
