//! Othello and Connect Four counted on arrays of cells.

use std::collections::BTreeSet;
use std::sync::Arc;

use super::Cells;
use super::position::{Piece, Position};
use crate::bitboard::Grid;

/// Othello's start, black to move, as in the bit version.
pub fn othello_start() -> Position {
    let board = Arc::new(Cells::new(Grid::SquareDiagonal, 8, vec![true; 64]));
    let on = |cells: [usize; 2]| (0..64).map(|i| cells.contains(&i)).collect::<Vec<_>>();
    Position::new(board, &on([28, 35]), &on([27, 36]))
}

fn swapped(at: &Position) -> Position {
    let other = |&piece: &Piece| match piece {
        Piece::None => Piece::None,
        Piece::Player => Piece::Opponent,
        Piece::Opponent => Piece::Player,
    };
    Position {
        board: at.board.clone(),
        pieces: at.pieces.iter().map(other).collect(),
    }
}

/// Lines of exactly `depth` plies, and lines that ended earlier; a pass is a
/// ply.
pub fn othello_perft(at: &Position, depth: u32) -> (u64, u64) {
    if depth == 0 {
        return (1, 0);
    }
    let moves = at.line_cap_moves();
    let mut next: Vec<Position> = Vec::new();
    for cell in (0..64).filter(|&cell| moves[cell]) {
        let mut after = at.clone();
        for flip in at.line_cap_flips(cell) {
            after.pieces[flip] = Piece::Player;
        }
        after.pieces[cell] = Piece::Player;
        next.push(swapped(&after));
    }
    if next.is_empty() {
        let other = swapped(at);
        if !other.line_cap_moves().contains(&true) {
            return (0, 1);
        }
        next.push(other);
    }
    next.iter().fold((0, 0), |(full, ended), at| {
        let (f, e) = othello_perft(at, depth - 1);
        (full + f, ended + e)
    })
}

/// A column is the list of its pieces from the bottom; `true` is the first
/// player.
type Columns = Vec<Vec<bool>>;

fn has_four(columns: &Columns) -> bool {
    let at = |c: i64, r: i64| {
        let column = usize::try_from(c).ok().and_then(|c| columns.get(c));
        column
            .zip(usize::try_from(r).ok())
            .and_then(|(column, r)| column.get(r).copied())
    };
    let line = |c: i64, r: i64, dc: i64, dr: i64| {
        let first = at(c, r);
        first.is_some() && (1..4).all(|k| at(c + k * dc, r + k * dr) == first)
    };
    (0..columns.len() as i64).any(|c| {
        let rows = 0..columns[c as usize].len() as i64;
        rows.into_iter().any(|r| {
            [(1, 0), (0, 1), (1, 1), (1, -1)]
                .iter()
                .any(|&(dc, dr)| line(c, r, dc, dr))
        })
    })
}

/// Distinct Connect Four positions after 0, 1, … `plies` plies.
pub fn connect_four_positions(width: usize, height: usize, plies: usize) -> Vec<u64> {
    let mut level: BTreeSet<Columns> = [vec![Vec::new(); width]].into();
    let mut counts = vec![1];
    for ply in 0..plies {
        let mut next = BTreeSet::new();
        for columns in level.iter().filter(|columns| !has_four(columns)) {
            for c in (0..width).filter(|&c| columns[c].len() < height) {
                let mut after = columns.clone();
                after[c].push(ply % 2 == 0);
                next.insert(after);
            }
        }
        level = next;
        counts.push(level.len() as u64);
    }
    counts
}
