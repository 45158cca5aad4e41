//! Parts and ranks of the reference variant, by walking the squares in reading order.
//!
//! Boards of a part are numbered by their counts (blue, then green), and within the same counts
//! alphabetically with empty < blue < green. Independent of the bitboard variant, which has another
//! numbering.

use puzzle_api::rank::binomial;

use crate::board::{self, Board, Cell, SQUARES};
use crate::instances::{Instance, Limits};

/// The board without its blue and green blocks.
pub(super) fn greys_of(board: &Board) -> Board {
    board.map(|cell| match cell {
        Cell::Blue | Cell::Green => Cell::Empty,
        other => other,
    })
}

/// The canonical grey sets of an instance, by count and mask.
pub(super) fn parts(instance: &Instance) -> Vec<Board> {
    let mut found = Vec::new();
    let mut keep = |greys: Board| {
        let mask = board::mask(&greys, Cell::Grey);
        if instance.allows_greys(mask)
            && (1..8).all(|index| board::mask(&board::image(&greys, index), Cell::Grey) >= mask)
        {
            found.push(greys);
        }
    };
    let grey = instance.limits().grey;
    for blocks in grey.min..=grey.max {
        place_blocks(&board::empty_board(), Cell::Grey, 0, blocks, &mut keep);
    }
    found.sort_by_key(order);
    found
}

/// The order of parts: by the number of grey blocks, then by their mask.
pub(super) fn order(greys: &Board) -> (u32, u32) {
    let mask = board::mask(greys, Cell::Grey);
    (mask.count_ones(), mask)
}

/// Places more blocks of a colour on empty squares from `from` on, in every way (section 3.4.2;
/// going up the squares gives each board once).
pub(crate) fn place_blocks(
    board: &Board,
    block: Cell,
    from: usize,
    blocks: u32,
    emit: &mut dyn FnMut(Board),
) {
    if blocks == 0 {
        emit(*board);
        return;
    }
    for square in from..SQUARES {
        if board[square] == Cell::Empty {
            let mut next = *board;
            next[square] = block;
            place_blocks(&next, block, square + 1, blocks - 1, emit);
        }
    }
}

/// Ways to set `blue` and `green` blocks on `squares` squares.
fn arrangements(squares: u32, blue: u32, green: u32) -> u64 {
    binomial(squares, blue) * binomial(squares.saturating_sub(blue), green)
}

/// Counts of blue and green blocks in the order of the numbering.
fn counts(limits: &Limits) -> impl Iterator<Item = (u32, u32)> + use<> {
    let (blue, green) = (limits.blue, limits.green);
    (blue.min..=blue.max).flat_map(move |b| (green.min..=green.max).map(move |c| (b, c)))
}

/// Number of boards with these grey blocks.
pub(super) fn space(limits: &Limits, greys: &Board) -> u64 {
    let squares = board::count(greys, Cell::Empty);
    counts(limits)
        .map(|(blue, green)| arrangements(squares, blue, green))
        .sum()
}

/// The number of a board among those with its grey blocks.
pub(super) fn rank(limits: &Limits, board: &Board) -> Option<u64> {
    let mut squares = board::count(&greys_of(board), Cell::Empty);
    let mut left = (
        board::count(board, Cell::Blue),
        board::count(board, Cell::Green),
    );
    if !counts(limits).any(|counts| counts == left) {
        return None;
    }
    let mut rank: u64 = counts(limits)
        .take_while(|&counts| counts != left)
        .map(|(blue, green)| arrangements(squares, blue, green))
        .sum();
    for &cell in board {
        if matches!(cell, Cell::Grey | Cell::Hole) {
            continue;
        }
        squares -= 1;
        for smaller in [Cell::Empty, Cell::Blue] {
            if smaller < cell {
                rank += with_cell(squares, left, smaller).map_or(0, |(ways, _)| ways);
            }
        }
        if let Some((_, after)) = with_cell(squares, left, cell) {
            left = after;
        }
    }
    Some(rank)
}

/// The board with a given number; the inverse of [`rank`].
pub(super) fn unrank(limits: &Limits, greys: &Board, mut rank: u64) -> Option<Board> {
    let mut squares = board::count(greys, Cell::Empty);
    let mut left = counts(limits).find(|&(blue, green)| {
        let ways = arrangements(squares, blue, green);
        let here = rank < ways;
        if !here {
            rank -= ways;
        }
        here
    })?;
    let mut board = *greys;
    for cell in board.iter_mut().filter(|cell| **cell == Cell::Empty) {
        squares -= 1;
        for candidate in [Cell::Empty, Cell::Blue, Cell::Green] {
            let Some((ways, after)) = with_cell(squares, left, candidate) else {
                continue;
            };
            if rank < ways {
                (*cell, left) = (candidate, after);
                break;
            }
            rank -= ways;
        }
    }
    Some(board)
}

/// With `cell` on the current square and `squares` still to follow: the number of ways to continue,
/// and the remaining blocks. `None` if no such block is left.
fn with_cell(squares: u32, left: (u32, u32), cell: Cell) -> Option<(u64, (u32, u32))> {
    let (blue, green) = match cell {
        Cell::Blue => (left.0.checked_sub(1)?, left.1),
        Cell::Green => (left.0, left.1.checked_sub(1)?),
        _ => left,
    };
    Some((arrangements(squares, blue, green), (blue, green)))
}
