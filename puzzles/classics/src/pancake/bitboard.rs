//! The fast twin of the rulebook, variant `bitboard`: a stack is its key, and a turn
//! reverses groups of four bits.

use puzzle_api::{
    BadInput, Expand, Names, Neighbours, Numbering, Placement, Puzzle, RandomStates, Request,
    SolvedStates, Undirected, Want, Xorshift,
};

use crate::pancake::stack::{self, MOST, Pancakes, Stack};

/// Where the burnt sides begin.
const SIDES: usize = 4 * MOST;

/// Variant `bitboard`, opened on an instance.
pub struct Bits {
    stack: Stack,
    sorted: u64,
    /// By place: the orders of the pancakes from there on.
    orders: [u64; MOST + 1],
}

fn pack(pancakes: &[(u8, bool)]) -> u64 {
    let places = pancakes.iter().enumerate();
    places.fold(0, |key, (place, &(size, up))| {
        key | u64::from(size) << (4 * place) | u64::from(up) << (SIDES + place)
    })
}

impl Bits {
    fn new(stack: Stack) -> Self {
        let mut orders = [1; MOST + 1];
        for place in (0..stack.count).rev() {
            orders[place] = orders[place + 1] * (stack.count - place) as u64;
        }
        Self {
            sorted: pack(&stack.sorted()),
            stack,
            orders,
        }
    }

    /// Keys of the stacks that one move leads to.
    #[inline]
    pub fn each_successor(&self, key: u64, mut emit: impl FnMut(u64)) {
        let sizes = key & ((1 << SIDES) - 1);
        // All groups of four bits in reverse order, the topmost highest.
        let swapped = sizes.swap_bytes();
        let reversed =
            (swapped >> 4 & 0x0f0f_0f0f_0f0f_0f0f) | (swapped & 0x0f0f_0f0f_0f0f_0f0f) << 4;
        let first = if self.stack.burnt { 1 } else { 2 };
        for count in first..=self.stack.count {
            let mask = (1_u64 << (4 * count)) - 1;
            let mut next = key & !mask | reversed >> (64 - 4 * count);
            if self.stack.burnt {
                let mask = (1_u64 << count) - 1;
                let sides = (!(key >> SIDES)).reverse_bits() >> (64 - count);
                next = next & !(mask << SIDES) | (sides & mask) << SIDES;
            }
            emit(next);
        }
    }

    fn pancakes(&self, key: u64) -> Pancakes {
        let pancake = |place| {
            (
                (key >> (4 * place) & 15) as u8,
                key >> (SIDES + place) & 1 == 1,
            )
        };
        (0..self.stack.count).map(pancake).collect()
    }
}

impl Puzzle for Bits {
    type Key = u64;
    type State = u64;

    const VARIANT: &'static str = "bitboard";

    fn open(request: &Request<'_>) -> Result<Self, BadInput> {
        Ok(Self::new(stack::open(request)?))
    }

    #[inline]
    fn successors(&self, state: &u64, emit: &mut dyn FnMut(u64)) {
        self.each_successor(*state, emit);
    }

    fn is_solved(&self, state: &u64) -> bool {
        *state == self.sorted
    }

    #[inline]
    fn key(&self, state: &u64) -> u64 {
        *state
    }

    #[inline]
    fn state(&self, key: u64) -> u64 {
        key
    }

    fn parse(&self, text: &str) -> Result<u64, BadInput> {
        Ok(pack(&self.stack.parse(text)?))
    }

    fn draw(&self, state: &u64) -> String {
        self.stack.draw(&self.pancakes(*state))
    }
}

impl Expand for Bits {
    /// Moves can be undone, so both directions are one.
    fn expand(&self, _: Want, keys: &[u64], _: &[u32], out: &mut Neighbours<u64>) {
        for &key in keys {
            self.each_successor(key, |next| out.keys.push(next));
            out.end();
        }
    }
}

impl SolvedStates for Bits {
    fn solved_states(&self, _part: u64, emit: &mut dyn FnMut(u64)) {
        emit(self.sorted);
    }
}

/// Turned over again, a stack is as it was.
impl Undirected for Bits {}

impl Numbering for Bits {
    fn space(&self, part: u64) -> Option<u64> {
        let sides = if self.stack.burnt {
            self.stack.count
        } else {
            0
        };
        (part == 0).then(|| self.orders[0] << sides)
    }

    #[inline]
    fn place(&self, state: &u64) -> Option<Placement> {
        let (mut used, mut rank) = (0_u32, 0);
        for place in 0..self.stack.count {
            let size = (state >> (4 * place)) as u32 & 15;
            let smaller = size - (used & ((1 << size) - 1)).count_ones();
            used |= 1 << size;
            rank += self.orders[place + 1] * u64::from(smaller);
        }
        if self.stack.burnt {
            let sides = (state >> SIDES).reverse_bits() >> (64 - self.stack.count);
            rank = rank << self.stack.count | sides;
        }
        Some(Placement { part: 0, rank })
    }

    #[inline]
    fn unrank(&self, placement: Placement) -> Option<u64> {
        let mut rest = placement.rank;
        if rest >= self.space(placement.part)? {
            return None;
        }
        let mut key = 0;
        if self.stack.burnt {
            let count = self.stack.count;
            let sides = rest & ((1 << count) - 1);
            key = sides.reverse_bits() >> (64 - count) << SIDES;
            rest >>= count;
        }
        let mut left = 0xba98_7654_3210_u64;
        for place in 0..self.stack.count {
            let digit = rest / self.orders[place + 1];
            rest %= self.orders[place + 1];
            let low = (1_u64 << (4 * digit)) - 1;
            key |= (left >> (4 * digit) & 15) << (4 * place);
            left = left & low | left >> 4 & !low;
        }
        Some(key)
    }
}

impl RandomStates for Bits {
    fn random(&self, random: &mut Xorshift) -> Option<u64> {
        Some(pack(&self.stack.random(random)))
    }
}

impl Names for Bits {
    fn describe_move(&self, from: &u64, to: &u64) -> Option<String> {
        self.stack
            .describe_move(&self.pancakes(*from), &self.pancakes(*to))
    }

    fn names(&self) -> Vec<String> {
        vec!["sorted".to_owned()]
    }
}
