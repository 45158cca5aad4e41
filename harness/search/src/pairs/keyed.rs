//! States named by their keys, in hash sets: for puzzles without a numbering that fits.

use std::borrow::Cow;
use std::hash::BuildHasher;
use std::sync::{Mutex, PoisonError};

use foldhash::fast::RandomState;
use hashbrown::HashSet;
use puzzle_api::{Direction, Key};
use rayon::prelude::*;

use super::space::{BLOCK_STATES, Level, Space, block_of};
use crate::engines::EngineError;
use antipode_graph::{Expansion, Graph, PluginError};

/// Shards of a hash set: more than threads, so that they rarely wait for each other.
const SHARDS: usize = 64;

/// Keys themselves: no numbering is needed, and memory grows with what is met.
#[derive(Debug, Clone, Copy)]
pub(super) struct Hashed;

/// A hash set in shards, each behind its own lock.
#[derive(Debug)]
pub(super) struct HashedSet<K> {
    hasher: RandomState,
    shards: Vec<Mutex<HashSet<K, RandomState>>>,
}

impl<K: Key> HashedSet<K> {
    fn new() -> Self {
        let shard = |_| Mutex::new(HashSet::with_hasher(RandomState::default()));
        Self {
            hasher: RandomState::default(),
            shards: (0..SHARDS).map(shard).collect(),
        }
    }
}

impl<K: Key> Space<K> for Hashed {
    type Id = K;
    type Seen = HashedSet<K>;
    type Level = Vec<K>;
    type Buffers = Expansion<K>;

    fn seen(&self) -> Result<HashedSet<K>, EngineError> {
        Ok(HashedSet::new())
    }

    fn insert(seen: &HashedSet<K>, id: K) -> bool {
        let shard = seen.hasher.hash_one(id) as usize % SHARDS;
        // A panic elsewhere ends the search; the set stays a set.
        let mut shard = seen.shards[shard]
            .lock()
            .unwrap_or_else(PoisonError::into_inner);
        shard.insert(id)
    }

    fn prefetch(_seen: &HashedSet<K>, _id: K) {}

    fn level(&self) -> Vec<K> {
        Vec::new()
    }

    fn ids(
        &self,
        _graph: &Graph<K>,
        keys: &[K],
        _scratch: &mut Vec<u64>,
        out: &mut Vec<K>,
    ) -> Result<(), PluginError> {
        out.clear();
        out.extend_from_slice(keys);
        Ok(())
    }

    fn neighbours(
        &self,
        graph: &Graph<K>,
        direction: Direction,
        ids: &[K],
        buffers: &mut Expansion<K>,
        out: &mut Vec<K>,
    ) -> Result<(), PluginError> {
        graph.expand(direction, ids, buffers)?;
        out.clear();
        out.extend_from_slice(buffers.keys());
        Ok(())
    }

    fn keys(
        &self,
        _graph: &Graph<K>,
        ids: &[K],
        _scratch: &mut Vec<u64>,
        out: &mut Vec<K>,
    ) -> Result<(), PluginError> {
        out.clear();
        out.extend_from_slice(ids);
        Ok(())
    }
}

impl<K: Key> Level<K> for Vec<K> {
    fn add(&mut self, ids: Vec<K>) -> Result<(), EngineError> {
        self.extend(ids);
        Ok(())
    }

    fn finish(&mut self) {
        self.par_sort_unstable();
    }

    fn states(&self) -> u64 {
        self.len() as u64
    }

    fn bytes(&self) -> u64 {
        size_of_val(self.as_slice()) as u64
    }

    fn contains(&self, id: K) -> bool {
        self.binary_search(&id).is_ok()
    }

    fn blocks(&self) -> usize {
        self.len().div_ceil(BLOCK_STATES)
    }

    fn block(&self, at: usize) -> Cow<'_, [K]> {
        Cow::Borrowed(block_of(self, at))
    }
}
