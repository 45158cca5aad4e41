//! Unit Rush Hour: a car of one cell lies and moves along its row, or stands and moves along its
//! column, over empty cells, by one cell (metric `step`) or any distance (`move`). Solved: the
//! target, the leftmost car that lies in the row of the exit, at the left end.
//!
//! State: two bits a cell in reading order, the first lowest, 0 empty, 1 a car that lies, 2 one
//! that stands; above them the row of the exit, from 0 at the top. The key has the same digits in
//! base three. In a census that may be turned upside down, that has two images, and canonical is
//! the one with the higher exit; else the one whose numbers of cars that lie, row by row from the
//! top, are the greater list; else the one of the smaller key.

use std::ops::RangeInclusive;

use super::MOST;
use super::board::{Grid, WAYS};
use super::keys::{choose, digit, digits, pack};
use super::{Rules, Settings, board};

const EMPTY: usize = 0;
const LYING: usize = 1;
const STANDING: usize = 2;

pub struct Unit {
    grid: Grid,
    exits: Vec<usize>,
    empty: RangeInclusive<usize>,
    step: bool,
    start: Option<u128>,
}

/// Reads rows joined by `/`, or the cells of a square without.
fn drawn(text: &str) -> Option<(Grid, u128)> {
    let side = text.len().isqrt().max(1);
    let text = match text.contains('/') {
        true => text.to_owned(),
        false => Grid::new(side, side).draw(text.as_bytes()),
    };
    let (grid, marks) = Grid::drawn(&text)?;
    let target = marks.iter().position(|&mark| mark == b'A')?;
    let exit = grid.place(target).0;
    let content = |&mark: &u8| match mark {
        b'.' => Some(EMPTY),
        b'A' | b'-' | b'=' => Some(LYING),
        b'|' => Some(STANDING),
        _ => None,
    };
    let contents: Vec<usize> = marks.iter().map(content).collect::<Option<_>>()?;
    let alone = marks.iter().filter(|&&mark| mark == b'A').count() == 1;
    let leftmost = !contents[grid.cell((exit, 0))..target].contains(&LYING);
    let whole = fits(grid) && alone && leftmost;
    whole.then(|| (grid, joined(grid, contents, exit)))
}

fn fits(grid: Grid) -> bool {
    let sides = 2..=10;
    sides.contains(&grid.rows) && sides.contains(&grid.columns) && grid.cells().len() <= 36
}

fn joined(grid: Grid, contents: impl IntoIterator<Item = usize>, exit: usize) -> u128 {
    pack(2, contents) | (exit as u128) << (2 * grid.cells().len())
}

impl Unit {
    /// # Errors
    /// An unknown instance or setting.
    pub fn open(instance: &str, settings: &Settings) -> Result<Self, String> {
        let unknown = || format!("no instance unit-rush-hour/{instance} here, or a setting");
        let named = board("unit-rush-hour", instance);
        let custom = settings.get("board");
        if custom.is_some() != (instance == "custom") {
            return Err(unknown());
        }
        let opened = match named.or(custom.map(String::as_str)) {
            Some(text) => {
                let text = board("unit-rush-hour", text).unwrap_or(text);
                let (grid, start) = drawn(text).ok_or("the board is none of Unit Rush Hour")?;
                Self::of(grid, Some(start))
            }
            None => Self::of(
                Grid::named(instance)
                    .filter(|grid| fits(*grid))
                    .ok_or_else(unknown)?,
                None,
            ),
        };
        settings
            .iter()
            .try_fold(opened, |opened, setting| opened.set(setting))
            .ok_or_else(unknown)
    }

    fn of(grid: Grid, start: Option<u128>) -> Self {
        Self {
            grid,
            exits: (0..grid.rows).collect(),
            empty: 1..=1,
            step: true,
            start,
        }
    }

    /// The same with a setting; a board takes fewer.
    fn set(mut self, (key, value): (&String, &String)) -> Option<Self> {
        let (census, value) = (self.start.is_none(), value.trim());
        let most = self.grid.cells().len() - 1;
        match (key.as_str(), value) {
            ("metric", "step" | "move") => self.step = value == "step",
            ("board", _) => {}
            ("exit", "any") if census => {}
            ("exit", row) if census => {
                let row = row.parse::<usize>().ok()?.checked_sub(1)?;
                self.exits = vec![Some(row).filter(|row| *row < self.grid.rows)?];
            }
            ("empty", "any") if census => self.empty = 0..=most,
            ("empty", value) if census => {
                let (least, last) = value.split_once("..").unwrap_or((value, value));
                let span: RangeInclusive<usize> = least.parse().ok()?..=last.parse().ok()?;
                self.empty = Some(span).filter(|span| !span.is_empty() && *span.end() <= most)?;
            }
            _ => return None,
        }
        Some(self)
    }

    fn exit(&self, state: u128) -> usize {
        (state >> (2 * self.grid.cells().len())) as usize
    }

    fn contents(&self, state: u128) -> Vec<usize> {
        digits(2, state, self.grid.cells().len()).collect()
    }

    /// How many cars lie in each row.
    fn lying(&self, state: u128) -> Vec<usize> {
        let count = |row: &[usize]| row.iter().filter(|&&content| content == LYING).count();
        self.contents(state)
            .chunks(self.grid.columns)
            .map(count)
            .collect()
    }

    /// How many cars stand in each column.
    fn standing(&self, state: u128) -> Vec<usize> {
        let stands =
            |column: usize, row| digit(2, state, self.grid.cell((row, column))) == STANDING;
        let count = |column| {
            (0..self.grid.rows)
                .filter(|&row| stands(column, row))
                .count()
        };
        (0..self.grid.columns).map(count).collect()
    }

    fn target(&self, state: u128) -> Option<usize> {
        let row = (0..self.grid.columns).map(|column| self.grid.cell((self.exit(state), column)));
        row.into_iter().find(|&cell| digit(2, state, cell) == LYING)
    }

    /// Whether a board of this size is a state: of the census, or with as many cars along each line
    /// as the start.
    fn holds(&self, state: u128) -> bool {
        let empty = self
            .contents(state)
            .iter()
            .filter(|&&content| content == EMPTY)
            .count();
        let alike = |start: u128| {
            let lines = |state| (self.exit(state), self.lying(state), self.standing(state));
            lines(start) == lines(state)
        };
        let counted = self.exits.contains(&self.exit(state)) && self.empty.contains(&empty);
        self.start.map_or(counted, alike)
    }

    /// How many boards there are with any target or none.
    fn boards(&self) -> u128 {
        let cells = self.grid.cells().len();
        let of = |empty: usize| choose(cells, empty) << (cells - empty);
        self.empty.clone().map(of).sum::<u128>() * self.exits.len() as u128
    }
}

impl Rules for Unit {
    fn read(&self, text: &str) -> Result<u128, String> {
        drawn(board("unit-rush-hour", text).unwrap_or(text))
            .filter(|(grid, state)| *grid == self.grid && self.holds(*state))
            .map(|one| one.1)
            .ok_or(format!("{text:?} is no position of this board"))
    }
    fn draw(&self, state: u128) -> String {
        let target = self.target(state);
        let mark = |(cell, content)| match content {
            EMPTY => b'.',
            STANDING => b'|',
            _ if target == Some(cell) => b'A',
            _ => b'-',
        };
        let marks: Vec<u8> = (0..).zip(self.contents(state)).map(mark).collect();
        self.grid.draw(&marks)
    }
    fn next(&self, state: u128) -> Vec<u128> {
        let (contents, mut next) = (self.contents(state), Vec::new());
        for from in self.grid.cells().filter(|&cell| contents[cell] != EMPTY) {
            let lies = contents[from] == LYING;
            for way in WAYS.into_iter().filter(|way| (way.0 == 0) == lies) {
                let free = |cell: usize| {
                    let to = self.grid.step(cell, way);
                    to.filter(|&to| contents[to] == EMPTY)
                };
                let ahead = std::iter::successors(free(from), |&cell| free(cell));
                let moved = (contents[from] as u128) << (2 * from);
                let to = |to: usize| state ^ moved ^ (contents[from] as u128) << (2 * to);
                next.extend(ahead.take(if self.step { 1 } else { 10 }).map(to));
            }
        }
        next
    }
    fn before(&self, state: u128) -> Vec<u128> {
        self.next(state)
    }
    fn solved(&self, state: u128) -> bool {
        self.target(state) == Some(self.grid.cell((self.exit(state), 0)))
    }
    fn start(&self) -> Option<u128> {
        self.start
    }
    fn states(&self) -> Option<Vec<u128>> {
        if self.start.is_some() || self.boards() > MOST as u128 {
            return None;
        }
        let cells = self.grid.cells().len();
        let mut contents: Vec<(u128, usize)> = vec![(0, 0)];
        for cell in 0..cells {
            let with = |&(state, empty): &(u128, usize)| {
                let content = |content| {
                    (
                        state | (content as u128) << (2 * cell),
                        empty + usize::from(content == EMPTY),
                    )
                };
                [EMPTY, LYING, STANDING].map(content)
            };
            let left = cells - 1 - cell;
            let can = |(_, empty): &(u128, usize)| {
                empty <= self.empty.end() && empty + left >= *self.empty.start()
            };
            contents = contents.iter().flat_map(with).filter(can).collect();
        }
        let exits = self.exits.iter().map(|&exit| (exit as u128) << (2 * cells));
        let states = exits.flat_map(|exit| contents.iter().map(move |(state, _)| state | exit));
        Some(
            states
                .filter(|&state| self.target(state).is_some())
                .collect(),
        )
    }
    fn images(&self, state: u128) -> Vec<u128> {
        let other = |exit: &usize| self.exits.contains(&(self.grid.rows - 1 - exit));
        if self.start.is_some() || !self.exits.iter().all(other) {
            return vec![state];
        }
        let contents = self.contents(state);
        let rows: Vec<&[usize]> = contents.chunks(self.grid.columns).rev().collect();
        let exit = self.grid.rows - 1 - self.exit(state);
        vec![state, joined(self.grid, rows.concat(), exit)]
    }
    fn key(&self, state: u128) -> u128 {
        let contents = self.contents(state).into_iter().rev();
        contents.fold(self.exit(state) as u128, |key, content| {
            3 * key + content as u128
        })
    }
    fn order(&self, state: u128) -> u128 {
        // The greater list comes first. A row has at most ten cars, and a key less than 64 bits.
        let lying = self.lying(state).into_iter();
        let lists = lying.fold(self.exit(state) as u128, |list, count| {
            list << 4 | (10 - count) as u128
        });
        lists << 64 | self.key(state)
    }
    fn name(&self, from: u128, to: u128) -> Option<String> {
        let cell = |is: fn(usize, usize) -> bool| {
            let mut cells = self.grid.cells();
            cells.find(|&cell| is(digit(2, from, cell), digit(2, to, cell)))
        };
        let (old, new) = (cell(|a, b| a > b)?, cell(|a, b| a < b)?);
        let (way, cells) = self.grid.ways(old, new).next()?;
        let (row, column) = self.grid.place(old);
        let car = match self.target(from) == Some(old) {
            true => "A".to_owned(),
            false => format!("r{}c{}", row + 1, column + 1),
        };
        Some(format!("{car} {way} {cells}"))
    }
}
