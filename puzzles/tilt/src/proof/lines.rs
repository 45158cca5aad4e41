//! The effect of the rulebook's tilts on one row or column, for all its possible contents.
//!
//! The rulebook's tilt of a board is [`rules::slide`] on each of its five lines, and nothing else.
//! The table has its results for all contents of all lines.

use crate::board::{self, Board, Cell, HOLE, SIDE, empty_board};
use crate::rules::{self, Line, Tilt};

/// Marks a tilt in which a blue block falls: an OR with anything does not change it.
pub(crate) const ILLEGAL: u64 = u64::MAX;

/// Contents of a line: cells of two bits, the lowest for cell 0.
const CONTENTS: usize = 1 << (2 * SIDE);
/// The meaning of the two bits of a cell.
const CELLS: [Cell; 4] = [Cell::Empty, Cell::Blue, Cell::Green, Cell::Grey];

/// A line by its number, on the axis of a tilt: rows for left and right, columns for up
/// and down.
pub(crate) fn square(direction: Tilt, line: usize, cell: usize) -> usize {
    match direction {
        Tilt::Left | Tilt::Right => SIDE * line + cell,
        Tilt::Up | Tilt::Down => SIDE * cell + line,
    }
}

/// The bits that a cell's block adds to a content.
pub(crate) fn bits(cell: usize, block: Cell) -> usize {
    let kind = CELLS.iter().position(|&other| other == block).unwrap_or(0);
    kind << (2 * cell)
}

/// Blue and green blocks of a board: blue in the high half, green in the low one.
pub(crate) fn movable(board: &Board) -> u64 {
    u64::from(board::mask(board, Cell::Blue)) << 32 | u64::from(board::mask(board, Cell::Green))
}

/// The results of all four tilts on all contents of all lines: 160 KiB.
#[derive(Debug)]
pub(crate) struct Lines {
    results: Vec<u64>,
}

impl Lines {
    /// Tilts every content of every line by the rulebook: some milliseconds.
    pub(crate) fn by_the_rulebook() -> Self {
        let mut results = vec![ILLEGAL; Tilt::ALL.len() * SIDE * CONTENTS];
        for direction in Tilt::ALL {
            for line in 0..SIDE {
                for content in 0..CONTENTS {
                    let slid = line_of(direction, line, content).and_then(rules::slide);
                    if let Some(slid) = slid {
                        let mut board = empty_board();
                        for (distance, cell) in slid.into_iter().enumerate() {
                            board[direction.square(line, distance)] = cell;
                        }
                        results[at(direction, line, content)] = movable(&board);
                    }
                }
            }
        }
        Self { results }
    }

    /// Blue and green blocks of a line after a tilt, as [`movable`] has them.
    pub(crate) fn after(&self, direction: Tilt, line: usize, content: usize) -> u64 {
        self.results[at(direction, line, content)]
    }
}

fn at(direction: Tilt, line: usize, content: usize) -> usize {
    (direction as usize * SIDE + line) * CONTENTS + content
}

/// A line with a content, as it slides; `None` with a block in the hole.
fn line_of(direction: Tilt, line: usize, content: usize) -> Option<Line> {
    let mut board = empty_board();
    for cell in 0..SIDE {
        let block = CELLS[content >> (2 * cell) & 3];
        match (square(direction, line, cell), block) {
            (_, Cell::Empty) => {}
            (HOLE, _) => return None,
            (square, block) => board[square] = block,
        }
    }
    Some(std::array::from_fn(|distance| {
        board[direction.square(line, distance)]
    }))
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    /// Blue and green blocks of a whole board after a tilt, by the table.
    fn after_tilt(lines: &Lines, board: &Board, direction: Tilt) -> u64 {
        (0..SIDE).fold(0, |after, line| {
            let cell_bits = |cell| bits(cell, board[square(direction, line, cell)]);
            let content = (0..SIDE).map(cell_bits).sum();
            after | lines.after(direction, line, content)
        })
    }

    proptest! {
        #[test]
        fn a_tilt_of_a_board_is_the_tilt_of_its_lines(
            cells in prop::collection::vec(0_usize..4, crate::board::SQUARES),
        ) {
            let lines = Lines::by_the_rulebook();
            let mut board = empty_board();
            for (square, &kind) in cells.iter().enumerate().filter(|(square, _)| *square != HOLE) {
                board[square] = CELLS[kind];
            }
            for direction in Tilt::ALL {
                let by_rules = rules::tilt(&board, direction).map_or(ILLEGAL, |after| movable(&after));
                prop_assert_eq!(after_tilt(&lines, &board, direction), by_rules);
            }
        }
    }
}
