//! One move along or against the moves, by whatever the puzzle offers for it.

use puzzle_api::{Capabilities, Direction, Key};

use crate::plugin::{Expansion, Graph, PluginError};

/// A way to list the neighbours in one direction.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Steps {
    /// As the puzzle lists them.
    Listed(Direction),
    /// Predecessors as the turned successors of the turned state.
    Turned,
}

impl Steps {
    /// Against the moves; `None` where the puzzle has nothing for it.
    pub(super) fn backward<K: Key>(graph: &Graph<K>) -> Option<Self> {
        if graph.has(Capabilities::PREDECESSORS) {
            Some(Self::Listed(Direction::Backward))
        } else if graph.has(Capabilities::UNDIRECTED) {
            Some(Self::Listed(Direction::Forward))
        } else {
            graph
                .has(Capabilities::TIME_REVERSAL)
                .then_some(Self::Turned)
        }
    }

    /// Neighbours of a batch. Which of them belong to which state is only kept by
    /// [`Steps::Listed`].
    pub(super) fn expand<K: Key>(
        self,
        graph: &Graph<K>,
        keys: &[K],
        out: &mut Expansion<K>,
    ) -> Result<(), PluginError> {
        match self {
            Self::Listed(direction) => graph.expand(direction, keys, out),
            Self::Turned => {
                let mut turned = keys.to_vec();
                graph.reversed(&mut turned)?;
                graph.expand(Direction::Forward, &turned, out)?;
                graph.reversed(out.keys_mut())
            }
        }
    }
}
