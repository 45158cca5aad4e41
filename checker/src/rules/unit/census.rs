//! Which boards of a size are states, and all of them in a census.

use super::{EMPTY, LYING, STANDING, Unit};
use crate::rules::MOST;
use crate::rules::keys::choose;

impl Unit {
    /// Whether a board of this size is a state: of the census, or with as many cars along each line
    /// as the start.
    pub(super) fn holds(&self, state: u128) -> bool {
        if let Some(start) = self.start {
            let lines = |state| (self.exit(state), self.lying(state), self.standing(state));
            return lines(start) == lines(state);
        }
        let contents = self.contents(state).into_iter();
        let empty = contents.filter(|&content| content == EMPTY).count();
        self.exits.contains(&self.exit(state)) && self.empty.contains(&empty)
    }

    /// Number of boards with any target or none.
    fn boards(&self) -> u128 {
        let cells = self.grid.cells().len();
        let of = |empty: usize| choose(cells, empty) << (cells - empty);
        self.empty.clone().map(of).sum::<u128>() * self.exits.len() as u128
    }

    /// Every state of the census; `None` for a single board, or if there are too many.
    pub(super) fn census(&self) -> Option<Vec<u128>> {
        if self.start.is_some() || self.boards() > MOST as u128 {
            return None;
        }
        let cells = self.grid.cells().len();
        // Boards so far, cell by cell, with their empty cells.
        let mut boards: Vec<(u128, usize)> = vec![(0, 0)];
        for cell in 0..cells {
            let with = |&(board, empty): &(u128, usize)| {
                let car = |content: usize| (board | (content as u128) << (2 * cell), empty);
                [(board, empty + 1), car(LYING), car(STANDING)]
            };
            let left = cells - 1 - cell;
            let can = |(_, empty): &(u128, usize)| {
                empty <= self.empty.end() && empty + left >= *self.empty.start()
            };
            boards = boards.iter().flat_map(with).filter(can).collect();
        }
        let exits = self.exits.iter().map(|&exit| (exit as u128) << (2 * cells));
        let states = exits.flat_map(|exit| boards.iter().map(move |(board, _)| board | exit));
        let with_target = states.filter(|&state| self.target(state).is_some());
        Some(with_target.collect())
    }
}
