//! The blue sets of a part.

use super::axis::BothWays;
use crate::board::SIDE;

/// The blue sets of one part and size.
#[derive(Default)]
pub(super) struct BlueSets {
    pub(super) sets: Vec<BothWays>,
    smaller: Vec<BothWays>,
    /// For sets of the present size and squares of the part: the number of sets that use only
    /// earlier squares.
    below: Vec<usize>,
}

impl BlueSets {
    pub(super) fn restart(&mut self, squares: usize) {
        self.sets.clear();
        self.sets.push(0);
        self.below.clear();
        self.below.resize(squares + 1, 1);
    }

    /// Continues with sets with one more blue. They are in colexicographic order,
    /// in which the sets that use only some first squares are a prefix.
    pub(super) fn grow(&mut self, squares: &[usize]) {
        std::mem::swap(&mut self.sets, &mut self.smaller);
        self.sets.clear();
        for (at, &square) in squares.iter().enumerate() {
            let highest = 1 << square | 1 << (32 + SIDE * (square % SIDE) + square / SIDE);
            let below = &self.smaller[..self.below[at]];
            self.below[at] = self.sets.len();
            self.sets.extend(below.iter().map(|set| set | highest));
        }
        self.below[squares.len()] = self.sets.len();
    }
}
