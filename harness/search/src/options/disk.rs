//! Options and limits of a search on disk.

use std::path::PathBuf;

use super::{Locality, Moves};

/// Options and limits of a search on disk.
#[derive(Debug, Clone)]
pub struct DiskOptions {
    /// The engine that works there: levels of another engine are not its own.
    pub engine: &'static str,
    /// Folder for the levels of all parts.
    pub work: PathBuf,
    /// Whether to resume from the folder.
    pub resume: bool,
    /// Bytes of memory that the search may take.
    pub memory: u64,
    /// Bytes of disk that it may take; `None` leaves a twentieth of the free space.
    pub disk: Option<u64>,
    /// Every level whose number is a multiple of this is kept for paths.
    pub keep_every: u16,
    /// How states are parted.
    pub locality: Locality,
    /// The moves tried in a state.
    pub moves: Moves,
    /// Target number of states of a partition.
    pub partition_states: u64,
    /// Threads.
    pub threads: usize,
    /// Whether the levels of a complete part stay.
    pub keep_parts: bool,
    /// Whether the folder of a complete search stays.
    pub keep: bool,
}

impl DiskOptions {
    /// Default distance between kept levels: a side of n moves around a state is small compared
    /// with a level.
    pub const KEEP_EVERY: u16 = 16;
    /// Default target number of states of a partition: with the earlier and new levels, they fit a
    /// core's own cache.
    pub const PARTITION_STATES: u64 = 4096;

    /// Default options, with a work folder and a memory limit.
    #[must_use]
    pub fn new(work: PathBuf, memory: u64, threads: usize) -> Self {
        Self {
            engine: "disk",
            work,
            resume: false,
            memory,
            disk: None,
            keep_every: Self::KEEP_EVERY,
            locality: Locality::Bucket,
            moves: Moves::Unused,
            partition_states: Self::PARTITION_STATES,
            threads,
            keep_parts: false,
            keep: false,
        }
    }
}
