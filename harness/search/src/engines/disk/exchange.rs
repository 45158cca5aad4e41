//! How candidates reach the worker that owns their partition. What is on the way is kept in
//! pages: a page is sorted, freed of repetitions and packed when it is full, and written
//! to its sender's segment, so that few files are open and memory is bounded ("a linked list
//! of pages is implemented for each bucket").

use std::path::PathBuf;

use super::candidate::{Candidate, settle};
use super::packed::Packer;
use super::segment::{self, Disk, Run, Segment, SegmentWriter, candidates};
use crate::error::EngineError;

/// Most partitions, as a power of two.
const MOST_PARTITIONS_LOG2: u32 = 15;

/// Who works on which partition, and how candidates get to their owner. The steps of the
/// engine know partitions only through this; workers of one process share a folder
/// ([`Spooled`]), those of several send pages to each other ([`Remote`](super::remote::Remote)).
pub(super) trait Exchange<C>: Sync {
    /// What one worker has under way.
    type Outgoing: Send;

    /// What a worker has under way: nothing yet.
    fn outgoing(&self, worker: usize) -> Result<Self::Outgoing, EngineError>;

    /// Sends one candidate to the owner of a partition.
    fn send(
        &self,
        outgoing: &mut Self::Outgoing,
        partition: usize,
        candidate: C,
    ) -> Result<(), EngineError>;

    /// Sends all that a worker still holds; returns how many repetitions it dropped.
    fn close(&mut self, outgoing: Self::Outgoing) -> Result<u64, EngineError>;

    /// Appends what was sent to a partition, in any order.
    fn collect(&self, partition: usize, into: &mut Vec<C>) -> Result<(), EngineError>;

    /// Candidates that wait for a partition, with repetitions between pages.
    fn waiting(&self, partition: usize) -> u64;
}

/// Exchange between the workers of one process, in files of the work folder.
#[derive(Debug)]
pub(super) struct Spooled<'a> {
    /// Begin of the names of its files.
    stem: PathBuf,
    disk: &'a Disk,
    partitions: usize,
    page: usize,
    segments: Vec<Segment>,
    pages: Vec<Vec<Run>>,
}

/// One worker's pages.
#[derive(Debug)]
pub(super) struct Outgoing<C> {
    segment: SegmentWriter,
    open: Vec<Vec<C>>,
    packer: Packer,
    written: Vec<(u32, Run)>,
    repeated: u64,
}

/// Keys of a page, if memory allows.
const PAGE: usize = 1024;
/// Least keys of a page: below, its head weighs as much as its keys.
const LEAST_PAGE: usize = 32;

/// Bytes that the pages of all workers take at most, and how many partitions they allow.
pub(super) fn most_partitions<C>(memory: u64, workers: usize) -> usize {
    let page = (LEAST_PAGE * 2 * size_of::<C>() * workers) as u64;
    let most = (memory / 8 / page).clamp(1, 1 << MOST_PARTITIONS_LOG2) as usize;
    // Down to a power of two.
    1 << most.ilog2()
}

impl<'a> Spooled<'a> {
    /// Nothing sent yet; pages of all workers take at most an eighth of `memory`.
    pub(super) fn new<C>(
        stem: PathBuf,
        disk: &'a Disk,
        partitions: usize,
        workers: usize,
        memory: u64,
    ) -> Self {
        let each = memory / 8 / (partitions * workers * size_of::<C>()) as u64;
        Self {
            stem,
            disk,
            partitions,
            page: (each as usize).clamp(LEAST_PAGE, PAGE),
            segments: Vec::new(),
            pages: vec![Vec::new(); partitions],
        }
    }

    /// Keys of a page.
    pub(super) fn page(&self) -> usize {
        self.page
    }

    /// Where its pages are written.
    pub(super) fn disk(&self) -> &'a Disk {
        self.disk
    }

    /// Removes the files: what was sent was read.
    pub(super) fn discard(self) -> Result<(), EngineError> {
        for segment in self.segments {
            segment.remove(self.disk)?;
        }
        Ok(())
    }

    fn write_page<C: Candidate>(
        &self,
        outgoing: &mut Outgoing<C>,
        partition: usize,
    ) -> Result<(), EngineError> {
        let page = &mut outgoing.open[partition];
        let before = page.len();
        settle(page);
        outgoing.repeated += (before - page.len()) as u64;
        for candidate in page.drain(..) {
            outgoing.packer.put_in(candidate);
        }
        let run = outgoing.segment.append(&mut outgoing.packer, self.disk)?;
        outgoing.written.push((partition as u32, run));
        Ok(())
    }
}

impl<C: Candidate> Exchange<C> for Spooled<'_> {
    type Outgoing = Outgoing<C>;

    fn outgoing(&self, worker: usize) -> Result<Outgoing<C>, EngineError> {
        let path = segment::numbered(&self.stem, worker);
        Ok(Outgoing {
            segment: SegmentWriter::new(path, worker as u32),
            open: vec![Vec::new(); self.partitions],
            packer: Packer::default(),
            written: Vec::new(),
            repeated: 0,
        })
    }

    #[inline]
    fn send(
        &self,
        outgoing: &mut Outgoing<C>,
        partition: usize,
        candidate: C,
    ) -> Result<(), EngineError> {
        let page = &mut outgoing.open[partition];
        page.push(candidate);
        if page.len() >= self.page {
            self.write_page(outgoing, partition)?;
        }
        Ok(())
    }

    fn close(&mut self, mut outgoing: Outgoing<C>) -> Result<u64, EngineError> {
        for partition in 0..self.partitions {
            if !outgoing.open[partition].is_empty() {
                self.write_page(&mut outgoing, partition)?;
            }
        }
        // Segments are found by their number again.
        let number = self.segments.len() as u32;
        for (partition, run) in outgoing.written {
            let run = Run {
                segment: number,
                ..run
            };
            self.pages[partition as usize].push(run);
        }
        self.segments.push(outgoing.segment.close_in_passing()?);
        Ok(outgoing.repeated)
    }

    fn collect(&self, partition: usize, into: &mut Vec<C>) -> Result<(), EngineError> {
        let mut bytes = Vec::new();
        for run in &self.pages[partition] {
            self.segments[run.segment as usize].read(run, &mut bytes, self.disk)?;
            into.extend(candidates::<C>(run, &bytes));
        }
        Ok(())
    }

    fn waiting(&self, partition: usize) -> u64 {
        self.pages[partition].iter().map(|run| run.states).sum()
    }
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;
    use std::sync::Arc;

    use proptest::prelude::*;

    use super::*;

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(24))]
        #[test]
        fn what_is_sent_arrives(
            candidates in prop::collection::vec((0_usize..5, 0_usize..3, 0_u64..500), 0..800),
        ) {
            let folder = tempfile::tempdir().expect("a folder");
            let disk = Disk::new(u64::MAX, Arc::default());
            let mut spool = Spooled::new::<u64>(folder.path().join("exchange"), &disk, 5, 3, 0);
            let mut sent = vec![BTreeSet::new(); 5];
            let mut boxes: Vec<Outgoing<u64>> =
                (0..3).map(|worker| spool.outgoing(worker).expect("a file")).collect();
            for (partition, worker, key) in candidates {
                spool.send(&mut boxes[worker], partition, key).expect("room");
                sent[partition].insert(key);
            }
            for outgoing in boxes {
                spool.close(outgoing).expect("room");
            }
            for (partition, sent) in sent.into_iter().enumerate() {
                let mut there = Vec::new();
                spool.collect(partition, &mut there).expect("sound");
                let there: BTreeSet<u64> = there.into_iter().collect();
                prop_assert_eq!(there, sent);
            }
            spool.discard().expect("removable");
            prop_assert_eq!(disk.stored(), 0);
        }
    }
}
