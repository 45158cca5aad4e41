//! Every state: for each set the orders, and with each the turns, whose invariants under all moves
//! are as in the solved state. The invariants of orders and of turns are kept separately.

use std::ops::Range;

use super::{Permutation, Row};
use crate::rules::{MOST, keys::orders};

impl Permutation {
    /// Every state; `None` if there are too many.
    pub(super) fn all_states(&self) -> Option<Vec<u128>> {
        let mut all = vec![0];
        for set in &self.sets {
            let own = self.of_set(set);
            (all.len().checked_mul(own.len())? <= MOST).then_some(())?;
            let with = |word: u128| own.iter().map(move |own| word | own);
            all = all.into_iter().flat_map(with).collect();
        }
        Some(all)
    }

    /// The possible contents of a set, as its digits of a state.
    fn of_set(&self, set: &Range<usize>) -> Vec<u128> {
        let (solved, places) = (self.firsts(&self.all_solved()), &self.places[set.clone()]);
        let kept = |own: &Row| {
            let rest = (&solved[..set.start], &solved[set.end..]);
            self.is_kept(&[rest.0, own, rest.1].concat())
        };
        let mut pieces = orders(&solved[set.clone()]);
        pieces.retain(kept);
        let mut turned = vec![vec![]];
        for place in places {
            let more = |own: Row| {
                let stickers = place.first..place.first + place.turns;
                stickers.map(move |sticker| [&own[..], &[sticker]].concat())
            };
            turned = turned.into_iter().flat_map(more).collect();
        }
        turned.retain(kept);
        let word = |order: &Row, turns: &Row| -> u128 {
            let both = order.iter().zip(turns).zip(places);
            let digits = both.map(|((&one, &by), place)| place.digit(one + self.turn(by)));
            digits.sum()
        };
        let with = |order: &Row| turned.iter().map(|turns| word(order, turns)).collect();
        pieces.iter().flat_map::<Vec<u128>, _>(with).collect()
    }
}
