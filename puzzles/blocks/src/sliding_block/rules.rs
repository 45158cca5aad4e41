//! The literal rulebook, variant `reference`: a position is an array of cells, and a piece
//! moves by one cell at a time. Slow on purpose; the oracle of every check.

use std::collections::BTreeSet;

use puzzle_api::{BadInput, FeatureSpace, Hint, Hints, Names, Puzzle, Request, Undirected};

use crate::sliding_block::board::{Board, Cell, Cells};
use crate::sliding_block::grid::DIRECTIONS;
use crate::sliding_block::instances::{self, Instance};
use crate::sliding_block::metric::Metric;
use crate::sliding_block::symmetry::{self, Symmetry};

/// The position after one piece moves by one cell, or `None` if a wall, the edge, another piece,
/// or a gate (to a piece without a goal) is in the way.
#[must_use]
pub fn step(board: &Board, cells: &Cells, piece: u8, direction: (i32, i32)) -> Option<Cells> {
    shifted(board, cells, &covered(cells, piece), direction)
}

/// The cells of a piece.
fn covered(cells: &Cells, piece: u8) -> Vec<usize> {
    let own = Cell::Piece(piece);
    (0..cells.len()).filter(|&at| cells[at] == own).collect()
}

/// The position after the piece that covers some cells moves by one cell.
fn shifted(
    board: &Board,
    cells: &Cells,
    covered: &[usize],
    direction: (i32, i32),
) -> Option<Cells> {
    let own = cells[*covered.first()?];
    let has_goal = match own {
        Cell::Piece(piece) => board.kinds[board.kind_of(piece)].goal.is_some(),
        Cell::Wall | Cell::Empty => return None,
    };
    for &at in covered {
        // A piece is not in its own way.
        let to = board.grid.offset(at, direction)?;
        let target = cells[to];
        let barred = board.is_gate(to) && !has_goal;
        if barred || target != Cell::Empty && target != own {
            return None;
        }
    }
    let mut moved = cells.clone();
    covered.iter().for_each(|&at| moved[at] = Cell::Empty);
    let targets = covered.iter();
    for target in targets.filter_map(|&at| board.grid.offset(at, direction)) {
        moved[target] = own;
    }
    Some(moved)
}

/// All positions that one move of a piece leads to, in a metric.
#[must_use]
pub fn moves_of(board: &Board, metric: Metric, cells: &Cells, piece: u8) -> BTreeSet<Cells> {
    let mut found = BTreeSet::new();
    match metric {
        Metric::Step => {
            for (direction, _) in DIRECTIONS {
                found.extend(step(board, cells, piece, direction));
            }
        }
        Metric::Line => {
            for (direction, _) in DIRECTIONS {
                let mut ahead = step(board, cells, piece, direction);
                while let Some(next) = ahead {
                    ahead = step(board, &next, piece, direction);
                    found.insert(next);
                }
            }
        }
        Metric::Piece => {
            // A piece comes to few places.
            let mut met: Vec<Cells> = Vec::new();
            let mut looked_at = 0;
            while let Some(at) = std::iter::once(cells).chain(&met).nth(looked_at) {
                let covered = covered(at, piece);
                let steps =
                    DIRECTIONS.map(|(direction, _)| shifted(board, at, &covered, direction));
                for next in steps.into_iter().flatten() {
                    // Going round and coming back is no move.
                    if next != *cells && !met.contains(&next) {
                        met.push(next);
                    }
                }
                looked_at += 1;
            }
            found.extend(met);
        }
    }
    found
}

/// The image of a position under a symmetry of the board.
#[must_use]
pub fn image(board: &Board, cells: &Cells, symmetry: &Symmetry) -> Cells {
    let mut image = board.bare();
    for (at, cell) in cells.iter().enumerate() {
        if let Cell::Piece(piece) = *cell {
            image[symmetry.cells[at]] = Cell::Piece(symmetry.pieces[usize::from(piece)]);
        }
    }
    image
}

/// Variant `reference`, opened on an instance.
#[derive(Debug)]
pub struct Rules {
    board: Board,
    metric: Metric,
    symmetries: Vec<Symmetry>,
}

impl Rules {
    /// The rules on a board.
    #[must_use]
    pub fn new(instance: Instance) -> Self {
        Self {
            symmetries: symmetry::symmetries(&instance.board),
            board: instance.board,
            metric: instance.metric,
        }
    }

    /// The board.
    #[must_use]
    pub fn board(&self) -> &Board {
        &self.board
    }
}

impl Puzzle for Rules {
    type Key = u128;
    type State = Cells;

    const VARIANT: &'static str = "reference";

    fn open(request: &Request<'_>) -> Result<Self, BadInput> {
        Ok(Self::new(instances::open(request)?))
    }

    /// The start; solved positions are too many to list without a search.
    fn starts(&self, emit: &mut dyn FnMut(Cells)) {
        emit(self.board.start.clone());
    }

    fn successors(&self, state: &Cells, emit: &mut dyn FnMut(Cells)) {
        for piece in 0..self.board.pieces() as u8 {
            moves_of(&self.board, self.metric, state, piece)
                .into_iter()
                .for_each(&mut *emit);
        }
    }

    fn is_solved(&self, state: &Cells) -> bool {
        self.board.is_solved(state)
    }

    fn key(&self, state: &Cells) -> u128 {
        let alphabet = &self.board.alphabet;
        alphabet.rank_within(&mut self.board.string(state))
    }

    fn state(&self, key: u128) -> Cells {
        let string = self.board.alphabet.unrank(key);
        // Keys come from `key` by contract; any other is answered with the start.
        let cells = self.board.cells_of_string(&string);
        cells.unwrap_or_else(|| self.board.start.clone())
    }

    fn parse(&self, text: &str) -> Result<Cells, BadInput> {
        self.board.parse(text)
    }

    fn draw(&self, state: &Cells) -> String {
        self.board.draw(state)
    }
}

impl puzzle_api::Symmetry for Rules {
    fn symmetry_count(&self) -> u32 {
        self.symmetries.len() as u32
    }

    fn image(&self, state: &Cells, index: u32) -> Cells {
        image(&self.board, state, &self.symmetries[index as usize])
    }
}

impl Rules {
    /// The order of the big pieces (Dogon, "non-uniform bucket hash"), as the high digits
    /// of the key.
    fn bucket(&self, state: &Cells) -> u64 {
        (self.key(state) / self.board.alphabet.little_total()) as u64
    }
}

impl Hints for Rules {
    fn has_hint(&self, hint: Hint) -> bool {
        hint != Hint::MoveOrder
    }

    fn hint(&self, hint: Hint, states: &[Cells], out: &mut Vec<u64>) {
        out.extend(states.iter().map(|state| match hint {
            Hint::Stratum => self.board.stratum(self.bucket(state), state),
            _ => self.bucket(state),
        }));
    }

    fn feature_space(&self) -> Option<FeatureSpace> {
        Some(self.board.feature_space())
    }

    fn features(&self, states: &[Cells], out: &mut Vec<u32>) {
        out.extend(states.iter().flat_map(|state| self.board.features(state)));
    }
}

impl Names for Rules {
    fn describe_move(&self, from: &Cells, to: &Cells) -> Option<String> {
        self.board.describe_move(from, to)
    }

    fn names(&self) -> Vec<String> {
        vec!["start".to_owned()]
    }
}

/// A piece can go back the way it came.
impl Undirected for Rules {}
