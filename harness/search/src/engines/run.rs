//! Runs an engine over all parts of a search: in blocks, on all threads, with a journal.

use std::hash::{BuildHasher, RandomState};
use std::sync::atomic::AtomicUsize;
use std::sync::atomic::Ordering::Relaxed;
use std::sync::{Arc, Mutex};

use puzzle_api::{Key, Xorshift};

use super::disk::Work;
use crate::blocks::{FinishedBlock, Journal, block_size};
use crate::engine::Engine;
pub use crate::engine::{Distributed, EngineRun};
use crate::error::{EngineError, Result, locked};
use crate::observers::{Distance, Observers, Record};
use crate::outcome::{Outcome, Spent, StopReason, Walked};
use crate::progress::Progress;
use crate::search::Search;

/// Blocks of a folder that are walked again before a run continues with it.
const REPEATED: u64 = 2;

/// Checks that need more than a batch: they run on the workers' threads, before a block is
/// recorded.
pub trait PartHook<K>: Sync {
    /// Whether [`PartHook::part_done`] needs every state of a part.
    fn wants(&self, _part: u64) -> bool {
        false
    }

    /// Most states of a part that may be held at once.
    fn most_states(&self) -> usize {
        usize::MAX
    }

    /// Called with every state of a wanted part, or `None` if there are more than
    /// [`PartHook::most_states`]. Returns false when stopped.
    fn part_done(
        &self,
        _part: u64,
        _states: Option<&[Distance<K>]>,
        _seen: &mut Observers<K>,
        _progress: &Progress,
    ) -> Result<bool> {
        Ok(true)
    }

    /// Called when a block is finished.
    fn block_done(&self, _seen: &mut Observers<K>) -> Result<()> {
        Ok(())
    }
}

/// No hook.
impl<K> PartHook<K> for () {}

struct Recorded<K> {
    observers: Observers<K>,
    parts_done: u64,
    stopped: Option<StopReason>,
    spent: Spent,
}

impl<K> Recorded<K> {
    /// Records what ended a block; a limit takes precedence over a request.
    fn stopped(&mut self, reason: StopReason) {
        match self.stopped {
            None | Some(StopReason::Requested) => self.stopped = Some(reason),
            Some(_) => {}
        }
    }
}

/// Walks every part of the search.
///
/// # Errors
/// [`EngineError`] from the puzzle, the engine or the journal.
pub fn run<K: Key>(
    search: &Search<K>,
    engine: &dyn Engine<K>,
    observers: &Observers<K>,
    journal: Option<&Journal>,
    hook: &dyn PartHook<K>,
    progress: &Progress,
) -> Result<EngineRun<K>> {
    if let Some(obstacle) = engine.obstacle(&search.graph, &search.ask()) {
        return Err(EngineError::refused(&search.graph.opened, obstacle));
    }
    let distributed = engine.distributed(search, progress)?;
    let walk = PartsRun {
        search,
        engine,
        journal,
        hook,
        progress,
        distributed: distributed.as_deref(),
    };
    let ran = walk.blocks(observers);
    let ran = match distributed {
        None => ran,
        Some(distributed) => distributed.join(observers, ran),
    }?;
    let states = ran.observers.levels.total_states();
    let whole = ran.complete() && ran.parts_done == ran.parts_total;
    search.accounts_for(states, 0..search.graph.opened.part_count, whole)?;
    Ok(ran)
}

/// A run over all parts, or over those of one process.
struct PartsRun<'a, K> {
    search: &'a Search<K>,
    engine: &'a dyn Engine<K>,
    journal: Option<&'a Journal>,
    hook: &'a dyn PartHook<K>,
    progress: &'a Progress,
    distributed: Option<&'a dyn Distributed<K>>,
}

impl<K: Key> PartsRun<'_, K> {
    fn wants(&self, block: u64) -> bool {
        let asked = self.journal.is_none_or(|journal| journal.wants(block));
        asked
            && self
                .distributed
                .is_none_or(|distributed| distributed.wants(block))
    }

    fn blocks(&self, observers: &Observers<K>) -> Result<EngineRun<K>> {
        let parts = self.search.parts()?;
        let total = parts.len() as u64;
        let mut recorded = Recorded {
            observers: observers.fork(),
            parts_done: 0,
            stopped: None,
            spent: Spent::default(),
        };
        let finished = self.replay(&mut recorded, &parts)?;
        self.repeat(&finished, &parts, observers)?;
        let recorded = Mutex::new(recorded);
        let mut blocks: Vec<(u64, &[u64])> = (0..)
            .zip(parts.chunks(block_size(&parts)))
            .filter(|(block, _)| self.wants(*block))
            .collect();
        let asked: u64 = blocks.iter().map(|(_, parts)| parts.len() as u64).sum();
        blocks.retain(|(block, _)| !finished.contains(block));
        // Each thread takes the next block, and helps the others once none is left. As tasks of the
        // pool, blocks could also start on a thread that waits within another. Then more blocks
        // would be in memory than there are threads.
        let next = AtomicUsize::new(0);
        let done = rayon::broadcast(|_| {
            while let Some(&(block, parts)) = blocks.get(next.fetch_add(1, Relaxed)) {
                let done = self.block(block, parts, total == 1, observers.fork(), &recorded);
                // No thread starts another block.
                done.inspect_err(|_| next.store(blocks.len(), Relaxed))?;
            }
            Ok(())
        });
        done.into_iter().collect::<Result<()>>()?;
        let recorded = recorded
            .into_inner()
            .unwrap_or_else(std::sync::PoisonError::into_inner);
        let outcome = match recorded.stopped {
            None if recorded.parts_done == asked => Outcome::Levels,
            stopped => Outcome::NotReached(stopped.unwrap_or(StopReason::Requested)),
        };
        Ok(EngineRun {
            outcome,
            spent: recorded.spent,
            observers: recorded.observers,
            parts_done: recorded.parts_done,
            parts_total: total,
        })
    }

    /// Walks a block and records it.
    fn block(
        &self,
        block: u64,
        parts: &[u64],
        single: bool,
        mut seen: Observers<K>,
        recorded: &Mutex<Recorded<K>>,
    ) -> Result<()> {
        if self.progress.stopping() {
            locked(recorded).stopped(StopReason::Requested);
            return Ok(());
        }
        let Walked { outcome, spent } = self.parts(parts, &mut seen)?;
        let whole = outcome.is_answer();
        let mut now = locked(recorded);
        now.spent.absorb(spent.clone());
        if let Outcome::NotReached(reason) = outcome {
            now.stopped(reason);
            if !single {
                return Ok(());
            }
        }
        drop(now);
        self.hook.block_done(&mut seen)?;
        let mut recorded = locked(recorded);
        // A single part that was stopped keeps the levels that it finished.
        if whole {
            if let Some(journal) = self.journal {
                let block = FinishedBlock {
                    block,
                    max_depth: self.search.max_depth,
                    seen: Record::of(&seen),
                    spent,
                };
                journal.append(&block)?;
                drop_files(self.search, &block, parts)?;
            }
            recorded.parts_done += parts.len() as u64;
        }
        recorded.observers.absorb(seen);
        self.progress.parts(parts.len() as u64);
        Ok(())
    }

    fn parts(&self, parts: &[u64], seen: &mut Observers<K>) -> Result<Walked<K>> {
        let Self {
            search,
            engine,
            hook,
            progress,
            ..
        } = *self;
        let mut spent = Spent::default();
        for &part in parts {
            let wanted = hook.wants(part);
            if !wanted && seen.parts.is_none() {
                let walked = engine.levels(search, part, seen, progress)?;
                spent.absorb(walked.spent);
                match walked.outcome {
                    Outcome::Levels => continue,
                    outcome => return Ok(Walked { outcome, spent }),
                }
            }
            let mut mine = match wanted {
                true => seen.fork_collecting(hook.most_states()),
                false => seen.fork(),
            };
            let walked = engine.levels(search, part, &mut mine, progress)?;
            spent.absorb(walked.spent);
            let states = mine.collected.take();
            let mut outcome = walked.outcome;
            if wanted
                && outcome.is_answer()
                && !hook.part_done(part, states.as_deref(), &mut mine, progress)?
            {
                outcome = Outcome::NotReached(StopReason::Requested);
            }
            if let Some(parts) = &mut mine.parts {
                parts.push((part, mine.levels.clone()));
            }
            seen.absorb(mine);
            if !outcome.is_answer() {
                return Ok(Walked { outcome, spent });
            }
        }
        let outcome = Outcome::Levels;
        Ok(Walked { outcome, spent })
    }

    /// Walks some blocks of the folder again: somebody who edits a line can renew its checksum. Engines
    /// that keep files of the parts have removed those of finished ones.
    fn repeat(&self, finished: &[u64], all: &[u64], observers: &Observers<K>) -> Result<()> {
        let alone = self.search.disk.is_none() && self.distributed.is_none();
        let Some(journal) = self.journal.filter(|_| alone) else {
            return Ok(());
        };
        // Nobody can know beforehand which.
        let seed = RandomState::new().hash_one(all.len());
        for index in Xorshift::drawn(seed, REPEATED, finished.len() as u64) {
            let number = finished[index as usize];
            let block = journal.finished.iter().find(|one| one.block == number);
            let Some(block) = block else { continue };
            let mut seen = observers.fork();
            let walked = self.parts(block.parts(all), &mut seen)?;
            if !walked.outcome.is_answer() {
                return Ok(());
            }
            self.hook.block_done(&mut seen)?;
            if Record::of(&seen) != block.seen {
                let reason = format!(
                    "block {number} is not what it is when walked again; the folder was edited, or written by another program: leave out --resume"
                );
                return Err(EngineError::foreign(journal.folder.path(), reason));
            }
        }
        Ok(())
    }

    /// Records the blocks that the journal already holds, or those of others that this process
    /// resumes from. Returns their numbers.
    fn replay(&self, recorded: &mut Recorded<K>, all: &[u64]) -> Result<Vec<u64>> {
        let Some(journal) = self.journal else {
            return Ok(Vec::new());
        };
        let more = match self.distributed {
            Some(distributed) => distributed.finished(journal)?,
            None => Vec::new(),
        };
        let search = self.search;
        let mut finished = Vec::new();
        for block in journal.finished.iter().chain(&more) {
            let parts = block.parts(all);
            let counts = block.is_final(search) || block.max_depth == search.max_depth;
            if !counts || !self.wants(block.block) || finished.contains(&block.block) {
                continue;
            }
            let deepest = block.seen.deepest();
            if let Some(most) = search.max_depth.filter(|&most| deepest > Some(most)) {
                let held = deepest.unwrap_or_default();
                return Err(EngineError::foreign(
                    journal.folder.path(),
                    format!(
                        "holds levels up to {held}, more than --max-depth {most}: give {held} or more, or another --work"
                    ),
                ));
            }
            if block.seen.replay(&mut recorded.observers).is_some() {
                recorded.parts_done += parts.len() as u64;
                self.progress.parts(parts.len() as u64);
                finished.push(block.block);
                let mut spent = block.spent.clone();
                spent.earlier = spent.expanded;
                recorded.spent.absorb(spent);
            }
        }
        Ok(finished)
    }
}

/// Removes the files of parts that are finished and recorded, unless they are to be kept.
fn drop_files<K: Key>(search: &Search<K>, block: &FinishedBlock, parts: &[u64]) -> Result<()> {
    let keep = search
        .disk
        .as_ref()
        .is_none_or(|options| options.keep_parts);
    match search.work.get::<Arc<Work>>() {
        Some(work) if !keep && block.is_final(search) => work.drop_files(parts),
        _ => Ok(()),
    }
}
