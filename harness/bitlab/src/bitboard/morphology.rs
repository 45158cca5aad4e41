//! Dilation and erosion (Browne, sections 4.3 and 4.4).
//!
//! The paper leaves the on-board mask implicit; here every result is masked,
//! because an unmasked dilation leaves bits on the separating cells (it shows
//! in algorithm 11, see [`printed`](super::printed)).

use super::{Board, Direction, Geometry};

/// Dilation in one direction: `bits` and their neighbours that way.
/// Cost: one step, `|`, `&`.
#[inline]
pub fn dilate_towards<const N: usize>(
    board: &Geometry<N>,
    bits: Board<N>,
    d: Direction,
) -> Board<N> {
    (bits | board.step(bits, d)) & board.mask()
}

/// Dilation by one step in all directions, `bits ⊕ 1`.
/// Cost: one step and one `|` a direction, one `&`.
#[inline]
pub fn dilate<const N: usize>(board: &Geometry<N>, bits: Board<N>) -> Board<N> {
    let directions = board.grid().directions().iter();
    directions.fold(bits, |all, &d| all | board.step(bits, d)) & board.mask()
}

/// Erosion in one direction, `bits ⊖ d`: keeps a cell if the cell it would
/// have been reached *from* by a step in direction `d` is set too. Erosion
/// "in the north direction" therefore strips the southern end of a line.
/// Cells off the board count as unset. Cost: one step, `&`.
#[inline]
pub fn erode_towards<const N: usize>(
    board: &Geometry<N>,
    bits: Board<N>,
    d: Direction,
) -> Board<N> {
    bits & board.step(bits, d)
}

/// Erosion by one step in all directions, `bits ⊖ 1`: the set cells whose
/// neighbours are all on the board and set.
/// Cost: one step and one `&` a direction.
#[inline]
pub fn erode<const N: usize>(board: &Geometry<N>, bits: Board<N>) -> Board<N> {
    let directions = board.grid().directions().iter();
    directions.fold(bits, |all, &d| all & board.step(bits, d))
}
