//! Processes that share a search: the interface of a search on disk to the others, however their
//! pages travel.

use std::fmt;
use std::sync::atomic::AtomicBool;

use antipode_reports::cost::LevelCost;
use serde::de::DeserializeOwned;
use serde::{Deserialize, Serialize};

use super::step::Halt;
use crate::error::{EngineError, Result};

/// The processes that share a search, as one of them sees them; each keeps its own partitions. All
/// of them share the same data in the same order.
pub(in crate::engines) trait Peers: fmt::Debug + Sync {
    /// Number of this process, from 0 on.
    fn index(&self) -> usize;

    /// Number of processes.
    fn count(&self) -> usize;

    /// The process that keeps a partition of 2^`log2`. The parts of a partition that is split stay
    /// on the same process.
    fn owner(&self, partition: usize, log2: u32) -> usize;

    /// Least number of partitions, as a power of two: these pieces are distributed whole.
    fn least_log2(&self) -> u32;

    /// Sets, once, the process that keeps each piece; by default their numbers decide.
    fn deal(&self, owners: Vec<u16>);

    /// Sends bytes to all processes and receives theirs, by process, including its own. Waits until
    /// all have called it and every page that was sent before has been delivered.
    ///
    /// # Errors
    /// A process that is gone, or shares other data.
    fn share(&self, bytes: Vec<u8>) -> Result<Vec<Vec<u8>>>;

    /// Number of times that data were shared: pages belong to the step between two such moments.
    fn time(&self) -> u64;

    /// Sends a page; waits while its receiver has too much to write.
    ///
    /// # Errors
    /// A process that is gone.
    fn send_page(&self, to: usize, page: Vec<u8>) -> Result<()>;

    /// The next page of a step. Waits for one, and returns `None` once the step is over and all
    /// were returned.
    ///
    /// # Errors
    /// A process that is gone.
    fn take(&self, time: u64) -> Result<Option<(usize, Vec<u8>)>>;

    /// Acknowledges the written bytes of a process's pages: it may send as many again.
    fn written(&self, from: usize, bytes: usize);

    /// Asks all processes to end the current step.
    fn halt(&self);

    /// Set once some process requested that.
    fn halted(&self) -> &AtomicBool;
}

/// Why a process ended a step early, for the others.
#[derive(Debug, Serialize, Deserialize)]
enum Ending {
    Stopped,
    Memory(String),
    Disk(String),
    Fault(String),
}

/// Shares the outcome of something: it succeeded if it did on all processes. A limit or a stop on
/// one process applies to all of them.
///
/// # Errors
/// The error here, else the error elsewhere.
pub(super) fn agree<T, U: Serialize + DeserializeOwned>(
    peers: &dyn Peers,
    mine: Result<T, Halt>,
    tell: impl FnOnce(&T) -> U,
) -> Result<(T, Vec<U>), Halt> {
    let said: Result<U, Ending> = match &mine {
        Ok(mine) => Ok(tell(mine)),
        Err(Halt::Stopped) => Err(Ending::Stopped),
        Err(Halt::Failed(EngineError::Memory(text))) => Err(Ending::Memory(text.clone())),
        Err(Halt::Failed(EngineError::Disk(text))) => Err(Ending::Disk(text.clone())),
        Err(Halt::Failed(error)) => Err(Ending::Fault(error.to_string())),
    };
    if said.is_err() {
        peers.halt();
    }
    let heard = shared(peers, &said);
    // A fault is reported before a limit, and both before a stop that they caused.
    let fault_here = matches!(&said, Err(Ending::Fault(_)));
    let heard = match (mine, heard) {
        (Err(halt), _) if fault_here => return Err(halt),
        (_, Err(error)) => return Err(error.into()),
        (mine, Ok(heard)) => (mine, heard),
    };
    let (mine, heard) = heard;
    let (mut told, mut stopped, mut limit) = (Vec::new(), false, None);
    for (process, said) in heard.into_iter().enumerate() {
        let of = |text: String| format!("process {process}: {text}");
        match said {
            Ok(said) => told.push(said),
            Err(Ending::Stopped) => stopped = true,
            Err(Ending::Fault(text)) => return Err(EngineError::CannotHold(of(text)).into()),
            Err(Ending::Memory(text)) => limit = Some(EngineError::Memory(of(text))),
            Err(Ending::Disk(text)) => limit = Some(EngineError::Disk(of(text))),
        }
    }
    match (limit, stopped, mine) {
        (Some(limit), ..) => Err(limit.into()),
        (None, true, _) => Err(Halt::Stopped),
        (None, false, mine) => Ok((mine?, told)),
    }
}

/// Shares data with all processes, which must share data of the same kind.
///
/// # Errors
/// A process that is gone, or shares other data.
pub(in crate::engines) fn shared<T: Serialize + DeserializeOwned>(
    peers: &dyn Peers,
    mine: &T,
) -> Result<Vec<T>> {
    let bytes = serde_json::to_vec(mine).unwrap_or_default();
    let read = |(process, bytes): (usize, Vec<u8>)| {
        serde_json::from_slice(&bytes).map_err(|_| {
            EngineError::CannotHold(format!(
                "process {process} is not where this one is in the search: start all of them anew with the same command and --resume"
            ))
        })
    };
    let all = peers.share(bytes)?;
    all.into_iter().enumerate().map(read).collect()
}

/// The cost of a level over some processes.
pub(in crate::engines) fn joined(depth: u16, costs: &[LevelCost]) -> LevelCost {
    let start = LevelCost {
        depth: depth.into(),
        ..LevelCost::default()
    };
    costs.iter().fold(start, |all, one| LevelCost {
        depth: all.depth,
        states: all.states + one.states,
        seconds: all.seconds.max(one.seconds),
        cpu_seconds: all.cpu_seconds + one.cpu_seconds,
        generated: all.generated + one.generated,
        stayed: all.stayed + one.stayed,
        removed_in_memory: all.removed_in_memory + one.removed_in_memory,
        removed_at_merge: all.removed_at_merge + one.removed_at_merge,
        bytes_read: all.bytes_read + one.bytes_read,
        bytes_written: all.bytes_written + one.bytes_written,
        bytes_stored: all.bytes_stored + one.bytes_stored,
        partitions: all.partitions.max(one.partitions),
        peak_memory_bytes: all.peak_memory_bytes.max(one.peak_memory_bytes),
    })
}
