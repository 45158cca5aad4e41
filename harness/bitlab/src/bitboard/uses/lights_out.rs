//! Lights Out: which positions algorithm 11 can reach.

use crate::bitboard::updates::press;
use crate::bitboard::{Board, Geometry};

/// The cells each press toggles, in order of bits.
pub fn presses<const N: usize>(board: &Geometry<N>) -> Vec<Board<N>> {
    let cells = board.mask().iter();
    cells
        .map(|i| press(board, Board::EMPTY, Board::bit(i)))
        .collect()
}

/// Rank of the presses over the field of two elements: `2^rank` positions can
/// be turned off, and each in `2^(cells - rank)` ways.
/// Cost: Gaussian elimination, `cells^2` word operations.
pub fn rank<const N: usize>(board: &Geometry<N>) -> u32 {
    let mut basis: Vec<Board<N>> = Vec::new();
    for press in presses(board) {
        let left = basis.iter().fold(press, |left, &row| {
            let reducible = row.highest().is_some_and(|pivot| left.get(pivot));
            if reducible { left ^ row } else { left }
        });
        if !left.is_empty() {
            basis.push(left);
        }
    }
    basis.len() as u32
}

/// How many positions the presses reach, by making all `2^cells` sets of
/// presses one after another in Gray-code order and marking what they give.
/// `None` for more than 30 cells.
pub fn reachable_by_enumeration(board: &Geometry<1>) -> Option<u64> {
    let cells: Vec<usize> = board.mask().iter().collect();
    if cells.len() > 30 {
        return None;
    }
    // Positions are numbered by packed cells, so that the table is 2^cells bits.
    let pack = |bits: Board<1>| {
        let on = cells.iter().enumerate().filter(|&(_, &i)| bits.get(i));
        on.fold(0_usize, |all, (k, _)| all | 1 << k)
    };
    let presses: Vec<usize> = presses(board).into_iter().map(pack).collect();
    let mut seen = vec![0_u64; (1_usize << cells.len()).div_ceil(64)];
    let mut lit = 0;
    seen[0] = 1;
    for code in 1..1_usize << cells.len() {
        lit ^= presses[code.trailing_zeros() as usize];
        seen[lit / 64] |= 1 << (lit % 64);
    }
    Some(seen.iter().map(|word| u64::from(word.count_ones())).sum())
}
