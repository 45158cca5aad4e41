//! Lights Out: a press switches a light and those beside it. Solved: all are out.
//!
//! State and key: bit n for light n that is on, in reading order. Canonical is the image of the
//! smallest key, under the turns of the board.

use super::board::{Grid, image, set};
use super::{Rules, Settings};

pub struct Lights {
    grid: Grid,
    turns: Vec<Vec<usize>>,
    /// By light: what a press of it switches.
    pub presses: Vec<u128>,
}

impl Lights {
    /// # Errors
    /// An unknown instance, or any setting.
    pub fn open(instance: &str, settings: &Settings) -> Result<Self, String> {
        let fits = |grid: &Grid| {
            let lights = grid.rows.checked_mul(grid.columns);
            lights.is_some_and(|lights| (1..=64).contains(&lights)) && settings.is_empty()
        };
        let grid = Grid::named(instance).filter(fits).ok_or(format!(
            "no instance lights-out/{instance} here, or a setting"
        ))?;
        Ok(Self::new(grid))
    }

    #[must_use]
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
    fn read(&self, text: &str) -> Result<u128, String> {
        match text {
            "on" => Ok((1 << self.presses.len()) - 1),
            _ => self
                .grid
                .read_set(text)
                .ok_or(format!("{text:?} is no board of these lights")),
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
}
