//! Position classes. Colour the holes by diagonals, in three colours, in either direction. Three
//! holes in a row have three colours, so a jump changes the number of pegs of every colour by one.
//! Whether two of these numbers are both odd or both even never changes (the rule of three; Reiss
//! 1857). Four independent parities make 16 classes. On a board of an odd shape there can be more,
//! and all are found by elimination over the field of two elements.

use crate::board::Board;

/// Weights 0 and 1 by hole: every three holes in a row hold an even number of ones. The pegs of one
/// position hold an odd number, those of the other an even one. `None` if both positions are in one
/// class.
pub fn separate(board: &Board, from: u64, to: u64) -> Option<Vec<i64>> {
    let differs = |mask: &u64| ((from ^ to) & mask).count_ones() % 2 == 1;
    // With arbitrary lines, three holes need not have three colours.
    let drawn = board.threes().is_none();
    let diagonal = diagonals(board)
        .into_iter()
        .find(|mask| drawn && differs(mask));
    let mask = diagonal.or_else(|| eliminate(board, from ^ to))?;
    let weights = (0..board.len()).map(|hole| (mask >> hole & 1) as i64);
    Some(weights.collect())
}

/// Two colours of three together, twice for each direction of the diagonals.
pub(super) fn diagonals(board: &Board) -> [u64; 4] {
    let colours = |sign: i32, left_out: i32| {
        let points = (0..board.len()).map(|hole| (hole, board.point(hole)));
        points
            .filter(|(_, at)| (at.x + sign * at.y).rem_euclid(3) != left_out)
            .fold(0, |mask, (hole, _)| mask | 1 << hole)
    };
    [colours(1, 0), colours(1, 1), colours(-1, 0), colours(-1, 1)]
}

/// A set of holes that meets every three holes in a row evenly and the difference of two positions
/// oddly. There is one exactly if the difference is no sum of threes.
fn eliminate(board: &Board, difference: u64) -> Option<u64> {
    // Rows in reduced echelon form; the pivot of a row is in no other.
    let mut rows: Vec<(u32, u64)> = Vec::new();
    for jump in board.jumps() {
        let three = 1 << jump.from | 1 << jump.over | 1 << jump.to;
        let left = reduce(&rows, three);
        if left == 0 {
            continue;
        }
        let pivot = left.trailing_zeros();
        for (_, row) in &mut rows {
            if *row >> pivot & 1 == 1 {
                *row ^= left;
            }
        }
        rows.push((pivot, left));
    }
    let left = reduce(&rows, difference);
    if left == 0 {
        return None;
    }
    let free = left.trailing_zeros();
    let pivots = rows.iter().filter(|(_, row)| row >> free & 1 == 1);
    Some(pivots.fold(1 << free, |mask, (pivot, _)| mask | 1 << pivot))
}

/// The rest of a vector after all pivots are cleared.
fn reduce(rows: &[(u32, u64)], vector: u64) -> u64 {
    let pivots = rows.iter().filter(|(pivot, _)| vector >> pivot & 1 == 1);
    pivots.fold(vector, |left, (_, row)| left ^ row)
}
