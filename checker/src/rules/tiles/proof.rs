//! Proofs by parity that no slides lead to a goal.

use super::{Tiles, square_of};
use crate::rules::{Ends, Rules};
use crate::shown::{OrWrong, Stop};

impl Tiles {
    /// Whether two parities differ: that of the exchanges that turn the goal into a board, and that
    /// of the squares between the empty square and its goal. Every move changes both.
    fn parity(&self, state: u128) -> bool {
        let (mut board, mut odd) = (self.board(state), false);
        let away = self.away(square_of(&board, 0), 0);
        for square in 0..board.len() {
            while board[square] != self.goal[square] {
                let home = square_of(&self.goal, board[square]);
                board.swap(square, home);
                odd = !odd;
            }
        }
        odd != (away % 2 == 1)
    }
}

/// Two parities that every move changes together are equal on one board and not on the other.
pub(super) fn by_parity(tiles: &Tiles, (start, goal): Ends, text: &str) -> Result<(), Stop> {
    let goal = goal.map_or_else(|| tiles.state("goal"), Ok)?;
    let unlike = [start, goal].map(|state| tiles.parity(state));
    (unlike[0] != unlike[1]).or_wrong("the parities are alike")?;
    let word = unlike.map(|unlike| if unlike { "unequal" } else { "equal" });
    let (from, to) = (tiles.draw(start), tiles.draw(goal));
    let right = format!("from: {from}, {}\nto: {to}, {}", word[0], word[1]);
    (text == right).or_wrong("the proof shows something else")
}
