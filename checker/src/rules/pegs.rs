//! Peg solitaire: a peg jumps over a neighbour (right, up, left, down; on the triangle along its
//! three directions) into the empty hole behind it. The peg jumped over is removed. Solved: one peg
//! is left, in the finish.

mod proof;
mod read;

use super::board::{Grid, Place, Way, has, image, mark, set};
use super::keys::orders;
use super::{Ends, Rules};
use crate::shown::Stop;

#[derive(Debug, Clone)]
pub struct Pegs {
    pub holes: Vec<Place>,
    pub grid: Grid,
    /// From, over, to.
    pub jumps: Vec<[usize; 3]>,
    start: u128,
    finish: Option<usize>,
    /// Whether the board is a triangle, whose holes are numbered from 1.
    pub triangle: bool,
    pub symmetries: Vec<Vec<usize>>,
}

/// Right, up, left, down, as rows and columns.
pub const WAYS: [Way; 4] = [(0, 1), (-1, 0), (0, -1), (1, 0)];

/// The same for a triangle, whose rows are drawn with a blank between two holes.
const TRIANGLE: [Way; 6] = [(0, 2), (0, -2), (-1, 1), (-1, -1), (1, 1), (1, -1)];

impl Pegs {
    pub fn full(&self) -> u128 {
        (1 << self.holes.len()) - 1
    }

    fn hole_in(&self, place: Place) -> Option<usize> {
        self.holes.iter().position(|&hole| hole == place)
    }

    /// The hole one step away.
    pub fn beside(&self, hole: usize, way: Way) -> Option<usize> {
        let cell = self.grid.step(self.grid.cell(self.holes[hole]), way)?;
        self.hole_in(self.grid.place(cell))
    }

    /// The holes one and two steps away.
    pub fn ahead(&self, hole: usize, way: Way) -> (Option<usize>, Option<usize>) {
        let over = self.beside(hole, way);
        (over, over.and_then(|over| self.beside(over, way)))
    }

    /// All turns of the board, wherever the finish is.
    pub fn turns(&self) -> Vec<Vec<usize>> {
        if self.triangle {
            return self.triangle_turns();
        }
        let turn = |index| {
            let to = |&hole: &Place| self.hole_in(self.grid.turned(index, hole));
            self.holes.iter().map(to).collect()
        };
        (0..self.grid.turns().count()).filter_map(turn).collect()
    }

    /// The six of a triangle: its sides exchanged. A hole is so far from each side.
    fn triangle_turns(&self) -> Vec<Vec<usize>> {
        let last = self.grid.rows - 1;
        let sides = |&(row, column): &Place| {
            let along = (column + row - last) / 2;
            [last - row, along, row - along]
        };
        let to = |order: &[usize], hole: &Place| {
            let turned: Vec<usize> = order.iter().map(|&side| sides(hole)[side]).collect();
            let place = self
                .holes
                .iter()
                .position(|other| sides(other)[..] == turned);
            place.unwrap_or(0)
        };
        let turn = |order: Vec<usize>| self.holes.iter().map(|hole| to(&order, hole)).collect();
        orders(&[0, 1, 2]).into_iter().map(turn).collect()
    }

    pub fn jumped(&self, state: u128, [from, over, to]: [usize; 3]) -> Option<u128> {
        let can = has(state, from) && has(state, over) && !has(state, to);
        can.then_some(state ^ set([from, over, to]))
    }
}

impl Rules for Pegs {
    fn read(&self, text: &str) -> Option<u128> {
        let named = self.by_name(text);
        if named.is_some() {
            return named;
        }
        let row = |row: &str| match self.triangle {
            true => row.split_whitespace().collect(),
            false => row.trim().to_owned(),
        };
        let rows: Vec<String> = text.split('/').map(row).collect();
        let marks = rows.concat().into_bytes();
        let holes = 0..self.holes.len();
        let state = set(holes.filter(|&hole| marks.get(hole) == Some(&b'o')));
        let same = self.draw(state).split('/').map(row).eq(rows);
        same.then_some(state)
    }
    fn draw(&self, state: u128) -> String {
        let mut marks = vec![b' '; self.grid.cells().len()];
        for (hole, &place) in self.holes.iter().enumerate() {
            marks[self.grid.cell(place)] = mark(has(state, hole));
        }
        let drawn = self.grid.draw(&marks);
        let rows: Vec<&str> = drawn.split('/').map(str::trim_end).collect();
        rows.join("/")
    }
    fn next(&self, state: u128) -> Vec<u128> {
        let jumps = self.jumps.iter();
        jumps.filter_map(|&jump| self.jumped(state, jump)).collect()
    }
    fn before(&self, state: u128) -> Option<Vec<u128>> {
        // A jump undone is the same jump of the empty holes.
        let complement = |state: u128| self.full() & !state;
        let before = self.next(complement(state)).into_iter();
        Some(before.map(complement).collect())
    }
    /// A jump removes a peg.
    fn is_layered(&self) -> bool {
        true
    }
    fn solved_states(&self) -> Vec<u128> {
        match self.finish {
            Some(finish) => vec![1 << finish],
            None => (0..self.holes.len()).map(|hole| 1 << hole).collect(),
        }
    }
    fn start(&self) -> Option<u128> {
        Some(self.start)
    }
    fn images(&self, state: u128) -> Vec<u128> {
        self.symmetries.iter().map(|to| image(state, to)).collect()
    }
    fn name(&self, from: u128, to: u128) -> Option<String> {
        let made = |jump: &&[usize; 3]| self.jumped(from, **jump) == Some(to);
        let [from, _, to] = *self.jumps.iter().find(made)?;
        Some(format!("{} to {}", self.named(from), self.named(to)))
    }
    fn proves(&self, ends: Ends, proof: &str) -> Result<(), Stop> {
        proof::by_weights(self, ends, proof)
    }
}
