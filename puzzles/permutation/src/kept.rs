//! What no move changes.

use crate::definition::{Part, Set};

/// What no move changes in a set.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Kept {
    /// By place: whether some move takes its piece away.
    pub exchanged: Vec<bool>,
    /// By place: whether some move takes its piece away or turns it.
    pub moved: Vec<bool>,
    /// The sum of all turns, if moves keep it.
    pub sum: bool,
    /// The parity of the order of pieces, if moves keep it and all differ.
    pub parity: bool,
}

/// Whether an order takes an odd number of exchanges.
#[must_use]
pub fn is_odd(pieces: &[u8]) -> bool {
    let pairs = (0..pieces.len()).flat_map(|i| pieces[..i].iter().filter(move |p| **p > pieces[i]));
    pairs.count() % 2 == 1
}

/// Whether all pieces of a set differ.
#[must_use]
pub fn differ(pieces: &[u8]) -> bool {
    (1..pieces.len()).all(|i| !pieces[..i].contains(&pieces[i]))
}

impl Kept {
    /// Of a set, by its solved state and the moves as they act on it.
    pub(crate) fn of(set: &Set, solved: &Part, moves: impl Iterator<Item = Part>) -> Self {
        let mut kept = Self {
            exchanged: vec![false; set.count],
            moved: vec![false; set.count],
            sum: true,
            parity: differ(&solved.pieces),
        };
        for part in moves {
            for place in 0..set.count {
                kept.exchanged[place] |= usize::from(part.pieces[place]) != place;
                kept.moved[place] |= kept.exchanged[place] || part.turns[place] != 0;
            }
            let sum: usize = part.turns.iter().map(|&turn| usize::from(turn)).sum();
            kept.sum &= sum.is_multiple_of(set.turns);
            kept.parity &= !is_odd(&part.pieces);
        }
        kept
    }
}
