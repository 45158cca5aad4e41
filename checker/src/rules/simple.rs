//! Simple sliding blocks: pieces of any shape, without walls. A move takes one piece along any
//! path. Solved: the goal piece A covers the cell in the lower right corner, or touches the right
//! edge and the lower one (goal `edges`). With goal `corner` only a piece that has a cell in the
//! lower right corner of the rectangle around it can be the goal piece.
//!
//! State and key: four bits per cell, the number of its piece, the last cell lowest: 0 empty, 1 the
//! goal piece, from 2 the others. These are numbered by their shapes, pushed into the upper left
//! corner of the board. Of two, the one that covers the first cell in which they differ comes
//! first; pieces of one shape are in the order of their first cells. No state has another image.

mod boards;

use std::collections::BTreeSet;

use super::Rules;
use super::board::{Grid, WAYS, has, image, spread};
use super::keys::{digit, pack};
use boards::pushed;
pub use boards::{arrived, joined, step};

pub struct Simple {
    pub grid: Grid,
    pieces: usize,
    edges: bool,
    start: Option<u128>,
}

impl Simple {
    /// The order of pieces other than the goal piece: by the picture of the shape, with its first
    /// cell as the highest bit, the greater first. Then by the first cell.
    fn order(&self, piece: u128) -> (u128, u32) {
        let cells = self.grid.cells();
        let mirrored: Vec<usize> = cells.rev().collect();
        let picture = image(pushed(self.grid, piece, [(-1, 0), (0, -1)]), &mirrored);
        (!picture, piece.trailing_zeros())
    }

    /// The state of pieces, the goal piece first.
    fn state(&self, pieces: &[u128]) -> u128 {
        let mut others = pieces[1..].to_vec();
        others.sort_by_cached_key(|&piece| self.order(piece));
        let pieces = [&pieces[..1], &others].concat();
        let of = |cell| pieces.iter().position(|&piece| has(piece, cell));
        let number = |cell| of(cell).map_or(0, |at| at + 1);
        pack(4, self.grid.cells().rev().map(number))
    }

    /// The goal piece of a state.
    pub fn goal(&self, state: u128) -> u128 {
        self.pieces(state)[0]
    }

    fn pieces(&self, state: u128) -> Vec<u128> {
        let last = self.grid.cells().len() - 1;
        let mut pieces = vec![0; self.pieces + 1];
        for cell in self.grid.cells() {
            if let Some(piece) = pieces.get_mut(digit(4, state, last - cell)) {
                *piece |= 1 << cell;
            }
        }
        pieces.split_off(1)
    }

    fn admits(&self, goal: u128) -> bool {
        let lowest = pushed(self.grid, goal, [(1, 0), (0, 1)]);
        arrived(self.grid, lowest, self.edges)
    }
}

impl Rules for Simple {
    fn read(&self, text: &str) -> Option<u128> {
        let shapes = |state| -> Vec<u128> {
            let pieces = self.pieces(state).into_iter();
            pieces.map(|piece| self.order(piece).0).collect()
        };
        let (grid, pieces) = boards::drawn(text)?;
        let fits = grid == self.grid && pieces.len() == self.pieces && self.admits(pieces[0]);
        let state = fits.then(|| self.state(&pieces))?;
        let alike = |start| shapes(start) == shapes(state);
        self.start.is_none_or(alike).then_some(state)
    }
    fn draw(&self, state: u128) -> String {
        let last = self.grid.cells().len() - 1;
        let mark = |cell| match digit(4, state, last - cell) as u8 {
            0 => b'.',
            piece => b'A' + piece - 1,
        };
        let marks: Vec<u8> = self.grid.cells().map(mark).collect();
        self.grid.draw(&marks)
    }
    fn next(&self, state: u128) -> Vec<u128> {
        let (pieces, mut next) = (self.pieces(state), Vec::new());
        let taken = pieces.iter().fold(0, |taken, piece| taken | piece);
        for (number, &piece) in pieces.iter().enumerate() {
            let free = |to: &u128| to & taken & !piece == 0;
            let step = |at, way| step(self.grid, at, way);
            let steps = |at| WAYS.into_iter().filter_map(move |way| step(at, way));
            for &to in &spread(piece, |at| steps(at).filter(free))[1..] {
                let mut moved = pieces.clone();
                moved[number] = to;
                next.push(self.state(&moved));
            }
        }
        next
    }
    fn solved(&self, state: u128) -> bool {
        arrived(self.grid, self.goal(state), self.edges)
    }
    fn start(&self) -> Option<u128> {
        self.start
    }
    fn states(&self) -> Option<Vec<u128>> {
        self.census()
    }
    /// A part has a shape of the goal piece, and a number of empty cells.
    fn parts(&self) -> Option<u64> {
        if self.start.is_some() {
            return Some(1);
        }
        let part = |state| {
            let covered = self.pieces(state).into_iter().map(u128::count_ones);
            (self.order(self.goal(state)).0, covered.sum::<u32>())
        };
        let parts: BTreeSet<(u128, u32)> = self.census()?.into_iter().map(part).collect();
        Some(parts.len() as u64)
    }
    fn name(&self, from: u128, to: u128) -> Option<String> {
        let (before, after) = (self.pieces(from), self.pieces(to));
        let left = before.iter().position(|piece| !after.contains(piece))?;
        let come = after.iter().find(|piece| !before.contains(piece))?;
        let [old, new] = [before[left], *come].map(|piece| piece.trailing_zeros() as usize);
        let letter = char::from(b'A' + left as u8);
        Some(format!("{letter}{}", self.grid.told(old, new)))
    }
}
