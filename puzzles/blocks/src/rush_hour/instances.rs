//! The state graphs that Rush Hour offers by name, and their settings.

mod open;

use std::collections::BTreeMap;

use puzzle_api::BadInput;

use crate::metric::Metric;
use crate::rush_hour::board::{Board, LETTERS, Piece};
use crate::rush_hour::lines::{Content, contents};
use crate::text::{place, same_size};

pub use open::{about, open, placed};

/// Most contents of rows in a numbered part: the tables of ranks take 8 bytes each.
const MOST_NUMBERED: u64 = 1 << 20;

/// The possible contents of a line, and the value of a step in that list within a key.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Line {
    /// In the order of `contents`.
    pub contents: Vec<Content>,
    /// The value of one step in this list within a key.
    pub weight: u64,
}

/// An opened instance: all placements of pieces whose lines have allowed contents.
///
/// A key is a number of mixed base, the lowest digit for the last column. The digits are the set of
/// walls, the rows from the top, and the columns from the left, each as an index in the list of its
/// possible contents.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Instance {
    /// Name, as after `rush-hour/`.
    pub name: String,
    /// Columns.
    pub width: u8,
    /// Rows.
    pub height: u8,
    /// Row of the red car, from the top.
    pub red_row: u8,
    /// The definition of one move.
    pub metric: Metric,
    /// Sets of walls, ascending, as bits `8 * row + column`.
    pub walls: Vec<u64>,
    /// Rows, then columns.
    pub lines: Vec<Line>,
    /// The value of one step in the list of walls within a key.
    pub wall_weight: u64,
    /// The board of the instance; `None` for a census.
    pub start: Option<Board>,
    /// Letters of the pieces in their order.
    pub letters: String,
}

impl Instance {
    /// Every placement on an empty board with each of some sets of walls; `None` if they do not fit
    /// a key.
    fn census(name: &str, size: (u8, u8), red_row: u8, walls: Vec<u64>) -> Option<Self> {
        let (width, height) = size;
        let mut lines: Vec<Vec<Content>> = Vec::new();
        lines.resize(height.into(), contents(width));
        lines[usize::from(red_row)].retain(|content| content.sequence(0) == "2");
        lines.resize((height + width).into(), contents(height));
        Self::new(name, size, red_row, walls, lines)
    }

    /// The placements with the pieces of a board on the same lines in the same order.
    fn of_board(name: &str, board: &Board) -> Option<Self> {
        let size = (board.width, board.height);
        let mut lines = Vec::new();
        for line in 0..usize::from(size.0 + size.1) {
            let walls = line_cells(board.walls, size, line);
            let own = content_of(board, line).sequence(walls);
            let cells = if line < size.1.into() { size.0 } else { size.1 };
            let mut allowed = contents(cells);
            allowed.retain(|content| content.cells & walls == 0 && content.sequence(walls) == own);
            lines.push(allowed);
        }
        let mut instance = Self::new(name, size, board.red().row, vec![board.walls], lines)?;
        instance.start = Some(board.clone());
        Some(instance)
    }

    fn new(
        name: &str,
        (width, height): (u8, u8),
        red_row: u8,
        walls: Vec<u64>,
        contents: Vec<Vec<Content>>,
    ) -> Option<Self> {
        let mut weight = 1_u64;
        let mut lines = Vec::new();
        for contents in contents.into_iter().rev() {
            let next = weight.checked_mul(contents.len() as u64)?;
            lines.insert(0, Line { contents, weight });
            weight = next;
        }
        weight.checked_mul(walls.len() as u64)?;
        Some(Self {
            name: name.to_owned(),
            width,
            height,
            red_row,
            metric: Metric::Line,
            walls,
            lines,
            wall_weight: weight,
            start: None,
            letters: LETTERS.to_owned(),
        })
    }

    /// Rows.
    pub fn rows(&self) -> usize {
        self.height.into()
    }

    /// Columns.
    pub fn columns(&self) -> usize {
        self.width.into()
    }

    /// Cells of a set on a line, its first cell lowest.
    pub fn cells_of(&self, cells: u64, line: usize) -> u8 {
        line_cells(cells, (self.width, self.height), line)
    }

    /// Cells of the board for a line's cells, as bits `8 * row + column`.
    pub fn cells_on(&self, line: usize, cells: u8) -> u64 {
        match line.checked_sub(self.rows()) {
            None => u64::from(cells) << (8 * line),
            Some(column) => spread(cells) << column,
        }
    }

    /// The contents of a line whose walls are given, grouped by the moves between them: the
    /// sequence of each group and its indices in the list of the line. They are in descending order
    /// of sequences, so the empty line is the last. Parts with fewer pieces are larger, and the
    /// first of an instance is the one that is tried before a search.
    pub fn groups(&self, line: usize, walls: u8) -> Vec<(String, Vec<u8>)> {
        let mut groups = BTreeMap::<String, Vec<u8>>::new();
        for (index, content) in self.lines[line].contents.iter().enumerate() {
            if content.cells & walls == 0 {
                let group = groups.entry(content.sequence(walls)).or_default();
                group.push(index as u8);
            }
        }
        groups.into_iter().rev().collect()
    }

    /// For each column, by its blocked cells: the contents that fit.
    pub(super) fn fitting(&self) -> Vec<Vec<Vec<u8>>> {
        let column = |line: &Line| {
            let fit = |blocked: u16| {
                let each = (0..).zip(&line.contents);
                let fit = each.filter(|(_, content)| u16::from(content.cells) & blocked == 0);
                fit.map(|(index, _)| index).collect()
            };
            (0..1 << self.rows()).map(fit).collect()
        };
        self.lines[self.rows()..].iter().map(column).collect()
    }

    /// Whether the states of a part are few enough to be numbered and listed.
    pub fn numbered(&self) -> bool {
        let largest = |row: usize| {
            let groups = self.groups(row, 0);
            groups
                .iter()
                .map(|(_, group)| group.len())
                .max()
                .unwrap_or(1) as u64
        };
        let rows = (0..self.rows()).map(largest);
        rows.fold(1, u64::saturating_mul) <= MOST_NUMBERED
    }

    /// Key of a board; `None` for a board of another instance.
    pub fn key_of(&self, board: &Board) -> Option<u64> {
        let walls = self.walls.binary_search(&board.walls).ok()?;
        let mut key = walls as u64 * self.wall_weight;
        for (number, line) in self.lines.iter().enumerate() {
            let content = content_of(board, number);
            let index = line.contents.iter().position(|&other| other == content)?;
            key += index as u64 * line.weight;
        }
        Some(key)
    }

    /// The board of a key. Numbers that are no key give some board.
    pub fn board_of(&self, key: u64) -> Board {
        let walls = (key / self.wall_weight) as usize % self.walls.len();
        let contents = self.lines.iter().map(|line| {
            let index = (key / line.weight) as usize % line.contents.len();
            line.contents[index]
        });
        self.board_with(self.walls[walls], contents)
    }

    pub(crate) fn board_with(&self, walls: u64, lines: impl Iterator<Item = Content>) -> Board {
        let mut pieces = Vec::new();
        for (number, content) in lines.enumerate() {
            for (start, length) in content.pieces() {
                let upright = number >= self.rows();
                let (row, column) = match upright {
                    false => (number as u8, start),
                    true => (start, (number - self.rows()) as u8),
                };
                pieces.push(Piece {
                    upright,
                    row,
                    column,
                    length,
                });
            }
        }
        let is_red = |piece: &Piece| !piece.upright && piece.row == self.red_row;
        // The row of the red car holds only this car.
        let red = pieces.iter().position(is_red).unwrap_or(0);
        let red = pieces.remove(red);
        Board::new(self.width, self.height, walls, red, pieces)
    }

    pub(super) fn admit(&self, board: &Board) -> Result<(), BadInput> {
        let name = &self.name;
        let fault = |what: String| Err(BadInput::new(what));
        let size = |height: u8, width: u8| (height.into(), width.into());
        let own = size(self.height, self.width);
        same_size(("rush-hour", name), size(board.height, board.width), own)?;
        if board.red().row != self.red_row {
            return fault(format!(
                "the red car lies in row {}, in rush-hour/{name} in row {}: {}",
                board.red().row + 1,
                self.red_row + 1,
                match self.start {
                    Some(_) => "use rush-hour/custom with --set board=…",
                    None => "give its row by --set row=…",
                }
            ));
        }
        if self.walls.binary_search(&board.walls).is_err() {
            return match &self.start {
                Some(start) => fault(format!(
                    "the walls stand elsewhere than in {}: use rush-hour/custom with --set board=…",
                    start.draw_by(&self.letters)
                )),
                None => fault(format!(
                    "the board has {} walls, rush-hour/{name} {}: give their number by --set \
                     walls=…",
                    board.walls.count_ones(),
                    self.walls[0].count_ones()
                )),
            };
        }
        for (number, line) in self.lines.iter().enumerate() {
            if !line.contents.contains(&content_of(board, number)) {
                let (row, column) = match number.checked_sub(self.rows()) {
                    None => (number, 0),
                    Some(column) => (0, column),
                };
                return fault(format!(
                    "from {} on, the pieces differ from those of rush-hour/{name}: use \
                     rush-hour/custom with --set board=…",
                    place(row, column)
                ));
            }
        }
        Ok(())
    }
}

pub(crate) fn part_name(walls: u64, sequences: &[String]) -> String {
    let shown = sequences.iter().map(|row| match row.as_str() {
        "" => "-",
        row => row,
    });
    let mut name = shown.collect::<Vec<_>>().join("/");
    for cell in (0..64).filter(|cell| walls >> cell & 1 == 1) {
        name.push_str(&format!(" wall {},{}", cell / 8 + 1, cell % 8 + 1));
    }
    name
}

pub(crate) fn content_of(board: &Board, line: usize) -> Content {
    let column = line.checked_sub(board.height.into());
    let mut content = Content { cells: 0, heads: 0 };
    for piece in &board.pieces {
        match column {
            None if !piece.upright && usize::from(piece.row) == line => {
                content = content.with(piece.column, piece.length);
            }
            Some(column) if piece.upright && usize::from(piece.column) == column => {
                content = content.with(piece.row, piece.length);
            }
            _ => {}
        }
    }
    content
}

fn line_cells(cells: u64, (_, height): (u8, u8), line: usize) -> u8 {
    match line.checked_sub(height.into()) {
        None => (cells >> (8 * line)) as u8,
        Some(column) => {
            let bits = (0..8).map(|row| ((cells >> (8 * row + column) & 1) as u8) << row);
            bits.sum()
        }
    }
}

fn spread(cells: u8) -> u64 {
    (0..8)
        .filter(|row| cells >> row & 1 == 1)
        .map(|row| 1 << (8 * row))
        .sum()
}
