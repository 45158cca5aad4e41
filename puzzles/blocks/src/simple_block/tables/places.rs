//! Every place of every shape, and the place ahead in each direction, by the rulebook.

use std::cmp::Reverse;

use puzzle_api::Puzzle;

use crate::rules::{WAYS, beside, step};
use crate::simple_block::board::{Board, Grid, MOST_CELLS};
use crate::simple_block::instances::Instance;
use crate::simple_block::rules::{self, Rules};

/// Cells of a board, the first the lowest bit.
pub(super) type Cells = u16;

/// No place.
pub(super) const NONE: u16 = u16::MAX;

/// A piece on its place.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Place {
    pub(super) cells: Cells,
    /// Number of its shape, in the order in which pieces have numbers.
    pub(super) shape: u16,
    /// The places that a step in each direction leads to on an empty board, or [`NONE`].
    pub(super) steps: [u16; WAYS.len()],
    /// The key of a board with it alone, as the goal piece: one for each cell.
    pub(super) digits: u64,
    /// Whether the goal piece is here where it has to get to.
    pub(super) solved: bool,
}

/// All places.
pub(super) struct Places {
    /// All cells.
    pub(super) board: Cells,
    pub(super) all: Vec<Place>,
    /// By cells, or [`NONE`].
    pub(super) of: Vec<u16>,
    /// Shapes, as the rulebook orders them.
    pub(super) shapes: Vec<Reverse<Vec<bool>>>,
}

/// A board with the goal piece alone.
fn board_of(grid: Grid, goal: &[usize]) -> Board {
    let mut cells = vec![0; grid.cells()];
    goal.iter().for_each(|&cell| cells[cell] = 1);
    Board { grid, cells }
}

fn set_of(cells: &[usize]) -> Cells {
    cells.iter().fold(0, |set, cell| set | 1 << cell)
}

impl Places {
    /// All places of all shapes; of a single board, of the shapes of its pieces.
    pub(super) fn by_the_rulebook(instance: &Instance, rules: &Rules) -> Self {
        let grid = instance.grid;
        let size = (grid.rows, grid.columns);
        let own = instance.start.as_ref().map(Board::shapes);
        let mut pieces = Vec::new();
        for first in 0..grid.cells() {
            for cells in rules::pieces_at(grid, first) {
                let shape = grid.shape(&cells);
                if own.as_ref().is_none_or(|own| own.contains(&shape)) {
                    pieces.push((cells, Reverse(shape)));
                }
            }
        }
        let mut shapes: Vec<_> = pieces.iter().map(|piece| piece.1.clone()).collect();
        shapes.sort_unstable();
        shapes.dedup();
        let mut of = vec![NONE; 1 << MOST_CELLS];
        for (number, (cells, _)) in (0..).zip(&pieces) {
            of[usize::from(set_of(cells))] = number;
        }
        let place = |(cells, shape): &(Vec<usize>, Reverse<Vec<bool>>)| {
            let ahead = |direction| {
                let to = step(cells, direction, &|cell, way| beside(size, cell, way));
                to.map_or(NONE, |to| of[usize::from(set_of(&to))])
            };
            Place {
                cells: set_of(cells),
                shape: shapes.binary_search(shape).map_or(NONE, |at| at as u16),
                steps: WAYS.map(ahead),
                digits: rules.key(&board_of(grid, cells)),
                solved: rules::is_at_goal(grid, cells, instance.goal),
            }
        };
        Self {
            board: Cells::MAX >> (MOST_CELLS - grid.cells()),
            all: pieces.iter().map(place).collect(),
            of,
            shapes,
        }
    }

    /// The number of a shape.
    pub(super) fn shape(&self, shape: &[bool]) -> Option<u16> {
        let found = self.shapes.binary_search_by(|Reverse(own)| shape.cmp(own));
        found.ok().map(|at| at as u16)
    }
}
