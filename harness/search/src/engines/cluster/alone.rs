//! A crew of one process: nothing travels, and its levels can be distributed to more processes
//! later.

use std::sync::atomic::{AtomicBool, AtomicU64, Ordering::Relaxed};

use super::network::LEAST_LOG2;
use crate::engines::disk::peers::Peers;
use crate::error::EngineError;

/// The only process of a search.
#[derive(Debug, Default)]
pub(super) struct Alone {
    time: AtomicU64,
    halted: AtomicBool,
}

impl Peers for Alone {
    fn index(&self) -> usize {
        0
    }

    fn count(&self) -> usize {
        1
    }

    fn owner(&self, _partition: usize, _log2: u32) -> usize {
        0
    }

    fn least_log2(&self) -> u32 {
        LEAST_LOG2
    }

    fn deal(&self, _owners: Vec<u16>) {}

    fn share(&self, bytes: Vec<u8>) -> Result<Vec<Vec<u8>>, EngineError> {
        self.time.fetch_add(1, Relaxed);
        Ok(vec![bytes])
    }

    fn time(&self) -> u64 {
        self.time.load(Relaxed)
    }

    fn send_page(&self, to: usize, _page: Vec<u8>) -> Result<(), EngineError> {
        Err(EngineError::Peer(format!("process {to} is none of one")))
    }

    fn take(&self, _time: u64) -> Result<Option<(usize, Vec<u8>)>, EngineError> {
        Ok(None)
    }

    fn written(&self, _from: usize, _bytes: usize) {}

    fn halt(&self) {
        self.halted.store(true, Relaxed);
    }

    fn halted(&self) -> &AtomicBool {
        &self.halted
    }
}
