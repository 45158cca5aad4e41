//! Which balls a state lies in: one bit a ball, for all balls in one place, so that a
//! single look answers for every target.

use std::hash::{BuildHasher, Hash};
use std::sync::atomic::Ordering::Relaxed;
use std::sync::{Mutex, PoisonError};

use foldhash::fast::RandomState;
use hashbrown::HashMap;
use puzzle_api::Key;

use super::keyed::Hashed;
use super::space::{Ranked, no_memory, words_for};
use crate::engines::EngineError;
use crate::ranks::{Zeroed, prefetch};

/// Membership of states in a fixed number of balls.
pub(super) trait Masks<I>: Sync {
    /// Puts a state into a ball.
    fn insert(&self, id: I, ball: usize);
    /// Announces a look.
    fn prefetch(&self, id: I);
    /// Calls `each` for those of the wanted balls that a state lies in, rising.
    fn balls(&self, id: I, wanted: &[u64], each: &mut dyn FnMut(usize));
}

/// Spaces that know how to keep masks.
pub(super) trait Masked<K: Key>: super::space::Space<K> {
    type Masks: Masks<Self::Id>;
    fn masks(&self, balls: usize) -> Result<Self::Masks, EngineError>;
}

/// Calls `each` for the bits of a word, with the ball of its lowest bit.
fn each_bit(mut word: u64, base: usize, each: &mut dyn FnMut(usize)) {
    while word != 0 {
        each(base + word.trailing_zeros() as usize);
        word &= word - 1;
    }
}

/// As many bits a rank as there are balls, without gaps: the row of rank r starts at bit
/// r * balls.
#[derive(Debug)]
pub(super) struct RankMasks {
    words: Zeroed,
    balls: usize,
}

impl RankMasks {
    /// Bytes for so many ranks and balls.
    pub(super) const fn bytes(size: u64, balls: u64) -> u64 {
        // One word more, so that a row's end may be read together with what follows.
        (words_for(size.saturating_mul(balls)) + 1) * 8
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
}

impl RankMasks {
    fn new(size: u64, balls: usize) -> Result<Self, EngineError> {
        let bytes = Self::bytes(size, balls as u64);
        let words = Zeroed::new(bytes / 8).map_err(|error| no_memory(bytes, &error))?;
        Ok(Self { words, balls })
    }
}

/// Marks of ranks, in whichever form takes less memory.
#[derive(Debug)]
pub(super) enum EitherMasks {
    /// A row for every rank.
    Dense(RankMasks),
    /// Rows for the ranks that lie in some ball.
    Hashed(HashedMasks<u32>),
}

impl<K: Key> Masked<K> for Ranked {
    type Masks = EitherMasks;
    fn masks(&self, balls: usize) -> Result<EitherMasks, EngineError> {
        Ok(match self.dense_marks {
            true => EitherMasks::Dense(RankMasks::new(self.size, balls)?),
            false => EitherMasks::Hashed(HashedMasks::new(balls)),
        })
    }
}

impl Masks<u32> for EitherMasks {
    #[inline]
    fn insert(&self, id: u32, ball: usize) {
        match self {
            Self::Dense(masks) => masks.insert(id, ball),
            Self::Hashed(masks) => masks.insert(id, ball),
        }
    }

    #[inline]
    fn prefetch(&self, id: u32) {
        if let Self::Dense(masks) = self {
            masks.prefetch(id);
        }
    }

    #[inline]
    fn balls(&self, id: u32, wanted: &[u64], each: &mut dyn FnMut(usize)) {
        match self {
            Self::Dense(masks) => masks.balls(id, wanted, each),
            Self::Hashed(masks) => masks.balls(id, wanted, each),
        }
    }
}

impl Masks<u32> for RankMasks {
    #[inline]
    fn insert(&self, id: u32, ball: usize) {
        let at = u64::from(id) * self.balls as u64 + ball as u64;
        self.words.as_slice()[(at >> 6) as usize].fetch_or(1 << (at & 63), Relaxed);
    }

    #[inline]
    fn prefetch(&self, id: u32) {
        let at = u64::from(id) * self.balls as u64;
        if let Some(word) = self.words.as_slice().get((at >> 6) as usize) {
            prefetch(word);
        }
    }

    #[inline]
    fn balls(&self, id: u32, wanted: &[u64], each: &mut dyn FnMut(usize)) {
        let start = u64::from(id) * self.balls as u64;
        for (i, &wanted) in wanted.iter().enumerate() {
            let done = 64 * i;
            let count = (self.balls - done).min(64) as u32;
            let word = self.bits(start + done as u64, count) & wanted;
            each_bit(word, done, each);
        }
    }
}

/// Rows of bits by key, for the states that lie in some ball.
#[derive(Debug)]
pub(super) struct HashedMasks<I> {
    hasher: RandomState,
    shards: Vec<Mutex<Shard<I>>>,
    row: usize,
}

#[derive(Debug)]
struct Shard<I> {
    /// Number of each key's row.
    index: HashMap<I, u32, RandomState>,
    rows: Vec<u64>,
}

/// More than threads, so that they rarely wait for each other.
const SHARDS: usize = 64;

impl<K: Key> Masked<K> for Hashed {
    type Masks = HashedMasks<K>;
    fn masks(&self, balls: usize) -> Result<HashedMasks<K>, EngineError> {
        Ok(HashedMasks::new(balls))
    }
}

impl<I: Copy + Eq + Hash + Send> HashedMasks<I> {
    fn new(balls: usize) -> Self {
        let shard = |_| {
            Mutex::new(Shard {
                index: HashMap::with_hasher(RandomState::default()),
                rows: Vec::new(),
            })
        };
        Self {
            hasher: RandomState::default(),
            shards: (0..SHARDS).map(shard).collect(),
            row: words_for(balls as u64) as usize,
        }
    }

    fn shard(&self, id: I) -> std::sync::MutexGuard<'_, Shard<I>> {
        let at = self.hasher.hash_one(id) as usize % SHARDS;
        // A panic elsewhere ends the search; the rows stay rows.
        self.shards[at]
            .lock()
            .unwrap_or_else(PoisonError::into_inner)
    }
}

impl<I: Copy + Eq + Hash + Send> Masks<I> for HashedMasks<I> {
    fn insert(&self, id: I, ball: usize) {
        let mut shard = self.shard(id);
        let shard = &mut *shard;
        let next = shard.index.len() as u32;
        let row = *shard.index.entry(id).or_insert(next) as usize * self.row;
        if row == shard.rows.len() {
            shard.rows.resize(row + self.row, 0);
        }
        shard.rows[row + ball / 64] |= 1 << (ball % 64);
    }

    fn prefetch(&self, _id: I) {}

    fn balls(&self, id: I, wanted: &[u64], each: &mut dyn FnMut(usize)) {
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
