//! One partition of a visited set: bare keys, each once.
//!
//! Compared with our own table with linear probing: if most candidates are old, as in a search that
//! keeps all states, this takes two thirds of the time.

use foldhash::fast::FixedState;
use hashbrown::HashSet;
use puzzle_api::Key;

use crate::error::EngineError;

/// Bytes beyond which an emptied table that is far too large is released.
const WORTH_KEEPING: usize = 1 << 20;

/// A multiplicative hash with good high bits, which choose a partition. The table of a partition
/// uses another hash, or its keys would cluster.
#[inline]
pub(crate) fn mix(number: u128) -> u64 {
    let folded = (number as u64) ^ ((number >> 64) as u64).rotate_left(32);
    // The product alone leaves the low bits of neighbouring keys in order.
    let product = folded.wrapping_mul(0x9e37_79b9_7f4a_7c15);
    (product ^ (product >> 32)).wrapping_mul(0xd6e8_feb8_6659_fd93)
}

/// Stafford's mixer, as the article on Diamond-41 prints it.
#[inline]
#[must_use]
pub(crate) const fn stafford(mut x: u64) -> u64 {
    x = (x ^ (x >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    x = (x ^ (x >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
    x ^ (x >> 31)
}

/// The system provides no more memory.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct NoMemory;

impl From<NoMemory> for EngineError {
    fn from(NoMemory: NoMemory) -> Self {
        Self::Memory("the system gives no more memory".to_owned())
    }
}

/// Keys, each once.
#[derive(Debug, Clone)]
pub(crate) struct KeySet<K>(HashSet<K, FixedState>);

impl<K: Key> KeySet<K> {
    /// An empty set, with capacity for n keys.
    pub(crate) fn with_capacity(keys: usize) -> Self {
        Self(HashSet::with_capacity_and_hasher(
            keys,
            FixedState::default(),
        ))
    }

    /// Bytes of a set for n keys: slots are a power of two, an eighth of them free, with a control
    /// byte each.
    pub(crate) const fn bytes_for(keys: u64) -> u64 {
        let slots = match keys
            .saturating_add(keys / 7 + 1)
            .checked_next_power_of_two()
        {
            Some(slots) => slots,
            None => u64::MAX,
        };
        slots.saturating_mul(size_of::<K>() as u64 + 1)
    }

    /// Bytes taken.
    pub(crate) fn bytes(&self) -> u64 {
        self.0.allocation_size() as u64
    }

    /// Empties the set and gives it capacity for n keys.
    pub(crate) fn reset(&mut self, keys: usize) {
        if self.0.capacity() > 4 * keys && self.0.allocation_size() > WORTH_KEEPING {
            *self = Self::with_capacity(0);
        }
        self.0.clear();
        self.0.reserve(keys);
    }

    /// Adds a key; returns whether it was new.
    #[inline]
    pub(crate) fn insert(&mut self, key: K) -> bool {
        self.0.insert(key)
    }

    /// Like [`KeySet::insert`], if the system may provide no more memory.
    #[inline]
    pub(crate) fn try_insert(&mut self, key: K) -> Result<bool, NoMemory> {
        if self.0.len() == self.0.capacity() {
            self.0.try_reserve(1).map_err(|_| NoMemory)?;
        }
        Ok(self.0.insert(key))
    }

    /// Whether the key is in the set.
    #[inline]
    pub(crate) fn contains(&self, key: K) -> bool {
        self.0.contains(&key)
    }

    /// Number of keys.
    pub(crate) fn len(&self) -> usize {
        self.0.len()
    }

    /// Reads all keys in sequence, as a processor prefetches. In a table that no cache holds,
    /// random lookups would wait for each.
    pub(crate) fn fetch(&self) {
        let keys = self.keys().map(|key| key.to_u128() as u64);
        std::hint::black_box(keys.fold(0, |all, key| all ^ key));
    }

    /// The keys, in an arbitrary order; the same for the same keys and insertions.
    pub(crate) fn keys(&self) -> impl Iterator<Item = K> {
        self.0.iter().copied()
    }

    /// The keys, in an arbitrary order.
    pub(crate) fn into_keys(self) -> Vec<K> {
        self.0.into_iter().collect()
    }
}
