//! The squares of a board of Tilt, its drawing, its packing and its images.

use crate::rules::board::{Grid, has, set};

pub const GRID: Grid = Grid::new(5, 5);
pub const HOLE: usize = 12;

/// Squares in reading order: `.`, `O`, `#`, `b`, `g`.
pub type Board = [u8; 25];

/// Reads five rows joined by `/`.
pub fn read(text: &str) -> Option<Board> {
    let board = Board::try_from(GRID.read(text)?).ok()?;
    let allowed = |s| if s == HOLE { &b"O"[..] } else { b".#bg" };
    let known = GRID.cells().all(|s| allowed(s).contains(&board[s]));
    known.then_some(board)
}

/// The squares of some blocks.
fn squares(board: &Board, blocks: &[u8]) -> u128 {
    set(GRID.cells().filter(|&s| blocks.contains(&board[s])))
}

pub fn pack(board: &Board) -> u128 {
    squares(board, b"#b") << 25 | squares(board, b"#g")
}

pub fn unpack(state: u128) -> Board {
    std::array::from_fn(|s| match (has(state, 25 + s), has(state, s)) {
        _ if s == HOLE => b'O',
        (false, false) => b'.',
        (true, false) => b'b',
        (false, true) => b'g',
        (true, true) => b'#',
    })
}

/// The set of grey squares.
pub fn greys(state: u128) -> u128 {
    state >> 25 & state & ((1 << 25) - 1)
}

pub fn image(board: &Board, index: usize) -> Board {
    let mut image = *board;
    for (s, &block) in board.iter().enumerate() {
        image[GRID.cell(GRID.turned(index, GRID.place(s)))] = block;
    }
    image
}

pub fn count(board: &Board, block: u8) -> usize {
    board.iter().filter(|&&other| other == block).count()
}
