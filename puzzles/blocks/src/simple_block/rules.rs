//! The rulebook's rules of simple blocks: a piece steps from cell to cell any number of times, in
//! any directions.

mod numbering;

use puzzle_api::{BadInput, Request};

use crate::metric::Metric;
use crate::rules::{Game, WAYS, Way, beside, drawn_on};
use crate::simple_block::board::{Board, EMPTY, Grid};
use crate::simple_block::instances::{self, Goal, Instance};
use crate::text::same_size;
use crate::variant;
use numbering::Numbers;

/// Variant `reference`.
pub type Rules = variant::Rules<Instance>;

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
        Metric::Piece
    }

    fn start(&self) -> Option<Board> {
        self.start.clone()
    }

    fn pieces(&self, board: &Board) -> usize {
        board.pieces()
    }

    fn covered(&self, board: &Board, piece: usize) -> impl AsRef<[usize]> {
        board.covered(piece + 1)
    }

    fn ways(&self, _: &Board, _: usize) -> &'static [Way] {
        &WAYS
    }

    fn ahead<'a>(
        &'a self,
        board: &'a Board,
        piece: usize,
    ) -> impl Fn(usize, Way) -> Option<usize> + 'a {
        let size = (board.grid.rows, board.grid.columns);
        move |cell, way| {
            let to = beside(size, cell, way)?;
            // A piece does not block itself.
            [0, piece + 1]
                .contains(&board.cells[to].into())
                .then_some(to)
        }
    }

    fn put(&self, board: &Board, piece: usize, cells: &[usize]) -> Board {
        let cells_of = |number: usize| match number == piece + 1 {
            true => cells.to_vec(),
            false => board.covered(number),
        };
        let others = (2..=board.pieces()).map(cells_of).collect();
        Board::new(board.grid, &cells_of(1), others)
    }

    fn is_solved(&self, board: &Board) -> bool {
        let (rows, columns, cells) = (board.grid.rows, board.grid.columns, board.covered(1));
        match self.goal {
            Goal::Corner => cells.contains(&(rows * columns - 1)),
            Goal::Edges => {
                cells.iter().any(|cell| cell / columns == rows - 1)
                    && cells.iter().any(|cell| cell % columns == columns - 1)
            }
        }
    }

    fn key(&self, board: &Board) -> u64 {
        board.key()
    }

    fn board(&self, key: u64) -> Board {
        Board::of_key(self.grid, key)
    }

    fn parse(&self, text: &str) -> Result<Board, BadInput> {
        let board = Board::parse(text)?;
        let name = &self.name;
        let custom = "use simple-block/custom with --set board=…";
        let size = |grid: Grid| (grid.rows, grid.columns);
        same_size(("simple-block", name), size(board.grid), size(self.grid))?;
        if board.pieces() != self.pieces {
            return Err(BadInput::new(format!(
                "the board has {} pieces, simple-block/{name} {}: {custom}",
                board.pieces(),
                self.pieces
            )));
        }
        if let Some(start) = &self.start
            && start.shapes() != board.shapes()
        {
            return Err(BadInput::new(format!(
                "the pieces are not those of {}: {custom}",
                self.draw(start)
            )));
        }
        Ok(self.admit(board)?)
    }

    fn columns(&self) -> usize {
        self.grid.columns
    }

    fn draw(&self, board: &Board) -> String {
        drawn_on(self, board, vec![EMPTY; self.grid.cells()])
    }

    fn mark(&self, _: &Board, piece: usize) -> char {
        char::from(b'A' + piece as u8)
    }
}
