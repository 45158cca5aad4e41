//! Blocks of parts, the journal of finished ones, and shards: shares of the blocks for machines
//! that do not communicate.

use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};
use std::sync::Arc;

use puzzle_api::Key;
use serde::{Deserialize, Serialize};

use crate::error::{EngineError, Result};
use crate::machine;
use crate::observers::Record;
use crate::outcome::Spent;
use crate::search::Search;
pub use crate::shard::{BLOCKS, Shard, ShardError};
use crate::work::{JournalPiece, WorkFolder, read_finished};

/// Kind of a piece in the journal: a block of parts.
const BLOCK: &str = "block";

/// Kind of a piece in the journal of a shard: the executable that makes it.
const PROGRAM: &str = "program";

/// A finished block. Blocks are equal if their results are, whatever they cost.
#[derive(Debug, Clone, Serialize, Deserialize)]
pub struct FinishedBlock {
    pub(crate) block: u64,
    /// The greatest level of the question.
    pub(crate) max_depth: Option<u16>,
    pub(crate) seen: Record,
    /// Its cost, which a run that resumes adds to its own.
    pub(crate) spent: Spent,
}

impl PartialEq for FinishedBlock {
    fn eq(&self, other: &Self) -> bool {
        let result = |block: &Self| (block.block, block.max_depth);
        result(self) == result(other) && self.seen == other.seen
    }
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
    pub fn new(folder: Arc<WorkFolder>, pieces: &[JournalPiece]) -> Self {
        let finished = pieces.iter().filter_map(|piece| piece.read(BLOCK));
        Self {
            folder,
            finished: finished.collect(),
            only: None,
        }
    }

    /// Restricts the run to some blocks, all by one executable.
    ///
    /// # Errors
    /// [`EngineError::Io`]: the folder holds others, of another shard, or by another
    /// executable.
    pub fn only(self, blocks: BTreeSet<u64>, pieces: &[JournalPiece]) -> Result<Self> {
        let is_other = |one: &&FinishedBlock| !blocks.contains(&one.block);
        if let Some(other) = self.finished.iter().find(is_other) {
            let reason = format!(
                "holds block {} of another shard; give another --out, or begin anew there by --force in place of --resume",
                other.block
            );
            return Err(EngineError::foreign(self.folder.path(), reason));
        }
        let program = machine::program().unwrap_or_default();
        let begun_by = pieces.iter().find_map(|piece| piece.read(PROGRAM));
        if begun_by.as_ref() != Some(&program) {
            if begun_by.is_some() || !self.finished.is_empty() {
                let reason = "was begun by another executable; resume with that one, or leave out --resume to start again";
                return Err(EngineError::foreign(self.folder.path(), reason.to_owned()));
            }
            self.folder.finish_in_passing(PROGRAM, &program)?;
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
    pub fn blocks_in(folder: &Path, identity: &impl Serialize) -> Result<Vec<FinishedBlock>> {
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
    pub fn take_over(&mut self, block: FinishedBlock) -> Result<()> {
        self.append(&block)?;
        self.finished.push(block);
        Ok(())
    }

    /// Parts of blocks that are finished whatever the greatest level, so nothing else of them need
    /// be kept.
    pub fn done<K: Key>(&self, search: &Search<K>) -> Result<Vec<u64>> {
        let parts = search.parts()?;
        let done = self.finished.iter().filter(|block| block.is_final(search));
        Ok(done
            .flat_map(|block| block.parts(&parts).to_vec())
            .collect())
    }

    pub(crate) fn append(&self, block: &FinishedBlock) -> Result<()> {
        self.folder.finish_in_passing(BLOCK, block)
    }
}

impl FinishedBlock {
    /// Its number, from 0.
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

// The blocks of a shard: the same on every machine, with about as many states in each shard.

impl Shard {
    /// The blocks of the search that are its share.
    ///
    /// # Errors
    /// The search is of one part, which is not divided, or has fewer blocks than shards, or the
    /// puzzle fails.
    pub fn blocks<K: Key>(self, search: &Search<K>) -> Result<BTreeSet<u64>> {
        let sizes = sizes(search)?;
        let many = sizes.len();
        if many < self.of as usize || many < 2 {
            return Err(EngineError::CannotHold(format!(
                "{}: has {many} block{} of parts to share out, too few for --shard {self}",
                search.graph.opened.full_name(),
                if many == 1 { "" } else { "s" },
            )));
        }
        Ok(self.share(&sizes))
    }

    /// The blocks of one of several processes; there may be none.
    pub(crate) fn of_process<K: Key>(
        index: usize,
        count: usize,
        search: &Search<K>,
    ) -> Result<BTreeSet<u64>> {
        let (number, of) = (index as u32 + 1, count as u32);
        Ok(Self { number, of }.share(&sizes(search)?))
    }

    fn share(self, sizes: &[u128]) -> BTreeSet<u64> {
        let shards = deal(sizes, self.of as usize);
        let blocks = (0..).zip(shards);
        let mine = blocks.filter(|(_, shard)| shard + 1 == self.number as usize);
        mine.map(|(block, _)| block).collect()
    }
}

/// Which of `among` gets each of several pieces. Greedy: the largest remaining one goes to the
/// process that has the least so far, the first of several. This is Graham's longest processing
/// time first, at most a third above the optimum.
pub(crate) fn deal(sizes: &[u128], among: usize) -> Vec<usize> {
    let mut order: Vec<usize> = (0..sizes.len()).collect();
    order.sort_by_key(|&piece| (std::cmp::Reverse(sizes[piece]), piece));
    let mut loads = vec![0_u128; among];
    let mut owners = vec![0; sizes.len()];
    for piece in order {
        let to = (0..among).min_by_key(|&to| loads[to]).unwrap_or_default();
        loads[to] += sizes[piece];
        owners[piece] = to;
    }
    owners
}

/// Most parts of a block whose size is requested: some puzzles count a part's states one by one,
/// and there may be millions of parts.
const ASKED: usize = 16;

/// Approximate number of states of each block, from evenly spaced parts of it.
fn sizes<K: Key>(search: &Search<K>) -> Result<Vec<u128>> {
    let parts = search.parts()?;
    let mut sizes = Vec::new();
    for block in parts.chunks(block_size(&parts)) {
        let mut asked: Vec<u128> = Vec::new();
        for &part in block.iter().step_by(block.len().div_ceil(ASKED)) {
            // If states are not numbered, all parts count alike.
            asked.push(search.graph.space(part)?.map_or(1, u128::from));
        }
        sizes.push(asked.iter().sum::<u128>() * block.len() as u128 / asked.len() as u128);
    }
    Ok(sizes)
}

// Joins blocks that several runs, one per shard, finished.

/// Every block of a search exactly once, by number, with its folder.
pub type Merged = BTreeMap<u64, (PathBuf, FinishedBlock)>;

/// Joins the blocks of folders.
///
/// # Errors
/// [`EngineError::CannotHold`]: not every block is there exactly once.
pub fn merged<K: Key>(
    search: &Search<K>,
    folders: impl IntoIterator<Item = (PathBuf, Vec<FinishedBlock>)>,
) -> Result<Merged> {
    let parts = search.parts()?;
    let all: Vec<&[u64]> = parts.chunks(block_size(&parts)).collect();
    let words = |block: u64| match all.get(block as usize) {
        Some([first, .., last]) => format!("parts {first} to {last}"),
        Some([only]) => format!("part {only}"),
        _ => String::new(),
    };
    let refuse = |why: String| Err(EngineError::CannotHold(why));
    let mut blocks = Merged::new();
    for (folder, block) in folders
        .into_iter()
        .flat_map(|(folder, blocks)| blocks.into_iter().map(move |b| (folder.clone(), b)))
    {
        let number = block.block;
        if number as usize >= all.len() {
            return refuse(format!(
                "{}: holds block {number}, and there are {}",
                folder.display(),
                all.len()
            ));
        }
        match blocks.get(&number) {
            // A run that was killed between writing a block and its line redoes the block.
            Some((before, same)) if *before == folder && *same == block => {}
            Some((before, _)) => {
                return refuse(format!(
                    "{} and {}: both hold block {number} ({}); every shard must be there once",
                    before.display(),
                    folder.display(),
                    words(number)
                ));
            }
            None => {
                blocks.insert(number, (folder, block));
            }
        }
    }
    let mut missing = (0..all.len() as u64).filter(|block| !blocks.contains_key(block));
    match missing.next() {
        None => Ok(blocks),
        Some(first) => refuse(format!(
            "{} of {} blocks are in none of the folders, the first of them block {first} ({}): a shard is missing or not finished; finish it by its own command with --resume",
            1 + missing.count(),
            all.len(),
            words(first)
        )),
    }
}
