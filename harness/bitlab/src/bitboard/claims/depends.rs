//! A word that knows of each of its bits which bits of the input it depends on.

use std::ops::{BitAnd, BitAndAssign, BitOr, BitOrAssign, BitXor, BitXorAssign, Not, Shl, Shr};

/// A bit: a constant, or something made of some bits of the input.
#[derive(Clone, Copy, PartialEq)]
enum Bit {
    Is(bool),
    Of(u64),
}

impl Bit {
    fn sources(self) -> u64 {
        match self {
            Self::Is(_) => 0,
            Self::Of(sources) => sources,
        }
    }

    /// Of both, where neither decides.
    fn of(self, other: Self) -> Self {
        Self::Of(self.sources() | other.sources())
    }
}

/// 64 such bits.
#[derive(Clone, Copy)]
pub struct Depends([Bit; 64]);

impl Depends {
    /// The input: bit `i` is bit `i`.
    pub fn input() -> Self {
        Self(std::array::from_fn(|i| Bit::Of(1 << i)))
    }

    /// A constant.
    pub fn constant(word: u64) -> Self {
        Self(std::array::from_fn(|i| Bit::Is(word >> i & 1 == 1)))
    }

    /// The bits of the input that each bit may depend on.
    pub fn sources(self) -> [u64; 64] {
        self.0.map(Bit::sources)
    }

    fn zip(self, other: Self, with: impl Fn(Bit, Bit) -> Bit) -> Self {
        Self(std::array::from_fn(|i| with(self.0[i], other.0[i])))
    }
}

impl BitAnd for Depends {
    type Output = Self;
    fn bitand(self, other: Self) -> Self {
        self.zip(other, |a, b| match (a, b) {
            (Bit::Is(false), _) | (_, Bit::Is(false)) => Bit::Is(false),
            (Bit::Is(true), other) | (other, Bit::Is(true)) => other,
            _ => a.of(b),
        })
    }
}

impl BitOr for Depends {
    type Output = Self;
    fn bitor(self, other: Self) -> Self {
        self.zip(other, |a, b| match (a, b) {
            (Bit::Is(true), _) | (_, Bit::Is(true)) => Bit::Is(true),
            (Bit::Is(false), other) | (other, Bit::Is(false)) => other,
            _ => a.of(b),
        })
    }
}

impl BitXor for Depends {
    type Output = Self;
    fn bitxor(self, other: Self) -> Self {
        self.zip(other, |a, b| match (a, b) {
            (Bit::Is(a), Bit::Is(b)) => Bit::Is(a ^ b),
            _ => a.of(b),
        })
    }
}

impl Not for Depends {
    type Output = Self;
    fn not(self) -> Self {
        Self(self.0.map(|bit| match bit {
            Bit::Is(value) => Bit::Is(!value),
            of => of,
        }))
    }
}

impl Shl<u32> for Depends {
    type Output = Self;
    fn shl(self, by: u32) -> Self {
        let from = |i: usize| i.checked_sub(by as usize).map(|i| self.0[i]);
        Self(std::array::from_fn(|i| from(i).unwrap_or(Bit::Is(false))))
    }
}

impl Shr<u32> for Depends {
    type Output = Self;
    fn shr(self, by: u32) -> Self {
        let from = |i: usize| self.0.get(i + by as usize).copied();
        Self(std::array::from_fn(|i| from(i).unwrap_or(Bit::Is(false))))
    }
}

impl BitAndAssign for Depends {
    fn bitand_assign(&mut self, other: Self) {
        *self = *self & other;
    }
}

impl BitOrAssign for Depends {
    fn bitor_assign(&mut self, other: Self) {
        *self = *self | other;
    }
}

impl BitXorAssign for Depends {
    fn bitxor_assign(&mut self, other: Self) {
        *self = *self ^ other;
    }
}
