//! States from texts and as texts, and which rows are states.

use super::moves::DEEPEST;
use super::{Permutation, Row, SYMBOLS};

impl Permutation {
    /// Reads a state: `solved`, or moves that lead to it from there, or rows of pieces and turns.
    pub(super) fn read_row(&self, text: &str) -> Option<Row> {
        if text.contains('/') {
            return self.read_rows(text);
        }
        let text = text.replace(['\u{2019}', '\u{2032}', '\u{b4}', '`'], "'");
        let mut rest = if text == "solved" { "" } else { &*text };
        let row = self.read_moves(&mut rest, DEEPEST)?;
        rest.is_empty().then_some(row)
    }

    fn read_rows(&self, text: &str) -> Option<Row> {
        let (mut row, mut rows) = (vec![], text.split('/'));
        for set in &self.sets {
            let mut digits = |symbols: &str| {
                let digits = rows
                    .next()?
                    .trim()
                    .chars()
                    .map(|symbol| symbols.find(symbol));
                let digits = digits.collect::<Option<Vec<usize>>>();
                digits.filter(|digits| digits.len() == set.len())
            };
            let pieces = digits(&SYMBOLS[..set.len()])?;
            let turns = match self.places[set.start].turns {
                1 => vec![0; set.len()],
                turns => digits(&"0123456789"[..turns])?,
            };
            for (piece, turn) in pieces.into_iter().zip(turns) {
                row.push(self.places[set.start + piece].first + turn);
            }
        }
        let lies = |piece: usize| row.iter().any(|&sticker| self.owners[sticker] == piece);
        let all = rows.next().is_none() && (0..self.places.len()).all(lies);
        (all && self.is_kept(&row)).then(|| self.with_firsts(&row))
    }

    /// Whether the invariants under all moves are as in the solved state.
    pub(super) fn is_kept(&self, firsts: &[usize]) -> bool {
        let moves = self.moves.iter();
        let moves = moves.map(|(_, one)| self.changed(&self.firsts(one)));
        let moves: Vec<Vec<bool>> = moves.collect();
        let mut changed = self.changed(firsts).into_iter().enumerate();
        changed.all(|(what, changed)| !changed || moves.iter().any(|one| one[what]))
    }

    /// The differences from the solved state: by place, its piece, and piece or turn. By set, the
    /// sum of its turns, and whether its order takes an odd number of exchanges.
    fn changed(&self, row: &[usize]) -> Vec<bool> {
        let piece = |at: usize| self.owners[row[at]];
        let mut changed = vec![];
        for (at, place) in self.places.iter().enumerate() {
            changed.extend([piece(at) != at, row[at] != place.first]);
        }
        for set in &self.sets {
            let sum: usize = row[set.clone()].iter().map(|&one| self.turn(one)).sum();
            let crossed = |at: usize| (set.start..at).filter(|&i| piece(i) > piece(at)).count();
            let exchanges: usize = set.clone().map(crossed).sum();
            let rests = [sum % self.places[set.start].turns, exchanges % 2];
            changed.extend(rests.map(|rest| rest > 0));
        }
        changed
    }

    /// Writes a state: for each set a row of pieces, and a row of turns if it has some.
    pub(super) fn draw_row(&self, row: &Row) -> String {
        let (mut rows, row): (Vec<String>, _) = (vec![], self.firsts(row));
        for set in &self.sets {
            let own = &row[set.clone()];
            let symbol = |&one: &usize| SYMBOLS.chars().nth(self.owners[one] - set.start);
            rows.push(own.iter().filter_map(symbol).collect());
            if self.places[set.start].turns > 1 {
                let turn = |&one: &usize| self.turn(one).to_string();
                rows.push(own.iter().map(turn).collect());
            }
        }
        rows.join("/")
    }
}
