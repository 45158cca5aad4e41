//! Boards: their holes, the points of these, their jumps and symmetries.
//!
//! A board is a drawing, on which pegs jump along rows and columns, or holes with the lines along
//! which they jump ([`Board::read_lines`]).
//!
//! Holes are numbered in scanning order, row by row from the top, each from the left. A hole of a
//! drawing is named as a cell, `e7`. It is also read as x:y, x to the right and y up. 0:0 is the
//! hole in the middle; if a side is even, the lower left of its middle holes.

mod drawings;
mod lines;
mod text;

use puzzle_api::{BadInput, is_remark_row, turned};

pub use drawings::{DRAWINGS, Drawing, LINED, drawing};
use lines::Lines;
pub use lines::is_lines;

/// The most holes of a board: one bit of a word each.
pub const MOST_HOLES: usize = 64;

/// The point of a hole: x to the right, y up, 0:0 in the middle.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Point {
    /// Steps to the right of the middle.
    pub x: i32,
    /// Steps above the middle.
    pub y: i32,
}

impl Point {
    /// The point x:y.
    pub const fn new(x: i32, y: i32) -> Self {
        Self { x, y }
    }

    /// Whether both numbers are small enough to be added.
    pub fn is_near(&self) -> bool {
        let near = -999..=999;
        near.contains(&self.x) && near.contains(&self.y)
    }

    /// Reads `x:y`; `None` for other text.
    pub fn read(text: &str) -> Option<Self> {
        let (x, y) = text.split_once(':')?;
        Some(Self::new(x.trim().parse().ok()?, y.trim().parse().ok()?))
    }
}

impl std::fmt::Display for Point {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "{}:{}", self.x, self.y)
    }
}

/// A jump: a peg jumps from one hole over the next into the one behind it. Holes by number.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Jump {
    /// Where the peg starts.
    pub from: usize,
    /// The hole whose peg is removed.
    pub over: usize,
    /// Where the peg lands.
    pub to: usize,
}

/// Right, up, left and down, as steps in x and y.
pub const DIRECTIONS: [(i32, i32); 4] = [(1, 0), (0, 1), (-1, 0), (0, -1)];

/// The shape of a board: holes at points of a square grid, and those in a row.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Board {
    /// Name, as in the instance's.
    pub name: String,
    /// Columns of the rectangle around the holes.
    pub width: usize,
    /// Rows of the rectangle around the holes.
    pub height: usize,
    /// Row and column of each hole, from the top left, in scanning order.
    pub holes: Vec<(usize, usize)>,
    /// Number of the hole at `row * width + column`.
    numbers: Vec<Option<usize>>,
    /// Row and column of the point 0:0, on the board or not.
    zero: (i32, i32),
    /// Names and lines, unless pegs jump along rows and columns.
    lines: Option<Lines>,
}

impl Board {
    /// The board with a name.
    pub fn of_name(name: &str) -> Result<Self, BadInput> {
        let drawing = drawing(name).ok_or_else(|| BadInput::new(format!("no board '{name}'")))?;
        Self::of_text(name, drawing.rows, name)
    }

    /// Reads a drawing ([`Board::read`]), or a board by its lines ([`Board::read_lines`]).
    pub fn of_text(name: &str, text: &str, place: &str) -> Result<Self, BadInput> {
        match is_lines(text) {
            true => Self::read_lines(name, text, place),
            false => Self::read(name, text, place),
        }
    }

    /// Reads a drawing: a line per row, `o` or `.` a hole, a blank outside. Blank lines
    /// and columns around the holes do not matter. `place` begins error texts: the name
    /// of the file.
    ///
    /// # Errors
    /// One line that names the place and the remedy: another symbol, no hole, more than 64, holes
    /// that are not connected, or no space for a jump.
    pub fn read(name: &str, text: &str, place: &str) -> Result<Self, BadInput> {
        let mut marks = Vec::new();
        let lines = (1..).zip(text.lines());
        let lines = lines.filter(|(_, line)| !is_remark_row(line));
        for (row, (number, line)) in lines.enumerate() {
            for (column, symbol) in line.chars().enumerate() {
                match symbol {
                    'o' | '.' => marks.push((row, column)),
                    ' ' | '\r' => {}
                    other => {
                        return Err(BadInput::new(format!(
                            "{place}, line {number}, column {}: '{}' is no part of a board: draw holes \
                             as o or . and leave blanks outside",
                            column + 1,
                            other.escape_default()
                        )));
                    }
                }
            }
        }
        let board = Self::of_marks(name, &marks, place)?;
        board.check_shape(marks[0], place)?;
        Ok(board)
    }

    /// The board of holes at these places, in scanning order, cut to their rectangle.
    fn of_marks(name: &str, marks: &[(usize, usize)], place: &str) -> Result<Self, BadInput> {
        let rows = marks.iter().map(|mark| mark.0);
        let columns = marks.iter().map(|mark| mark.1);
        let (Some(top), Some(bottom), Some(left), Some(right)) = (
            rows.clone().min(),
            rows.max(),
            columns.clone().min(),
            columns.max(),
        ) else {
            return Err(BadInput::new(format!(
                "{place} holds no hole: draw each as o or ., one line per row"
            )));
        };
        if marks.len() > MOST_HOLES {
            let (row, column) = marks[MOST_HOLES];
            return Err(BadInput::new(format!(
                "{place}, line {}, column {}: hole number {} of {}, but a board has at most \
                 {MOST_HOLES}: leave some out",
                row + 1,
                column + 1,
                MOST_HOLES + 1,
                marks.len()
            )));
        }
        let holes: Vec<_> = marks.iter().map(|(r, c)| (r - top, c - left)).collect();
        let (width, height) = (right - left + 1, bottom - top + 1);
        if width.max(height) > MOST_HOLES {
            return Err(BadInput::new(format!(
                "{place}: the drawing is {width} columns wide and {height} rows high, too far \
                 apart to be connected: draw the holes as one piece"
            )));
        }
        let mut numbers = vec![None; width * height];
        for (number, (row, column)) in holes.iter().enumerate() {
            numbers[row * width + column] = Some(number);
        }
        Ok(Self {
            name: name.to_owned(),
            width,
            height,
            holes,
            numbers,
            zero: ((height / 2) as i32, ((width - 1) / 2) as i32),
            lines: None,
        })
    }

    /// A hole that is not connected with the first one.
    fn cut_off(&self) -> Option<usize> {
        let mut met = vec![false; self.len()];
        let mut todo = vec![0];
        met[0] = true;
        while let Some(hole) = todo.pop() {
            for next in self.beside(hole) {
                if !std::mem::replace(&mut met[next], true) {
                    todo.push(next);
                }
            }
        }
        met.iter().position(|met| !met)
    }

    /// The neighbours of a hole: a step away, or next to it in a line.
    pub fn beside(&self, hole: usize) -> Vec<usize> {
        let Some(threes) = self.threes() else {
            let steps = DIRECTIONS.into_iter();
            return steps.filter_map(|way| self.step(hole, way)).collect();
        };
        let mut beside = Vec::new();
        for three in threes.iter().filter(|three| three.contains(&hole)) {
            match three[1] == hole {
                true => beside.extend([three[0], three[2]]),
                false => beside.push(three[1]),
            }
        }
        beside.sort_unstable();
        beside.dedup();
        beside
    }

    /// Whether the holes are connected and leave space for a jump. `first` is where the first hole
    /// is drawn.
    fn check_shape(&self, first: (usize, usize), place: &str) -> Result<(), BadInput> {
        if let Some(apart) = self.cut_off() {
            let (row, column) = self.holes[apart];
            let (top, left) = (first.0 - self.holes[0].0, first.1 - self.holes[0].1);
            return Err(BadInput::new(format!(
                "{place}, line {}, column {}: this hole is cut off from the first one (line {}, \
                 column {}): join the parts along rows or columns, or draw one of them",
                row + top + 1,
                column + left + 1,
                first.0 + 1,
                first.1 + 1
            )));
        }
        if self.jumps().is_empty() {
            return Err(BadInput::new(format!(
                "{place}: nowhere are three holes in a row, so no jump is possible: draw more \
                 holes"
            )));
        }
        Ok(())
    }

    /// Number of holes.
    pub fn len(&self) -> usize {
        self.holes.len()
    }

    /// The key in which every hole holds a peg.
    pub fn full(&self) -> u64 {
        u64::MAX >> (MOST_HOLES - self.len())
    }

    /// Where a hole lies.
    pub fn point(&self, hole: usize) -> Point {
        let (row, column) = self.holes[hole];
        Point::new(column as i32 - self.zero.1, self.zero.0 - row as i32)
    }

    /// The hole at a point, if there is one.
    pub fn hole(&self, point: Point) -> Option<usize> {
        let column = i64::from(point.x) + i64::from(self.zero.1);
        let row = i64::from(self.zero.0) - i64::from(point.y);
        let column = usize::try_from(column).ok().filter(|&c| c < self.width)?;
        let row = usize::try_from(row).ok().filter(|&r| r < self.height)?;
        self.numbers[row * self.width + column]
    }

    /// The hole one step away, if there is one.
    pub fn step(&self, hole: usize, (dx, dy): (i32, i32)) -> Option<usize> {
        let Point { x, y } = self.point(hole);
        self.hole(Point::new(x + dx, y + dy))
    }

    /// Every possible jump, by starting hole, then in the order of [`DIRECTIONS`] or of lines.
    pub fn jumps(&self) -> Vec<Jump> {
        let mut jumps = Vec::new();
        if let Some(threes) = self.threes() {
            for &[a, over, b] in threes {
                jumps.extend([(a, b), (b, a)].map(|(from, to)| Jump { from, over, to }));
            }
            jumps.sort_by_key(|jump| jump.from);
            return jumps;
        }
        for from in 0..self.len() {
            for direction in DIRECTIONS {
                if let Some(over) = self.step(from, direction)
                    && let Some(to) = self.step(over, direction)
                {
                    jumps.push(Jump { from, over, to });
                }
            }
        }
        jumps
    }

    /// Whether a jump is one of [`Board::jumps`].
    pub fn has_room_for(&self, jump: &Jump) -> bool {
        let Jump { from, over, to } = *jump;
        if let Some(threes) = self.threes() {
            return threes.contains(&[from.min(to), over, from.max(to)]);
        }
        let leads = |from, direction, to| self.step(from, direction) == Some(to);
        let mut directions = DIRECTIONS.into_iter();
        directions.any(|way| leads(jump.from, way, jump.over) && leads(jump.over, way, jump.to))
    }

    /// The symmetries that map the board to itself, the identity first: for each, the images of the
    /// holes. The square's eight, in this order: bit 0 mirrors left and right, bit 1 top and
    /// bottom, bit 2 then swaps rows and columns. For a board by its lines, at most eight that map
    /// lines to lines.
    pub fn symmetries(&self) -> Vec<Vec<usize>> {
        if let Some(threes) = self.threes() {
            return self.line_symmetries(threes);
        }
        (0..8).filter_map(|index| self.symmetry(index)).collect()
    }

    fn symmetry(&self, index: usize) -> Option<Vec<usize>> {
        if index & 4 != 0 && self.width != self.height {
            return None;
        }
        let size = (self.height, self.width);
        let image = |(row, column)| self.numbers[turned(index, size, row * self.width + column)];
        self.holes.iter().copied().map(image).collect()
    }
}

#[cfg(test)]
mod tests;
