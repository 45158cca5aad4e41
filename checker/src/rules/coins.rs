//! Coin sliding: a move lifts a coin and puts it on an empty cell, another than it came from,
//! that has two or more of the other coins beside it (up, down, left, right).
//!
//! State and key: bit c for a coin on cell c in reading order. Canonical is the image of the
//! smallest key under the symmetries that keep the set of starts and the set of goals; without
//! start and goal in the settings there is no symmetry but the identity.

use super::{Rules, Settings, board, turn};

#[derive(Debug, Clone)]
pub struct Coins {
    pub width: usize,
    pub height: usize,
    pub coins: u32,
    glyphs: &'static str,
    starts: Vec<u128>,
    goals: Vec<u128>,
    symmetries: Vec<Vec<usize>>,
    near: Vec<u128>,
}

impl Coins {
    /// # Errors
    /// An unknown instance or setting.
    pub fn open(instance: &str, settings: &Settings) -> Result<Self, String> {
        let (height, coins) = match instance {
            "5x7" => (7, 12),
            "5x9" => (9, 13),
            _ => return Err(format!("no instance coin-sliding/{instance} here")),
        };
        let glyphs = if height == 7 {
            "coin-sliding-5x7"
        } else {
            "coin-sliding-5x9"
        };
        let mut opened = Self {
            width: 5,
            height,
            coins,
            glyphs,
            starts: vec![],
            goals: vec![],
            symmetries: vec![],
            near: vec![],
        };
        opened.near = (0..5 * height)
            .map(|cell| opened.beside(cell).fold(0, |mask, c| mask | 1 << c))
            .collect();
        for (key, value) in settings {
            let states: Vec<u128> = value
                .split(',')
                .map(|text| opened.read(text))
                .collect::<Result<_, _>>()?;
            match key.as_str() {
                "from" => opened.starts = states,
                "to" => opened.goals = states,
                _ => return Err(format!("the setting {key} of coin sliding is unknown here")),
            }
        }
        let all: Vec<Vec<usize>> = (0..4).map(|index| opened.symmetry(index)).collect();
        let keeps =
            |set: &[u128], to: &[usize]| set.iter().all(|&coins| set.contains(&moved(coins, to)));
        let free = opened.starts.is_empty() && opened.goals.is_empty();
        let kept = all.into_iter().take(if free { 1 } else { 4 });
        opened.symmetries = kept
            .filter(|to| keeps(&opened.starts, to) && keeps(&opened.goals, to))
            .collect();
        Ok(opened)
    }

    /// The cells beside a cell.
    pub fn beside(&self, cell: usize) -> impl Iterator<Item = usize> + use<> {
        let (width, height) = (self.width, self.height);
        let (row, column) = (cell / width, cell % width);
        let near = [
            (row > 0, -(width as isize)),
            (row + 1 < height, width as isize),
            (column > 0, -1),
            (column + 1 < width, 1),
        ];
        near.into_iter()
            .filter_map(move |(there, by)| there.then_some(cell.wrapping_add_signed(by)))
    }

    /// Where one of the four symmetries takes each cell.
    #[must_use]
    pub fn symmetry(&self, index: usize) -> Vec<usize> {
        let size = (self.height, self.width);
        let to = |cell| turn(index, size, (cell / self.width, cell % self.width));
        (0..self.width * self.height)
            .map(|cell| to(cell).0 * self.width + to(cell).1)
            .collect()
    }

    fn cell_name(&self, cell: u32) -> String {
        let (row, column) = (cell as usize / self.width, cell as usize % self.width);
        format!("{}{}", char::from(b'a' + column as u8), row + 1)
    }
}

/// A set of coins with each on another cell.
#[must_use]
pub fn moved(coins: u128, to: &[usize]) -> u128 {
    (0..to.len())
        .filter(|cell| coins >> cell & 1 == 1)
        .fold(0, |mask, cell| mask | 1 << to[cell])
}

impl Rules for Coins {
    fn read(&self, text: &str) -> Result<u128, String> {
        let text = board(self.glyphs, text.trim()).unwrap_or(text);
        let rows: Vec<&str> = text.split('/').collect();
        let cells: Vec<u8> = rows.iter().flat_map(|row| row.bytes()).collect();
        let shaped = rows.len() == self.height && rows.iter().all(|row| row.len() == self.width);
        let coins = cells
            .iter()
            .enumerate()
            .filter(|(_, c)| **c == b'o')
            .fold(0_u128, |mask, (cell, _)| mask | 1 << cell);
        match shaped && cells.iter().all(|c| b"o.".contains(c)) && coins.count_ones() == self.coins
        {
            true => Ok(coins),
            false => Err(format!("{text:?} is no board of this font")),
        }
    }
    fn draw(&self, state: u128) -> String {
        let row = |row: usize| {
            (0..self.width)
                .map(|c| {
                    if state >> (row * self.width + c) & 1 == 1 {
                        'o'
                    } else {
                        '.'
                    }
                })
                .collect::<String>()
        };
        (0..self.height).map(row).collect::<Vec<_>>().join("/")
    }
    fn next(&self, state: u128, out: &mut Vec<u128>) {
        let cells = || 0..self.near.len();
        for from in cells().filter(|cell| state >> cell & 1 == 1) {
            let lifted = state & !(1 << from);
            let lands =
                |to: &usize| state >> to & 1 == 0 && (lifted & self.near[*to]).count_ones() >= 2;
            out.extend(cells().filter(lands).map(|to| lifted | 1 << to));
        }
    }
    fn before(&self, state: u128, out: &mut Vec<u128>) -> bool {
        let cells = || 0..self.near.len();
        let last =
            cells().filter(|to| state >> to & 1 == 1 && (state & self.near[*to]).count_ones() >= 2);
        for to in last {
            let empty = cells().filter(|from| state >> from & 1 == 0);
            out.extend(empty.map(|from| state & !(1 << to) | 1 << from));
        }
        true
    }
    fn solved(&self, state: u128) -> bool {
        self.goals.contains(&state)
    }
    fn start(&self) -> Option<u128> {
        self.starts.first().copied()
    }
    fn images(&self, state: u128) -> Vec<u128> {
        self.symmetries.iter().map(|to| moved(state, to)).collect()
    }
    fn name(&self, from: u128, to: u128) -> Option<String> {
        let (lifted, put) = (from & !to, to & !from);
        (lifted.count_ones() == 1 && put.count_ones() == 1).then(|| {
            format!(
                "{} to {}",
                self.cell_name(lifted.trailing_zeros()),
                self.cell_name(put.trailing_zeros())
            )
        })
    }
}
