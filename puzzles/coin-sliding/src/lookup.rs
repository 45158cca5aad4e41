//! Variant `lookup`: the article's way to find moves. A table of all contents of a few
//! whole rows gives the cells with two or more coins beside them; the board is looked up
//! in overlapping pieces. Chaffin, section "Finding moves".

use std::sync::{Arc, LazyLock};

use puzzle_api::rank::low_bits;
use puzzle_api::{
    BadInput, MoveNames, NamedStates, Numbering, Placement, Predecessors, Puzzle, RandomStates,
    Refute, Request, SolvedStates, Symmetry, Xorshift,
};

use crate::bitboard::Common;
use crate::board::Shape;
use crate::{sample, span};

/// Most cells of a piece: 2^20 entries of four bytes are 4 MiB.
pub const PIECE_CELLS: u32 = 20;

/// How a board is cut into overlapping pieces of whole rows.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Cut {
    width: u32,
    rows: u32,
    starts: Vec<u32>,
}

impl Cut {
    /// The cut of a board: one piece where the board fits one, else pieces that overlap
    /// by two rows, since only rows between two others of a piece (or at the board's
    /// edge) are counted in full. On 5x9 these are four pieces of four rows.
    ///
    /// # Errors
    /// Boards whose pieces of [`PIECE_CELLS`] cells have fewer than three rows.
    pub fn new(shape: &Shape) -> Result<Self, BadInput> {
        let fit = PIECE_CELLS / shape.width;
        let rows = fit.min(shape.height);
        if rows < shape.height && rows < 3 {
            return Err(BadInput::new(format!(
                "variant lookup needs pieces of three rows within {PIECE_CELLS} cells, but rows \
                 have {} cells here: use variant bitboard, or a width of at most {}",
                shape.width,
                PIECE_CELLS / 3
            )));
        }
        let mut starts = vec![0];
        let mut covered = rows;
        while covered < shape.height {
            let start = (covered - 2).min(shape.height - rows);
            starts.push(start);
            covered = start + rows;
        }
        Ok(Self {
            width: shape.width,
            rows,
            starts,
        })
    }

    /// First row of each piece.
    #[must_use]
    pub fn starts(&self) -> &[u32] {
        &self.starts
    }

    /// Rows of a piece.
    #[must_use]
    pub fn rows(&self) -> u32 {
        self.rows
    }

    /// The table of all contents of a piece: the cells of the piece with two or more
    /// coins of the piece beside them.
    fn table(&self) -> Vec<u32> {
        let cells = self.width * self.rows;
        let beside: Vec<u32> = (0..cells).map(|cell| self.beside(cell)).collect();
        let entry = |content: u32| {
            let crowded = |cell: &u32| (beside[*cell as usize] & content).count_ones() >= 2;
            (0..cells).filter(crowded).fold(0, |out, c| out | 1 << c)
        };
        (0..1_u32 << cells).map(entry).collect()
    }

    /// The cells beside a cell of a piece, as a mask.
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
    let cut = Cut {
        width: 5,
        rows: 4,
        starts: vec![0],
    };
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
    /// As [`Cut::new`].
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

    /// The cut.
    #[must_use]
    pub fn cut(&self) -> &Cut {
        &self.cut
    }

    /// What one piece says, as cells of the board.
    #[inline]
    #[must_use]
    pub fn piece(&self, coins: u64, start: u32) -> u64 {
        let shift = start * self.cut.width;
        let content = (coins >> shift & self.content) as usize;
        u64::from(self.entries[content]) << shift
    }

    /// The cells with two or more coins beside them. Rows at a piece's edge miss coins
    /// of the next row, so they may lack cells but never have wrong ones: what the pieces
    /// say is simply joined.
    #[inline]
    #[must_use]
    pub fn two_or_more(&self, coins: u64) -> u64 {
        let starts = self.cut.starts.iter();
        starts.fold(0, |cells, &start| cells | self.piece(coins, start))
    }
}

/// Variant `lookup`, opened on an instance.
pub struct Lookup {
    common: Common,
    table: Table,
}

impl Lookup {
    fn shape(&self) -> &Shape {
        self.common.instance.shape()
    }

    /// Every board that one move leads to: each coin is lifted, and the rest looked up.
    #[inline]
    pub fn each_successor(&self, coins: u64, mut emit: impl FnMut(u64)) {
        let mut left = coins;
        while left != 0 {
            let rest = coins ^ left & left.wrapping_neg();
            let mut targets = self.table.two_or_more(rest) & !coins;
            while targets != 0 {
                emit(rest | targets & targets.wrapping_neg());
                targets &= targets - 1;
            }
            left &= left - 1;
        }
    }

    /// Every board that one move leads from.
    #[inline]
    pub fn each_predecessor(&self, coins: u64, mut emit: impl FnMut(u64)) {
        let mut left = self.table.two_or_more(coins) & coins;
        while left != 0 {
            let rest = coins ^ left & left.wrapping_neg();
            let mut origins = self.shape().mask() & !coins;
            while origins != 0 {
                emit(rest | origins & origins.wrapping_neg());
                origins &= origins - 1;
            }
            left &= left - 1;
        }
    }
}

impl Puzzle for Lookup {
    type Key = u64;
    type State = u64;

    const VARIANT: &'static str = "lookup";

    fn open(request: &Request<'_>) -> Result<Self, BadInput> {
        let common = Common::open(request)?;
        let table = Table::new(common.instance.shape())?;
        Ok(Self { common, table })
    }

    fn starts(&self, emit: &mut dyn FnMut(u64)) {
        self.common.instance.starts().iter().copied().for_each(emit);
    }

    #[inline]
    fn successors(&self, state: &u64, emit: &mut dyn FnMut(u64)) {
        self.each_successor(*state, emit);
    }

    fn is_solved(&self, state: &u64) -> bool {
        self.common.instance.goals().contains(state)
    }

    #[inline]
    fn key(&self, state: &u64) -> u64 {
        *state
    }

    #[inline]
    fn state(&self, key: u64) -> u64 {
        key
    }

    fn parse(&self, text: &str) -> Result<u64, BadInput> {
        self.common.instance.parse(text)
    }

    fn draw(&self, state: &u64) -> String {
        self.common.instance.shape().draw(*state)
    }
}

impl SolvedStates for Lookup {
    fn solved_states(&self, _part: u64, emit: &mut dyn FnMut(u64)) {
        self.common.instance.goals().iter().copied().for_each(emit);
    }

    fn lists_solved_states(&self) -> bool {
        self.common.instance.has_goal()
    }
}

impl Predecessors for Lookup {
    #[inline]
    fn predecessors(&self, state: &u64, emit: &mut dyn FnMut(u64)) {
        self.each_predecessor(*state, emit);
    }
}

impl Symmetry for Lookup {
    fn symmetry_count(&self) -> u32 {
        self.common.symmetries.count()
    }

    fn image(&self, state: &u64, index: u32) -> u64 {
        self.common.symmetries.image(*state, index)
    }

    fn canonical(&self, state: &u64) -> u64 {
        self.common.symmetries.canonical(*state)
    }

    fn orbit_size(&self, state: &u64) -> u32 {
        self.common.symmetries.orbit_size(*state)
    }
}

impl Numbering for Lookup {
    fn space(&self, part: u64) -> Option<u64> {
        (part == 0).then(|| self.common.pieces.count())
    }

    #[inline]
    fn place(&self, state: &u64) -> Option<Placement> {
        Some(Placement {
            part: 0,
            rank: self.common.pieces.rank(*state),
        })
    }

    #[inline]
    fn unrank(&self, placement: Placement) -> Option<u64> {
        if placement.part != 0 {
            return None;
        }
        self.common.pieces.unrank(placement.rank)
    }
}

impl RandomStates for Lookup {
    fn random(&self, random: &mut Xorshift) -> Option<u64> {
        Some(sample::random_board(self.common.instance.shape(), random))
    }
}

impl MoveNames for Lookup {
    fn describe_move(&self, from: &u64, to: &u64) -> Option<String> {
        self.common.instance.shape().move_name(*from, *to)
    }
}

impl NamedStates for Lookup {
    fn names(&self) -> Vec<String> {
        self.common.instance.names()
    }
}

impl Refute for Lookup {
    fn refute(&self, from: &u64, to: Option<&u64>) -> Option<String> {
        span::refute(&self.common.instance, *from, to.copied())
    }
}
