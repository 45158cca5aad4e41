//! Sets of ranks, one bit each, in one block of memory shared by many threads.

use std::sync::atomic::{AtomicU8, AtomicU64, Ordering::Relaxed};

use antipode_graph::prefetch;
use memmap2::MmapMut;

/// A set of ranks below a fixed size: `size / 8` bytes, initially zero, which the system allocates
/// page by page when written.
///
/// Inserting is one atomic operation, and exactly one thread sees that a rank is new.
#[derive(Debug)]
pub struct RankSet {
    words: Zeroed,
    size: u64,
}

impl RankSet {
    /// An empty set for ranks below `size`.
    ///
    /// # Errors
    /// If the system does not provide the memory.
    pub fn new(size: u64) -> std::io::Result<Self> {
        Ok(Self {
            words: Zeroed::new(size.div_ceil(64))?,
            size,
        })
    }

    /// Bytes of a set for ranks below `size`.
    pub const fn bytes(size: u64) -> u64 {
        size.div_ceil(64) * 8
    }

    /// Greatest number of ranks.
    pub const fn size(&self) -> u64 {
        self.size
    }

    /// Inserts a rank; returns whether it is new.
    ///
    /// # Panics
    /// If `rank` is beyond the set: callers check the ranks from a puzzle.
    #[inline]
    #[must_use]
    pub fn insert(&self, rank: u64) -> bool {
        let (word, bit) = self.at(rank);
        // Most ranks met are old: a load does not take the cache line from other cores.
        word.load(Relaxed) & bit == 0 && word.fetch_or(bit, Relaxed) & bit == 0
    }

    /// Inserts a rank if no other thread has the set, without locking the bus, which would take
    /// longer than everything else.
    ///
    /// # Panics
    /// If `rank` is beyond the set.
    #[inline]
    pub fn insert_alone(&mut self, rank: u64) {
        let (word, bit) = self.at(rank);
        word.store(word.load(Relaxed) | bit, Relaxed);
    }

    /// Whether a rank is in the set.
    ///
    /// # Panics
    /// If `rank` is beyond the set.
    #[inline]
    pub fn contains(&self, rank: u64) -> bool {
        let (word, bit) = self.at(rank);
        word.load(Relaxed) & bit != 0
    }

    #[inline]
    fn at(&self, rank: u64) -> (&AtomicU64, u64) {
        (&self.words()[(rank >> 6) as usize], 1 << (rank & 63))
    }

    /// Prefetches the word of a rank.
    #[inline]
    pub fn prefetch(&self, rank: u64) {
        if let Some(word) = self.words().get((rank >> 6) as usize) {
            prefetch(word);
        }
    }

    /// The bits, 64 ranks per word, the lowest rank in the lowest bit.
    #[inline]
    pub fn words(&self) -> &[AtomicU64] {
        self.words.as_slice()
    }

    /// Number of ranks in the set; reads all of it.
    pub fn len(&self) -> u64 {
        let ones = |word: &AtomicU64| u64::from(word.load(Relaxed).count_ones());
        self.words().iter().map(ones).sum()
    }

    /// Whether the set is empty; reads all of it.
    pub fn is_empty(&self) -> bool {
        self.words().iter().all(|word| word.load(Relaxed) == 0)
    }

    /// Ranks in the set, sorted, of the words in a range.
    pub fn ranks_in(&self, words: std::ops::Range<usize>) -> impl Iterator<Item = u64> + '_ {
        words.flat_map(move |at| {
            let mut word = self.words()[at].load(Relaxed);
            std::iter::from_fn(move || {
                (word != 0).then(|| {
                    let bit = word.trailing_zeros();
                    word &= word - 1;
                    (at as u64) << 6 | u64::from(bit)
                })
            })
        })
    }
}

/// Words of zeros from the system: anonymous memory, in large pages if it has them. Random lookups
/// would otherwise miss the page tables as often as the caches.
#[derive(Debug)]
pub struct Zeroed {
    map: MmapMut,
    words: usize,
}

impl Zeroed {
    /// `words` words of zeros.
    ///
    /// # Errors
    /// If the system does not provide the memory.
    pub fn new(words: u64) -> std::io::Result<Self> {
        let bytes = usize::try_from(words.max(1).saturating_mul(8))
            .map_err(|_| std::io::Error::from(std::io::ErrorKind::OutOfMemory))?;
        let map = MmapMut::map_anon(bytes)?;
        // A hint only: without large pages everything works, but more slowly.
        #[cfg(target_os = "linux")]
        let _ = map.advise(memmap2::Advice::HugePage);
        Ok(Self {
            map,
            words: words as usize,
        })
    }

    /// The words.
    #[allow(unsafe_code)]
    #[inline]
    pub fn as_slice(&self) -> &[AtomicU64] {
        // SAFETY: the map is private to this value, lives as long as it and is aligned to a page.
        // It holds `words` words of defined bytes, and is only ever accessed through atomics.
        unsafe { std::slice::from_raw_parts(self.map.as_ptr().cast::<AtomicU64>(), self.words) }
    }

    /// The same byte by byte, for a thread that has them alone.
    #[allow(unsafe_code)]
    #[inline]
    pub(crate) fn as_bytes(&self) -> &[AtomicU8] {
        // SAFETY: as above.
        unsafe { std::slice::from_raw_parts(self.map.as_ptr().cast::<AtomicU8>(), self.words * 8) }
    }

    /// Where the nth byte of the words is, the lowest of each first.
    #[inline]
    pub(crate) const fn at(byte: u64) -> usize {
        byte as usize ^ if cfg!(target_endian = "big") { 7 } else { 0 }
    }
}
