//! Lights Out: a press switches a light and those beside it. Solved: all are out.
//!
//! State and key: bit n for light n that is on, in reading order. Canonical is the image of the
//! smallest key, under the turns of the board.

use super::{Rules, Settings, turn};

pub struct Lights {
    size: (usize, usize),
    /// By light: what a press of it switches.
    pub presses: Vec<u128>,
}

impl Lights {
    /// # Errors
    /// An unknown instance, or any setting.
    pub fn open(instance: &str, settings: &Settings) -> Result<Self, String> {
        let known = instance.split_once('x').and_then(|(rows, columns)| {
            let (rows, columns) = (rows.parse::<usize>().ok()?, columns.parse::<usize>().ok()?);
            (1..=64)
                .contains(&rows.checked_mul(columns)?)
                .then_some((rows, columns))
        });
        let size = known.filter(|_| settings.is_empty()).ok_or(format!(
            "no instance lights-out/{instance} here, or a setting"
        ))?;
        let lights = 0..size.0 * size.1;
        let apart = |a: usize, b: usize| {
            (a / size.1).abs_diff(b / size.1) + (a % size.1).abs_diff(b % size.1)
        };
        let press = |light| {
            let near = lights.clone().filter(|&other| apart(light, other) <= 1);
            near.fold(0, |set, other| set | 1 << other)
        };
        Ok(Self {
            size,
            presses: lights.clone().map(press).collect(),
        })
    }
}

impl Rules for Lights {
    fn read(&self, text: &str) -> Result<u128, String> {
        let all = (1 << self.presses.len()) - 1;
        let lights = text.chars().filter(|&c| c != '/').enumerate();
        let on = lights.filter(|(light, c)| *c == 'o' && *light < self.presses.len());
        match on.fold(0, |state, (light, _)| state | 1 << light) {
            _ if text == "on" => Ok(all),
            state if self.draw(state) == text => Ok(state),
            _ => Err(format!("{text:?} is no board of these lights")),
        }
    }
    fn draw(&self, state: u128) -> String {
        let light = |light: usize| if state >> light & 1 == 1 { 'o' } else { '.' };
        let row =
            |row: usize| (0..self.size.1).map(move |column| light(row * self.size.1 + column));
        (0..self.size.0)
            .map(|r| row(r).collect())
            .collect::<Vec<String>>()
            .join("/")
    }
    fn next(&self, state: u128, out: &mut Vec<u128>) {
        out.extend(self.presses.iter().map(|press| state ^ press));
    }
    fn solved(&self, state: u128) -> bool {
        state == 0
    }
    fn start(&self) -> Option<u128> {
        None
    }
    fn images(&self, state: u128) -> Vec<u128> {
        let image = |index| {
            let on = (0..self.presses.len()).filter(|light| state >> light & 1 == 1);
            on.fold(0, |image, light| {
                let place = (light / self.size.1, light % self.size.1);
                let (row, column) = turn(index, self.size, place);
                image | 1 << (row * self.size.1 + column)
            })
        };
        let turns = if self.size.0 == self.size.1 { 8 } else { 4 };
        (0..turns).map(image).collect()
    }
    fn name(&self, from: u128, to: u128) -> Option<String> {
        let light = self.presses.iter().position(|press| *press == from ^ to)?;
        Some(format!(
            "press {},{}",
            light / self.size.1 + 1,
            light % self.size.1 + 1
        ))
    }
}
