//! The numbers by which states are kept: ranks where the puzzle has them, else keys.

use puzzle_api::Key;

use crate::plugin::{Graph, PluginError};

/// A one-to-one map between states and numbers, in batches.
pub(super) trait Numbering<K: Key>: Sync {
    /// The numbers.
    type Code: Key;

    /// How many numbers there are, where a set of them may be a bit a number.
    fn size(&self) -> Option<u64>;

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
