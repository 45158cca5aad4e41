//! Mirror images of a board that map positions to positions and the goal to itself.

use puzzle_api::turned;

use crate::sliding_block::board::Board;
use crate::sliding_block::grid::Shape;

/// A symmetry of a board with its goal: the image of each cell, kind and piece.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Symmetry {
    pub cells: Vec<usize>,
    pub kinds: Vec<usize>,
    pub pieces: Vec<u8>,
}

/// All symmetries of a board, the identity first. A turn is a symmetry if it maps walls to walls,
/// gates to gates and goals to goals, and kinds one to one to kinds with the same number of pieces.
pub fn symmetries(board: &Board) -> Vec<Symmetry> {
    let size = (board.grid.height, board.grid.width);
    let turns = if size.0 == size.1 { 8 } else { 4 };
    let cells = |way| (0..board.grid.len()).map(move |cell| turned(way, size, cell));
    (0..turns)
        .filter_map(|way| symmetry(board, cells(way).collect()))
        .collect()
}

fn symmetry(board: &Board, cells: Vec<usize>) -> Option<Symmetry> {
    let grid = &board.grid;
    let ground = |cell| (grid.is_wall(cell), board.gates[cell]);
    if !(0..grid.len()).all(|cell| ground(cell) == ground(cells[cell])) {
        return None;
    }
    let mut symmetry = Symmetry {
        cells,
        kinds: Vec::new(),
        pieces: Vec::new(),
    };
    let starts = board.anchors_by_kind(&board.start);
    for (kind, starts) in board.kinds.iter().zip(starts) {
        let shape = Shape::of(grid, &symmetry.covered(board, &kind.shape, starts[0])?);
        let goal = match kind.goal {
            None => None,
            Some(goal) => Some(symmetry.anchor(board, &kind.shape, goal)?),
        };
        let image = board.kinds.iter().position(|other| {
            other.shape == shape && other.goal == goal && other.letters.len() == kind.letters.len()
        })?;
        symmetry.kinds.push(image);
        let first = board.first_piece(image);
        let pieces = first..first + kind.letters.len() as u8;
        symmetry.pieces.extend(pieces);
    }
    Some(symmetry)
}

impl Symmetry {
    /// The cells of the image of a piece.
    fn covered(&self, board: &Board, shape: &Shape, anchor: usize) -> Option<Vec<usize>> {
        let cells = shape.cells(&board.grid, anchor)?.into_iter();
        Some(cells.map(|cell| self.cells[cell]).collect())
    }

    /// First cell, in scanning order, of the image of a piece.
    pub fn anchor(&self, board: &Board, shape: &Shape, anchor: usize) -> Option<usize> {
        self.covered(board, shape, anchor)?.into_iter().min()
    }
}
