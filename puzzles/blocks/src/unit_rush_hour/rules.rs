//! The literal rulebook, variant `reference`: cars on a grid of cells, moved one cell at a time.
//! Slow on purpose; the oracle of every check.

mod numbering;

use puzzle_api::{
    BadInput, Names, Numbering, Placement, Puzzle, RandomStates, Request, SolvedStates, Symmetry,
    Undirected, Xorshift,
};

use crate::unit_rush_hour::board::{Board, Cell};
use crate::unit_rush_hour::instances::{self, Instance};
use crate::unit_rush_hour::metric::Metric;
use crate::unit_rush_hour::sample;
use numbering::Numbers;

/// The cell ahead of a car on a cell, forward (right or down) or back; `None` at the edge, and if
/// there is no car.
pub(crate) fn ahead(
    (rows, columns): (usize, usize),
    car: Cell,
    from: usize,
    forward: bool,
) -> Option<usize> {
    let (row, column) = (from / columns, from % columns);
    let along = |at: usize, side: usize| match forward {
        true => (at + 1 < side).then_some(at + 1),
        false => at.checked_sub(1),
    };
    match car {
        Cell::Empty => None,
        Cell::Lying => Some(row * columns + along(column, columns)?),
        Cell::Standing => Some(along(row, rows)? * columns + column),
    }
}

/// Where the car on a cell goes by one cell, forward or back; `None` if there is no car, or the
/// edge or another car is in the way.
#[must_use]
pub fn step(board: &Board, from: usize, forward: bool) -> Option<usize> {
    let size = (board.rows, board.columns);
    let to = ahead(size, board.cells[from], from, forward)?;
    (board.cells[to] == Cell::Empty).then_some(to)
}

/// The board with the car on a cell put on another, empty one.
fn moved(board: &Board, from: usize, to: usize) -> Board {
    let mut after = board.clone();
    after.cells.swap(from, to);
    after
}

/// All boards that one move of the car on a cell leads to, in a metric.
#[must_use]
pub fn moves_of(board: &Board, metric: Metric, car: usize) -> Vec<Board> {
    let mut found = Vec::new();
    for forward in [false, true] {
        let next = |board: &Board, at: usize| {
            let to = step(board, at, forward)?;
            Some((moved(board, at, to), to))
        };
        let mut ahead = next(board, car);
        while let Some((board, at)) = ahead {
            ahead = match metric {
                Metric::Step => None,
                Metric::Move => next(&board, at),
            };
            found.push(board);
        }
    }
    found
}

/// Whether the target stands at the exit, which is at the left end of its row.
#[must_use]
pub fn is_solved(board: &Board) -> bool {
    board.target() == Some(board.exit * board.columns)
}

/// The board with top and bottom exchanged.
#[must_use]
pub fn mirrored(board: &Board) -> Board {
    let mut cells = Vec::new();
    for row in board.cells.chunks(board.columns).rev() {
        cells.extend_from_slice(row);
    }
    Board {
        exit: board.rows - 1 - board.exit,
        cells,
        ..board.clone()
    }
}

/// What a player calls the one move of a car between two boards: the target, or the row and
/// column where it stood, where it goes, and by how many cells.
#[must_use]
pub fn describe_move(from: &Board, to: &Board) -> Option<String> {
    let pairs = || from.cells.iter().zip(&to.cells);
    let mut changed = (0..from.cells.len()).filter(|&cell| from.cells[cell] != to.cells[cell]);
    let (Some(a), Some(b), None) = (changed.next(), changed.next(), changed.next()) else {
        return None;
    };
    let left = pairs().position(|(before, after)| before != after && *after == Cell::Empty)?;
    let entered = if left == a { b } else { a };
    let (row, column) = (left / from.columns, left % from.columns);
    let (to_row, to_column) = (entered / from.columns, entered % from.columns);
    let (direction, cells) = if to_column > column {
        ("right", to_column - column)
    } else if to_column < column {
        ("left", column - to_column)
    } else if to_row > row {
        ("down", to_row - row)
    } else {
        ("up", row - to_row)
    };
    let car = match from.target() == Some(left) {
        true => "A".to_owned(),
        false => format!("r{}c{}", row + 1, column + 1),
    };
    Some(format!("{car} {direction} {cells}"))
}

/// Variant `reference`, opened on an instance.
pub struct Rules {
    instance: Instance,
    numbers: Numbers,
}

impl Rules {
    /// The row of the exit in a part, and how many cars lie in each row; `None` where there is
    /// no such part.
    pub(crate) fn lying_of(&self, part: u64) -> Option<(usize, &[u8])> {
        self.numbers.lying_of(part)
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
        for car in 0..state.cells.len() {
            moves_of(state, self.instance.metric, car)
                .into_iter()
                .for_each(&mut *emit);
        }
    }

    fn is_solved(&self, state: &Board) -> bool {
        is_solved(state)
    }

    /// Digits of base three, 1 for a car that lies and 2 for one that stands, the first cell
    /// lowest; the row of the exit above them.
    fn key(&self, state: &Board) -> u64 {
        let mut key = state.exit as u64;
        for cell in state.cells.iter().rev() {
            key = 3 * key
                + match cell {
                    Cell::Empty => 0,
                    Cell::Lying => 1,
                    Cell::Standing => 2,
                };
        }
        key
    }

    fn state(&self, key: u64) -> Board {
        let mut rest = key;
        let mut cells = Vec::new();
        for _ in 0..self.instance.cells() {
            cells.push([Cell::Empty, Cell::Lying, Cell::Standing][(rest % 3) as usize]);
            rest /= 3;
        }
        Board {
            rows: self.instance.rows,
            columns: self.instance.columns,
            exit: rest as usize,
            cells,
        }
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
        self.numbers.solved(&self.instance, part, emit);
    }
}

impl Symmetry for Rules {
    fn symmetry_count(&self) -> u32 {
        if self.instance.has_mirror() { 2 } else { 1 }
    }

    fn image(&self, state: &Board, index: u32) -> Board {
        match index {
            0 => state.clone(),
            _ => mirrored(state),
        }
    }

    /// Of two images the one whose part is numbered, of two of the same part the one with the
    /// smaller key.
    fn canonical(&self, state: &Board) -> Board {
        let mut images: Vec<Board> = (0..self.symmetry_count())
            .map(|index| self.image(state, index))
            .collect();
        images.sort_by_key(|image| (self.numbers.part_of(image).is_none(), self.key(image)));
        images.swap_remove(0)
    }
}

impl Numbering for Rules {
    fn space(&self, part: u64) -> Option<u64> {
        self.numbers.space(&self.instance, part)
    }

    fn place(&self, state: &Board) -> Option<Placement> {
        self.numbers.place(&self.instance, state)
    }

    fn unrank(&self, placement: Placement) -> Option<Board> {
        self.numbers.unrank(&self.instance, placement)
    }

    fn part_count(&self) -> u64 {
        self.numbers.part_count()
    }

    fn part_name(&self, part: u64) -> String {
        self.numbers.part_name(part)
    }
}

impl RandomStates for Rules {
    fn random(&self, random: &mut Xorshift) -> Option<Board> {
        sample::random_board(&self.instance, random)
    }
}

impl Names for Rules {
    fn describe_move(&self, from: &Board, to: &Board) -> Option<String> {
        describe_move(from, to)
    }
}

/// A car can go back the way it came.
impl Undirected for Rules {}
