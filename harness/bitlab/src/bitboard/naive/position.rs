//! Algorithms 1-5, 9, 10 and 12 on cells that say what stands on them.

use super::{Cells, Set, has};
use crate::bitboard::Direction;
use std::sync::Arc;

/// What stands on a cell.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Piece {
    /// Nothing, or the cell does not exist.
    None,
    /// A piece of the player in question.
    Player,
    /// A piece of the opponent.
    Opponent,
}

/// A position as an array of cells.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Position {
    /// The board.
    pub board: Arc<Cells>,
    /// What stands on each cell, in reading order.
    pub pieces: Vec<Piece>,
}

impl Position {
    /// A position from the two sets of pieces.
    pub fn new(board: Arc<Cells>, player: &[bool], opponent: &[bool]) -> Self {
        let piece = |cell| match (has(player, cell), has(opponent, cell)) {
            (true, _) => Piece::Player,
            (_, true) => Piece::Opponent,
            _ => Piece::None,
        };
        let pieces = (0..board.len()).map(piece).collect();
        Self { board, pieces }
    }

    fn is(&self, cell: usize, piece: Piece) -> bool {
        self.pieces.get(cell) == Some(&piece)
    }

    /// The cells on which `piece` stands.
    pub fn all(&self, piece: Piece) -> Set {
        self.board.select(|cell| self.is(cell, piece))
    }

    /// Whether the cell one step from `cell` holds `piece`.
    fn beside(&self, cell: usize, d: Direction, piece: Piece) -> bool {
        let to = self.board.neighbour(cell, d);
        to.is_some_and(|to| self.is(to, piece))
    }

    /// Whether any neighbour of `cell` holds `piece`.
    fn touches(&self, cell: usize, piece: Piece) -> bool {
        let mut directions = self.board.directions().iter();
        directions.any(|&d| self.beside(cell, d, piece))
    }

    /// Algorithm 1.
    pub fn empty_neighbours(&self) -> Set {
        self.board.select(|cell| {
            self.is(cell, Piece::None)
                && (self.touches(cell, Piece::Player) || self.touches(cell, Piece::Opponent))
        })
    }

    /// Algorithm 2.
    pub fn empty_neighbours_towards(&self, d: Direction) -> Set {
        self.board.select(|cell| {
            self.is(cell, Piece::None) && self.beside(cell, d.opposite(), Piece::Player)
        })
    }

    /// Algorithm 3.
    pub fn enemy_neighbours_towards(&self, d: Direction) -> Set {
        self.board.select(|cell| {
            self.is(cell, Piece::Opponent) && self.beside(cell, d.opposite(), Piece::Player)
        })
    }

    /// The opponent's pieces that a move at `cell` would capture towards `d`.
    fn capped(&self, cell: usize, d: Direction) -> Vec<usize> {
        let mut line = Vec::new();
        let mut at = self.board.neighbour(cell, d);
        while let Some(next) = at.filter(|&next| self.is(next, Piece::Opponent)) {
            line.push(next);
            at = self.board.neighbour(next, d);
        }
        let capped = at.is_some_and(|end| self.is(end, Piece::Player));
        if capped { line } else { Vec::new() }
    }

    /// All pieces that a move at `cell` would capture.
    pub fn line_cap_flips(&self, cell: usize) -> Vec<usize> {
        let directions = self.board.directions().iter();
        directions.flat_map(|&d| self.capped(cell, d)).collect()
    }

    /// Algorithm 4.
    pub fn line_cap_moves(&self) -> Set {
        self.board
            .select(|cell| self.is(cell, Piece::None) && !self.line_cap_flips(cell).is_empty())
    }

    /// Algorithm 5, the player moving north.
    pub fn breakthrough_moves(&self) -> Set {
        use Direction::{S, SE, SW};
        self.board.select(|cell| {
            let diagonal = [SE, SW]
                .iter()
                .any(|&d| self.beside(cell, d, Piece::Player));
            let straight = self.beside(cell, S, Piece::Player);
            match self.pieces[cell] {
                Piece::None => straight || diagonal,
                Piece::Opponent => diagonal,
                Piece::Player => false,
            }
        })
    }

    fn flipped(&self, flips: impl Fn(usize) -> bool) -> Self {
        let mut next = self.clone();
        for (cell, piece) in next.pieces.iter_mut().enumerate() {
            if *piece == Piece::Opponent && flips(cell) {
                *piece = Piece::Player;
            }
        }
        next
    }

    /// Algorithm 9.
    #[must_use]
    pub fn flip_enemy_neighbours(&self) -> Self {
        self.flipped(|cell| self.touches(cell, Piece::Player))
    }

    /// Algorithm 10.
    #[must_use]
    pub fn flip_around_move(&self, last: usize) -> Self {
        let near: Vec<_> = self
            .board
            .directions()
            .iter()
            .filter_map(|&d| self.board.neighbour(last, d))
            .chain([last])
            .collect();
        self.flipped(|cell| near.contains(&cell))
    }

    /// Algorithm 12, group by group: a group is removed when none of its
    /// pieces touches an empty cell.
    pub fn surround_capture(&self) -> Set {
        let mut kept = vec![false; self.pieces.len()];
        let mut seen = vec![false; self.pieces.len()];
        for start in 0..self.pieces.len() {
            if self.is(start, Piece::Player) && !seen[start] {
                let group = self.group(start, &mut seen);
                let free = group.iter().any(|&cell| self.has_empty_neighbour(cell));
                for cell in group {
                    kept[cell] = free;
                }
            }
        }
        kept
    }

    fn has_empty_neighbour(&self, cell: usize) -> bool {
        self.touches(cell, Piece::None)
    }

    /// The player's pieces connected to `start`, by flood fill.
    fn group(&self, start: usize, seen: &mut [bool]) -> Vec<usize> {
        let mut group = vec![start];
        seen[start] = true;
        let mut next = 0;
        while let Some(&cell) = group.get(next) {
            next += 1;
            for &d in self.board.directions() {
                let to = self.board.neighbour(cell, d);
                if let Some(to) = to.filter(|&to| self.is(to, Piece::Player) && !seen[to]) {
                    seen[to] = true;
                    group.push(to);
                }
            }
        }
        group
    }
}
