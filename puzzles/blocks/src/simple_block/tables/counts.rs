//! How many ways there are to lay pieces on open cells, without listing them.

use super::places::{Cells, Places};
use crate::simple_block::board::MOST_CELLS;

/// Ways by how many cells stay empty.
type ByEmpty = [u32; MOST_CELLS + 1];

/// Ways to fill open cells, counted when they are first asked for.
pub(super) struct Counts {
    /// Most pieces that are laid.
    pieces: usize,
    /// What a piece can cover, by its first cell.
    pieces_at: Vec<Vec<Cells>>,
    /// By the open cells, and then by the number of pieces.
    known: Vec<Option<Box<[ByEmpty]>>>,
}

impl Counts {
    /// Of boards with n cells, and up to m pieces.
    pub(super) fn new(cells: usize, pieces: usize, places: &Places) -> Self {
        let mut pieces_at = vec![Vec::new(); cells];
        for place in &places.all {
            pieces_at[place.cells.trailing_zeros() as usize].push(place.cells);
        }
        Self {
            pieces,
            pieces_at,
            known: vec![None; 1 << cells],
        }
    }

    /// Ways to lay n pieces on open cells of which m stay empty.
    pub(super) fn ways(&mut self, open: Cells, pieces: usize, empty: usize) -> u64 {
        self.fill(open);
        let known = self.known[usize::from(open)].as_ref();
        known.map_or(0, |by_pieces| by_pieces[pieces][empty].into())
    }

    /// Counts the ways for open cells: the first of them stays empty or is the first of a piece.
    fn fill(&mut self, open: Cells) {
        if self.known[usize::from(open)].is_some() {
            return;
        }
        let mut ways = vec![[0; MOST_CELLS + 1]; self.pieces + 1];
        if open == 0 {
            ways[0][0] = 1;
        } else {
            let first = open.trailing_zeros() as usize;
            self.add(open & (open - 1), (0, 1), &mut ways);
            for at in 0..self.pieces_at[first].len() {
                let piece = self.pieces_at[first][at];
                if piece & !open == 0 {
                    self.add(open & !piece, (1, 0), &mut ways);
                }
            }
        }
        self.known[usize::from(open)] = Some(ways.into());
    }

    /// Adds the ways for what is left open, with n pieces and m empty cells more.
    fn add(&mut self, left: Cells, (pieces, empty): (usize, usize), ways: &mut [ByEmpty]) {
        if pieces >= ways.len() {
            return;
        }
        self.fill(left);
        let Some(known) = &self.known[usize::from(left)] else {
            return;
        };
        for (to, from) in ways[pieces..].iter_mut().zip(known.iter()) {
            for (to, from) in to[empty..].iter_mut().zip(from) {
                *to += from;
            }
        }
    }
}
