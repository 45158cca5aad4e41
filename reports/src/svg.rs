//! Boards as inline SVG.
//!
//! The pictures take floor, walls and lines from CSS variables with fallbacks, and text from
//! `currentColor`, so that one picture suits a light page and a dark one:
//! `--board-floor`, `--board-line`, `--board-hole`, `--board-rim`.

mod board;
mod outline;

use crate::model::{Legend, LegendEntry};
use board::Board;

/// How large to draw a board, and what it is called.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Style {
    /// Side of a cell in pixels.
    pub cell_px: u32,
    /// Name of the picture, for readers who cannot see it; shown by browsers on hovering.
    pub title: String,
}

/// One step of a strip of boards.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct StripStep {
    /// The move that led to this board; `None` for the first.
    pub label: Option<String>,
    /// The board.
    pub svg: String,
}

/// Draws the text of a board (rows joined by `/`). A symbol that the legend does not know is drawn as
/// the character itself; rows may differ in length.
pub fn board_svg(state: &str, legend: &Legend, style: Style) -> String {
    Board::parse(state).draw(legend, &style)
}

/// Draws a solution: each board with the move before it, for a list that wraps as the page needs it.
/// The first label leads from the first state to the second.
pub fn strip_svg(
    states: &[String],
    labels: &[String],
    legend: &Legend,
    style: Style,
) -> Vec<StripStep> {
    let labels = std::iter::once(None).chain(labels.iter().map(|label| Some(label.clone())));
    let labels = labels.chain(std::iter::repeat(None));
    let steps = states.iter().zip(labels).enumerate();
    let draw = |(index, (state, label)): (usize, (&String, Option<String>))| {
        let title = match (index, &label) {
            (0, _) => format!("{}: start", style.title),
            (_, Some(label)) => format!("{}: after move {index}, {label}", style.title),
            (_, None) => format!("{}: after move {index}", style.title),
        };
        StripStep {
            label,
            svg: board_svg(
                state,
                legend,
                Style {
                    cell_px: style.cell_px,
                    title,
                },
            ),
        }
    };
    steps.map(draw).collect()
}

/// A single cell as it looks on the board, for a key beside it. Decorative: its name stands next to it.
pub fn swatch_svg(entry: &LegendEntry, cell_px: u32) -> String {
    let legend = Legend {
        entries: vec![entry.clone()],
    };
    let style = Style {
        cell_px,
        title: String::new(),
    };
    Board::parse(&entry.symbol.to_string()).draw(&legend, &style)
}

/// A length with at most two decimals and no trailing zeros, to keep the pictures small.
fn number(value: f64) -> String {
    let text = format!("{value:.2}");
    let text = text.trim_end_matches('0').trim_end_matches('.');
    if text == "-0" {
        "0".to_owned()
    } else {
        text.to_owned()
    }
}
