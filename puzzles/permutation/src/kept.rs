//! Invariants: properties that no move changes.

use crate::definition::{Move, Part, Set};

/// The invariants of a set under all moves.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Kept {
    /// By place: whether some move takes its piece away.
    pub exchanged: Vec<bool>,
    /// By place: whether some move takes its piece away or turns it.
    pub moved: Vec<bool>,
    /// Places among which pieces stay, without those that no move touches.
    pub orbits: Vec<Orbit>,
}

/// Places of a set connected by moves of pieces; or all places whose pieces only turn.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Orbit {
    /// Places, ascending.
    pub places: Vec<usize>,
    /// Whether moves take pieces from one to another.
    pub exchanged: bool,
    /// The turns, if no move turns any piece and all turns are the same.
    pub turns: bool,
    /// The sum of all turns, if moves keep it.
    pub sum: bool,
    /// The parity of the order of pieces, if moves keep it and all differ.
    pub parity: bool,
}

/// Whether an order takes an odd number of exchanges.
pub fn is_odd(pieces: &[u8]) -> bool {
    let pairs = (0..pieces.len()).flat_map(|i| pieces[..i].iter().filter(move |p| **p > pieces[i]));
    pairs.count() % 2 == 1
}

/// Whether all pieces of a set differ.
pub fn differ(pieces: &[u8]) -> bool {
    (1..pieces.len()).all(|i| !pieces[..i].contains(&pieces[i]))
}

/// Some places of a row.
pub(crate) fn those(row: &[u8], places: &[usize]) -> Vec<u8> {
    places.iter().map(|&place| row[place]).collect()
}

impl Kept {
    /// For a set, from its solved state, the visible turns, and the moves as they act on it.
    pub(crate) fn of(at: usize, set: &Set, solved: &Part, periods: &[u8], moves: &[Move]) -> Self {
        let parts = || moves.iter().map(|one| &one.parts[at]);
        let mut kept = Self {
            exchanged: vec![false; set.count],
            moved: vec![false; set.count],
            orbits: Vec::new(),
        };
        // The least place that each reaches, or is reached from.
        let mut least: Vec<usize> = (0..set.count).collect();
        for part in parts() {
            for place in 0..set.count {
                let from = usize::from(part.pieces[place]);
                kept.exchanged[place] |= from != place;
                kept.moved[place] |= from != place || part.turns[place] != 0;
                let (one, other) = (least[place], least[from]);
                for own in &mut least {
                    if *own == one || *own == other {
                        *own = one.min(other);
                    }
                }
            }
        }
        for first in 0..set.count {
            let places = (first..set.count).filter(|&place| least[place] == first);
            let places: Vec<usize> = places.collect();
            if places.len() > 1 {
                kept.orbits
                    .push(Orbit::of(places, true, set, solved, periods, parts()));
            }
        }
        let turned = |&place: &usize| kept.moved[place] && !kept.exchanged[place];
        let places: Vec<usize> = (0..set.count).filter(turned).collect();
        if !places.is_empty() {
            kept.orbits
                .push(Orbit::of(places, false, set, solved, periods, parts()));
        }
        kept
    }
}

impl Orbit {
    fn of<'a>(
        places: Vec<usize>,
        exchanged: bool,
        set: &Set,
        solved: &Part,
        periods: &[u8],
        parts: impl Iterator<Item = &'a Part>,
    ) -> Self {
        let pieces = those(&solved.pieces, &places);
        let turns = those(&solved.turns, &places);
        let whole = |&piece: &u8| usize::from(periods[usize::from(piece)]) == set.turns;
        let mut orbit = Self {
            exchanged,
            turns: turns.iter().all(|turn| *turn == turns[0]),
            sum: pieces.iter().all(whole),
            parity: differ(&pieces),
            places,
        };
        for part in parts {
            let turns = those(&part.turns, &orbit.places);
            let sum: usize = turns.iter().map(|&turn| usize::from(turn)).sum();
            orbit.turns &= turns.iter().all(|turn| *turn == 0);
            orbit.sum &= sum.is_multiple_of(set.turns);
            orbit.parity &= !is_odd(&those(&part.pieces, &orbit.places));
        }
        orbit
    }
}
