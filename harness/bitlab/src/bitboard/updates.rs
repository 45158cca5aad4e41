//! Board updates: flips and captures (Browne, sections 5.3.1 and 5.3.2).

use super::filters::Position;
use super::morphology::dilate;
use super::{Board, Geometry};

fn flip<const N: usize>(at: &Position<N>, flip: Board<N>) -> Position<N> {
    Position {
        player: at.player | flip,
        opponent: at.opponent & !flip,
    }
}

/// Browne, algorithm 9: every piece of the opponent's next to one of the
/// player's changes sides. Cost: a dilation, `&`, `~&`, `|`.
pub fn flip_enemy_neighbours<const N: usize>(board: &Geometry<N>, at: &Position<N>) -> Position<N> {
    flip(at, dilate(board, at.player) & at.opponent)
}

/// Browne, algorithm 10: the same, only around the last move `bits_m`.
pub fn flip_around_move<const N: usize>(
    board: &Geometry<N>,
    at: &Position<N>,
    last: Board<N>,
) -> Position<N> {
    flip(at, dilate(board, last) & at.opponent)
}

/// Browne, algorithm 11: toggles a cell and its neighbours (Lights Out).
///
/// Masked: as printed, a press on the rim toggles separating bits too; see
/// [`printed::press_unmasked`](super::printed::press_unmasked).
#[inline]
pub fn press<const N: usize>(board: &Geometry<N>, lit: Board<N>, cell: Board<N>) -> Board<N> {
    lit ^ dilate(board, cell)
}

/// Browne, algorithm 12: what is left of the player's pieces when connected
/// groups without an adjacent empty cell are removed.
/// Cost: a dilation and `&` for each step of the longest way to a freedom.
pub fn surround_capture<const N: usize>(board: &Geometry<N>, at: &Position<N>) -> Board<N> {
    let mut free = dilate(board, at.empty(board)) & at.player;
    let mut result = Board::EMPTY;
    while result != free {
        result = free;
        free = dilate(board, free) & at.player;
    }
    result
}
