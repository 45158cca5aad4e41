//! The key: the rank of a board's string of symbols (Dogon, "encoding of the board positions").
//! Scanning the board, each piece is written when its first cell is met, and each empty cell is
//! written. The other cells of a written piece are skipped. The string determines the board, since
//! each symbol goes to the first free cell.
//!
//! Symbol 0 is the empty cell, then come the little shapes, then the big ones. The rank is a number
//! in mixed radix with one digit per symbol. For symbol `s`, look only at the symbols `s` and
//! above, and rank the set of places that `s` takes among them (the sum of `C(place, j)` over its
//! places in order, j from 1). The digit of symbol 0 is the lowest. So the high digits are the
//! order of the big pieces alone, which is the seed's locality hash. `rank / little_total` is the
//! bucket, and sorted keys keep buckets together.

use std::sync::LazyLock;

use crate::sliding_block::grid::MOST_CELLS;

static BINOMIALS: LazyLock<Vec<Vec<u128>>> = LazyLock::new(|| {
    let mut rows = vec![vec![1]];
    for n in 1..=MOST_CELLS {
        let above: &Vec<u128> = &rows[n - 1];
        let sums = above.windows(2).map(|pair| pair[0] + pair[1]);
        let row = std::iter::once(1).chain(sums).chain([1]).collect();
        rows.push(row);
    }
    rows
});

/// `n` over `k`, for `n` up to [`MOST_CELLS`]: all fit 128 bits.
pub fn binomial(n: u32, k: u32) -> u128 {
    let row = &BINOMIALS[n as usize];
    row.get(k as usize).copied().unwrap_or(0)
}

/// Number of each symbol in the string of a board, with the radix and the weight of its digit.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Alphabet {
    pub counts: Vec<u8>,
    pub radices: Vec<u128>,
    pub weights: Vec<u128>,
    /// Number of strings, which bounds the number of positions from above.
    pub total: u128,
    /// Number of strings with one order of the big pieces.
    pub little_total: u128,
}

impl Alphabet {
    /// The alphabet with these counts by symbol; the first `little` symbols are the empty cell and
    /// the little shapes. `None` if there are more strings than 128 bits can count.
    pub fn new(counts: Vec<u8>, little: usize) -> Option<Self> {
        let mut left: u32 = counts.iter().map(|&count| u32::from(count)).sum();
        if left as usize > MOST_CELLS {
            return None;
        }
        let (mut radices, mut weights) = (Vec::new(), Vec::new());
        let (mut total, mut little_total) = (1_u128, 1_u128);
        for (symbol, &count) in counts.iter().enumerate() {
            let radix = binomial(left, count.into());
            radices.push(radix);
            weights.push(total);
            total = total.checked_mul(radix)?;
            if symbol < little {
                little_total = total;
            }
            left -= u32::from(count);
        }
        Some(Self {
            counts,
            radices,
            weights,
            total,
            little_total,
        })
    }

    pub fn length(&self) -> usize {
        self.counts.iter().map(|&count| usize::from(count)).sum()
    }

    /// Rank of a string, below `total`; destroys the string. The literal form, symbol by symbol, each
    /// of which is then removed from the string; `bitboard` has its own.
    pub fn rank(&self, left: &mut [u8]) -> u128 {
        let (mut rank, mut many) = (0, left.len());
        for (symbol, weight) in (0_u8..).zip(&self.weights) {
            let (mut kept, mut j, mut digit) = (0, 0, 0);
            for place in 0..many {
                let other = left[place];
                if other == symbol {
                    j += 1;
                    digit += binomial(place as u32, j);
                } else {
                    left[kept] = other;
                    kept += 1;
                }
            }
            many = kept;
            rank += digit * weight;
        }
        rank
    }

    /// The string with a rank below `total`; inverse of [`Alphabet::rank`].
    pub fn unrank(&self, mut rank: u128) -> Vec<u8> {
        let mut string = vec![0; self.length()];
        let mut free: Vec<usize> = (0..self.length()).collect();
        for (symbol, (&count, radix)) in (0_u8..).zip(self.counts.iter().zip(&self.radices)) {
            let mut digit = rank % radix;
            rank /= radix;
            let mut above = free.len() as u32;
            for j in (1..=u32::from(count)).rev() {
                // The greatest place whose binomial does not exceed the rest of the rank.
                let mut place = above - 1;
                while binomial(place, j) > digit {
                    place -= 1;
                }
                digit -= binomial(place, j);
                // Later places are before it.
                string[free.remove(place as usize)] = symbol;
                above = place;
            }
        }
        string
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn binomials_of_formulas() {
        assert_eq!(binomial(27, 4), 17_550);
        assert_eq!(binomial(3, 5), 0);
        assert_eq!(binomial(0, 0), 1);
        let middle = 23_951_146_041_928_082_866_135_587_776_380_551_750;
        assert_eq!(binomial(128, 64), middle);
    }

    #[test]
    fn too_many_strings_are_refused() {
        assert!(Alphabet::new(vec![4; 32], 1).is_none());
        assert!(Alphabet::new(vec![129], 1).is_none());
    }
}
