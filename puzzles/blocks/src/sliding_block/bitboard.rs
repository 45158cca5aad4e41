//! The fast twin of the rulebook, variant `bitboard`; a state is its key. A move decodes the key
//! into masks of cells, floods one piece at a time, and changes only its part of the key.

mod evaluation;
mod masks;

use puzzle_api::{BadInput, Expand, Form, Names, Neighbours, Puzzle, Request, Undirected, Want};

use crate::metric::Metric;
use crate::rules::{Game, moves_of};
use crate::sliding_block::board::{Board, Cells};
use crate::sliding_block::instances::{self, Instance};
use crate::sliding_block::rules;
use crate::sliding_block::symmetry::{self, Symmetry, image_anchor};

use evaluation::GoalEvaluation;
use masks::{Masks, Turned};

/// Variant `bitboard`, opened on an instance.
pub struct Bits {
    game: Instance,
    /// The fast path, for boards of at most 64 open cells; for others, the rulebook does the work.
    masks: Option<Box<Masks>>,
    symmetries: Vec<Symmetry>,
    /// Tables for each symmetry, for the fast path.
    turned: Vec<Turned>,
    evaluation: GoalEvaluation,
    little_total: u128,
}

impl Bits {
    /// The fast rules on a board.
    #[must_use]
    pub fn new(instance: Instance) -> Self {
        let board = &instance.board;
        let symmetries = symmetry::symmetries(board);
        let masks = Masks::new(board).map(Box::new);
        let turned = masks.as_deref().into_iter().flat_map(|masks| {
            let turned = |s: &Symmetry| {
                Turned::new(
                    &s.kinds,
                    &image_table(board, s),
                    &cell_table(board, s),
                    masks,
                )
            };
            symmetries.iter().map(turned)
        });
        let turned = turned.collect();
        Self {
            little_total: board.alphabet.little_total(),
            turned,
            evaluation: GoalEvaluation::new(board),
            masks,
            symmetries,
            game: instance,
        }
    }

    /// The board.
    #[must_use]
    pub fn board(&self) -> &Board {
        &self.game.board
    }

    /// Keys of all positions that one move leads to; returns whether the position is solved.
    #[inline]
    pub fn expand(&self, key: u128, emit: &mut impl FnMut(u128)) -> bool {
        self.expand_all(&[key], &mut |_, next| emit(next)) == 1
    }

    /// The same for several positions, each with the index in `keys` of its origin. Returns how
    /// many are solved. Faster than position by position.
    #[inline]
    pub fn expand_all(&self, keys: &[u128], emit: &mut impl FnMut(usize, u128)) -> u64 {
        if let Some(masks) = &self.masks {
            return masks.expand(keys, self.game.metric, emit);
        }
        let mut solved = 0;
        for (of, &key) in keys.iter().enumerate() {
            let cells = self.cells(key);
            for piece in 0..self.game.board.pieces() {
                for next in moves_of(&self.game, &cells, piece) {
                    emit(of, self.key_of(&next));
                }
            }
            solved += u64::from(self.game.board.is_solved(&cells));
        }
        solved
    }

    /// The order of the big pieces of a position: the high digits of its key.
    #[inline]
    #[must_use]
    pub fn big_order(&self, key: u128) -> u128 {
        match &self.masks {
            Some(masks) => masks.big_order(key).into(),
            None => key / self.little_total,
        }
    }

    /// The position of a key, by the literal method.
    fn cells(&self, key: u128) -> Cells {
        self.game.board(key)
    }

    /// The key of a position, by this variant's own ranking if it has one.
    fn key_of(&self, cells: &Cells) -> u128 {
        match &self.masks {
            Some(masks) => masks.key_of(&self.game.board, cells),
            None => self
                .game
                .board
                .alphabet
                .rank(&self.game.board.string(cells)),
        }
    }
}

/// Images of first cells under a symmetry, by kind and open cell.
fn image_table(board: &Board, symmetry: &Symmetry) -> Vec<Vec<u8>> {
    let open: Vec<usize> = board.grid.open_cells().collect();
    let number = |cell: usize| open.binary_search(&cell).unwrap_or(0) as u8;
    let of_kind = |kind: &crate::sliding_block::board::Kind| {
        let image = |&cell: &usize| {
            let image = image_anchor(&board.grid, symmetry.turn, &kind.shape, cell);
            image.map_or(0, number)
        };
        open.iter().map(image).collect()
    };
    board.kinds.iter().map(of_kind).collect()
}

/// Images of open cells under a symmetry.
fn cell_table(board: &Board, symmetry: &Symmetry) -> Vec<u8> {
    let open: Vec<usize> = board.grid.open_cells().collect();
    let image = |&cell: &usize| symmetry.turn.cell(&board.grid, cell);
    let number = |cell: usize| open.binary_search(&cell).unwrap_or(0) as u8;
    open.iter().map(image).map(number).collect()
}

impl Puzzle for Bits {
    type Key = u128;
    type State = u128;

    const VARIANT: &'static str = "bitboard";

    fn open(request: &Request<'_>) -> Result<Self, BadInput> {
        Ok(Self::new(instances::open(request)?))
    }

    /// The start; solved positions are too many to list without a search.
    fn starts(&self, emit: &mut dyn FnMut(u128)) {
        emit(self.key_of(&self.game.board.start));
    }

    fn successors(&self, state: &u128, emit: &mut dyn FnMut(u128)) {
        self.expand(*state, &mut |next| emit(next));
    }

    fn is_solved(&self, state: &u128) -> bool {
        match &self.masks {
            Some(masks) => masks.is_solved(*state),
            None => self.game.board.is_solved(&self.cells(*state)),
        }
    }

    /// Several positions at once by the fast path.
    fn solved_all(&self, states: &[u128], solved: &mut Vec<bool>) {
        match &self.masks {
            Some(masks) => masks.solved(states, solved),
            None => solved.extend(states.iter().map(|state| self.is_solved(state))),
        }
    }

    fn key(&self, state: &u128) -> u128 {
        *state
    }

    fn state(&self, key: u128) -> u128 {
        key
    }

    fn parse(&self, text: &str) -> Result<u128, BadInput> {
        Ok(self.key_of(&self.game.board.parse(text)?))
    }

    fn draw(&self, state: &u128) -> String {
        self.game.board.draw(&self.cells(*state))
    }
}

impl puzzle_api::Symmetry for Bits {
    fn symmetry_count(&self) -> u32 {
        self.symmetries.len() as u32
    }

    fn image(&self, state: &u128, index: u32) -> u128 {
        if index == 0 {
            return *state;
        }
        if let Some(masks) = &self.masks {
            let mut image = 0;
            masks.images(&[*state], &self.turned[index as usize], &mut |key| {
                image = key
            });
            return image;
        }
        let symmetry = &self.symmetries[index as usize];
        self.key_of(&rules::image(
            &self.game.board,
            &self.cells(*state),
            symmetry,
        ))
    }

    /// Makes each image once, for both results.
    fn canonical_and_size(&self, state: &u128) -> (u128, u32) {
        let (mut least, mut kept) = (*state, 1);
        let count = self.symmetries.len() as u32;
        for index in 1..count {
            let image = self.image(state, index);
            least = least.min(image);
            kept += u32::from(image == *state);
        }
        (least, count / kept)
    }

    /// Several images at once by the fast path: each waits for its own steps, cell by cell.
    fn canonical_all(&self, states: &mut [u128], mut orbit_sizes: Option<&mut [u32]>) {
        let Some(masks) = &self.masks else {
            for (at, state) in states.iter_mut().enumerate() {
                let (least, size) = self.canonical_and_size(state);
                *state = least;
                if let Some(sizes) = &mut orbit_sizes {
                    sizes[at] = size;
                }
            }
            return;
        };
        let given = states.to_vec();
        let count = self.symmetries.len() as u32;
        if let Some(sizes) = &mut orbit_sizes {
            sizes.fill(1);
        }
        for turned in self.turned.iter().skip(1) {
            let mut at = 0;
            masks.images(&given, turned, &mut |image| {
                states[at] = states[at].min(image);
                if let Some(sizes) = &mut orbit_sizes {
                    sizes[at] += u32::from(image == given[at]);
                }
                at += 1;
            });
        }
        for kept in orbit_sizes.into_iter().flatten() {
            *kept = count / *kept;
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
                let numbers = 4 * u32::from(self.game.board.alphabet.counts()[0]);
                let groups = self.game.metric == Metric::Piece && self.masks.is_some();
                groups && numbers <= u32::BITS
            }
        }
    }

    /// Moves can be undone, so both directions are one.
    fn expand(&self, want: Want, keys: &[u128], used: &[u32], out: &mut Neighbours<u128>) {
        let first = out.keys.len();
        let mut listed = Listed::new(keys.len(), out);
        match (want.form, &self.masks, self.turned.split_first()) {
            (Form::Unused, Some(masks), _) => {
                masks.expand_unused(keys, used, &mut |of, next, mark| {
                    listed.add(of, next);
                    listed.out.marks.push(mark);
                });
                listed.finish();
            }
            (Form::Orbits, Some(masks), Some((_, turned))) => {
                masks.orbits(keys, self.game.metric, turned, &mut |of, next| {
                    listed.add(of, next);
                });
                listed.finish();
            }
            (form, ..) => {
                self.expand_all(keys, &mut |of, next| listed.add(of, next));
                listed.finish();
                if form == Form::Orbits {
                    puzzle_api::Symmetry::canonical_all(self, &mut out.keys[first..], None);
                }
            }
        }
    }
}

/// Neighbours of some positions as a list, and for each position the end of its own neighbours.
struct Listed<'a> {
    out: &'a mut Neighbours<u128>,
    /// Place of the first position's end.
    first: usize,
}

impl<'a> Listed<'a> {
    fn new(positions: usize, out: &'a mut Neighbours<u128>) -> Self {
        let first = out.ends.len();
        out.ends.resize(first + positions, out.keys.len());
        Self { out, first }
    }

    /// Adds a neighbour of a position by its number; positions come in ascending order.
    #[inline(always)]
    fn add(&mut self, of: usize, key: u128) {
        self.out.keys.push(key);
        self.out.ends[self.first + of] = self.out.keys.len();
    }

    /// A position without a neighbour ends where the previous one does.
    fn finish(self) {
        let ends = &mut self.out.ends;
        for at in self.first.max(1)..ends.len() {
            ends[at] = ends[at].max(ends[at - 1]);
        }
    }
}

impl Names for Bits {
    fn describe_move(&self, from: &u128, to: &u128) -> Option<String> {
        self.game
            .board
            .describe_move(&self.cells(*from), &self.cells(*to))
    }

    fn names(&self) -> Vec<String> {
        vec!["start".to_owned()]
    }
}

/// A piece can go back the way that it came.
impl Undirected for Bits {}
