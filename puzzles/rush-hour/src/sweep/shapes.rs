//! Blocks of bits: all placements beside the same rows, a bit each.
//!
//! The contents of some columns, the *trailing* ones, are the place of a bit in a word; those
//! of the others, the *leading* ones, are the place of the word. Blocks in which the trailing
//! (or the leading) columns have the same blocked cells share a shape.

use std::collections::HashMap;

use super::columns::{Columns, Fitting};
use super::part::fitting;

/// Most columns and rows.
pub(super) const MOST: usize = 8;

/// How the placements of the trailing columns lie in a word.
#[derive(Debug)]
pub(super) struct Word {
    /// The bits in use.
    pub full: u64,
    /// What each bit adds to a key.
    pub keys: Vec<u64>,
    /// Moves of trailing columns: bits of the mask move up so far, and back.
    pub slides: Vec<(u8, u64)>,
    /// By row and trailing column: the bits whose content does not cover the row.
    pub free: [[u64; MOST]; MOST],
}

impl Word {
    /// The shape of a word for what fits into each trailing column, the last one changing
    /// fastest.
    pub(super) fn new(columns: &[&Fitting]) -> Self {
        let keys = sums(columns);
        let bits = keys.len();
        // On a board of its own a column may hold nothing that fits: then there is no bit.
        let full = u64::MAX.checked_shr(64 - bits as u32).unwrap_or(0);
        let columns = if bits == 0 { &[] } else { columns };
        let (mut slides, mut free) = (Vec::new(), [[full; MOST]; MOST]);
        let mut stride = 1;
        for (column, fitting) in columns.iter().enumerate().rev() {
            let spread = |number: usize| {
                let run = u64::MAX >> (64 - stride);
                let starts = (number * stride..bits).step_by(fitting.len() * stride);
                starts.fold(0, |word, start| word | run << start)
            };
            let spreads: Vec<u64> = (0..fitting.len()).map(spread).collect();
            let first = slides.len();
            for (number, bits) in spreads.iter().enumerate() {
                for &step in fitting.steps(number).iter().filter(|step| **step > 0) {
                    let shift = (step as usize * stride) as u8;
                    let known = slides[first..].iter_mut().find(|(own, _)| *own == shift);
                    match known {
                        Some((_, mask)) => *mask |= bits,
                        None => slides.push((shift, *bits)),
                    }
                }
                for row in (0..MOST).filter(|row| fitting.covers[number] >> row & 1 == 1) {
                    free[row][column] &= !bits;
                }
            }
            stride *= fitting.len();
        }
        Self {
            full,
            keys,
            slides,
            free,
        }
    }

    /// The bits whose contents of some trailing columns do not cover a row.
    #[inline]
    pub(super) fn clear(&self, row: usize, mut columns: u8) -> u64 {
        let mut bits = self.full;
        while columns != 0 {
            bits &= self.free[row][columns.trailing_zeros() as usize % MOST];
            columns &= columns - 1;
        }
        bits
    }
}

/// How the placements of the leading columns number the words of a block.
#[derive(Debug)]
pub(super) struct Lead {
    /// What each word adds to a key.
    pub keys: Vec<u64>,
    /// Number of each leading column's content, a byte each, by word.
    pub numbers: Vec<[u8; MOST]>,
    /// What one more in a leading column adds to the word.
    pub strides: Vec<u32>,
}

impl Lead {
    pub(super) fn new(columns: &[&Fitting]) -> Self {
        let keys = sums(columns);
        let mut strides = vec![1_u32; columns.len()];
        for column in (1..columns.len()).rev() {
            strides[column - 1] = strides[column] * columns[column].len() as u32;
        }
        let mut numbers = Vec::with_capacity(keys.len());
        let mut own = [0_u8; MOST];
        for _ in 0..keys.len() {
            numbers.push(own);
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

    /// How many words there are to each content of the first so many columns.
    #[inline]
    pub(super) fn words_of(&self, columns: usize) -> u32 {
        match columns {
            0 => self.len() as u32,
            _ => self.strides[columns - 1],
        }
    }
}

/// What every combination of contents adds to a key, the last column changing fastest.
fn sums(columns: &[&Fitting]) -> Vec<u64> {
    let mut sums = vec![0_u64];
    for fitting in columns {
        let longer = |&sum: &u64| fitting.keys.iter().map(move |key| sum + key);
        sums = sums.iter().flat_map(longer).collect();
    }
    sums
}

/// Shapes made so far: parts have most of them in common.
#[derive(Debug, Default)]
pub(super) struct Shapes {
    pub words: Vec<Word>,
    pub leads: Vec<Lead>,
    /// Tables of edges, see [`Shapes::table`].
    pub lists: Vec<u32>,
    /// By the trailing columns and their blocked cells.
    words_by: HashMap<(u64, u64), u32, foldhash::fast::FixedState>,
    /// By the leading columns and their blocked cells.
    leads_by: HashMap<(u64, u64), u32, foldhash::fast::FixedState>,
    /// By all that they depend on.
    tables_by: HashMap<u128, u32, foldhash::fast::FixedState>,
    /// Bits and words of all shapes.
    size: usize,
}

/// Bits and words of the shapes that are kept from part to part, and entries of tables: some tens
/// of megabytes.
const KEPT: usize = 1 << 22;

impl Shapes {
    /// Forgets all shapes where they have become many.
    pub(super) fn tidy(&mut self) {
        if self.size + self.lists.len() > KEPT {
            *self = Self::default();
        }
    }

    /// Where a table lies; it is made where there is none yet.
    #[inline]
    pub(super) fn table(&mut self, key: u128, make: impl FnOnce(&mut Vec<u32>)) -> u32 {
        let lists = &mut self.lists;
        *self.tables_by.entry(key).or_insert_with(|| {
            let first = lists.len() as u32;
            make(lists);
            first
        })
    }

    /// The shape of words of a block with these trailing columns.
    pub(super) fn word(&mut self, columns: &Columns, chosen: &[usize], blocked: &[u8; 8]) -> u32 {
        *self
            .words_by
            .entry(key(chosen, blocked))
            .or_insert_with(|| {
                let word = Word::new(&fitting(columns, chosen, blocked));
                self.size += word.keys.len();
                self.words.push(word);
                self.words.len() as u32 - 1
            })
    }

    /// The shape of a block with these leading columns.
    pub(super) fn lead(&mut self, columns: &Columns, chosen: &[usize], blocked: &[u8; 8]) -> u32 {
        *self
            .leads_by
            .entry(key(chosen, blocked))
            .or_insert_with(|| {
                let lead = Lead::new(&fitting(columns, chosen, blocked));
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
