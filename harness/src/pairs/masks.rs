//! Which balls a state lies in: one bit a ball, for all balls in one place, so that a
//! single look answers for every target.

use std::hash::BuildHasher;
use std::sync::atomic::Ordering::Relaxed;
use std::sync::{Mutex, PoisonError};

use foldhash::fast::RandomState;
use hashbrown::HashMap;
use puzzle_api::Key;

use super::space::{Hashed, Ranked, no_memory, words_for};
use crate::engine::EngineError;
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

impl Masked<u64> for Ranked {
    type Masks = RankMasks;
    fn masks(&self, balls: usize) -> Result<RankMasks, EngineError> {
        rank_masks(self.size, balls)
    }
}

impl Masked<u128> for Ranked {
    type Masks = RankMasks;
    fn masks(&self, balls: usize) -> Result<RankMasks, EngineError> {
        rank_masks(self.size, balls)
    }
}

fn rank_masks(size: u64, balls: usize) -> Result<RankMasks, EngineError> {
    let bytes = RankMasks::bytes(size, balls as u64);
    let words = Zeroed::new(bytes / 8).map_err(|error| no_memory(bytes, &error))?;
    Ok(RankMasks { words, balls })
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
pub(super) struct HashedMasks<K> {
    hasher: RandomState,
    shards: Vec<Mutex<Shard<K>>>,
    row: usize,
}

#[derive(Debug)]
struct Shard<K> {
    /// Number of each key's row.
    index: HashMap<K, u32, RandomState>,
    rows: Vec<u64>,
}

/// More than threads, so that they rarely wait for each other.
const SHARDS: usize = 64;

impl<K: Key> Masked<K> for Hashed {
    type Masks = HashedMasks<K>;
    fn masks(&self, balls: usize) -> Result<HashedMasks<K>, EngineError> {
        let shard = |_| {
            Mutex::new(Shard {
                index: HashMap::with_hasher(RandomState::default()),
                rows: Vec::new(),
            })
        };
        Ok(HashedMasks {
            hasher: RandomState::default(),
            shards: (0..SHARDS).map(shard).collect(),
            row: words_for(balls as u64) as usize,
        })
    }
}

impl<K: Key> HashedMasks<K> {
    fn shard(&self, id: K) -> std::sync::MutexGuard<'_, Shard<K>> {
        let at = self.hasher.hash_one(id) as usize % SHARDS;
        self.shards[at]
            .lock()
            .unwrap_or_else(PoisonError::into_inner)
    }
}

impl<K: Key> Masks<K> for HashedMasks<K> {
    fn insert(&self, id: K, ball: usize) {
        let mut shard = self.shard(id);
        let shard = &mut *shard;
        let next = shard.index.len() as u32;
        let row = *shard.index.entry(id).or_insert(next) as usize * self.row;
        if row == shard.rows.len() {
            shard.rows.resize(row + self.row, 0);
        }
        shard.rows[row + ball / 64] |= 1 << (ball % 64);
    }

    fn prefetch(&self, _id: K) {}

    fn balls(&self, id: K, wanted: &[u64], each: &mut dyn FnMut(usize)) {
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
