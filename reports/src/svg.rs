//! Boards as inline SVG.
//!
//! The pictures take floor, walls and lines from CSS variables with fallbacks, and text from
//! `currentColor`, so that one picture suits a light page and a dark one. The variables are
//! `--board-floor`, `--board-line`, `--board-hole`, `--board-rim`.

mod animated;
mod bits;
mod board;
mod moved;
mod outline;

use crate::model::{Legend, LegendEntry};
pub use animated::animated_svg;
pub use bits::{BitGrid, FirstBit, bits_svg};
use board::{Board, Overlay};
pub use board::{contrasting, safe_colour};
pub use moved::{Shift, shifts};
use std::collections::BTreeSet;

/// The size and the title of a board's picture.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Style {
    /// Side of a cell in pixels.
    pub cell_px: u32,
    /// Name of the picture, for readers who cannot see it; shown by browsers on hovering.
    pub title: String,
}

impl Style {
    /// A size with a title.
    pub fn new(cell_px: u32, title: impl Into<String>) -> Self {
        let title = title.into();
        Style { cell_px, title }
    }
}

/// Draws the text of a board (rows joined by `/`).
pub fn board_svg(state: &str, legend: &Legend, style: Style) -> String {
    Board::parse(&legend.drawn(state)).draw(legend, &style, &Overlay::None)
}

/// Draws a board whose pieces can be moved: each is a group of class `piece`, with its first cell
/// in `data-at`. Each sticker of a net is a group with its cell in `data-cell`, and `data-net` has
/// the symbols of all.
pub fn pieces_svg(state: &str, legend: &Legend, style: Style) -> String {
    let drawn = legend.drawn(state);
    if legend.net.is_none() || drawn == state {
        return Board::parse(&drawn).draw(legend, &style, &Overlay::Pieces);
    }
    let symbols: BTreeSet<char> = drawn.chars().filter(|c| c.is_alphanumeric()).collect();
    let symbols = String::from_iter(symbols);
    let svg = Board::parse(&drawn).draw(legend, &style, &Overlay::Stickers);
    svg.replacen("<svg", &format!("<svg data-net=\"{symbols}\""), 1)
}

/// Draws a board after a move: outlines the moved pieces, and dots where they were before.
pub fn step_svg(before: &str, state: &str, legend: &Legend, style: Style) -> String {
    if legend.net.is_some() {
        return board_svg(state, legend, style);
    }
    let [before, after] = [before, state].map(|state| Board::parse(&legend.drawn(state)));
    after.draw(legend, &style, &Overlay::Since(&before))
}

/// Draws a board with a whole number for each cell that is not outside, in reading order: cells of
/// weight zero are plain, others shaded.
pub fn weighed_svg(state: &str, weights: &[i64], legend: &Legend, style: Style) -> String {
    Board::parse(state).draw(legend, &style, &Overlay::Weights(weights))
}

/// Draws a board with a whole number on each cell that is not outside, in reading order.
pub fn numbered_svg(state: &str, numbers: &[i64], legend: &Legend, style: Style) -> String {
    Board::parse(state).draw(legend, &style, &Overlay::Numbers(numbers))
}

/// Draws boards on one sheet, four in a row, each with its number above it.
pub fn sheet_svg<'a>(
    boards: impl ExactSizeIterator<Item = &'a str>,
    legend: &Legend,
    style: Style,
) -> String {
    const IN_A_ROW: usize = 4;
    let cell = f64::from(style.cell_px.max(4));
    let (count, boards) = (boards.len(), boards.enumerate());
    let (mut body, mut top, mut height, mut left, mut width) =
        (String::new(), 0.0, 0.0_f64, 0.0, 0.0_f64);
    for (at, state) in boards {
        if at % IN_A_ROW == 0 {
            (top, left) = (top + height, 0.0);
            height = 0.0;
        }
        let board = Board::parse(&legend.drawn(state));
        let style = Style::new(style.cell_px, format!("board {}", at + 1));
        let drawn = board.draw(legend, &style, &Overlay::None);
        let (x, y) = (number(left), number(top + cell));
        body += &format!(
            "<text x=\"{x}\" y=\"{}\">{}.</text>{}",
            number(top + cell * 0.7),
            at + 1,
            drawn.replacen("<svg ", &format!("<svg x=\"{x}\" y=\"{y}\" "), 1)
        );
        left += f64::from(board.columns + 1) * cell;
        width = width.max(left);
        height = height.max(f64::from(board.rows + 2) * cell);
    }
    let (width, height) = (number(width), number(top + height));
    let title = crate::wording::escape(&style.title);
    let font = number(cell * 0.42);
    format!(
        "<svg class=\"board\" xmlns=\"http://www.w3.org/2000/svg\" role=\"img\" \
         width=\"{width}\" height=\"{height}\" viewBox=\"0 0 {width} {height}\">\
         <title>{title}: {count} boards</title>\
         <g font-family=\"system-ui,sans-serif\" font-size=\"{font}\" fill=\"currentColor\">{body}</g></svg>"
    )
}

/// A picture as a separate file, with colours for light pages and dark ones.
pub fn standalone(svg: &str) -> String {
    const COLOURS: &str = "<style>svg{color:#1f1d1a;--board-floor:#f3f1ea;--board-line:#dcd7cb;--board-rim:#aaa394;--board-hole:#23211e;--board-moved:#b4540a;--board-tint:#b4d2ea;--bit-on:#2f6f9f;--bit-off:#f3f1ea;--bit-wrong:#b3261e}@media(prefers-color-scheme:dark){svg{color:#e8e4dc;--board-floor:#2a2c31;--board-line:#3a3d43;--board-rim:#6f727a;--board-hole:#08080a;--board-moved:#f2a65a;--board-tint:#34648c;--bit-on:#6aa9dd;--bit-off:#2a2c31;--bit-wrong:#f28b82}}</style>";
    match svg.find('>') {
        Some(end) => format!("{}{COLOURS}{}\n", &svg[..=end], &svg[end + 1..]),
        None => svg.to_owned(),
    }
}

/// Draws the boards of a solution, each with what moved.
pub fn strip_svg(states: &[String], legend: &Legend, style: &Style) -> Vec<String> {
    let draw = |(index, state): (usize, &String)| {
        // The title of a strip is above it, and the move next to each board.
        let title = match index {
            0 => format!("{}: start", style.title),
            _ => format!("after move {index}"),
        };
        let style = Style::new(style.cell_px, title);
        match index.checked_sub(1) {
            Some(before) => step_svg(&states[before], state, legend, style),
            None => board_svg(state, legend, style),
        }
    };
    states.iter().enumerate().map(draw).collect()
}

/// A single cell as it looks on the board, for a key next to it. Decorative: its name is next to
/// it.
pub fn swatch_svg(entry: &LegendEntry, cell_px: u32) -> String {
    let legend = Legend {
        entries: vec![entry.clone()],
        net: None,
    };
    let style = Style::new(cell_px, "");
    Board::parse(&entry.symbol.to_string()).draw(&legend, &style, &Overlay::None)
}

/// A length with at most two decimals and no trailing zeros, to keep the pictures small.
fn number(value: f64) -> String {
    // Adding zero makes minus zero plus zero.
    ((value * 100.0).round() / 100.0 + 0.0).to_string()
}
