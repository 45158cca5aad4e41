//! State shared by the threads of a process: messages for the engine, and messages under way to
//! others.

use std::collections::{BTreeMap, VecDeque};
use std::sync::atomic::{AtomicBool, Ordering::Relaxed};
use std::sync::{Condvar, Mutex, MutexGuard, PoisonError};

use super::dataflow::{Message, MessageKind, Receive};
use super::wire::Listen;
use crate::error::EngineError;
use crate::progress::Stop;

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
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }

    pub(super) fn wait<'a>(&self, state: MutexGuard<'a, State>) -> MutexGuard<'a, State> {
        let waited = self.changed.wait(state);
        waited.unwrap_or_else(PoisonError::into_inner)
    }
}

impl State {
    pub(super) fn alive(&self) -> Result<(), EngineError> {
        match &self.lost {
            None => Ok(()),
            Some(why) => Err(EngineError::Peer(why.clone())),
        }
    }
}

impl Listen for Common {
    fn lost(&self, peer: usize, why: &str) {
        self.lose(|| format!("process {peer} ({}) {why}", self.names[peer]));
    }

    fn halt(&self) {
        self.end_step();
    }
}

impl Receive for Common {
    fn message(&self, moment: u64, message: Message) {
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

    fn broken(&self, why: &str) {
        self.lose(|| format!("the connections to others have failed ({why})"));
    }

    fn over(&self, before: u64) {
        self.lock().over = before;
        self.changed.notify_all();
    }
}
