//! The literal rulebook, variant `reference`: pieces on a board of cells, moved by one cell at
//! a time. Slow on purpose; the oracle of every check.

mod numbering;

use puzzle_api::{
    BadInput, Names, Numbering, Placement, Puzzle, Request, SolvedStates, Undirected,
};

use crate::simple_block::board::{Board, Grid};
use crate::simple_block::instances::{self, Goal, Instance};
use numbering::Numbers;

/// Rows down and columns to the right of the four steps.
pub(crate) const STEPS: [(isize, isize); 4] = [(-1, 0), (0, -1), (0, 1), (1, 0)];

/// The cells that a piece comes to cover by a step; `None` at the edge.
pub(crate) fn ahead(
    grid: Grid,
    cells: &[usize],
    (down, right): (isize, isize),
) -> Option<Vec<usize>> {
    let to = cells.iter().map(|&cell| grid.beside(cell, down, right));
    to.collect()
}

/// The cells that a piece covers after a step; `None` if the edge or another piece is in the way.
fn step(
    board: &Board,
    piece: usize,
    cells: &[usize],
    direction: (isize, isize),
) -> Option<Vec<usize>> {
    let to = ahead(board.grid, cells, direction)?;
    // A piece is not in its own way.
    let is_free = |&cell: &usize| [0, piece].contains(&usize::from(board.cells[cell]));
    to.iter().all(is_free).then_some(to)
}

/// All boards that one move of a piece leads to: it goes from cell to cell as often as it
/// likes, in any directions, and ends elsewhere.
#[must_use]
pub fn moves_of(board: &Board, piece: usize) -> Vec<Board> {
    let mut reached = vec![board.covered(piece)];
    let mut next = 0;
    while next < reached.len() {
        for direction in STEPS {
            let further = step(board, piece, &reached[next], direction);
            let further = further.filter(|cells| !reached.contains(cells));
            reached.extend(further);
        }
        next += 1;
    }
    let after = |moved: &Vec<usize>| {
        let cells = |number| match number == piece {
            true => moved.clone(),
            false => board.covered(number),
        };
        Board::new(
            board.grid,
            &cells(1),
            (2..=board.pieces()).map(cells).collect(),
        )
    };
    reached.iter().skip(1).map(after).collect()
}

/// Whether a goal piece on some cells is where it has to get to.
#[must_use]
pub fn is_at_goal(grid: Grid, cells: &[usize], goal: Goal) -> bool {
    let (rows, columns) = (grid.rows, grid.columns);
    match goal {
        Goal::Corner => cells.contains(&(rows * columns - 1)),
        Goal::Edges => {
            cells.iter().any(|cell| cell / columns == rows - 1)
                && cells.iter().any(|cell| cell % columns == columns - 1)
        }
    }
}

/// Variant `reference`, opened on an instance.
pub struct Rules {
    instance: Instance,
    numbers: Numbers,
}

impl Rules {
    /// All sets of cells that a piece can cover and that have this first cell.
    pub(crate) fn pieces_at(&self, first: usize) -> Vec<Vec<usize>> {
        numbering::pieces_at(self.instance.grid, first)
    }

    /// The shape of the goal piece in a part, and how many cells are empty; `None` where there
    /// is no such part.
    pub(crate) fn part_like(&self, part: u64) -> Option<(&[bool], usize)> {
        self.numbers.part_like(part)
    }
}

impl Puzzle for Rules {
    type Key = u64;
    type State = Board;

    const VARIANT: &'static str = "reference";

    fn open(request: &Request<'_>) -> Result<Self, BadInput> {
        let instance = instances::open(request)?;
        Ok(Self {
            numbers: Numbers::new(&instance),
            instance,
        })
    }

    fn starts(&self, emit: &mut dyn FnMut(Board)) {
        self.instance.start.clone().into_iter().for_each(emit);
    }

    fn successors(&self, state: &Board, emit: &mut dyn FnMut(Board)) {
        for piece in 1..=state.pieces() {
            moves_of(state, piece).into_iter().for_each(&mut *emit);
        }
    }

    fn is_solved(&self, state: &Board) -> bool {
        is_at_goal(state.grid, &state.covered(1), self.instance.goal)
    }

    fn key(&self, state: &Board) -> u64 {
        state.key()
    }

    fn state(&self, key: u64) -> Board {
        Board::of_key(self.instance.grid, key)
    }

    fn parse(&self, text: &str) -> Result<Board, BadInput> {
        self.instance.parse(text)
    }

    fn draw(&self, state: &Board) -> String {
        state.draw()
    }
}

impl SolvedStates for Rules {
    fn solved_states(&self, part: u64, emit: &mut dyn FnMut(Board)) {
        self.numbers.each(part, |board| {
            if self.is_solved(&board) {
                emit(board);
            }
        });
    }

    fn lists_solved_states(&self) -> bool {
        self.instance.start.is_none()
    }
}

impl Numbering for Rules {
    fn space(&self, part: u64) -> Option<u64> {
        self.numbers.table(part).map(|keys| keys.len() as u64)
    }

    fn place(&self, state: &Board) -> Option<Placement> {
        let part = self.numbers.part_of(state)?;
        let keys = self.numbers.table(part)?;
        let rank = keys.binary_search(&state.key()).ok()? as u64;
        Some(Placement { part, rank })
    }

    fn unrank(&self, placement: Placement) -> Option<Board> {
        let keys = self.numbers.table(placement.part)?;
        let key = *keys.get(usize::try_from(placement.rank).ok()?)?;
        Some(self.state(key))
    }

    fn part_count(&self) -> u64 {
        self.numbers.part_count()
    }

    fn part_name(&self, part: u64) -> String {
        self.numbers.part_name(part)
    }
}

impl Names for Rules {
    fn describe_move(&self, from: &Board, to: &Board) -> Option<String> {
        from.describe_move(to)
    }
}

/// A piece can go back the way it came.
impl Undirected for Rules {}
