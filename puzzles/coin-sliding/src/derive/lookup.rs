//! The article's way to find moves on 5x9. A table of all contents of four whole rows gives the cells
//! with two or more coins next to them. The board is looked up in overlapping pieces. Chaffin,
//! section "Finding moves".

use std::sync::LazyLock;

use puzzle_api::rank::low_bits;

use crate::board::Shape;
use crate::rules;

/// Cells of a piece: 2^20 entries of four bytes are 4 MiB.
pub const PIECE_CELLS: u32 = 20;

/// By the content of a piece: its cells with two or more coins of the piece next to them.
static ENTRIES: LazyLock<Vec<u32>> = LazyLock::new(|| {
    let piece = Shape {
        height: PIECE_CELLS / Shape::LARGE.width,
        ..Shape::LARGE
    };
    let beside = |cell| rules::beside(&piece, cell).fold(0_u32, |all, cell| all | 1 << cell);
    let beside: Vec<u32> = (0..PIECE_CELLS as usize).map(beside).collect();
    let entry = |content: u32| {
        let crowded = |cell: &u32| (beside[*cell as usize] & content).count_ones() >= 2;
        let cells = (0..PIECE_CELLS).filter(crowded);
        cells.fold(0, |all, cell| all | 1 << cell)
    };
    (0..1 << PIECE_CELLS).map(entry).collect()
});

/// The result of the piece that starts at a row, as cells of the board.
#[inline]
pub fn piece(coins: u64, start: u32) -> u64 {
    let shift = start * Shape::LARGE.width;
    let content = coins >> shift & low_bits(PIECE_CELLS);
    u64::from(ENTRIES[content as usize]) << shift
}
