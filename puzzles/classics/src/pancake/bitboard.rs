//! The fast variant, `bitboard`: a stack is its key, and a turn reverses groups of four bits.

use std::sync::OnceLock;

use puzzle_api::{BadInput, Direction, Fast, Numbering, Placement, Puzzle, Undirected};

use super::Rules;
use super::rules::MOST;

/// Where the bits of the burnt sides begin.
const SIDES: usize = 4 * MOST;

/// Most pancakes whose orders stand in a table.
const MOST_TOPS: usize = 8;

/// Variant `bitboard`, opened on an instance.
pub struct Bits {
    rules: Rules,
    goal: u64,
    /// By number of pancakes: their orders.
    orders: [u64; MOST + 1],
    /// By rank of the topmost alone, [`MOST_TOPS`] at most: their order, four bits each, and its
    /// rank after the turn of 2 and more.
    tops: OnceLock<Vec<(u32, [u16; MOST_TOPS - 1])>>,
}

impl Bits {
    /// A stack after the topmost `count` pancakes are turned over.
    #[inline]
    fn turned(&self, key: u64, count: usize) -> u64 {
        let sizes = key & ((1 << SIDES) - 1);
        // All groups of four bits in reverse order, the topmost highest.
        let swapped = sizes.swap_bytes();
        let reversed =
            (swapped >> 4 & 0x0f0f_0f0f_0f0f_0f0f) | (swapped & 0x0f0f_0f0f_0f0f_0f0f) << 4;
        let mask = (1_u64 << (4 * count)) - 1;
        let next = key & !mask | reversed >> (64 - 4 * count);
        if !self.rules.burnt {
            return next;
        }
        let mask = (1_u64 << count) - 1;
        let sides = (!(key >> SIDES)).reverse_bits() >> (64 - count);
        next & !(mask << SIDES) | (sides & mask) << SIDES
    }

    /// A rank from that of the order and a key with the sides.
    #[inline]
    fn joined(&self, order: u64, key: u64) -> u64 {
        match self.rules.burnt {
            true => {
                order << self.rules.count | (key >> SIDES).reverse_bits() >> (64 - self.rules.count)
            }
            false => order,
        }
    }

    #[inline]
    fn rank(&self, key: u64) -> u64 {
        // By size, four bits each: how many of those above are smaller.
        let (mut smaller, mut order) = (0_u64, 0);
        for place in 0..self.rules.count {
            let size = key >> (4 * place) & 15;
            let larger = place as u64 - (smaller >> (4 * size) & 15);
            order += self.orders[place] * larger;
            smaller = smaller.wrapping_add(0x1111_1111_1111_1110 << (4 * size));
        }
        self.joined(order, key)
    }
}

impl Fast for Bits {
    type Rules = Rules;

    fn new(rules: Rules) -> Result<Self, BadInput> {
        let mut orders = [1; MOST + 1];
        for count in 1..=rules.count {
            orders[count] = orders[count - 1] * count as u64;
        }
        Ok(Self {
            goal: rules.key(&rules.sorted()),
            orders,
            rules,
            tops: OnceLock::new(),
        })
    }

    fn rules(&self) -> &Rules {
        &self.rules
    }

    #[inline]
    fn each_neighbour(&self, _: Direction, key: u64, mut emit: impl FnMut(u64)) {
        let first = if self.rules.burnt { 1 } else { 2 };
        (first..=self.rules.count).for_each(|count| emit(self.turned(key, count)));
    }

    fn solves(&self, key: u64) -> bool {
        key == self.goal
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
        let rank = self.rank(*state);
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
        for place in (0..count).rev() {
            let smaller = place as u64 - rest / self.orders[place];
            rest %= self.orders[place];
            let low = (1_u64 << (4 * smaller)) - 1;
            key |= (left >> (4 * smaller) & 15) << (4 * place);
            left = left & low | left >> 4 & !low;
        }
        Some(key)
    }

    /// A turn changes the order of those above the spatula alone, whatever lies below: up to
    /// `MOST_TOPS` by table.
    fn neighbour_ranks(
        &self,
        direction: Direction,
        part: u64,
        ranks: &[u64],
        keys: Option<&mut Vec<u64>>,
        out: &mut Vec<u64>,
    ) -> bool {
        let (Rules { count, burnt }, mut unasked) = (self.rules, Vec::new());
        let (keys, upper) = (keys.unwrap_or(&mut unasked), count.min(MOST_TOPS));
        let (width, sides) = (self.orders[upper], if burnt { count } else { 0 });
        let plain = Rules {
            count: upper,
            burnt: false,
        };
        let Ok(alone) = Self::new(plain) else {
            return false;
        };
        let tops = self.tops.get_or_init(|| {
            let top = |rank| {
                let key = alone.unrank(Placement { part, rank })?;
                let (mut turns, mut turn) = ([0; MOST_TOPS - 1], 0);
                alone.each_neighbour(direction, key, |next| {
                    turns[turn] = alone.rank(next) as u16;
                    turn += 1;
                });
                Some((key as u32, turns))
            };
            (0..width).filter_map(top).collect()
        });
        let lies_on = |first: u64| {
            // The topmost sorted, by whose places the table names sizes.
            let rank = first << sides;
            self.unrank(Placement { part, rank }).unwrap_or(0) & ((1 << SIDES) - 1)
        };
        let (mut first, mut sorted) = (0, lies_on(0));
        let size = self.space(part).unwrap_or(0);
        for &rank in ranks.iter().filter(|&&rank| rank < size) {
            let order = rank >> sides;
            if order.wrapping_sub(first) >= width {
                first = order - order % width;
                sorted = lies_on(first);
            }
            let (places, turns) = &tops[(order - first) as usize];
            let mut key = sorted >> (4 * upper) << (4 * upper);
            for place in 0..upper {
                let from = places >> (4 * place) & 15;
                key |= (sorted >> (4 * from) & 15) << (4 * place);
            }
            if burnt {
                key |= (rank & ((1 << count) - 1)).reverse_bits() >> (64 - count) << SIDES;
                out.push(self.joined(order, self.turned(key, 1)));
            }
            keys.push(key);
            let by_table = turns[..upper - 1].iter().zip(2..);
            out.extend(by_table.map(|(&top, turned)| {
                self.joined(first + u64::from(top), self.turned(key, turned))
            }));
            out.extend((upper + 1..=count).map(|turned| self.rank(self.turned(key, turned))));
        }
        true
    }
}
