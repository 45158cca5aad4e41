//! Every place of every shape, and where a piece on it steps, by the rulebook.

use std::cmp::Reverse;

use puzzle_api::Puzzle;

use crate::board::{Board, Grid, MOST_CELLS};
use crate::instances::Instance;
use crate::rules::{self, Rules, STEPS};

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
    pub(super) steps: [u16; STEPS.len()],
    /// The key of a board with it alone, as the goal piece: one for each cell.
    pub(super) digits: u64,
    /// Whether the goal piece is here where it has to get to.
    pub(super) solved: bool,
}

/// All places.
pub(super) struct Places {
    grid: Grid,
    /// All cells.
    pub(super) board: Cells,
    pub(super) all: Vec<Place>,
    /// By cells, or [`NONE`].
    pub(super) of: Vec<u16>,
    /// Shapes, as the rulebook orders them.
    pub(super) shapes: Vec<Reverse<Vec<bool>>>,
}

/// A board with a goal piece, and another piece on some cells.
fn board_with(grid: Grid, goal: &[usize], others: &[usize]) -> Board {
    let mut cells = vec![0; grid.cells()];
    goal.iter().for_each(|&cell| cells[cell] = 1);
    others.iter().for_each(|&cell| cells[cell] = 2);
    Board { grid, cells }
}

fn set_of(cells: &[usize]) -> Cells {
    cells.iter().fold(0, |set, cell| set | 1 << cell)
}

impl Places {
    /// All places of all shapes; of a single board, of the shapes of its pieces.
    pub(super) fn by_the_rulebook(instance: &Instance, rules: &Rules) -> Self {
        let grid = instance.grid;
        let own = instance.start.as_ref().map(Board::shapes);
        let mut pieces = Vec::new();
        for first in 0..grid.cells() {
            for cells in rules.pieces_at(first) {
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
            let board = board_with(grid, cells, &[]);
            let step = |direction| {
                let to = rules::step(&board, 1, cells, direction);
                to.map_or(NONE, |to| of[usize::from(set_of(&to))])
            };
            Place {
                cells: set_of(cells),
                shape: shapes.binary_search(shape).map_or(NONE, |at| at as u16),
                steps: STEPS.map(step),
                digits: rules.key(&board),
                solved: rules.is_solved(&board),
            }
        };
        Self {
            grid,
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

    /// The cells of a place, in order.
    pub(super) fn cells_of(&self, piece: u16) -> Vec<usize> {
        let covered = self.all[usize::from(piece)].cells;
        (0..self.grid.cells())
            .filter(|cell| covered >> cell & 1 == 1)
            .collect()
    }

    /// Shows, for every place and direction and every cell beside it, that a piece on that
    /// cell stops a step exactly where the step would cover it; and that a goal piece is or is
    /// not at its goal, whatever the other cells hold.
    ///
    /// # Errors
    /// One line that names a board where that is not so.
    pub(super) fn are_stopped_by_what_they_cover(&self, instance: &Instance) -> Result<(), String> {
        for (number, place) in (0..).zip(&self.all) {
            let cells = self.cells_of(number);
            let others = (0..self.grid.cells()).filter(|cell| place.cells >> cell & 1 == 0);
            let others: Vec<usize> = others.collect();
            let full = board_with(self.grid, &cells, &others);
            if rules::is_solved(&full, instance.goal) != place.solved {
                return Err(format!("{}: is or is not solved, other", full.draw()));
            }
            for &other in &others {
                let board = board_with(self.grid, &cells, &[other]);
                for (direction, &to) in STEPS.into_iter().zip(&place.steps) {
                    let to = self.all.get(usize::from(to)).map_or(0, |to| to.cells);
                    let free = if to >> other & 1 == 0 { to } else { 0 };
                    let by_rules = rules::step(&board, 1, &cells, direction);
                    if by_rules.map_or(0, |to| set_of(&to)) != free {
                        return Err(format!("{}: steps other than by tables", board.draw()));
                    }
                }
            }
        }
        Ok(())
    }
}
