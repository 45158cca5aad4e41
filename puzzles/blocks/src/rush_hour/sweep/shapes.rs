//! Blocks of bits: all placements with the same rows, one bit each.
//!
//! The contents of some columns, the *trailing* ones, are the place of a bit in a word. Those of
//! the others, the *leading* ones, are the place of the word. The column between them is *cut*: as
//! many of its contents as fit a word are in the first word, the following ones in the next. Blocks
//! in which these columns have the same blocked cells share a shape.

use std::collections::HashMap;
use std::ops::Range;

use super::columns::{Columns, Fitting};
use super::locals::{Local, Piece, locals};
use super::memo::{Memo, Wanted};
use super::part::{Block, fitting};

/// Most columns and rows.
pub(super) const MOST: usize = 8;

/// The layout of the placements of the cut and the trailing columns in a word that holds some of
/// the cut column's contents.
#[derive(Debug, Clone)]
pub(super) struct Word {
    pub full: u64,
    keys: Range<u32>,
    slides: Range<u32>,
    crossings: Range<u32>,
    free: u32,
    /// The cut column and the trailing ones.
    columns: u32,
}

/// The components of the words of all shapes, stored together.
#[derive(Debug, Default)]
pub(super) struct Words {
    shapes: Vec<Word>,
    keys: Vec<u64>,
    slides: Vec<(u8, u64)>,
    crossings: Vec<Crossing>,
    free: Vec<u64>,
}

/// A move of the cut column from a word to another.
#[derive(Debug, Clone, Copy)]
pub(super) struct Crossing {
    pub bits: u64,
    pub by: i32,
    /// Distance by which they are rotated up, modulo 64.
    pub turn: u8,
}

/// Number of words of a cut column, and number of contents in each.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Cut {
    pub each: usize,
    pub words: usize,
}

impl Cut {
    /// For a column with n contents, before columns with m contents together; a word has 64 bits.
    pub(super) fn new(contents: usize, trailing: usize) -> Self {
        let each = (64 / trailing.max(1)).clamp(1, contents.max(1));
        Self {
            each,
            words: contents.div_ceil(each),
        }
    }

    /// The contents in a word.
    fn held(self, word: usize, contents: usize) -> Range<usize> {
        word * self.each..((word + 1) * self.each).min(contents)
    }
}

impl Words {
    fn clear(&mut self) {
        self.shapes.clear();
        self.keys.clear();
        self.slides.clear();
        self.crossings.clear();
        self.free.clear();
    }

    #[inline]
    pub(super) fn of(&self, block: &Block) -> &[Word] {
        &self.shapes[block.word as usize..][..block.cut.into()]
    }

    /// The value of each bit of a word within a key.
    #[inline]
    pub(super) fn keys(&self, word: &Word) -> &[u64] {
        &self.keys[word.keys.start as usize..word.keys.end as usize]
    }

    /// Moves within a word: how far up, and the bits that move by this much, and back.
    #[inline]
    pub(super) fn slides(&self, word: &Word) -> &[(u8, u64)] {
        &self.slides[word.slides.start as usize..word.slides.end as usize]
    }

    /// Moves of the cut column to other words.
    #[inline]
    pub(super) fn crossings(&self, word: &Word) -> &[Crossing] {
        &self.crossings[word.crossings.start as usize..word.crossings.end as usize]
    }

    /// The bits whose contents of some columns, the cut one first, do not cover a row.
    #[inline]
    pub(super) fn clear_of(&self, word: &Word, row: usize, mut columns: u8) -> u64 {
        let first = word.free as usize + row * word.columns as usize;
        let free = &self.free[first..first + word.columns as usize];
        let mut bits = word.full;
        while columns != 0 {
            bits &= free[columns.trailing_zeros() as usize];
            columns &= columns - 1;
        }
        bits
    }

    /// Adds the shapes of the words of a block, one for each word of the first column, which is
    /// cut; the last column changes fastest. Returns the first.
    fn add(&mut self, columns: &[&Fitting]) -> u32 {
        let first = self.shapes.len() as u32;
        if let [cut, trailing @ ..] = columns {
            let together = trailing.iter().map(|own| own.len()).product();
            let cut = Cut::new(cut.len(), together);
            (0..cut.words).for_each(|word| self.add_word(columns, cut, word));
        }
        first
    }

    fn add_word(&mut self, columns: &[&Fitting], cut: Cut, word: usize) {
        let held = cut.held(word, columns[0].len());
        let range = |column: usize| match column {
            0 => held.clone(),
            _ => 0..columns[column].len(),
        };
        let counts = (0..columns.len()).map(|column| range(column).len());
        let bits: usize = counts.product();
        // On a single board, it may be that no content of a column fits: then there is no bit.
        let full = u64::MAX.checked_shr(64 - bits as u32).unwrap_or(0);
        let [keys, slides, crossings, free] = self.ends();
        if bits > 0 {
            self.keys.push(0);
        }
        self.free
            .resize(self.free.len() + MOST * columns.len(), full);
        let mut stride = 1;
        let own = columns.iter().enumerate().rev().filter(|_| bits > 0);
        for (column, fitting) in own {
            let range = range(column);
            let first = self.slides.len();
            for number in range.clone() {
                let run = u64::MAX >> (64 - stride);
                let starts = ((number - range.start) * stride..bits).step_by(range.len() * stride);
                let bits = starts.fold(0, |word, start| word | run << start);
                for step in fitting.steps(number) {
                    let to = (number as i32 + i32::from(step.by)) as usize;
                    if !range.contains(&to) {
                        let ends = (number, to);
                        cross(
                            &mut self.crossings,
                            crossings,
                            (cut, word, stride),
                            ends,
                            bits,
                        );
                    } else if step.by > 0 {
                        let shift = (step.by as usize * stride) as u8;
                        slide(&mut self.slides[first..], shift, bits)
                            .into_iter()
                            .for_each(|new| self.slides.push(new));
                    }
                }
                for row in (0..MOST).filter(|row| fitting.covers[number] >> row & 1 == 1) {
                    self.free[free as usize + row * columns.len() + column] &= !bits;
                }
            }
            self.widen(keys as usize, &fitting.keys[range.clone()]);
            stride *= range.len();
        }
        let [keys_end, slides_end, crossings_end, _] = self.ends();
        self.shapes.push(Word {
            full,
            keys: keys..keys_end,
            slides: slides..slides_end,
            crossings: crossings..crossings_end,
            free,
            columns: columns.len() as u32,
        });
    }

    fn ends(&self) -> [u32; 4] {
        let free = self.free.len();
        [
            self.keys.len(),
            self.slides.len(),
            self.crossings.len(),
            free,
        ]
        .map(|len| len as u32)
    }

    /// Replaces the keys from `first` on by a copy for each content of one more column in front.
    fn widen(&mut self, first: usize, contents: &[u64]) {
        let together = self.keys.len() - first;
        for content in &contents[1..] {
            for at in first..first + together {
                self.keys.push(self.keys[at] + content);
            }
        }
        for key in &mut self.keys[first..first + together] {
            *key += contents[0];
        }
    }
}

/// Adds a move up within a word to the others of its column; returns it if it is new.
fn slide(slides: &mut [(u8, u64)], shift: u8, bits: u64) -> Option<(u8, u64)> {
    match slides.iter_mut().find(|(own, _)| *own == shift) {
        Some((_, mask)) => {
            *mask |= bits;
            None
        }
        None => Some((shift, bits)),
    }
}

/// Adds a move of the cut column, whose contents lie n bits apart, to the crossings of a word from
/// `first` on.
fn cross(
    crossings: &mut Vec<Crossing>,
    first: u32,
    (cut, word, stride): (Cut, usize, usize),
    (own, to): (usize, usize),
    bits: u64,
) {
    let by = (to / cut.each) as i32 - word as i32;
    let places = (to % cut.each) as i32 - (own % cut.each) as i32;
    let turn = (places * stride as i32).rem_euclid(64) as u8;
    let mut known = crossings[first as usize..].iter_mut();
    match known.find(|other| (other.by, other.turn) == (by, turn)) {
        Some(other) => other.bits |= bits,
        None => crossings.push(Crossing { bits, by, turn }),
    }
}

/// The numbering of a block's words by the placements of the leading columns and the words of the
/// cut one.
#[derive(Debug)]
pub(super) struct Lead {
    /// The value of each word within a key.
    pub keys: Vec<u64>,
    /// Number of each leading column's content, a byte each, by word.
    pub numbers: Vec<[u8; MOST]>,
    /// The value of one step of a leading column within the word.
    pub strides: Vec<u32>,
}

impl Lead {
    fn new(columns: &[&Fitting], cut: usize) -> Self {
        let keys = sums(columns.iter().map(|own| &own.keys[..]));
        let keys: Vec<u64> = keys
            .iter()
            .flat_map(|&key| (0..cut).map(move |_| key))
            .collect();
        let mut strides = vec![cut as u32; columns.len()];
        for column in (1..columns.len()).rev() {
            strides[column - 1] = strides[column] * columns[column].len() as u32;
        }
        let mut numbers = Vec::with_capacity(keys.len());
        let mut own = [0_u8; MOST];
        while numbers.len() < keys.len() {
            numbers.extend((0..cut).map(|_| own));
            for (column, fitting) in columns.iter().enumerate().rev() {
                own[column] += 1;
                if usize::from(own[column]) < fitting.len() {
                    break;
                }
                own[column] = 0;
            }
        }
        Self {
            keys,
            numbers,
            strides,
        }
    }

    pub(super) fn len(&self) -> usize {
        self.keys.len()
    }

    /// Number of words of each content of the first n columns.
    #[inline]
    pub(super) fn words_of(&self, columns: usize) -> u32 {
        match columns {
            0 => self.len() as u32,
            _ => self.strides[columns - 1],
        }
    }
}

/// The value of every combination of contents within a key, the last column changing fastest.
fn sums<'a>(columns: impl Iterator<Item = &'a [u64]>) -> Vec<u64> {
    let mut sums = vec![0_u64];
    for keys in columns {
        let longer = |&sum: &u64| keys.iter().map(move |key| sum + key);
        sums = sums.iter().flat_map(longer).collect();
    }
    sums
}

type ByKey<K> = HashMap<K, u32, foldhash::fast::FixedState>;

/// Shapes made so far: parts share most of them.
#[derive(Debug, Default)]
pub(super) struct Shapes {
    pub words: Words,
    pub leads: Vec<Lead>,
    /// Tables of edges, see [`Shapes::table`].
    pub lists: Vec<u32>,
    /// Movements of words of blocks to those of others, see [`Shapes::locals`].
    pub locals: Vec<Local>,
    pub pieces: Vec<Piece>,
    /// Indexed by the cut and the trailing columns and their blocked cells.
    words_by: Memo,
    /// Indexed by the leading columns and their blocked cells, and the words of the cut one.
    leads_by: ByKey<(u64, u64, usize)>,
    /// Indexed by all that they depend on.
    tables_by: Memo,
    locals_by: Memo,
    /// Bits that can move in words of one block, and of another.
    movable: (Vec<u64>, Vec<u64>),
    size: usize,
}

/// Limit on bits and words of the shapes kept from part to part, and on entries of tables: some
/// tens of megabytes.
const KEPT: usize = 1 << 21;

impl Shapes {
    /// Drops all shapes if there are too many.
    pub(super) fn tidy(&mut self) {
        let tables = self.lists.len() / 2 + 4 * self.locals.len() + 2 * self.pieces.len();
        if self.size + self.words.keys.len() + tables > KEPT {
            // Their memory is reused.
            self.words.clear();
            self.leads.clear();
            self.lists.clear();
            self.locals.clear();
            self.pieces.clear();
            self.words_by.clear();
            self.leads_by.clear();
            self.tables_by.clear();
            self.locals_by.clear();
            self.size = 0;
        }
    }

    /// Prefetches the memory that [`Shapes::local`] and [`Shapes::table`] will need.
    #[inline]
    pub(super) fn fetch(&self, local: Wanted, tables: &[Wanted]) {
        self.locals_by.fetch(local);
        tables.iter().for_each(|&table| self.tables_by.fetch(table));
    }

    /// Place of a table, which is made if it does not exist yet.
    #[inline]
    pub(super) fn table(&mut self, key: Wanted, make: impl FnOnce() -> Vec<u32>) -> u32 {
        let lists = &mut self.lists;
        self.tables_by.get(key, || {
            let first = lists.len() as u32;
            lists.extend(make());
            first
        })
    }

    /// Place of the movement of words to others. It is computed if unknown, from the bits of each
    /// word that can move, before and after.
    #[inline]
    pub(super) fn local(
        &mut self,
        key: Wanted,
        movable: impl FnOnce(&Words, (&mut Vec<u64>, &mut Vec<u64>)),
    ) -> u32 {
        let (from, into) = (&mut self.movable.0, &mut self.movable.1);
        let (words, all, pieces) = (&self.words, &mut self.locals, &mut self.pieces);
        self.locals_by.get(key, || {
            let first = all.len() as u32;
            movable(words, (from, into));
            locals(from, into, all, pieces);
            first
        })
    }

    /// The key for [`Shapes::word`] of a block with this cut column and these trailing ones after
    /// it; also prefetches its memory.
    #[inline]
    pub(super) fn fetch_word(&self, chosen: &[usize], blocked: &[u8; MOST]) -> Wanted {
        let (order, own) = key(chosen, blocked);
        // Columns are numbered below 8, and there is at least one: this is never 0.
        let wanted = Wanted::new(u128::from(!order) << 64 | u128::from(own));
        self.words_by.fetch(wanted);
        wanted
    }

    /// The first shape of the words of such a block.
    #[inline]
    pub(super) fn word(
        &mut self,
        wanted: Wanted,
        columns: &Columns,
        chosen: &[usize],
        blocked: &[u8; MOST],
    ) -> u32 {
        let words = &mut self.words;
        self.words_by
            .get(wanted, || words.add(&fitting(columns, chosen, blocked)))
    }

    /// The shape of a block with these leading columns, if the next column is cut into n words.
    pub(super) fn lead(
        &mut self,
        columns: &Columns,
        chosen: &[usize],
        blocked: &[u8; MOST],
        cut: usize,
    ) -> u32 {
        let (order, own) = key(chosen, blocked);
        *self.leads_by.entry((order, own, cut)).or_insert_with(|| {
            let lead = Lead::new(&fitting(columns, chosen, blocked), cut);
            self.size += lead.len();
            self.leads.push(lead);
            self.leads.len() as u32 - 1
        })
    }
}

/// Some columns in their order, and their blocked cells.
fn key(columns: &[usize], blocked: &[u8; MOST]) -> (u64, u64) {
    let (mut order, mut own) = ([u8::MAX; MOST], [0; MOST]);
    for (place, &column) in columns.iter().enumerate() {
        order[place] = column as u8;
        own[place] = blocked[column];
    }
    (u64::from_le_bytes(order), u64::from_le_bytes(own))
}
