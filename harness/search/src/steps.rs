//! One step along or against the moves, by whatever the puzzle offers for it.

use puzzle_api::{Direction, Key};

use antipode_graph::{Capabilities, Expansion, Graph, PluginError};

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
    #[must_use]
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
    ///
    /// # Errors
    /// [`PluginError`] if the puzzle fails.
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

    /// Representatives of the neighbours of a batch, in the order of the neighbours.
    ///
    /// # Errors
    /// [`PluginError`] if the puzzle fails.
    pub fn expand_to_orbits<K: Key>(
        self,
        graph: &Graph<K>,
        keys: &[K],
        out: &mut Expansion<K>,
    ) -> Result<(), PluginError> {
        match self {
            Self::Listed(direction) => graph.expand_to_orbits(direction, keys, out),
            Self::Turned => {
                self.expand(graph, keys, out)?;
                graph.canonical(out.keys_mut(), None)
            }
        }
    }
}
