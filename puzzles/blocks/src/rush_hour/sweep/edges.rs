//! The moves along rows that lead from one block to another, computed for all words.
//!
//! The destination of a word depends on the contents of its leading columns, each separately. So
//! two short tables give it: one by the contents of the first leading columns, one by those of the
//! others. (One table by all of them would be as long as a block, and a large part would have
//! hundreds of megabytes of these.)

use super::columns::{Columns, Fitting};
use super::memo::Wanted;
use super::part::{Block, RowMove};
use super::shapes::{Shapes, Words};

/// Most leading columns that count as the first ones.
pub(super) const FIRST: usize = 2;

/// Marks words that cannot move, in a table.
pub(super) const NOWHERE: u32 = u32::MAX;

pub(super) const NONE: u32 = u32::MAX;

/// A move along a row by one cell, from a block to another.
#[derive(Debug, Clone, Copy)]
pub(super) struct Edge {
    pub to: u32,
    /// The edge that continues with the piece, or [`NONE`].
    pub onward: u32,
    pub first: u32,
    pub words: u32,
    /// Places in [`Shapes::lists`] of the numbers of the contents of the leading columns after the
    /// move: the first ones, and the others that lead in both blocks.
    pub tables: [u32; 2],
    /// Number of words of the other block for each of these numbers.
    units: [u32; 2],
    /// Contents of the columns that lead only in this block, and words of the cut column.
    alone: u32,
    cut: u32,
    /// Words of the cut column of the other block.
    other_cut: u32,
    /// Place in [`Shapes::locals`] of the movement of the words that belong together.
    locals: u32,
}

/// A move along a row while its edge is computed.
struct Way<'a> {
    columns: &'a Columns,
    order: &'a [usize],
    from: &'a Block,
    to: &'a Block,
    row: usize,
    step: &'a RowMove,
    /// Columns that lead in both blocks.
    both: usize,
}

impl Way<'_> {
    fn source(&self, place: usize) -> &Fitting {
        let column = self.order[place];
        &self.columns[column][usize::from(self.from.blocked[column])]
    }

    fn target(&self, place: usize) -> &Fitting {
        let column = self.order[place];
        &self.columns[column][usize::from(self.to.blocked[column])]
    }

    /// By the contents of some columns that lead in both: the number of their contents afterwards.
    fn table(&self, places: std::ops::Range<usize>) -> Vec<u32> {
        let mut table = vec![0];
        for place in places {
            let (source, target) = (self.source(place), self.target(place));
            let passes = self.step.before >> place & 1 == 0;
            let longer = |&entry: &u32| {
                let each = source.contents.iter().zip(&source.covers);
                each.map(move |(&content, &covers)| {
                    let number = target.number(content);
                    match number.filter(|_| passes || covers >> self.row & 1 == 0) {
                        Some(number) if entry != NOWHERE => {
                            entry * target.len() as u32 + u32::from(number)
                        }
                        _ => NOWHERE,
                    }
                })
            };
            table = table.iter().flat_map(longer).collect();
        }
        table
    }

    /// The bits of each word that can move, for words with the same contents of the columns that
    /// lead in both blocks: in the first block before the move, or in the second after it.
    fn bits(&self, block: &Block, columns: u8, words: &Words, bits: &mut Vec<u64>) {
        bits.clear();
        let trailing = block.trailing(columns);
        let each = words.of(block).iter();
        bits.extend(each.map(|word| words.clear_of(word, self.row, trailing)));
        // The columns that lead only in this block, from the last on.
        for place in (self.both..block.split.into()).rev() {
            let column = self.order[place];
            let fitting = &self.columns[column][usize::from(block.blocked[column])];
            let asked = columns >> place & 1 == 1;
            let together = bits.len();
            for &covers in &fitting.covers {
                match asked && covers >> self.row & 1 == 1 {
                    true => bits.resize(bits.len() + together, 0),
                    false => bits.extend_from_within(..together),
                }
            }
            bits.drain(..together);
        }
    }

    /// All that a table depends on: the columns, their blocked cells before the move, whether the
    /// row's cell is blocked afterwards, whether it is passed, and the rest. Thirteen bits per
    /// column, of which there are at most eight, and eight more bits.
    #[inline]
    fn key(&self, kind: usize, places: std::ops::Range<usize>) -> u128 {
        let mut key = 1_u128;
        for place in places {
            let column = self.order[place];
            let needed = self.step.before >> place & 1;
            let blocked = self.to.blocked[column] >> self.row & 1;
            let own = u32::from(self.from.blocked[column]) << 5 | u32::from(needed << 1 | blocked);
            key = key << 13 | u128::from(own | (column as u32) << 2);
        }
        key << 8 | (kind << 7 | self.row << 4 | self.both) as u128
    }
}

/// A move along a row, with the keys of its edge's tables.
pub(super) struct Move<'a> {
    way: Way<'a>,
    to: u32,
    first: usize,
    /// Keys of the movement of the words that belong together, and of the two tables.
    wanted: [Wanted; 3],
}

impl<'a> Move<'a> {
    /// The move of a row from a block to another; `None` if nothing can ever move. `first` is the
    /// number of leading columns that count as the first ones.
    #[inline]
    pub(super) fn new(
        shapes: &Shapes,
        columns: &'a Columns,
        (order, first): (&'a [usize], usize),
        (from, (number, to)): (&'a Block, (u32, &'a Block)),
        (row, step): (usize, &'a RowMove),
    ) -> Option<Self> {
        if shapes.leads[to.lead as usize].len() == 0 || from.cut == 0 {
            return None;
        }
        let way = Way {
            columns,
            order,
            from,
            to,
            row,
            step,
            both: usize::from(from.split.min(to.split)),
        };
        let wanted = [
            way.key(0, way.both..order.len()),
            way.key(0, 0..first),
            way.key(1, first..way.both),
        ];
        Some(Self {
            way,
            to: number,
            first,
            wanted: wanted.map(Wanted::new),
        })
    }

    /// Prefetches the memory that its edge will need.
    #[inline]
    pub(super) fn fetch(&self, shapes: &Shapes) {
        shapes.fetch(self.wanted[0], &self.wanted[1..]);
    }

    pub(super) fn edge(&self, shapes: &mut Shapes) -> Edge {
        let (way, both) = (&self.way, self.way.both);
        let (block, own) = (way.from, way.to);
        let [local, firsts, rests] = self.wanted;
        let locals = shapes.local(local, |words, (from, into)| {
            way.bits(block, way.step.before, words, from);
            way.bits(own, way.step.after, words, into);
        });
        let tables = [
            shapes.table(firsts, || way.table(0..self.first)),
            shapes.table(rests, || way.table(self.first..both)),
        ];
        let lead = &shapes.leads[own.lead as usize];
        let alike = shapes.leads[block.lead as usize].words_of(both);
        Edge {
            to: self.to,
            onward: NONE,
            first: own.first,
            words: lead.len() as u32,
            tables,
            units: [lead.words_of(self.first), lead.words_of(both)],
            alone: alike / u32::from(block.cut),
            cut: block.cut.into(),
            other_cut: own.cut.into(),
            locals,
        }
    }
}

impl Edge {
    /// Splits a word of the other block into the contents of the first columns, those of the other
    /// leading columns, and its number in the cut column.
    #[inline]
    pub(super) fn numbers(&self, word: u32) -> (u32, u32, u32) {
        let (first, rest) = (word / self.units[0], word % self.units[0]);
        (first, rest / self.other_cut, rest % self.other_cut)
    }

    /// The number of a word among those that belong together, from the contents of the leading
    /// columns after the first ones, and the contents of those that lead in both blocks.
    #[inline(always)]
    pub(super) fn local(&self, rest: u32, cut: u16) -> (u32, u32) {
        // Usually no column leads only in this block.
        let (both, alone) = match self.alone {
            1 => (rest, 0),
            alone => (rest / alone, rest % alone),
        };
        (self.locals + alone * self.cut + u32::from(cut), both)
    }

    /// The first of the words that belong together, by the contents of the leading columns.
    #[inline(always)]
    pub(super) fn word(&self, entries: [u32; 2]) -> u32 {
        entries[0] * self.units[0] + entries[1] * self.units[1]
    }
}
