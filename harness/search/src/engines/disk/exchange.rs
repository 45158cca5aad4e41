//! The way of candidates to the worker that owns their partition. Candidates on the way are kept in
//! pages. A full page is sorted, freed of repetitions, packed and written to one segment,
//! so that few files are open and memory is bounded ("a linked list of pages is implemented for
//! each bucket").

use std::sync::Mutex;

use super::peers::agree;
use super::segment::{PackedRun, Segment, candidates};
use super::step::{DiskStep, Halt, Own};
use crate::engines::network::Network;
use crate::error::{EngineError, Result, locked};
use crate::packed::{Candidate, Packer, settle};

/// Most partitions, as a power of two.
const MOST_PARTITIONS_LOG2: u32 = 15;

/// Keys of a page, if memory allows.
const PAGE: usize = 1024;
/// Least keys of a page: with fewer, its head is as large as its keys.
const LEAST_PAGE: usize = 32;
/// Bytes of a page for another process before its packed keys: its partition, its number of states,
/// its checksum.
pub(super) const HEAD: usize = 24;

/// Assigns partitions to workers and candidates to their owner. Candidates for partitions of this
/// process go through a file of the work folder, others as pages to the process that keeps them.
pub(super) struct Exchange<'a> {
    /// Keys of a page.
    page: usize,
    peers: Option<&'a Network>,
    segment: Segment,
    /// By partition: the pages sent there.
    pages: Vec<Mutex<Vec<PackedRun>>>,
}

/// One worker's pages.
pub(super) struct Outgoing<C> {
    open: Vec<Vec<C>>,
    packer: Packer,
    repeated: u64,
}

/// Most bytes for the pages of all workers, and the number of partitions that this allows.
pub(super) fn most_partitions<C>(memory: u64, workers: usize) -> usize {
    let page = (LEAST_PAGE * 2 * size_of::<C>() * workers) as u64;
    let most = (memory / 8 / page).clamp(1, 1 << MOST_PARTITIONS_LOG2) as usize;
    // Rounded down to a power of two.
    1 << most.ilog2()
}

impl<'a> Exchange<'a> {
    /// An empty exchange between 2^`log2` partitions; pages of all workers take at most an eighth
    /// of `memory`.
    pub(super) fn new<C>(
        segment: Segment,
        log2: u32,
        (workers, memory): (usize, u64),
        peers: Option<&'a Network>,
    ) -> Self {
        let each = memory / 8 / ((workers * size_of::<C>()) << log2) as u64;
        Self {
            page: (each as usize).clamp(LEAST_PAGE, PAGE),
            peers,
            segment,
            pages: (0..1 << log2).map(|_| Mutex::default()).collect(),
        }
    }

    /// Number of partitions.
    pub(super) fn partitions(&self) -> usize {
        self.pages.len()
    }

    /// The pages of a worker, empty at first.
    pub(super) fn outgoing<C: Candidate>(&self) -> Outgoing<C> {
        Outgoing {
            open: vec![Vec::new(); self.partitions()],
            packer: Packer::default(),
            repeated: 0,
        }
    }

    /// Sends one candidate to the owner of a partition.
    #[inline]
    pub(super) fn send<C: Candidate>(
        &self,
        outgoing: &mut Outgoing<C>,
        partition: usize,
        candidate: C,
    ) -> Result<()> {
        let page = &mut outgoing.open[partition];
        page.push(candidate);
        if page.len() >= self.page {
            self.pass_on(outgoing, partition)?;
        }
        Ok(())
    }

    /// Writes the page of a partition, or sends it to the process that keeps that partition.
    fn pass_on<C: Candidate>(&self, outgoing: &mut Outgoing<C>, partition: usize) -> Result<()> {
        let Outgoing { open, packer, .. } = outgoing;
        let page = &mut open[partition];
        let before = page.len();
        settle(page);
        outgoing.repeated += (before - page.len()) as u64;
        for candidate in page.drain(..) {
            packer.put_in(candidate);
        }
        if let Some(peers) = self.peers {
            let to = peers.owner(partition, self.pages.len().ilog2());
            if to != peers.index() {
                let page = page_of(partition, packer);
                packer.clear();
                return peers.send_page(to, &page);
            }
        }
        let run = self.segment.append(packer)?;
        locked(&self.pages[partition]).push(run);
        Ok(())
    }

    /// Sends all pages that a worker still holds. Returns the number of repetitions that it
    /// dropped.
    pub(super) fn close<C: Candidate>(&self, mut outgoing: Outgoing<C>) -> Result<u64> {
        for partition in 0..self.partitions() {
            if !outgoing.open[partition].is_empty() {
                self.pass_on(&mut outgoing, partition)?;
            }
        }
        Ok(outgoing.repeated)
    }

    /// Appends the candidates sent to a partition, in any order.
    pub(super) fn collect<C: Candidate>(&self, partition: usize, into: &mut Vec<C>) -> Result<()> {
        let mut bytes = Vec::new();
        for run in locked(&self.pages[partition]).iter() {
            self.segment.read(run, &mut bytes)?;
            into.extend(candidates::<C>(run, &bytes));
        }
        Ok(())
    }

    /// Candidates that wait for a partition, with repetitions between pages.
    pub(super) fn waiting(&self, partition: usize) -> u64 {
        let pages = locked(&self.pages[partition]);
        pages.iter().map(|run| run.states).sum()
    }

    /// Removes the file, once everything sent was read.
    pub(super) fn discard(self) -> Result<()> {
        self.segment.remove()
    }
}

/// The packed keys as a page for the process that keeps a partition.
fn page_of(partition: usize, packer: &mut Packer) -> Vec<u8> {
    let states = packer.count();
    let packed = packer.finish();
    let mut bytes = Vec::with_capacity(HEAD + packed.len());
    bytes.extend((partition as u64).to_le_bytes());
    bytes.extend(states.to_le_bytes());
    bytes.extend(xxhash_rust::xxh3::xxh3_64(packed).to_le_bytes());
    bytes.extend_from_slice(packed);
    bytes
}

// Expands a level together with other processes: pages that belong here are written as they
// arrive.

/// Expands a level on this process while pages of the others arrive; ends once all processes are
/// done.
///
/// # Errors
/// The cause that ended the step on some process.
pub(super) fn expand_together<C: Candidate>(
    peers: &Network,
    step: &DiskStep<'_, C::Key>,
    exchange: &Exchange<'_>,
) -> Result<Own, Halt> {
    let time = peers.time();
    let fault = Mutex::new(None);
    let (own, received) = std::thread::scope(|scope| {
        let reading = scope.spawn(|| receive(peers, time, exchange, &fault));
        let own = step.expand::<C>(exchange);
        let own = match taken(&fault) {
            Some(error) => Err(Halt::Failed(error)),
            None => own,
        };
        let own = agree(peers, own, |_| ());
        (own, reading.join())
    });
    let received = received.unwrap_or_else(|panic| std::panic::resume_unwind(panic));
    let (own, _) = own?;
    let received = match taken(&fault) {
        Some(error) => Err(error),
        None => received,
    };
    agree(peers, received.map_err(Halt::from), |()| ())?;
    Ok(own)
}

fn taken(fault: &Mutex<Option<EngineError>>) -> Option<EngineError> {
    locked(fault).take()
}

/// Writes the pages of a step as they arrive. A failure is left in `fault`, and the step continues
/// to its end, since other processes may wait to send.
fn receive(
    peers: &Network,
    time: u64,
    exchange: &Exchange<'_>,
    fault: &Mutex<Option<EngineError>>,
) -> Result<()> {
    let mut sound = true;
    while let Some((from, page)) = peers.take(time)? {
        if sound && let Err(error) = exchange.write_down(&page) {
            sound = false;
            *locked(fault) = Some(error);
            peers.halt();
        }
        peers.written(from, page.len());
    }
    Ok(())
}

impl Exchange<'_> {
    /// Writes a page of another process.
    fn write_down(&self, page: &[u8]) -> Result<()> {
        let torn = || EngineError::CannotHold("a page of another process is none".into());
        let word = |at: usize| {
            let bytes: Option<[u8; 8]> = page.get(at..at + 8).and_then(|word| word.try_into().ok());
            bytes.map(u64::from_le_bytes).ok_or_else(torn)
        };
        let partition = word(0)?;
        let pages = self.pages.get(partition as usize).ok_or_else(torn)?;
        let packed = page.get(HEAD..).ok_or_else(torn)?;
        let run = self.segment.append_packed(packed, word(8)?, word(16)?)?;
        locked(pages).push(run);
        Ok(())
    }
}
