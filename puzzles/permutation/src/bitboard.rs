//! The fast twin of the rulebook, variant `bitboard`: a state is its key, whose places tables
//! carry to where a move puts them; from rank to rank tables lead without a state.

mod coordinates;
mod field;
mod rows;

use std::sync::OnceLock;

use puzzle_api::{
    BadInput, Direction, MoveNames, NamedStates, NeighbourKeys, NeighbourRanks, Numbering,
    Placement, Puzzle, RandomStates, Request, SolvedStates, Symmetry, Undirected, Xorshift,
};

use crate::definition::Part;
use crate::instances;
use crate::kept::differ;
use crate::state::Opened;
use coordinates::Coordinates;
use field::{Field, fields, size};
use rows::Rows;

/// Variant `bitboard`, opened on an instance.
pub struct Bits {
    opened: Opened,
    solved: u64,
    fields: Vec<Field>,
    rows: Rows,
    images: Rows,
    /// States that are numbered; `None` for too many, or pieces that look alike.
    size: Option<u64>,
    /// Made when ranks are asked for; `None` where the tables would be too large.
    coordinates: OnceLock<Option<Coordinates>>,
}

impl Bits {
    fn new(opened: Opened) -> Self {
        let fields = fields(&opened);
        let distinct = opened
            .definition
            .solved
            .iter()
            .all(|part| differ(&part.pieces));
        let mut bits = Self {
            solved: 0,
            size: distinct.then(|| size(&fields)).flatten(),
            rows: Rows::of_moves(&fields, &opened.steps),
            images: Rows::of_rotations(&fields, &opened),
            coordinates: OnceLock::new(),
            fields,
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
        self.rows.each(*state, emit);
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
        for &key in keys {
            self.rows.extend(key, out);
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

impl Symmetry for Bits {
    fn symmetry_count(&self) -> u32 {
        self.opened.rotations.len() as u32
    }

    fn image(&self, state: &u64, index: u32) -> u64 {
        self.images.word(*state, index as usize)
    }

    #[inline]
    fn canonical(&self, state: &u64) -> u64 {
        self.images.least(*state).0
    }

    fn orbit_size(&self, state: &u64) -> u32 {
        self.canonical_and_size(state).1
    }

    /// Every image occurs as often as the state does.
    #[inline]
    fn canonical_and_size(&self, state: &u64) -> (u64, u32) {
        let (least, same) = self.images.least(*state);
        (least, self.symmetry_count() / same.max(1))
    }
}

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

impl NeighbourRanks for Bits {
    fn neighbour_ranks(&self, way: Direction, part: u64, ranks: &[u64], out: &mut Vec<u64>) {
        self.keys_and_neighbour_ranks(way, part, ranks, &mut Vec::new(), out);
    }

    /// Moves can be undone, so both directions are one.
    fn keys_and_neighbour_ranks(
        &self,
        _direction: Direction,
        part: u64,
        ranks: &[u64],
        keys: &mut Vec<u64>,
        out: &mut Vec<u64>,
    ) {
        let size = self.space(part).unwrap_or(0);
        let known = ranks.iter().copied().filter(|&rank| rank < size);
        let coordinates = self.coordinates.get_or_init(|| Coordinates::new(self));
        if let Some(coordinates) = coordinates {
            keys.extend(known.map(|rank| coordinates.around(rank, out)));
            return;
        }
        let mut successors = Vec::new();
        for key in known.filter_map(|rank| self.unrank(Placement { part, rank })) {
            successors.clear();
            self.rows.extend(key, &mut successors);
            out.extend(
                successors
                    .iter()
                    .filter_map(|next| Some(self.place(next)?.rank)),
            );
            keys.push(key);
        }
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
