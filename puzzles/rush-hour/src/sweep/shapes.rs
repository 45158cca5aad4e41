//! Blocks of bits: all placements beside the same rows, a bit each.
//!
//! The contents of some columns, the *trailing* ones, are the place of a bit in a word; those
//! of the others, the *leading* ones, are the place of the word. Blocks in which the trailing
//! (or the leading) columns have the same blocked cells share a shape.

use super::columns::Fitting;

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
    chosen: Vec<Chosen>,
    /// By row and set of columns, one more than the place in that list; 0 for none.
    index: Vec<u16>,
    columns: u32,
}

/// The words in which some leading columns do not cover a row.
#[derive(Debug)]
struct Chosen {
    /// The words, ascending.
    words: Vec<u32>,
    /// Place of each word in that list, or [`NOWHERE`].
    places: Vec<u32>,
}

/// A word that is not chosen.
pub(super) const NOWHERE: u32 = u32::MAX;

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
            chosen: Vec::new(),
            index: vec![0; MOST << columns.len()],
            columns: columns.len() as u32,
        }
    }

    pub(super) fn len(&self) -> usize {
        self.keys.len()
    }

    /// Lists the words in which some leading columns do not cover a row.
    pub(super) fn choose(&mut self, columns: &[&Fitting], row: u8, chosen: u8) {
        let at = usize::from(row) << self.columns | usize::from(chosen);
        if chosen == 0 || self.index[at] != 0 {
            return;
        }
        let (mut words, mut places) = (Vec::new(), vec![NOWHERE; self.len()]);
        for (word, numbers) in self.numbers.iter().enumerate() {
            let covers = |column: usize| {
                let own = columns[column].covers[usize::from(numbers[column])];
                chosen >> column & 1 == 1 && own >> row & 1 == 1
            };
            if !(0..columns.len()).any(covers) {
                places[word] = words.len() as u32;
                words.push(word as u32);
            }
        }
        self.chosen.push(Chosen { words, places });
        self.index[at] = self.chosen.len() as u16;
    }

    #[inline]
    fn chosen(&self, row: u8, columns: u8) -> Option<&Chosen> {
        let at = usize::from(row) << self.columns | usize::from(columns);
        self.chosen.get(usize::from(self.index[at]).wrapping_sub(1))
    }

    /// Place of each word among those chosen; `None` where all are.
    #[inline]
    pub(super) fn places(&self, row: u8, columns: u8) -> Option<&[u32]> {
        self.chosen(row, columns).map(|chosen| &*chosen.places)
    }

    /// The words chosen; `None` where all are.
    #[inline]
    pub(super) fn words(&self, row: u8, columns: u8) -> Option<&[u32]> {
        self.chosen(row, columns).map(|chosen| &*chosen.words)
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
