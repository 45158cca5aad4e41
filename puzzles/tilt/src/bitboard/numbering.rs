//! Parts and ranks of the bitboard variant: one part per canonical grey mask. Within a part, states
//! are numbered by counts (blue, then green), then by the combinatorial number system: the blue set
//! among the free squares first, then the green set among the rest.

use puzzle_api::Placement;
use puzzle_api::rank::BINOMIALS;

use super::{BOARD, Masks};
use crate::board::{HOLE, SQUARES};
use crate::instances::{Instance, Limits, Span};
use crate::symmetry::part_greys;

const FREE: usize = SQUARES - 1;

#[inline]
fn binomial(n: u32, k: u32) -> u64 {
    BINOMIALS[n as usize][k as usize]
}

/// The ranks of boards with given counts of blues and greens.
#[derive(Debug, Clone, Copy)]
struct Class {
    blues: u32,
    greens: u32,
    start: u64,
    /// Ways to place the greens once the blues are placed.
    green_sets: u64,
}

/// The ranks of a part; the same for all parts with equally many free squares.
struct Layout {
    classes: Vec<Class>,
    space: u64,
    greens: Span,
    blues: Span,
}

impl Layout {
    fn new(limits: &Limits, squares: u32) -> Self {
        let (blues, greens) = (limits.blue, limits.green);
        let (mut classes, mut space) = (Vec::new(), 0);
        for blue in blues.min..=blues.max {
            for green in greens.min..=greens.max {
                let green_sets = binomial(squares - blue, green);
                classes.push(Class {
                    blues: blue,
                    greens: green,
                    start: space,
                    green_sets,
                });
                space += binomial(squares, blue) * green_sets;
            }
        }
        Self {
            classes,
            space,
            greens,
            blues,
        }
    }

    #[inline]
    fn class(&self, blues: u32, greens: u32) -> Option<&Class> {
        if !self.blues.contains(blues) || !self.greens.contains(greens) {
            return None;
        }
        let row = (blues - self.blues.min) * (self.greens.max - self.greens.min + 1);
        self.classes.get((row + greens - self.greens.min) as usize)
    }
}

/// The numbering of one instance.
pub(super) struct Ranks {
    /// Canonical grey masks by count, then mask.
    parts: Vec<u32>,
    index: Index,
    /// By number of grey blocks.
    layouts: Vec<Layout>,
}

impl Ranks {
    /// Lists the parts: a few milliseconds for the whole box.
    pub(super) fn new(instance: &Instance) -> Self {
        let limits = instance.limits();
        let parts = match instance.grey_sets() {
            [] => part_greys(limits.grey.min, limits.grey.max),
            // Ascending, so the first of the images is the canonical one.
            sets => sets[..1].to_vec(),
        };
        let layout = |grey| Layout::new(&limits, FREE as u32 - grey);
        Self {
            index: Index::new(&parts),
            layouts: (0..=limits.grey.max).map(layout).collect(),
            parts,
        }
    }

    pub(super) fn parts(&self) -> &[u32] {
        &self.parts
    }

    fn grey(&self, part: u64) -> Option<u32> {
        self.parts.get(usize::try_from(part).ok()?).copied()
    }

    #[inline]
    fn layout(&self, grey: u32) -> Option<&Layout> {
        self.layouts.get(grey.count_ones() as usize)
    }

    pub(super) fn space(&self, part: u64) -> Option<u64> {
        Some(self.layout(self.grey(part)?)?.space)
    }

    #[inline]
    pub(super) fn place(&self, state: Masks) -> Option<Placement> {
        let grey = state.grey();
        let part = self.index.part(grey)?;
        let (blue, green) = (state.blue(), state.green());
        let class = self
            .layout(grey)?
            .class(blue.count_ones(), green.count_ones())?;
        let free = free_squares(grey);
        let rank = class.start
            + subset_rank(free, blue) * class.green_sets
            + subset_rank(free & !blue, green);
        Some(Placement { part, rank })
    }

    pub(super) fn unrank(&self, placement: Placement) -> Option<Masks> {
        let grey = self.grey(placement.part)?;
        let layout = self.layout(grey)?;
        if placement.rank >= layout.space {
            return None;
        }
        let after = layout
            .classes
            .partition_point(|class| class.start <= placement.rank);
        let class = layout.classes.get(after.checked_sub(1)?)?;
        let rank = placement.rank - class.start;
        let free = free_squares(grey);
        let blue = subset(free, class.blues, rank / class.green_sets);
        let green = subset(free & !blue, class.greens, rank % class.green_sets);
        Some(Masks::new(grey, blue, green))
    }
}

#[inline]
fn free_squares(grey: u32) -> u32 {
    BOARD & !grey & !(1 << HOLE)
}

/// From grey mask to part: open addressing, one probe while a search stays within a part.
struct Index {
    slots: Vec<(u32, u32)>,
    shift: u32,
}

impl Index {
    /// Marks an empty slot; no part has this number.
    const NONE: u32 = u32::MAX;

    fn new(parts: &[u32]) -> Self {
        let bits = (2 * parts.len().max(1)).next_power_of_two().ilog2();
        let mut index = Self {
            slots: vec![(0, Self::NONE); 1 << bits],
            shift: 64 - bits,
        };
        for (part, &grey) in (0..).zip(parts) {
            let mut slot = index.first_slot(grey);
            while index.slots[slot].1 != Self::NONE {
                slot = (slot + 1) & (index.slots.len() - 1);
            }
            index.slots[slot] = (grey, part);
        }
        index
    }

    #[inline]
    fn first_slot(&self, grey: u32) -> usize {
        (u64::from(grey).wrapping_mul(0x9e37_79b9_7f4a_7c15) >> self.shift) as usize
    }

    #[inline]
    fn part(&self, grey: u32) -> Option<u64> {
        let mut slot = self.first_slot(grey);
        loop {
            match self.slots[slot] {
                (_, Self::NONE) => return None,
                (found, part) if found == grey => return Some(u64::from(part)),
                _ => slot = (slot + 1) & (self.slots.len() - 1),
            }
        }
    }
}

/// Rank of a set among the sets of its size within `free`. Each member adds the number of ways to
/// place it and those below it on lower squares.
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
#[inline]
fn subset(free: u32, size: u32, mut rank: u64) -> u32 {
    let (mut set, mut rest, mut nth) = (0, free, size);
    let mut below = free.count_ones();
    // From the highest free square down; `below` counts the free squares under it.
    while nth > 0 && rest != 0 {
        let square = 1 << rest.ilog2();
        rest &= !square;
        below -= 1;
        let ways = binomial(below, nth);
        if rank >= ways {
            rank -= ways;
            set |= square;
            nth -= 1;
        }
    }
    set
}
