//! The table of a part: a few bits per rank in words that all threads share.

use std::marker::PhantomData;
use std::ops::Range;
use std::sync::atomic::{AtomicU64, Ordering::Relaxed};

use crate::options::Representation;
use crate::parallel;
use crate::ranks::Zeroed;
use antipode_graph::prefetch;

/// The bits of a rank and their meaning.
pub(super) trait MarkForm: Send + Sync + 'static {
    /// Its name outside.
    const REPRESENTATION: Representation;
    /// Binary logarithm of the bits per rank.
    const LOG: u32;
    /// Greatest level that can be stored.
    const DEEPEST: u16;

    /// Bits of a rank of a level; never 0, which is a rank not reached.
    fn mark(depth: u16) -> u64;

    /// One bit for each field of a word that holds `mark`, packed at the low end.
    fn equal(word: u64, mark: u64) -> u64;

    /// Which of the 64 ranks of some words hold `mark`.
    fn all_equal(words: &[AtomicU64], mark: u64) -> u64 {
        let mut bits = 0;
        for (i, word) in words.iter().enumerate() {
            bits |= Self::equal(word.load(Relaxed), mark) << (i * (64 >> Self::LOG));
        }
        bits
    }
}

/// The distance plus one: complete information.
pub(super) struct Byte;
/// The distance modulo 3, plus one.
pub(super) struct TwoBits;
/// Reached or not.
pub(super) struct Bit;

impl MarkForm for Byte {
    const REPRESENTATION: Representation = Representation::Byte;
    const LOG: u32 = 3;
    const DEEPEST: u16 = 254;

    fn mark(depth: u16) -> u64 {
        u64::from(depth) + 1
    }

    fn equal(word: u64, mark: u64) -> u64 {
        const ONES: u64 = 0x0101_0101_0101_0101;
        const LOW: u64 = 0x7f7f_7f7f_7f7f_7f7f;
        let other = word ^ mark.wrapping_mul(ONES);
        // The top bit of each byte that is 0, exactly: no carry leaves a byte.
        let zero = !(((other & LOW) + LOW) | other | LOW);
        (zero >> 7).wrapping_mul(0x0102_0408_1020_4080) >> 56
    }

    #[cfg(target_arch = "x86_64")]
    #[allow(unsafe_code)]
    fn all_equal(words: &[AtomicU64], mark: u64) -> u64 {
        // SAFETY: every x86-64 processor has SSE2.
        unsafe { equal_bytes(words, mark as u8) }
    }
}

/// Like [`Byte::equal`], on two words at a time.
#[cfg(target_arch = "x86_64")]
#[target_feature(enable = "sse2")]
fn equal_bytes(words: &[AtomicU64], mark: u8) -> u64 {
    use std::arch::x86_64::{_mm_cmpeq_epi8, _mm_movemask_epi8, _mm_set_epi64x, _mm_set1_epi8};
    let mark = _mm_set1_epi8(mark as i8);
    let mut bits = 0;
    for (i, pair) in words.chunks_exact(2).enumerate() {
        let [low, high] = [0, 1].map(|at| pair[at].load(Relaxed) as i64);
        let equal = _mm_cmpeq_epi8(_mm_set_epi64x(high, low), mark);
        bits |= u64::from(_mm_movemask_epi8(equal) as u32) << (16 * i);
    }
    bits
}

impl MarkForm for TwoBits {
    const REPRESENTATION: Representation = Representation::TwoBits;
    const LOG: u32 = 1;
    const DEEPEST: u16 = crate::search::DEEPEST;

    fn mark(depth: u16) -> u64 {
        u64::from(depth % 3) + 1
    }

    fn equal(word: u64, mark: u64) -> u64 {
        const EVEN: u64 = 0x5555_5555_5555_5555;
        let other = word ^ (mark * EVEN);
        let mut bits = !(other | other >> 1) & EVEN;
        bits = (bits | bits >> 1) & 0x3333_3333_3333_3333;
        bits = (bits | bits >> 2) & 0x0f0f_0f0f_0f0f_0f0f;
        bits = (bits | bits >> 4) & 0x00ff_00ff_00ff_00ff;
        bits = (bits | bits >> 8) & 0x0000_ffff_0000_ffff;
        (bits | bits >> 16) & 0xffff_ffff
    }
}

impl MarkForm for Bit {
    const REPRESENTATION: Representation = Representation::Bit;
    const LOG: u32 = 0;
    const DEEPEST: u16 = crate::search::DEEPEST;

    fn mark(_depth: u16) -> u64 {
        1
    }

    fn equal(word: u64, mark: u64) -> u64 {
        if mark == 0 { !word } else { word }
    }
}

/// The ranks wanted from the words of a table.
#[derive(Debug, Clone, Copy)]
pub(super) enum Wanted {
    /// The level of this depth, if the frontier is full.
    Level(u16),
    /// Ranks that were not reached.
    Unreached,
}

/// Number of ranks by which a word is prefetched: far enough for memory to answer, near enough for
/// the first-level cache. Measured on random ranks of 834 million, in large pages, half of them
/// new, on a busy machine, best of three. Bytes: 85 ns per rank without prefetching, 34 with 16
/// ahead, 42 with 32, 63 with 64; two bits: 49, 44, 38, 39.
const AHEAD: usize = 32;

/// Words of a table that fits the processor's own caches: there, prefetching takes longer than
/// waiting.
const NEAR: usize = 1 << 19;

/// Words of 64 ranks that a thread handles at a time.
pub(super) const BLOCK: usize = 256;

/// Marks of all ranks of a part, and the data for finding a full frontier by scan.
///
/// While the frontier is a list, a table is only its marks. A full frontier is found in the marks
/// of [`Byte`]. In [`TwoBits`], they leave open whether a rank belongs to this level or to one
/// three, six, … before it. So a second set holds the ranks that are done. In [`Bit`], they leave
/// everything open. There the second set is 1 on the level being expanded (whose marks are 1) and
/// on the next (whose marks are still 0).
pub(super) struct DistanceArray<F> {
    size: u64,
    /// Whether one thread has it.
    alone: bool,
    marks: Zeroed,
    second: Option<Zeroed>,
    form: PhantomData<F>,
}

impl<F: MarkForm> DistanceArray<F> {
    /// An empty table, for one thread if `alone`; `second` makes it ready for a full
    /// frontier.
    ///
    /// # Errors
    /// If the system does not provide the memory.
    pub(super) fn new(size: u64, second: bool, alone: bool) -> std::io::Result<Self> {
        let blocks = size.div_ceil(64);
        Ok(Self {
            size,
            alone,
            marks: Zeroed::new(blocks << F::LOG)?,
            second: second.then(|| Zeroed::new(blocks)).transpose()?,
            form: PhantomData,
        })
    }

    /// Whether a full frontier can be found by scan.
    pub(super) fn holds_full_frontier(&self) -> bool {
        F::REPRESENTATION == Representation::Byte || self.second.is_some()
    }

    /// Words of 64 ranks.
    pub(super) fn blocks(&self) -> usize {
        self.size.div_ceil(64) as usize
    }

    fn second(&self) -> &[AtomicU64] {
        self.second.as_ref().map_or(&[], Zeroed::as_slice)
    }

    fn word(&self, rank: u64) -> (&AtomicU64, u32) {
        let word = &self.marks.as_slice()[(rank >> (6 - F::LOG)) as usize];
        (word, ((rank << F::LOG) & 63) as u32)
    }

    /// Marks the ranks that are not reached yet with a level, and passes each to `new`, on one
    /// thread only. All threads write the same mark, so an `or` cannot mix two.
    pub(super) fn enter(&self, ranks: &[u64], depth: u16, mut new: impl FnMut(u64)) {
        let mark = F::mark(depth);
        let field = (1 << (1 << F::LOG)) - 1;
        self.each_fetched(ranks, |rank| {
            let (word, shift) = self.word(rank);
            // Most ranks met are old: a load does not take the cache line from other cores.
            if (word.load(Relaxed) >> shift) & field == 0
                && (word.fetch_or(mark << shift, Relaxed) >> shift) & field == 0
            {
                new(rank);
            }
        });
    }

    /// Like [`Table::enter`] while the frontier is full; returns the number of new ranks.
    pub(super) fn enter_full(&self, ranks: &[u64], depth: u16) -> u64 {
        let mut count = 0;
        if F::REPRESENTATION == Representation::Byte && self.alone {
            // Nobody can foresee which ranks are new: without a jump, no wrong guess costs time.
            let (bytes, mark) = (self.marks.as_bytes(), F::mark(depth) as u8);
            self.each_fetched(ranks, |rank| {
                let byte = &bytes[Zeroed::at(rank)];
                let old = byte.load(Relaxed);
                let new = u8::from(old == 0);
                byte.store(old | (mark * new), Relaxed);
                count += u64::from(new);
            });
            return count;
        }
        if F::REPRESENTATION != Representation::Bit {
            self.enter(ranks, depth, |_| count += 1);
            return count;
        }
        let next = self.second();
        self.each_fetched(ranks, |rank| {
            let (word, shift) = self.word(rank);
            if (word.load(Relaxed) >> shift) & 1 == 0 {
                count += u64::from(insert(next, rank));
            }
        });
        count
    }

    fn each_fetched(&self, ranks: &[u64], mut visit: impl FnMut(u64)) {
        if self.marks.as_slice().len() <= NEAR {
            ranks.iter().copied().for_each(visit);
            return;
        }
        for &rank in &ranks[..ranks.len().min(AHEAD)] {
            prefetch(self.word(rank).0);
        }
        for (i, &rank) in ranks.iter().enumerate() {
            if let Some(&later) = ranks.get(i + AHEAD) {
                prefetch(self.word(later).0);
            }
            visit(rank);
        }
    }

    /// Records ranks of the next level, entered while it was still a list, for the scan.
    pub(super) fn spill(&self, ranks: &[u64]) {
        let set = self.second();
        if F::REPRESENTATION != Representation::Byte {
            for &rank in ranks {
                insert(set, rank);
            }
        }
    }

    /// Switches from a list to a full frontier: everything of level `depth` was spilled.
    pub(super) fn fill(&self) {
        if F::REPRESENTATION == Representation::TwoBits {
            self.each_block(|block, second| !self.gather(block, 0) & !second);
        }
    }

    /// Ends level `depth` of a full frontier: the next level becomes the frontier.
    pub(super) fn advance(&self, depth: u16) {
        match F::REPRESENTATION {
            Representation::Byte => {}
            Representation::TwoBits => {
                let mark = F::mark(depth);
                self.each_block(|block, done| done | self.gather(block, mark));
            }
            Representation::Bit => self.each_block(|block, next| {
                let word = &self.marks.as_slice()[block];
                let reached = word.load(Relaxed);
                word.store(reached | next, Relaxed);
                next & !reached
            }),
        }
    }

    /// Returns to a list: the second set is empty again.
    pub(super) fn empty(&self) {
        if self.second.is_some() {
            self.each_block(|_, _| 0);
        }
    }

    /// Rewrites the second set, 64 ranks at a time.
    fn each_block(&self, rewrite: impl Fn(usize, u64) -> u64 + Sync) {
        let second = self.second();
        let piece = |piece: usize| {
            let start = piece * BLOCK;
            let end = second.len().min(start + BLOCK);
            for (block, word) in (start..end).zip(&second[start..end]) {
                let old = word.load(Relaxed);
                let new = rewrite(block, old);
                // Pages that stay zero are never allocated by the system.
                if new != old {
                    word.store(new, Relaxed);
                }
            }
        };
        parallel::each(second.len().div_ceil(BLOCK), &piece);
    }

    /// Which of 64 ranks have a mark.
    fn gather(&self, block: usize, mark: u64) -> u64 {
        let words = &self.marks.as_slice()[block << F::LOG..(block + 1) << F::LOG];
        let bits = F::all_equal(words, mark);
        let left = self.size - (block as u64) * 64;
        if left < 64 {
            bits & ((1 << left) - 1)
        } else {
            bits
        }
    }

    fn found(&self, block: usize, wanted: Wanted) -> u64 {
        let depth = match wanted {
            Wanted::Unreached => return self.gather(block, 0),
            Wanted::Level(depth) => depth,
        };
        let marked = self.gather(block, F::mark(depth));
        match F::REPRESENTATION {
            Representation::Byte => marked,
            Representation::TwoBits => marked & !self.second()[block].load(Relaxed),
            Representation::Bit => marked & self.second()[block].load(Relaxed),
        }
    }

    /// A level of a full frontier as a list, sorted.
    pub(super) fn level(&self, depth: u16) -> Vec<u64> {
        let piece = |start: usize| {
            let mut ranks = Vec::new();
            let end = self.blocks().min(start + BLOCK);
            self.scan(start..end, Wanted::Level(depth), &mut ranks);
            ranks
        };
        parallel::map((0..self.blocks()).step_by(BLOCK), piece).concat()
    }

    /// Appends the wanted ranks of a range of words, sorted.
    pub(super) fn scan(&self, blocks: Range<usize>, wanted: Wanted, out: &mut Vec<u64>) {
        for block in blocks {
            let mut bits = self.found(block, wanted);
            while bits != 0 {
                out.push((block as u64) << 6 | u64::from(bits.trailing_zeros()));
                bits &= bits - 1;
            }
        }
    }
}

/// Inserts a rank into a set of bits; returns whether it is new.
fn insert(set: &[AtomicU64], rank: u64) -> bool {
    let (word, bit) = (&set[(rank >> 6) as usize], 1 << (rank & 63));
    word.load(Relaxed) & bit == 0 && word.fetch_or(bit, Relaxed) & bit == 0
}
