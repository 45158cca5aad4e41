//! From ranks to the ranks of neighbours by table, without a state in between. A rank is made of
//! the order and the turns of each set, and a move changes each of them independently of the
//! others.

use super::Bits;
use crate::numbering::Group;

/// Most entries of all tables: 32 MiB. Beyond this, building them takes longer than they save.
const MOST_ENTRIES: u64 = 1 << 22;

/// One factor of a rank: the order or the turns of a set.
#[derive(Debug)]
struct Coordinate {
    values: u64,
    /// By value: its bits of the key, to be added to those of the others.
    bits: Vec<u64>,
    /// By value and move: the value after it, times the number of ranks that share it.
    after: Vec<u64>,
}

/// The coordinates of a puzzle, the one that changes fastest first.
#[derive(Debug)]
pub(super) struct Coordinates {
    moves: usize,
    /// Bits of the key that no coordinate decides.
    rest: u64,
    all: Vec<Coordinate>,
}

impl Coordinates {
    /// The tables of a puzzle whose states are numbered. `None` if they are too large, or if the
    /// turns of some set depend on the order of its pieces.
    pub(super) fn new(bits: &Bits) -> Option<Self> {
        let (moves, numbers) = (bits.opened.steps.len(), &bits.opened.numbers);
        numbers.size?;
        let factors = || {
            numbers
                .groups
                .iter()
                .flat_map(|set| [set.orders, set.twists])
        };
        let entries = factors()
            .filter(|&values| values > 1)
            .try_fold(0_u64, |sum, values| {
                sum.checked_add(values.checked_mul(moves as u64)?)
            })?;
        if entries > MOST_ENTRIES || !numbers.groups.iter().all(Group::is_apart) {
            return None;
        }
        let mut made = Self {
            moves,
            rest: bits.pack(&bits.opened.unrank(0)),
            all: Vec::new(),
        };
        let mut weight = 1;
        for group in numbers.groups.iter().rev() {
            let twist = |value| (0, value);
            made.add(bits, group, group.twists, weight, twist, |both| both.1);
            weight *= group.twists;
            let order = |value| (value, 0);
            made.add(bits, group, group.orders, weight, order, |both| both.0);
            weight *= group.orders;
        }
        Some(made)
    }

    /// Adds a coordinate of one group: its bits of the key by value, and its new value.
    fn add(
        &mut self,
        bits: &Bits,
        group: &Group,
        values: u64,
        weight: u64,
        of_value: impl Fn(u64) -> (u64, u64),
        value_of: impl Fn((u64, u64)) -> u64,
    ) {
        if values <= 1 {
            return;
        }
        let (numbers, set) = (&bits.opened.numbers, group.set);
        let (mut own, mut after) = (Vec::new(), Vec::new());
        let mut lies = bits.opened.definition.solved[set].clone();
        for value in 0..values {
            let (order, twist) = of_value(value);
            let mut key = 0;
            numbers.put_group(group, order, twist, |place, piece, turn| {
                (lies.pieces[place], lies.turns[place]) = (piece, turn);
                let field = bits.fields.get(set);
                key += field.map_or(0, |field| field.bits(place, (piece, turn)));
            });
            own.push(key);
            after.extend(bits.opened.steps.iter().map(|step| {
                let part = &step.parts[set];
                let both = numbers.of_group(group, |place| {
                    let from = usize::from(part.pieces[place]);
                    let turn = u64::from(lies.turns[from]) + u64::from(part.turns[place]);
                    (lies.pieces[from], (turn % group.turns) as u8)
                });
                value_of(both) * weight
            }));
        }
        let first = own[0];
        self.all.push(Coordinate {
            values,
            bits: own.into_iter().map(|key| key.wrapping_sub(first)).collect(),
            after,
        });
    }

    /// Appends the ranks around one, by move, and returns its key.
    #[inline]
    pub(super) fn around(&self, rank: u64, out: &mut Vec<u64>) -> u64 {
        let (start, mut rest, mut key) = (out.len(), rank, self.rest);
        let mut row = |coordinate: &'_ Coordinate| {
            let value = coordinate.split(&mut rest);
            key = key.wrapping_add(coordinate.bits[value]);
            value * self.moves..(value + 1) * self.moves
        };
        match &self.all[..] {
            [] => out.resize(start + self.moves, 0),
            [only] => out.extend_from_slice(&only.after[row(only)]),
            [first, second, others @ ..] => {
                let both = first.after[row(first)]
                    .iter()
                    .zip(&second.after[row(second)]);
                out.extend(both.map(|(a, b)| a + b));
                for other in others {
                    let more = &other.after[row(other)];
                    out[start..]
                        .iter_mut()
                        .zip(more)
                        .for_each(|(sum, more)| *sum += more);
                }
            }
        }
        key
    }
}

impl Coordinate {
    /// Extracts the value from the rest of a rank after the earlier coordinates.
    #[inline]
    fn split(&self, rest: &mut u64) -> usize {
        // For the last coordinate this is the whole rest, and a division takes longer.
        let (left, value) = match *rest < self.values {
            true => (0, *rest),
            false => (*rest / self.values, *rest % self.values),
        };
        *rest = left;
        value as usize
    }
}
