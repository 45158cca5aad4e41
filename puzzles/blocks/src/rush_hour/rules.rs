//! The rulebook's rules of Rush Hour: a piece moves lengthwise, and only pieces and walls of its
//! line stop it.

mod numbering;

use puzzle_api::{BadInput, Request};

use crate::metric::Metric;
use crate::rules::{ALONG_COLUMN, ALONG_ROW, Game, Way, reached};
use crate::rush_hour::board::{Board, Piece};
use crate::rush_hour::boards;
use crate::rush_hour::instances::{self, Instance};
use crate::variant;
pub(crate) use numbering::Numbers;

/// Variant `reference`.
pub type Rules = variant::Rules<Instance>;

/// The next cell of a line, forward (right or down) or back; `None` at the edge, and for a covered
/// cell.
fn ahead(taken: &[bool], at: usize, forward: bool) -> Option<usize> {
    let to = at.checked_add_signed(if forward { 1 } else { -1 })?;
    (!taken.get(to)?).then_some(to)
}

/// All places along its line to which one move takes a piece, by start and length. `taken` has the
/// cells of the line that a wall or another piece covers.
pub(crate) fn slides(taken: &[bool], (start, length): (u8, u8), metric: Metric) -> Vec<u8> {
    let cells: Vec<usize> = (start..start + length).map(usize::from).collect();
    let ahead = |at, (_, right): Way| ahead(taken, at, right > 0);
    let places = reached(&cells, &ALONG_ROW, metric, &ahead);
    places.iter().map(|cells| cells[0] as u8).collect()
}

/// The cells of a piece's line that a wall or another piece covers.
fn taken(board: &Board, piece: usize) -> Vec<bool> {
    let own = board.pieces[piece];
    let (row, column, length) = match own.upright {
        true => (0, own.column, board.height),
        false => (own.row, 0, board.width),
    };
    let line = Piece {
        row,
        column,
        length,
        ..own
    };
    let others = board.pieces.iter().enumerate();
    let others = others.filter(|&(number, _)| number != piece);
    let cells = others.flat_map(|(_, other)| other.cells());
    let set = cells.fold(board.walls, |set, cell| set | 1 << cell);
    line.cells().map(|cell| set >> cell & 1 == 1).collect()
}

impl Game for Instance {
    type Key = u64;
    type Board = Board;
    type Numbers = Numbers;

    fn open(request: &Request<'_>) -> Result<Self, BadInput> {
        instances::open(request)
    }

    fn numbers(&self) -> Numbers {
        Numbers::new(self)
    }

    fn metric(&self) -> Metric {
        self.metric
    }

    fn start(&self) -> Option<Board> {
        self.start.clone()
    }

    fn pieces(&self, board: &Board) -> usize {
        board.pieces.len()
    }

    fn covered(&self, board: &Board, piece: usize) -> impl AsRef<[usize]> {
        board.pieces[piece].cells().collect::<Vec<usize>>()
    }

    fn ways(&self, board: &Board, piece: usize) -> &'static [Way] {
        match board.pieces[piece].upright {
            true => &ALONG_COLUMN,
            false => &ALONG_ROW,
        }
    }

    fn ahead<'a>(
        &'a self,
        board: &'a Board,
        piece: usize,
    ) -> impl Fn(usize, Way) -> Option<usize> + 'a {
        let (taken, upright) = (taken(board, piece), board.pieces[piece].upright);
        move |cell, (down, right)| match upright {
            true => Some(8 * ahead(&taken, cell / 8, down > 0)? + cell % 8),
            false => Some(8 * (cell / 8) + ahead(&taken, cell % 8, right > 0)?),
        }
    }

    fn put(&self, board: &Board, piece: usize, cells: &[usize]) -> Board {
        let mut after = board.clone();
        let moved = &mut after.pieces[piece];
        (moved.row, moved.column) = ((cells[0] / 8) as u8, (cells[0] % 8) as u8);
        after
    }

    /// The exit is at the right end of the red car's row.
    fn is_solved(&self, board: &Board) -> bool {
        let red = board.red();
        red.column + red.length == board.width
    }

    fn key(&self, board: &Board) -> u64 {
        // Every state belongs to this instance: `parse` and `board` ensure it, and moves preserve
        // it.
        self.key_of(board).unwrap_or(u64::MAX)
    }

    fn board(&self, key: u64) -> Board {
        self.board_of(key)
    }

    /// Also reads a board's name (`card-7`, `fogleman-1`), or a line of Fogleman's database.
    fn parse(&self, text: &str) -> Result<Board, BadInput> {
        let (board, _) = Board::lettered(boards::drawn(text))?;
        self.admit(&board)?;
        Ok(board)
    }

    fn draw(&self, board: &Board) -> String {
        board.draw_by(&self.letters)
    }

    fn columns(&self) -> usize {
        8
    }

    fn mark(&self, _: &Board, piece: usize) -> char {
        char::from(self.letters.as_bytes()[piece])
    }
}
