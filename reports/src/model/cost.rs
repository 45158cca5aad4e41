use super::{CellFault, Record, wire};
use serde::{Deserialize, Serialize};

/// The cost of one level of a search on disk, found from the earlier levels. A row of `cost.csv`.
#[derive(Debug, Clone, Copy, Default, PartialEq, Serialize, Deserialize)]
pub struct LevelCost {
    /// Distance from the roots, in moves.
    pub depth: u32,
    /// States at this distance.
    pub states: u64,
    /// Elapsed time, in seconds, stored to the millisecond.
    #[serde(with = "wire::milliseconds")]
    pub seconds: f64,
    /// Processor time of all threads, in seconds, stored to the millisecond.
    #[serde(with = "wire::milliseconds")]
    pub cpu_seconds: f64,
    /// Neighbours of the level before, with repetitions.
    pub generated: u64,
    /// Of these, those in the partition of their own state.
    pub stayed: u64,
    /// Of all generated, those dropped while their partition was in memory, or as repetitions
    /// within a page on its way to another.
    pub removed_in_memory: u64,
    /// Of all generated, those dropped when a partition merged the candidates sent to it.
    pub removed_at_merge: u64,
    /// Bytes read from disk.
    pub bytes_read: u64,
    /// Bytes written to disk.
    pub bytes_written: u64,
    /// Bytes that the finished level takes on disk.
    pub bytes_stored: u64,
    /// Partitions that its states are divided into.
    pub partitions: u64,
    /// Greatest resident memory of the process so far, in bytes.
    pub peak_memory_bytes: u64,
}

impl LevelCost {
    /// Adds the same level of another part, which was searched after it.
    pub(crate) fn add(&mut self, other: &Self) {
        self.states += other.states;
        self.seconds += other.seconds;
        self.cpu_seconds += other.cpu_seconds;
        self.generated += other.generated;
        self.stayed += other.stayed;
        self.removed_in_memory += other.removed_in_memory;
        self.removed_at_merge += other.removed_at_merge;
        self.bytes_read += other.bytes_read;
        self.bytes_written += other.bytes_written;
        self.bytes_stored += other.bytes_stored;
        self.partitions = self.partitions.max(other.partitions);
        self.peak_memory_bytes = self.peak_memory_bytes.max(other.peak_memory_bytes);
    }
}

impl Record for LevelCost {
    const SCHEMA: &'static str = "antipode-cost-1";

    fn check(&self) -> Result<(), CellFault> {
        wire::sound_seconds("seconds", self.seconds)?;
        wire::sound_seconds("cpu_seconds", self.cpu_seconds)
    }
}

/// The size of a level that somebody else found. A row of `published.csv`, which people write.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub struct Published {
    /// Distance from the roots, in moves.
    pub depth: u32,
    /// States at this distance.
    pub states: u64,
}

impl Record for Published {
    const SCHEMA: &'static str = "antipode-published-1";
    const COMMENTS: bool = true;
}
