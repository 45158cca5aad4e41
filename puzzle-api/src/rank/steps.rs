//! Ranks of all subsets that differ from one in a single cell.

use super::{BINOMIALS, low_bits};

/// The terms of the ranks of a subset's neighbours.
///
/// When the member on cell c goes to an empty cell t above it, the indices of the members between
/// them fall by one, and C(position, index) of each changes. Below it, they rise. Both changes are
/// differences of sums over the members in order, so the rank is a term of c plus a term of t. The
/// terms are made once per subset, for every member and every requested target. Each neighbour then
/// takes one addition, without branches.
#[derive(Debug, Clone)]
pub struct Steps {
    members: usize,
    targets: usize,
    /// Cells of the members and of the targets, ascending.
    member_cells: [u8; 64],
    target_cells: [u8; 64],
    /// Number of targets below each member.
    below: [u8; 64],
    /// Sums over the first members of their losses when lowered, and gains when raised;
    /// the first of both is 0.
    lowered: [u64; 65],
    raised: [u64; 65],
    /// Term of each member that goes up, and that goes down.
    lift: [[u64; 64]; 2],
    /// Term of each target when reached from below, and from above.
    land: [[u64; 64]; 2],
}

impl Default for Steps {
    fn default() -> Self {
        Self {
            members: 0,
            targets: 0,
            member_cells: [0; 64],
            target_cells: [0; 64],
            below: [0; 64],
            lowered: [0; 65],
            raised: [0; 65],
            lift: [[0; 64]; 2],
            land: [[0; 64]; 2],
        }
    }
}

impl Steps {
    /// Makes the terms of all members of `mask`, whose rank is `rank`, and of the empty
    /// cells in `targets`.
    #[inline(always)]
    pub fn prepare(&mut self, mask: u64, rank: u64, targets: u64) {
        debug_assert_eq!(mask & targets, 0);
        let (lowered, raised) = (&mut self.lowered, &mut self.raised);
        let mut left = mask;
        let mut at = 0;
        while left != 0 {
            let cell = left.trailing_zeros() as usize;
            let ways = &BINOMIALS[cell];
            // C(cell, 65) is 0 like C(cell, 64), as cells are below 64.
            let (less, own, more) = (ways[at], ways[at + 1], ways[(at + 2).min(64)]);
            let base = rank.wrapping_sub(own);
            lowered[at + 1] = lowered[at].wrapping_add(own).wrapping_sub(less);
            raised[at + 1] = raised[at].wrapping_add(more).wrapping_sub(own);
            self.lift[0][at] = base.wrapping_add(lowered[at + 1]);
            self.lift[1][at] = base.wrapping_add(raised[at]);
            self.member_cells[at] = cell as u8;
            self.below[at] = (targets & low_bits(cell as u32)).count_ones() as u8;
            at = (at + 1) & 63;
            left &= left - 1;
        }
        self.members = mask.count_ones() as usize;
        let mut left = targets;
        let mut at = 0;
        while left != 0 {
            let cell = left.trailing_zeros();
            let ways = &BINOMIALS[cell as usize];
            let index = (mask & low_bits(cell)).count_ones() as usize;
            self.land[0][at] = ways[index].wrapping_sub(lowered[index]);
            self.land[1][at] = ways[(index + 1).min(64)].wrapping_sub(raised[index]);
            self.target_cells[at] = cell as u8;
            at = (at + 1) & 63;
            left &= left - 1;
        }
        self.targets = targets.count_ones() as usize;
    }

    /// Cells of the members, ascending.
    #[must_use]
    #[inline]
    pub fn members(&self) -> &[u8] {
        &self.member_cells[..self.members]
    }

    /// Cells of the targets, ascending.
    #[must_use]
    #[inline]
    pub fn targets(&self) -> &[u8] {
        &self.target_cells[..self.targets]
    }

    /// Writes the ranks of the subsets in which member number `member` (from 0, in order
    /// of cells) has moved to each of the targets, in order of cells.
    #[inline(always)]
    pub fn ranks(&self, member: usize, out: &mut [u64; 64]) {
        let below = usize::from(self.below[member]).min(self.targets);
        let parts = [(1, 0..below), (0, below..self.targets)];
        for (way, range) in parts {
            let lift = self.lift[way][member];
            let land = &self.land[way][range.clone()];
            for (out, land) in out[range].iter_mut().zip(land) {
                *out = lift.wrapping_add(*land);
            }
        }
    }
}
