//! Boards counted by their open cells, without listing them and without the numbering of the
//! variants.

use std::collections::HashMap;

use crate::simple_block::bitboard::{Cells, Field};

/// A board on which fillings are counted.
pub(super) struct Counter {
    field: Field,
    /// Every connected set of cells, by its first cell.
    pieces: Vec<Vec<Cells>>,
    /// Ways to fill an open set of cells: with any pieces, any cells left empty.
    ways: HashMap<Cells, u64>,
}

impl Counter {
    pub(super) fn new(rows: usize, columns: usize) -> Self {
        let field = Field::new(rows, columns);
        Self {
            pieces: field.pieces_at(),
            field,
            ways: HashMap::from([(0, 1)]),
        }
    }

    /// Ways to fill open cells: the first of them stays empty or is the first of a piece.
    fn fillings(&mut self, open: Cells) -> u64 {
        if let Some(&known) = self.ways.get(&open) {
            return known;
        }
        let mut ways = self.fillings(open & (open - 1));
        let first = open.trailing_zeros() as usize;
        for at in 0..self.pieces[first].len() {
            let piece = self.pieces[first][at];
            if piece & !open == 0 {
                ways += self.fillings(open & !piece);
            }
        }
        self.ways.insert(open, ways);
        ways
    }

    /// Every board: with any pieces, any cells left empty.
    pub(super) fn placements(&mut self) -> u64 {
        self.fillings(self.field.all)
    }

    /// Boards with a piece at the goal that can have reached it with its last step: those on which
    /// it can step up or left. A board counts once for each such piece.
    pub(super) fn just_solved(&mut self, corner: bool) -> u64 {
        let field = self.field;
        let mut boards = 0;
        for piece in self.pieces.concat() {
            let at_goal = match corner {
                true => piece >> (field.cells - 1) == 1,
                false => piece & field.bottom != 0 && piece & field.right != 0,
            };
            if !at_goal {
                continue;
            }
            let open = field.all & !piece;
            // The cells that the piece enters with a step up or left, if the edge lets it.
            let [up, left, ..] = field.steps(piece);
            let entered = [up, left].into_iter().filter(|&moved| moved != 0);
            let entered: Vec<Cells> = entered.map(|moved| moved & !piece).collect();
            // The entered cells stay empty; a board where both do was counted twice.
            for cells in &entered {
                boards += self.fillings(open & !cells);
            }
            if let [up, left] = entered[..] {
                boards -= self.fillings(open & !up & !left);
            }
        }
        boards
    }
}
