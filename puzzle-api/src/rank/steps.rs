//! Ranks of all subsets that differ from one in a single cell.

use super::BINOMIALS;

/// What the ranks of the neighbours of a subset are made of.
///
/// When the member on cell c goes to an empty cell t above it, the members between them
/// have their indices lowered by one, and C(position, index) of each changes; below it,
/// raised. Both changes are differences of sums over the members in order, so the rank
/// is a term of c plus a term of t: two terms for every cell, made once a subset in time
/// proportional to the cells asked for, and one addition a neighbour.
#[derive(Debug, Clone)]
pub struct Steps {
    /// For a member c that goes up, and one that goes down.
    lift: [[u64; 64]; 2],
    /// For an empty cell t that is reached from below, and from above.
    land: [[u64; 64]; 2],
}

impl Default for Steps {
    fn default() -> Self {
        Self {
            lift: [[0; 64]; 2],
            land: [[0; 64]; 2],
        }
    }
}

impl Steps {
    /// Makes the terms of all members of `mask` and of the empty cells in `targets`.
    /// `rank` is that of `mask`.
    #[inline]
    pub fn prepare(&mut self, mask: u64, rank: u64, targets: u64) {
        let (mut up, mut down) = (0_u64, 0_u64);
        let mut index = 0;
        let mut cells = mask | targets;
        while cells != 0 {
            let cell = cells.trailing_zeros() as usize;
            let ways = &BINOMIALS[cell];
            if mask >> cell & 1 == 1 {
                index += 1;
                let own = ways[index];
                // Going down, the members below c are raised from here on.
                self.lift[1][cell] = rank.wrapping_sub(own).wrapping_add(up);
                // Sums of what members lose when lowered and win when raised.
                down = down.wrapping_add(own.wrapping_sub(ways[index - 1]));
                up = up
                    .wrapping_add(ways.get(index + 1).copied().unwrap_or(0))
                    .wrapping_sub(own);
                self.lift[0][cell] = rank.wrapping_sub(own).wrapping_add(down);
            } else {
                // From below: index members are at or below t's left, c among them.
                self.land[0][cell] = ways[index].wrapping_sub(down);
                self.land[1][cell] = ways.get(index + 1).copied().unwrap_or(0).wrapping_sub(up);
            }
            cells &= cells - 1;
        }
    }

    /// The rank of the subset with the member on `from` moved to the empty cell `to`;
    /// both were in the masks of [`Steps::prepare`].
    #[inline]
    #[must_use]
    pub fn rank(&self, from: u32, to: u32) -> u64 {
        let way = usize::from(to < from);
        self.lift[way][from as usize & 63].wrapping_add(self.land[way][to as usize & 63])
    }
}
