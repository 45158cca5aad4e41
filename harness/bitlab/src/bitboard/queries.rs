//! Board queries: values derived from a position (Browne, section 5.2).

use super::morphology::dilate;
use super::{Board, Direction, Geometry};

/// Length of the longest straight line of set cells along one axis.
/// Cost: one step, `&` and test a cell of that line.
pub fn line_length_along<const N: usize>(
    board: &Geometry<N>,
    bits: Board<N>,
    axis: Direction,
) -> u32 {
    let mut left = bits & board.mask();
    let mut length = 0;
    while !left.is_empty() {
        length += 1;
        left &= board.step(left, axis);
    }
    length
}

/// Browne, algorithm 6: length of the longest straight line of set cells.
///
/// The printed loop counts erosions that leave something, which is one less
/// than the length; see [`printed::line_length`](super::printed::line_length).
pub fn line_length<const N: usize>(board: &Geometry<N>, bits: Board<N>) -> u32 {
    let axes = board.grid().axes().iter();
    axes.map(|&axis| line_length_along(board, bits, axis))
        .max()
        .unwrap_or(0)
}

/// Browne, algorithm 7: whether four set cells stand in a straight line.
///
/// `shift_aa` is a double step. The pairs of pairs it joins are checked at
/// every single step, so one separating bit is enough, in spite of the
/// general rule that double steps need two (footnote 4).
/// Cost: three steps and three `&` an axis.
pub fn has_line_of_four<const N: usize>(board: &Geometry<N>, bits: Board<N>) -> bool {
    let bits = bits & board.mask();
    board.grid().axes().iter().any(|&axis| {
        let pairs = bits & board.step(bits, axis);
        let two_on = if board.is_sealed() {
            pairs.shift(2 * board.shift(axis))
        } else {
            board.step(board.step(pairs, axis), axis)
        };
        pairs.intersects(two_on)
    })
}

/// Section 5.2.2: how many set cells have the colour that `mask` selects.
pub fn count_on<const N: usize>(bits: Board<N>, mask: Board<N>) -> u32 {
    (bits & mask).count()
}

/// Browne, algorithm 8: index of the first pattern that `bits` contains.
/// Cost: one `&` and one comparison a pattern.
///
/// The paper counts patterns from 1 and returns 0 for none.
pub fn find_pattern<const N: usize>(patterns: &[Board<N>], bits: Board<N>) -> Option<usize> {
    patterns.iter().position(|&pattern| bits.contains(pattern))
}

/// The exact form of algorithm 8: the pattern is there and nothing else of
/// the same player touches it.
pub fn find_exact_pattern<const N: usize>(
    board: &Geometry<N>,
    patterns: &[Board<N>],
    bits: Board<N>,
) -> Option<usize> {
    patterns.iter().position(|&pattern| {
        let rim = dilate(board, pattern) & !pattern;
        bits.contains(pattern) && !bits.intersects(rim)
    })
}

/// Every translation of a shape, given as `(x, y)` cells, that stays on the
/// board: the pattern database of section 5.2.4.
pub fn translations<const N: usize>(
    board: &Geometry<N>,
    shape: &[(usize, usize)],
) -> Vec<Board<N>> {
    let place = |(x, y): (usize, usize)| {
        let cells = shape
            .iter()
            .map(|&(dx, dy)| board.index(x.saturating_add(dx), y.saturating_add(dy)));
        cells.collect::<Option<Board<N>>>()
    };
    board.cells().filter_map(place).collect()
}
