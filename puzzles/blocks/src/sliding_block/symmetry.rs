//! Mirror images of a board that map positions to positions and the goal to itself.

use crate::sliding_block::board::Board;
use crate::sliding_block::grid::{Grid, Shape};

/// One of the eight ways to turn and mirror a grid. Bit 0 of the index mirrors left and right, bit
/// 1 top and bottom, bit 2 then swaps rows and columns.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Turn(pub u32);

impl Turn {
    /// The image of a cell given by row and column.
    pub fn cell(self, grid: &Grid, cell: usize) -> usize {
        let (mut row, mut column) = grid.row_column(cell);
        if self.0 & 1 != 0 {
            column = grid.width - 1 - column;
        }
        if self.0 & 2 != 0 {
            row = grid.height - 1 - row;
        }
        if self.0 & 4 != 0 {
            (row, column) = (column, row);
        }
        row * grid.width + column
    }

    /// The image of a shape.
    pub fn shape(self, shape: &Shape) -> Shape {
        let image = |&(mut row, mut column): &(i32, i32)| {
            if self.0 & 1 != 0 {
                column = -column;
            }
            if self.0 & 2 != 0 {
                row = -row;
            }
            if self.0 & 4 != 0 {
                (row, column) = (column, row);
            }
            (row, column)
        };
        Shape::normal(shape.offsets().iter().map(image).collect())
    }
}

/// A symmetry of a board with its goal: the turn, and the image of each kind.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Symmetry {
    pub turn: Turn,
    pub kinds: Vec<usize>,
    pub cells: Vec<usize>,
    pub pieces: Vec<u8>,
}

/// All symmetries of a board, the identity first. A turn is a symmetry if it maps walls to walls,
/// gates to gates and goals to goals, and kinds one to one to kinds with the same number of pieces.
pub fn symmetries(board: &Board) -> Vec<Symmetry> {
    let square = board.grid.width == board.grid.height;
    let turns = if square { 8 } else { 4 };
    (0..turns)
        .filter_map(|index| symmetry(board, Turn(index)))
        .collect()
}

fn symmetry(board: &Board, turn: Turn) -> Option<Symmetry> {
    let grid = &board.grid;
    let walls_fit =
        (0..grid.len()).all(|cell| grid.is_wall(cell) == grid.is_wall(turn.cell(grid, cell)));
    let gates_fit =
        (0..grid.len()).all(|cell| board.is_gate(cell) == board.is_gate(turn.cell(grid, cell)));
    if !(walls_fit && gates_fit) {
        return None;
    }
    let mut kinds = Vec::new();
    for kind in &board.kinds {
        let shape = turn.shape(&kind.shape);
        let goal = match kind.goal {
            None => None,
            Some(goal) => Some(image_anchor(grid, turn, &kind.shape, goal)?),
        };
        let image = board.kinds.iter().position(|other| {
            other.shape == shape && other.goal == goal && other.letters.len() == kind.letters.len()
        })?;
        kinds.push(image);
    }
    let pieces = (0..board.pieces() as u8).map(|piece| {
        let kind = board.kind_of(piece);
        board.first_piece(kinds[kind]) + (piece - board.first_piece(kind))
    });
    Some(Symmetry {
        cells: (0..grid.len()).map(|cell| turn.cell(grid, cell)).collect(),
        pieces: pieces.collect(),
        turn,
        kinds,
    })
}

/// First cell, in scanning order, of the image of a piece.
pub fn image_anchor(grid: &Grid, turn: Turn, shape: &Shape, anchor: usize) -> Option<usize> {
    let cells = shape.cells(grid, anchor)?;
    cells.into_iter().map(|cell| turn.cell(grid, cell)).min()
}
