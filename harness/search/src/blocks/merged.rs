//! Joins blocks that several runs, one per shard, finished.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

use puzzle_api::Key;

use super::{FinishedBlock, block_size};
use crate::error::EngineError;
use crate::search::Search;

/// Every block of a search exactly once, with its folder.
#[derive(Debug, Clone)]
pub struct Merged {
    blocks: BTreeMap<u64, (PathBuf, FinishedBlock)>,
}

/// Why folders do not hold each piece of a run exactly once.
#[derive(Debug, thiserror::Error)]
pub enum NotMerged {
    /// A block is in two of the folders.
    #[error(
        "{} and {}: both hold block {block} ({parts}); every shard must be there once",
        first.display(), second.display()
    )]
    Twice {
        /// Number of the block.
        block: u64,
        /// Its parts, in words.
        parts: String,
        /// A folder with it.
        first: PathBuf,
        /// The other folder.
        second: PathBuf,
    },
    /// A block is in none of the folders.
    #[error(
        "{missing} of {all} blocks are in none of the folders, the first of them block {first} ({parts}): a shard is missing or not finished; finish it by its own command with --resume"
    )]
    Missing {
        /// Number of missing blocks.
        missing: usize,
        /// Blocks in all.
        all: usize,
        /// The first missing block.
        first: u64,
        /// Its parts, in words.
        parts: String,
    },
    /// A block that this search does not have.
    #[error("{}: holds block {block}, and there are {all}", folder.display())]
    Unknown {
        /// Number of the block.
        block: u64,
        /// The folder.
        folder: PathBuf,
        /// Blocks in all.
        all: usize,
    },
    /// The puzzle failed on a request of the search.
    #[error(transparent)]
    Engine(#[from] EngineError),
}

impl Merged {
    /// Joins the blocks of folders.
    ///
    /// # Errors
    /// [`NotMerged`]: not every block is there exactly once.
    pub fn of<K: Key>(
        search: &Search<K>,
        folders: impl IntoIterator<Item = (PathBuf, Vec<FinishedBlock>)>,
    ) -> Result<Self, NotMerged> {
        let parts = search.parts()?;
        let all: Vec<&[u64]> = parts.chunks(block_size(&parts)).collect();
        let words = |block: u64| match all.get(block as usize) {
            Some([first, .., last]) => format!("parts {first} to {last}"),
            Some([only]) => format!("part {only}"),
            _ => String::new(),
        };
        let mut blocks: BTreeMap<u64, (PathBuf, FinishedBlock)> = BTreeMap::new();
        for (folder, block) in folders
            .into_iter()
            .flat_map(|(folder, blocks)| blocks.into_iter().map(move |b| (folder.clone(), b)))
        {
            let number = block.block;
            if number as usize >= all.len() {
                return Err(NotMerged::Unknown {
                    block: number,
                    folder,
                    all: all.len(),
                });
            }
            match blocks.get(&number) {
                // A run that was killed between writing a block and its line redoes the block.
                Some((before, same)) if *before == folder && *same == block => {}
                Some((before, _)) => {
                    return Err(NotMerged::Twice {
                        block: number,
                        parts: words(number),
                        first: before.clone(),
                        second: folder,
                    });
                }
                None => {
                    blocks.insert(number, (folder, block));
                }
            }
        }
        let mut missing = (0..all.len() as u64).filter(|block| !blocks.contains_key(block));
        match missing.next() {
            None => Ok(Self { blocks }),
            Some(first) => Err(NotMerged::Missing {
                missing: 1 + missing.count(),
                all: all.len(),
                first,
                parts: words(first),
            }),
        }
    }

    /// Number of blocks.
    #[must_use]
    pub fn len(&self) -> usize {
        self.blocks.len()
    }

    /// Whether there are none.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.blocks.is_empty()
    }

    /// A block and its folder.
    #[must_use]
    pub fn get(&self, block: u64) -> Option<(&Path, &FinishedBlock)> {
        let (folder, block) = self.blocks.get(&block)?;
        Some((folder, block))
    }

    /// All blocks, by number.
    pub fn into_blocks(self) -> impl Iterator<Item = FinishedBlock> {
        self.blocks.into_values().map(|(_, block)| block)
    }
}
