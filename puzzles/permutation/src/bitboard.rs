//! The fast twin of the rulebook, variant `bitboard`: a state is its key, and a move takes
//! the places that it changes out of it and puts others in, turned by table.

use puzzle_api::{
    BadInput, Direction, MoveNames, NamedStates, NeighbourKeys, Numbering, Placement, Puzzle,
    RandomStates, Request, SolvedStates, Undirected, Xorshift,
};

use crate::definition::Part;
use crate::instances;
use crate::state::{Opened, differ, is_odd};

/// Where a set lies in a key, and how it is numbered.
#[derive(Debug)]
struct Field {
    /// Lowest bit of each place.
    shifts: Vec<u32>,
    /// The bits of a place, at the low end.
    mask: u64,
    turns: u64,
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
    orders: u64,
    twists: u64,
}

/// What a move does to one place.
#[derive(Debug, Clone, Copy)]
struct Change {
    from: u32,
    to: u32,
    mask: u64,
    /// Start of the values after the turn in the tables.
    table: u32,
}

/// A move: the bits that stay, and what comes to the others.
#[derive(Debug)]
struct Step {
    kept: u64,
    changes: Vec<Change>,
}

/// Variant `bitboard`, opened on an instance.
pub struct Bits {
    opened: Opened,
    solved: u64,
    fields: Vec<Field>,
    steps: Vec<Step>,
    /// Values of a place after turns, table by table.
    turned: Vec<u16>,
    /// States that are numbered; `None` for too many, or pieces that look alike.
    size: Option<u64>,
}

impl Bits {
    fn new(opened: Opened) -> Self {
        let fields = fields(&opened);
        let (mut turned, mut steps) = (Vec::new(), Vec::new());
        for step in &opened.steps {
            let mut made = Step {
                kept: u64::MAX,
                changes: Vec::new(),
            };
            for (field, part) in fields.iter().zip(&step.parts) {
                for (to, (&from, &turn)) in part.pieces.iter().zip(&part.turns).enumerate() {
                    if usize::from(from) == to && turn == 0 {
                        continue;
                    }
                    made.kept &= !(field.mask << field.shifts[to]);
                    made.changes.push(Change {
                        from: field.shifts[usize::from(from)],
                        to: field.shifts[to],
                        mask: field.mask,
                        table: turned.len() as u32,
                    });
                    // A table for each place and move: they are few and short.
                    turned.extend((0..=field.mask).map(|value| {
                        let (piece, own) = (value / field.turns, value % field.turns);
                        (piece * field.turns + (own + u64::from(turn)) % field.turns) as u16
                    }));
                }
            }
            steps.push(made);
        }
        let distinct = opened
            .definition
            .solved
            .iter()
            .all(|part| differ(&part.pieces));
        let mut bits = Self {
            solved: 0,
            size: distinct.then(|| size(&fields)).flatten(),
            fields,
            steps,
            turned,
            opened,
        };
        bits.solved = bits.pack(&bits.opened.definition.solved);
        bits
    }

    fn pack(&self, state: &[Part]) -> u64 {
        let sets = self.fields.iter().zip(state);
        let places = sets.flat_map(|(field, part)| {
            let values = part.pieces.iter().zip(&part.turns).zip(&field.shifts);
            values.map(|((&piece, &turn), &shift)| {
                (u64::from(piece) * field.turns + u64::from(turn)) << shift
            })
        });
        places.fold(0, |key, place| key | place)
    }

    fn unpack(&self, key: u64) -> Vec<Part> {
        let part = |field: &Field| {
            let values = field.shifts.iter().map(|shift| key >> shift & field.mask);
            let (pieces, turns) = values
                .map(|value| ((value / field.turns) as u8, (value % field.turns) as u8))
                .unzip();
            Part { pieces, turns }
        };
        self.fields.iter().map(part).collect()
    }

    /// Keys of the states that one move leads to.
    #[inline]
    pub fn each_successor(&self, key: u64, mut emit: impl FnMut(u64)) {
        for step in &self.steps {
            let mut next = key & step.kept;
            for change in &step.changes {
                let value = (key >> (change.from & 63) & change.mask) as u32;
                let after = self.turned[(change.table + value) as usize];
                next |= u64::from(after) << (change.to & 63);
            }
            emit(next);
        }
    }
}

fn fields(opened: &Opened) -> Vec<Field> {
    let definition = &opened.definition;
    let mut shift = 0;
    let sets = definition
        .sets
        .iter()
        .zip(&definition.solved)
        .zip(&opened.kept);
    let field = |((set, solved), kept): ((&crate::definition::Set, &Part), &crate::state::Kept)| {
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
fn size(fields: &[Field]) -> Option<u64> {
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
    fn rank(&self, key: u64) -> (u64, u64) {
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
    fn unrank(&self, order: u64, twist: u64) -> u64 {
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

impl Puzzle for Bits {
    type Key = u64;
    type State = u64;

    const VARIANT: &'static str = "bitboard";

    fn open(request: &Request<'_>) -> Result<Self, BadInput> {
        Ok(Self::new(instances::open(request)?))
    }

    #[inline]
    fn successors(&self, state: &u64, emit: &mut dyn FnMut(u64)) {
        self.each_successor(*state, emit);
    }

    fn is_solved(&self, state: &u64) -> bool {
        *state == self.solved
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
        Ok(self.pack(&self.opened.parse(text)?))
    }

    fn draw(&self, state: &u64) -> String {
        self.opened.draw(&self.unpack(*state))
    }
}

impl NeighbourKeys for Bits {
    /// Moves can be undone, so both directions are one.
    fn neighbour_keys(
        &self,
        _direction: Direction,
        keys: &[u64],
        out: &mut Vec<u64>,
        ends: &mut Vec<usize>,
    ) {
        out.reserve(keys.len() * self.steps.len());
        for &key in keys {
            self.each_successor(key, |next| out.push(next));
            ends.push(out.len());
        }
    }
}

impl SolvedStates for Bits {
    fn solved_states(&self, _part: u64, emit: &mut dyn FnMut(u64)) {
        emit(self.solved);
    }
}

/// A move can be made backward, which counts as one too.
impl Undirected for Bits {}

impl Numbering for Bits {
    fn space(&self, part: u64) -> Option<u64> {
        self.size.filter(|_| part == 0)
    }

    fn place(&self, state: &u64) -> Option<Placement> {
        self.size?;
        let rank = self.fields.iter().fold(0, |rank, field| {
            let (order, twist) = field.rank(*state);
            (rank * field.orders + order) * field.twists + twist
        });
        Some(Placement { part: 0, rank })
    }

    fn unrank(&self, placement: Placement) -> Option<u64> {
        let mut rest = placement.rank;
        if rest >= self.space(placement.part)? {
            return None;
        }
        let mut key = 0;
        for field in self.fields.iter().rev() {
            let twist = rest % field.twists;
            rest /= field.twists;
            key |= field.unrank(rest % field.orders, twist);
            rest /= field.orders;
        }
        Some(key)
    }
}

impl RandomStates for Bits {
    fn random(&self, random: &mut Xorshift) -> Option<u64> {
        Some(self.pack(&self.opened.random(random)))
    }
}

impl MoveNames for Bits {
    fn describe_move(&self, from: &u64, to: &u64) -> Option<String> {
        self.opened
            .describe_move(&self.unpack(*from), &self.unpack(*to))
    }
}

impl NamedStates for Bits {
    fn names(&self) -> Vec<String> {
        vec!["solved".to_owned()]
    }
}
