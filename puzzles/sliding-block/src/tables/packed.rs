//! Positions by the first cells of their pieces, and their keys: the same ranks as
//! [`crate::alphabet`] has, with binomials looked up.

use crate::board::Board;

/// Most kinds of pieces.
pub(super) const MOST_KINDS: usize = 16;
/// Most symbols of a string, which has no more than the board has cells.
const MOST: usize = 64;

/// Where pieces stand, by number of open cell.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub(super) struct Position {
    /// First cells, by kind.
    pub(super) anchors: [u64; MOST_KINDS],
    pub(super) empty: u64,
}

/// The bits of a mask, from the lowest.
pub(super) fn bits(mut mask: u64) -> impl Iterator<Item = u32> {
    std::iter::from_fn(move || {
        let bit = (mask != 0).then(|| mask.trailing_zeros())?;
        mask &= mask - 1;
        Some(bit)
    })
}

/// What turns positions into keys.
#[derive(Debug)]
pub(super) struct Packing {
    full: u64,
    /// By symbol: how often it stands in a string, its radix and its weight.
    symbols: Vec<(u32, u128, u128)>,
    length: usize,
    /// `n` over `k` at `n * (MOST + 1) + k`.
    binomials: Vec<u64>,
}

impl Packing {
    pub(super) fn new(board: &Board, open: &[usize]) -> Self {
        let alphabet = &board.alphabet;
        let counts = alphabet.counts().iter().map(|&count| u32::from(count));
        let weights = alphabet.radices().iter().zip(alphabet.weights());
        let symbols = counts.zip(weights);
        let mut binomials = vec![0_u64; (MOST + 1) * (MOST + 1)];
        for n in 0..=MOST {
            let row = n * (MOST + 1);
            binomials[row] = 1;
            for k in 1..=n {
                let above = row - (MOST + 1);
                binomials[row + k] = binomials[above + k - 1] + binomials[above + k];
            }
        }
        Self {
            full: u64::MAX >> (u64::BITS - open.len() as u32),
            symbols: symbols
                .map(|(count, (&radix, &weight))| (count, radix, weight))
                .collect(),
            length: alphabet.length(),
            binomials,
        }
    }

    /// All open cells.
    pub(super) fn full(&self) -> u64 {
        self.full
    }

    fn binomial(&self, n: usize, k: usize) -> u64 {
        self.binomials[n * (MOST + 1) + k]
    }

    /// The position of a key; `None` for one that no position has. `covers` says what a piece of
    /// a kind covers from its first cell, nothing where it does not fit.
    pub(super) fn unpack(
        &self,
        key: u128,
        covers: impl Fn(usize, usize) -> u64,
    ) -> Option<Position> {
        let mut string = [0_u8; MOST];
        let mut left: [u8; MOST] = std::array::from_fn(|at| at as u8);
        let (mut many, mut rest) = (self.length, key);
        for (symbol, &(count, radix, _)) in (0_u8..).zip(&self.symbols) {
            let digit;
            (digit, rest) = divided(rest, radix);
            let (mut digit, mut place) = (u64::try_from(digit).ok()?, many);
            let mut taken = 0_u64;
            for nth in (1..=count as usize).rev() {
                // The last place at which so many lie before it, or fewer.
                place = (0..place)
                    .rev()
                    .find(|&at| self.binomial(at, nth) <= digit)?;
                digit -= self.binomial(place, nth);
                taken |= 1 << place;
                string[usize::from(left[place])] = symbol;
            }
            let mut kept = 0;
            for at in (0..many).filter(|at| taken >> at & 1 == 0) {
                left[kept] = left[at];
                kept += 1;
            }
            many = kept;
        }
        if rest != 0 {
            return None;
        }
        let (mut position, mut free) = (Position::default(), self.full);
        for &symbol in &string[..self.length] {
            let cell = (free != 0).then(|| free.trailing_zeros())?;
            let covered = match usize::from(symbol).checked_sub(1) {
                None => {
                    position.empty |= 1 << cell;
                    1 << cell
                }
                Some(kind) => {
                    position.anchors[kind] |= 1 << cell;
                    covers(kind, cell as usize)
                }
            };
            if covered == 0 || covered & !free != 0 {
                return None;
            }
            free ^= covered;
        }
        (free == 0).then_some(position)
    }

    /// The key of a position.
    pub(super) fn pack(&self, position: &Position) -> u128 {
        let kinds = self.symbols.len() - 1;
        let all = position.anchors[..kinds].iter();
        let mut left = all.fold(position.empty, |all, anchors| all | anchors);
        let sets = std::iter::once(position.empty).chain(position.anchors);
        let mut key = 0;
        for (set, &(_, _, weight)) in sets.zip(&self.symbols) {
            let digit: u64 = bits(set)
                .zip(1..)
                .map(|(cell, nth)| {
                    let place = (left & ((1 << cell) - 1)).count_ones() as usize;
                    self.binomial(place, nth)
                })
                .sum();
            key += u128::from(digit) * weight;
            left &= !set;
        }
        key
    }
}

/// Quotient and rest the other way round: a rest of a number and what is left of it. Most keys
/// fit a word, which divides much faster.
fn divided(number: u128, by: u128) -> (u128, u128) {
    match (u64::try_from(number), u64::try_from(by)) {
        (Ok(number), Ok(by)) => (u128::from(number % by), u128::from(number / by)),
        _ => (number % by, number / by),
    }
}
