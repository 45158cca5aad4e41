//! Parts and ranks of the bitboard variant: one part a canonical grey mask; within a
//! part by counts (blue, then green), then by the combinatorial number system, the
//! blue set among the free squares first, the green set among what is left second.

use puzzle_api::Placement;

use super::{BOARD, Masks, symmetry};
use crate::board::{HOLE, SQUARES};
use crate::instances::{Instance, Limits, Span};

/// Blocks of a colour, at most: `thesis-a` has three greens, the box four blues.
const MOST: usize = 6;
/// Free squares of a board without grey blocks.
const FREE: usize = SQUARES - 1;

/// Pascal's triangle; `BINOMIAL[n][k]` is 0 where k > n.
const BINOMIAL: [[u64; MOST + 1]; FREE + 1] = {
    let mut rows = [[0; MOST + 1]; FREE + 1];
    let mut n = 0;
    while n <= FREE {
        rows[n][0] = 1;
        let mut k = 1;
        while n > 0 && k <= MOST {
            rows[n][k] = rows[n - 1][k - 1] + rows[n - 1][k];
            k += 1;
        }
        n += 1;
    }
    rows
};

fn binomial(n: u32, k: u32) -> u64 {
    BINOMIAL[n as usize][k as usize]
}

/// The numbering of one instance.
pub(super) struct Numbering {
    limits: Limits,
    /// Canonical grey masks by count, then mask.
    parts: Vec<u32>,
}

impl Numbering {
    /// Lists the parts: about 20 ms for the whole box.
    pub(super) fn new(instance: &Instance) -> Self {
        let limits = instance.limits();
        let parts = match instance.grey_sets() {
            [] => part_greys(limits.grey),
            // Ascending, so the first of the images is the canonical one.
            sets => sets[..1].to_vec(),
        };
        Self { limits, parts }
    }

    pub(super) fn parts(&self) -> &[u32] {
        &self.parts
    }

    fn free(&self, part: u64) -> Option<u32> {
        let grey = self.parts.get(usize::try_from(part).ok()?)?;
        Some(BOARD & !grey & !(1 << HOLE))
    }

    fn counts(&self) -> impl Iterator<Item = (u32, u32)> + use<> {
        let Limits { blue, green, .. } = self.limits;
        (blue.min..=blue.max).flat_map(move |b| (green.min..=green.max).map(move |g| (b, g)))
    }

    pub(super) fn space(&self, part: u64) -> Option<u64> {
        let squares = self.free(part)?.count_ones();
        Some(
            self.counts()
                .map(|(blue, green)| placements(squares, blue, green))
                .sum(),
        )
    }

    /// Emits the boards of a part without greens.
    pub(super) fn solved(&self, part: u64, emit: &mut dyn FnMut(Masks)) {
        let Some(free) = self.free(part) else { return };
        let grey = BOARD & !free & !(1 << HOLE);
        let squares = free.count_ones();
        for blues in self.limits.blue.min..=self.limits.blue.max {
            for rank in 0..binomial(squares, blues) {
                emit(Masks::new(grey, subset(free, blues, rank), 0));
            }
        }
    }

    pub(super) fn place(&self, state: Masks) -> Option<Placement> {
        let grey = state.grey();
        let order = |grey: &u32| (grey.count_ones(), *grey);
        let part = self.parts.binary_search_by_key(&order(&grey), order).ok()?;
        let free = BOARD & !grey & !(1 << HOLE);
        let squares = free.count_ones();
        let (blue, green) = (state.blue(), state.green());
        let (blues, greens) = (blue.count_ones(), green.count_ones());
        let Limits {
            blue: allowed_blue,
            green: allowed_green,
            ..
        } = self.limits;
        if !allowed_blue.contains(blues) || !allowed_green.contains(greens) {
            return None;
        }
        let before: u64 = self
            .counts()
            .take_while(|&counts| counts != (blues, greens))
            .map(|(blue, green)| placements(squares, blue, green))
            .sum();
        let rank = before
            + subset_rank(free, blue) * binomial(squares - blues, greens)
            + subset_rank(free & !blue, green);
        Some(Placement {
            part: part as u64,
            rank,
        })
    }

    pub(super) fn unrank(&self, placement: Placement) -> Option<Masks> {
        let free = self.free(placement.part)?;
        let grey = BOARD & !free & !(1 << HOLE);
        let squares = free.count_ones();
        let mut rank = placement.rank;
        for (blues, greens) in self.counts() {
            let here = placements(squares, blues, greens);
            if rank >= here {
                rank -= here;
                continue;
            }
            let green_sets = binomial(squares - blues, greens);
            let blue = subset(free, blues, rank / green_sets);
            let green = subset(free & !blue, greens, rank % green_sets);
            return Some(Masks::new(grey, blue, green));
        }
        None
    }
}

fn placements(squares: u32, blues: u32, greens: u32) -> u64 {
    binomial(squares, blues) * binomial(squares.saturating_sub(blues), greens)
}

/// Rank of a set among the sets of its size within `free`: each member adds the number
/// of ways to place it and those below it on lower squares.
#[inline]
fn subset_rank(free: u32, set: u32) -> u64 {
    let (mut rank, mut rest, mut nth) = (0, set, 1);
    while rest != 0 {
        let below = (rest & rest.wrapping_neg()) - 1;
        rank += binomial((free & below).count_ones(), nth);
        nth += 1;
        rest &= rest - 1;
    }
    rank
}

/// The set of `size` squares within `free` that has a rank; inverse of [`subset_rank`].
fn subset(free: u32, size: u32, mut rank: u64) -> u32 {
    let (mut set, mut rest, mut nth) = (0, free, size);
    // From the highest free square down; `position` counts the free squares below.
    while nth > 0 && rest != 0 {
        let square = rest.ilog2();
        rest &= !(1 << square);
        let below = binomial(rest.count_ones(), nth);
        if rank >= below {
            rank -= below;
            set |= 1 << square;
            nth -= 1;
        }
    }
    set
}

/// The canonical grey masks with a count in `span`, by count, then mask.
fn part_greys(span: Span) -> Vec<u32> {
    let mut parts = Vec::new();
    for count in span.min..=span.max {
        // Subsets of 24 squares in ascending order (Gosper's step), the hole's bit
        // then spliced in.
        let mut subset: u64 = (1 << count) - 1;
        while subset < 1 << FREE {
            let low = subset & ((1 << HOLE) - 1);
            let grey = (low | (subset & !low) << 1) as u32;
            if symmetry::is_canonical_grey(grey) {
                parts.push(grey);
            }
            if subset == 0 {
                break;
            }
            let lowest = subset & subset.wrapping_neg();
            let carried = subset + lowest;
            subset = carried | ((subset ^ carried) / lowest) >> 2;
        }
    }
    parts
}
