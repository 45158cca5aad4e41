//! A finished level: its record, and its states on the disk.

use antipode_reports::cost::LevelCost;
use serde::{Deserialize, Serialize};

use super::segment::{Disk, PackedRun, Segment};
use crate::error::EngineError;
use crate::observers::{LevelSum, Record};

/// A finished level.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub(super) struct LevelEntry {
    pub(super) depth: u16,
    /// The results of its observers, except for its states.
    pub(super) seen: Record,
    pub(super) cost: LevelCost,
    /// Its smallest goal, as a hexadecimal key, if goals are looked for.
    pub(super) goal: Option<String>,
    /// The place of its states, or their place before they were dropped.
    pub(super) place: LevelPlace,
}

/// The place of the states of a level.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub(super) struct LevelPlace {
    /// Number of partitions, as a power of two.
    pub(super) partitions_log2: u32,
    /// Lengths of the segments.
    pub(super) segments: Vec<u64>,
    /// XXH3-64 of the index.
    pub(super) index: String,
}

impl LevelEntry {
    /// Sums of the level, as counted by its observers.
    pub(super) fn sum(&self) -> LevelSum {
        self.seen.level(self.depth)
    }
}

/// The states of a level on the disk: a run per partition.
#[derive(Debug)]
pub(super) struct DiskLevel {
    pub(super) depth: u16,
    pub(super) partitions_log2: u32,
    /// By partition; an empty run if it holds none.
    pub(super) runs: Vec<PackedRun>,
    pub(super) segments: Vec<Segment>,
    /// Length of the index.
    pub(super) index: u64,
}

impl DiskLevel {
    /// Keys of the level: representatives, if symmetry is used.
    pub(super) fn orbits(&self) -> u64 {
        self.runs.iter().map(|run| run.states).sum()
    }

    /// Bytes of its runs.
    pub(super) fn bytes(&self) -> u64 {
        self.runs.iter().map(|run| run.bytes).sum()
    }

    /// Reads the run of a partition.
    pub(super) fn read(
        &self,
        partition: usize,
        bytes: &mut Vec<u8>,
        disk: &Disk,
    ) -> Result<PackedRun, EngineError> {
        let run = self.runs[partition];
        if run.states > 0 {
            self.segments[run.segment as usize].read(&run, bytes, disk)?;
        }
        Ok(run)
    }

    /// Bytes of its files.
    pub(super) fn on_disk(&self) -> u64 {
        self.index + self.segments.iter().map(Segment::length).sum::<u64>()
    }

    /// Reads all of it once, so that damage is found before the level is used; before each
    /// partition asks whether to `go_on`.
    pub(super) fn check<E: From<EngineError>>(
        &self,
        disk: &Disk,
        go_on: impl Fn() -> Result<(), E>,
    ) -> Result<(), E> {
        let mut bytes = Vec::new();
        for partition in 0..self.runs.len() {
            go_on()?;
            self.read(partition, &mut bytes, disk)?;
        }
        Ok(())
    }
}
