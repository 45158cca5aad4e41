//! From ranks to the ranks of neighbours by table, without a state in between. A rank is made of
//! the order and the turns of each set, and a move changes each of them independently of the
//! others.

use puzzle_api::Puzzle;

use super::Bits;
use crate::numbering::Group;

/// Most entries of all tables: 32 MiB. Beyond this, building them takes longer than they save.
const MOST_ENTRIES: u64 = 1 << 22;

/// One factor of a rank: the order or the turns of a set.
#[derive(Debug)]
struct Coordinate {
    values: u64,
    /// Number of ranks that share a value and those of the coordinates behind.
    weight: u64,
    /// By value: its bits of the key, to be added to those of the others.
    bits: Vec<u64>,
    /// By value and move: what it is after.
    after: Vec<u32>,
}

/// The coordinates of a puzzle, the one that changes fastest first.
#[derive(Debug)]
pub(super) struct Coordinates {
    moves: usize,
    /// Bits of the key that no coordinate decides.
    rest: u64,
    first: Coordinate,
    others: Vec<Coordinate>,
}

impl Coordinates {
    /// The tables of a puzzle whose states are numbered. `None` if they are too large, or if the
    /// turns of some set depend on the order of its pieces.
    pub(super) fn new(bits: &Bits) -> Option<Self> {
        let (moves, numbers) = (bits.rules.opened.steps.len(), &bits.rules.opened.numbers);
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
        let (mut all, mut weight) = (Vec::new(), 1);
        for group in numbers.groups.iter().rev() {
            let twist = |value| (0, value);
            let twists = Coordinate::new(bits, group, group.twists, weight, twist, |both| both.1);
            weight *= group.twists;
            let order = |value| (value, 0);
            let orders = Coordinate::new(bits, group, group.orders, weight, order, |both| both.0);
            weight *= group.orders;
            all.extend([twists, orders].into_iter().filter(|one| one.values > 1));
        }
        let mut all = all.into_iter();
        let single = || Coordinate {
            values: 1,
            weight: 1,
            bits: vec![0],
            after: vec![0; moves],
        };
        Some(Self {
            moves,
            rest: bits.rules.key(&bits.rules.opened.unrank(0)),
            first: all.next().unwrap_or_else(single),
            others: all.collect(),
        })
    }

    /// The key of a rank.
    pub(super) fn key(&self, mut rank: u64) -> u64 {
        let mut key = self.rest;
        for one in std::iter::once(&self.first).chain(&self.others) {
            key = key.wrapping_add(one.bits[(rank % one.values) as usize]);
            rank /= one.values;
        }
        key
    }

    /// Appends the ranks around each, by move, and their keys to `keys`.
    pub(super) fn around(
        &self,
        ranks: impl Iterator<Item = u64>,
        out: &mut Vec<u64>,
        mut keys: impl FnMut(u64),
    ) {
        // What the other coordinates add is the same for many ranks that follow each other.
        let (mut start, mut key, mut sums) = (0, 0, Vec::new());
        let first = &self.first;
        for rank in ranks {
            if sums.is_empty() || rank.wrapping_sub(start) >= first.values {
                let mut rest = rank / first.values;
                start = rest * first.values;
                sums.clear();
                sums.resize(self.moves, 0);
                key = self.rest;
                for other in &self.others {
                    let value = (rest % other.values) as usize;
                    rest /= other.values;
                    key = key.wrapping_add(other.bits[value]);
                    let row = other.after[value * self.moves..].iter();
                    let row = row.map(|&after| u64::from(after) * other.weight);
                    sums.iter_mut()
                        .zip(row)
                        .for_each(|(sum, more)| *sum += more);
                }
            }
            let value = (rank - start) as usize;
            keys(key.wrapping_add(first.bits[value]));
            let row = &first.after[value * self.moves..(value + 1) * self.moves];
            out.extend(
                sums.iter()
                    .zip(row)
                    .map(|(sum, &after)| sum + u64::from(after)),
            );
        }
    }
}

impl Coordinate {
    /// The coordinate of one group: its bits of the key by value, and its new value.
    fn new(
        bits: &Bits,
        group: &Group,
        values: u64,
        weight: u64,
        of_value: impl Fn(u64) -> (u64, u64),
        value_of: impl Fn((u64, u64)) -> u64,
    ) -> Self {
        let (numbers, set) = (&bits.rules.opened.numbers, group.set);
        let (mut own, mut after) = (Vec::new(), Vec::new());
        let mut lies = bits.rules.opened.definition.solved[set].clone();
        for value in 0..values {
            let (order, twist) = of_value(value);
            let mut key = 0;
            numbers.put_group(group, order, twist, |place, piece, turn| {
                (lies.pieces[place], lies.turns[place]) = (piece, turn);
                let field = bits.fields.get(set);
                key += field.map_or(0, |field| field.bits(place, (piece, turn)));
            });
            own.push(key);
            after.extend(bits.rules.opened.steps.iter().map(|step| {
                let part = &step.parts[set];
                let both = numbers.of_group(group, |place| {
                    let from = usize::from(part.pieces[place]);
                    let turn = u64::from(lies.turns[from]) + u64::from(part.turns[place]);
                    (lies.pieces[from], (turn % group.turns) as u8)
                });
                value_of(both) as u32
            }));
        }
        let first = own[0];
        Self {
            values,
            weight,
            bits: own.into_iter().map(|key| key.wrapping_sub(first)).collect(),
            after,
        }
    }
}
