//! How a search over many pairs names states: by rank, in bit sets, where the numbering
//! fits; by key, in hash sets (`keyed`), everywhere else.

use std::borrow::Cow;
use std::fmt::Debug;
use std::hash::Hash;

use puzzle_api::{Direction, Key};
use rayon::prelude::*;

use crate::engines::EngineError;
use crate::ranks::RankSet;
use antipode_graph::{Graph, PluginError, RankExpansion};

/// Ranks a word of a bit set holds.
const WORD: u64 = 64;
/// Words of a bit set that make a block of a level.
const BLOCK_WORDS: usize = 1 << 14;
/// States of a list that make a block of a level.
pub(super) const BLOCK_STATES: usize = 1 << 16;

/// Names of states, sets of them and levels.
pub(super) trait Space<K: Key>: Sync {
    /// Name of a state.
    type Id: Copy + Ord + Hash + Debug + Send + Sync;
    /// A set that threads insert into together.
    type Seen: Sync;
    /// A finished set of states that lie at one distance.
    type Level: Level<Self::Id>;
    /// Buffers of a thread.
    type Buffers: Default + Send;

    /// An empty set.
    fn seen(&self) -> Result<Self::Seen, EngineError>;
    /// Inserts a state; whether it is new. Exactly one thread is told so.
    fn insert(seen: &Self::Seen, id: Self::Id) -> bool;
    /// Announces that a state is about to be inserted.
    fn prefetch(seen: &Self::Seen, id: Self::Id);
    /// An empty level.
    fn level(&self) -> Self::Level;
    /// Names of states.
    fn ids(
        &self,
        graph: &Graph<K>,
        keys: &[K],
        scratch: &mut Vec<u64>,
        out: &mut Vec<Self::Id>,
    ) -> Result<(), PluginError>;
    /// All successors or predecessors of states, in any order, some of them often.
    fn neighbours(
        &self,
        graph: &Graph<K>,
        direction: Direction,
        ids: &[Self::Id],
        buffers: &mut Self::Buffers,
        out: &mut Vec<Self::Id>,
    ) -> Result<(), PluginError>;
    /// States by name.
    fn keys(
        &self,
        graph: &Graph<K>,
        ids: &[Self::Id],
        scratch: &mut Vec<u64>,
        out: &mut Vec<K>,
    ) -> Result<(), PluginError>;
}

/// States at one distance, rising.
pub(super) trait Level<I: Copy>: Send + Sync {
    /// Adds states that are not in it.
    fn add(&mut self, ids: Vec<I>) -> Result<(), EngineError>;
    /// Brings it in order; before that, only [`Level::add`] may be called.
    fn finish(&mut self);
    /// Number of states.
    fn states(&self) -> u64;
    /// Bytes of memory.
    fn bytes(&self) -> u64;
    /// Whether a state is in it.
    fn contains(&self, id: I) -> bool;
    /// Number of blocks that the level is worked through in.
    fn blocks(&self) -> usize;
    /// One block, rising; all are disjoint, and each rises above the one before.
    fn block(&self, at: usize) -> Cow<'_, [I]>;
}

/// Ranks of one part, as 32-bit numbers.
#[derive(Debug, Clone, Copy)]
pub(super) struct Ranked {
    pub part: u64,
    pub size: u64,
    /// Whether there is memory for marks of every rank.
    pub dense_marks: bool,
}

impl<K: Key> Space<K> for Ranked {
    type Id = u32;
    type Seen = RankSet;
    type Level = RankLevel;
    type Buffers = (Vec<u64>, RankExpansion<K>);

    fn seen(&self) -> Result<RankSet, EngineError> {
        RankSet::new(self.size).map_err(|error| no_memory(RankSet::bytes(self.size), &error))
    }

    #[inline]
    fn insert(seen: &RankSet, id: u32) -> bool {
        seen.insert(id.into())
    }

    #[inline]
    fn prefetch(seen: &RankSet, id: u32) {
        seen.prefetch(id.into());
    }

    fn level(&self) -> RankLevel {
        RankLevel {
            size: self.size,
            list: Vec::new(),
            bits: None,
            states: 0,
        }
    }

    fn ids(
        &self,
        graph: &Graph<K>,
        keys: &[K],
        scratch: &mut Vec<u64>,
        out: &mut Vec<u32>,
    ) -> Result<(), PluginError> {
        graph.ranks(self.part, self.size, keys, scratch)?;
        out.clear();
        // Ranks lie below `size`, which fits 32 bits.
        out.extend(scratch.iter().map(|&rank| rank as u32));
        Ok(())
    }

    fn neighbours(
        &self,
        graph: &Graph<K>,
        direction: Direction,
        ids: &[u32],
        (ranks, expansion): &mut (Vec<u64>, RankExpansion<K>),
        out: &mut Vec<u32>,
    ) -> Result<(), PluginError> {
        ranks.clear();
        ranks.extend(ids.iter().map(|&rank| u64::from(rank)));
        graph.neighbour_ranks(direction, self.part, self.size, ranks, expansion)?;
        out.clear();
        out.extend(expansion.ranks().iter().map(|&rank| rank as u32));
        Ok(())
    }

    fn keys(
        &self,
        graph: &Graph<K>,
        ids: &[u32],
        scratch: &mut Vec<u64>,
        out: &mut Vec<K>,
    ) -> Result<(), PluginError> {
        scratch.clear();
        scratch.extend(ids.iter().map(|&rank| u64::from(rank)));
        graph.unrank(self.part, scratch, out)
    }
}

/// What is said where the system does not give memory.
pub(super) fn no_memory(bytes: u64, error: &std::io::Error) -> EngineError {
    EngineError::CannotHold(format!(
        "{} of memory were not to be had ({error}); free some, or give a smaller --memory",
        crate::memory::human(bytes)
    ))
}

/// Ranks as a sorted list while they are few, then as a bit set.
#[derive(Debug)]
pub(super) struct RankLevel {
    size: u64,
    list: Vec<u32>,
    bits: Option<RankSet>,
    states: u64,
}

impl RankLevel {
    /// Beyond this many states a bit set takes less than a list of four bytes each.
    fn most_listed(&self) -> u64 {
        self.size / 32
    }
}

impl Level<u32> for RankLevel {
    fn add(&mut self, ids: Vec<u32>) -> Result<(), EngineError> {
        self.states += ids.len() as u64;
        if self.bits.is_none() && self.states > self.most_listed().max(BLOCK_STATES as u64) {
            let bytes = RankSet::bytes(self.size);
            let bits = RankSet::new(self.size).map_err(|error| no_memory(bytes, &error))?;
            insert_all(&bits, &std::mem::take(&mut self.list));
            self.bits = Some(bits);
        }
        match &self.bits {
            Some(bits) => insert_all(bits, &ids),
            None if self.list.is_empty() => self.list = ids,
            None => self.list.extend(ids),
        }
        Ok(())
    }

    fn finish(&mut self) {
        self.list.par_sort_unstable();
        self.list.shrink_to_fit();
    }

    fn states(&self) -> u64 {
        self.states
    }

    fn bytes(&self) -> u64 {
        let bits = self.bits.as_ref().map_or(0, |_| RankSet::bytes(self.size));
        bits + 4 * self.list.len() as u64
    }

    fn contains(&self, id: u32) -> bool {
        match &self.bits {
            Some(bits) => bits.contains(id.into()),
            None => self.list.binary_search(&id).is_ok(),
        }
    }

    fn blocks(&self) -> usize {
        match &self.bits {
            Some(bits) => bits.words().len().div_ceil(BLOCK_WORDS),
            None => self.list.len().div_ceil(BLOCK_STATES),
        }
    }

    fn block(&self, at: usize) -> Cow<'_, [u32]> {
        match &self.bits {
            Some(bits) => {
                let end = bits.words().len().min((at + 1) * BLOCK_WORDS);
                let ranks = bits.ranks_in(at * BLOCK_WORDS..end);
                Cow::Owned(ranks.map(|rank| rank as u32).collect())
            }
            None => Cow::Borrowed(block_of(&self.list, at)),
        }
    }
}

fn insert_all(bits: &RankSet, ids: &[u32]) {
    ids.par_chunks(1 << 12).for_each(|ids| {
        for &id in ids {
            // Whether it is new was found out before it came here.
            let _ = bits.insert(id.into());
        }
    });
}

/// The states of a block of a list.
pub(super) fn block_of<I>(list: &[I], at: usize) -> &[I] {
    let end = list.len().min((at + 1) * BLOCK_STATES);
    &list[at * BLOCK_STATES..end]
}

/// Words that hold `count` bits.
pub(super) const fn words_for(count: u64) -> u64 {
    count.div_ceil(WORD)
}
