//! Rewrites a level in more partitions than before.

use puzzle_api::Key;

use super::candidate::{Candidate, Marked, UsedOperators};
use super::level::{DiskLevel, LevelPlace};
use super::packed::Packer;
use super::segment::{PackedRun, SegmentWriter, candidates};
use super::walk::Walk;
use crate::engines::BATCH;
use crate::error::EngineError;

impl<K: Key> Walk<'_, K> {
    /// Writes a level again, in the present number of partitions. A partition splits into
    /// neighbouring ones, since its number is the high bits of a hash. The journal does not name
    /// the new files yet.
    pub(super) fn split(&self, level: &DiskLevel) -> Result<(DiskLevel, LevelPlace), EngineError> {
        match self.marked {
            true => self.split_by::<Marked<K>>(level),
            false => self.split_by::<K>(level),
        }
    }

    fn split_by<C: Candidate<Key = K>>(
        &self,
        level: &DiskLevel,
    ) -> Result<(DiskLevel, LevelPlace), EngineError> {
        let log2 = self.partitions.log2;
        let path = self.folder.segment(level.depth, log2, 0);
        let mut segment = SegmentWriter::new(path, 0);
        let mut runs = vec![PackedRun::default(); self.partitions.count()];
        let ways = 1 << (log2 - level.partitions_log2);
        let mut packers: Vec<Packer> = (0..ways).map(|_| Packer::default()).collect();
        let (mut bytes, mut batch, mut owners) = (Vec::new(), Vec::new(), Vec::new());
        let mut marks = Vec::new();
        for partition in 0..level.runs.len() {
            let run = level.read(partition, &mut bytes, &self.disk)?;
            let mut states = candidates::<C>(&run, &bytes);
            batch.clear();
            marks.clear();
            while states.fill(&mut batch, &mut marks, BATCH) {
                self.partitions.of(self.search, &batch, &mut owners)?;
                let mut marks_of = marks.drain(..);
                for (&key, &owner) in batch.iter().zip(&owners) {
                    let candidate = C::new(key, C::Mark::of(marks_of.next().unwrap_or(0)));
                    packers[owner as usize % ways].put_in(candidate);
                }
                drop(marks_of);
                batch.clear();
            }
            for (way, packer) in packers.iter_mut().enumerate() {
                if packer.count() > 0 {
                    runs[partition * ways + way] = segment.append(packer, &self.disk)?;
                }
            }
        }
        let segments = vec![segment.close()?];
        let depth = level.depth;
        let made = self
            .folder
            .finish(depth, log2, runs, segments, &self.disk)?;
        self.folder.secure(&made.0)?;
        Ok(made)
    }
}
