//! Unit Rush Hour: a car of one cell lies and moves along its row, or stands and moves along its
//! column. It moves over empty cells, by one cell (metric `step`) or any distance (`move`). Solved:
//! the target, the leftmost car that lies in the row of the exit, is at the left end.
//!
//! State: two bits per cell in reading order, the first lowest: 0 empty, 1 a car that lies, 2 one
//! that stands. Above them is the row of the exit, from 0 at the top. The key has the same digits
//! in base three. A census that may be turned upside down has two images; the one with the higher
//! exit is canonical. If they are level, it is the one with the greater list of numbers of cars
//! that lie, row by row from the top; else the one with the smaller key.

mod boards;

use std::collections::BTreeSet;
use std::ops::RangeInclusive;

use super::Rules;
use super::board::{Grid, WAYS};
use super::keys::{digit, digits, pack};

const EMPTY: usize = 0;
const LYING: usize = 1;
const STANDING: usize = 2;

pub struct Unit {
    grid: Grid,
    exits: Vec<usize>,
    empty: RangeInclusive<usize>,
    step: bool,
    start: Option<u128>,
}

/// The state of the contents of all cells.
fn joined(grid: Grid, contents: impl IntoIterator<Item = usize>, exit: usize) -> u128 {
    pack(2, contents) | (exit as u128) << (2 * grid.cells().len())
}

impl Unit {
    fn exit(&self, state: u128) -> usize {
        (state >> (2 * self.grid.cells().len())) as usize
    }

    fn contents(&self, state: u128) -> Vec<usize> {
        digits(2, state, self.grid.cells().len()).collect()
    }

    /// Number of cars that lie in each row.
    fn lying(&self, state: u128) -> Vec<usize> {
        let lies = |cell: &usize| digit(2, state, *cell) == LYING;
        let count = |row| self.grid.row(row).filter(lies).count();
        (0..self.grid.rows).map(count).collect()
    }

    /// Number of cars that stand in each column.
    fn standing(&self, state: u128) -> Vec<usize> {
        let stands = |cell: &usize| digit(2, state, *cell) == STANDING;
        let count = |column| self.grid.column(column).filter(stands).count();
        (0..self.grid.columns).map(count).collect()
    }

    fn target(&self, state: u128) -> Option<usize> {
        let mut row = self.grid.row(self.exit(state));
        row.find(|&cell| digit(2, state, cell) == LYING)
    }
}

impl Rules for Unit {
    fn read(&self, text: &str) -> Option<u128> {
        let (grid, state) = boards::drawn(text)?;
        (grid == self.grid && self.holds(state)).then_some(state)
    }
    fn draw(&self, state: u128) -> String {
        let target = self.target(state);
        let mark = |(cell, content)| match content {
            EMPTY => b'.',
            STANDING => b'|',
            _ if target == Some(cell) => b'A',
            _ => b'-',
        };
        let marks: Vec<u8> = (0..).zip(self.contents(state)).map(mark).collect();
        self.grid.draw(&marks)
    }
    fn next(&self, state: u128) -> Vec<u128> {
        let (contents, mut next) = (self.contents(state), Vec::new());
        for from in self.grid.cells().filter(|&cell| contents[cell] != EMPTY) {
            let lies = contents[from] == LYING;
            for way in WAYS.into_iter().filter(|way| (way.0 == 0) == lies) {
                let free = |cell: usize| {
                    let to = self.grid.step(cell, way);
                    to.filter(|&to| contents[to] == EMPTY)
                };
                let ahead = std::iter::successors(free(from), |&cell| free(cell));
                let moved = (contents[from] as u128) << (2 * from);
                let to = |to: usize| state ^ moved ^ (contents[from] as u128) << (2 * to);
                next.extend(ahead.take(if self.step { 1 } else { 10 }).map(to));
            }
        }
        next
    }
    fn solved(&self, state: u128) -> bool {
        self.target(state) == Some(self.grid.cell((self.exit(state), 0)))
    }
    fn start(&self) -> Option<u128> {
        self.start
    }
    fn states(&self) -> Option<Vec<u128>> {
        self.census()
    }
    /// A part has an exit, and a number of cars that lie in each row.
    fn parts(&self) -> Option<u64> {
        if self.start.is_some() {
            return Some(1);
        }
        let part = |state| self.order(self.canonical(state)) >> 64;
        let parts: BTreeSet<u128> = self.census()?.into_iter().map(part).collect();
        Some(parts.len() as u64)
    }
    fn images(&self, state: u128) -> Vec<u128> {
        let other = |exit: &usize| self.exits.contains(&(self.grid.rows - 1 - exit));
        if self.start.is_some() || !self.exits.iter().all(other) {
            return vec![state];
        }
        let contents = self.contents(state);
        let rows: Vec<&[usize]> = contents.chunks(self.grid.columns).rev().collect();
        let exit = self.grid.rows - 1 - self.exit(state);
        vec![state, joined(self.grid, rows.concat(), exit)]
    }
    fn key(&self, state: u128) -> u128 {
        let contents = self.contents(state).into_iter().rev();
        contents.fold(self.exit(state) as u128, |key, content| {
            3 * key + content as u128
        })
    }
    fn order(&self, state: u128) -> u128 {
        // The greater list comes first. A row has at most ten cars, and a key less than 64 bits.
        let lying = self.lying(state).into_iter();
        let lists = lying.fold(self.exit(state) as u128, |list, count| {
            list << 4 | (10 - count) as u128
        });
        lists << 64 | self.key(state)
    }
    fn name(&self, from: u128, to: u128) -> Option<String> {
        let cell = |is: fn(usize, usize) -> bool| {
            let mut cells = self.grid.cells();
            cells.find(|&cell| is(digit(2, from, cell), digit(2, to, cell)))
        };
        let (old, new) = (cell(|a, b| a > b)?, cell(|a, b| a < b)?);
        let car = match self.target(from) == Some(old) {
            true => "A".to_owned(),
            false => self.grid.name(old),
        };
        Some(format!("{car}{}", self.grid.told(old, new)))
    }
}
