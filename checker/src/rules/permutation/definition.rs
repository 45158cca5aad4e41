//! Definitions by name. A line of `data/boards.txt` has sets, pieces `*` turns, and then moves. A
//! move is its name, `:`, and for each set its cycles, separated by `,`; sets are separated by `/`.
//! In a cycle the piece of each place goes to the next one, that of the last to the first. A `+`
//! after the new place turns it by one, a `-` turns it back by one.

use super::{Permutation, Row, SYMBOLS};
use crate::rules::board;

/// A place, in a set.
pub struct Place {
    /// Its first sticker, and its set's.
    pub first: usize,
    pub of_set: usize,
    /// Number of turns, which equals the number of its piece's stickers.
    pub turns: usize,
    /// Its position in the key.
    pub shift: usize,
    pub bits: usize,
}

impl Place {
    /// The digit for a sticker in the key.
    pub fn digit(&self, sticker: usize) -> u128 {
        ((sticker - self.of_set) as u128) << self.shift
    }
}

impl Permutation {
    /// The sets and moves of a definition, without the list of what counts as one move.
    pub(super) fn known(name: &str) -> Option<Self> {
        let mut rules = Self::default();
        for word in board("permutation", name)?.split(' ') {
            if let Some((pieces, turns)) = word.split_once('*') {
                rules.add_set(pieces.parse().ok()?, turns.parse().ok()?);
            } else {
                let (name, parts) = word.split_once(':')?;
                let row = rules.read_move(parts)?;
                rules.moves.push((name.to_owned(), row));
            }
        }
        Some(rules)
    }

    fn add_set(&mut self, pieces: usize, turns: usize) {
        let (start, of_set) = (self.places.len(), self.owners.len());
        let bits = (usize::BITS - (pieces * turns - 1).leading_zeros()) as usize;
        let last = self.places.last();
        let shift = last.map_or(0, |last| last.shift + last.bits);
        for nth in 0..pieces {
            self.owners.extend(vec![start + nth; turns]);
            self.places.push(Place {
                first: of_set + nth * turns,
                of_set,
                turns,
                shift: shift + nth * bits,
                bits,
            });
        }
        self.sets.push(start..start + pieces);
    }

    pub(super) fn all_solved(&self) -> Row {
        (0..self.owners.len()).collect()
    }

    fn read_move(&self, parts: &str) -> Option<Row> {
        let mut row = self.firsts(&self.all_solved());
        for (part, set) in parts.split('/').zip(&self.sets) {
            for cycle in part.split(',') {
                // Places, with the turns that a piece gets when it arrives.
                let mut cells: Vec<(usize, usize)> = vec![];
                for symbol in cycle.chars() {
                    match symbol {
                        '+' => cells.last_mut()?.1 += 1,
                        '-' => cells.last_mut()?.1 += self.places[set.start].turns - 1,
                        _ => cells.push((set.start + SYMBOLS.find(symbol)?, 0)),
                    }
                }
                let (mut from, _) = *cells.last()?;
                for (to, by) in cells {
                    row[to] = self.places[from].first + by % self.places[from].turns;
                    from = to;
                }
            }
        }
        Some(self.with_firsts(&row))
    }
}
