//! Sliding tiles: a tile beside the empty square slides into it. Solved: the tiles in order, the
//! empty square last or where the setting `empty` wants it.
//!
//! State and key: four bits a square in reading order, the first lowest; 0 for the empty square.
//! Canonical is the image of the smallest key, under the turns that leave the goal's empty
//! square where it is, with the tiles renamed so that the goal is its own image.

use super::board::{Grid, pair};
use super::keys::{digits, pack};
use super::{Rules, Settings};

const SYMBOLS: &[u8] = b".123456789abcdef";

pub struct Tiles {
    grid: Grid,
    goal: Vec<usize>,
    /// By turn: the square that each square goes to.
    turns: Vec<Vec<usize>>,
}

/// The square of a tile.
fn square_of(board: &[usize], tile: usize) -> usize {
    let square = board.iter().position(|&other| other == tile);
    square.unwrap_or(0)
}

impl Tiles {
    /// # Errors
    /// An unknown instance or setting.
    pub fn open(instance: &str, settings: &Settings) -> Result<Self, String> {
        let sides = 2..=8;
        let grid = Grid::named(instance)
            .filter(|grid| sides.contains(&grid.rows) && sides.contains(&grid.columns))
            .filter(|grid| grid.rows * grid.columns <= SYMBOLS.len())
            .ok_or(format!("no instance sliding-tile/{instance} here"))?;
        let mut goal: Vec<usize> = grid.cells().skip(1).collect();
        let mut empty = goal.len();
        for (key, value) in settings {
            let square = pair(&value.replace(' ', ""), ',').filter(|_| key == "empty");
            let place = square.ok_or("a setting of sliding tiles is unknown here")?;
            empty = grid.cell(place);
        }
        if empty > goal.len() {
            return Err("no such square can be empty".into());
        }
        goal.insert(empty, 0);
        let turns = grid.turns().filter(|to| to[empty] == empty).collect();
        Ok(Self { grid, goal, turns })
    }

    fn board(&self, state: u128) -> Vec<usize> {
        digits(4, state, self.goal.len()).collect()
    }

    /// Whether an even or odd number of exchanges makes a board of the goal, and whether the
    /// empty square is an even or odd number of squares from its place: true where these differ.
    /// Every move changes both.
    #[must_use]
    pub fn parity(&self, state: u128) -> bool {
        let (mut board, mut odd) = (self.board(state), false);
        let away = self.away(square_of(&board, 0), 0);
        for square in 0..board.len() {
            while board[square] != self.goal[square] {
                let home = square_of(&self.goal, board[square]);
                board.swap(square, home);
                odd = !odd;
            }
        }
        odd != (away % 2 == 1)
    }

    /// How many squares up, down, left and right a square is from a tile's in the goal.
    fn away(&self, square: usize, tile: usize) -> usize {
        let (rows, columns) = self.grid.apart(square, square_of(&self.goal, tile));
        rows + columns
    }
}

impl Rules for Tiles {
    fn read(&self, text: &str) -> Result<u128, String> {
        if text == "goal" {
            return Ok(pack(4, self.goal.clone()));
        }
        let tile = |symbol: &u8| SYMBOLS.iter().position(|other| other == symbol);
        let marks = self.grid.read(text).unwrap_or_default();
        let tiles: Option<Vec<usize>> = marks.iter().map(tile).collect();
        tiles
            .filter(|tiles| self.goal.iter().all(|tile| tiles.contains(tile)))
            .map(|tiles| pack(4, tiles))
            .ok_or(format!("{text:?} is no board of these tiles"))
    }
    fn draw(&self, state: u128) -> String {
        let symbols = self.board(state).into_iter().map(|tile| SYMBOLS[tile]);
        self.grid.draw(&symbols.collect::<Vec<u8>>())
    }
    fn next(&self, state: u128) -> Vec<u128> {
        let empty = square_of(&self.board(state), 0);
        let slide = |from: usize| {
            let tile = state >> (4 * from) & 15;
            state ^ tile << (4 * from) ^ tile << (4 * empty)
        };
        self.grid.beside(empty).map(slide).collect()
    }
    fn solved(&self, state: u128) -> bool {
        self.read("goal") == Ok(state)
    }
    fn images(&self, state: u128) -> Vec<u128> {
        let board = self.board(state);
        let image = |to: &Vec<usize>| {
            let mut image = board.clone();
            for (square, &tile) in board.iter().enumerate() {
                image[to[square]] = self.goal[to[square_of(&self.goal, tile)]];
            }
            pack(4, image)
        };
        self.turns.iter().map(image).collect()
    }
    fn name(&self, from: u128, to: u128) -> Option<String> {
        let (before, after) = (self.board(from), self.board(to));
        let (old, new) = (square_of(&after, 0), square_of(&before, 0));
        let (way, _) = self.grid.ways(old, new).next()?;
        Some(format!("{} {way}", char::from(SYMBOLS[before[old]])))
    }
    /// Each move takes one tile one square on, so there are at least as many as the squares
    /// that the tiles are from home.
    fn at_least(&self, state: u128) -> Option<u32> {
        let board = self.board(state).into_iter().enumerate();
        let tiles = board.filter(|(_, tile)| *tile > 0);
        let away = tiles.map(|(square, tile)| self.away(square, tile));
        Some(away.sum::<usize>() as u32)
    }
}
