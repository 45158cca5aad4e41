//! Line detection by following neighbours, the way a program without
//! bitboards does it: a table of neighbours made once, then plain walks.

use super::{Cells, has};

/// Cells of the board that a table was made for.
fn board_len(table: &[Vec<u16>]) -> usize {
    table.first().map_or(0, Vec::len)
}

/// No neighbour.
const NONE: u16 = u16::MAX;

/// For each axis, each cell's neighbour forward and backward.
#[derive(Clone, Debug)]
pub struct NeighbourTable {
    forward: Vec<Vec<u16>>,
    backward: Vec<Vec<u16>>,
}

impl NeighbourTable {
    /// The table of a board; boards of 65,535 cells and more are cut off.
    pub fn new(board: &Cells) -> Self {
        let to = |cell, d| {
            let to = board.neighbour(cell, d);
            to.and_then(|to| u16::try_from(to).ok()).unwrap_or(NONE)
        };
        let table = |reverse: bool| {
            let axes = board.axes().iter();
            let along = axes.map(|&d| if reverse { d.opposite() } else { d });
            along
                .map(|d| (0..board.len()).map(|cell| to(cell, d)).collect())
                .collect()
        };
        Self {
            forward: table(false),
            backward: table(true),
        }
    }

    fn run(next: &[u16], set: &[bool], from: usize) -> u32 {
        let mut length = 0;
        let mut at = next[from];
        while at != NONE && has(set, at as usize) {
            length += 1;
            at = next[at as usize];
        }
        length
    }

    /// Longest line of a set of the board's cells, stateless: walked forward
    /// from each cell that starts a line.
    pub fn longest(&self, set: &[bool]) -> u32 {
        let mut longest = 0;
        for (forward, backward) in self.forward.iter().zip(&self.backward) {
            for cell in (0..set.len().min(forward.len())).filter(|&cell| set[cell]) {
                let before = backward[cell];
                if before == NONE || !has(set, before as usize) {
                    longest = longest.max(1 + Self::run(forward, set, cell));
                }
            }
        }
        longest
    }

    /// Longest line through the last move: what a program that knows it needs.
    pub fn longest_through(&self, set: &[bool], last: usize) -> u32 {
        if last >= board_len(&self.forward) || !has(set, last) {
            return 0;
        }
        let axes = self.forward.iter().zip(&self.backward);
        let through = |(forward, backward): (&Vec<u16>, &Vec<u16>)| {
            1 + Self::run(forward, set, last) + Self::run(backward, set, last)
        };
        axes.map(through).max().unwrap_or(0)
    }
}
