//! Blocks of parts, the journal of finished ones, and shards: shares of the blocks for machines
//! that do not communicate.

mod deal;
mod merged;

use std::collections::BTreeSet;
use std::path::Path;
use std::sync::Arc;

use puzzle_api::Key;
use serde::{Deserialize, Serialize};

use crate::error::EngineError;
use crate::observers::Record;
use crate::search::Search;
use crate::work::{JournalPiece, WorkFolder, read_finished};

pub use crate::shard::{BLOCKS, Shard, ShardError};
pub(crate) use deal::deal;
pub use merged::{Merged, NotMerged};

/// Kind of a piece in the journal: a block of parts.
const BLOCK: &str = "block";

/// A finished block.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct FinishedBlock {
    pub(crate) block: u64,
    /// The greatest level of the question.
    pub(crate) max_depth: Option<u16>,
    pub(crate) seen: Record,
}

/// Finished blocks of a run over many parts, in its work folder.
#[derive(Debug)]
pub struct Journal {
    pub(crate) folder: Arc<WorkFolder>,
    pub(crate) finished: Vec<FinishedBlock>,
    /// The blocks of the run; `None` for all.
    only: Option<BTreeSet<u64>>,
}

impl Journal {
    /// The journal of an open folder.
    #[must_use]
    pub fn new(folder: Arc<WorkFolder>, pieces: &[JournalPiece]) -> Self {
        let finished = pieces.iter().filter_map(|piece| piece.read(BLOCK));
        Self {
            folder,
            finished: finished.collect(),
            only: None,
        }
    }

    /// Restricts the run to some blocks.
    ///
    /// # Errors
    /// [`EngineError::Foreign`]: the folder holds others, of another shard.
    pub fn only(self, blocks: BTreeSet<u64>) -> Result<Self, EngineError> {
        let is_other = |one: &&FinishedBlock| !blocks.contains(&one.block);
        if let Some(other) = self.finished.iter().find(is_other) {
            return Err(EngineError::Foreign {
                path: self.folder.path().to_owned(),
                reason: format!(
                    "holds block {} of another shard; give another --out, or leave out --resume to start again",
                    other.block
                ),
            });
        }
        Ok(Self {
            only: Some(blocks),
            ..self
        })
    }

    /// Whether a block belongs to the run.
    pub(crate) fn wants(&self, block: u64) -> bool {
        self.only.as_ref().is_none_or(|only| only.contains(&block))
    }

    /// The finished blocks in a folder, which is not changed.
    ///
    /// # Errors
    /// [`EngineError`]: there is no journal, it is damaged, or it belongs to another run.
    pub fn blocks_in(
        folder: &Path,
        identity: &impl Serialize,
    ) -> Result<Vec<FinishedBlock>, EngineError> {
        let pieces = read_finished(folder, identity)?;
        Ok(pieces
            .iter()
            .filter_map(|piece| piece.read(BLOCK))
            .collect())
    }

    /// Records a block that was finished elsewhere.
    ///
    /// # Errors
    /// The journal cannot be written.
    pub fn take_over(&mut self, block: FinishedBlock) -> Result<(), EngineError> {
        self.append(&block)?;
        self.finished.push(block);
        Ok(())
    }

    /// Parts of blocks that are finished whatever the greatest level, so nothing else of them need
    /// be kept.
    ///
    /// # Errors
    /// Same as [`Search::parts`].
    pub fn done<K: Key>(&self, search: &Search<K>) -> Result<Vec<u64>, EngineError> {
        let parts = search.parts()?;
        let done = self.finished.iter().filter(|block| block.is_final(search));
        Ok(done
            .flat_map(|block| block.parts(&parts).to_vec())
            .collect())
    }

    pub(crate) fn append(&self, block: &FinishedBlock) -> Result<(), EngineError> {
        self.folder.finish_in_passing(BLOCK, block)
    }
}

impl FinishedBlock {
    /// Its number, from 0.
    #[must_use]
    pub const fn number(&self) -> u64 {
        self.block
    }

    pub(crate) fn parts<'a>(&self, parts: &'a [u64]) -> &'a [u64] {
        let block = parts.chunks(block_size(parts)).nth(self.block as usize);
        block.unwrap_or_default()
    }

    /// Whether it holds all of its parts, whatever the greatest level.
    pub(crate) fn is_final<K: Key>(&self, search: &Search<K>) -> bool {
        match self.max_depth {
            None => true,
            Some(most) => self.seen.deepest() < Some(most) && !search.may_cover_space(),
        }
    }
}

pub(crate) fn block_size(parts: &[u64]) -> usize {
    parts.len().div_ceil(BLOCKS).max(1)
}
