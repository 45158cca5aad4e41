//! The rulebook's rules of Unit Rush Hour: a car is the number of its cell.

mod numbering;

use puzzle_api::{BadInput, Request, Symmetry, cell_name};

use crate::metric::Metric;
use crate::rules::{ALONG_COLUMN, ALONG_ROW, Game, Way, beside, drawn_on};
use crate::unit_rush_hour::board::{Board, Cell};
use crate::unit_rush_hour::boards;
use crate::unit_rush_hour::instances::{self, Instance};
use crate::variant::{self, Literal};
use numbering::Numbers;

/// Variant `reference`.
pub type Rules = variant::Rules<Instance>;

fn mirrored(board: &Board) -> Board {
    let mut cells = Vec::with_capacity(board.cells.len());
    let rows = board.cells.chunks(board.columns).rev();
    rows.for_each(|row| cells.extend_from_slice(row));
    Board {
        exit: board.rows - 1 - board.exit,
        cells,
        ..*board
    }
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
        board.cells.len()
    }

    fn covered(&self, _: &Board, piece: usize) -> impl AsRef<[usize]> {
        [piece]
    }

    fn ways(&self, board: &Board, piece: usize) -> &'static [Way] {
        match board.cells[piece] {
            Cell::Empty => &[],
            Cell::Lying => &ALONG_ROW,
            Cell::Standing => &ALONG_COLUMN,
        }
    }

    fn ahead<'a>(
        &'a self,
        board: &'a Board,
        _: usize,
    ) -> impl Fn(usize, Way) -> Option<usize> + 'a {
        |cell, way| {
            let to = beside((board.rows, board.columns), cell, way)?;
            (board.cells[to] == Cell::Empty).then_some(to)
        }
    }

    fn put(&self, board: &Board, piece: usize, cells: &[usize]) -> Board {
        let mut after = board.clone();
        after.cells.swap(piece, cells[0]);
        after
    }

    /// The exit is at the left end of the target's row.
    fn is_solved(&self, board: &Board) -> bool {
        board.target() == Some(board.exit * board.columns)
    }

    /// Digits of base three, 1 for a lying car and 2 for a standing one, the first cell lowest; the
    /// row of the exit is above them.
    fn key(&self, board: &Board) -> u64 {
        let cells = board.cells.iter().rev();
        cells.fold(board.exit as u64, |key, &cell| 3 * key + cell as u64)
    }

    fn board(&self, key: u64) -> Board {
        let mut rest = key;
        let digit = |_| {
            let cell = [Cell::Empty, Cell::Lying, Cell::Standing][(rest % 3) as usize];
            rest /= 3;
            cell
        };
        let cells = (0..self.cells()).map(digit).collect();
        self.board_with(rest as usize, cells)
    }

    /// Also reads the name of a board (`tromp-6x6`).
    fn parse(&self, text: &str) -> Result<Board, BadInput> {
        let text = text.trim();
        let board = Board::parse(boards::named(text).unwrap_or(text))?;
        self.admit(&board)?;
        Ok(board)
    }

    fn columns(&self) -> usize {
        self.columns
    }

    fn draw(&self, board: &Board) -> String {
        drawn_on(self, board, vec!['.'; self.cells()])
    }

    fn mark(&self, board: &Board, car: usize) -> char {
        match board.cells[car] {
            Cell::Empty => '.',
            Cell::Lying if board.target() == Some(car) => 'A',
            Cell::Lying => '-',
            Cell::Standing => '|',
        }
    }

    /// The target, or the cell where the car stood.
    fn name(&self, board: &Board, car: usize) -> String {
        match self.mark(board, car) {
            'A' => "A".to_owned(),
            _ => cell_name(car / self.columns, car % self.columns),
        }
    }
}

impl Symmetry for Rules {
    fn symmetry_count(&self) -> u32 {
        if self.game.has_mirror() { 2 } else { 1 }
    }

    fn image(&self, state: &Board, index: u32) -> Board {
        match index {
            0 => state.clone(),
            _ => mirrored(state),
        }
    }

    /// Of two images, the one whose part is numbered; if both are in one part, the one with the
    /// smaller key.
    fn canonical(&self, state: &Board) -> Board {
        let Literal { game, numbers } = &**self;
        let mut images: Vec<Board> = (0..self.symmetry_count())
            .map(|index| self.image(state, index))
            .collect();
        images.sort_by_key(|image| (numbers.part_of(image).is_none(), game.key(image)));
        images.swap_remove(0)
    }
}
