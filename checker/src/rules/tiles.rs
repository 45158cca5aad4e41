//! Sliding tiles: a tile beside the empty square slides into it. Solved: the tiles in order, the
//! empty square last or where the setting `empty` wants it.
//!
//! State and key: four bits a square in reading order, the first lowest; 0 for the empty square.
//! Canonical is the image of the smallest key, under the turns that leave the goal's empty
//! square where it is, with the tiles renamed so that the goal is its own image.

use super::{Rules, Settings, turn};

const SYMBOLS: &str = ".123456789abcdef";

pub struct Tiles {
    size: (usize, usize),
    goal: Vec<usize>,
    /// By turn: the square that each square goes to.
    turns: Vec<Vec<usize>>,
}

impl Tiles {
    /// # Errors
    /// An unknown instance or setting.
    pub fn open(instance: &str, settings: &Settings) -> Result<Self, String> {
        let pair = |text: &str, by: char| {
            let (a, b) = text.split_once(by)?;
            Some((a.trim().parse().ok()?, b.trim().parse().ok()?))
        };
        let size: (usize, usize) = pair(instance, 'x')
            .filter(|(rows, columns)| (2..=8).contains(rows) && (2..=8).contains(columns))
            .filter(|(rows, columns)| rows * columns <= 16)
            .ok_or(format!("no instance sliding-tile/{instance} here"))?;
        let mut empty = size.0 * size.1 - 1;
        for (key, value) in settings {
            let square = pair(value, ',').filter(|_| key == "empty");
            let (row, column): (usize, usize) =
                square.ok_or("a setting of sliding tiles is unknown here")?;
            empty = row * size.1 + column;
        }
        let mut goal: Vec<usize> = (1..size.0 * size.1).collect();
        if empty > goal.len() {
            return Err("no such square can be empty".into());
        }
        goal.insert(empty, 0);
        let turned = |index: usize| -> Vec<usize> {
            let to = |square| {
                let (row, column) = turn(index, size, (square / size.1, square % size.1));
                row * size.1 + column
            };
            (0..goal.len()).map(to).collect()
        };
        let all = if size.0 == size.1 { 8 } else { 4 };
        let turns = (0..all)
            .map(turned)
            .filter(|to| to[empty] == empty)
            .collect();
        Ok(Self { size, goal, turns })
    }

    /// Whether an even or odd number of exchanges makes a board of the goal, and whether the
    /// empty square is an even or odd number of squares from its place: true where these differ.
    /// Every move changes both.
    #[must_use]
    pub fn parity(&self, state: u128) -> bool {
        let place = |square: usize| square / self.size.1 + square % self.size.1;
        let (mut board, mut odd) = (unpack(state, self.goal.len()), false);
        let empty = |board: &[usize]| board.iter().position(|&tile| tile == 0).unwrap_or(0);
        let away = place(empty(&board)) + place(empty(&self.goal));
        for square in 0..board.len() {
            while let Some(home) = self.goal.iter().position(|tile| *tile == board[square]) {
                if home == square {
                    break;
                }
                board.swap(square, home);
                odd = !odd;
            }
        }
        odd != (away % 2 == 1)
    }
}

fn pack(board: &[usize]) -> u128 {
    board
        .iter()
        .rev()
        .fold(0, |key, &tile| key << 4 | tile as u128)
}

fn unpack(state: u128, squares: usize) -> Vec<usize> {
    (0..squares)
        .map(|square| (state >> (4 * square)) as usize & 15)
        .collect()
}

impl Rules for Tiles {
    fn read(&self, text: &str) -> Result<u128, String> {
        if text == "goal" {
            return Ok(pack(&self.goal));
        }
        let rows: Vec<&str> = text.split('/').collect();
        let shaped = rows.len() == self.size.0 && rows.iter().all(|row| row.len() == self.size.1);
        let tiles: Option<Vec<usize>> = rows
            .concat()
            .chars()
            .map(|symbol| SYMBOLS.find(symbol))
            .collect();
        let each_once = |tiles: &Vec<usize>| (0..self.goal.len()).all(|tile| tiles.contains(&tile));
        tiles
            .filter(|tiles| shaped && each_once(tiles))
            .map(|tiles| pack(&tiles))
            .ok_or(format!("{text:?} is no board of these tiles"))
    }
    fn draw(&self, state: u128) -> String {
        let board = unpack(state, self.goal.len());
        let row = |row: &[usize]| row.iter().map(|&tile| &SYMBOLS[tile..=tile]).collect();
        board
            .chunks(self.size.1)
            .map(row)
            .collect::<Vec<String>>()
            .join("/")
    }
    fn next(&self, state: u128, out: &mut Vec<u128>) {
        let empty = (0..self.goal.len()).find(|square| state >> (4 * square) & 15 == 0);
        let (empty, width) = (empty.unwrap_or(0), self.size.1);
        let mut slide = |from: usize| {
            let tile = state >> (4 * from) & 15;
            out.push(state ^ tile << (4 * from) ^ tile << (4 * empty));
        };
        if empty >= width {
            slide(empty - width);
        }
        if empty % width > 0 {
            slide(empty - 1);
        }
        if empty % width + 1 < width {
            slide(empty + 1);
        }
        if empty + width < self.goal.len() {
            slide(empty + width);
        }
    }
    fn solved(&self, state: u128) -> bool {
        state == pack(&self.goal)
    }
    fn start(&self) -> Option<u128> {
        None
    }
    fn images(&self, state: u128) -> Vec<u128> {
        let board = unpack(state, self.goal.len());
        let home = |tile: usize| {
            self.goal
                .iter()
                .position(|&other| other == tile)
                .unwrap_or(0)
        };
        let image = |to: &Vec<usize>| {
            let mut image = board.clone();
            for (square, &tile) in board.iter().enumerate() {
                image[to[square]] = self.goal[to[home(tile)]];
            }
            pack(&image)
        };
        self.turns.iter().map(image).collect()
    }
    fn name(&self, from: u128, to: u128) -> Option<String> {
        let (before, after) = (unpack(from, self.goal.len()), unpack(to, self.goal.len()));
        let old = after.iter().position(|&tile| tile == 0)?;
        let new = before.iter().position(|&tile| tile == 0)?;
        let way = match new as isize - old as isize {
            1 => "right",
            -1 => "left",
            step if step > 0 => "down",
            _ => "up",
        };
        Some(format!("{} {way}", &SYMBOLS[before[old]..=before[old]]))
    }
    /// Each move takes one tile one square on, so there are at least as many as the squares
    /// that the tiles are from home.
    fn at_least(&self, state: u128) -> Option<u32> {
        let away = |(square, &tile): (usize, &usize)| {
            let home = self
                .goal
                .iter()
                .position(|&other| other == tile)
                .unwrap_or(0);
            let width = self.size.1;
            (home / width).abs_diff(square / width) + (home % width).abs_diff(square % width)
        };
        let board = unpack(state, self.goal.len());
        let tiles = board.iter().enumerate().filter(|(_, tile)| **tile > 0);
        Some(tiles.map(away).sum::<usize>() as u32)
    }
}
