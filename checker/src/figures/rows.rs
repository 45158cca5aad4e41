//! The code printed in the appendix of the Tilt thesis, on rows of ten bits. A square has two bits
//! (00 empty, 01 green, 10 blue, 11 grey), the first square highest.

mod appendix;

use super::bits::{MIRROR, REVERSE, TRANSPOSE, makes, run, turned};
use super::{Derived, Draw, exact, sampled, tried_whole};
use crate::rules::board::Grid;
use crate::rules::keys::{digit, digits};
use crate::rules::tilt::{Board, GRID, HOLE, Tilt, tilt, unpack};
use crate::shown::Stop;

/// Blocks by their two bits.
const BLOCKS: &[u8; 4] = b".gb#";

/// A blue block in the hole: the row after a tilt in which one falls.
pub const FALLS: u32 = 0x30;

/// Some squares as a word; the hole is empty.
pub fn packed(squares: &[u8]) -> u64 {
    let code = |block: u8| BLOCKS.iter().position(|&other| other == block);
    let codes = squares.iter().map(|&block| code(block).unwrap_or(0) as u64);
    codes.fold(0, |word, code| word << 2 | code)
}

/// The blocks on n squares of a word.
pub fn blocks(word: u64, squares: usize) -> Vec<u8> {
    let blocks = digits(2, word.into(), squares).map(|code| BLOCKS[code]);
    let mut blocks: Vec<u8> = blocks.collect();
    blocks.reverse();
    blocks
}

/// Number of blocks on n squares of a word.
pub fn held(word: impl Into<u64>, squares: usize, block: u8) -> usize {
    let blocks = blocks(word.into(), squares).into_iter();
    blocks.filter(|&other| other == block).count()
}

/// A row tilted on its own; `None` if a blue block falls.
pub fn tilted(row: u32, line: usize, way: usize) -> Option<u32> {
    let (own, mut board) = (5 * line..5 * line + 5, unpack(0));
    for (square, block) in own.clone().zip(blocks(row.into(), 5)) {
        match (square, block) {
            (HOLE, b'.') => {}
            (HOLE, _) => return None,
            _ => board[square] = block,
        }
    }
    Some(packed(&tilt(&board, way)?[own]) as u32)
}

/// A board of the box drawn at random; every number of blocks is as likely.
pub fn drawn(draw: &mut Draw) -> Board {
    let mut board = unpack(0);
    for (&block, (_, most)) in b"#bg".iter().zip(Tilt::BOX.limits) {
        for _ in 0..draw.below(most + 1) {
            let square = draw.below(25);
            if board[square] == b'.' {
                board[square] = block;
            }
        }
    }
    board
}

/// Rows with an empty hole.
fn middle() -> impl Iterator<Item = u32> {
    (0..1024).filter(|row| row & FALLS == 0)
}

/// Five parts of a word with some bits each, the first highest: cells of a row, or rows of a board.
fn parts(word: u64, bits: usize) -> [u32; 5] {
    [4, 3, 2, 1, 0].map(|place| digit(bits, word.into(), place) as u32)
}

fn joined(parts: impl IntoIterator<Item = u32>, bits: usize) -> u64 {
    let parts = parts.into_iter().map(u64::from);
    parts.fold(0, |word, part| word << bits | part)
}

/// `move_b_row` as printed.
pub fn move_row(row: u32) -> u32 {
    let (mut cells, mut change) = (parts(row.into(), 2), true);
    while change {
        change = false;
        for i in 0..4 {
            if cells[i] == 0 && (cells[i + 1] == 1 || cells[i + 1] == 2) {
                cells.swap(i, i + 1);
                change = true;
            }
        }
    }
    joined(cells, 2) as u32
}

/// `move_bc_row` as printed.
pub fn move_middle(row: u32) -> u32 {
    let mut cells = parts(row.into(), 2);
    if cells[3] == 2 || cells[4] == 2 && cells[3] != 3 {
        return FALLS;
    }
    if cells[0] == 0 && cells[1] != 3 {
        cells.swap(0, 1);
    }
    if cells[3] != 3 {
        cells[3] = 0;
        if cells[4] != 3 {
            cells[4] = 0;
        }
    }
    joined(cells, 2) as u32
}

/// `reverse` as printed.
fn reverse(row: u32) -> u32 {
    run(&REVERSE, row.into()) as u32
}

/// A row after a tilt to the left (0) or right (1), by the printed functions.
pub fn printed(row: u32, line: usize, way: usize) -> u32 {
    let left = if line == 2 { move_middle } else { move_row };
    match way {
        0 => left(row),
        _ => reverse(left(reverse(row))),
    }
}

/// The functions of the appendix.
pub fn appendix(function: &str) -> Result<Derived, Stop> {
    let outer = |way| (0..1024).all(|row| tilted(row, 0, way) == Some(printed(row, 0, way)));
    let inner =
        |way| middle().all(|row| tilted(row, 2, way).unwrap_or(FALLS) == printed(row, 2, way));
    match function {
        "transpose" => exact(makes(&TRANSPOSE, &turned(4, GRID))),
        "mirr_v" => exact(makes(&MIRROR, &turned(1, GRID))),
        "reverse" => exact(makes(&REVERSE, &turned(1, Grid::new(1, 5)))),
        // Shifts by 8, 6, 4, 2, 0 and masks of two bits, there and back.
        "b_row_to_array" => exact((0..1024).all(|row| joined(parts(row, 2), 2) == row)),
        "move_b_row" => exact(outer(0)),
        "move_bc_row" => exact(inner(0)),
        // The lists are the rows that each function gives the index for, also mirrored.
        "table_init" => exact(outer(0) && inner(0) && outer(1) && inner(1)),
        "solved" => tried_whole(sampled(
            10_000,
            "that rows without green are a board without",
            |draw| {
                let board = draw.word() >> 14;
                let mut rows = parts(board, 10).into_iter();
                rows.all(|row| held(row, 5, b'g') == 0) == (held(board, 25, b'g') == 0)
            },
        )),
        "asserts" => {
            let mut bounds = [0x4000_0000_0000_0000_u64, 0x4_0000_0000_0000].into_iter();
            exact(bounds.all(|bound| bound == 1 << 50))
        }
        _ => appendix::derive(function),
    }
}
