//! The string of symbols that a state is.

use super::{Anchors, Blocks};
use crate::rules::board::has;
use crate::rules::keys::{choose, digits};

impl Blocks {
    /// The number of empty cells, and of pieces of each kind.
    pub fn counts(&self) -> impl Iterator<Item = usize> {
        self.kinds.iter().map(|kind| kind.letters.len())
    }

    /// By symbol: the ways to choose its places among those of the remaining symbols.
    pub fn radices(&self) -> impl Iterator<Item = u128> {
        let mut left: usize = self.counts().sum();
        self.counts().map(move |count| {
            left -= count;
            choose(left + count, count)
        })
    }

    /// The symbols of a state.
    pub fn string(&self, state: u128) -> impl Iterator<Item = usize> {
        digits(self.bits, state, self.counts().sum())
    }

    /// The state of a string.
    pub fn of_string(&self, symbols: impl Iterator<Item = usize>) -> u128 {
        crate::rules::keys::pack(self.bits, symbols)
    }

    pub(super) fn pack(&self, anchors: &Anchors) -> u128 {
        let mut taken = self.walls;
        self.of_string(self.grid.cells().filter_map(|cell| {
            let free = !has(taken, cell);
            taken |= if free {
                self.kinds[anchors[cell]].covers[cell]
            } else {
                0
            };
            free.then_some(anchors[cell])
        }))
    }

    /// The places of the pieces, and of the empty cells.
    pub(super) fn unpack(&self, state: u128) -> (Anchors, u128) {
        let mut anchors = vec![0; self.grid.cells().len()];
        let (mut taken, mut empty) = (self.walls, 0);
        for symbol in self.string(state) {
            let first = taken.trailing_ones() as usize;
            let covered = self.kinds[symbol].covers[first];
            anchors[first] = symbol;
            taken |= covered;
            empty |= if symbol == 0 { covered } else { 0 };
        }
        (anchors, empty)
    }
}
