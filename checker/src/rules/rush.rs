//! Rush Hour: a car (two cells) or truck (three) moves lengthwise over empty cells, any distance
//! (metric `move`) or by one cell (`step`). Solved: the red car A at the right end.
//!
//! State: the first cell of each piece on its line, three bits each: A, then the others by their
//! lines, rows first, and places.

mod boards;

use super::Rules;
use super::board::{Grid, has, members, set};
use super::keys::digit;

const LETTERS: &[u8] = b"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnpqrstuvwyz";

/// A board without the places of its pieces.
#[derive(PartialEq)]
struct Board {
    grid: Grid,
    walls: u128,
    lines: Vec<Vec<usize>>,
    /// Line and length of each piece.
    pieces: Vec<(usize, usize)>,
}

pub struct Rush {
    board: Board,
    start: u128,
    /// Letters of the pieces, as on the instance's board.
    letters: Vec<u8>,
    step: bool,
    /// By line: its pieces, and all their possible first cells.
    reach: Vec<(Vec<usize>, Vec<Vec<usize>>)>,
}

fn firsts(state: u128, pieces: &[usize]) -> Vec<usize> {
    pieces.iter().map(|&piece| digit(3, state, piece)).collect()
}

impl Board {
    fn covered(&self, state: u128, piece: usize) -> &[usize] {
        let ((line, length), first) = (self.pieces[piece], digit(3, state, piece));
        &self.lines[line][first..first + length]
    }

    /// The pieces of a line, and all their possible first cells: in their order, and none beyond a
    /// wall.
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

impl Rules for Rush {
    fn read(&self, text: &str) -> Option<u128> {
        let (board, state, _) = Board::read(text)?;
        let mut lines = self.reach.iter();
        let reached = lines.all(|(own, all)| all.contains(&firsts(state, own)));
        (board == self.board && reached).then_some(state)
    }
    fn draw(&self, state: u128) -> String {
        let mut marks = vec![b'.'; self.board.grid.cells().len()];
        members(self.board.walls).for_each(|cell| marks[cell] = b'#');
        for (piece, letter) in self.letters.iter().enumerate() {
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
    fn each_state(&self, take: &mut dyn FnMut(u128)) -> bool {
        boards::each(self, take)
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
        let letter = char::from(self.letters[piece]);
        Some(format!("{letter}{}", self.board.grid.told(old, new)))
    }
}
