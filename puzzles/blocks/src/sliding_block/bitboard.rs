//! The fast twin of the rulebook, variant `bitboard`; a state is its key. A move decodes the key
//! into masks of cells, floods one piece at a time, and changes only its part of the key.

mod evaluation;
mod masks;

use puzzle_api::{Expand, Form, Neighbours, Want};

use crate::metric::Metric;
use crate::rules::{Game, moves_of};
use crate::sliding_block::board::{Board, Cells};
use crate::sliding_block::instances::Instance;
use crate::sliding_block::rules;
use crate::sliding_block::symmetry::{self, Symmetry};
use crate::variant::{Play, Variant};

use evaluation::GoalEvaluation;
use masks::{Masks, Turned};

/// Variant `bitboard`.
pub type Bits = Variant<Tables>;

/// A board with the tables that its moves need.
pub struct Tables {
    game: Instance,
    /// The fast path, for boards of at most 64 open cells; for others, the rulebook does the work.
    masks: Option<Box<Masks>>,
    symmetries: Vec<Symmetry>,
    /// Tables for each symmetry, for the fast path.
    turned: Vec<Turned>,
    evaluation: GoalEvaluation,
}

impl Tables {
    pub fn board(&self) -> &Board {
        &self.game.board
    }

    /// Keys of all positions that one move leads to from each of some, with the index in `keys` of
    /// the origin. Faster than position by position.
    #[inline]
    pub fn expand_all(&self, keys: &[u128], emit: &mut impl FnMut(usize, u128)) {
        self.expand_to(keys, &[], emit);
    }

    /// The same with the least of each position and its images by these tables in its place.
    #[inline]
    fn expand_to(&self, keys: &[u128], turned: &[Turned], emit: &mut impl FnMut(usize, u128)) {
        if let Some(masks) = &self.masks {
            let by = (self.game.metric, turned);
            return masks.expand(keys, by, None, &mut |of, key, _| emit(of, key));
        }
        for (of, &key) in keys.iter().enumerate() {
            let cells = self.cells(key);
            for piece in 0..self.game.board.pieces() {
                for next in moves_of(&self.game, &cells, piece) {
                    emit(of, self.game.key(&next));
                }
            }
        }
    }

    /// The images of positions under a symmetry, by its number.
    fn images(&self, states: &[u128], index: usize, emit: &mut impl FnMut(u128)) {
        if let Some(masks) = &self.masks {
            return masks.images(states, &self.turned[index], emit);
        }
        for &state in states {
            let image = rules::image(
                &self.game.board,
                &self.cells(state),
                &self.symmetries[index],
            );
            emit(self.game.key(&image));
        }
    }

    /// The order of the big pieces of a position: the high digits of its key.
    #[inline]
    pub fn big_order(&self, key: u128) -> u128 {
        match &self.masks {
            Some(masks) => masks.big_order(key).into(),
            None => key / self.game.board.alphabet.little_total,
        }
    }

    /// The position of a key, by the literal method.
    fn cells(&self, key: u128) -> Cells {
        self.game.board(key)
    }
}

impl Play for Tables {
    type Game = Instance;
    type State = u128;

    fn new(instance: Instance) -> Self {
        let board = &instance.board;
        let symmetries = symmetry::symmetries(board);
        let masks = Masks::new(board).map(Box::new);
        let turned = masks.as_deref().into_iter().flat_map(|masks| {
            let symmetries = symmetries.iter();
            symmetries.map(|symmetry| Turned::new(board, symmetry, masks))
        });
        let turned = turned.collect();
        Self {
            turned,
            evaluation: GoalEvaluation::new(board),
            masks,
            symmetries,
            game: instance,
        }
    }

    fn game(&self) -> &Instance {
        &self.game
    }

    fn key(&self, state: &u128) -> u128 {
        *state
    }

    fn state(&self, key: u128) -> u128 {
        key
    }

    fn successors(&self, state: &u128, emit: &mut dyn FnMut(u128)) {
        self.expand_all(&[*state], &mut |_, next| emit(next));
    }

    fn is_solved(&self, state: &u128) -> bool {
        let mut solved = Vec::new();
        self.solved_all(&[*state], &mut solved);
        solved == [true]
    }

    /// Several positions at once by the fast path.
    fn solved_all(&self, states: &[u128], solved: &mut Vec<bool>) {
        match &self.masks {
            Some(masks) => masks.solved(states, solved),
            None => {
                let each = states.iter().map(|&state| self.cells(state));
                solved.extend(each.map(|cells| self.game.board.is_solved(&cells)));
            }
        }
    }
}

impl puzzle_api::Symmetry for Bits {
    fn symmetry_count(&self) -> u32 {
        self.symmetries.len() as u32
    }

    fn image(&self, state: &u128, index: u32) -> u128 {
        let mut image = *state;
        if index > 0 {
            self.images(&[*state], index as usize, &mut |key| image = key);
        }
        image
    }

    /// Several images at once by the fast path: each waits for its own steps, cell by cell.
    fn canonical_all(&self, states: &mut [u128], mut orbit_sizes: Option<&mut [u32]>) {
        let given = states.to_vec();
        let count = self.symmetries.len();
        if let Some(sizes) = &mut orbit_sizes {
            sizes.fill(1);
        }
        for index in 1..count {
            let mut at = 0;
            self.images(&given, index, &mut |image| {
                states[at] = states[at].min(image);
                if let Some(sizes) = &mut orbit_sizes {
                    sizes[at] += u32::from(image == given[at]);
                }
                at += 1;
            });
        }
        for kept in orbit_sizes.into_iter().flatten() {
            *kept = count as u32 / *kept;
        }
    }
}

impl Expand for Bits {
    /// The moves of a piece are a group if one move takes it to all places that it can reach: then
    /// it reaches the same places from each of them. A group's number is that of the first of its
    /// cells next to a hole, among all such cells.
    fn expands(&self, want: Want) -> bool {
        match want.form {
            Form::All | Form::Orbits => true,
            Form::Pruned => false,
            Form::Unused => {
                let numbers = 4 * u32::from(self.game.board.alphabet.counts[0]);
                let groups = self.game.metric == Metric::Piece && self.masks.is_some();
                groups && numbers <= u32::BITS
            }
        }
    }

    /// Moves can be undone, so both directions are one.
    fn expand(&self, want: Want, keys: &[u128], used: &[u32], out: &mut Neighbours<u128>) {
        let (first, before) = (out.keys.len(), out.ends.len());
        // Neighbours come in the order of their positions.
        let add = |out: &mut Neighbours<u128>, of: usize, key: u128| {
            while out.ends.len() < before + of {
                out.end();
            }
            out.keys.push(key);
        };
        match (want.form, &self.masks) {
            (Form::Unused, Some(masks)) => {
                let by = (self.game.metric, &[][..]);
                masks.expand(keys, by, Some(used), &mut |of, next, mark| {
                    add(out, of, next);
                    out.marks.push(mark);
                });
            }
            (Form::Orbits, Some(_)) => {
                self.expand_to(keys, &self.turned[1..], &mut |of, next| add(out, of, next));
            }
            _ => self.expand_all(keys, &mut |of, next| add(out, of, next)),
        }
        while out.ends.len() < before + keys.len() {
            out.end();
        }
        if want.form == Form::Orbits && self.masks.is_none() {
            puzzle_api::Symmetry::canonical_all(self, &mut out.keys[first..], None);
        }
    }
}
