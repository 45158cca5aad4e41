use super::{Style, number};
use crate::wording::escape;
use std::fmt::Write;

/// Where a grid has bit 0; the others follow along its row, then row by row.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum FirstBit {
    /// Leftward and down, as printed layouts of bitboards whose rows are masks.
    TopRight,
    /// Leftward and up, as a number is written out row by row.
    BottomRight,
}

impl FirstBit {
    /// In words.
    pub fn corner(self) -> &'static str {
        match self {
            Self::TopRight => "top right",
            Self::BottomRight => "bottom right",
        }
    }
}

/// A grid of bits.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct BitGrid {
    /// Bits a row.
    pub columns: u32,
    /// Rows.
    pub rows: u32,
    /// Where bit 0 is.
    pub first: FirstBit,
}

/// Draws the bits of a word. A set bit is filled; if it should not be, by the other word, in
/// another colour and crossed out. A missing bit is framed.
pub fn bits_svg(bits: u128, against: u128, grid: BitGrid, style: &Style) -> String {
    let side = f64::from(style.cell_px.max(4));
    let mut paths = [const { String::new() }; 4];
    for bit in 0..(grid.columns * grid.rows).min(u128::BITS) {
        let (column, row) = (grid.columns - 1 - bit % grid.columns, bit / grid.columns);
        let row = match grid.first {
            FirstBit::TopRight => row,
            FirstBit::BottomRight => grid.rows - 1 - row,
        };
        let (x, y) = (f64::from(column) * side, f64::from(row) * side);
        let has = |word: u128| word >> bit & 1 == 1;
        let kind = match (has(bits), has(against)) {
            (false, false) => 0,
            (true, true) => 1,
            (true, false) => 2,
            (false, true) => 3,
        };
        let gap = side * 0.1;
        let (left, top, long) = (number(x + gap), number(y + gap), number(side - 2.0 * gap));
        let _ = write!(paths[kind], "M{left} {top}h{long}v{long}h-{long}z");
        if kind == 2 {
            let _ = write!(
                paths[3],
                "M{left} {top}l{long} {long}m0-{long}l-{long} {long}"
            );
        }
    }
    let [off, on, extra, edge] = paths;
    let width = number(f64::from(grid.columns) * side);
    let height = number(f64::from(grid.rows) * side);
    format!(
        "<svg class=\"board bits\" xmlns=\"http://www.w3.org/2000/svg\" role=\"img\" width=\"{width}\" height=\"{height}\" viewBox=\"0 0 {width} {height}\"><title>{}</title>\
         <path d=\"{off}\" style=\"fill:var(--bit-off,#fff);stroke:var(--board-line,#d5d0c5)\"/><path d=\"{on}\" style=\"fill:var(--bit-on,#2f6f9f)\"/>\
         <path d=\"{extra}\" fill-opacity=\".35\" style=\"fill:var(--bit-wrong,#b3261e)\"/>\
         <path d=\"{edge}\" fill=\"none\" stroke-width=\"2\" style=\"stroke:var(--bit-wrong,#b3261e)\"/></svg>",
        escape(&style.title)
    )
}
