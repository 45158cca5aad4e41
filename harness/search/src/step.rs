//! One step of a search that writes its levels: the new states one move from a level, with their
//! digest. They are shown to a visitor and passed to a writer.

use std::collections::BTreeMap;

use antipode_graph::Graph;
use puzzle_api::Key;

use crate::digest::sum_of;
use crate::error::{EngineError, Result};
use crate::kernel::{Kernel, Watched, batches};
use crate::level::{LevelStates, Writer};
use crate::outcome::StopReason;
use crate::parallel;
use crate::steps::{BATCH, DirectionSteps, NeighbourBatch, Space};
use crate::visited::VisitedSet;

/// States by rank expanded in one call: their neighbours, including ranks, stay in the second-level
/// cache.
const RANKS_AT_ONCE: usize = 512;

/// Why a search ends if the system provides no more memory.
const NO_MORE: &str = "the system gives no more memory for the states met; free some";

/// A visitor of a level's new states.
pub(crate) trait Visitor<I>: Sync {
    /// Checks new states; those to be kept go to `kept`, under a number.
    fn visit(&self, new: &[I], kept: &mut Vec<(usize, I)>);
    /// Called after each slab with the states kept so far: whether the rest of the level no longer
    /// matters.
    fn enough(&self, kept: &BTreeMap<usize, I>) -> bool;
}

/// The outcome of a step.
pub(crate) struct Stepped<I> {
    /// Sum of the hashes of the new states' keys.
    pub(crate) digest: u128,
    /// The smallest state of each number, kept by the visitor.
    pub(crate) kept: BTreeMap<usize, I>,
    /// Whether this is the whole level.
    pub(crate) whole: bool,
}

/// How steps are made.
pub(crate) struct LevelStep<'a, K: Key, S: Space<K>> {
    graph: &'a Graph<K>,
    space: &'a S,
    steps: DirectionSteps,
    slab: usize,
    kernel: Kernel<'a, S::Id, NeighbourBatch<K, S::Id>>,
}

/// Called after each slab with the number of new states: may convert the set to another form, or
/// refuse to continue.
pub(crate) type Settle<'a, I> = dyn FnMut(&mut VisitedSet<I>, u64) -> Result<()> + 'a;

/// The digest of a batch of new states, and the states that a visitor kept.
type Shown<I> = (u128, Vec<(usize, I)>);

impl<'a, K: Key, S: Space<K>> LevelStep<'a, K, S> {
    /// Steps of a search. `slab` pieces of a level are expanded between two checks for an early
    /// end. The number is fixed, so that such a level ends at the same place on any number of
    /// threads.
    pub(crate) fn new(
        graph: &'a Graph<K>,
        space: &'a S,
        steps: DirectionSteps,
        slab: usize,
        watch: &'a Watched<'a>,
    ) -> Self {
        let mut kernel = Kernel::new(NO_MORE, watch);
        kernel.longest = match space.size() {
            Some(_) => RANKS_AT_ONCE,
            None => BATCH,
        };
        Self {
            graph,
            space,
            steps,
            slab,
            kernel,
        }
    }

    /// Adds the new neighbours of a level to the visited set and to the level that `writer` writes;
    /// `None` if the user requested a stop.
    ///
    /// # Errors
    /// [`EngineError`] from the puzzle, the levels, or `settle`.
    pub(crate) fn run(
        &self,
        level: &LevelStates<S::Id>,
        visited: &mut VisitedSet<S::Id>,
        writer: &mut Writer<S::Id>,
        visitor: &impl Visitor<S::Id>,
        settle: &mut Settle<'_, S::Id>,
    ) -> Result<Option<Stepped<S::Id>>> {
        let mut stepped = Stepped {
            digest: 0,
            kept: BTreeMap::new(),
            whole: true,
        };
        let neighbours = |ids: &[S::Id], around: &mut NeighbourBatch<K, S::Id>| {
            let (graph, steps) = (self.graph, self.steps);
            Ok(self.space.neighbours(graph, steps, ids, around)?)
        };
        let mut pieces = level.read()?;
        let mut slab = pieces.next_slab(self.slab)?;
        while !slab.is_empty() {
            let ids = parallel::try_map(&slab, |piece| {
                let mut ids = Vec::new();
                level.unpack(piece, &mut ids).map(|()| ids)
            })?;
            let new = match self.kernel.next_level(&neighbours, visited, &ids)? {
                Ok(new) => new,
                Err(StopReason::Requested) => return Ok(None),
                Err(why) => return Err(EngineError::Memory(why.to_string())),
            };
            for (digest, kept) in self.show(&new, visitor)? {
                stepped.digest = stepped.digest.wrapping_add(digest);
                for (number, id) in kept {
                    let least = stepped.kept.entry(number).or_insert(id);
                    *least = id.min(*least);
                }
            }
            new.into_iter().try_for_each(|new| writer.add(new))?;
            settle(visited, writer.states())?;
            slab = pieces.next_slab(self.slab)?;
            if !slab.is_empty() && visitor.enough(&stepped.kept) {
                stepped.whole = false;
                break;
            }
        }
        Ok(Some(stepped))
    }

    /// Shows new states to a visitor; returns their digests, and the states that it kept.
    fn show(&self, new: &[Vec<S::Id>], visitor: &impl Visitor<S::Id>) -> Result<Vec<Shown<S::Id>>> {
        parallel::try_map(batches(new, BATCH), |new| {
            let mut keys = Vec::new();
            self.space.keys(self.graph, new, &mut keys)?;
            let mut kept = Vec::new();
            visitor.visit(new, &mut kept);
            let digest = sum_of(&keys);
            Ok((digest, kept))
        })
    }
}
