//! Expands a level together with other processes: pages that belong here are written as they
//! arrive.

use std::path::PathBuf;
use std::sync::{Mutex, PoisonError};

use super::candidate::Candidate;
use super::exchange::{Exchange, HEAD};
use super::peers::{Peers, agree};
use super::segment::{Disk, PackedRun, Segment, SegmentWriter};
use super::step::{DiskStep, Halt, Own};
use crate::error::EngineError;

/// Expands a level on this process while pages of the others arrive; ends once all processes are
/// done.
///
/// # Errors
/// The cause that ended the step on some process.
pub(super) fn expand_together<C: Candidate>(
    peers: &dyn Peers,
    step: &DiskStep<'_, C::Key>,
    exchange: &mut Exchange<'_>,
    incoming: PathBuf,
) -> Result<Own, Halt> {
    let (time, partitions) = (peers.time(), exchange.partitions());
    let fault = Mutex::new(None);
    let (own, received) = std::thread::scope(|scope| {
        let reading = scope.spawn(|| receive(peers, time, incoming, partitions, step.disk, &fault));
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
    let ((segment, pages), _) = agree(peers, received.map_err(Halt::from), |_| ())?;
    exchange.add(segment, pages);
    Ok(own)
}

fn taken(fault: &Mutex<Option<EngineError>>) -> Option<EngineError> {
    fault.lock().unwrap_or_else(PoisonError::into_inner).take()
}

/// Writes the pages of a step as they arrive. A failure is left in `fault`, and the step continues
/// to its end, since other processes may wait to send.
fn receive(
    peers: &dyn Peers,
    time: u64,
    path: PathBuf,
    partitions: usize,
    disk: &Disk,
    fault: &Mutex<Option<EngineError>>,
) -> Result<(Segment, Vec<(u32, PackedRun)>), EngineError> {
    let mut segment = SegmentWriter::new(path, 0);
    let mut pages = Vec::new();
    let mut sound = true;
    while let Some((from, page)) = peers.take(time)? {
        if sound {
            match write_down(&page, partitions, &mut segment, disk) {
                Ok(written) => pages.push(written),
                Err(error) => {
                    sound = false;
                    *fault.lock().unwrap_or_else(PoisonError::into_inner) = Some(error);
                    peers.halt();
                }
            }
        }
        peers.written(from, page.len());
    }
    Ok((segment.close()?, pages))
}

fn write_down(
    page: &[u8],
    partitions: usize,
    segment: &mut SegmentWriter,
    disk: &Disk,
) -> Result<(u32, PackedRun), EngineError> {
    let torn = || EngineError::CannotHold("a page of another process is none".into());
    let word = |at: usize| {
        let bytes: Option<[u8; 8]> = page.get(at..at + 8).and_then(|word| word.try_into().ok());
        bytes.map(u64::from_le_bytes).ok_or_else(torn)
    };
    let partition = word(0)?;
    if partition >= partitions as u64 {
        return Err(torn());
    }
    let packed = page.get(HEAD..).ok_or_else(torn)?;
    let run = segment.append_packed(packed, word(8)?, word(16)?, disk)?;
    Ok((partition as u32, run))
}
