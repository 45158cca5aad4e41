//! Positions as text.

use puzzle_api::BadInput;

use super::{Board, Jump};

impl Board {
    /// Draws the pegs of a key: rows joined by `/`, `o` a peg, `.` an empty hole, a
    /// blank outside, no blanks at the ends of rows.
    pub fn draw(&self, pegs: u64) -> String {
        let mut rows = vec![String::new(); self.height];
        for (hole, &(row, column)) in self.holes.iter().enumerate() {
            let blanks = column - rows[row].len();
            rows[row].extend(std::iter::repeat_n(' ', blanks));
            rows[row].push(if pegs >> hole & 1 == 1 { 'o' } else { '.' });
        }
        rows.join("/")
    }

    /// A player's name of the jump between two sets of pegs; `None` if there is none.
    pub fn jump_name(&self, before: u64, after: u64) -> Option<String> {
        let changed = before ^ after;
        if changed.count_ones() != 3 || (before & changed).count_ones() != 2 {
            return None;
        }
        let to = (after & changed).trailing_zeros() as usize;
        let gone = before & changed;
        let (low, high) = (gone.trailing_zeros() as usize, gone.ilog2() as usize);
        // Not searched among all jumps: a solution has a name per move, and listing them takes
        // longer than the search.
        let jump = [(low, high), (high, low)]
            .map(|(from, over)| Jump { from, over, to })
            .into_iter()
            .find(|jump| self.has_room_for(jump))?;
        let (from, to) = (self.named(jump.from), self.named(jump.to));
        Some(format!("{from} to {to}"))
    }

    /// Reads a drawing of pegs. Blanks before and after the holes of a row do not
    /// matter, so that a command line may trim them.
    ///
    /// # Errors
    /// A drawing that does not fit the board, in one line.
    pub fn parse(&self, text: &str) -> Result<u64, BadInput> {
        let rows: Vec<&str> = text.split('/').collect();
        if rows.len() != self.height {
            return Err(BadInput::new(format!(
                "{} rows are drawn, but {} has {}: join them by /, as in '{}'",
                rows.len(),
                self.name,
                self.height,
                self.draw(self.full())
            )));
        }
        let mut pegs = 0;
        for (row, text) in rows.into_iter().enumerate() {
            pegs |= self.parse_row(row, text.trim())?;
        }
        Ok(pegs)
    }

    fn parse_row(&self, row: usize, text: &str) -> Result<u64, BadInput> {
        let holes = (0..self.len()).filter(|&hole| self.holes[hole].0 == row);
        let columns: Vec<_> = holes.map(|hole| (self.holes[hole].1, hole)).collect();
        let (first, last) = match (columns.first(), columns.last()) {
            (Some(first), Some(last)) => (first.0, last.0),
            _ => (0, 0),
        };
        let wanted = if columns.is_empty() {
            0
        } else {
            last - first + 1
        };
        // Holes of a row may be written without blanks although others are between them.
        let close: String = text.split_whitespace().collect();
        if self.lines.is_some() && close.len() == columns.len() && text.len() != wanted {
            let spaced =
                (first..first + wanted).scan(close.chars(), |symbols, column| {
                    match columns.iter().any(|(at, _)| *at == column) {
                        true => symbols.next(),
                        false => Some(' '),
                    }
                });
            return self.parse_row(row, &spaced.collect::<String>());
        }
        let found = text.chars().count();
        if found != wanted {
            return Err(BadInput::new(format!(
                "row {} is {found} holes wide and {} has {wanted} there: write o for a peg, . for \
                 an empty hole",
                row + 1,
                self.name
            )));
        }
        let mut pegs = 0;
        for (column, symbol) in (first..).zip(text.chars()) {
            let hole = columns.iter().find(|(at, _)| *at == column);
            match (symbol, hole) {
                ('o', Some((_, hole))) => pegs |= 1 << hole,
                ('.', Some(_)) | (' ', None) => {}
                (symbol, _) => {
                    return Err(BadInput::new(format!(
                        "row {}, column {}: '{}' does not fit {}: write o for a peg, . for an \
                         empty hole and a blank outside the board",
                        row + 1,
                        column - first + 1,
                        symbol.escape_default(),
                        self.name
                    )));
                }
            }
        }
        Ok(pegs)
    }
}
