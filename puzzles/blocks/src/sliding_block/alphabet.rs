//! The key: the rank of a board's string of symbols (Dogon, "encoding of the board
//! positions"). Scanning the board, each piece is written when its first cell is met, and
//! each empty cell is written; the cells of a piece that was written are passed over.
//! The string determines the board, since each symbol goes to the first free cell.
//!
//! Symbol 0 is the empty cell, then come the little shapes, then the big ones. The rank
//! is a number in mixed radix with one digit a symbol: take symbol `s`, look only at the
//! symbols `s` and above, and rank the set of places that `s` takes among them (the sum
//! of `C(place, j)` over its places in order, j from 1). The digit of symbol 0 is the
//! lowest. So the high digits are the order of the big pieces alone, which is the seed's
//! locality hash: `rank / little_total` is the bucket, and sorted keys keep buckets
//! together.

/// `n` over `k`; `None` beyond 128 bits.
#[must_use]
pub fn binomial(n: u32, k: u32) -> Option<u128> {
    if k > n {
        return Some(0);
    }
    let k = k.min(n - k);
    let mut value: u128 = 1;
    for i in 0..k {
        // value * (n - i) / (i + 1) is whole at each step; the common factors go first,
        // so that nothing overflows which the result does not.
        let (mut factor, mut divisor) = (u128::from(n - i), u128::from(i + 1));
        let common = gcd(factor, divisor);
        factor /= common;
        divisor /= common;
        value = (value / divisor).checked_mul(factor)?;
    }
    Some(value)
}

fn gcd(a: u128, b: u128) -> u128 {
    if b == 0 { a } else { gcd(b, a % b) }
}

/// All binomials up to `n` over `k`, by sums of two.
fn binomials(n: u32, k: u8) -> Vec<Vec<Option<u128>>> {
    let k = usize::from(k);
    let mut rows: Vec<Vec<Option<u128>>> = vec![vec![Some(0); k + 1]];
    rows[0][0] = Some(1);
    for n in 1..=n as usize {
        let above = &rows[n - 1];
        let sum = |k: usize| above[k - 1]?.checked_add(above[k]?);
        let row = std::iter::once(Some(1)).chain((1..=k).map(sum));
        rows.push(row.collect());
    }
    rows
}

/// How often each symbol stands in the string of a board, with the radix and the weight
/// of its digit.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Alphabet {
    counts: Vec<u8>,
    radices: Vec<u128>,
    weights: Vec<u128>,
    total: u128,
    little_total: u128,
    /// By `n` and `k`, in rows for each `n`: [`binomial`], for as many as a string has.
    binomials: Vec<Vec<Option<u128>>>,
}

impl Alphabet {
    /// The alphabet with these counts by symbol, of which the first `little` are the empty
    /// cell and the little shapes. `None` if there are more strings than 128 bits count.
    #[must_use]
    pub fn new(counts: Vec<u8>, little: usize) -> Option<Self> {
        let mut left: u32 = counts.iter().map(|&count| u32::from(count)).sum();
        let binomials = binomials(left, counts.iter().copied().max().unwrap_or(0));
        let (mut radices, mut weights) = (Vec::new(), Vec::new());
        let (mut total, mut little_total) = (1_u128, 1_u128);
        for (symbol, &count) in counts.iter().enumerate() {
            let radix = binomial(left, count.into())?;
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
            binomials,
        })
    }

    /// How often each symbol stands in a string.
    #[must_use]
    pub fn counts(&self) -> &[u8] {
        &self.counts
    }

    /// Radix of each symbol's digit.
    #[must_use]
    pub fn radices(&self) -> &[u128] {
        &self.radices
    }

    /// Weight of each symbol's digit.
    #[must_use]
    pub fn weights(&self) -> &[u128] {
        &self.weights
    }

    /// Number of strings, which bounds the number of positions from above.
    #[must_use]
    pub fn total(&self) -> u128 {
        self.total
    }

    /// Number of strings with one order of the big pieces.
    #[must_use]
    pub fn little_total(&self) -> u128 {
        self.little_total
    }

    /// Length of a string.
    #[must_use]
    pub fn length(&self) -> usize {
        self.counts.iter().map(|&count| usize::from(count)).sum()
    }

    fn binomial(&self, n: u32, k: u32) -> Option<u128> {
        self.binomials[n as usize][k as usize]
    }

    /// Rank of a string, in `0..total()`. The literal form, symbol by symbol, each of which is
    /// then taken out of the string; `bitboard` has its own.
    #[must_use]
    pub fn rank(&self, string: &[u8]) -> u128 {
        self.rank_within(&mut string.to_vec())
    }

    /// [`Alphabet::rank`], and nothing sensible is left of the string.
    pub(crate) fn rank_within(&self, left: &mut [u8]) -> u128 {
        let (mut rank, mut many) = (0, left.len());
        for (symbol, weight) in (0_u8..).zip(&self.weights) {
            let (mut kept, mut j, mut digit) = (0, 0, 0);
            for place in 0..many {
                let other = left[place];
                if other == symbol {
                    j += 1;
                    digit += self.binomial(place as u32, j).unwrap_or(0);
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

    /// The string with a rank below `total()`; inverse of [`Alphabet::rank`].
    #[must_use]
    pub fn unrank(&self, mut rank: u128) -> Vec<u8> {
        let mut string = vec![0; self.length()];
        let mut free: Vec<usize> = (0..self.length()).collect();
        for (symbol, (&count, radix)) in (0_u8..).zip(self.counts.iter().zip(&self.radices)) {
            let mut digit = rank % radix;
            rank /= radix;
            let mut above = free.len() as u32;
            for j in (1..=u32::from(count)).rev() {
                // The greatest place whose binomial does not exceed what is left.
                let mut place = above - 1;
                while self.binomial(place, j).is_none_or(|part| part > digit) {
                    place -= 1;
                }
                digit -= self.binomial(place, j).unwrap_or(0);
                // What is taken later lies before it.
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
        assert_eq!(binomial(27, 4), Some(17_550));
        assert_eq!(binomial(3, 5), Some(0));
        assert_eq!(binomial(0, 0), Some(1));
        assert_eq!(
            binomial(128, 64),
            Some(23_951_146_041_928_082_866_135_587_776_380_551_750)
        );
    }

    #[test]
    fn binomials_are_sums_of_two() {
        for (n, row) in (0..).zip(binomials(140, 70)) {
            for (k, value) in (0..).zip(row) {
                assert_eq!(value, binomial(n, k), "{n} over {k}");
            }
        }
    }

    #[test]
    fn ranks_count_all_strings() {
        let alphabet = Alphabet::new(vec![2, 1, 3], 2).unwrap();
        assert_eq!(alphabet.total(), 60);
        assert_eq!(alphabet.little_total(), 60);
        let mut seen = std::collections::BTreeSet::new();
        for rank in 0..60 {
            let string = alphabet.unrank(rank);
            assert_eq!(alphabet.rank(&string), rank);
            assert!(seen.insert(string));
        }
    }

    #[test]
    fn too_many_strings_are_refused() {
        assert!(Alphabet::new(vec![4; 32], 1).is_none());
    }
}
