//! Engine `disk`: breadth-first search with levels in files (Dogon, "Climbpro 24 and the big BFS
//! problem").
//!
//! States are partitioned by the puzzle's bucket, a number that a move seldom changes. A level is a
//! packed run of sorted keys for each partition. To find the next level, a worker takes a partition
//! into memory, together with the same partition of earlier levels. It drops the neighbours that it
//! knows, and sends those of other partitions there. Each partition drops its known states in a
//! second pass ([`step`]).
//!
//! If moves can be undone, only the last three levels are kept, and every k-th level for path
//! reconstruction. The next level needs two. The third replaces a damaged last one, and is dropped
//! before the next is made, once all bytes of the two were compared. If the puzzle also names
//! groups of moves and no symmetry is used, states are marked with the groups that lead back. Their
//! moves are not tried ([`candidate`]). Then the next level needs only the last one, and the one
//! before replaces it if damaged. Marks are after the keys of a run, for a resumed search; all
//! other readers read only the keys. Otherwise all levels are kept, since a state may be met again
//! at any distance. A finished level is written before it is recorded, so a run that is stopped or
//! killed resumes after it. After the first seconds of a search it waits until each level is safe
//! on the disk, so that a machine failure costs only those seconds. If there are many parts, a
//! short one is held in memory, and a resumed run starts it again. Every run of keys carries a
//! checksum.
//!
//! Nothing in the result depends on the number of threads or partitions.

mod budget;
mod candidate;
pub(super) mod deal;
pub(super) mod engine;
mod exchange;
mod folder;
mod grouped;
mod index;
mod last;
mod level;
mod levels;
mod marks;
mod merge;
pub(super) mod open;
mod packed;
mod path;
pub(super) mod peers;
mod pick;
mod remote;
mod resume;
mod sample;
mod segment;
mod split;
mod step;
pub(super) mod walk;
use puzzle_api::Key;

use crate::error::EngineError;
use crate::observers::Observers;
use crate::outcome::Walked;
use crate::progress::Progress;
use crate::question::Goal;
use crate::search::Search;
pub use deal::{clear_processes, clear_work};
pub use engine::DiskEngine;
pub use folder::Work;
use level::DiskLevel;
pub use open::open_folder;
use segment::Disk;
use walk::Walk;

/// Seed of the samples that are compared with the rulebook.
const SAMPLING_SEED: u64 = 1;

/// Walks one part.
///
/// # Errors
/// [`EngineError`]: a puzzle that breaks its contract, too little memory or disk, a work
/// folder that is damaged, foreign or gone.
pub(super) fn walk<K: Key>(
    search: &Search<K>,
    part: u64,
    observers: &mut Observers<K>,
    progress: &Progress,
) -> Result<Walked<K>, EngineError> {
    let options = search.disk.as_ref().ok_or_else(needs_folder)?;
    let mut run = Walk::open(search, part, options, None, None, observers, progress)?;
    let outcome = run.whole(observers)?;
    let spent = run.spent();
    Ok(Walked { outcome, spent })
}

/// Finds a shortest path from the search's root to a goal. The work folder stays; the caller must
/// [`clear`](crate::work::clear) it once the answer is written.
///
/// # Errors
/// Same as any search on disk.
pub fn reach<K: Key>(
    search: &Search<K>,
    goal: &Goal<K>,
    observers: &mut Observers<K>,
    progress: &Progress,
) -> Result<Walked<K>, EngineError> {
    let options = search.disk.as_ref().ok_or_else(needs_folder)?;
    let part = search.parts()?.first().copied().unwrap_or(0);
    let mut run = Walk::open(search, part, options, Some(goal), None, observers, progress)?;
    let outcome = run.shortest(observers)?;
    let spent = run.spent();
    Ok(Walked { outcome, spent })
}

pub(super) fn needs_folder() -> EngineError {
    EngineError::CannotHold("engine disk needs a folder for its levels: add --work DIR".into())
}

/// Calls back with all states of some partitions of a level, in batches.
fn each_state<K: Key>(
    level: &DiskLevel,
    partitions: impl Iterator<Item = usize>,
    disk: &Disk,
    show: &mut dyn FnMut(&[K]) -> Result<(), EngineError>,
) -> Result<(), EngineError> {
    let (mut bytes, mut batch) = (Vec::new(), Vec::with_capacity(super::BATCH));
    for partition in partitions {
        let run = level.read(partition, &mut bytes, disk)?;
        for key in segment::keys::<K>(&run, &bytes) {
            batch.push(key);
            if batch.len() == super::BATCH {
                show(&batch)?;
                batch.clear();
            }
        }
    }
    show(&batch)
}
