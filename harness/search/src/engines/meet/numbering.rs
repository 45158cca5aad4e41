//! The numbers by which states are kept: ranks where the puzzle has them, else keys.

use puzzle_api::Key;

use crate::steps::Steps;
use antipode_graph::{Expansion, Graph, PluginError, RankExpansion};

/// A one-to-one map between states and numbers, in batches.
pub(super) trait Numbering<K: Key>: Sync {
    /// The numbers.
    type Code: Key;

    /// How many numbers there are, where a set of them may be a bit a number.
    fn size(&self) -> Option<u64>;

    /// Numbers of all neighbours of the states with the given numbers, to `around.found`.
    fn neighbours(
        &self,
        graph: &Graph<K>,
        steps: Steps,
        codes: &[Self::Code],
        around: &mut Around<K, Self::Code>,
    ) -> Result<(), PluginError> {
        self.keys(graph, codes, &mut around.keys)?;
        steps.expand(graph, &around.keys, &mut around.out)?;
        self.codes(graph, around.out.keys(), &mut around.found)
    }

    /// Numbers of states.
    fn codes(
        &self,
        graph: &Graph<K>,
        keys: &[K],
        out: &mut Vec<Self::Code>,
    ) -> Result<(), PluginError>;

    /// States of numbers.
    fn keys(
        &self,
        graph: &Graph<K>,
        codes: &[Self::Code],
        out: &mut Vec<K>,
    ) -> Result<(), PluginError>;
}

/// Neighbours of a batch, and what it takes to list them; kept from batch to batch.
pub(super) struct Around<K, C> {
    /// Their numbers, in any order, some more than once.
    pub(super) found: Vec<C>,
    keys: Vec<K>,
    out: Expansion<K>,
    ranks: RankExpansion<K>,
}

impl<K: Key, C> Default for Around<K, C> {
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
pub(super) struct ByRank {
    pub(super) part: u64,
    pub(super) size: u64,
}

impl<K: Key> Numbering<K> for ByRank {
    type Code = u64;

    fn size(&self) -> Option<u64> {
        Some(self.size)
    }

    /// In one call where the puzzle ranks neighbours as it lists them.
    fn neighbours(
        &self,
        graph: &Graph<K>,
        steps: Steps,
        codes: &[u64],
        around: &mut Around<K, u64>,
    ) -> Result<(), PluginError> {
        let Steps::Listed(direction) = steps else {
            self.keys(graph, codes, &mut around.keys)?;
            steps.expand(graph, &around.keys, &mut around.out)?;
            return self.codes(graph, around.out.keys(), &mut around.found);
        };
        graph.neighbour_ranks(direction, self.part, self.size, codes, &mut around.ranks)?;
        around.found.clear();
        around.found.extend_from_slice(around.ranks.ranks());
        Ok(())
    }

    fn codes(&self, graph: &Graph<K>, keys: &[K], out: &mut Vec<u64>) -> Result<(), PluginError> {
        graph.ranks(self.part, self.size, keys, out)
    }

    fn keys(&self, graph: &Graph<K>, codes: &[u64], out: &mut Vec<K>) -> Result<(), PluginError> {
        graph.unrank(self.part, codes, out)
    }
}

/// The keys themselves.
#[derive(Debug, Clone, Copy)]
pub(super) struct ByKey;

impl<K: Key> Numbering<K> for ByKey {
    type Code = K;

    fn size(&self) -> Option<u64> {
        None
    }

    fn codes(&self, _: &Graph<K>, keys: &[K], out: &mut Vec<K>) -> Result<(), PluginError> {
        out.clear();
        out.extend_from_slice(keys);
        Ok(())
    }

    fn keys(&self, _: &Graph<K>, codes: &[K], out: &mut Vec<K>) -> Result<(), PluginError> {
        out.clear();
        out.extend_from_slice(codes);
        Ok(())
    }
}
