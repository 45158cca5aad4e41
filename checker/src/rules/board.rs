//! Rectangular boards: cells in reading order, their drawing as rows, their steps and turns; sets
//! of cells as words; and states reachable by steps.

use std::collections::{HashSet, VecDeque};
use std::hash::Hash;
use std::ops::{Range, RangeInclusive};

/// A row and a column.
pub type Place = (usize, usize);

/// Rows down and columns to the right; may be negative.
pub type Way = (i32, i32);

/// The steps up, left, right and down.
pub const WAYS: [Way; 4] = [(-1, 0), (0, -1), (0, 1), (1, 0)];

/// A rectangle of cells.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Grid {
    pub rows: usize,
    pub columns: usize,
}

impl Grid {
    pub const fn new(rows: usize, columns: usize) -> Self {
        Self { rows, columns }
    }

    /// The rectangle with a name ROWSxCOLUMNS.
    pub fn named(text: &str) -> Option<Self> {
        let (rows, columns) = pair(text, 'x')?;
        // Each name has only one form: a leading zero is refused.
        (format!("{rows}x{columns}") == text).then_some(Self { rows, columns })
    }

    /// The same if its sides are of such lengths, and it has at most n cells.
    pub fn within(self, sides: RangeInclusive<usize>, cells: usize) -> Option<Self> {
        let both = sides.contains(&self.rows) && sides.contains(&self.columns);
        (both && self.rows * self.columns <= cells).then_some(self)
    }

    /// The rectangle of a drawing, with the marks of its cells.
    pub fn drawn(text: &str) -> Option<(Self, Vec<u8>)> {
        let (mut rows, count) = (text.split('/'), text.split('/').count());
        let grid = Self::new(count, rows.next()?.len());
        Some((grid, grid.read(text)?))
    }

    /// The same for a drawing that may also be the cells of a square without a mark between rows.
    pub fn drawn_or_square(text: &str) -> Option<(Self, Vec<u8>)> {
        let text = text.trim();
        let side = text.len().isqrt().max(1);
        match text.contains('/') {
            true => Self::drawn(text),
            false => Self::drawn(&Self::new(side, side).draw(text.as_bytes())),
        }
    }

    pub fn cells(self) -> Range<usize> {
        0..self.rows * self.columns
    }

    pub fn place(self, cell: usize) -> Place {
        (cell / self.columns, cell % self.columns)
    }

    /// A cell as moves name it: the column as a letter, the row as a number from the top.
    pub fn name(self, cell: usize) -> String {
        let (row, column) = self.place(cell);
        let letter = |n: usize| char::from(b'a' + (n % 26) as u8);
        let first = (column >= 26).then(|| letter(column / 26 - 1));
        let letters = first.into_iter().chain([letter(column)]);
        letters.collect::<String>() + &(row + 1).to_string()
    }

    pub fn cell(self, (row, column): Place) -> usize {
        row * self.columns + column
    }

    /// The cells of a row.
    pub fn row(self, row: usize) -> impl Iterator<Item = usize> {
        (0..self.columns).map(move |column| self.cell((row, column)))
    }

    /// The cells of a column.
    pub fn column(self, column: usize) -> impl Iterator<Item = usize> {
        (0..self.rows).map(move |row| self.cell((row, column)))
    }

    /// The cells of each row, then of each column.
    pub fn lines(self) -> Vec<Vec<usize>> {
        let rows = (0..self.rows).map(|row| self.row(row).collect());
        let columns = (0..self.columns).map(|column| self.column(column).collect());
        rows.chain(columns).collect()
    }

    /// The cell some rows and columns away.
    pub fn step(self, cell: usize, (down, right): Way) -> Option<usize> {
        let (row, column) = self.place(cell);
        let row = row.checked_add_signed(down as isize);
        let column = column.checked_add_signed(right as isize);
        let row = row.filter(|row| *row < self.rows)?;
        let column = column.filter(|column| *column < self.columns)?;
        Some(self.cell((row, column)))
    }

    /// The cells up, left, right and down of a cell.
    pub fn beside(self, cell: usize) -> impl Iterator<Item = usize> {
        WAYS.into_iter().filter_map(move |way| self.step(cell, way))
    }

    /// Rows and columns from one cell to another.
    pub fn apart(self, a: usize, b: usize) -> Place {
        let (a, b) = (self.place(a), self.place(b));
        (a.0.abs_diff(b.0), a.1.abs_diff(b.1))
    }

    /// Direction and distance of one cell from another: by rows first, then by columns.
    pub fn ways(self, from: usize, to: usize) -> impl Iterator<Item = (&'static str, usize)> {
        let ((row, column), (down, right)) = (self.place(from), self.apart(from, to));
        let (to_row, to_column) = self.place(to);
        [
            (if to_row < row { "up" } else { "down" }, down),
            (if to_column < column { "left" } else { "right" }, right),
        ]
        .into_iter()
        .filter(|way| way.1 > 0)
    }

    /// The same in a player's words: ` up 2 left 1`.
    pub fn told(self, from: usize, to: usize) -> String {
        let ways = self.ways(from, to);
        ways.map(|(way, cells)| format!(" {way} {cells}")).collect()
    }

    /// The image of a place under one of the eight ways to turn and mirror a rectangle. Bit 0
    /// mirrors left and right, bit 1 top and bottom, bit 2 then swaps rows and columns.
    pub fn turned(self, index: usize, (row, column): Place) -> Place {
        let mirrored = |bit: usize, at: usize, count: usize| match index & bit {
            0 => at,
            _ => count - 1 - at,
        };
        let row = mirrored(2, row, self.rows);
        let column = mirrored(1, column, self.columns);
        match index & 4 {
            0 => (row, column),
            _ => (column, row),
        }
    }

    /// The image of each cell under a turn that keeps the rectangle's sides.
    pub fn turn(self, index: usize) -> Vec<usize> {
        let to = |cell| self.cell(self.turned(index, self.place(cell)));
        self.cells().map(to).collect()
    }

    /// All turns that keep the rectangle's sides, by their numbers: eight of a square, or four.
    pub fn turns(self) -> impl Iterator<Item = Vec<usize>> {
        let count = if self.rows == self.columns { 8 } else { 4 };
        (0..count).map(move |index| self.turn(index))
    }

    /// Marks of the cells from rows joined by `/`; `None` if these make another rectangle.
    pub fn read(self, text: &str) -> Option<Vec<u8>> {
        let rows: Vec<&[u8]> = text.split('/').map(str::as_bytes).collect();
        let shaped = rows.len() == self.rows && rows.iter().all(|row| row.len() == self.columns);
        shaped.then(|| rows.concat())
    }

    /// Rows of marks, joined by `/`.
    pub fn draw(self, marks: &[u8]) -> String {
        let rows = marks.chunks(self.columns).map(String::from_utf8_lossy);
        rows.collect::<Vec<_>>().join("/")
    }

    /// The letters of a drawing with their cells, in the order of their first; the given marks are
    /// not letters.
    pub fn pieces(self, marks: &[u8], others: &[u8]) -> Vec<(u8, Vec<usize>)> {
        let mut pieces: Vec<(u8, Vec<usize>)> = Vec::new();
        for cell in self.cells().filter(|&cell| !others.contains(&marks[cell])) {
            match pieces.iter_mut().find(|(letter, _)| *letter == marks[cell]) {
                Some((_, cells)) => cells.push(cell),
                None => pieces.push((marks[cell], vec![cell])),
            }
        }
        pieces
    }

    /// A set of cells from its drawing: `o` for its members, `.` for the others.
    pub fn read_set(self, text: &str) -> Option<u128> {
        let marks = self.read(text)?;
        let known = marks.iter().all(|mark| b"o.".contains(mark));
        known.then(|| set(self.cells().filter(|&cell| marks[cell] == b'o')))
    }

    pub fn draw_set(self, set: u128) -> String {
        let marks: Vec<u8> = self.cells().map(|cell| mark(has(set, cell))).collect();
        self.draw(&marks)
    }
}

/// The drawing of a member of a set, or of another cell.
pub fn mark(member: bool) -> u8 {
    if member { b'o' } else { b'.' }
}

/// Everything reachable from one item, each once, itself first, if there are few.
pub fn spread<T: Copy + PartialEq, I: IntoIterator<Item = T>>(
    from: T,
    next: impl Fn(T) -> I,
) -> Vec<T> {
    let (mut found, mut done) = (vec![from], 0);
    while let Some(&at) = found.get(done) {
        done += 1;
        for to in next(at) {
            if !found.contains(&to) {
                found.push(to);
            }
        }
    }
    found
}

/// Everything reachable from some items, each once with its distance, the nearest first.
pub fn reached<T: Copy + Eq + Hash, I: IntoIterator<Item = T>>(
    from: impl IntoIterator<Item = T>,
    next: impl Fn(&T) -> I,
) -> impl Iterator<Item = (T, u32)> {
    let mut known = HashSet::new();
    let from = from.into_iter().filter(|one| known.insert(*one));
    let mut queue: VecDeque<(T, u32)> = from.map(|one| (one, 0)).collect();
    std::iter::from_fn(move || {
        let (one, steps) = queue.pop_front()?;
        let new = next(&one).into_iter().filter(|next| known.insert(*next));
        queue.extend(new.map(|next| (next, steps + 1)));
        Some((one, steps))
    })
}

/// Two numbers or words with a letter between them.
pub fn pair<A: std::str::FromStr, B: std::str::FromStr>(text: &str, by: char) -> Option<(A, B)> {
    let (a, b) = text.split_once(by)?;
    Some((a.parse().ok()?, b.parse().ok()?))
}

/// The set of some numbers below 128.
pub fn set(members: impl IntoIterator<Item = usize>) -> u128 {
    members.into_iter().fold(0, |set, n| set | 1 << n)
}

pub fn has(set: u128, n: usize) -> bool {
    set >> n & 1 == 1
}

/// The members of a set, the least first.
pub fn members(mut set: u128) -> impl Iterator<Item = usize> {
    std::iter::from_fn(move || {
        let least = set.trailing_zeros() as usize;
        set &= set.checked_sub(1)?;
        Some(least)
    })
}

/// The subsets of a set that have n members, as words the smallest first.
pub fn subsets(of: u128, count: usize) -> Vec<u128> {
    let Some(others) = count.checked_sub(1) else {
        return vec![0];
    };
    let with = |last: usize| {
        let rest = subsets(of & ((1 << last) - 1), others).into_iter();
        rest.map(move |rest| rest | 1 << last)
    };
    members(of).flat_map(with).collect()
}

/// A set with each member on another cell.
pub fn image(set: u128, to: &[usize]) -> u128 {
    self::set(members(set).map(|n| to[n]))
}
