//! Boards as text: rows joined by `/`, or the cells of a square board in one line; and names of
//! moves.

use std::fmt::Display;
use std::ops::RangeInclusive;
use std::path::Path;

use puzzle_api::{BadInput, is_remark_row, read_text, shown};

/// An error in a board's text: its line or row there (from 1), if it concerns one, and the text.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Fault {
    pub line: Option<usize>,
    /// The error, and the remedy.
    pub what: String,
}

impl Fault {
    /// An error at a line, or of the whole board.
    pub fn new(line: Option<usize>, what: impl Into<String>) -> Self {
        let what = what.into();
        Self { line, what }
    }

    /// An error at a cell, which it names.
    pub fn at(row: usize, column: usize, what: impl Display) -> Self {
        Self::new(Some(row + 1), format!("{}: {what}", place(row, column)))
    }
}

impl From<Fault> for BadInput {
    fn from(fault: Fault) -> Self {
        Self(fault.what)
    }
}

/// The boards that a puzzle accepts.
#[derive(Debug, Clone, Copy)]
pub struct Sizes {
    pub rows: (usize, usize),
    pub columns: (usize, usize),
    pub cells: usize,
}

impl Sizes {
    /// Whether a board may have these sides.
    pub fn take(&self, rows: usize, columns: usize) -> bool {
        let within = |(least, most): (usize, usize)| -> RangeInclusive<usize> { least..=most };
        within(self.rows).contains(&rows)
            && within(self.columns).contains(&columns)
            && rows * columns <= self.cells
    }

    /// Rows and columns from a name such as `4x4`, without leading zeros.
    pub fn named(&self, name: &str) -> Option<(usize, usize)> {
        let (rows, columns) = name.split_once('x')?;
        let (rows, columns) = (rows.parse().ok()?, columns.parse().ok()?);
        (self.take(rows, columns) && format!("{rows}x{columns}") == name).then_some((rows, columns))
    }

    /// The rows of a text, all of one length, with only known symbols; `write` lists these.
    pub fn rows_of(
        &self,
        text: &str,
        known: impl Fn(char) -> bool,
        write: &str,
    ) -> Result<Vec<Vec<char>>, Fault> {
        let text = text.trim();
        let rows: Vec<Vec<char>> = if text.contains('/') {
            text.split('/').map(|row| row.chars().collect()).collect()
        } else {
            let cells: Vec<char> = text.chars().collect();
            let side = cells.len().isqrt();
            if side * side != cells.len() || side == 0 {
                let what = "cells are not: write rows joined by '/'";
                let what = format!("a board in one line is square, and {} {what}", cells.len());
                return Err(Fault::new(None, what));
            }
            cells.chunks(side).map(<[char]>::to_vec).collect()
        };
        let (height, width) = (rows.len(), rows[0].len());
        alike(&rows, known, write)?;
        if !self.take(height, width) {
            let Self {
                rows: (a, b),
                columns: (c, d),
                cells,
            } = self;
            let together = match b * d > *cells {
                true => format!(", at most {cells} cells together"),
                false => String::new(),
            };
            let what = format!(
                "a board has {a} to {b} rows of {c} to {d} cells{together}, not {height} of {width}: \
                 write rows joined by '/'"
            );
            return Err(Fault::new(None, what));
        }
        Ok(rows)
    }
}

/// Refuses rows of unequal lengths, and unknown symbols; `write` lists the known ones.
pub fn alike(rows: &[Vec<char>], known: impl Fn(char) -> bool, write: &str) -> Result<(), Fault> {
    let width = rows[0].len();
    for (row, cells) in rows.iter().enumerate() {
        if cells.len() != width {
            let what = format!(
                "row {} has {} cells, row 1 has {width}: make all rows equally long",
                row + 1,
                cells.len()
            );
            return Err(Fault::new(Some(row + 1), what));
        }
        if let Some(column) = cells.iter().position(|&symbol| !known(symbol)) {
            let symbol = cells[column].escape_default();
            let what = format!("'{symbol}' is no cell: write {write}");
            return Err(Fault::at(row, column, what));
        }
    }
    Ok(())
}

pub const MOST_BYTES: u64 = 1 << 20;

/// The rows of a board's file with the numbers of their lines, without empty lines and remarks.
fn rows(text: &str) -> impl Iterator<Item = (usize, &str)> {
    let rows = (1..).zip(text.lines().map(str::trim));
    rows.filter(|(_, row)| !row.is_empty() && !row.starts_with("//") && !is_remark_row(row))
}

/// A board that a setting gives: the rows of the file that it names, joined by `/`, without empty
/// lines and remarks (`// ` or `# `), and their lines there; else the text itself.
pub fn given(value: &str) -> Result<(String, Option<Vec<usize>>), BadInput> {
    if !Path::new(value).is_file() {
        return Ok((value.to_owned(), None));
    }
    let text = read_text(value, MOST_BYTES).map_err(|error| {
        let shown = shown(value);
        BadInput::new(format!(
            "board={shown}: cannot be read ({error}): name a text file"
        ))
    })?;
    let (lines, rows): (_, Vec<&str>) = rows(&text).unzip();
    Ok((rows.join("/"), Some(lines)))
}

/// A cell as errors name it.
pub fn place(row: usize, column: usize) -> String {
    format!("row {}, column {}", row + 1, column + 1)
}

/// Refuses a board of another size than the instance's.
pub fn same_size(
    (puzzle, instance): (&str, &str),
    board: (usize, usize),
    own: (usize, usize),
) -> Result<(), BadInput> {
    match board == own {
        true => Ok(()),
        false => Err(BadInput::new(format!(
            "the board has {} rows of {} cells, {puzzle}/{instance} {} of {}: use {puzzle}/custom \
             with --set board=…",
            board.0, board.1, own.0, own.1
        ))),
    }
}

/// A player's name of a move: the piece, and how far it goes from one row and column to others ("B
/// down 2 right 1").
pub fn moved(piece: &str, from: (usize, usize), to: (usize, usize)) -> String {
    let mut name = piece.to_owned();
    for (from, to, less, more) in [
        (from.0, to.0, "up", "down"),
        (from.1, to.1, "left", "right"),
    ] {
        if from != to {
            let way = if to < from { less } else { more };
            name += &format!(" {way} {}", from.abs_diff(to));
        }
    }
    name
}
