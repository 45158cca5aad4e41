//! Processes that share a search: how they agree on the outcome of a step.

use antipode_reports::cost::LevelCost;
use puzzle_api::Key;
use serde::de::DeserializeOwned;
use serde::{Deserialize, Serialize};

use super::step::Halt;
use super::walk::Walk;
use crate::digest::{key_texts, keys_from_texts};
use crate::engines::network::Network;
use crate::error::{EngineError, Result};

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
    peers: &Network,
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

impl<K: Key> Walk<'_, K> {
    /// Shares data with all processes; the data alone if there is no other.
    pub(super) fn all_of<T: Serialize + DeserializeOwned>(&self, mine: T) -> Result<Vec<T>> {
        match self.peers {
            None => Ok(vec![mine]),
            Some(peers) => shared(peers, &mine),
        }
    }

    /// The same for keys.
    pub(super) fn all_keys(&self, mine: Vec<K>) -> Result<Vec<Vec<K>>> {
        let Some(peers) = self.peers else {
            return Ok(vec![mine]);
        };
        let all = shared(peers, &key_texts(&mine))?;
        Ok(all.iter().map(|keys| keys_from_texts(keys)).collect())
    }
}

/// Shares data with all processes, which must share data of the same kind.
///
/// # Errors
/// A process that is gone, or shares other data.
pub(in crate::engines) fn shared<T: Serialize + DeserializeOwned>(
    peers: &Network,
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
