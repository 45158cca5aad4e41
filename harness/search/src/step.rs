//! One step of a search: the states one move from a level that were not met before, by all
//! threads at once, with their digest; they are shown to a visitor and handed to a writer.

use std::collections::BTreeMap;

use puzzle_api::Key;
use rayon::prelude::*;

use crate::digest::sum_of;
use crate::error::EngineError;
use crate::level::{Level, Writer};
use crate::space::{Around, Space};
use crate::steps::{BATCH, Steps};
use crate::visited::VisitedSet;
use antipode_graph::Graph;

/// States by rank expanded in one call: their neighbours, with ranks and all, stay in the
/// second-level cache.
const RANKS_AT_ONCE: usize = 512;

/// What a level's new states are shown to.
pub(crate) trait Visitor<I>: Sync {
    /// Looks at new states; what is to be kept goes to `kept`, under a number.
    fn visit(&self, new: &[I], kept: &mut Vec<(usize, I)>);
    /// Asked after each slab with what was kept so far: whether the rest of the level does
    /// not matter any more.
    fn enough(&self, kept: &BTreeMap<usize, I>) -> bool;
}

/// Who is told how far a step is, and may end it.
pub(crate) trait Watch: Sync {
    /// Whether the user asked to stop.
    fn stopping(&self) -> bool;
    /// So many states were expanded to so many neighbours.
    fn expanded(&self, states: u64, moves: u64);
}

/// What came of a step.
pub(crate) struct Stepped<I> {
    /// Sum of the hashes of the new states' keys.
    pub(crate) digest: u128,
    /// What the visitor kept: of each number the smallest state.
    pub(crate) kept: BTreeMap<usize, I>,
    /// Whether this is the whole level.
    pub(crate) whole: bool,
}

/// How steps are made.
pub(crate) struct Step<'a, K: Key, S> {
    pub(crate) graph: &'a Graph<K>,
    pub(crate) space: &'a S,
    pub(crate) steps: Steps,
    /// Pieces of a level between two questions whether it is enough. Fixed, so that a
    /// level that ends early ends at the same place on any number of threads.
    pub(crate) slab: usize,
    pub(crate) watch: &'a dyn Watch,
}

/// Asked after each slab with the number of new states: may turn the set to another form,
/// or refuse to go on.
pub(crate) type Settle<'a, I> = dyn FnMut(&mut VisitedSet<I>, u64) -> Result<(), EngineError> + 'a;

/// Buffers of a thread, kept from piece to piece.
struct Scratch<K, I> {
    ids: Vec<I>,
    around: Around<K, I>,
    keys: Vec<K>,
    low: Vec<u64>,
    high: Vec<u64>,
}

impl<K: Key, I> Default for Scratch<K, I> {
    fn default() -> Self {
        Self {
            ids: Vec::new(),
            around: Around::default(),
            keys: Vec::new(),
            low: Vec::new(),
            high: Vec::new(),
        }
    }
}

/// What came of a piece.
struct Grown<I> {
    new: Vec<I>,
    digest: u128,
    kept: Vec<(usize, I)>,
}

impl<K: Key, S: Space<K>> Step<'_, K, S> {
    /// Adds the neighbours of a level that were not met before to the visited set and to
    /// the level that `writer` writes; `None` where the user asked to stop.
    ///
    /// # Errors
    /// [`EngineError`] from the puzzle, the levels, or `settle`.
    pub(crate) fn run(
        &self,
        level: &Level<S::Id>,
        visited: &mut VisitedSet<S::Id>,
        writer: &mut Writer<S::Id>,
        visitor: &impl Visitor<S::Id>,
        settle: &mut Settle<'_, S::Id>,
    ) -> Result<Option<Stepped<S::Id>>, EngineError> {
        let mut stepped = Stepped {
            digest: 0,
            kept: BTreeMap::new(),
            whole: true,
        };
        let mut pieces = level.read()?;
        let mut slab = pieces.next_slab(self.slab)?;
        while !slab.is_empty() {
            if self.watch.stopping() {
                return Ok(None);
            }
            let seen = &*visited;
            let grown = slab
                .par_iter()
                .map_init(Scratch::default, |scratch, piece| {
                    level.unpack(piece, &mut scratch.ids)?;
                    self.expand(scratch, seen, visitor)
                });
            for grown in grown.collect::<Result<Vec<_>, EngineError>>()? {
                stepped.digest = stepped.digest.wrapping_add(grown.digest);
                for (number, id) in grown.kept {
                    let least = stepped.kept.entry(number).or_insert(id);
                    *least = id.min(*least);
                }
                writer.add(grown.new)?;
            }
            settle(visited, writer.states())?;
            slab = pieces.next_slab(self.slab)?;
            if !slab.is_empty() && visitor.enough(&stepped.kept) {
                stepped.whole = false;
                break;
            }
        }
        Ok(Some(stepped))
    }

    fn expand(
        &self,
        scratch: &mut Scratch<K, S::Id>,
        visited: &VisitedSet<S::Id>,
        visitor: &impl Visitor<S::Id>,
    ) -> Result<Grown<S::Id>, EngineError> {
        let at_once = match self.space.size() {
            Some(_) => RANKS_AT_ONCE,
            None => BATCH,
        };
        let (mut new, mut kept, mut moves) = (Vec::new(), Vec::new(), 0);
        for ids in scratch.ids.chunks(at_once) {
            let around = &mut scratch.around;
            self.space.neighbours(self.graph, self.steps, ids, around)?;
            moves += around.found.len();
            visited.insert(&around.found, &mut new);
        }
        // Keys are only needed of what is new, a fraction of what was found.
        self.space.keys(self.graph, &new, &mut scratch.keys)?;
        visitor.visit(&new, &mut kept);
        self.watch.expanded(scratch.ids.len() as u64, moves as u64);
        Ok(Grown {
            digest: sum_of(&scratch.keys, &mut scratch.low, &mut scratch.high),
            new,
            kept,
        })
    }
}
