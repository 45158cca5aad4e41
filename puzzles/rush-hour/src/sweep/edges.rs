//! The moves along rows that lead from one block to another, worked out for all words.
//!
//! A word goes where the contents of its leading columns go, each by itself. So two short tables
//! say where: one by the contents of the first leading columns, one by those of the others. (One
//! table by all of them is as long as a block, and a large part had hundreds of megabytes of
//! these.)

use super::columns::{Columns, Fitting};
use super::part::{Block, RowMove};
use super::shapes::Shapes;

/// How many leading columns are the first.
pub(super) const FIRST: usize = 2;

/// What cannot move, in a table.
pub(super) const NOWHERE: u32 = u32::MAX;

/// Bits of an entry that say which piece of a word it is; those above are its share of the word.
const PIECE: u32 = 6;

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
    /// How many words it has.
    pub words: u32,
    /// Whether words of both blocks have the same shape.
    pub same: bool,
    /// Whether words of this block are pieces of those of the other.
    pub wider: bool,
    /// The bits that can move, and where they go.
    pub from: u64,
    pub into: u64,
    /// Where [`Shapes::lists`] has the tables by the first leading columns and by the others.
    pub tables: [u32; 2],
    /// What one more in an entry of each adds to the word.
    units: [u32; 2],
    /// What one more in the piece of an entry of the first adds to the piece.
    piece_unit: u32,
    /// How many bits of a word can move.
    held: u32,
    /// Where it has the words of the other block that each piece of a word goes to, and how many
    /// these are; none where words go to one word.
    pub pieces: u32,
    pub narrower: u32,
    /// How many bits of a word of the other block can be moved to.
    pub taken: u32,
}

/// A move along a row while it is made an edge.
struct Way<'a> {
    columns: &'a Columns,
    order: &'a [usize],
    from: &'a Block,
    to: &'a Block,
    row: usize,
    step: &'a RowMove,
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

    /// Whether the pieces can pass a content of a column.
    fn passes(&self, place: usize, covers: u8) -> bool {
        self.step.before >> place & 1 == 0 || covers >> self.row & 1 == 0
    }

    /// How many contents of a column the pieces can pass.
    fn passing(&self, place: usize) -> u32 {
        let covers = self.source(place).covers.iter();
        covers.filter(|&&own| self.passes(place, own)).count() as u32
    }

    /// By the contents of some leading columns: where they go, as many of them as lead in the
    /// other block too, and which piece of a word the rest is.
    fn table(&self, places: std::ops::Range<usize>, lists: &mut Vec<u32>) {
        let first = lists.len();
        lists.push(0);
        let mut longer = Vec::new();
        for place in places {
            let (source, target) = (self.source(place), self.target(place));
            let leads = place < usize::from(self.to.split);
            let passing = self.passing(place);
            longer.clear();
            for &entry in &lists[first..] {
                let mut rank = 0;
                for (&content, &covers) in source.contents.iter().zip(&source.covers) {
                    let number = target.number(content);
                    let number = number.filter(|_| self.passes(place, covers));
                    longer.push(match number {
                        Some(number) if entry != NOWHERE => {
                            let (word, piece) = (entry >> PIECE, entry & ((1 << PIECE) - 1));
                            let (word, piece) = match leads {
                                true => (word * target.len() as u32 + u32::from(number), piece),
                                false => (word, piece * passing + rank),
                            };
                            word << PIECE | piece
                        }
                        _ => NOWHERE,
                    });
                    rank += u32::from(number.is_some());
                }
            }
            lists.truncate(first);
            lists.extend_from_slice(&longer);
        }
    }

    /// The words of the other block that the pieces of a word go to, from the first on.
    fn pieces(&self, places: std::ops::Range<usize>, lists: &mut Vec<u32>) {
        let first = lists.len();
        lists.push(0);
        let mut longer = Vec::new();
        for place in places {
            let target = self.target(place);
            longer.clear();
            for &word in &lists[first..] {
                for (number, &content) in target.contents.iter().enumerate() {
                    let source = self.source(place).number(content);
                    let covers = target.covers[number];
                    if source.is_some() && self.passes(place, covers) {
                        longer.push(word * target.len() as u32 + number as u32);
                    }
                }
            }
            lists.truncate(first);
            lists.extend_from_slice(&longer);
        }
    }

    /// All that a table depends on: the columns, what is blocked in them before, whether the
    /// row's cell is blocked afterwards, whether it is passed, and the rest. Thirteen bits a
    /// column, of which there are six at most, and nine more.
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
        key << 9 | (kind << 7 | self.row << 4 | usize::from(self.to.split)) as u128
    }
}

impl Edge {
    /// The move as an edge; `None` where nothing can ever move.
    pub(super) fn new(
        shapes: &mut Shapes,
        columns: &Columns,
        order: &[usize],
        (block, own): (&Block, &Block),
        row: usize,
        step: &RowMove,
        to: u32,
    ) -> Option<Self> {
        let (before, after) = (block.trailing(step.before), own.trailing(step.after));
        let from = shapes.words[block.word as usize].clear(row, before);
        let into = shapes.words[own.word as usize].clear(row, after);
        let (held, taken) = (from.count_ones(), into.count_ones());
        let words = shapes.leads[own.lead as usize].len() as u32;
        if held == 0 || taken == 0 || words == 0 {
            return None;
        }
        let way = Way {
            columns,
            order,
            from: block,
            to: own,
            row,
            step,
        };
        let (split, other) = (usize::from(block.split), usize::from(own.split));
        let both = split.min(other);
        let first = FIRST.min(split);
        let mut table = |kind, places: std::ops::Range<usize>| {
            let key = way.key(kind, places.clone());
            shapes.table(key, |lists| match kind {
                2 => way.pieces(places, lists),
                _ => way.table(places, lists),
            })
        };
        let tables = [table(0, 0..first), table(1, first..split)];
        let (pieces, narrower) = match split < other {
            true => (table(2, split..other), (held / taken).max(1)),
            false => (0, 0),
        };
        let lead = &shapes.leads[own.lead as usize];
        Some(Self {
            to,
            first: own.first,
            words,
            same: block.word == own.word,
            wider: split > other,
            from,
            into,
            tables,
            units: [lead.words_of(first.min(both)), lead.words_of(both)],
            piece_unit: (first.max(other)..split)
                .map(|place| way.passing(place))
                .product(),
            held,
            pieces,
            narrower,
            taken,
        })
    }

    /// The word that two entries lead to, the first of several where there are pieces.
    #[inline(always)]
    pub(super) fn word(&self, entries: [u32; 2]) -> u32 {
        (entries[0] >> PIECE) * self.units[0] + (entries[1] >> PIECE) * self.units[1]
    }

    /// How far up in that word the bits go.
    #[inline(always)]
    pub(super) fn shift(&self, entries: [u32; 2]) -> u32 {
        let mask = (1 << PIECE) - 1;
        ((entries[0] & mask) * self.piece_unit + (entries[1] & mask)) * self.held
    }
}
