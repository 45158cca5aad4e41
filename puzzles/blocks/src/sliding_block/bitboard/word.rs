//! Sets of open cells in a machine word.

use std::fmt::Debug;
use std::ops::{BitAnd, BitOr, BitXor, IndexMut, Not};

/// A set of up to `BITS` cells.
pub trait Word:
    Copy
    + Eq
    + Debug
    + Send
    + Sync
    + 'static
    + BitAnd<Output = Self>
    + BitOr<Output = Self>
    + BitXor<Output = Self>
    + Not<Output = Self>
{
    /// Most cells.
    const BITS: usize;
    /// The empty set.
    const EMPTY: Self;
    /// Something for each cell, no longer than needed: clearing it is part of every move.
    type PerCell<T: Copy + Clone + Debug>: IndexMut<usize, Output = T> + Clone + Debug;

    /// The same for each cell.
    fn per_cell<T: Copy + Debug>(each: T) -> Self::PerCell<T>;

    /// The set of one cell, below `BITS`.
    fn cell(cell: usize) -> Self;

    /// Whether the set is empty.
    fn is_empty(self) -> bool;

    /// The first cell; the set must not be empty.
    fn first(self) -> usize;

    /// The last cell; the set must not be empty.
    fn last(self) -> usize;

    /// The set without its first cell; the set must not be empty.
    fn rest(self) -> Self;

    /// The cells from one on, which may be `BITS`.
    fn onward(cell: usize) -> Self;
}

macro_rules! word {
    ($type:ty) => {
        impl Word for $type {
            const BITS: usize = <$type>::BITS as usize;
            const EMPTY: Self = 0;
            type PerCell<T: Copy + Clone + Debug> = [T; <$type>::BITS as usize];

            #[inline]
            fn per_cell<T: Copy + Debug>(each: T) -> Self::PerCell<T> {
                [each; <$type>::BITS as usize]
            }

            #[inline]
            fn cell(cell: usize) -> Self {
                1 << cell
            }

            #[inline]
            fn is_empty(self) -> bool {
                self == 0
            }

            #[inline]
            fn first(self) -> usize {
                self.trailing_zeros() as usize
            }

            #[inline]
            fn last(self) -> usize {
                <$type>::BITS as usize - 1 - self.leading_zeros() as usize
            }

            #[inline]
            fn rest(self) -> Self {
                self & (self - 1)
            }

            #[inline]
            fn onward(cell: usize) -> Self {
                (<$type>::MAX).checked_shl(cell as u32).unwrap_or(0)
            }
        }
    };
}

word!(u64);
word!(u128);
