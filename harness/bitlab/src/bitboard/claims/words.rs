//! A word for listing 2: it records what its bits depend on, and counts operations.

use std::cell::Cell;
use std::ops::{BitAnd, BitOr, BitXor, Not, Shl, Shr};

use crate::bitboard::life::Word;

thread_local! {
    static COUNT: Cell<u32> = const { Cell::new(0) };
}

/// A bit: a constant, or a function of some bits of the input.
#[derive(Clone, Copy)]
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

    /// AND (a constant false decides) or OR (a constant true does).
    fn joined(self, other: Self, decides: bool) -> Self {
        match (self, other) {
            (Self::Is(a), _) if a == decides => self,
            (_, Self::Is(b)) if b == decides => other,
            (Self::Is(_), bit) | (bit, Self::Is(_)) => bit,
            _ => Self::Of(self.sources() | other.sources()),
        }
    }
}

/// 64 such bits. Each operator counts one.
#[derive(Clone, Copy)]
pub struct Depends([Bit; 64]);

impl Depends {
    /// Runs some work on an input whose bit `i` is bit `i`. Returns the bits of the input that each
    /// bit of the result may depend on, and the operations made.
    pub fn run(work: impl FnOnce(Self) -> Self) -> ([u64; 64], u32) {
        COUNT.set(0);
        let result = work(Self(std::array::from_fn(|i| Bit::Of(1 << i))));
        (result.0.map(Bit::sources), COUNT.get())
    }

    fn made(bit: impl Fn(usize) -> Bit) -> Self {
        COUNT.set(COUNT.get() + 1);
        Self(std::array::from_fn(bit))
    }
}

impl Word for Depends {
    fn constant(word: u64) -> Self {
        Self(std::array::from_fn(|i| Bit::Is(word >> i & 1 == 1)))
    }
}

macro_rules! operators {
    ($($trait:ident $method:ident $other:ty: |$a:ident, $b:ident, $i:ident| $bit:expr;)*) => {$(
        impl $trait<$other> for Depends {
            type Output = Self;
            fn $method(self, other: $other) -> Self {
                let ($a, $b) = (self.0, other);
                Self::made(|$i| $bit)
            }
        }
    )*};
}

operators! {
    BitAnd bitand Self: |a, b, i| a[i].joined(b.0[i], false);
    BitOr bitor Self: |a, b, i| a[i].joined(b.0[i], true);
    BitXor bitxor Self: |a, b, i| match (a[i], b.0[i]) {
        (Bit::Is(a), Bit::Is(b)) => Bit::Is(a ^ b),
        (a, b) => Bit::Of(a.sources() | b.sources()),
    };
    Shl shl u32: |a, by, i| i.checked_sub(by as usize).map_or(Bit::Is(false), |i| a[i]);
    Shr shr u32: |a, by, i| a.get(i + by as usize).copied().unwrap_or(Bit::Is(false));
}

impl Not for Depends {
    type Output = Self;
    fn not(self) -> Self {
        Self::made(|i| match self.0[i] {
            Bit::Is(value) => Bit::Is(!value),
            of @ Bit::Of(_) => of,
        })
    }
}
