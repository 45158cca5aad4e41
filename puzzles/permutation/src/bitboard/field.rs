//! A set in a key: where its places lie, and how its orders and turns are numbered.

use crate::definition::{Part, Set};
use crate::kept::{Kept, is_odd};
use crate::state::Opened;

/// Where a set lies in a key, and how it is numbered.
#[derive(Debug)]
pub(super) struct Field {
    /// Lowest bit of each place.
    pub(super) shifts: Vec<u32>,
    /// The bits of a place, at the low end.
    pub(super) mask: u64,
    pub(super) turns: u64,
    /// Places whose pieces moves exchange.
    exchanged: Vec<usize>,
    /// Pieces there in the solved state, ascending.
    pieces: Vec<u8>,
    /// Places whose pieces moves exchange or turn.
    moved: Vec<usize>,
    /// By the bits of a place: the number of its piece among `pieces`, and its turn.
    apart: Vec<(u8, u8)>,
    sum: bool,
    parity: bool,
    /// All pieces of the solved state and their turns, by place.
    whole: Vec<u8>,
    rest: Vec<u64>,
    /// Of the solved state: the sum of turns of `moved`, and whether the order is odd.
    solved: (u64, bool),
    /// Orders and turns that are numbered.
    pub(super) orders: u64,
    pub(super) twists: u64,
}

/// The sets of a puzzle, from the lowest bits of a key on.
pub(super) fn fields(opened: &Opened) -> Vec<Field> {
    let definition = &opened.definition;
    let mut shift = 0;
    let sets = definition
        .sets
        .iter()
        .zip(&definition.solved)
        .zip(&opened.kept);
    let field = |((set, solved), kept): ((&Set, &Part), &Kept)| {
        let most = (set.count * set.turns - 1) as u64;
        let bits = 64 - most.leading_zeros();
        let those = |which: &[bool]| -> Vec<usize> {
            (0..set.count).filter(|&place| which[place]).collect()
        };
        let (exchanged, moved) = (those(&kept.exchanged), those(&kept.moved));
        let there = exchanged.iter().map(|&place| solved.pieces[place]);
        let mut pieces: Vec<u8> = there.collect();
        pieces.sort_unstable();
        let apart = |value: u64| {
            let piece = value / set.turns as u64;
            let index = pieces.iter().filter(|&&other| u64::from(other) < piece);
            (index.count() as u8, (value % set.turns as u64) as u8)
        };
        let turned = moved.iter().map(|&place| u64::from(solved.turns[place]));
        let sum: u64 = turned.sum();
        let (count, turns) = (exchanged.len() as u32, set.turns as u64);
        let free = moved.len() - usize::from(kept.sum && !moved.is_empty());
        let orders = (1..=u64::from(count))
            .try_fold(1_u64, u64::checked_mul)
            .unwrap_or(u64::MAX);
        let shifts = (0..set.count as u32)
            .map(|place| shift + place * bits)
            .collect();
        shift += set.count as u32 * bits;
        Field {
            shifts,
            mask: (1 << bits) - 1,
            turns,
            whole: solved.pieces.clone(),
            rest: solved.turns.iter().map(|&turn| turn.into()).collect(),
            sum: kept.sum,
            parity: kept.parity && count > 1,
            solved: (sum % turns, is_odd(&solved.pieces)),
            orders: if kept.parity && count > 1 {
                orders / 2
            } else {
                orders
            },
            twists: turns.checked_pow(free as u32).unwrap_or(u64::MAX),
            apart: (0..1 << bits).map(apart).collect(),
            exchanged,
            pieces,
            moved,
        }
    };
    sets.map(field).collect()
}

/// Number of all states that are numbered, if it is below 2^62.
pub(super) fn size(fields: &[Field]) -> Option<u64> {
    let factors = fields.iter().flat_map(|field| [field.orders, field.twists]);
    let size = factors.into_iter().try_fold(1_u64, u64::checked_mul)?;
    (size < 1 << 62).then_some(size)
}

impl Field {
    /// Number of turns that are free: the last one follows where moves keep the sum.
    fn free(&self) -> usize {
        self.moved.len() - usize::from(self.sum && !self.moved.is_empty())
    }

    /// Order and turns of the places that move, as numbers.
    pub(super) fn rank(&self, key: u64) -> (u64, u64) {
        let apart = |place: usize| self.apart[(key >> self.shifts[place] & self.mask) as usize];
        let (mut order, mut used) = (0, 0_u64);
        for (at, &place) in self.exchanged.iter().enumerate() {
            let (index, _) = apart(place);
            let before = (used & ((1 << index) - 1)).count_ones();
            used |= 1 << index;
            let smaller = u64::from(index) - u64::from(before);
            order = order * (self.exchanged.len() - at) as u64 + smaller;
        }
        let turns = self.moved[..self.free()].iter();
        let twist = turns.fold(0, |twist, &place| {
            twist * self.turns + u64::from(apart(place).1)
        });
        // Of two orders that follow each other one is odd.
        (if self.parity { order / 2 } else { order }, twist)
    }

    /// The bits of the whole set.
    pub(super) fn unrank(&self, order: u64, twist: u64) -> u64 {
        let mut rest = if self.parity { order * 2 } else { order };
        let count = self.exchanged.len();
        let mut digits = vec![0; count];
        for (at, digit) in digits.iter_mut().enumerate().rev() {
            *digit = (rest % (count - at) as u64) as usize;
            rest /= (count - at) as u64;
        }
        let (mut left, mut pieces) = (self.pieces.clone(), self.whole.clone());
        for (&place, digit) in self.exchanged.iter().zip(digits) {
            pieces[place] = left.remove(digit);
        }
        if self.parity && is_odd(&pieces) != self.solved.1 {
            pieces.swap(self.exchanged[count - 2], self.exchanged[count - 1]);
        }
        let (mut turns, free) = (self.rest.clone(), self.free());
        let (mut rest, mut sum) = (twist, 0);
        for &place in self.moved[..free].iter().rev() {
            turns[place] = rest % self.turns;
            rest /= self.turns;
            sum += turns[place];
        }
        if let Some(&last) = self.moved.get(free) {
            turns[last] = (self.solved.0 + self.turns * free as u64 - sum) % self.turns;
        }
        let values = pieces.iter().zip(turns).zip(&self.shifts);
        values.fold(0, |key, ((&piece, turn), shift)| {
            key | (u64::from(piece) * self.turns + turn) << shift
        })
    }
}
