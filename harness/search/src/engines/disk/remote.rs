//! Exchange between processes: what stays here is spooled as ever, what belongs to another
//! process goes there in pages of the same form, and what comes is written down as it comes.

use std::path::PathBuf;
use std::sync::{Mutex, PoisonError};

use super::candidate::{Candidate, settle};
use super::exchange::{Exchange, Outgoing, Spooled};
use super::packed::Packer;
use super::peers::{Peers, agree};
use super::segment::{Disk, Run, Segment, SegmentWriter, candidates};
use super::step::{Halt, Own, Step};
use crate::error::EngineError;

/// Bytes before the packed keys of a page: its partition, its states, its checksum.
const HEAD: usize = 24;

/// Exchange between the workers of all processes.
#[derive(Debug)]
pub(super) struct Remote<'a> {
    own: Spooled<'a>,
    peers: &'a dyn Peers,
    /// By partition: the process that keeps it, if that is another.
    others: Vec<Option<u32>>,
    received: Option<Received>,
}

/// One worker's pages.
pub(super) struct Outbox<C> {
    own: Outgoing<C>,
    open: Vec<Vec<C>>,
    packer: Packer,
    repeated: u64,
}

/// Pages that came from other processes.
#[derive(Debug)]
struct Received {
    segment: Segment,
    pages: Vec<Vec<Run>>,
}

impl<'a> Remote<'a> {
    /// Nothing sent yet, between 2^`log2` partitions.
    pub(super) fn new(own: Spooled<'a>, peers: &'a dyn Peers, log2: u32) -> Self {
        let keeper = |partition| {
            let owner = peers.owner(partition, log2);
            (owner != peers.index()).then_some(owner as u32)
        };
        Self {
            own,
            peers,
            others: (0..1 << log2).map(keeper).collect(),
            received: None,
        }
    }

    /// Expands a level on this process while pages of the others come in; ends once all
    /// processes have.
    ///
    /// # Errors
    /// What ended the step on some process.
    pub(super) fn expand<C: Candidate>(
        &mut self,
        step: &Step<'_, C::Key>,
        incoming: PathBuf,
    ) -> Result<Own, Halt> {
        let (peers, time) = (self.peers, self.peers.time());
        let partitions = self.others.len();
        let fault = Mutex::new(None);
        let (own, received) = std::thread::scope(|scope| {
            let reading =
                scope.spawn(|| receive(peers, time, incoming, partitions, step.disk, &fault));
            let own = step.expand::<C, _>(self);
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
        let (received, _) = agree(peers, received.map_err(Halt::from), |_| ())?;
        self.received = Some(received);
        Ok(own)
    }

    /// Removes the files: what was sent was read.
    pub(super) fn discard(self) -> Result<(), EngineError> {
        if let Some(received) = self.received {
            received.segment.remove(self.own.disk())?;
        }
        self.own.discard()
    }

    fn send_page<C: Candidate>(
        &self,
        outbox: &mut Outbox<C>,
        partition: usize,
        to: u32,
    ) -> Result<(), EngineError> {
        let page = &mut outbox.open[partition];
        let before = page.len();
        settle(page);
        outbox.repeated += (before - page.len()) as u64;
        for candidate in page.drain(..) {
            outbox.packer.put_in(candidate);
        }
        let states = outbox.packer.count();
        let packed = outbox.packer.finish();
        let mut bytes = Vec::with_capacity(HEAD + packed.len());
        bytes.extend((partition as u64).to_le_bytes());
        bytes.extend(states.to_le_bytes());
        bytes.extend(xxhash_rust::xxh3::xxh3_64(packed).to_le_bytes());
        bytes.extend_from_slice(packed);
        outbox.packer.clear();
        self.peers.send_page(to as usize, bytes)
    }
}

fn taken(fault: &Mutex<Option<EngineError>>) -> Option<EngineError> {
    fault.lock().unwrap_or_else(PoisonError::into_inner).take()
}

/// Writes down the pages of a step as they come; what fails is left in `fault`, and the step
/// continues to its end, since others may wait for room to send.
fn receive(
    peers: &dyn Peers,
    time: u64,
    path: PathBuf,
    partitions: usize,
    disk: &Disk,
    fault: &Mutex<Option<EngineError>>,
) -> Result<Received, EngineError> {
    let mut segment = SegmentWriter::new(path, 0);
    let mut pages = vec![Vec::new(); partitions];
    let mut sound = true;
    while let Some((from, page)) = peers.take(time)? {
        if sound && let Err(error) = write_down(&page, &mut segment, &mut pages, disk) {
            sound = false;
            *fault.lock().unwrap_or_else(PoisonError::into_inner) = Some(error);
            peers.halt();
        }
        peers.written(from, page.len());
    }
    Ok(Received {
        segment: segment.close()?,
        pages,
    })
}

fn write_down(
    page: &[u8],
    segment: &mut SegmentWriter,
    pages: &mut [Vec<Run>],
    disk: &Disk,
) -> Result<(), EngineError> {
    let torn = || EngineError::CannotHold("a page of another process is none".into());
    let word = |at: usize| {
        let bytes: Option<[u8; 8]> = page.get(at..at + 8).and_then(|word| word.try_into().ok());
        bytes.map(u64::from_le_bytes).ok_or_else(torn)
    };
    let of = pages.get_mut(word(0)? as usize).ok_or_else(torn)?;
    let packed = page.get(HEAD..).ok_or_else(torn)?;
    of.push(segment.append_packed(packed, word(8)?, word(16)?, disk)?);
    Ok(())
}

impl<C: Candidate> Exchange<C> for Remote<'_> {
    type Outgoing = Outbox<C>;

    fn outgoing(&self, worker: usize) -> Result<Outbox<C>, EngineError> {
        Ok(Outbox {
            own: self.own.outgoing(worker)?,
            open: vec![Vec::new(); self.others.len()],
            packer: Packer::default(),
            repeated: 0,
        })
    }

    #[inline]
    fn send(
        &self,
        outbox: &mut Outbox<C>,
        partition: usize,
        candidate: C,
    ) -> Result<(), EngineError> {
        let Some(to) = self.others[partition] else {
            return self.own.send(&mut outbox.own, partition, candidate);
        };
        let page = &mut outbox.open[partition];
        page.push(candidate);
        if page.len() >= self.own.page() {
            self.send_page(outbox, partition, to)?;
        }
        Ok(())
    }

    fn close(&mut self, mut outbox: Outbox<C>) -> Result<u64, EngineError> {
        for (partition, to) in self.others.iter().enumerate() {
            if let (Some(to), false) = (to, outbox.open[partition].is_empty()) {
                self.send_page(&mut outbox, partition, *to)?;
            }
        }
        Ok(outbox.repeated + self.own.close(outbox.own)?)
    }

    fn collect(&self, partition: usize, into: &mut Vec<C>) -> Result<(), EngineError> {
        self.own.collect(partition, into)?;
        let Some(received) = &self.received else {
            return Ok(());
        };
        let mut bytes = Vec::new();
        for run in &received.pages[partition] {
            received.segment.read(run, &mut bytes, self.own.disk())?;
            into.extend(candidates::<C>(run, &bytes));
        }
        Ok(())
    }

    fn waiting(&self, partition: usize) -> u64 {
        let own = Exchange::<C>::waiting(&self.own, partition);
        let received = self.received.iter().flat_map(|r| &r.pages[partition]);
        own + received.map(|run| run.states).sum::<u64>()
    }
}
