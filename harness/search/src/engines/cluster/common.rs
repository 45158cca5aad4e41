//! State shared by the threads of a process: messages for the engine, and messages under way to
//! others.

use std::collections::{BTreeMap, VecDeque};
use std::sync::atomic::{AtomicBool, Ordering::Relaxed};
use std::sync::{Condvar, Mutex, MutexGuard, PoisonError};

use serde::{Deserialize, Deserializer, Serialize, Serializer};

use crate::error::{EngineError, Result, locked};
use crate::progress::Stop;

/// The kind of a message.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub(super) enum MessageKind {
    /// Candidates of a partition.
    Page,
    /// Data that a process shares.
    Shared,
    /// Number of bytes of pages that were written.
    Written,
}

/// A message to another process.
#[derive(Debug, Clone, Serialize, Deserialize)]
pub(super) struct Message {
    pub(super) to: u32,
    pub(super) from: u32,
    pub(super) kind: MessageKind,
    #[serde(with = "whole")]
    pub(super) body: Vec<u8>,
}

/// State shared by the threads of a process.
pub(super) struct Common {
    names: Vec<String>,
    state: Mutex<State>,
    pub(super) changed: Condvar,
    pub(super) halted: AtomicBool,
    /// Whether the others were asked to end the step.
    pub(super) told: AtomicBool,
    /// Whether the fate of the others no longer matters.
    pub(super) over: AtomicBool,
    /// Called once the step is to end, if the worker checks nothing else.
    stop: Option<Stop>,
}

#[derive(Default)]
pub(super) struct State {
    /// Number of times that something was shared.
    pub(super) time: u64,
    /// Moments before this one are over.
    pub(super) over: u64,
    /// Pages that wait to be written, with their moments.
    pub(super) pages: BTreeMap<u64, VecDeque<(usize, Vec<u8>)>>,
    /// Shared data, by moment and process.
    pub(super) shared: BTreeMap<u64, BTreeMap<usize, Vec<u8>>>,
    /// Bytes of pages under way, by receiver.
    pub(super) under_way: Vec<usize>,
    /// Bytes written that are not yet acknowledged to their sender.
    pub(super) untold: Vec<usize>,
    pub(super) lost: Option<String>,
}

impl Common {
    /// An empty state, with processes at `names`.
    pub(super) fn new(names: Vec<String>, stop: Option<Stop>) -> Self {
        let count = names.len();
        Self {
            names,
            state: Mutex::new(State {
                under_way: vec![0; count],
                untold: vec![0; count],
                ..State::default()
            }),
            changed: Condvar::new(),
            halted: AtomicBool::new(false),
            told: AtomicBool::new(false),
            over: AtomicBool::new(false),
            stop,
        }
    }

    /// Ends the current step on this process.
    pub(super) fn end_step(&self) {
        self.halted.store(true, Relaxed);
        self.stop.iter().for_each(Stop::request);
        // A thread that has just read the flag must be waiting before it is woken.
        drop(self.lock());
        self.changed.notify_all();
    }

    /// Records the first reason why the peers were abandoned.
    fn lose(&self, why: impl FnOnce() -> String) {
        if !self.over.load(Relaxed) {
            self.lock().lost.get_or_insert_with(why);
            self.end_step();
        }
    }

    pub(super) fn lock(&self) -> MutexGuard<'_, State> {
        locked(&self.state)
    }

    pub(super) fn wait<'a>(&self, state: MutexGuard<'a, State>) -> MutexGuard<'a, State> {
        let waited = self.changed.wait(state);
        waited.unwrap_or_else(PoisonError::into_inner)
    }

    /// A process is gone, with the reason in a few words.
    pub(super) fn lost(&self, peer: usize, why: &str) {
        self.lose(|| format!("process {peer} ({}) {why}", self.names[peer]));
    }

    /// A message of a moment.
    pub(super) fn message(&self, moment: u64, message: Message) {
        let mut state = self.lock();
        let from = message.from as usize;
        match message.kind {
            MessageKind::Page => {
                let pages = state.pages.entry(moment).or_default();
                pages.push_back((from, message.body));
            }
            MessageKind::Shared => {
                let shared = state.shared.entry(moment).or_default();
                shared.insert(from, message.body);
            }
            MessageKind::Written => {
                let bytes = <[u8; 8]>::try_from(&message.body[..]).map(u64::from_le_bytes);
                let written = bytes.unwrap_or_default() as usize;
                if let Some(under_way) = state.under_way.get_mut(from) {
                    *under_way = under_way.saturating_sub(written);
                }
            }
        }
        self.changed.notify_all();
    }

    /// The network has failed: nothing will arrive any more.
    pub(super) fn broken(&self, why: &str) {
        self.lose(|| format!("the connections to others have failed ({why})"));
    }

    /// All moments before this one are over on all processes.
    pub(super) fn over(&self, before: u64) {
        self.lock().over = before;
        self.changed.notify_all();
    }
}

impl State {
    pub(super) fn alive(&self) -> Result<()> {
        match &self.lost {
            None => Ok(()),
            Some(why) => Err(EngineError::Peer(why.clone())),
        }
    }
}

/// Sends bytes at once, and not one by one.
mod whole {
    use super::{Deserializer, Serializer};

    pub(super) fn serialize<S: Serializer>(bytes: &[u8], to: S) -> Result<S::Ok, S::Error> {
        to.serialize_bytes(bytes)
    }

    pub(super) fn deserialize<'de, D: Deserializer<'de>>(from: D) -> Result<Vec<u8>, D::Error> {
        struct Bytes;
        impl serde::de::Visitor<'_> for Bytes {
            type Value = Vec<u8>;

            fn expecting(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
                f.write_str("bytes")
            }

            fn visit_bytes<E>(self, bytes: &[u8]) -> Result<Vec<u8>, E> {
                Ok(bytes.to_vec())
            }

            fn visit_byte_buf<E>(self, bytes: Vec<u8>) -> Result<Vec<u8>, E> {
                Ok(bytes)
            }
        }
        from.deserialize_bytes(Bytes)
    }
}
