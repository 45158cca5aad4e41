//! A word that counts the operations made on it.

use crate::bitboard::life::Rotate;
use std::cell::Cell;
use std::ops::{BitAnd, BitAndAssign, BitOr, BitOrAssign, BitXor, BitXorAssign, Not, Shl, Shr};

thread_local! {
    static COUNT: Cell<u32> = const { Cell::new(0) };
}

/// A `u64` each of whose operators adds one to this thread's count.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Counted(pub u64);

fn tick(value: u64) -> Counted {
    COUNT.with(|count| count.set(count.get() + 1));
    Counted(value)
}

/// The operations that `work` makes.
pub fn operations<T>(work: impl FnOnce() -> T) -> u32 {
    let before = COUNT.with(Cell::get);
    work();
    COUNT.with(Cell::get) - before
}

macro_rules! counted {
    ($($trait:ident $method:ident $assign_trait:ident $assign:ident;)*) => {$(
        impl $trait for Counted {
            type Output = Self;
            fn $method(self, other: Self) -> Self {
                tick(self.0.$method(other.0))
            }
        }

        impl $assign_trait for Counted {
            fn $assign(&mut self, other: Self) {
                *self = self.$method(other);
            }
        }
    )*};
}

counted! {
    BitAnd bitand BitAndAssign bitand_assign;
    BitOr bitor BitOrAssign bitor_assign;
    BitXor bitxor BitXorAssign bitxor_assign;
}

impl Not for Counted {
    type Output = Self;
    fn not(self) -> Self {
        tick(!self.0)
    }
}

impl Shl<u32> for Counted {
    type Output = Self;
    fn shl(self, by: u32) -> Self {
        tick(self.0 << by)
    }
}

impl Shr<u32> for Counted {
    type Output = Self;
    fn shr(self, by: u32) -> Self {
        tick(self.0 >> by)
    }
}

impl Rotate for Counted {
    fn rotate_down(self, by: u32) -> Self {
        tick(self.0.rotate_right(by))
    }
    fn rotate_up(self, by: u32) -> Self {
        tick(self.0.rotate_left(by))
    }
}
