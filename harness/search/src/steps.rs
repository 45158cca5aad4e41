//! One step along or against the moves, by whatever the puzzle offers for it.

use antipode_graph::{Capabilities, Expansion, Graph, PluginError, RankExpansion};
use puzzle_api::{Direction, Key};

/// States in a batch across the boundary: enough to make the call cheap, few enough to keep keys
/// and neighbours in the second-level cache.
pub const BATCH: usize = 4096;

/// A way to list the neighbours in one direction.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum DirectionSteps {
    /// As the puzzle lists them.
    Listed(Direction),
    /// Predecessors as the time-reversed successors of the time-reversed state.
    Turned,
}

impl DirectionSteps {
    /// Along the moves.
    pub const FORWARD: Self = Self::Listed(Direction::Forward);

    /// Against the moves; `None` if the puzzle offers nothing for it, or what it offers may lack some.
    pub fn backward<K: Key>(graph: &Graph<K>) -> Option<Self> {
        if graph.opened.learns_predecessors() {
            None
        } else if graph.has(Capabilities::PREDECESSORS) {
            Some(Self::Listed(Direction::Backward))
        } else if graph.has(Capabilities::UNDIRECTED) {
            Some(Self::Listed(Direction::Forward))
        } else {
            graph
                .has(Capabilities::TIME_REVERSAL)
                .then_some(Self::Turned)
        }
    }

    /// Neighbours of a batch.
    pub fn expand<K: Key>(
        self,
        graph: &Graph<K>,
        keys: &[K],
        out: &mut Expansion<K>,
    ) -> Result<(), PluginError> {
        match self {
            Self::Listed(direction) => graph.expand(direction, keys, out),
            Self::Turned => {
                let mut turned = keys.to_vec();
                graph.time_reversed(&mut turned)?;
                graph.expand(Direction::Forward, &turned, out)?;
                graph.time_reversed(out.keys_mut())
            }
        }
    }
}

// The ids by which a search keeps states: ranks if the puzzle numbers them, else keys.

/// A one-to-one map between states and their ids, in batches.
pub(crate) trait Space<K: Key>: Sync {
    /// Names of states.
    type Id: Key;

    /// The number of ids, if a set of them may use a bit per id.
    fn size(&self) -> Option<u64>;

    /// Ids of all neighbours of some states, to `around.found`.
    fn neighbours(
        &self,
        graph: &Graph<K>,
        steps: DirectionSteps,
        ids: &[Self::Id],
        around: &mut NeighbourBatch<K, Self::Id>,
    ) -> Result<(), PluginError> {
        self.keys(graph, ids, &mut around.keys)?;
        steps.expand(graph, &around.keys, &mut around.out)?;
        self.ids(graph, around.out.keys(), &mut around.found)
    }

    /// Names of states.
    fn ids(&self, graph: &Graph<K>, keys: &[K], out: &mut Vec<Self::Id>)
    -> Result<(), PluginError>;

    /// States by name.
    fn keys(&self, graph: &Graph<K>, ids: &[Self::Id], out: &mut Vec<K>)
    -> Result<(), PluginError>;
}

/// Neighbours of a batch, and buffers for listing them; reused from batch to batch.
pub(crate) struct NeighbourBatch<K, I> {
    /// Their ids, in any order, some more than once.
    pub(crate) found: Vec<I>,
    keys: Vec<K>,
    out: Expansion<K>,
    ranks: RankExpansion<K>,
}

impl<K: Key, I> Default for NeighbourBatch<K, I> {
    fn default() -> Self {
        Self {
            found: Vec::new(),
            keys: Vec::new(),
            out: Expansion::default(),
            ranks: RankExpansion::default(),
        }
    }
}

/// Ranks within one part.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Ranks {
    pub(crate) part: u64,
    pub(crate) size: u64,
}

impl<K: Key> Space<K> for Ranks {
    type Id = u64;

    fn size(&self) -> Option<u64> {
        Some(self.size)
    }

    /// In one call, if the puzzle can list the ranks of neighbours.
    fn neighbours(
        &self,
        graph: &Graph<K>,
        steps: DirectionSteps,
        ids: &[u64],
        around: &mut NeighbourBatch<K, u64>,
    ) -> Result<(), PluginError> {
        let DirectionSteps::Listed(direction) = steps else {
            self.keys(graph, ids, &mut around.keys)?;
            steps.expand(graph, &around.keys, &mut around.out)?;
            return self.ids(graph, around.out.keys(), &mut around.found);
        };
        let part = (self.part, self.size);
        graph.neighbour_ranks(direction, part, ids, false, &mut around.ranks)?;
        around.found.clear();
        around.found.extend_from_slice(around.ranks.ranks());
        Ok(())
    }

    fn ids(&self, graph: &Graph<K>, keys: &[K], out: &mut Vec<u64>) -> Result<(), PluginError> {
        graph.ranks(self.part, self.size, keys, out)
    }

    fn keys(&self, graph: &Graph<K>, ids: &[u64], out: &mut Vec<K>) -> Result<(), PluginError> {
        graph.unrank(self.part, ids, out)
    }
}

/// The keys themselves.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Keys;

impl<K: Key> Space<K> for Keys {
    type Id = K;

    fn size(&self) -> Option<u64> {
        None
    }

    fn ids(&self, _: &Graph<K>, keys: &[K], out: &mut Vec<K>) -> Result<(), PluginError> {
        out.clear();
        out.extend_from_slice(keys);
        Ok(())
    }

    fn keys(&self, _: &Graph<K>, ids: &[K], out: &mut Vec<K>) -> Result<(), PluginError> {
        out.clear();
        out.extend_from_slice(ids);
        Ok(())
    }
}
