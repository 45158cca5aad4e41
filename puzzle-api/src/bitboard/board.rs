//! A set of cells as bits over one or more 64-bit words.

use std::fmt;
use std::ops::{BitAnd, BitAndAssign, BitOr, BitOrAssign, BitXor, BitXorAssign, Not, Shl, Shr};

/// Bits in one word.
const WORD: usize = u64::BITS as usize;

/// A set of up to `64 * N` cells.
///
/// Bit `i` lives in word `i / 64`, word 0 being the least significant. So the whole board behaves
/// as one unsigned integer of `64 * N` bits: a shift carries across words (Browne, appendix B) and
/// drops bits that leave either end. All operations cost `O(N)` word operations and never panic.
///
/// ```
/// use puzzle_api::bitboard::Board;
///
/// let bits: Board<2> = [0, 63, 64].into_iter().collect();
/// assert_eq!((bits << 1).iter().collect::<Vec<_>>(), [1, 64, 65]);
/// assert_eq!((bits & Board::bit(63)).lowest(), Some(63));
/// assert_eq!((bits.count(), bits.get(64), bits.without(64).get(64)), (3, true, false));
/// ```
///
/// No method here changes a `self` that it took by value, and none should. With rustc 1.95, such a
/// change showed in the caller when two closures took the same board (rust-lang/rust#155241).
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Board<const N: usize> {
    words: [u64; N],
}

impl<const N: usize> Board<N> {
    /// Number of bits a board of this type holds.
    pub const BITS: usize = N * WORD;
    /// The empty set.
    pub const EMPTY: Self = Self { words: [0; N] };
    /// Every bit set, on the board or not.
    pub const FULL: Self = Self {
        words: [u64::MAX; N],
    };

    /// Returns a board from its words, least significant first.
    pub const fn from_words(words: [u64; N]) -> Self {
        Self { words }
    }

    /// Returns the words, least significant first.
    pub const fn words(self) -> [u64; N] {
        self.words
    }

    /// Returns the set that holds only `index`; empty when `index` is out of range.
    pub fn bit(index: usize) -> Self {
        Self::EMPTY.with(index)
    }

    /// Returns whether `index` is in the set; out of range counts as absent.
    pub fn get(self, index: usize) -> bool {
        match self.words.get(index / WORD) {
            Some(word) => word >> (index % WORD) & 1 == 1,
            None => false,
        }
    }

    /// Returns this set with `index` added; unchanged when `index` is out of range.
    #[must_use]
    pub fn with(self, index: usize) -> Self {
        let mut words = self.words;
        if let Some(word) = words.get_mut(index / WORD) {
            *word |= 1 << (index % WORD);
        }
        Self { words }
    }

    /// Returns this set with `index` removed.
    #[must_use]
    pub fn without(self, index: usize) -> Self {
        let mut words = self.words;
        if let Some(word) = words.get_mut(index / WORD) {
            *word &= !(1 << (index % WORD));
        }
        Self { words }
    }

    /// Returns whether no bit is set.
    pub fn is_empty(self) -> bool {
        self.words.iter().fold(0, |all, word| all | word) == 0
    }

    /// Returns the number of set bits, `|bits|` in Browne's notation.
    pub fn count(self) -> u32 {
        self.words.iter().map(|word| word.count_ones()).sum()
    }

    /// Returns whether the two sets share a bit.
    pub fn intersects(self, other: Self) -> bool {
        !(self & other).is_empty()
    }

    /// Returns whether every bit of `other` is in this set.
    pub fn contains(self, other: Self) -> bool {
        self & other == other
    }

    /// Returns the index of the least significant bit.
    pub fn lowest(self) -> Option<usize> {
        let word = self.words.iter().position(|&word| word != 0)?;
        Some(word * WORD + self.words[word].trailing_zeros() as usize)
    }

    /// Returns the least significant bit alone; empty for the empty set.
    #[must_use]
    pub fn lowest_bit(self) -> Self {
        self.lowest().map_or(Self::EMPTY, Self::bit)
    }

    /// Returns the indices of the set bits, ascending.
    pub fn iter(self) -> Bits<N> {
        Bits { rest: self }
    }

    /// Shifts right by a signed amount: `by > 0` lowers every index by `by`,
    /// `by < 0` raises it. This is `bits >> shift_d` of Browne, section 2.1,
    /// where a negative value stands for a left shift.
    #[must_use]
    #[inline(always)]
    pub fn shift(self, by: isize) -> Self {
        if by >= 0 {
            self.shifted_down(by as usize)
        } else {
            self.shifted_up(by.unsigned_abs())
        }
    }

    #[inline(always)]
    fn shifted_down(self, by: usize) -> Self {
        let from = if by < WORD {
            self
        } else {
            self.words_down(by / WORD)
        };
        let by = by % WORD;
        // `<< 1 << (63 - by)` is `<< (64 - by)` made total at `by == 0`.
        Self::each(|i| {
            let above = if i + 1 < N { from.words[i + 1] } else { 0 };
            from.words[i] >> by | above << 1 << (WORD - 1 - by)
        })
    }

    #[inline(always)]
    fn shifted_up(self, by: usize) -> Self {
        let from = if by < WORD {
            self
        } else {
            self.words_up(by / WORD)
        };
        let by = by % WORD;
        Self::each(|i| {
            let below = if i > 0 { from.words[i - 1] } else { 0 };
            from.words[i] << by | below >> 1 >> (WORD - 1 - by)
        })
    }

    #[inline(always)]
    fn each(word: impl FnMut(usize) -> u64) -> Self {
        Self {
            words: std::array::from_fn(word),
        }
    }

    /// Whole-word part of a right shift; `words >= 1`.
    #[cold]
    fn words_down(self, words: usize) -> Self {
        let mut out = Self::EMPTY;
        for (to, from) in out.words.iter_mut().zip(self.words.iter().skip(words)) {
            *to = *from;
        }
        out
    }

    /// Whole-word part of a left shift; `words >= 1`.
    #[cold]
    fn words_up(self, words: usize) -> Self {
        let mut out = Self::EMPTY;
        for (to, from) in out.words.iter_mut().skip(words).zip(&self.words) {
            *to = *from;
        }
        out
    }
}

impl<const N: usize> Default for Board<N> {
    fn default() -> Self {
        Self::EMPTY
    }
}

impl<const N: usize> fmt::Debug for Board<N> {
    /// One hexadecimal number, most significant word first.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("0x")?;
        for (i, word) in self.words.iter().rev().enumerate() {
            write!(f, "{}{word:016x}", if i == 0 { "" } else { "_" })?;
        }
        Ok(())
    }
}

impl<const N: usize> FromIterator<usize> for Board<N> {
    fn from_iter<I: IntoIterator<Item = usize>>(indices: I) -> Self {
        indices.into_iter().fold(Self::EMPTY, Self::with)
    }
}

impl<const N: usize> IntoIterator for Board<N> {
    type Item = usize;
    type IntoIter = Bits<N>;
    fn into_iter(self) -> Bits<N> {
        self.iter()
    }
}

/// Ascending indices of a board's bits; see [`Board::iter`].
#[derive(Clone, Debug)]
pub struct Bits<const N: usize> {
    rest: Board<N>,
}

impl<const N: usize> Iterator for Bits<N> {
    type Item = usize;

    fn next(&mut self) -> Option<usize> {
        for (i, word) in self.rest.words.iter_mut().enumerate() {
            if *word != 0 {
                let bit = word.trailing_zeros() as usize;
                *word &= *word - 1;
                return Some(i * WORD + bit);
            }
        }
        None
    }

    fn size_hint(&self) -> (usize, Option<usize>) {
        let left = self.rest.count() as usize;
        (left, Some(left))
    }
}

impl<const N: usize> ExactSizeIterator for Bits<N> {}

/// Derives a binary operator and its assigning form word by word.
macro_rules! wordwise {
    ($trait:ident, $method:ident, $assign_trait:ident, $assign_method:ident) => {
        impl<const N: usize> $trait for Board<N> {
            type Output = Self;
            #[inline(always)]
            fn $method(self, other: Self) -> Self {
                Self::each(|i| self.words[i].$method(other.words[i]))
            }
        }

        impl<const N: usize> $assign_trait for Board<N> {
            #[inline(always)]
            fn $assign_method(&mut self, other: Self) {
                for (word, other) in self.words.iter_mut().zip(other.words) {
                    word.$assign_method(other);
                }
            }
        }
    };
}

wordwise!(BitAnd, bitand, BitAndAssign, bitand_assign);
wordwise!(BitOr, bitor, BitOrAssign, bitor_assign);
wordwise!(BitXor, bitxor, BitXorAssign, bitxor_assign);

impl<const N: usize> Not for Board<N> {
    type Output = Self;
    #[inline(always)]
    fn not(self) -> Self {
        Self::each(|i| !self.words[i])
    }
}

impl<const N: usize> Shl<usize> for Board<N> {
    type Output = Self;
    /// Raises every index; bits that leave the top are dropped, for any amount.
    #[inline(always)]
    fn shl(self, by: usize) -> Self {
        self.shifted_up(by)
    }
}

impl<const N: usize> Shr<usize> for Board<N> {
    type Output = Self;
    /// Lowers every index; bits that leave the bottom are dropped, for any amount.
    #[inline(always)]
    fn shr(self, by: usize) -> Self {
        self.shifted_down(by)
    }
}
