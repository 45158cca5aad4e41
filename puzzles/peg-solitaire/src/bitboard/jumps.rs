//! All jumps of many triples at once.
//!
//! Three holes in a row have numbers a < a + d < a + e. Triples with the same d and e
//! make a group: on a board drawn in rows there is one group for the rows and one for
//! each pair of row offsets, eight on the diamond of 41 holes. Within a triple, a jump
//! is possible where the middle has a peg and exactly one end has, whichever it is, and
//! it flips all three; undone, where the middle is empty and exactly one end has a peg.
//! So one expression a group finds the jumps of both directions.

use crate::board::Board;

/// Triples of holes whose numbers differ by the same amounts.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
struct Group {
    /// From the first hole to the middle.
    middle: u32,
    /// From the first hole to the last.
    last: u32,
    /// First holes.
    first: u64,
    /// A triple's three bits, for first hole 0.
    triple: u64,
}

/// The jumps of a board, in groups.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Jumps {
    groups: Vec<Group>,
}

impl Jumps {
    /// Groups the jumps of a board.
    #[must_use]
    pub fn new(board: &Board) -> Self {
        let mut groups: Vec<Group> = Vec::new();
        for jump in board.jumps().iter().filter(|jump| jump.from < jump.to) {
            let (middle, last) = (jump.over - jump.from, jump.to - jump.from);
            let (middle, last) = (middle as u32, last as u32);
            let same = |group: &&mut Group| (group.middle, group.last) == (middle, last);
            match groups.iter_mut().find(same) {
                Some(group) => group.first |= 1 << jump.from,
                None => groups.push(Group {
                    middle,
                    last,
                    first: 1 << jump.from,
                    triple: 1 | 1 << middle | 1 << last,
                }),
            }
        }
        Self { groups }
    }

    /// Number of jumps that are possible.
    #[inline]
    #[must_use]
    pub fn count(&self, pegs: u64) -> u32 {
        let possible = |group: &Group| {
            let ends = pegs ^ (pegs >> group.last);
            ((pegs >> group.middle) & ends & group.first).count_ones()
        };
        self.groups.iter().map(possible).sum()
    }

    /// The positions after one jump, each once.
    #[inline]
    pub fn successors(&self, pegs: u64, emit: &mut (impl FnMut(u64) + ?Sized)) {
        for group in &self.groups {
            let ends = pegs ^ (pegs >> group.last);
            flip(
                pegs,
                group,
                (pegs >> group.middle) & ends & group.first,
                emit,
            );
        }
    }

    /// The positions one jump before, each once.
    #[inline]
    pub fn predecessors(&self, pegs: u64, emit: &mut (impl FnMut(u64) + ?Sized)) {
        for group in &self.groups {
            let ends = pegs ^ (pegs >> group.last);
            flip(
                pegs,
                group,
                !(pegs >> group.middle) & ends & group.first,
                emit,
            );
        }
    }
}

/// Flips the triples that begin at `first`, one at a time.
#[inline]
fn flip(pegs: u64, group: &Group, first: u64, emit: &mut (impl FnMut(u64) + ?Sized)) {
    let mut left = first;
    while left != 0 {
        emit(pegs ^ (group.triple << left.trailing_zeros()));
        left &= left - 1;
    }
}
