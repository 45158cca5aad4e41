//! One level after another, forward or backward, by all threads at once.

use std::collections::BTreeMap;
use std::sync::atomic::{AtomicU64, Ordering::Relaxed};

use puzzle_api::{Direction, Key};
use rayon::prelude::*;

use super::space::{Level, Space};
use crate::digest::hash_keys;
use crate::engines::EngineError;
use crate::progress::Progress;
use antipode_graph::Graph;

/// States expanded in one call: their neighbours, with ranks and all, stay in the
/// second-level cache.
const CHUNK: usize = 512;
/// How far ahead of its use a word is fetched.
const AHEAD: usize = 12;

/// What a level's new states are shown to.
pub(super) trait Visitor<I>: Sync {
    /// Announces a state.
    fn prefetch(&self, id: I);
    /// Looks at a new state; what is to be kept goes to `kept`.
    fn visit(&self, id: I, kept: &mut Vec<(usize, I)>);
    /// Asked after each block with what was kept so far: whether the rest of the level
    /// does not matter any more.
    fn enough(&self, kept: &BTreeMap<usize, I>) -> bool;
}

/// The level that follows, or as much of it as was wanted.
pub(super) struct Next<L, I> {
    /// Its states.
    pub level: L,
    /// Sum of the hashes of its states' keys.
    pub digest: u128,
    /// What the visitor kept: of each number the smallest state.
    pub kept: BTreeMap<usize, I>,
    /// Whether this is the whole level.
    pub whole: bool,
}

/// A search from one state.
pub(super) struct Walk<'a, K: Key, S: Space<K>> {
    pub graph: &'a Graph<K>,
    pub space: &'a S,
    pub direction: Direction,
    pub seen: S::Seen,
    pub progress: &'a Progress,
    /// States expanded.
    pub expanded: &'a AtomicU64,
}

/// Buffers of a thread.
struct Scratch<K: Key, S: Space<K>> {
    space: S::Buffers,
    neighbours: Vec<S::Id>,
    ranks: Vec<u64>,
    keys: Vec<K>,
    low: Vec<u64>,
    high: Vec<u64>,
}

impl<K: Key, S: Space<K>> Default for Scratch<K, S> {
    fn default() -> Self {
        Self {
            space: S::Buffers::default(),
            neighbours: Vec::new(),
            ranks: Vec::new(),
            keys: Vec::new(),
            low: Vec::new(),
            high: Vec::new(),
        }
    }
}

struct Piece<I> {
    new: Vec<I>,
    digest: u128,
    kept: Vec<(usize, I)>,
}

/// Sum of the hashes of keys: the level digest where orbits are single states.
pub(super) fn digest_of<K: Key>(keys: &[K], low: &mut Vec<u64>, high: &mut Vec<u64>) -> u128 {
    hash_keys(keys, low, high);
    let words = low.iter().zip(high.iter());
    words.fold(0, |sum: u128, (&low, &high)| {
        sum.wrapping_add(u128::from(high) << 64 | u128::from(low))
    })
}

/// The next level in a space.
type NextIn<K, S> = Next<<S as Space<K>>::Level, <S as Space<K>>::Id>;

impl<K: Key, S: Space<K>> Walk<'_, K, S> {
    /// The level of the one state that the search starts from.
    pub(super) fn start(&self, key: K) -> Result<(S::Level, S::Id), EngineError> {
        let mut ids = Vec::new();
        self.space
            .ids(self.graph, &[key], &mut Vec::new(), &mut ids)?;
        let id = ids[0];
        let _ = S::insert(&self.seen, id);
        let mut level = self.space.level();
        level.add(ids)?;
        level.finish();
        Ok((level, id))
    }

    /// The states that one step leads to from a level and that were not seen before.
    ///
    /// The level is worked through in blocks whose bounds depend on the level alone. So
    /// where the visitor ends it early, it does so at the same place on any number of
    /// threads. `None` where the user asked to stop.
    pub(super) fn next(
        &self,
        level: &S::Level,
        visitor: &dyn Visitor<S::Id>,
    ) -> Result<Option<NextIn<K, S>>, EngineError> {
        let mut next = Next {
            level: self.space.level(),
            digest: 0,
            kept: BTreeMap::new(),
            whole: true,
        };
        let blocks = level.blocks();
        for at in 0..blocks {
            if self.progress.stopping() {
                return Ok(None);
            }
            let block = level.block(at);
            let chunks = block.par_chunks(CHUNK);
            let expand = |scratch: &mut Scratch<K, S>, ids| self.expand(scratch, ids, visitor);
            let pieces = chunks.map_init(Scratch::default, expand);
            for piece in pieces.collect::<Result<Vec<_>, EngineError>>()? {
                next.level.add(piece.new)?;
                next.digest = next.digest.wrapping_add(piece.digest);
                for (number, id) in piece.kept {
                    let least = next.kept.entry(number).or_insert(id);
                    *least = id.min(*least);
                }
            }
            self.expanded.fetch_add(block.len() as u64, Relaxed);
            self.progress.expanded(block.len() as u64);
            if at + 1 < blocks && visitor.enough(&next.kept) {
                next.whole = false;
                break;
            }
        }
        next.level.finish();
        Ok(Some(next))
    }

    fn expand(
        &self,
        scratch: &mut Scratch<K, S>,
        ids: &[S::Id],
        visitor: &dyn Visitor<S::Id>,
    ) -> Result<Piece<S::Id>, EngineError> {
        let neighbours = &mut scratch.neighbours;
        let buffers = &mut scratch.space;
        self.space
            .neighbours(self.graph, self.direction, ids, buffers, neighbours)?;
        let mut new = Vec::new();
        for (i, &id) in neighbours.iter().enumerate() {
            if let Some(&ahead) = neighbours.get(i + AHEAD) {
                S::prefetch(&self.seen, ahead);
            }
            if S::insert(&self.seen, id) {
                new.push(id);
            }
        }
        let (ranks, keys) = (&mut scratch.ranks, &mut scratch.keys);
        self.space.keys(self.graph, &new, ranks, keys)?;
        let mut kept = Vec::new();
        for (i, &id) in new.iter().enumerate() {
            if let Some(&ahead) = new.get(i + AHEAD) {
                visitor.prefetch(ahead);
            }
            visitor.visit(id, &mut kept);
        }
        Ok(Piece {
            digest: digest_of(keys, &mut scratch.low, &mut scratch.high),
            new,
            kept,
        })
    }
}
