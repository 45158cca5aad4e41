//! Messages between the disk engines of several processes: data that all share, and pages while a
//! level is expanded, which are held back if their receiver cannot write them as fast.

use std::collections::VecDeque;
use std::net::TcpStream;
use std::sync::atomic::Ordering::Relaxed;
use std::sync::atomic::{AtomicBool, AtomicU64};
use std::sync::mpsc::{Sender, channel};
use std::sync::{Arc, OnceLock};
use std::time::{Duration, Instant};
use std::{fmt, thread};

use super::common::{Common, Message, MessageKind};
use super::dataflow::{self, Command, Wake};
use super::wire::Wire;
use crate::engines::disk::peers::Peers;
use crate::error::{EngineError, Result};
use crate::progress::Stop;

/// Least number of partitions, as a power of two: they are distributed whole.
pub(super) const LEAST_LOG2: u32 = 8;
/// Most processes: each keeps at least a few partitions.
pub(super) const MOST_PROCESSES: usize = 64;

/// Bytes of pages under way to all others together, and to one of them.
const UNDER_WAY: usize = 64 << 20;
const TO_ONE: (usize, usize) = (1 << 20, 8 << 20);
/// Time limit for last words.
const FAREWELL: Duration = Duration::from_secs(3);
/// Time limit for a farewell.
const GOOD_BYE: Duration = Duration::from_secs(20);

/// The piece to which a partition belongs, or which it begins.
fn piece(partition: usize, log2: u32) -> usize {
    match log2 >= LEAST_LOG2 {
        true => partition >> (log2 - LEAST_LOG2),
        false => partition << (LEAST_LOG2 - log2),
    }
}

/// The process that keeps a partition. Partitions with neighbouring numbers go together, so that
/// after a split the parts of one stay where it was.
pub(super) fn owner(partition: usize, log2: u32, count: usize) -> usize {
    (piece(partition, log2) * count) >> LEAST_LOG2
}

/// Connections to all other processes.
pub(super) struct Network {
    index: usize,
    count: usize,
    window: usize,
    /// By piece, if that does not follow their numbers.
    owners: OnceLock<Vec<u16>>,
    common: Arc<Common>,
    commands: Sender<Command>,
    wake: Wake,
    wires: Vec<Option<Wire>>,
}

impl fmt::Debug for Network {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "process {} of {}", self.index, self.count)
    }
}

impl Network {
    /// Opens the network over sockets to all others. `names` are their addresses, and `stop` is
    /// checked once the step is to end.
    ///
    /// # Errors
    /// The system cannot start threads.
    pub(super) fn open(
        index: usize,
        sockets: Vec<Option<TcpStream>>,
        names: Vec<String>,
        silence: Duration,
        stop: Option<Stop>,
    ) -> Result<Self> {
        let count = sockets.len();
        let common = Arc::new(Common::new(names, stop));
        let failed = |error: &dyn fmt::Display| {
            EngineError::CannotHold(format!("cannot open the connections to others: {error}"))
        };
        let mut wires = Vec::new();
        for (peer, socket) in sockets.into_iter().enumerate() {
            let wire = socket.map(|socket| Wire::new(peer, socket, Arc::clone(&common)));
            wires.push(wire.transpose().map_err(|error| failed(&error))?);
        }
        let beat = (silence / 8).min(Duration::from_secs(1));
        for wire in wires.iter().flatten() {
            let wire = wire.clone();
            let speak = thread::Builder::new().name("antipode:speak".into());
            let spoken = speak.spawn(move || wire.speak(beat));
            spoken.map_err(|error| failed(&error))?;
        }
        let watched: Vec<Wire> = wires.iter().flatten().cloned().collect();
        let watching = Arc::clone(&common);
        let watch = thread::Builder::new().name("antipode:watch".into());
        let watch = watch.spawn(move || {
            while !watching.over.load(Relaxed) {
                watched.iter().for_each(|wire| wire.watch(silence));
                thread::sleep(beat);
            }
        });
        watch.map_err(|error| failed(&error))?;
        let (commands, told) = channel();
        let wake = dataflow::open(wires.clone(), index, told, Arc::clone(&common));
        Ok(Self {
            index,
            count,
            window: (UNDER_WAY / (count - 1).max(1)).clamp(TO_ONE.0, TO_ONE.1),
            owners: OnceLock::new(),
            common,
            commands,
            wake: wake.map_err(|error| failed(&error))?,
            wires,
        })
    }

    fn tell(&self, command: Command) {
        // It ends only on request.
        let _ = self.commands.send(command);
        self.wake.up();
    }

    fn send(&self, to: usize, kind: MessageKind, body: Vec<u8>) {
        self.tell(Command::Send(Message {
            to: to as u32,
            from: self.index as u32,
            kind,
            body,
        }));
    }

    /// Bytes sent to others so far.
    pub(super) fn sent(&self) -> u64 {
        self.wires.iter().flatten().map(Wire::sent).sum()
    }

    /// Ends the connections once all have sent everything.
    pub(super) fn close(self) {
        self.tell(Command::Close);
        let until = Instant::now() + GOOD_BYE;
        let open = || !self.wires.iter().flatten().all(Wire::closed);
        while open() && Instant::now() < until && self.common.lock().lost.is_none() {
            thread::sleep(Duration::from_millis(2));
        }
        self.common.over.store(true, Relaxed);
    }

    /// Ends the connections since this process has failed; the others get the reason.
    pub(super) fn fail(self, why: &str) {
        self.common.over.store(true, Relaxed);
        let until = Instant::now() + FAREWELL;
        for wire in self.wires.iter().flatten() {
            wire.farewell(why, until);
        }
        // So that it is read before the connection ends.
        thread::sleep(Duration::from_millis(100));
    }
}

impl Peers for Network {
    fn index(&self) -> usize {
        self.index
    }

    fn count(&self) -> usize {
        self.count
    }

    fn owner(&self, partition: usize, log2: u32) -> usize {
        match self.owners.get() {
            Some(owners) => owners[piece(partition, log2)].into(),
            None => owner(partition, log2, self.count),
        }
    }

    fn least_log2(&self) -> u32 {
        LEAST_LOG2
    }

    fn deal(&self, owners: Vec<u16>) {
        // All agreed on these when they began.
        let _ = self.owners.set(owners);
    }

    fn share(&self, bytes: Vec<u8>) -> Result<Vec<Vec<u8>>> {
        let time = self.time();
        for to in (0..self.count).filter(|&to| to != self.index) {
            self.send(to, MessageKind::Shared, bytes.clone());
        }
        self.tell(Command::Next);
        let mut state = self.common.lock();
        while state.over <= time && state.lost.is_none() {
            state = self.common.wait(state);
        }
        if state.over <= time {
            state.alive()?;
        }
        let mut all = state.shared.remove(&time).unwrap_or_default();
        all.insert(self.index, bytes);
        state.time += 1;
        self.common.changed.notify_all();
        if all.len() != self.count {
            let missing = (0..self.count).find(|process| !all.contains_key(process));
            return Err(EngineError::Peer(format!(
                "process {} has not shared what all share",
                missing.unwrap_or_default()
            )));
        }
        Ok(all.into_values().collect())
    }

    fn time(&self) -> u64 {
        self.common.lock().time
    }

    fn send_page(&self, to: usize, page: Vec<u8>) -> Result<()> {
        let mut state = self.common.lock();
        loop {
            state.alive()?;
            if self.common.halted.load(Relaxed) {
                // It will never be read.
                return Ok(());
            }
            let under_way = state.under_way[to];
            if under_way == 0 || under_way + page.len() <= self.window {
                break;
            }
            state = self.common.wait(state);
        }
        state.under_way[to] += page.len();
        drop(state);
        self.send(to, MessageKind::Page, page);
        Ok(())
    }

    fn take(&self, time: u64) -> Result<Option<(usize, Vec<u8>)>> {
        let mut state = self.common.lock();
        loop {
            if let Some(page) = state.pages.get_mut(&time).and_then(VecDeque::pop_front) {
                return Ok(Some(page));
            }
            if state.over > time {
                state.pages.remove(&time);
                return Ok(None);
            }
            state.alive()?;
            state = self.common.wait(state);
        }
    }

    fn written(&self, from: usize, bytes: usize) {
        let mut state = self.common.lock();
        state.untold[from] += bytes;
        if state.untold[from] < self.window / 4 {
            return;
        }
        let told = std::mem::take(&mut state.untold[from]);
        drop(state);
        let told = (told as u64).to_le_bytes();
        self.send(from, MessageKind::Written, told.to_vec());
    }

    fn halt(&self) {
        if !self.common.told.swap(true, Relaxed) {
            self.wires.iter().flatten().for_each(Wire::halt);
        }
        self.common.end_step();
    }

    fn halted(&self) -> &AtomicBool {
        &self.common.halted
    }
}

// A crew of one process: nothing travels, and its levels can be distributed to more processes
// later.

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

    fn share(&self, bytes: Vec<u8>) -> Result<Vec<Vec<u8>>> {
        self.time.fetch_add(1, Relaxed);
        Ok(vec![bytes])
    }

    fn time(&self) -> u64 {
        self.time.load(Relaxed)
    }

    fn send_page(&self, to: usize, _page: Vec<u8>) -> Result<()> {
        Err(EngineError::Peer(format!("process {to} is none of one")))
    }

    fn take(&self, _time: u64) -> Result<Option<(usize, Vec<u8>)>> {
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

#[cfg(test)]
mod tests {
    use std::net::TcpListener;

    use super::*;

    const PAGE: usize = 10_000;

    fn two() -> [Network; 2] {
        let listener = TcpListener::bind("127.0.0.1:0").expect("a port");
        let there = listener.local_addr().expect("an address");
        let one = TcpStream::connect(there).expect("a connection");
        let (other, _) = listener.accept().expect("a connection");
        let names = || vec!["one".to_owned(), "other".to_owned()];
        let silence = Duration::from_secs(60);
        let first = Network::open(0, vec![None, Some(one)], names(), silence, None);
        let second = Network::open(1, vec![Some(other), None], names(), silence, None);
        [first.expect("opens"), second.expect("opens")]
    }

    fn until(what: impl Fn() -> bool) {
        let late = Instant::now() + Duration::from_secs(60);
        while !what() {
            assert!(Instant::now() < late, "not within a minute");
            thread::sleep(Duration::from_millis(5));
        }
    }

    /// A receiver that writes nothing bounds the bytes that its sender has under way; all of it
    /// arrives in the end.
    #[test]
    fn a_slow_process_holds_back_the_others() {
        let [one, other] = two();
        let window = one.window;
        let pages = 5 * window / PAGE;
        thread::scope(|scope| {
            let sender = scope.spawn(|| {
                for page in 0..pages {
                    let page = vec![page as u8; PAGE];
                    one.send_page(1, page).expect("alive");
                }
                one.share(vec![1]).expect("alive")
            });
            let waiting = || {
                let state = other.common.lock();
                state.pages.get(&0).map_or(0, VecDeque::len)
            };
            until(|| (waiting() + 1) * PAGE > window);
            thread::sleep(Duration::from_millis(500));
            assert!(waiting() * PAGE <= window && !sender.is_finished());
            let reader = scope.spawn(|| {
                let mut read = 0;
                while let Some((from, page)) = other.take(0).expect("alive") {
                    assert_eq!((from, page.len(), page[0]), (0, PAGE, read as u8));
                    other.written(from, page.len());
                    read += 1;
                }
                read
            });
            let shared = other.share(vec![2, 3]).expect("alive");
            assert_eq!(shared, [vec![1], vec![2, 3]]);
            assert_eq!(reader.join().expect("no panic"), pages);
            assert_eq!(sender.join().expect("no panic"), shared);
        });
        // Both at the same time, as processes do.
        thread::scope(|scope| {
            scope.spawn(|| one.close());
            other.close();
        });
    }

    #[test]
    fn a_process_that_fails_tells_the_others_why() {
        let [one, other] = two();
        thread::scope(|scope| {
            let waits = scope.spawn(|| other.share(Vec::new()));
            one.fail("no more paper");
            let error = waits.join().expect("no panic").expect_err("alone");
            let line = error.to_string();
            assert!(
                line.contains("process 0 (one) ended: no more paper"),
                "{line}"
            );
        });
        assert!(other.send_page(0, vec![0; PAGE]).is_err());
    }

    #[test]
    fn what_a_partition_falls_into_stays_where_it_was() {
        for count in 1..=MOST_PROCESSES {
            for log2 in LEAST_LOG2..LEAST_LOG2 + 3 {
                for partition in 0..1_usize << log2 {
                    let here = owner(partition, log2, count);
                    assert!(here < count);
                    assert_eq!(owner(2 * partition, log2 + 1, count), here);
                    assert_eq!(owner(2 * partition + 1, log2 + 1, count), here);
                }
            }
            let kept: std::collections::BTreeSet<usize> = (0..1 << LEAST_LOG2)
                .map(|p| owner(p, LEAST_LOG2, count))
                .collect();
            assert_eq!(kept.len(), count);
        }
    }
}
