//! A set in a key: the bits of its places.

use crate::state::{Opened, bits};

/// The place of a set in a key.
#[derive(Debug)]
pub(super) struct Field {
    /// Lowest bit of each place.
    pub(super) shifts: Vec<u32>,
    /// The bits of a place, at the low end.
    pub(super) mask: u64,
    pub(super) turns: u64,
    /// By the bits of a place: the piece and its turn, since a division takes longer.
    values: Vec<(u8, u8)>,
    /// By piece: in how many turns it can be.
    pub(super) periods: Vec<u64>,
}

/// The sets of a puzzle, from the lowest bits of a key on; none if a key is a number.
pub(super) fn fields(opened: &Opened) -> Vec<Field> {
    if !opened.by_place {
        return Vec::new();
    }
    let mut shift = 0;
    let sets = opened.definition.sets.iter();
    let sets = sets.zip(&opened.definition.periods);
    let field = sets.map(|(set, periods)| {
        let bits = bits(set);
        // One piece in one orientation takes no bits, wherever it is.
        let places = (0..set.count as u32).map(|place| (shift + place * bits) & 63);
        let shifts = places.collect();
        shift += set.count as u32 * bits;
        let (mask, turns) = ((1 << bits) - 1, set.turns as u64);
        let value = |value: u64| ((value / turns) as u8, (value % turns) as u8);
        Field {
            shifts,
            mask,
            turns,
            values: (0..=mask).map(value).collect(),
            periods: periods.iter().map(|&period| period.into()).collect(),
        }
    });
    field.collect()
}

impl Field {
    /// The piece on a place, and its turn.
    #[inline]
    pub(super) fn at(&self, key: u64, place: usize) -> (u8, u8) {
        self.values[(key >> self.shifts[place] & self.mask) as usize]
    }

    /// The bits of a piece with its turn on a place.
    #[inline]
    pub(super) fn bits(&self, place: usize, (piece, turn): (u8, u8)) -> u64 {
        (u64::from(piece) * self.turns + u64::from(turn)) << self.shifts[place]
    }
}
