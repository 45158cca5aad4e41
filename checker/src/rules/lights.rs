//! Lights Out: a press switches a light and its neighbours, or those of a pattern. Whether all
//! lights are out.

use super::board::{Grid, has, image, set};
use super::{Ends, Rules, Settings};
use crate::shown::{OrWrong, Stop};

pub struct Lights {
    grid: Grid,
    turns: Vec<Vec<usize>>,
    /// For each light, the lights that a press of it switches.
    pub presses: Vec<u128>,
    /// Whether the lights of each press are the light and its neighbours.
    plus: bool,
}

impl Lights {
    /// The rules of an instance; a setting `pattern` has rows of `.` and `1` around the light.
    pub fn open(instance: &str, settings: &Settings) -> Option<Self> {
        let grid = Grid::named(instance)?.within(1..=64, 64)?;
        let mut lights = Self::new(grid);
        for (key, value) in settings {
            let (around, marks) = Grid::drawn(value).filter(|_| key == "pattern")?;
            let odd = around.rows % 2 == 1 && around.columns % 2 == 1;
            if !odd || marks.iter().any(|mark| !b".1".contains(mark)) {
                return None;
            }
            let on: Vec<usize> = around.cells().filter(|&cell| marks[cell] == b'1').collect();
            let way = |at: usize, size: usize| at as i32 - size as i32 / 2;
            let step = |light, (down, right)| {
                grid.step(light, (way(down, around.rows), way(right, around.columns)))
            };
            let press = |light| set(on.iter().filter_map(|&at| step(light, around.place(at))));
            lights.presses = grid.cells().map(press).collect();
            lights.plus = false;
            let presses = &lights.presses;
            lights.turns.retain(|to| {
                grid.cells()
                    .all(|light| image(presses[light], to) == presses[to[light]])
            });
        }
        Some(lights)
    }

    pub fn new(grid: Grid) -> Self {
        let press = |light| set(grid.beside(light).chain([light]));
        Self {
            grid,
            turns: grid.turns().collect(),
            presses: grid.cells().map(press).collect(),
            plus: true,
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
        let mut next: Vec<u128> = self.presses.iter().map(|press| state ^ press).collect();
        // On a board of two lights, both do the same.
        next.sort_unstable();
        next.dedup();
        next
    }
    fn solved_states(&self) -> Vec<u128> {
        vec![0]
    }
    /// A limit above [`MOST`](super::MOST), since few of the states may be solvable.
    fn each_state(&self, take: &mut dyn FnMut(u128)) -> bool {
        let few = self.presses.len() <= 27;
        let states = 0..1 << self.presses.len();
        states.take_while(|_| few).for_each(take);
        few
    }
    fn images(&self, state: u128) -> Vec<u128> {
        self.turns.iter().map(|to| image(state, to)).collect()
    }
    fn name(&self, from: u128, to: u128) -> Option<String> {
        let lights = (0..)
            .zip(&self.presses)
            .filter(|(_, press)| **press == from ^ to);
        let names = lights.map(|(light, _)| format!("press {}\n", self.grid.name(light)));
        Some(names.collect()).filter(|names: &String| !names.is_empty())
    }
    /// The fewest presses, by light chasing: whatever is pressed in the first row, each further row
    /// has to switch off the lights above it.
    fn at_least(&self, state: u128) -> Option<u32> {
        if !self.plus {
            return None;
        }
        // Chases along the longer side, so that there are few first rows to try.
        let (lines, rows) = (self.grid.lines(), self.grid.rows);
        let rows = match rows >= self.grid.columns {
            true => &lines[..rows],
            false => &lines[rows..],
        };
        let chase = |first: u128| {
            let (mut on, mut count) = (state, 0);
            for (row, lights) in rows.iter().enumerate() {
                for (at, &light) in lights.iter().enumerate() {
                    if row == 0 && has(first, at) || row > 0 && has(on, rows[row - 1][at]) {
                        on ^= self.presses[light];
                        count += 1;
                    }
                }
            }
            (on == 0).then_some(count)
        };
        (0..1 << rows[0].len()).filter_map(chase).min()
    }
    /// By a quiet pattern: every press switches an even number of these lights, but an odd number of
    /// them must change.
    fn proves(&self, (start, goal): Ends, proof: &str) -> Result<(), Stop> {
        let switched = start ^ goal.unwrap_or(0);
        let parts = proof.strip_prefix("pattern: ");
        let parts = parts.and_then(|text| text.split_once('\n'));
        let (pattern, told) = parts.ok_or("the proof has no pattern")?;
        let pattern = self.state(pattern)?;
        let even = |press: &u128| (press & pattern).count_ones().is_multiple_of(2);
        let odd = (pattern & switched).count_ones() % 2 == 1;
        let shows = self.presses.iter().all(even) && odd;
        shows.or_wrong("the pattern proves nothing")?;
        let right = format!("to be switched: {}", self.draw(switched));
        (told == right).or_wrong("the proof is of other boards")
    }
}
