//! The fast twin, variant `bitboard`: a board is its key, and a piece is extracted from it as bits
//! of a word that steps by shifts.

mod field;
mod numbering;

use std::sync::Arc;

use puzzle_api::{Expand, Neighbours, Numbering, Placement, SolvedStates, Want};

use crate::simple_block::instances::Instance;
use crate::variant::{Play, Variant};
pub(crate) use field::{Cells, Field};
use numbering::Numbers;

/// Variant `bitboard`.
pub type Bits = Variant<Shifts>;

/// An instance with its board as shifts and masks.
pub struct Shifts {
    instance: Instance,
    field: Field,
    numbers: Numbers,
}

impl Shifts {
    /// Keys of the boards after one move.
    #[inline]
    pub(crate) fn each_next(&self, key: u64, mut emit: impl FnMut(u64)) {
        let field = &self.field;
        let pieces = field.pieces(key);
        let mut first = 1;
        while first <= self.instance.pieces {
            let alike = &pieces[first..self.last_alike(&pieces, first) + 1];
            let covered = alike.iter().fold(0, |covered, piece| covered | piece);
            let others = key & !(field.digits(covered) * 15);
            for (at, &piece) in alike.iter().enumerate() {
                let (reached, count) = field.reached(piece, pieces[0] | piece);
                for &moved in &reached[1..count] {
                    emit(others | field.renumbered(alike, at, moved, first));
                }
            }
            first += alike.len();
        }
    }

    /// The last of the pieces with the shape of a given one: their numbers are consecutive. The
    /// goal piece has a number of its own.
    #[inline]
    fn last_alike(&self, pieces: &[Cells], first: usize) -> usize {
        let shape = self.field.order(pieces[first]);
        let others = first + 1..=self.instance.pieces;
        let alike = |&number: &usize| first > 1 && self.field.order(pieces[number]) == shape;
        first + others.take_while(alike).count()
    }

    pub(crate) fn keys(&self, part: u64) -> Option<Arc<Vec<u64>>> {
        self.numbers.table(&self.field, part)
    }

    fn goal(&self, key: u64) -> Cells {
        self.field.pieces(key)[1]
    }

    /// Whether the goal piece touches the left edge and the upper one.
    pub fn touches_first(&self, key: u64) -> bool {
        let goal = self.goal(key);
        goal & self.field.top != 0 && goal & self.field.left != 0
    }

    /// Whether the goal piece covers the cell in the upper left corner.
    pub fn covers_first(&self, key: u64) -> bool {
        self.goal(key) & 1 == 1
    }
}

impl Play for Shifts {
    type Game = Instance;
    type State = u64;

    fn new(instance: Instance) -> Self {
        let field = Field::new(instance.grid.rows, instance.grid.columns);
        Self {
            numbers: Numbers::new(&instance, &field),
            field,
            instance,
        }
    }

    fn game(&self) -> &Instance {
        &self.instance
    }

    #[inline]
    fn key(&self, state: &u64) -> u64 {
        *state
    }

    #[inline]
    fn state(&self, key: u64) -> u64 {
        key
    }

    #[inline]
    fn successors(&self, state: &u64, emit: &mut dyn FnMut(u64)) {
        self.each_next(*state, emit);
    }

    /// Of the goal pieces that goal `corner` allows, those that touch both edges cover the corner.
    fn is_solved(&self, state: &u64) -> bool {
        let goal = self.goal(*state);
        goal & self.field.right != 0 && goal & self.field.bottom != 0
    }
}

impl Expand for Bits {
    /// Moves can be undone, so both directions are one.
    fn expand(&self, _: Want, keys: &[u64], _: &[u32], out: &mut Neighbours<u64>) {
        for &key in keys {
            self.each_next(key, |next| out.keys.push(next));
            out.end();
        }
    }
}

impl SolvedStates for Bits {
    fn solved_states(&self, part: u64, emit: &mut dyn FnMut(u64)) {
        self.numbers.each(&self.field, part, true, emit);
    }

    fn lists_solved_states(&self) -> bool {
        self.instance.start.is_none()
    }
}

impl Numbering for Bits {
    fn space(&self, part: u64) -> Option<u64> {
        self.numbers.size(&self.field, part)
    }

    fn place(&self, state: &u64) -> Option<Placement> {
        let pieces = self.field.pieces(*state);
        let part = self.numbers.part_of(&self.field, pieces[1], pieces[0])?;
        let keys = self.numbers.table(&self.field, part)?;
        let rank = keys.binary_search(state).ok()? as u64;
        Some(Placement { part, rank })
    }

    fn unrank(&self, placement: Placement) -> Option<u64> {
        let keys = self.numbers.table(&self.field, placement.part)?;
        keys.get(usize::try_from(placement.rank).ok()?).copied()
    }

    fn part_count(&self) -> u64 {
        self.numbers.part_count()
    }

    fn part_name(&self, part: u64) -> String {
        let name = |(goal, empty): (Cells, u32)| {
            let cells = 0..self.instance.grid.cells();
            let goal: Vec<bool> = cells.map(|cell| goal >> cell & 1 == 1).collect();
            self.instance.grid.part_name(&goal, empty)
        };
        let known = self.numbers.part(part);
        known.map_or_else(|| part.to_string(), name)
    }
}
