//! Boards on a terminal: in the colours of the pictures, with rows and columns named if moves name
//! cells, several side by side.

use std::collections::HashSet;

use antipode_graph::{Library, clean};
use antipode_reports::model::{Legend, Shape};
use antipode_reports::svg::{contrasting, safe_colour};
use antipode_search::record::legend;
use puzzle_api::cell_name;

use crate::output::{colours, columns};
use crate::results;

/// Columns between two boards.
const GAP: usize = 3;

/// How boards of a puzzle are drawn.
#[derive(Debug)]
pub struct Drawing {
    legend: Legend,
    names_cells: bool,
    coloured: bool,
}

/// A line and its width, without colour codes.
type DrawnLine = (String, usize);

impl Drawing {
    /// Draws boards like this one, with moves of these names.
    pub fn new<'a>(
        library: &Library,
        board: &str,
        moves: impl IntoIterator<Item = &'a str>,
    ) -> Self {
        let rows: Vec<usize> = board.split('/').map(|row| row.chars().count()).collect();
        let of_row =
            |(row, &count): (usize, &usize)| (0..count).map(move |column| cell_name(row, column));
        let cells: HashSet<String> = rows.iter().enumerate().flat_map(of_row).collect();
        let mut words = moves.into_iter().flat_map(str::split_whitespace);
        Self {
            legend: legend(&library.legend),
            names_cells: words.any(|word| cells.contains(word)),
            coloured: colours(results::are_on_a_terminal()),
        }
    }

    /// A board alone, set in.
    pub fn alone(&self, board: &str) -> String {
        let rows = self.rows(board).into_iter();
        rows.map(|(row, _)| format!("   {row}\n")).collect()
    }

    /// Boards next to each other, as many as fit the terminal, each below its caption.
    pub fn abreast<'a>(&self, boards: impl Iterator<Item = (String, &'a str)>) -> String {
        let blocks = boards.map(|(caption, board)| {
            let caption = clean(&caption);
            let wide = caption.chars().count();
            let mut lines = vec![(caption, wide)];
            lines.extend(self.rows(board));
            lines
        });
        let blocks: Vec<Vec<DrawnLine>> = blocks.collect();
        let wide = blocks.iter().flatten().map(|line| line.1 + GAP).max();
        let wide = wide.unwrap_or(1);
        let mut text = String::new();
        for group in blocks.chunks(((columns() + GAP) / wide).max(1)) {
            for at in 0..group.iter().map(Vec::len).max().unwrap_or(0) {
                let (mut line, mut blanks) = (String::new(), 0);
                for block in group {
                    if let Some((part, used)) = block.get(at) {
                        line += &" ".repeat(blanks);
                        line += part;
                        blanks = wide - used;
                    } else {
                        blanks += wide;
                    }
                }
                text += line.trim_end();
                text.push('\n');
            }
            text.push('\n');
        }
        text
    }

    fn rows(&self, board: &str) -> Vec<DrawnLine> {
        let board = clean(board);
        let rows: Vec<&str> = board.split('/').collect();
        let beside = rows.len().to_string().len();
        let mut lines = Vec::new();
        if self.names_cells {
            let most = rows.iter().map(|row| row.chars().count()).max();
            let letters = (0..most.unwrap_or(0)).map(|column| cell_name(0, column % 26));
            let letters: String = letters.map(|name| name[..1].to_owned()).collect();
            lines.push((
                format!("{} {letters}", " ".repeat(beside)),
                beside + 1 + letters.len(),
            ));
        }
        for (number, row) in (1..).zip(rows) {
            let (mut line, mut wide) = (String::new(), row.chars().count());
            if self.names_cells {
                line = format!("{number:>beside$} ");
                wide += line.len();
            }
            row.chars().for_each(|symbol| line += &self.cell(symbol));
            lines.push((line, wide));
        }
        lines
    }

    /// A cell with the look of the pictures.
    fn cell(&self, symbol: char) -> String {
        let entry = self.legend.entry(symbol).filter(|_| self.coloured);
        let Some(entry) = entry else {
            return symbol.into();
        };
        let colour = safe_colour(&entry.colour);
        match entry.shape {
            Shape::Wall | Shape::Block | Shape::Merge | Shape::Stack | Shape::Triangle => {
                let ink = match contrasting(colour) {
                    "#000" => "#000000",
                    _ => "#ffffff",
                };
                format!(
                    "\u{1b}[48;5;{};38;5;{}m{symbol}\u{1b}[0m",
                    of_256(colour),
                    of_256(ink)
                )
            }
            Shape::Disc => format!("\u{1b}[38;5;{}m{symbol}\u{1b}[0m", of_256(colour)),
            Shape::Empty | Shape::Hole | Shape::Outside | Shape::Exit => symbol.into(),
        }
    }
}

/// The nearest colour of the cube of six levels that every terminal with colours has.
fn of_256(colour: &str) -> u32 {
    let level = |at: usize| {
        let value = u32::from_str_radix(&colour[at..at + 2], 16).unwrap_or(0);
        // The levels are 0, 95, 135 and so on by 40.
        if value < 48 {
            0
        } else {
            value.saturating_sub(35) / 40
        }
        .max(u32::from(value >= 48))
    };
    16 + 36 * level(1) + 6 * level(3) + level(5)
}

#[cfg(test)]
mod tests {
    use antipode_reports::model::Legend;

    use super::{Drawing, of_256};

    #[test]
    fn colours_are_the_nearest_of_the_cube() {
        let levels = [0_i32, 95, 135, 175, 215, 255];
        for value in 0..=255 {
            let nearest = levels.iter().map(|level| (level - value).abs()).min();
            let found = of_256(&format!("#0000{value:02x}")) - 16;
            assert_eq!(
                Some((levels[found as usize] - value).abs()),
                nearest,
                "{value}"
            );
        }
        assert_eq!(of_256("#ffffff"), 231);
    }

    #[test]
    fn boards_of_different_heights_stand_side_by_side() {
        let drawing = Drawing {
            legend: Legend::default(),
            names_cells: true,
            coloured: false,
        };
        let boards = [("start".to_owned(), "ab/c"), ("1. x".to_owned(), "d")];
        assert_eq!(
            drawing.abreast(boards.into_iter()),
            "start   1. x\n  ab      a\n1 ab    1 d\n2 c\n\n"
        );
    }
}
