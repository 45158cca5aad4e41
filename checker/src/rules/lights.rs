//! Lights Out: a press switches a light and those beside it. Solved: all are out.
//!
//! State and key: bit n for light n that is on, in reading order. Canonical is the image of the
//! smallest key, under the turns of the board.

mod proof;

use super::board::{Grid, image, set};
use super::{Ends, Rules, Settings};
use crate::shown::Stop;

pub struct Lights {
    grid: Grid,
    turns: Vec<Vec<usize>>,
    /// By light: what a press of it switches.
    pub presses: Vec<u128>,
}

impl Lights {
    /// The rules of an instance; there are no settings.
    pub fn open(instance: &str, settings: &Settings) -> Option<Self> {
        let grid = Grid::named(instance)?.within(1..=64, 64)?;
        settings.is_empty().then(|| Self::new(grid))
    }

    pub fn new(grid: Grid) -> Self {
        let press = |light| set(grid.beside(light).chain([light]));
        Self {
            grid,
            turns: grid.turns().collect(),
            presses: grid.cells().map(press).collect(),
        }
    }
}

impl Rules for Lights {
    fn read(&self, text: &str) -> Option<u128> {
        match text {
            "on" => Some((1 << self.presses.len()) - 1),
            _ => self.grid.read_set(text),
        }
    }
    fn draw(&self, state: u128) -> String {
        self.grid.draw_set(state)
    }
    fn next(&self, state: u128) -> Vec<u128> {
        self.presses.iter().map(|press| state ^ press).collect()
    }
    fn solved(&self, state: u128) -> bool {
        state == 0
    }
    fn images(&self, state: u128) -> Vec<u128> {
        self.turns.iter().map(|to| image(state, to)).collect()
    }
    fn name(&self, from: u128, to: u128) -> Option<String> {
        let light = self.presses.iter().position(|press| *press == from ^ to)?;
        let (row, column) = self.grid.place(light);
        Some(format!("press {},{}", row + 1, column + 1))
    }
    fn proves(&self, ends: Ends, proof: &str) -> Result<(), Stop> {
        proof::by_quiet_pattern(self, ends, proof)
    }
}
