//! A position taken apart from its key, and keys of its neighbours.
//!
//! A move changes the string only between the first and the last cell that the piece
//! covers before or after it. In front of them all counts are as they were, behind them
//! too, so the neighbour's key is the old one with the terms of that window exchanged.

use super::tables::{NONE, Tables};
use super::word::Word;
use crate::sliding_block::metric::Metric;

/// Most symbols of a string.
const CELLS: usize = crate::sliding_block::grid::MOST_CELLS;

/// Counters of a key while its string is walked: by symbol, in bytes, how many symbols not
/// below it came before, and how many of itself.
#[derive(Debug, Clone, Copy, Default)]
struct Counters {
    places: u128,
    own: u128,
}

/// A position in working form.
#[derive(Debug, Clone)]
pub struct Position<W: Word> {
    key: u128,
    /// Cells without a piece.
    holes: W,
    /// First cells of pieces, and holes: one cell a symbol of the string.
    scanned: W,
    /// By cell in `scanned`: its symbol.
    symbols: W::PerCell<u8>,
    /// By cell in `scanned`: what the symbols before it add to the key.
    sums: W::PerCell<u128>,
    /// By cell in `scanned`: counters before it.
    counters: W::PerCell<Counters>,
}

#[inline]
fn byte(bytes: u128, at: u8) -> usize {
    (bytes >> (8 * u32::from(at))) as u8 as usize
}

impl<W: Word> Tables<W> {
    /// What one symbol adds to a key, counting it.
    #[inline]
    fn count(&self, counters: &mut Counters, symbol: u8) -> u128 {
        let place = byte(counters.places, symbol);
        let ordinal = byte(counters.own, symbol);
        counters.places += self.upto[usize::from(symbol)];
        counters.own += 1 << (8 * u32::from(symbol));
        self.term(symbol, ordinal, place)
    }

    /// The key of a string.
    #[must_use]
    pub fn rank(&self, string: impl Iterator<Item = u8>) -> u128 {
        let mut counters = Counters::default();
        string.map(|symbol| self.count(&mut counters, symbol)).sum()
    }

    /// The string of a key, symbol by symbol; the array is longer than the string.
    #[must_use]
    pub fn unrank(&self, key: u128) -> [u8; CELLS] {
        let mut string = [0; CELLS];
        let length: usize = self.counts.iter().map(|&count| usize::from(count)).sum();
        let mut free = [0_u8; CELLS];
        for (place, free) in free[..length].iter_mut().enumerate() {
            *free = place as u8;
        }
        let (mut rest, mut left) = (key, length);
        for (symbol, (&count, &radix)) in (0_u8..).zip(self.counts.iter().zip(&self.radices)) {
            let (quotient, mut digit) = divide(rest, radix);
            rest = quotient;
            let (mut kept, mut ordinal, last) = (left, usize::from(count), left);
            // From the last place down: a place is taken where its binomial fits.
            for place in (0..last).rev() {
                let part = self.binomial(place, ordinal);
                if ordinal > 0 && part <= digit {
                    digit -= part;
                    ordinal -= 1;
                    string[usize::from(free[place])] = symbol;
                    left -= 1;
                } else {
                    kept -= 1;
                    free[kept] = free[place];
                }
            }
            free.copy_within(kept..last, 0);
        }
        string
    }

    /// A position from its key, which must be one that a position has.
    #[must_use]
    pub fn position(&self, key: u128) -> Position<W> {
        let string = self.unrank(key);
        let mut position = Position {
            key,
            holes: W::EMPTY,
            scanned: W::EMPTY,
            symbols: W::per_cell(0),
            sums: W::per_cell(0),
            counters: W::per_cell(Counters::default()),
        };
        let (mut free, mut sum, mut counters) = (self.all, 0, Counters::default());
        let mut symbols = string.iter();
        while !free.is_empty() {
            let cell = free.first();
            let symbol = symbols.next().copied().unwrap_or(0);
            let bit = W::cell(cell);
            position.scanned = position.scanned | bit;
            position.symbols[cell] = symbol;
            position.sums[cell] = sum;
            position.counters[cell] = counters;
            sum += self.count(&mut counters, symbol);
            if symbol == 0 {
                position.holes = position.holes | bit;
                free = free ^ bit;
            } else {
                free = free & !(self.cover(symbol, cell) | bit);
            }
        }
        position
    }

    /// Keys of all positions that one move leads to; gives whether the position is solved.
    pub fn expand(&self, key: u128, metric: Metric, emit: &mut impl FnMut(u128)) -> bool {
        let position = self.position(key);
        self.moves(&position, metric, emit);
        self.is_solved(&position)
    }

    /// Whether every piece with a goal stands there.
    #[must_use]
    pub fn is_solved(&self, position: &Position<W>) -> bool {
        let mut goals = self.goals.iter();
        goals.all(|&(symbol, cell)| position.symbol_at(usize::from(cell)) == symbol)
    }

    fn moves(&self, position: &Position<W>, metric: Metric, emit: &mut impl FnMut(u128)) {
        let (mut near, mut holes) = (W::EMPTY, position.holes);
        while !holes.is_empty() {
            near = near | self.beside[holes.first()];
            holes = holes.rest();
        }
        let mut pieces = position.scanned & !position.holes;
        while !pieces.is_empty() {
            let cell = pieces.first();
            pieces = pieces.rest();
            let symbol = position.symbols[cell];
            // Only a piece beside a hole can move.
            if (self.cover(symbol, cell) & near).is_empty() {
                continue;
            }
            let mut moved = |to: usize| emit(self.moved(position, symbol, cell, to));
            match metric {
                Metric::Piece => self.flood(position, symbol, cell, &mut moved),
                Metric::Line => self.lines(position, symbol, cell, usize::MAX, &mut moved),
                Metric::Step => self.lines(position, symbol, cell, 1, &mut moved),
            }
        }
    }

    /// All first cells that a piece can reach along free paths.
    #[inline]
    fn flood(&self, at: &Position<W>, symbol: u8, from: usize, moved: &mut impl FnMut(usize)) {
        let free = at.holes | self.cover(symbol, from);
        let mut seen = W::cell(from);
        let mut waiting = W::cell(from);
        while !waiting.is_empty() {
            let cell = waiting.first();
            waiting = waiting.rest();
            for next in self.next(symbol, cell) {
                if next == NONE {
                    continue;
                }
                let next = usize::from(next);
                let bit = W::cell(next);
                if (seen & bit).is_empty() && (self.cover(symbol, next) & !free).is_empty() {
                    seen = seen | bit;
                    waiting = waiting | bit;
                    moved(next);
                }
            }
        }
    }

    /// All first cells that a piece can reach straight, in at most so many steps.
    #[inline]
    fn lines(
        &self,
        at: &Position<W>,
        symbol: u8,
        from: usize,
        most: usize,
        moved: &mut impl FnMut(usize),
    ) {
        let free = at.holes | self.cover(symbol, from);
        for direction in 0..4 {
            let mut cell = from;
            for _ in 0..most {
                let next = self.next(symbol, cell)[direction];
                if next == NONE || !(self.cover(symbol, usize::from(next)) & !free).is_empty() {
                    break;
                }
                cell = usize::from(next);
                moved(cell);
            }
        }
    }

    /// The key after a piece moves from one first cell to another.
    #[inline]
    fn moved(&self, at: &Position<W>, symbol: u8, from: usize, to: usize) -> u128 {
        let (old, new) = (self.cover(symbol, from), self.cover(symbol, to));
        let changed = old | new;
        let (first, after) = (changed.first(), changed.last() + 1);
        let anchors = (at.scanned ^ at.holes ^ W::cell(from)) | W::cell(to);
        let holes = (at.holes | old) & !new;
        let behind = at.scanned & W::onward(after);
        let old_end = if behind.is_empty() {
            at.key
        } else {
            at.sums[behind.first()]
        };
        let mut counters = at.counters[first];
        let mut sum = 0;
        let mut window = (anchors | holes) & W::onward(first) & !W::onward(after);
        while !window.is_empty() {
            let cell = window.first();
            window = window.rest();
            let next = if cell == to {
                symbol
            } else if (holes & W::cell(cell)).is_empty() {
                at.symbols[cell]
            } else {
                0
            };
            sum += self.count(&mut counters, next);
        }
        // Old terms of the window leave, new ones come.
        (at.key - old_end) + at.sums[first] + sum
    }

    /// Symbols of a position by cell, for every first cell of a piece.
    pub fn anchors(&self, key: u128) -> impl Iterator<Item = (usize, u8)> {
        let position = self.position(key);
        let pieces = position.scanned & !position.holes;
        (0..self.cells)
            .filter(move |&cell| !(pieces & W::cell(cell)).is_empty())
            .map(move |cell| (cell, position.symbols[cell]))
    }

    /// The key of a position given by the symbol on the first cell of each piece.
    #[must_use]
    pub fn key_of_anchors(&self, symbols: &[u8]) -> u128 {
        let mut free = self.all;
        let string = std::iter::from_fn(|| {
            if free.is_empty() {
                return None;
            }
            let cell = free.first();
            let symbol = symbols[cell];
            let bit = W::cell(cell);
            free = if symbol == 0 {
                free ^ bit
            } else {
                free & !(self.cover(symbol, cell) | bit)
            };
            Some(symbol)
        });
        self.rank(string)
    }
}

/// Quotient and remainder; 64 bits are much faster to divide than 128.
#[inline]
fn divide(number: u128, by: u128) -> (u128, u128) {
    match (u64::try_from(number), u64::try_from(by)) {
        (Ok(number), Ok(by)) => (u128::from(number / by), u128::from(number % by)),
        _ => (number / by, number % by),
    }
}

impl<W: Word> Position<W> {
    /// The symbol of the piece whose first cell is here; 0 where there is none.
    #[must_use]
    pub fn symbol_at(&self, cell: usize) -> u8 {
        // Cells that are not scanned keep a 0.
        self.symbols[cell]
    }
}
