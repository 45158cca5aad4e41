//! The moves along rows that lead from one block to another, worked out for all words.

use super::part::{Block, RowMove};
use super::shapes::Shapes;

/// All words, instead of a list.
pub(super) const ALL: u32 = u32::MAX;

/// A move along a row from a block to another.
///
/// Both blocks hold the placements that can move in the same order, but the words of the one
/// may hold several times as many of them as those of the other.
#[derive(Debug, Clone, Copy)]
pub(super) struct Edge {
    /// The other block.
    pub to: u32,
    /// Its first word.
    pub first: u32,
    /// The bits that can move, and where they go.
    pub from: u64,
    pub into: u64,
    /// Where [`Shapes::lists`] has the place of each word among those that can move.
    pub places: u32,
    /// Where it has the word of the other block that each place is.
    pub targets: u32,
    /// How many words of this block go to one of the other.
    pub wider: u32,
    /// How many words of the other block one of this goes to.
    pub narrower: u32,
    /// Whether the red car moves.
    pub red: bool,
    /// Whether words of both blocks have the same shape.
    pub same: bool,
}

impl Edge {
    /// The move as an edge; `None` where nothing can ever move.
    pub(super) fn new(
        shapes: &mut Shapes,
        (block, own): (&Block, &Block),
        (row, red): (usize, bool),
        step: &RowMove,
        to: u32,
    ) -> Option<Self> {
        let (before, after) = (block.parted(step.before), own.parted(step.after));
        let from = shapes.words[block.word as usize].clear(row, before.1);
        let into = shapes.words[own.word as usize].clear(row, after.1);
        let (held, taken) = (from.count_ones(), into.count_ones());
        if held == 0 || taken == 0 {
            return None;
        }
        let places = shapes.chosen(block.lead, row, before.0);
        let targets = shapes.chosen(own.lead, row, after.0);
        let words = shapes.leads[own.lead as usize].len() as u32;
        Some(Self {
            to,
            first: own.first,
            from,
            into,
            places: places.unwrap_or(ALL),
            targets: targets.map_or(ALL, |places| places + words),
            wider: (taken / held).max(1),
            narrower: (held / taken).max(1),
            red,
            same: block.word == own.word,
        })
    }
}
