//! Runs an engine over all parts of a search: in blocks, on all threads, with a journal.

use std::sync::Mutex;

use puzzle_api::Key;
use rayon::prelude::*;

use super::{Ended, EngineError, EngineKind, Journal, Search, walk_part};
use crate::observe::{Observers, Record};
use crate::progress::Progress;

/// Blocks that a run over many parts is divided into: small enough that a stop loses
/// little, and fixed, so that a run may go on with another number of threads.
const BLOCKS: usize = 512;

/// What a run has found.
#[derive(Debug)]
pub struct Outcome<K> {
    /// Observers with all that finished parts (of one part: finished levels) showed.
    pub observers: Observers<K>,
    /// Parts finished.
    pub parts_done: u64,
    /// Parts in all.
    pub parts_total: u64,
    /// Whether nothing is missing.
    pub complete: bool,
}

/// Called by a worker when a block is finished and before it is booked; solves the
/// states picked out for the exclusiveness check, so that this too runs on all threads.
pub type BlockHook<'a, K> = &'a (dyn Fn(&mut Observers<K>) -> Result<(), EngineError> + Sync);

struct Booked<'a, K> {
    observers: Observers<K>,
    parts_done: u64,
    journal: Option<&'a mut Journal>,
    stopped: bool,
}

/// Walks every part of the search.
///
/// # Errors
/// [`EngineError`] from the puzzle, the engine or the journal.
pub fn run<K: Key>(
    search: &Search<K>,
    engine: EngineKind,
    observers: &Observers<K>,
    journal: Option<&mut Journal>,
    block_done: BlockHook<'_, K>,
    progress: &Progress,
) -> Result<Outcome<K>, EngineError> {
    if let Some(obstacle) = engine.obstacle(&search.graph.opened, search.direction) {
        return Err(EngineError::CannotHold(format!(
            "{}: {obstacle}",
            search.graph.opened.full_name()
        )));
    }
    let parts = search.parts()?;
    let total = parts.len() as u64;
    let block_size = parts.len().div_ceil(BLOCKS).max(1);
    let mut booked = Booked {
        observers: observers.fork(),
        parts_done: 0,
        journal,
        stopped: false,
    };
    let finished = replay(&mut booked, &parts, block_size, progress)?;
    let booked = Mutex::new(booked);
    let blocks: Vec<(u64, &[u64])> = (0..).zip(parts.chunks(block_size)).collect();
    blocks
        .par_iter()
        .filter(|(block, _)| !finished.contains(block))
        .try_for_each(|&(block, parts)| {
            if progress.stopping() {
                lock(&booked).stopped = true;
                return Ok(());
            }
            let mut seen = observers.fork();
            let ended = walk_block(search, engine, parts, &mut seen, progress)?;
            let single = total == 1;
            if ended == Ended::Stopped && !single {
                lock(&booked).stopped = true;
                return Ok(());
            }
            block_done(&mut seen)?;
            let mut booked = lock(&booked);
            if ended == Ended::Stopped {
                // A single part keeps the levels that it finished.
                booked.stopped = true;
            } else {
                if let Some(journal) = booked.journal.as_mut() {
                    journal.append(block, Record::of(&seen))?;
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
    Ok(Outcome {
        complete: !booked.stopped && booked.parts_done == total,
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
    engine: EngineKind,
    parts: &[u64],
    seen: &mut Observers<K>,
    progress: &Progress,
) -> Result<Ended, EngineError> {
    for &part in parts {
        if walk_part(engine, search, part, seen, progress)? == Ended::Stopped {
            return Ok(Ended::Stopped);
        }
    }
    Ok(Ended::Complete)
}

/// Books the blocks that a journal already holds; gives their numbers.
fn replay<K: Key>(
    booked: &mut Booked<'_, K>,
    parts: &[u64],
    block_size: usize,
    progress: &Progress,
) -> Result<Vec<u64>, EngineError> {
    let Some(journal) = booked.journal.as_mut() else {
        return Ok(Vec::new());
    };
    let records = std::mem::take(&mut journal.finished);
    let mut finished = Vec::new();
    for (block, record) in records {
        let Some(parts) = parts.chunks(block_size).nth(block as usize) else {
            continue;
        };
        if record.replay(&mut booked.observers).is_some() {
            booked.parts_done += parts.len() as u64;
            progress.parts(parts.len() as u64);
            finished.push(block);
        }
    }
    Ok(finished)
}
