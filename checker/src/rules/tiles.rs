//! Sliding tiles: a tile next to the empty square slides into it. Solved: the tiles in order, the
//! empty square last or where the setting `empty` wants it.
//!
//! State and key: four bits per square, or five if there are more than 16.

use super::board::{Grid, pair};
use super::keys::{digits, each_order, pack};
use super::{Ends, Rules, Settings};
use crate::shown::{OrWrong, Stop};

const SYMBOLS: &[u8] = b".123456789abcdefghijklmno";

pub struct Tiles {
    grid: Grid,
    goal: Vec<usize>,
    bits: usize,
    turns: Vec<Vec<usize>>,
}

fn square_of(board: &[usize], tile: usize) -> usize {
    let square = board.iter().position(|&other| other == tile);
    square.unwrap_or(0)
}

impl Tiles {
    /// The rules of an instance of up to 16 squares, or of 17 to 25.
    pub fn open(instance: &str, settings: &Settings, large: bool) -> Option<Self> {
        let (bits, most) = if large { (5, SYMBOLS.len()) } else { (4, 16) };
        let grid = Grid::named(instance)?.within(2..=12, most)?;
        (large == (grid.cells().len() > 16)).then_some(())?;
        let mut goal: Vec<usize> = grid.cells().skip(1).collect();
        let mut empty = goal.len();
        for (key, value) in settings {
            let square = pair(&value.replace(' ', ""), ',').filter(|_| key == "empty");
            empty = grid.cell(square?);
        }
        (empty <= goal.len()).then_some(())?;
        goal.insert(empty, 0);
        let turns = grid.turns().filter(|to| to[empty] == empty).collect();
        Some(Self {
            grid,
            goal,
            bits,
            turns,
        })
    }

    fn board(&self, state: u128) -> Vec<usize> {
        digits(self.bits, state, self.goal.len()).collect()
    }

    /// Taxicab distance of a square from a tile's square in the goal.
    fn away(&self, square: usize, tile: usize) -> usize {
        let (rows, columns) = self.grid.apart(square, square_of(&self.goal, tile));
        rows + columns
    }

    /// Whether two parities differ: that of the exchanges that turn the goal into a board, and that
    /// of the squares between the empty square and its goal. Every move changes both.
    fn parity(&self, state: u128) -> bool {
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
}

impl Rules for Tiles {
    fn read(&self, text: &str) -> Option<u128> {
        if text == "goal" {
            return self.solved_states().first().copied();
        }
        let tile = |symbol: &u8| SYMBOLS.iter().position(|other| other == symbol);
        let marks = self.grid.read(text)?;
        let tiles: Vec<usize> = marks.iter().map(tile).collect::<Option<_>>()?;
        let all_there = self.goal.iter().all(|tile| tiles.contains(tile));
        all_there.then(|| pack(self.bits, tiles))
    }
    fn draw(&self, state: u128) -> String {
        let symbols = self.board(state).into_iter().map(|tile| SYMBOLS[tile]);
        self.grid.draw(&symbols.collect::<Vec<u8>>())
    }
    fn next(&self, state: u128) -> Vec<u128> {
        let empty = square_of(&self.board(state), 0);
        let slide = |from: usize| {
            let (from, empty) = (self.bits * from, self.bits * empty);
            let tile = state >> from & ((1 << self.bits) - 1);
            state ^ tile << from ^ tile << empty
        };
        self.grid.beside(empty).map(slide).collect()
    }
    fn count(&self) -> Option<u128> {
        Some((1..=self.goal.len() as u128).product())
    }
    /// Of two orders that differ by an exchange, one can be solved.
    fn parts(&self) -> Option<u64> {
        Some(2)
    }
    fn solved_states(&self) -> Vec<u128> {
        vec![pack(self.bits, self.goal.iter().copied())]
    }
    /// Every order of the tiles.
    fn each_state(&self, take: &mut dyn FnMut(u128)) -> bool {
        let few = self.goal.len() <= 10;
        if few {
            let mut take = |board: &[usize]| take(pack(self.bits, board.iter().copied()));
            each_order(&mut self.goal.clone(), 0, &mut take);
        }
        few
    }
    fn images(&self, state: u128) -> Vec<u128> {
        let board = self.board(state);
        let image = |to: &Vec<usize>| {
            let mut image = board.clone();
            for (square, &tile) in board.iter().enumerate() {
                image[to[square]] = self.goal[to[square_of(&self.goal, tile)]];
            }
            pack(self.bits, image)
        };
        self.turns.iter().map(image).collect()
    }
    fn name(&self, from: u128, to: u128) -> Option<String> {
        let (before, after) = (self.board(from), self.board(to));
        let (old, new) = (square_of(&after, 0), square_of(&before, 0));
        let (way, _) = self.grid.ways(old, new).next()?;
        Some(format!("{} {way}", char::from(SYMBOLS[before[old]])))
    }
    /// Each move takes one tile one square further, so at least the sum of the tiles' distances
    /// from home is needed.
    fn at_least(&self, state: u128) -> Option<u32> {
        let board = self.board(state).into_iter().enumerate();
        let tiles = board.filter(|(_, tile)| *tile > 0);
        let away = tiles.map(|(square, tile)| self.away(square, tile));
        Some(away.sum::<usize>() as u32)
    }
    /// Two parities that every move changes together are equal on one board and not on the other.
    fn proves(&self, (start, goal): Ends, text: &str) -> Result<(), Stop> {
        let goal = goal.map_or_else(|| self.state("goal"), Ok)?;
        let unlike = [start, goal].map(|state| self.parity(state));
        (unlike[0] != unlike[1]).or_wrong("the parities are alike")?;
        let word = unlike.map(|unlike| if unlike { "unequal" } else { "equal" });
        let (from, to) = (self.draw(start), self.draw(goal));
        let right = format!("from: {from}, {}\nto: {to}, {}", word[0], word[1]);
        (text == right).or_wrong("the proof shows something else")
    }
}
