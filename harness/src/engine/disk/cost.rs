//! What each level cost.

use serde::{Deserialize, Serialize};

/// Time, bytes and shares of one level: of finding it from the levels before.
#[derive(Debug, Clone, Copy, Default, PartialEq, Serialize, Deserialize)]
pub struct LevelCost {
    /// Distance from the roots.
    pub depth: u16,
    /// States kept of it on the disk: orbits, where symmetry is used.
    pub states: u64,
    /// Wall-clock seconds.
    pub seconds: f64,
    /// Processor seconds of all threads.
    pub cpu_seconds: f64,
    /// Neighbours of the level before, with repetitions.
    pub generated: u64,
    /// Of these, those in the partition of the state that they come from.
    pub stayed: u64,
    /// Neighbours dropped while their partition was in memory, or within a page.
    pub removed_in_memory: u64,
    /// Neighbours dropped when the mail was merged.
    pub removed_at_merge: u64,
    /// Bytes read.
    pub bytes_read: u64,
    /// Bytes written.
    pub bytes_written: u64,
    /// Bytes that the level takes on the disk.
    pub bytes_stored: u64,
    /// Partitions.
    pub partitions: u64,
    /// Greatest resident memory of the process so far, in bytes.
    pub peak_bytes: u64,
}
