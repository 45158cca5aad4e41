//! A search from one state, level by level.

use std::collections::BTreeMap;

use puzzle_api::Key;

use crate::digest::sum_of;
use crate::error::EngineError;
use crate::kernel::Watched;
use crate::level::{LevelStates, Writer};
use crate::space::Space;
use crate::step::{LevelStep, Visitor};
use crate::steps::DirectionSteps;
use crate::visited::VisitedSet;
use antipode_graph::Graph;

/// Pieces of a level between two checks for an early end.
const SLAB: usize = 64;
/// Partitions of a set of keys: this many threads can fill them at once.
const PARTITIONS: usize = 64;

/// A search from one state.
pub(super) struct SourceWalk<'a, K: Key, S: Space<K>> {
    step: LevelStep<'a, K, S>,
    visited: VisitedSet<S::Id>,
    /// Number of ranks, if states are named by ranks.
    size: Option<u64>,
}

/// A search, its first level, and the id of the state in it.
type Started<'a, K, S> = (
    SourceWalk<'a, K, S>,
    LevelStates<<S as Space<K>>::Id>,
    <S as Space<K>>::Id,
);

/// A level, the visitor's results on it, and whether it is complete.
pub(super) type Next<I> = (LevelStates<I>, (BTreeMap<usize, I>, bool));

impl<'a, K: Key, S: Space<K>> SourceWalk<'a, K, S> {
    /// A search from a state along some steps, its first level, and the state's id.
    pub(super) fn from(
        graph: &'a Graph<K>,
        space: &'a S,
        steps: DirectionSteps,
        key: K,
        watch: &'a Watched<'a>,
    ) -> Result<Started<'a, K, S>, EngineError> {
        let mut visited = match space.size() {
            Some(size) => VisitedSet::bits(size).map_err(|error| no_memory(size, &error))?,
            None => VisitedSet::tables(PARTITIONS, 0),
        };
        let mut ids = Vec::new();
        space.ids(graph, &[key], &mut ids)?;
        let id = ids[0];
        visited.insert_one(id);
        let mut writer = Writer::list(space.size());
        writer.add(ids)?;
        let level = writer.finish(sum_of(&[key], &mut Vec::new(), &mut Vec::new()))?;
        let step = LevelStep::new(graph, space, steps, SLAB, watch);
        let size = space.size();
        let walk = Self {
            step,
            visited,
            size,
        };
        Ok((walk, level, id))
    }

    /// All states met.
    pub(super) fn visited(&self) -> &VisitedSet<S::Id> {
        &self.visited
    }

    /// The new states one step from a level, or as many of them as the visitor wanted. `None` if
    /// the user asked to stop.
    pub(super) fn next(
        &mut self,
        level: &LevelStates<S::Id>,
        visitor: &impl Visitor<S::Id>,
    ) -> Result<Option<Next<S::Id>>, EngineError> {
        let mut writer = Writer::list(self.size);
        let visited = &mut self.visited;
        let settle = &mut |_: &mut VisitedSet<S::Id>, _| Ok(());
        let stepped = self
            .step
            .run(level, visited, &mut writer, visitor, settle)?;
        let Some(stepped) = stepped else {
            return Ok(None);
        };
        let next = writer.finish(stepped.digest)?;
        Ok(Some((next, (stepped.kept, stepped.whole))))
    }
}

fn no_memory(size: u64, error: &std::io::Error) -> EngineError {
    EngineError::Memory(format!(
        "{} of memory were not available ({error}); free some, or give a smaller --memory",
        crate::memory::human(crate::ranks::RankSet::bytes(size))
    ))
}
