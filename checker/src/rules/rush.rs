//! Rush Hour: a car (two cells) or truck (three) moves along itself over empty cells, any
//! distance (metric `move`) or by one cell (`step`). Solved: the red car A at the right end.
//!
//! State: the first cell of each piece on its line, three bits each: A, those that lie row by
//! row, those that stand column by column. The key is a number of mixed base, a digit for each
//! row from the top and then each column from the left, the last one lowest: the place of the
//! line's first cells among all that its pieces can have on it beside its walls, in their
//! order, sorted. No state has another image.

use std::collections::BTreeMap;

use super::{Rules, Settings, board};

const LETTERS: &[u8] = b"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnpqrstuvwyz";

/// A piece without its place: whether it stands, its line, its cells.
type Piece = (bool, usize, usize);

pub struct Rush {
    size: (usize, usize),
    walls: Vec<bool>,
    pieces: Vec<Piece>,
    /// By line, rows first: its pieces, and all that their first cells can be.
    lines: Vec<(Vec<usize>, Vec<Vec<usize>>)>,
    start: u128,
    step: bool,
}

/// Pieces with the first cell of each, and walls.
type Drawn = (Vec<(Piece, usize)>, Vec<bool>, (usize, usize));

fn drawn(text: &str) -> Option<Drawn> {
    let side = text.len().isqrt();
    let rows: Vec<&[u8]> = match text.contains('/') {
        true => text.split('/').map(str::as_bytes).collect(),
        false => text.as_bytes().chunks(side.max(1)).collect(),
    };
    let size = (rows.len(), rows.first()?.len());
    let fits = |side| (1..=8).contains(&side);
    if !(fits(size.0) && fits(size.1) && rows.iter().all(|row| row.len() == size.1)) {
        return None;
    }
    let marks = rows.concat();
    let mut letters: BTreeMap<u8, Vec<usize>> = BTreeMap::new();
    for (cell, &mark) in marks
        .iter()
        .enumerate()
        .filter(|(_, mark)| !b".o#x".contains(mark))
    {
        letters.entry(mark).or_default().push(cell);
    }
    let mut pieces = Vec::new();
    for (letter, cells) in letters {
        let (row, column) = (cells[0] / size.1, cells[0] % size.1);
        let along = |stride| (0..cells.len()).all(|i| cells[i] == cells[0] + i * stride);
        let lies = along(1) && column + cells.len() <= size.1;
        if !LETTERS.contains(&letter) || !(2..=3).contains(&cells.len()) {
            return None;
        }
        let piece = match lies {
            true => ((false, row, cells.len()), column),
            false if along(size.1) => ((true, column, cells.len()), row),
            false => return None,
        };
        pieces.push((letter != b'A', piece));
    }
    let red = pieces
        .iter()
        .any(|(other, ((stands, _, cells), _))| !other && !stands && *cells == 2);
    pieces.sort_by_key(|&(other, ((stands, line, _), first))| (other, stands, line, first));
    let walls = marks.iter().map(|mark| b"#x".contains(mark)).collect();
    let pieces = pieces.into_iter().map(|piece| piece.1).collect();
    red.then_some((pieces, walls, size))
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
        let (placed, walls, size) = drawn(text).ok_or("the board is none of Rush Hour")?;
        let pieces: Vec<Piece> = placed.iter().map(|(piece, _)| *piece).collect();
        let mut opened = Self {
            size,
            walls,
            pieces,
            lines: vec![],
            start: 0,
            step,
        };
        for line in 0..size.0 + size.1 {
            let of_line = |number: &usize| {
                let (stands, own, _) = opened.pieces[*number];
                own + if stands { size.0 } else { 0 } == line
            };
            let own: Vec<usize> = (0..opened.pieces.len()).filter(of_line).collect();
            let mut all = vec![vec![]];
            let mut before = 0;
            for &number in &own {
                let piece = opened.pieces[number];
                let free = |at: &usize| !opened.walls[opened.cell(piece, *at)];
                let (at, cells) = (placed[number].1, if piece.0 { size.0 } else { size.1 });
                // No piece passes a wall.
                let low = (0..at).rev().take_while(free).last().unwrap_or(at);
                let high = (at..cells).take_while(free).last().unwrap_or(at) + 1;
                let more = |firsts: &Vec<usize>| {
                    let least = firsts.last().map_or(low, |last| low.max(last + before));
                    let firsts = firsts.clone();
                    (least..=high - piece.2).map(move |at| [&firsts[..], &[at]].concat())
                };
                all = all.iter().flat_map(more).collect();
                before = piece.2;
            }
            opened.lines.push((own, all));
        }
        opened.start = pack(placed.iter().map(|piece| piece.1));
        Ok(opened)
    }

    /// The cell so far along the line of a piece.
    fn cell(&self, (stands, line, _): Piece, at: usize) -> usize {
        if stands {
            at * self.size.1 + line
        } else {
            line * self.size.1 + at
        }
    }

    fn marks(&self, state: u128) -> Vec<u8> {
        let mark = |&wall: &bool| if wall { b'#' } else { b'.' };
        let mut marks: Vec<u8> = self.walls.iter().map(mark).collect();
        for (number, &piece) in self.pieces.iter().enumerate() {
            for at in first(state, number)..first(state, number) + piece.2 {
                marks[self.cell(piece, at)] = LETTERS[number];
            }
        }
        marks
    }
}

fn first(state: u128, number: usize) -> usize {
    (state >> (3 * number)) as usize & 7
}

fn pack(firsts: impl DoubleEndedIterator<Item = usize>) -> u128 {
    firsts.rev().fold(0, |state, at| state << 3 | at as u128)
}

impl Rules for Rush {
    fn read(&self, text: &str) -> Result<u128, String> {
        let no = || format!("{text:?} is no position of this board");
        let (placed, walls, size) = drawn(text).ok_or_else(no)?;
        let same = placed.iter().map(|(piece, _)| piece).eq(&self.pieces);
        let state = pack(placed.iter().map(|piece| piece.1));
        let reachable = |(own, all): &(Vec<usize>, Vec<Vec<usize>>)| {
            all.contains(&own.iter().map(|&number| first(state, number)).collect())
        };
        let fits = same && walls == self.walls && size == self.size;
        if fits && self.lines.iter().all(reachable) {
            Ok(state)
        } else {
            Err(no())
        }
    }
    fn draw(&self, state: u128) -> String {
        let marks = self.marks(state);
        let rows = marks.chunks(self.size.1).map(String::from_utf8_lossy);
        rows.collect::<Vec<_>>().join("/")
    }
    fn next(&self, state: u128, out: &mut Vec<u128>) {
        let marks = self.marks(state);
        for (number, &piece) in self.pieces.iter().enumerate() {
            let (from, length) = (first(state, number), piece.2);
            let cells = if piece.0 { self.size.0 } else { self.size.1 };
            let most = if self.step { 1 } else { cells };
            let free = |at: &usize| marks[self.cell(piece, *at)] == b'.';
            let to = |at: usize| state ^ ((from ^ at) as u128) << (3 * number);
            out.extend((0..from).rev().take_while(free).take(most).map(to));
            let ahead = (from + length..cells).take_while(free).take(most);
            out.extend(ahead.map(|end| to(end + 1 - length)));
        }
    }
    fn solved(&self, state: u128) -> bool {
        first(state, 0) + 2 == self.size.1
    }
    fn start(&self) -> Option<u128> {
        Some(self.start)
    }
    fn images(&self, state: u128) -> Vec<u128> {
        vec![state]
    }
    fn key(&self, state: u128) -> u128 {
        self.lines.iter().fold(0, |key, (own, all)| {
            let firsts: Vec<usize> = own.iter().map(|&number| first(state, number)).collect();
            let place = all.iter().position(|other| *other == firsts).unwrap_or(0);
            key * all.len() as u128 + place as u128
        })
    }
    fn name(&self, from: u128, to: u128) -> Option<String> {
        let number = (0..self.pieces.len()).find(|&n| first(from, n) != first(to, n))?;
        let (a, b) = (first(from, number), first(to, number));
        let way = match (self.pieces[number].0, a < b) {
            (false, true) => "right",
            (false, false) => "left",
            (true, true) => "down",
            (true, false) => "up",
        };
        Some(format!(
            "{} {way} {}",
            char::from(LETTERS[number]),
            a.abs_diff(b)
        ))
    }
}
