//! The printed permutations of the 50 bits, `transpose` and `mirr_v`, bit by bit.

use std::fmt::Write;

use puzzle_api::Figure;

use super::code::{MIRR_V, TRANSPOSE};
use super::finding;
use crate::board::SIDE;

const BITS: usize = 50;

/// One printed term: the board is shifted (positive: left), then masked.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Term {
    /// Places to the left; negative: to the right.
    pub shift: i32,
    /// Bits of the result that the term can set.
    pub mask: u64,
}

impl Term {
    pub(super) const fn left(shift: i32, mask: u64) -> Self {
        Self { shift, mask }
    }

    pub(super) const fn right(shift: i32, mask: u64) -> Self {
        Self {
            shift: -shift,
            mask,
        }
    }

    /// The term's part of the result.
    pub fn apply(self, board: u64) -> u64 {
        let moved = if self.shift >= 0 {
            board << self.shift
        } else {
            board >> -self.shift
        };
        moved & self.mask
    }

    fn text(self) -> String {
        let operator = if self.shift >= 0 { "<<" } else { ">>" };
        format!("(b {operator} {}) & {:#X}", self.shift.abs(), self.mask).replace("0X", "0x")
    }
}

/// The lower bit of a square in the printed packing.
pub(super) fn bit_of(row: usize, column: usize) -> usize {
    10 * (SIDE - 1 - row) + 2 * (SIDE - 1 - column)
}

/// For every bit of the result, the bit of the board that belongs there, if the square (row,
/// column) goes to `to(row, column)`.
fn wanted(to: impl Fn(usize, usize) -> (usize, usize)) -> [usize; BITS] {
    let mut source = [0; BITS];
    for row in 0..SIDE {
        for column in 0..SIDE {
            let (r, c) = to(row, column);
            for half in 0..2 {
                source[bit_of(r, c) + half] = bit_of(row, column) + half;
            }
        }
    }
    source
}

/// The right terms for a permutation: one for every distance a bit moves.
pub(super) fn right_terms(to: impl Fn(usize, usize) -> (usize, usize)) -> Vec<Term> {
    let mut terms: Vec<Term> = Vec::new();
    for (bit, source) in wanted(to).into_iter().enumerate() {
        let shift = bit as i32 - source as i32;
        match terms.iter_mut().find(|term| term.shift == shift) {
            Some(term) => term.mask |= 1 << bit,
            None => terms.push(Term::left(shift, 1 << bit)),
        }
    }
    terms.sort_by_key(|term| -term.shift);
    terms
}

pub(super) fn swap(row: usize, column: usize) -> (usize, usize) {
    (column, row)
}

pub(super) fn left_right(row: usize, column: usize) -> (usize, usize) {
    (row, SIDE - 1 - column)
}

fn top_bottom(row: usize, column: usize) -> (usize, usize) {
    (SIDE - 1 - row, column)
}

/// How each bit of the result is set.
struct Tally {
    /// Set by the right bit of the board and no other.
    right: Vec<usize>,
    missing: Vec<usize>,
    /// Set by a wrong bit (and perhaps by the right one too).
    wrong: Vec<usize>,
}

fn tally(printed: &[Term], wanted: &[usize; BITS]) -> Tally {
    let mut tally = Tally {
        right: Vec::new(),
        missing: Vec::new(),
        wrong: Vec::new(),
    };
    for (bit, &expected) in wanted.iter().enumerate() {
        let sources: Vec<usize> = (0..BITS)
            .filter(|&source| {
                printed
                    .iter()
                    .any(|term| term.apply(1 << source) >> bit & 1 == 1)
            })
            .collect();
        match sources.as_slice() {
            [] => tally.missing.push(bit),
            [source] if *source == expected => tally.right.push(bit),
            _ => tally.wrong.push(bit),
        }
    }
    tally
}

/// The printed terms next to the right ones, a line for every shift.
fn compare_terms(printed: &[Term], right: &[Term]) -> (Vec<Figure>, String) {
    let mut figures = Vec::new();
    let mut prose = String::new();
    for term in right {
        let name = format!("right term {:+}", term.shift);
        figures.push(Figure::new(name, term.text()));
        match printed.iter().find(|other| other.shift == term.shift) {
            None => {
                let _ = write!(prose, "The term {} is missing. ", term.text());
            }
            Some(other) if other.mask == term.mask => {}
            Some(other) => {
                let _ = write!(
                    prose,
                    "Printed {}, right {}{}. ",
                    other.text(),
                    term.text(),
                    misprint(other.mask, term.mask)
                );
            }
        }
    }
    for term in printed {
        figures.push(Figure::new(
            format!("printed term {:+}", term.shift),
            term.text(),
        ));
    }
    (figures, prose)
}

/// States whether one hex digit too many, too few or changed explains a constant.
fn misprint(printed: u64, right: u64) -> &'static str {
    let (printed, right) = (format!("{printed:X}"), format!("{right:X}"));
    let without = |long: &str, short: &str| {
        (0..long.len()).any(|at| [&long[..at], &long[at + 1..]].concat() == *short)
    };
    let differ = printed
        .bytes()
        .zip(right.bytes())
        .filter(|(a, b)| a != b)
        .count();
    if printed.len() == right.len() + 1 && without(&printed, &right) {
        " (one hex digit too many: possibly a printing error)"
    } else if right.len() == printed.len() + 1 && without(&right, &printed) {
        " (one hex digit too few: possibly a printing error)"
    } else if printed.len() == right.len() && differ == 1 {
        " (one hex digit differs: possibly a printing error)"
    } else {
        " (no single digit explains it)"
    }
}

fn list(bits: &[usize]) -> String {
    let texts: Vec<String> = bits.iter().map(ToString::to_string).collect();
    texts.join(" ")
}

fn permutation(
    printed: &[Term],
    to: impl Fn(usize, usize) -> (usize, usize) + Copy,
    last: Option<Figure>,
    more: &str,
) -> Vec<Figure> {
    let tally = tally(printed, &wanted(to));
    let (compared, prose) = compare_terms(printed, &right_terms(to));
    let mut figures = vec![
        Figure::new("bits right", tally.right.len()),
        Figure::new("bits never set", list(&tally.missing)),
        Figure::new("bits set by a wrong one", list(&tally.wrong)),
    ];
    figures.extend(compared.into_iter().chain(last));
    let explanation = format!(
        "{} of 50 bits of the result are right, {} are never set, {} are set by a wrong bit \
         of the board. {prose}{more}",
        tally.right.len(),
        tally.missing.len(),
        tally.wrong.len()
    );
    finding(tally.right.len() == BITS, figures, explanation)
}

/// `transpose`: swaps rows and columns.
pub(super) fn transpose() -> Vec<Figure> {
    permutation(
        &TRANSPOSE,
        swap,
        None,
        "The other seven terms are right. Both wrong masks are the right ones times 16, so the \
         slip is of the kind a typesetter makes; run as printed, every tilt up or down of a \
         board with a block on the squares concerned goes wrong.",
    )
}

/// `mirr_v`: as `move` uses it, reverses every row.
pub(super) fn mirr_v() -> Vec<Figure> {
    let upside_down = tally(&MIRR_V, &wanted(top_bottom)).right.len();
    let upside_down = Figure::new("bits right if it should swap top and bottom", upside_down);
    permutation(
        &MIRR_V,
        left_right,
        Some(upside_down),
        "The mask printed next to (b >> 4) is exactly the one that belongs to the missing \
         (b << 4), so lines may have been lost or merged in print: possibly a printing error, \
         but not one of a single digit. The mask at (b << 8) covers columns 2 and 3 (bits \
         4-7 of a row, the hole left out), where nothing may arrive from so far. 'Vertically' \
         is read as reversing every row, which a tilt to the right needs.",
    )
}

/// The two assertions that a board has at most 50 bits.
pub(super) fn asserts() -> Vec<Figure> {
    /// As printed in `transpose` and in `board_to_rows`.
    const PRINTED: [(&str, u64); 2] = [
        ("transpose", 0x4000_0000_0000_0000),
        ("board_to_rows", 0x4_0000_0000_0000),
    ];
    let bound = |edition: &str, function: &str, bound: u64| {
        let text = format!("2^{} = {bound:#x}", bound.ilog2());
        Figure::new(format!("{edition} bound of {function}"), text)
    };
    let figures = PRINTED.iter().flat_map(|&(function, printed)| {
        [
            bound("printed", function, printed),
            bound("right", function, 1 << BITS),
        ]
    });
    finding(
        PRINTED.iter().all(|(_, bound)| *bound == 1 << BITS),
        figures.collect(),
        "Both comments say that a board never exceeds 50 bits. board_to_rows tests \
             for 2^50; transpose prints 0x4000000000000000, which is 2^62 and lets twelve bits \
             too many pass: three zeros too many, possibly a printing error. No result depends \
             on it.",
    )
}
