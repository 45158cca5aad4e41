//! The state graphs that Unit Rush Hour offers by name, and their settings.

mod open;

use std::ops::RangeInclusive;

use puzzle_api::BadInput;

use crate::metric::Metric;
use crate::text::same_size;
use crate::unit_rush_hour::board::{Board, Cell};

pub use open::{about, open};

/// An opened instance: the allowed placements of cars, each with a row of the exit in which at
/// least one car lies.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Instance {
    pub name: String,
    pub rows: usize,
    pub columns: usize,
    /// Possible rows of the exit, from 0 at the top, ascending.
    pub exits: Vec<usize>,
    /// Possible numbers of empty cells.
    pub empty: RangeInclusive<usize>,
    pub metric: Metric,
    /// The board of the instance; `None` for a census. Its placements have as many cars along each
    /// line as this board.
    pub start: Option<Board>,
}

impl Instance {
    pub fn cells(&self) -> usize {
        self.rows * self.columns
    }

    pub fn board_with(&self, exit: usize, cells: Vec<Cell>) -> Board {
        Board {
            rows: self.rows,
            columns: self.columns,
            exit,
            cells,
        }
    }

    /// Whether the mirror image of every placement, top and bottom exchanged, is also a placement.
    /// Not checked for instances of a board: few boards equal their image.
    pub fn has_mirror(&self) -> bool {
        let other = |&exit: &usize| self.exits.contains(&(self.rows - 1 - exit));
        self.start.is_none() && self.exits.iter().all(other)
    }

    pub(super) fn admit(&self, board: &Board) -> Result<(), BadInput> {
        let name = &self.name;
        let fault = |what: String| Err(BadInput::new(what));
        let size = (board.rows, board.columns);
        same_size(("unit-rush-hour", name), size, (self.rows, self.columns))?;
        if let Some(start) = &self.start {
            let rows = (0..self.rows).find(|&row| board.lying(row) != start.lying(row));
            let columns = 0..self.columns;
            let columns = columns.map(|c| (c, board.standing(c) != start.standing(c)));
            let column = columns.filter(|(_, differs)| *differs).map(|(c, _)| c);
            let place = match (rows, column.min()) {
                _ if board.exit != start.exit => format!("row {} with the exit", board.exit + 1),
                (Some(row), _) => format!("the cars that lie in row {}", row + 1),
                (None, Some(column)) => format!("the cars that stand in column {}", column + 1),
                (None, None) => return Ok(()),
            };
            return fault(format!(
                "{place}: not as in unit-rush-hour/{name}, where moves never change it: use \
                 unit-rush-hour/custom with --set board=…"
            ));
        }
        if !self.exits.contains(&board.exit) {
            return fault(format!(
                "the target lies in row {}, in unit-rush-hour/{name} in row {}: set exit=…",
                board.exit + 1,
                self.exits[0] + 1
            ));
        }
        if !self.empty.contains(&board.empty()) {
            return fault(format!(
                "the board has {} empty cells, unit-rush-hour/{name} {} to {}: set empty=…",
                board.empty(),
                self.empty.start(),
                self.empty.end()
            ));
        }
        Ok(())
    }
}
