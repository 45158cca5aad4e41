use super::moved::{Shift, is_piece};
use super::outline::{Cells, OutlineCell, connected, rounded_path};
use super::{Style, number};
use crate::model::{Legend, LegendEntry, Shape};
use crate::wording::escape;
use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Write;

/// Colour of a piece whose legend entry names no usable one.
const PLAIN: &str = "#8a8f98";

/// The cells of a board's text by symbol.
pub(super) struct Board {
    pub(super) rows: i32,
    pub(super) columns: i32,
    pub(super) cells: BTreeMap<char, Cells>,
}

impl Board {
    pub(super) fn parse(state: &str) -> Self {
        let mut board = Board {
            rows: 0,
            columns: 0,
            cells: BTreeMap::new(),
        };
        for (row, text) in (0..).zip(state.split('/')) {
            for (column, symbol) in (0..).zip(text.chars()) {
                board.cells.entry(symbol).or_default().insert((row, column));
                board.columns = board.columns.max(column + 1);
            }
            board.rows = row + 1;
        }
        board
    }

    pub(super) fn draw(&self, legend: &Legend, style: &Style, overlay: &Overlay<'_>) -> String {
        let canvas = Canvas::new(style, self.cells.keys().copied(), legend);
        let floor = self.floor_cells(legend);
        let mut body = canvas.floor(&floor);
        if let Overlay::Weights(weights) = overlay {
            body += &canvas.tints(&floor, weights);
        }
        let shifts = match overlay {
            Overlay::Since(before) => self.since(before, legend),
            _ => Vec::new(),
        };
        for (&symbol, cells) in &self.cells {
            let drawn = |cells: &Cells| canvas.symbol(symbol, cells, legend);
            if matches!(overlay, Overlay::Pieces) && is_piece(symbol, legend) {
                let pieces = self.pieces(symbol, legend);
                body.extend(pieces.iter().map(|piece| as_piece(piece, &drawn(piece))));
                continue;
            }
            if matches!(overlay, Overlay::Stickers) && symbol.is_alphanumeric() {
                let cell = |&(row, column): &OutlineCell| {
                    let drawn = drawn(&BTreeSet::from([(row, column)]));
                    format!("<g data-cell=\"{row},{column}\">{drawn}</g>")
                };
                body.extend(cells.iter().map(cell));
                continue;
            }
            let stays = |Shift { from, to }: &&Shift| {
                !from.is_empty() && !to.is_empty() && to.is_subset(cells)
            };
            let went: Vec<&Shift> = shifts.iter().filter(stays).collect();
            body.extend(
                went.iter()
                    .map(|shift| canvas.went(shift, &drawn(&shift.to))),
            );
            let moved = |cell: &&OutlineCell| went.iter().any(|shift| shift.to.contains(cell));
            let still: Cells = cells.iter().filter(|cell| !moved(cell)).copied().collect();
            if !still.is_empty() {
                body += &drawn(&still);
            }
        }
        body += &self.exits(&canvas, legend);
        if let Overlay::Numbers(numbers) = overlay {
            body += &canvas.numbers(&floor, numbers);
        }
        if matches!(overlay, Overlay::Since(_)) {
            body += &canvas.moved(shifts);
        }
        self.frame(&canvas, style, &body)
    }

    pub(super) fn exits(&self, canvas: &Canvas, legend: &Legend) -> String {
        let gates = legend.entries.iter().filter_map(|entry| {
            let cells = self.cells.get(&entry.symbol)?;
            (entry.shape == Shape::Exit)
                .then(|| canvas.exit(cells, self.columns, safe_colour(&entry.colour)))
        });
        gates.collect()
    }

    /// Everything that is not outside is floor.
    pub(super) fn floor_cells(&self, legend: &Legend) -> Cells {
        let outside = |symbol: char| match legend.entry(symbol) {
            Some(entry) => matches!(entry.shape, Shape::Outside | Shape::Triangle),
            None => symbol == ' ',
        };
        self.cells
            .iter()
            .filter(|(symbol, _)| !outside(**symbol))
            .flat_map(|(_, cells)| cells)
            .copied()
            .collect()
    }

    pub(super) fn frame(&self, canvas: &Canvas, style: &Style, body: &str) -> String {
        // Half a line's width on each side, so that the outline is not cut off.
        let margin = 1.0;
        let width = number(f64::from(self.columns) * canvas.cell + 2.0 * margin);
        let height = number(f64::from(self.rows) * canvas.cell + 2.0 * margin);
        let name = match style.title.as_str() {
            "" => ("aria-hidden=\"true\"", String::new()),
            title => ("role=\"img\"", format!("<title>{}</title>", escape(title))),
        };
        let body = match body.contains("<text") {
            true => format!(
                "<g font-family=\"system-ui,sans-serif\" font-weight=\"600\" text-anchor=\"middle\" font-size=\"{}\">{body}</g>",
                number(canvas.cell * 0.42)
            ),
            false => body.to_owned(),
        };
        format!(
            "<svg class=\"board\" xmlns=\"http://www.w3.org/2000/svg\" {} width=\"{width}\" height=\"{height}\" \
             viewBox=\"{} {} {width} {height}\">{}{body}</svg>",
            name.0,
            number(-margin),
            number(-margin),
            name.1,
        )
    }
}

/// A piece as a separate element, named after its first cell.
fn as_piece(cells: &Cells, drawn: &str) -> String {
    let (row, column) = cells.first().copied().unwrap_or_default();
    format!("<g class=\"piece\" data-at=\"{row},{column}\">{drawn}</g>")
}

/// A picture's additions to the board itself.
pub(super) enum Overlay<'a> {
    /// Nothing.
    None,
    /// Nothing, but each piece is a separate element, named after its first cell.
    Pieces,
    /// Nothing, but each letter or digit is a separate element, named after its cell.
    Stickers,
    /// The moved pieces, compared with another board.
    Since(&'a Board),
    /// A whole number for each cell that is not outside, in reading order: zero is left plain.
    Weights(&'a [i64]),
    /// A whole number for each cell that is not outside, in reading order, over the cell's content.
    Numbers(&'a [i64]),
}

pub(super) struct Canvas {
    pub(super) cell: f64,
    largest: u32,
}

fn size(symbol: char) -> u32 {
    symbol.to_digit(36).unwrap_or(1)
}

impl Canvas {
    pub(super) fn new(style: &Style, symbols: impl Iterator<Item = char>, legend: &Legend) -> Self {
        let stacked = symbols.filter(|&symbol| {
            let entry = legend.entry(symbol);
            entry.is_some_and(|entry| entry.shape == Shape::Stack)
        });
        Canvas {
            cell: f64::from(style.cell_px.max(4)),
            largest: stacked.map(size).max().unwrap_or(1),
        }
    }

    /// A piece that moved, with the offset back to where it was.
    fn went(&self, shift: &Shift, drawn: &str) -> String {
        let corner = |cells: &Cells| cells.first().map_or((0.0, 0.0), |&at| self.corner(at));
        let (then, now) = (corner(&shift.from), corner(&shift.to));
        let by = [then.0 - now.0, then.1 - now.1].map(number).join(",");
        format!("<g class=\"went\" data-by=\"{by}\">{drawn}</g>")
    }

    pub(super) fn symbol(&self, symbol: char, cells: &Cells, legend: &Legend) -> String {
        match legend.entry(symbol) {
            Some(entry) => self.pieces(entry, cells),
            None => self.letters(symbol, cells, "currentColor"),
        }
    }

    /// The floor with its outline and the lines between cells.
    pub(super) fn floor(&self, cells: &Cells) -> String {
        let outline = self.around(&connected(cells), 0.0, 0.12);
        let lines = self.lines(cells);
        format!(
            "<path d=\"{outline}\" fill-rule=\"evenodd\" style=\"fill:var(--board-floor,#f1efe9)\"/>\
             <path d=\"{lines}\" fill=\"none\" stroke-width=\"0.75\" style=\"stroke:var(--board-line,#d5d0c5)\"/>\
             <path d=\"{outline}\" fill=\"none\" stroke-width=\"1.25\" style=\"stroke:var(--board-rim,#a8a294)\"/>"
        )
    }

    /// The lines between cells, each drawn from end to end.
    fn lines(&self, cells: &Cells) -> String {
        let mut lines = String::new();
        for &(row, column) in cells {
            let (x, y) = self.corner((row, column));
            let beside = |row: i32, column: i32| {
                cells.contains(&(row, column)) && cells.contains(&(row, column + 1))
            };
            let below = |row: i32, column: i32| {
                cells.contains(&(row, column)) && cells.contains(&(row + 1, column))
            };
            if beside(row, column) && !beside(row - 1, column) {
                let long = (row..).take_while(|&row| beside(row, column)).count();
                let (x, long) = (number(x + self.cell), number(long as f64 * self.cell));
                let _ = write!(lines, "M{x} {}v{long}", number(y));
            }
            if below(row, column) && !below(row, column - 1) {
                let long = (column..).take_while(|&column| below(row, column)).count();
                let (y, long) = (number(y + self.cell), number(long as f64 * self.cell));
                let _ = write!(lines, "M{} {y}h{long}", number(x));
            }
        }
        lines
    }

    fn moved(&self, shifts: Vec<Shift>) -> String {
        let (mut now, mut then) = (Vec::new(), BTreeSet::new());
        for shift in shifts {
            then.extend(shift.from);
            if !shift.to.is_empty() {
                now.push(shift.to);
            }
        }
        then.retain(|cell| !now.iter().any(|piece| piece.contains(cell)));
        let path = self.around(&now, 0.05, 0.2);
        let mut out = String::new();
        if !path.is_empty() {
            let width = number((self.cell * 0.09).max(1.5));
            let _ = write!(
                out,
                "<path class=\"moved\" d=\"{path}\" fill=\"none\" stroke-width=\"{width}\" style=\"stroke:var(--board-moved,#b4540a)\"/>"
            );
        }
        if !then.is_empty() {
            let paint = "class=\"left\" style=\"fill:var(--board-moved,#b4540a)\"";
            out += &self.circles(&then, 0.09, paint);
        }
        out
    }

    /// Shades cells by their weight; a weight other than one is also written.
    fn tints(&self, cells: &Cells, weights: &[i64]) -> String {
        let weighed = cells
            .iter()
            .zip(weights)
            .filter(|(_, weight)| **weight != 0);
        let (mut path, mut texts) = (String::new(), String::new());
        for (&cell, weight) in weighed {
            path += &rounded_path(&BTreeSet::from([cell]), self.cell, self.cell * 0.03, 0.0);
            if *weight != 1 {
                let (x, y) = self.corner(cell);
                let _ = write!(
                    texts,
                    "<text x=\"{}\" y=\"{}\">{weight}</text>",
                    number(x + self.cell * 0.08),
                    number(y + self.cell * 0.3)
                );
            }
        }
        format!(
            "<path d=\"{path}\" style=\"fill:var(--board-tint,#b4d2ea)\"/><g fill=\"currentColor\" text-anchor=\"start\" font-size=\"{}\">{texts}</g>",
            number(self.cell * 0.3)
        )
    }

    /// Writes a number on each cell, with an edge in the colour of the floor to be read on pieces.
    fn numbers(&self, cells: &Cells, numbers: &[i64]) -> String {
        let texts = cells.iter().zip(numbers).map(|(&cell, written)| {
            let (x, y) = self.corner(cell);
            let (x, y) = (x + self.cell * 0.5, y + self.cell * 0.65);
            format!(
                "<text x=\"{}\" y=\"{}\">{written}</text>",
                number(x),
                number(y)
            )
        });
        format!(
            "<g fill=\"currentColor\" font-size=\"{}\" paint-order=\"stroke\" stroke-width=\"3\" style=\"stroke:var(--board-floor,#f1efe9)\">{}</g>",
            number(self.cell * 0.44),
            texts.collect::<String>()
        )
    }

    fn pieces(&self, entry: &LegendEntry, cells: &Cells) -> String {
        let colour = safe_colour(&entry.colour);
        match entry.shape {
            // An exit is drawn over all pieces.
            Shape::Empty | Shape::Outside | Shape::Exit => String::new(),
            Shape::Wall => self.outlines(cells, colour),
            Shape::Block => {
                let alone: Vec<_> = cells.iter().map(|&cell| BTreeSet::from([cell])).collect();
                self.raised(&alone, colour) + &self.name_pieces(entry.symbol, cells, colour)
            }
            Shape::Merge => {
                let groups = connected(cells);
                let first: BTreeSet<_> = groups.iter().filter_map(|group| group.first().copied()).collect();
                self.raised(&groups, colour) + &self.name_pieces(entry.symbol, &first, colour)
            }
            Shape::Stack => {
                let share = f64::from(size(entry.symbol)) / f64::from(self.largest);
                self.stacked(cells, 0.3 + 0.64 * share, colour) + &self.name_pieces(entry.symbol, cells, colour)
            }
            Shape::Triangle => cells.iter().map(|&cell| self.triangle(cell, entry, colour)).collect(),
            Shape::Disc => self.circles(cells, 0.36, &format!("fill=\"{colour}\" stroke=\"#000\" stroke-opacity=\".25\"")),
            Shape::Hole => self.circles(
                cells,
                0.36,
                "stroke-width=\"1.5\" style=\"fill:var(--board-hole,#23211e);stroke:var(--board-rim,#a8a294)\"",
            ),
        }
    }

    /// The gate at the right edge of the row of a piece, with an arrow out of it.
    fn exit(&self, cells: &Cells, columns: i32, colour: &str) -> String {
        let Some(&first) = cells.first() else {
            return String::new();
        };
        let (_, top) = self.corner(first);
        let (edge, cell) = (f64::from(columns) * self.cell, self.cell);
        let (inside, reach) = (number(edge - cell * 0.17), number(cell * 0.17));
        let half = number(cell * 0.28);
        format!(
            "<path d=\"M{} {}v{}\" fill=\"none\" stroke=\"{colour}\" stroke-width=\"{}\"/>\
             <path d=\"M{inside} {}l{reach} {half}l-{reach} {half}z\" fill=\"{colour}\"/>",
            number(edge),
            number(top + cell * 0.08),
            number(cell * 0.84),
            number((cell * 0.12).max(2.0)),
            number(top + cell * 0.22),
        )
    }

    /// Path data around groups of cells; gap and radius in cells.
    fn around(&self, groups: &[Cells], gap: f64, radius: f64) -> String {
        let (gap, radius) = (gap * self.cell, radius * self.cell);
        let path = |group| rounded_path(group, self.cell, gap, radius);
        groups.iter().map(path).collect()
    }

    fn outlines(&self, cells: &Cells, colour: &str) -> String {
        let path = self.around(&connected(cells), 0.0, 0.08);
        format!("<path d=\"{path}\" fill=\"{colour}\" fill-rule=\"evenodd\"/>")
    }

    /// Pieces on the floor, with a thin darker edge between neighbours of one colour.
    fn raised(&self, groups: &[Cells], colour: &str) -> String {
        let path = self.around(groups, 0.07, 0.18);
        format!(
            "<path d=\"{path}\" fill=\"{colour}\" fill-rule=\"evenodd\" stroke=\"#000\" stroke-opacity=\".22\"/>"
        )
    }

    /// Discs of a tower, seen from their edges.
    fn stacked(&self, cells: &Cells, wide: f64, colour: &str) -> String {
        let mut out = format!("<g fill=\"{colour}\" stroke=\"#000\" stroke-opacity=\".22\">");
        for &cell in cells {
            let (x, y) = self.corner(cell);
            let _ = write!(
                out,
                "<rect x=\"{}\" y=\"{}\" width=\"{}\" height=\"{}\" rx=\"{}\"/>",
                number(x + self.cell * (1.0 - wide) / 2.0),
                number(y + self.cell * 0.12),
                number(self.cell * wide),
                number(self.cell * 0.76),
                number(self.cell * 0.16)
            );
        }
        out + "</g>"
    }

    /// A triangle over two columns and two rows, with the letter of its name.
    fn triangle(&self, cell: OutlineCell, entry: &LegendEntry, colour: &str) -> String {
        let (x, y) = self.middle(cell);
        let up = (cell.0 / 2 + cell.1) % 2 == 0;
        // The base, and the height from there to the tip.
        let (base, height) = match up {
            true => (y + self.cell * 1.45, -self.cell * 1.84),
            false => (y - self.cell * 0.45, self.cell * 1.84),
        };
        let half = self.cell * 0.92;
        let letter: String = entry
            .name
            .chars()
            .take(1)
            .flat_map(char::to_uppercase)
            .collect();
        format!(
            "<path d=\"M{} {}h{}L{} {}z\" fill=\"{colour}\" stroke=\"#000\" stroke-opacity=\".22\" stroke-linejoin=\"round\"/><text x=\"{}\" y=\"{}\" fill=\"{}\">{}</text>",
            number(x - half),
            number(base),
            number(2.0 * half),
            number(x),
            number(base + height),
            number(x),
            number(base + height * 0.36 + self.cell * 0.15),
            contrasting(colour),
            escape(&letter)
        )
    }

    fn circles(&self, cells: &Cells, radius: f64, paint: &str) -> String {
        let mut out = format!("<g {paint}>");
        for &cell in cells {
            let (x, y) = self.middle(cell);
            let _ = write!(
                out,
                "<circle cx=\"{}\" cy=\"{}\" r=\"{}\"/>",
                number(x),
                number(y),
                number(self.cell * radius)
            );
        }
        out + "</g>"
    }

    /// Letters and digits name their piece in the board's text, so the picture shows them too;
    /// colour alone would not distinguish pieces for every reader or printer.
    fn name_pieces(&self, symbol: char, cells: &Cells, colour: &str) -> String {
        if symbol.is_alphanumeric() {
            self.letters(symbol, cells, contrasting(colour))
        } else {
            String::new()
        }
    }

    fn letters(&self, symbol: char, cells: &Cells, fill: &str) -> String {
        let mut out = String::new();
        let letter = escape(&symbol.to_string());
        for &cell in cells {
            let (x, y) = self.middle(cell);
            let _ = write!(
                out,
                "<text x=\"{}\" y=\"{}\" fill=\"{fill}\">{letter}</text>",
                number(x),
                number(y + self.cell * 0.15)
            );
        }
        out
    }

    fn corner(&self, (row, column): OutlineCell) -> (f64, f64) {
        (f64::from(column) * self.cell, f64::from(row) * self.cell)
    }

    fn middle(&self, cell: OutlineCell) -> (f64, f64) {
        let (x, y) = self.corner(cell);
        (x + self.cell / 2.0, y + self.cell / 2.0)
    }
}

/// A legend is input, and its colours land in markup that is not escaped again.
pub fn safe_colour(colour: &str) -> &str {
    let digits = colour.strip_prefix('#').unwrap_or_default();
    let is_colour = digits.len() == 6 && digits.bytes().all(|b| b.is_ascii_hexdigit());
    if is_colour { colour } else { PLAIN }
}

/// Black or white, whichever is more legible on the colour (relative luminance as WCAG defines it).
pub fn contrasting(colour: &str) -> &'static str {
    let channel = |from: usize| {
        let value = f64::from(u8::from_str_radix(&colour[from..from + 2], 16).unwrap_or(0)) / 255.0;
        if value <= 0.040_45 {
            value / 12.92
        } else {
            ((value + 0.055) / 1.055).powf(2.4)
        }
    };
    let luminance = 0.2126 * channel(1) + 0.7152 * channel(3) + 0.0722 * channel(5);
    if luminance > 0.179 { "#000" } else { "#fff" }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn letters_contrast_with_their_piece() {
        assert_eq!(contrasting("#ffffff"), "#000");
        assert_eq!(contrasting("#000000"), "#fff");
        assert_eq!(contrasting("#2f5f9e"), "#fff");
    }
}
