//! A board cell by cell, as the literal rules see it.

use crate::board::Shape;

/// A board: for every cell in reading order, whether a coin is on it.
pub type Board = Vec<bool>;

/// The cells next to a cell: up, down, left, right, within the board.
pub fn beside(shape: &Shape, cell: usize) -> impl Iterator<Item = usize> + use<> {
    let (width, height) = (shape.width as usize, shape.height as usize);
    let (row, column) = (cell / width, cell % width);
    let up = (row > 0).then(|| cell - width);
    let down = (row + 1 < height).then(|| cell + width);
    let left = (column > 0).then(|| cell - 1);
    let right = (column + 1 < width).then(|| cell + 1);
    [up, down, left, right].into_iter().flatten()
}

/// Number of coins next to a cell.
pub fn coins_beside(shape: &Shape, board: &[bool], cell: usize) -> usize {
    beside(shape, cell).filter(|&cell| board[cell]).count()
}

/// Packs a board: cell c is bit c.
pub fn mask(board: &[bool]) -> u64 {
    let cells = board.iter().enumerate();
    cells.fold(0, |mask, (cell, &coin)| mask | u64::from(coin) << cell)
}

/// Unpacks a board.
pub fn board(shape: &Shape, mask: u64) -> Board {
    (0..shape.cells())
        .map(|cell| mask >> cell & 1 == 1)
        .collect()
}
