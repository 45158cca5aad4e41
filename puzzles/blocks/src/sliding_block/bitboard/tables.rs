//! Look-up tables of one board: where shapes cover, where they can step, and what each
//! symbol adds to the key.

use super::word::Word;
use crate::sliding_block::alphabet::binomial;
use crate::sliding_block::board::Board;
use crate::sliding_block::grid::DIRECTIONS;

/// No neighbour in a direction.
pub const NONE: u8 = u8::MAX;
/// Most symbols: the counters of a key have one byte a symbol.
pub const MOST_SYMBOLS: usize = 16;

/// Tables of one board. Cells are the open cells, numbered in scanning order.
#[derive(Debug)]
pub struct Tables<W> {
    /// Number of open cells.
    pub cells: usize,
    /// All open cells.
    pub all: W,
    /// By kind and cell: the cells that a piece there covers; empty where none fits.
    cover: Vec<W>,
    /// By kind and cell: first cell of the piece after a step in each direction.
    next: Vec<[u8; 4]>,
    /// By cell: the cells beside it.
    pub beside: Vec<W>,
    /// Goals as (symbol, cell).
    pub goals: Vec<(u8, u8)>,
    /// By symbol: how often.
    pub counts: Vec<u8>,
    /// By symbol: radix of its digit.
    pub radices: Vec<u128>,
    /// By symbol, ordinal and place: what that adds to the key.
    terms: Vec<u128>,
    /// By symbol: where its terms start.
    starts: Vec<u32>,
    /// Places of a string.
    length: usize,
    /// By symbol: one in the byte of each symbol up to it.
    pub upto: [u128; MOST_SYMBOLS],
    /// By number and ordinal: binomials, for taking keys apart.
    pub binomials: Vec<u128>,
}

impl<W: Word> Tables<W> {
    /// The tables of a board that has at most `W::BITS` open cells and [`MOST_SYMBOLS`]
    /// symbols.
    #[must_use]
    pub fn new(board: &Board) -> Self {
        let open: Vec<usize> = board.grid.open_cells().collect();
        let number = |cell: usize| open.binary_search(&cell).unwrap_or(0);
        let set = |cells: &[usize]| {
            let bits = cells.iter().map(|&cell| W::cell(number(cell)));
            bits.fold(W::EMPTY, |all, bit| all | bit)
        };
        let (mut cover, mut next) = (Vec::new(), Vec::new());
        for kind in 0..board.kinds.len() {
            for &cell in &open {
                let covered = board.covered(kind, cell);
                cover.push(covered.map_or(W::EMPTY, |cells| set(&cells)));
                next.push(DIRECTIONS.map(|(step, _)| {
                    let target = board.grid.offset(cell, step);
                    let fits = |&to: &usize| board.covered(kind, to).is_some();
                    target.filter(fits).map_or(NONE, |to| number(to) as u8)
                }));
            }
        }
        let beside = open.iter().map(|&cell| {
            let steps = DIRECTIONS.map(|(step, _)| board.grid.offset(cell, step));
            set(&steps.into_iter().flatten().collect::<Vec<_>>())
        });
        let goals = (1_u8..).zip(&board.kinds).filter_map(|(symbol, kind)| {
            let goal = kind.goal?;
            Some((symbol, number(goal) as u8))
        });
        let mut tables = Self {
            cells: open.len(),
            all: set(&open),
            cover,
            next,
            beside: beside.collect(),
            goals: goals.collect(),
            counts: board.alphabet.counts().to_vec(),
            radices: board.alphabet.radices().to_vec(),
            terms: Vec::new(),
            starts: Vec::new(),
            length: board.alphabet.length(),
            upto: [0; MOST_SYMBOLS],
            binomials: Vec::new(),
        };
        tables.fill(board);
        tables
    }

    fn fill(&mut self, board: &Board) {
        let ones = u128::MAX / 0xff;
        for (symbol, upto) in self.upto.iter_mut().enumerate() {
            *upto = ones >> (8 * (MOST_SYMBOLS - 1 - symbol));
        }
        for (&count, &weight) in self.counts.iter().zip(board.alphabet.weights()) {
            self.starts.push(self.terms.len() as u32);
            for ordinal in 1..=u32::from(count) {
                for place in 0..self.length as u32 {
                    // Places that no key asks for may overflow; they are never read.
                    let term = binomial(place, ordinal).and_then(|n| n.checked_mul(weight));
                    self.terms.push(term.unwrap_or(0));
                }
            }
        }
        for ordinal in 0..=self.length as u32 {
            for place in 0..=self.length as u32 {
                self.binomials
                    .push(binomial(place, ordinal).unwrap_or(u128::MAX));
            }
        }
    }

    /// The cells that a piece of a symbol covers from its first cell.
    #[inline]
    #[must_use]
    pub fn cover(&self, symbol: u8, cell: usize) -> W {
        self.cover[(usize::from(symbol) - 1) * self.cells + cell]
    }

    /// First cell of a piece of a symbol after a step in each direction, or [`NONE`].
    #[inline]
    #[must_use]
    pub fn next(&self, symbol: u8, cell: usize) -> [u8; 4] {
        self.next[(usize::from(symbol) - 1) * self.cells + cell]
    }

    /// What the symbol at a place among those not below it adds to the key, being the
    /// `ordinal`-th of its kind from 0.
    #[inline]
    #[must_use]
    pub fn term(&self, symbol: u8, ordinal: usize, place: usize) -> u128 {
        self.terms[self.starts[usize::from(symbol)] as usize + ordinal * self.length + place]
    }

    /// `C(place, ordinal)`, or the greatest number beyond 128 bits.
    #[inline]
    #[must_use]
    pub fn binomial(&self, place: usize, ordinal: usize) -> u128 {
        self.binomials[ordinal * (self.length + 1) + place]
    }
}
