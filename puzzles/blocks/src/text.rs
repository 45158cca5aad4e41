//! Boards as text: rows joined by `/`, or the cells of a square board in one line; and names of
//! moves.

use std::ops::RangeInclusive;
use std::path::Path;

use puzzle_api::{BadInput, Request, is_remark_row, read_text, shown};

/// The boards that a puzzle accepts.
#[derive(Debug, Clone, Copy)]
pub struct Sizes {
    /// Numbers of rows.
    pub rows: (usize, usize),
    /// Numbers of columns.
    pub columns: (usize, usize),
    /// Most cells.
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

    /// The rows of a text, all of one length, with only known symbols; `write` lists these.
    ///
    /// # Errors
    /// One line that names the place and the remedy.
    pub fn rows_of(
        &self,
        text: &str,
        known: impl Fn(char) -> bool,
        write: &str,
    ) -> Result<Vec<Vec<char>>, BadInput> {
        let text = text.trim();
        let rows: Vec<Vec<char>> = if text.contains('/') {
            text.split('/').map(|row| row.chars().collect()).collect()
        } else {
            let cells: Vec<char> = text.chars().collect();
            let side = cells.len().isqrt();
            if side * side != cells.len() || side == 0 {
                return Err(BadInput::new(format!(
                    "a board in one line is square, and {} cells are not: write rows joined by '/'",
                    cells.len()
                )));
            }
            cells.chunks(side).map(<[char]>::to_vec).collect()
        };
        let (height, width) = (rows.len(), rows[0].len());
        if let Some(row) = rows.iter().position(|row| row.len() != width) {
            return Err(BadInput::new(format!(
                "row {} has {} cells, row 1 has {width}: make all rows equally long",
                row + 1,
                rows[row].len()
            )));
        }
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
            return Err(BadInput::new(format!(
                "a board has {a} to {b} rows of {c} to {d} cells{together}, not {height} of {width}: \
                 write rows joined by '/'"
            )));
        }
        let mut cells = rows.iter().flatten().enumerate();
        match cells.find(|(_, symbol)| !known(**symbol)) {
            None => Ok(rows),
            Some((cell, symbol)) => Err(BadInput::new(format!(
                "{}: '{}' is no cell: write {write}",
                place(cell / width, cell % width),
                symbol.escape_default()
            ))),
        }
    }
}

/// Most bytes of a board's file.
pub const MOST_BYTES: u64 = 1 << 20;

/// The rows of a board's file with the numbers of their lines, without empty lines and remarks.
fn rows(text: &str) -> impl Iterator<Item = (usize, &str)> {
    let rows = (1..).zip(text.lines().map(str::trim));
    rows.filter(|(_, row)| !row.is_empty() && !row.starts_with("//") && !is_remark_row(row))
}

/// A board that a setting gives: the rows of the file that it names, joined by `/`, without empty
/// lines and remarks (`// ` or `# `); else the text itself.
///
/// # Errors
/// A file that cannot be read.
pub fn given(value: &str) -> Result<String, BadInput> {
    if !Path::new(value).is_file() {
        return Ok(value.to_owned());
    }
    let text = read_text(value, MOST_BYTES).map_err(|error| {
        let shown = shown(value);
        BadInput::new(format!(
            "board={shown}: cannot be read ({error}): name a text file"
        ))
    })?;
    let rows = rows(&text).map(|(_, row)| row);
    Ok(rows.collect::<Vec<_>>().join("/"))
}

/// The error of a board, behind its file and its line there if setting `board` names a file.
pub fn in_file(request: &Request<'_>, error: BadInput) -> BadInput {
    let value = request.settings.get("board").map(|value| value.trim());
    let what = error.to_string();
    let Some(text) = value.and_then(|value| read_text(value, MOST_BYTES).ok()) else {
        return error;
    };
    let file = shown(value.unwrap_or_default());
    let row = what.strip_prefix("row ").and_then(|rest| {
        let end = rest.find(|c: char| !c.is_ascii_digit())?;
        rest[..end].parse::<usize>().ok()?.checked_sub(1)
    });
    match row.and_then(|row| rows(&text).nth(row)) {
        Some((line, _)) => BadInput::new(format!("{file}, line {line}: {what}")),
        None if ["the board ", "a board ", "the goal piece "]
            .iter()
            .any(|of| what.starts_with(of)) =>
        {
            BadInput::new(format!("{file}: {what}"))
        }
        None => error,
    }
}

/// A cell as errors name it.
pub fn place(row: usize, column: usize) -> String {
    format!("row {}, column {}", row + 1, column + 1)
}

/// Refuses a board of another size than the instance's.
///
/// # Errors
/// Another size, as rows and columns.
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
