//! Runs an engine over all parts of a search: in blocks, on all threads, with a journal.

use std::sync::Mutex;

use puzzle_api::Key;
use rayon::prelude::*;

use crate::blocks::{Block, Journal, block_size};
use crate::engine::Engine;
use crate::error::EngineError;
use crate::observers::{Distance, Observers, Record};
use crate::outcome::{Outcome, Spent, StopReason, Walked};
use crate::progress::Progress;
use crate::search::Search;

/// What a run has found.
#[derive(Debug)]
pub struct Run<K> {
    /// Observers with all that finished parts (of one part: finished levels) showed.
    pub observers: Observers<K>,
    /// Parts finished.
    pub parts_done: u64,
    /// Parts in all, those included that the run was not about.
    pub parts_total: u64,
    /// [`Outcome::Levels`] where nothing is missing, else what ended it.
    pub outcome: Outcome<K>,
    /// What it took, beside what a run before it had finished.
    pub spent: Spent,
}

impl<K> Run<K> {
    /// Whether nothing is missing.
    #[must_use]
    pub const fn complete(&self) -> bool {
        self.outcome.is_answer()
    }
}

/// What goes along with a run on the workers' threads, before a block is booked: the
/// checks that need more than a batch.
pub trait Companion<K>: Sync {
    /// Whether [`Companion::part_done`] wants every state of a part.
    fn wants(&self, part: u64) -> bool;

    /// Most states of a part that may be held at once.
    fn most_states(&self) -> usize {
        usize::MAX
    }

    /// Called with every state of a part that is wanted, `None` where there are more than
    /// [`Companion::most_states`]; gives false when stopped.
    ///
    /// # Errors
    /// [`EngineError`] where the puzzle fails.
    fn part_done(
        &self,
        part: u64,
        states: Option<&[Distance<K>]>,
        seen: &mut Observers<K>,
        progress: &Progress,
    ) -> Result<bool, EngineError>;

    /// Called when a block is finished.
    ///
    /// # Errors
    /// [`EngineError`] where the puzzle fails.
    fn block_done(&self, seen: &mut Observers<K>) -> Result<(), EngineError>;
}

/// No companion.
impl<K> Companion<K> for () {
    fn wants(&self, _part: u64) -> bool {
        false
    }

    fn part_done(
        &self,
        _: u64,
        _: Option<&[Distance<K>]>,
        _: &mut Observers<K>,
        _: &Progress,
    ) -> Result<bool, EngineError> {
        Ok(true)
    }

    fn block_done(&self, _: &mut Observers<K>) -> Result<(), EngineError> {
        Ok(())
    }
}

struct Booked<'a, K> {
    observers: Observers<K>,
    parts_done: u64,
    journal: Option<&'a Journal>,
    stopped: Option<StopReason>,
    spent: Spent,
}

impl<K> Booked<'_, K> {
    /// Notes what ended a block; a limit says more than a request.
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
    companion: &dyn Companion<K>,
    progress: &Progress,
) -> Result<Run<K>, EngineError> {
    if let Some(obstacle) = engine.obstacle(&search.graph, &search.ask()) {
        return Err(EngineError::CannotHold(format!(
            "{}: {obstacle}",
            search.graph.opened.full_name()
        )));
    }
    let parts = search.parts()?;
    let total = parts.len() as u64;
    let block_size = block_size(&parts);
    let mut booked = Booked {
        observers: observers.fork(),
        parts_done: 0,
        journal,
        stopped: None,
        spent: Spent::default(),
    };
    let finished = replay(search, &mut booked, &parts, progress)?;
    let booked = Mutex::new(booked);
    let wanted = |block: &u64| journal.is_none_or(|journal| journal.wants(*block));
    let blocks: Vec<(u64, &[u64])> = (0..)
        .zip(parts.chunks(block_size))
        .filter(|(block, _)| wanted(block))
        .collect();
    let asked: u64 = blocks.iter().map(|(_, parts)| parts.len() as u64).sum();
    blocks
        .par_iter()
        .filter(|(block, _)| !finished.contains(block))
        .try_for_each(|&(block, parts)| {
            if progress.stopping() {
                lock(&booked).stopped(StopReason::Requested);
                return Ok(());
            }
            let mut seen = observers.fork();
            let Walked { outcome, spent } =
                walk_block(search, engine, parts, companion, &mut seen, progress)?;
            let whole = outcome.is_answer();
            let single = total == 1;
            let mut now = lock(&booked);
            now.spent.absorb(spent);
            if let Outcome::NotReached(reason) = outcome {
                now.stopped(reason);
                if !single {
                    return Ok(());
                }
            }
            drop(now);
            companion.block_done(&mut seen)?;
            let mut booked = lock(&booked);
            // A single part that was stopped keeps the levels that it finished.
            if whole {
                if let Some(journal) = booked.journal {
                    let block = Block {
                        block,
                        max_depth: search.max_depth,
                        seen: Record::of(&seen),
                    };
                    journal.append(&block)?;
                    drop_files(search, &block, parts)?;
                }
                booked.parts_done += parts.len() as u64;
            }
            booked.observers.absorb(seen);
            progress.parts(parts.len() as u64);
            Ok::<_, EngineError>(())
        })?;
    let booked = booked
        .into_inner()
        .unwrap_or_else(std::sync::PoisonError::into_inner);
    let outcome = match booked.stopped {
        None if booked.parts_done == asked => Outcome::Levels,
        stopped => Outcome::NotReached(stopped.unwrap_or(StopReason::Requested)),
    };
    Ok(Run {
        outcome,
        spent: booked.spent,
        observers: booked.observers,
        parts_done: booked.parts_done,
        parts_total: total,
    })
}

fn lock<'a, T>(mutex: &'a Mutex<T>) -> std::sync::MutexGuard<'a, T> {
    mutex
        .lock()
        .unwrap_or_else(std::sync::PoisonError::into_inner)
}

fn walk_block<K: Key>(
    search: &Search<K>,
    engine: &dyn Engine<K>,
    parts: &[u64],
    companion: &dyn Companion<K>,
    seen: &mut Observers<K>,
    progress: &Progress,
) -> Result<Walked<K>, EngineError> {
    let mut spent = Spent::default();
    for &part in parts {
        let wanted = companion.wants(part);
        if !wanted && seen.parts.is_none() {
            let walked = engine.levels(search, part, seen, progress)?;
            spent.absorb(walked.spent);
            match walked.outcome {
                Outcome::Levels => continue,
                outcome => return Ok(Walked { outcome, spent }),
            }
        }
        let mut mine = match wanted {
            true => seen.fork_collecting(companion.most_states()),
            false => seen.fork(),
        };
        let walked = engine.levels(search, part, &mut mine, progress)?;
        spent.absorb(walked.spent);
        let states = mine.collected.take();
        let mut outcome = walked.outcome;
        if wanted
            && outcome.is_answer()
            && !companion.part_done(part, states.as_deref(), &mut mine, progress)?
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

/// Removes the files of parts that are finished and booked, unless they are to be kept.
fn drop_files<K: Key>(search: &Search<K>, block: &Block, parts: &[u64]) -> Result<(), EngineError> {
    let keep = search.disk.as_ref().is_none_or(|options| options.keep);
    match &search.work {
        Some(work) if !keep && block.is_final(search) => Ok(work.drop_files(parts)?),
        _ => Ok(()),
    }
}

/// Books the blocks that a journal already holds; gives their numbers.
fn replay<K: Key>(
    search: &Search<K>,
    booked: &mut Booked<'_, K>,
    all: &[u64],
    progress: &Progress,
) -> Result<Vec<u64>, EngineError> {
    let Some(journal) = booked.journal else {
        return Ok(Vec::new());
    };
    let mut finished = Vec::new();
    for block in &journal.finished {
        let parts = block.parts(all);
        let counts = block.is_final(search) || block.max_depth == search.max_depth;
        if !counts || !journal.wants(block.block) || finished.contains(&block.block) {
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
        if block.seen.replay(&mut booked.observers).is_some() {
            booked.parts_done += parts.len() as u64;
            progress.parts(parts.len() as u64);
            finished.push(block.block);
            if let Some(work) = &search.work {
                for cost in parts.iter().flat_map(|&part| work.costs(part)) {
                    booked.spent.add_level(cost);
                }
            }
        }
    }
    Ok(finished)
}
