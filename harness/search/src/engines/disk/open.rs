//! Opening the work folder of a search on disk, with the memory that it needs.

use std::sync::Arc;

use antipode_graph::Capabilities;
use puzzle_api::Key;
use serde::Serialize;

use super::folder::Work;
use crate::error::EngineError;
use crate::key_text::key_text;
use crate::memory::human;
use crate::options::{DiskOptions, Locality, Moves};
use crate::question::Goal;
use crate::search::Search;
use crate::work::{FolderPlace, JournalPiece, WorkFolder};

/// Least memory that suffices for batches and buffers.
const LEAST_MEMORY: u64 = 64 << 20;
/// Memory for batches, buffers and the program itself, per thread.
pub(super) const OVERHEAD: u64 = 16 << 20;

/// The identity of a search: levels of another must not be mixed with its own.
#[derive(Debug, Serialize)]
struct DiskIdentity {
    #[serde(flatten)]
    search: crate::engines::SearchIdentity,
    engine: &'static str,
    buckets: &'static str,
    /// If levels have marks.
    #[serde(rename = "used moves", skip_serializing_if = "Option::is_none")]
    used_moves: Option<&'static str>,
    goal: Option<String>,
    /// Further data that the caller adds to it.
    #[serde(flatten)]
    more: Option<serde_json::Value>,
}

/// Opens the work folder of a search on disk, which then replaces [`Search::work`]. `more` are
/// fields of its identity, and `done` says for which parts the files are not needed.
///
/// # Errors
/// [`EngineError`]: too little memory; a folder that cannot be opened, or belongs to another run.
pub fn open_folder<K: Key>(
    search: &Search<K>,
    goal: Option<&Goal<K>>,
    more: Option<serde_json::Value>,
) -> Result<(Arc<WorkFolder>, Vec<JournalPiece>), EngineError> {
    let options = search.disk.as_ref().ok_or_else(super::needs_folder)?;
    share(search, options)?;
    let identity = DiskIdentity {
        search: search.asked(),
        engine: options.engine,
        buckets: match options.locality {
            Locality::Bucket => "bucket",
            Locality::Uniform => "uniform",
        },
        used_moves: marks_moves(search, options).then_some("left out"),
        goal: goal.map(|goal| match goal {
            Goal::Solved => "solved".to_owned(),
            Goal::State(key) => key_text(*key),
        }),
        more,
    };
    let place = FolderPlace::work(&options.work, options.resume);
    let (folder, pieces) = WorkFolder::open(&place, &identity)?;
    Ok((Arc::new(folder), pieces))
}

/// The work folder of a search, opened if no caller has opened it.
pub(in crate::engines) fn open_work<K: Key>(
    search: &Search<K>,
    goal: Option<&Goal<K>>,
) -> Result<Work, EngineError> {
    let (folder, pieces) = open_folder(search, goal, None)?;
    Work::new(folder, &pieces, |_| false)
}

/// Whether a search marks its states with the groups of moves that are useless from there. A
/// representative is not the state that a move reached, so marks require a search without symmetry.
pub(super) fn marks_moves<K: Key>(search: &Search<K>, options: &DiskOptions) -> bool {
    let graph = &search.graph;
    let offered = graph.has(Capabilities::USED_MOVES) && graph.has(Capabilities::UNDIRECTED);
    offered && !search.symmetry && options.moves == Moves::Unused
}

/// Workers of a part and its memory limit: parts that are walked at the same time share both.
///
/// # Errors
/// [`EngineError::Memory`]: too little.
pub(in crate::engines) fn share<K: Key>(
    search: &Search<K>,
    options: &DiskOptions,
) -> Result<(usize, u64), EngineError> {
    let threads = options.threads.max(1) as u64;
    let parts = search.graph.opened.part_count.clamp(1, threads);
    let workers = (threads / parts) as usize;
    let memory = options.memory / parts;
    let least = LEAST_MEMORY.max(2 * OVERHEAD * workers as u64);
    if memory < least {
        return Err(EngineError::Memory(format!(
            "engine {} needs at least {} of memory with {} threads, {} are allowed: allow more with --memory, or give fewer --threads",
            options.engine,
            human(least * parts),
            options.threads,
            human(options.memory)
        )));
    }
    Ok((workers, memory))
}
