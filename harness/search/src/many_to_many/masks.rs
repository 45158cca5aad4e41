//! The sides that contain a state: one bit per side, all in one place, so that a single lookup
//! answers for every target.

use std::hash::BuildHasher;
use std::sync::Mutex;
use std::sync::atomic::Ordering::Relaxed;

use foldhash::fast::RandomState;
use hashbrown::HashMap;
use puzzle_api::Key;

use crate::error::{EngineError, Result, locked};
use crate::ranks::Zeroed;
use antipode_graph::prefetch;

/// Number of rows by which a row is prefetched.
pub(super) const AHEAD: usize = 12;
/// Bits of a word.
const WORD: u64 = 64;

/// Words that hold `count` bits.
const fn words_for(count: u64) -> u64 {
    count.div_ceil(WORD)
}

/// Membership of states in a fixed number of sides, in the form that takes less memory.
pub(super) enum Masks<I> {
    /// A row for every rank.
    Dense(RankMasks),
    /// Rows only for the states in some side.
    Hashed(HashedMasks<I>),
}

impl<I: Key> Masks<I> {
    /// Masks of n sides; with a row for each rank, if there is memory for them.
    pub(super) fn new(sides: usize, ranks: Option<u64>) -> Result<Self> {
        Ok(match ranks {
            Some(size) => Self::Dense(RankMasks::new(size, sides)?),
            None => Self::Hashed(HashedMasks::new(sides)),
        })
    }

    /// Adds a state to a side.
    #[inline]
    pub(super) fn insert(&self, id: I, side: usize) {
        match self {
            Self::Dense(masks) => masks.insert(id.to_u128() as u64, side),
            Self::Hashed(masks) => masks.insert(id, side),
        }
    }

    /// Prefetches the row of a state.
    #[inline]
    pub(super) fn prefetch(&self, id: I) {
        if let Self::Dense(masks) = self {
            masks.prefetch(id.to_u128() as u64);
        }
    }

    /// Calls `each` for the wanted sides that contain a state, in order.
    #[inline]
    pub(super) fn sides(&self, id: I, wanted: &[u64], each: &mut dyn FnMut(usize)) {
        match self {
            Self::Dense(masks) => masks.sides(id.to_u128() as u64, wanted, each),
            Self::Hashed(masks) => masks.sides(id, wanted, each),
        }
    }
}

/// Calls `each` for the bits of a word, with the side of its lowest bit.
fn each_bit(mut word: u64, base: usize, each: &mut dyn FnMut(usize)) {
    while word != 0 {
        each(base + word.trailing_zeros() as usize);
        word &= word - 1;
    }
}

/// As many bits per rank as there are sides, without gaps: the row of rank r starts at bit
/// r * sides.
pub(super) struct RankMasks {
    words: Zeroed,
    sides: usize,
}

impl RankMasks {
    /// Bytes for a number of ranks and sides.
    pub(super) const fn bytes(size: u64, sides: u64) -> u64 {
        // One more word, so that the end of a row may be read together with the following bits.
        (words_for(size.saturating_mul(sides)) + 1) * 8
    }

    /// `count` bits from bit `start`, in the lowest bits of a word; `count` is 1 to 64.
    #[inline]
    fn bits(&self, start: u64, count: u32) -> u64 {
        let words = self.words.as_slice();
        let (word, shift) = ((start >> 6) as usize, start & 63);
        let low = words[word].load(Relaxed) >> shift;
        let joined = match shift {
            0 => low,
            _ => low | words[word + 1].load(Relaxed) << (64 - shift),
        };
        joined & (u64::MAX >> (64 - count))
    }

    fn new(size: u64, sides: usize) -> Result<Self> {
        let bytes = Self::bytes(size, sides as u64);
        let words = Zeroed::new(bytes / 8);
        let words = words.map_err(|error| EngineError::no_memory(bytes, &error))?;
        Ok(Self { words, sides })
    }

    #[inline]
    fn insert(&self, id: u64, side: usize) {
        let at = id * self.sides as u64 + side as u64;
        self.words.as_slice()[(at >> 6) as usize].fetch_or(1 << (at & 63), Relaxed);
    }

    #[inline]
    fn prefetch(&self, id: u64) {
        let at = id * self.sides as u64;
        if let Some(word) = self.words.as_slice().get((at >> 6) as usize) {
            prefetch(word);
        }
    }

    #[inline]
    fn sides(&self, id: u64, wanted: &[u64], each: &mut dyn FnMut(usize)) {
        let start = id * self.sides as u64;
        for (i, &wanted) in wanted.iter().enumerate() {
            let done = 64 * i;
            let count = (self.sides - done).min(64) as u32;
            let word = self.bits(start + done as u64, count) & wanted;
            each_bit(word, done, each);
        }
    }
}

/// Rows of bits by key, for the states in some side.
pub(super) struct HashedMasks<I> {
    hasher: RandomState,
    shards: Vec<Mutex<Shard<I>>>,
    row: usize,
}

struct Shard<I> {
    /// Number of each key's row.
    index: HashMap<I, u32, RandomState>,
    rows: Vec<u64>,
}

/// More shards than threads, so that they rarely wait for each other.
const SHARDS: usize = 64;

impl<I: Key> HashedMasks<I> {
    fn new(sides: usize) -> Self {
        let shard = |_| {
            Mutex::new(Shard {
                index: HashMap::with_hasher(RandomState::default()),
                rows: Vec::new(),
            })
        };
        Self {
            hasher: RandomState::default(),
            shards: (0..SHARDS).map(shard).collect(),
            row: words_for(sides as u64) as usize,
        }
    }

    fn shard(&self, id: I) -> std::sync::MutexGuard<'_, Shard<I>> {
        let at = self.hasher.hash_one(id) as usize % SHARDS;
        // A panic elsewhere ends the search; the rows stay valid.
        locked(&self.shards[at])
    }

    fn insert(&self, id: I, side: usize) {
        let mut shard = self.shard(id);
        let shard = &mut *shard;
        let next = shard.index.len() as u32;
        let row = *shard.index.entry(id).or_insert(next) as usize * self.row;
        if row == shard.rows.len() {
            shard.rows.resize(row + self.row, 0);
        }
        shard.rows[row + side / 64] |= 1 << (side % 64);
    }

    fn sides(&self, id: I, wanted: &[u64], each: &mut dyn FnMut(usize)) {
        let shard = self.shard(id);
        let Some(&row) = shard.index.get(&id) else {
            return;
        };
        let start = row as usize * self.row;
        for (i, wanted) in wanted.iter().enumerate() {
            each_bit(shard.rows[start + i] & wanted, 64 * i, each);
        }
    }
}
