//! Messages between the disk engines of several processes, over a connection to each other one:
//! data that all share, and pages while a level is expanded. Pages are held back if their receiver
//! cannot write them as fast.
//!
//! A process is at one moment until it has shared something, then at the next. Messages on a
//! connection keep their order, so shared data end the messages that a process sends at a moment.

mod wire;

use std::collections::{BTreeMap, VecDeque};
use std::net::TcpStream;
use std::sync::atomic::AtomicBool;
use std::sync::atomic::Ordering::Relaxed;
use std::sync::{Arc, Condvar, Mutex, MutexGuard, OnceLock, PoisonError};
use std::time::{Duration, Instant};
use std::{fmt, thread};

use crate::error::{EngineError, Result, locked};
use crate::progress::Stop;
use wire::{PAGE, SHARED, WRITTEN, Wire};

/// Least number of partitions, as a power of two: these pieces are distributed whole.
pub(super) const LEAST_LOG2: u32 = 8;
/// Most processes: each keeps at least a few partitions.
pub(super) const MOST_PROCESSES: usize = 64;

/// Bytes of pages under way to all others together, and to one of them. The least is many times
/// what a connection gathers before it sends, so a process that waits is heard.
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
fn owner(partition: usize, log2: u32, count: usize) -> usize {
    (piece(partition, log2) * count) >> LEAST_LOG2
}

/// The processes that share a search, as one of them sees them; each keeps its own partitions. All
/// of them share the same data in the same order. There may be one alone.
pub(super) struct Network {
    index: usize,
    count: usize,
    window: usize,
    /// By piece, if that does not follow their numbers.
    owners: OnceLock<Vec<u16>>,
    common: Arc<Common>,
    /// By process; none to this one.
    wires: Vec<Option<Wire>>,
}

impl fmt::Debug for Network {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "process {} of {}", self.index, self.count)
    }
}

impl Network {
    /// Opens the connections over sockets to all others. `names` are their addresses, and `stop` is
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
        let common = Arc::new(Common::new(index, names, stop));
        let wire = |(peer, socket): (usize, Option<TcpStream>)| {
            let wire = |socket| Wire::open(peer, socket, Arc::clone(&common), silence);
            socket.map(wire).transpose()
        };
        let wires: std::io::Result<Vec<_>> = sockets.into_iter().enumerate().map(wire).collect();
        Ok(Self {
            index,
            count,
            window: (UNDER_WAY / (count - 1).max(1)).clamp(TO_ONE.0, TO_ONE.1),
            owners: OnceLock::new(),
            wires: wires.map_err(|error| {
                EngineError::CannotHold(format!("cannot open the connections to others: {error}"))
            })?,
            common,
        })
    }

    fn wires(&self) -> impl Iterator<Item = &Wire> {
        self.wires.iter().flatten()
    }

    fn send(&self, to: usize, kind: u8, body: &[u8]) {
        if let Some(wire) = &self.wires[to] {
            wire.frame(kind, body);
        }
    }

    /// Bytes sent to others so far.
    pub(super) fn sent(&self) -> u64 {
        self.wires().map(Wire::sent).sum()
    }

    /// Ends the connections once all have sent everything.
    pub(super) fn close(self) {
        self.wires().for_each(Wire::close);
        let until = Instant::now() + GOOD_BYE;
        let open = || !self.wires().all(Wire::closed);
        while open() && Instant::now() < until && self.common.lock().lost.is_none() {
            thread::sleep(Duration::from_millis(2));
        }
        self.common.over.store(true, Relaxed);
    }

    /// Ends the connections since this process has failed; the others get the reason.
    pub(super) fn fail(self, why: &str) {
        self.common.over.store(true, Relaxed);
        let until = Instant::now() + FAREWELL;
        self.wires().for_each(|wire| wire.farewell(why, until));
        // So that it is read before the connection ends.
        thread::sleep(Duration::from_millis(if self.count > 1 { 100 } else { 0 }));
    }

    /// Number of this process, from 0 on.
    pub(super) fn index(&self) -> usize {
        self.index
    }

    /// Number of processes.
    pub(super) fn count(&self) -> usize {
        self.count
    }

    /// The process that keeps a partition of 2^`log2`. The parts of a partition that is split stay
    /// on the same process.
    pub(super) fn owner(&self, partition: usize, log2: u32) -> usize {
        match self.owners.get() {
            Some(owners) => owners[piece(partition, log2)].into(),
            None => owner(partition, log2, self.count),
        }
    }

    /// Sets, once, the process that keeps each piece; by default their numbers decide.
    pub(super) fn deal(&self, owners: Vec<u16>) {
        // All agreed on these when they began.
        let _ = self.owners.set(owners);
    }

    /// Sends bytes to all processes and receives theirs, by process, including its own. Waits until
    /// all have called it and every page that was sent here before has been delivered.
    ///
    /// # Errors
    /// A process that is gone.
    pub(super) fn share(&self, bytes: Vec<u8>) -> Result<Vec<Vec<u8>>> {
        let time = self.time();
        (0..self.count).for_each(|to| self.send(to, SHARED, &bytes));
        let mut state = self.common.lock();
        while state.over() <= time && state.lost.is_none() {
            state = self.common.wait(state);
        }
        if state.over() <= time {
            state.alive()?;
        }
        let mut all = state.shared.remove(&time).unwrap_or_default();
        all.insert(self.index, bytes);
        state.time += 1;
        Ok(all.into_values().collect())
    }

    /// Number of times that data were shared: pages belong to the step between two such moments.
    pub(super) fn time(&self) -> u64 {
        self.common.lock().time
    }

    /// Sends a page; waits while its receiver has too much to write.
    ///
    /// # Errors
    /// A process that is gone.
    pub(super) fn send_page(&self, to: usize, page: &[u8]) -> Result<()> {
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
        self.send(to, PAGE, page);
        Ok(())
    }

    /// The next page of a step. Waits for one, and returns `None` once the step is over and all
    /// were returned.
    ///
    /// # Errors
    /// A process that is gone.
    pub(super) fn take(&self, time: u64) -> Result<Option<(usize, Vec<u8>)>> {
        let mut state = self.common.lock();
        loop {
            if let Some(page) = state.pages.get_mut(&time).and_then(VecDeque::pop_front) {
                return Ok(Some(page));
            }
            if state.over() > time {
                state.pages.remove(&time);
                return Ok(None);
            }
            state.alive()?;
            state = self.common.wait(state);
        }
    }

    /// Acknowledges the written bytes of a process's pages: it may send as many again.
    pub(super) fn written(&self, from: usize, bytes: usize) {
        let mut state = self.common.lock();
        state.untold[from] += bytes;
        if state.untold[from] < self.window / 4 {
            return;
        }
        let told = std::mem::take(&mut state.untold[from]) as u64;
        drop(state);
        self.send(from, WRITTEN, &told.to_le_bytes());
    }

    /// Asks all processes to end the current step.
    pub(super) fn halt(&self) {
        if !self.common.told.swap(true, Relaxed) {
            self.wires().for_each(Wire::halt);
        }
        self.common.end_step();
    }

    /// Set once some process requested that.
    pub(super) fn halted(&self) -> &AtomicBool {
        &self.common.halted
    }
}

/// State shared by the threads of a process.
struct Common {
    names: Vec<String>,
    state: Mutex<State>,
    changed: Condvar,
    halted: AtomicBool,
    /// Whether the others were asked to end the step.
    told: AtomicBool,
    /// Whether the fate of the others no longer matters.
    over: AtomicBool,
    /// Called once the step is to end, if the worker checks nothing else.
    stop: Option<Stop>,
}

#[derive(Default)]
struct State {
    /// Number of times that something was shared.
    time: u64,
    /// By process: number of moments of which everything has arrived.
    over: Vec<u64>,
    /// Pages that wait to be written, with their moments.
    pages: BTreeMap<u64, VecDeque<(usize, Vec<u8>)>>,
    /// Shared data, by moment and process.
    shared: BTreeMap<u64, BTreeMap<usize, Vec<u8>>>,
    /// Bytes of pages under way, by receiver.
    under_way: Vec<usize>,
    /// Bytes written that are not yet acknowledged to their sender.
    untold: Vec<usize>,
    lost: Option<String>,
}

impl Common {
    /// An empty state, with processes at `names`.
    fn new(index: usize, names: Vec<String>, stop: Option<Stop>) -> Self {
        let count = names.len();
        let mut over = vec![0; count];
        // Nothing arrives from itself.
        over[index] = u64::MAX;
        Self {
            names,
            state: Mutex::new(State {
                over,
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
    fn end_step(&self) {
        self.halted.store(true, Relaxed);
        self.stop.iter().for_each(Stop::request);
        // A thread that has just read the flag must be waiting before it is woken.
        drop(self.lock());
        self.changed.notify_all();
    }

    fn lock(&self) -> MutexGuard<'_, State> {
        locked(&self.state)
    }

    fn wait<'a>(&self, state: MutexGuard<'a, State>) -> MutexGuard<'a, State> {
        let waited = self.changed.wait(state);
        waited.unwrap_or_else(PoisonError::into_inner)
    }

    /// A process is gone, with the reason in a few words. The first one counts.
    fn lost(&self, peer: usize, why: &str) {
        if !self.over.load(Relaxed) {
            let why = || format!("process {peer} ({}) {why}", self.names[peer]);
            self.lock().lost.get_or_insert_with(why);
            self.end_step();
        }
    }

    /// A message of a process.
    fn message(&self, from: usize, kind: u8, body: Vec<u8>) {
        let mut state = self.lock();
        let moment = state.over[from];
        match kind {
            PAGE => {
                let pages = state.pages.entry(moment).or_default();
                pages.push_back((from, body));
            }
            SHARED => {
                state.shared.entry(moment).or_default().insert(from, body);
                state.over[from] += 1;
            }
            _ => {
                let bytes = <[u8; 8]>::try_from(&body[..]).map(u64::from_le_bytes);
                let written = bytes.unwrap_or_default() as usize;
                state.under_way[from] = state.under_way[from].saturating_sub(written);
            }
        }
        self.changed.notify_all();
    }
}

impl State {
    /// Number of moments of which everything has arrived from all.
    fn over(&self) -> u64 {
        self.over.iter().copied().min().unwrap_or(u64::MAX)
    }

    fn alive(&self) -> Result<()> {
        match &self.lost {
            None => Ok(()),
            Some(why) => Err(EngineError::Peer(why.clone())),
        }
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
                    one.send_page(1, &page).expect("alive");
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
