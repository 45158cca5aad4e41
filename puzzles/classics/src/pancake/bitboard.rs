//! The fast variant, `bitboard`: a stack is its key, and a turn reverses groups of four bits.

use puzzle_api::{Direction, Numbering, Placement, Puzzle, Undirected};

use super::Rules;
use super::rules::MOST;

/// Where the bits of the burnt sides begin.
const SIDES: usize = 4 * MOST;

/// Variant `bitboard`, opened on an instance.
pub struct Bits {
    rules: Rules,
    goal: u64,
    /// By place: the orders of the pancakes from there on.
    orders: [u64; MOST + 1],
}

fast_variant!(Bits, u64);

impl Bits {
    fn new(rules: Rules) -> Self {
        let mut orders = [1; MOST + 1];
        for place in (0..rules.count).rev() {
            orders[place] = orders[place + 1] * (rules.count - place) as u64;
        }
        Self {
            goal: rules.key(&rules.sorted()),
            orders,
            rules,
        }
    }

    /// Keys of the stacks after or before one move.
    #[inline]
    pub fn each_neighbour(&self, _: Direction, key: u64, mut emit: impl FnMut(u64)) {
        let sizes = key & ((1 << SIDES) - 1);
        // All groups of four bits in reverse order, the topmost highest.
        let swapped = sizes.swap_bytes();
        let reversed =
            (swapped >> 4 & 0x0f0f_0f0f_0f0f_0f0f) | (swapped & 0x0f0f_0f0f_0f0f_0f0f) << 4;
        let first = if self.rules.burnt { 1 } else { 2 };
        for count in first..=self.rules.count {
            let mask = (1_u64 << (4 * count)) - 1;
            let mut next = key & !mask | reversed >> (64 - 4 * count);
            if self.rules.burnt {
                let mask = (1_u64 << count) - 1;
                let sides = (!(key >> SIDES)).reverse_bits() >> (64 - count);
                next = next & !(mask << SIDES) | (sides & mask) << SIDES;
            }
            emit(next);
        }
    }
}

/// Turned over again, a stack is as it was.
impl Undirected for Bits {}

impl Numbering for Bits {
    fn space(&self, part: u64) -> Option<u64> {
        self.rules.space(part)
    }

    #[inline]
    fn place(&self, state: &u64) -> Option<Placement> {
        let (mut used, mut rank) = (0_u32, 0);
        for place in 0..self.rules.count {
            let size = (state >> (4 * place)) as u32 & 15;
            let smaller = size - (used & ((1 << size) - 1)).count_ones();
            used |= 1 << size;
            rank += self.orders[place + 1] * u64::from(smaller);
        }
        if self.rules.burnt {
            let sides = (state >> SIDES).reverse_bits() >> (64 - self.rules.count);
            rank = rank << self.rules.count | sides;
        }
        Some(Placement { part: 0, rank })
    }

    #[inline]
    fn unrank(&self, placement: Placement) -> Option<u64> {
        let (mut rest, count) = (placement.rank, self.rules.count);
        if rest >= self.space(placement.part)? {
            return None;
        }
        let mut key = 0;
        if self.rules.burnt {
            let sides = rest & ((1 << count) - 1);
            key = sides.reverse_bits() >> (64 - count) << SIDES;
            rest >>= count;
        }
        let mut left = 0xba98_7654_3210_u64;
        for place in 0..count {
            let digit = rest / self.orders[place + 1];
            rest %= self.orders[place + 1];
            let low = (1_u64 << (4 * digit)) - 1;
            key |= (left >> (4 * digit) & 15) << (4 * place);
            left = left & low | left >> 4 & !low;
        }
        Some(key)
    }
}
