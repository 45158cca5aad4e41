//! The literal rulebook, variant `reference`: pieces on a grid of cells, moved one cell at a
//! time. Slow on purpose; the oracle of every check.

mod numbering;

use puzzle_api::{
    BadInput, Names, Numbering, Placement, Puzzle, RandomStates, Request, SolvedStates, Undirected,
    Xorshift,
};

use crate::rush_hour::board::{Board, Piece};
use crate::rush_hour::instances::{self, Instance};
use crate::rush_hour::metric::Metric;
use crate::rush_hour::sample;
pub(crate) use numbering::Numbers;

/// Where a piece comes to by one cell along its line, forward (right or down) or back; `None` if
/// the edge or a taken cell is in the way. `taken` has the cells of the line that a wall or another
/// piece covers.
pub(crate) fn ahead(taken: &[bool], (start, length): (u8, u8), forward: bool) -> Option<u8> {
    let to = match forward {
        true => start.checked_add(1)?,
        false => start.checked_sub(1)?,
    };
    let cells = taken.get(usize::from(to)..usize::from(to + length))?;
    (!cells.contains(&true)).then_some(to)
}

/// All places along its line that one move of a piece leads to, in a metric; `taken` as in
/// [`ahead`].
pub(crate) fn slides(taken: &[bool], (start, length): (u8, u8), metric: Metric) -> Vec<u8> {
    let mut found = Vec::new();
    for forward in [false, true] {
        let mut next = ahead(taken, (start, length), forward);
        while let Some(to) = next {
            found.push(to);
            next = match metric {
                Metric::Step => None,
                Metric::Move => ahead(taken, (to, length), forward),
            };
        }
    }
    found
}

/// Start and length of a piece along its line, and the cells of the line that a wall or another
/// piece covers.
fn along(board: &Board, piece: usize) -> ((u8, u8), Vec<bool>) {
    let own = board.pieces[piece];
    let (start, line) = match own.upright {
        true => (
            own.row,
            Piece {
                row: 0,
                length: board.height,
                ..own
            },
        ),
        false => (
            own.column,
            Piece {
                column: 0,
                length: board.width,
                ..own
            },
        ),
    };
    let is_taken = |cell: usize| {
        let mut others = board.pieces.iter().enumerate();
        board.walls >> cell & 1 == 1
            || others.any(|(other, piece_there)| {
                other != piece && piece_there.cells().any(|covered| covered == cell)
            })
    };
    ((start, own.length), line.cells().map(is_taken).collect())
}

/// The board with a piece put elsewhere on its line.
fn put(board: &Board, piece: usize, to: u8) -> Board {
    let mut after = board.clone();
    let moved = &mut after.pieces[piece];
    match moved.upright {
        true => moved.row = to,
        false => moved.column = to,
    }
    after
}

/// The board after a piece moves by one cell along itself, forward (right or down) or back;
/// `None` if a wall, the edge or another piece is in the way.
#[must_use]
pub fn step(board: &Board, piece: usize, forward: bool) -> Option<Board> {
    let (own, taken) = along(board, piece);
    Some(put(board, piece, ahead(&taken, own, forward)?))
}

/// All boards that one move of a piece leads to, in a metric: a piece slides along its line, and
/// only what lies in that line stops it.
#[must_use]
pub fn moves_of(board: &Board, metric: Metric, piece: usize) -> Vec<Board> {
    let (own, taken) = along(board, piece);
    let to = slides(&taken, own, metric).into_iter();
    to.map(|to| put(board, piece, to)).collect()
}

/// Whether the red car stands at the exit, which is at the right end of its row.
#[must_use]
pub fn is_solved(board: &Board) -> bool {
    let red = board.red();
    red.column + red.length == board.width
}

/// What a player calls the one move of a piece between two boards: its letter, where it
/// goes, and by how many cells.
#[must_use]
pub fn describe_move(from: &Board, to: &Board) -> Option<String> {
    let pairs = || from.pieces.iter().zip(&to.pieces);
    let changed = |(a, b): &(_, _)| a != b;
    if pairs().filter(changed).count() != 1 {
        return None;
    }
    let number = pairs().position(|pair| changed(&pair))?;
    let (before, after) = (from.pieces[number], to.pieces[number]);
    let (direction, cells) = if after.column > before.column {
        ("right", after.column - before.column)
    } else if after.column < before.column {
        ("left", before.column - after.column)
    } else if after.row > before.row {
        ("down", after.row - before.row)
    } else {
        ("up", before.row - after.row)
    };
    Some(format!("{} {direction} {cells}", Board::letter(number)))
}

/// Variant `reference`, opened on an instance.
pub struct Rules {
    instance: Instance,
    numbers: Numbers,
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
        for piece in 0..state.pieces.len() {
            moves_of(state, self.instance.metric, piece)
                .into_iter()
                .for_each(&mut *emit);
        }
    }

    fn is_solved(&self, state: &Board) -> bool {
        is_solved(state)
    }

    fn key(&self, state: &Board) -> u64 {
        // Every state is of this instance: `parse` and `state` see to it, and moves keep it so.
        self.instance.key(state).unwrap_or(u64::MAX)
    }

    fn state(&self, key: u64) -> Board {
        self.instance.board(key)
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

    fn lists_solved_states(&self) -> bool {
        self.instance.numbered()
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
        self.numbers.part_name(&self.instance, part)
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

/// A piece can go back the way it came.
impl Undirected for Rules {}
