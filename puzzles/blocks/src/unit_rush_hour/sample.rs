//! Uniform draws.

use puzzle_api::Xorshift;
use puzzle_api::rank::binomial;

use crate::rules::Drawn;
use crate::unit_rush_hour::board::{Board, Cell};
use crate::unit_rush_hour::instances::Instance;

impl Drawn for Instance {
    fn random(&self, random: &mut Xorshift) -> Option<Board> {
        if self.start.is_some() {
            return None;
        }
        let cells = self.cells();
        // Ways to fill a board, by the number of its empty cells. Each row of the exit has equally
        // many.
        let ways: Vec<u64> = self.empty.clone().map(|empty| ways(cells, empty)).collect();
        loop {
            let exit = self.exits[random.below(self.exits.len() as u64) as usize];
            let mut draw = random.below(ways.iter().sum());
            let mut empty = *self.empty.start();
            for ways in &ways {
                if draw < *ways {
                    break;
                }
                draw -= ways;
                empty += 1;
            }
            let mut board = self.board_with(exit, Vec::new());
            for left in (1..=cells as u64).rev() {
                let cell = if random.below(left) < empty as u64 {
                    empty -= 1;
                    Cell::Empty
                } else {
                    [Cell::Lying, Cell::Standing][random.below(2) as usize]
                };
                board.cells.push(cell);
            }
            // A board without a target is no state.
            if board.target().is_some() {
                return Some(board);
            }
        }
    }
}

/// Ways to put cars of two kinds on all cells except some: at most 3^36 in all.
fn ways(cells: usize, empty: usize) -> u64 {
    binomial(cells as u32, empty as u32) << (cells - empty)
}
