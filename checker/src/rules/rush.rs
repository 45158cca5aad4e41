//! Rush Hour: a car (two cells) or truck (three) moves along itself over empty cells, any
//! distance (metric `move`) or by one cell (`step`). Solved: the red car A at the right end.
//!
//! State: the first cell of each piece on its line, three bits each: A, then the others by their
//! lines, rows first, and places. The key is a number of mixed base, a digit for each row from
//! the top and then each column from the left, the last one lowest: the place of the line's
//! first cells among all that its pieces can have on it beside its walls, in their order,
//! sorted. No state has another image.

use super::board::{Grid, has, members, set};
use super::keys::{digit, pack};
use super::{Rules, Settings, board};

const LETTERS: &[u8] = b"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnpqrstuvwyz";

/// A board without the places of its pieces.
#[derive(PartialEq)]
struct Board {
    grid: Grid,
    walls: u128,
    /// The cells of each row, then of each column.
    lines: Vec<Vec<usize>>,
    /// Line and length of each piece.
    pieces: Vec<(usize, usize)>,
}

pub struct Rush {
    board: Board,
    start: u128,
    step: bool,
    /// By line: its pieces, and all that their first cells can be.
    reach: Vec<(Vec<usize>, Vec<Vec<usize>>)>,
}

/// The first cells of some pieces on their lines.
fn firsts(state: u128, pieces: &[usize]) -> Vec<usize> {
    pieces.iter().map(|&piece| digit(3, state, piece)).collect()
}

impl Board {
    /// Reads rows joined by `/`, or the cells of a square without: a board, and a state of it.
    fn read(text: &str) -> Option<(Self, u128)> {
        let side = text.len().isqrt().max(1);
        let text = match text.contains('/') {
            true => text.to_owned(),
            false => Grid::new(side, side).draw(text.as_bytes()),
        };
        let (grid, marks) = Grid::drawn(&text)?;
        let fits = |side| (1..=8).contains(&side);
        if !fits(grid.rows) || !fits(grid.columns) {
            return None;
        }
        let line = |is_own: &dyn Fn((usize, usize)) -> bool| {
            let own = grid.cells().filter(|&cell| is_own(grid.place(cell)));
            own.collect::<Vec<_>>()
        };
        let rows = (0..grid.rows).map(|row| line(&|place| place.0 == row));
        let columns = (0..grid.columns).map(|column| line(&|place| place.1 == column));
        let lines: Vec<Vec<usize>> = rows.chain(columns).collect();
        let mut placed = Vec::new();
        for (letter, cells) in grid.pieces(&marks, b".o#x") {
            let known = LETTERS.contains(&letter) && (2..=3).contains(&cells.len());
            let first = |line: &Vec<usize>| line.windows(cells.len()).position(|own| own == cells);
            let mut places = (0..).zip(lines.iter().map(first));
            let (line, first) = places.find_map(|(line, first)| Some((line, first?)))?;
            placed.push((letter != b'A', line, first, cells.len()));
            known.then_some(())?;
        }
        placed.sort_unstable();
        let &(other, line, _, length) = placed.first()?;
        let opened = Self {
            grid,
            walls: set(grid.cells().filter(|&cell| b"#x".contains(&marks[cell]))),
            pieces: placed.iter().map(|one| (one.1, one.3)).collect(),
            lines,
        };
        let state = pack(3, placed.iter().map(|one| one.2));
        (!other && line < grid.rows && length == 2).then_some((opened, state))
    }

    /// The cells of a piece.
    fn covered(&self, state: u128, piece: usize) -> &[usize] {
        let ((line, length), first) = (self.pieces[piece], digit(3, state, piece));
        &self.lines[line][first..first + length]
    }

    /// The pieces of a line, and all that their first cells can be: in their order, and none
    /// beyond a wall.
    fn reach(&self, line: usize, state: u128) -> (Vec<usize>, Vec<Vec<usize>>) {
        let is_own = |piece: &usize| self.pieces[*piece].0 == line;
        let own: Vec<usize> = (0..self.pieces.len()).filter(is_own).collect();
        let (mut all, mut before) = (vec![vec![]], 0);
        for &piece in &own {
            let (from, length) = (digit(3, state, piece), self.pieces[piece].1);
            let clear = |cell: Option<&usize>| cell.is_some_and(|&cell| !has(self.walls, cell));
            let on_the_way = |to: usize| from.min(to)..from.max(to) + length;
            let can = |to: &usize| on_the_way(*to).all(|at| clear(self.lines[line].get(at)));
            let places: Vec<usize> = (0..8).filter(can).collect();
            let more = |firsts: &Vec<usize>| {
                let least = firsts.last().map_or(0, |last| last + before);
                let places = places.iter().filter(|&&to| to >= least);
                let more = places.map(|&to| [&firsts[..], &[to]].concat());
                more.collect::<Vec<_>>()
            };
            all = all.iter().flat_map(more).collect();
            before = length;
        }
        (own, all)
    }
}

impl Rush {
    /// # Errors
    /// An unknown instance or setting.
    pub fn open(instance: &str, settings: &Settings) -> Result<Self, String> {
        let (mut text, mut step) = (board("rush-hour", instance), false);
        for (key, value) in settings {
            match (key.as_str(), value.as_str()) {
                ("metric", "move" | "step") => step = value == "step",
                ("board", value) if instance == "custom" => text = Some(value),
                _ => return Err("a setting of Rush Hour is unknown here".into()),
            }
        }
        let text = text.ok_or(format!("no instance rush-hour/{instance} here"))?;
        let (board, start) = Board::read(text).ok_or("the board is none of Rush Hour")?;
        let lines = 0..board.lines.len();
        Ok(Self {
            reach: lines.map(|line| board.reach(line, start)).collect(),
            board,
            start,
            step,
        })
    }
}

impl Rules for Rush {
    fn read(&self, text: &str) -> Result<u128, String> {
        let reached = |state| {
            let mut lines = self.reach.iter();
            lines.all(|(own, all)| all.contains(&firsts(state, own)))
        };
        Board::read(text)
            .filter(|(board, state)| *board == self.board && reached(*state))
            .map(|one| one.1)
            .ok_or(format!("{text:?} is no position of this board"))
    }
    fn draw(&self, state: u128) -> String {
        let mut marks = vec![b'.'; self.board.grid.cells().len()];
        members(self.board.walls).for_each(|cell| marks[cell] = b'#');
        for (piece, letter) in (0..self.board.pieces.len()).zip(LETTERS) {
            let cells = self.board.covered(state, piece).iter();
            cells.for_each(|&cell| marks[cell] = *letter);
        }
        self.board.grid.draw(&marks)
    }
    fn next(&self, state: u128) -> Vec<u128> {
        let pieces = 0..self.board.pieces.len();
        let covered = pieces.flat_map(|piece| self.board.covered(state, piece));
        let taken = self.board.walls | set(covered.copied());
        let mut next = Vec::new();
        for (piece, &(line, length)) in self.board.pieces.iter().enumerate() {
            let (cells, from) = (&self.board.lines[line], digit(3, state, piece));
            let most = if self.step { 1 } else { cells.len() };
            let free = |at: &usize| !has(taken, cells[*at]);
            let to = |at: usize| state ^ ((from ^ at) as u128) << (3 * piece);
            next.extend((0..from).rev().take_while(free).take(most).map(to));
            let ahead = (from + length..cells.len()).take_while(free).take(most);
            next.extend(ahead.map(|end| to(end + 1 - length)));
        }
        next
    }
    fn solved(&self, state: u128) -> bool {
        digit(3, state, 0) + 2 == self.board.grid.columns
    }
    fn start(&self) -> Option<u128> {
        Some(self.start)
    }
    fn key(&self, state: u128) -> u128 {
        self.reach.iter().fold(0, |key, (own, all)| {
            let firsts = firsts(state, own);
            let place = all.iter().position(|other| *other == firsts).unwrap_or(0);
            key * all.len() as u128 + place as u128
        })
    }
    fn name(&self, from: u128, to: u128) -> Option<String> {
        let moved = |piece: &usize| digit(3, from, *piece) != digit(3, to, *piece);
        let piece = (0..self.board.pieces.len()).find(moved)?;
        let [old, new] = [from, to].map(|state| self.board.covered(state, piece)[0]);
        let (way, cells) = self.board.grid.ways(old, new).next()?;
        Some(format!("{} {way} {cells}", char::from(LETTERS[piece])))
    }
}
