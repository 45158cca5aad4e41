//! One level: shows its states, expands them, enters the new ones. Uses all threads of the pool;
//! the result does not depend on their number.

use std::sync::atomic::Ordering::Relaxed;
use std::sync::atomic::{AtomicBool, AtomicU64, AtomicUsize};

use antipode_graph::{Capabilities, Expansion, RankExpansion, Ranking};
use puzzle_api::Key;

use super::Frame;
use super::table::{BLOCK, DistanceArray, MarkForm, Wanted};
use crate::engines::neighbours::place_in_part;
use crate::engines::{BATCH, NeighbourSource};
use crate::error::Result;
use crate::observers::Observers;
use crate::outcome::Counters;
use crate::parallel;
use crate::progress::Progress;
use crate::search::Search;

/// Target number of neighbours in a batch: their keys and ranks then stay in the second-level cache
/// until they are entered.
const NEIGHBOURS: u64 = 1 << 14;
/// Fewest states in a batch, so that calls across the boundary cost nothing.
const LEAST_BATCH: usize = 256;

/// A part being searched.
pub(super) struct Ground<'a, K, F> {
    pub(super) search: &'a Search<K>,
    pub(super) part: u64,
    pub(super) size: u64,
    pub(super) frame: Frame,
    pub(super) table: DistanceArray<F>,
    pub(super) neighbours: NeighbourSource<K>,
    /// Whether one state represents its orbit in the search too.
    pub(super) by_orbits: bool,
    pub(super) progress: &'a Progress,
    pub(super) counters: Counters,
    /// Longest list of ranks.
    pub(super) longest_list: u64,
}

/// The source of a level's states.
#[derive(Clone, Copy)]
pub(super) enum Source<'a> {
    List(&'a [u64]),
    Scan(Wanted),
}

/// The result of a level.
pub(super) struct DenseLevel {
    /// States.
    pub(super) states: u64,
    /// Moves out of them.
    pub(super) moves: u64,
    /// States of the next level.
    pub(super) found: u64,
    /// Whether the next level is not a list, but was spilled into the table.
    pub(super) spilled: bool,
    /// Whether it gave up before it was done: then nothing was shown.
    pub(super) stopped: bool,
    /// Whether that was because the next level did not fit.
    pub(super) outgrown: bool,
}

/// Data shared by the threads during a level.
struct Shared<'a> {
    source: Source<'a>,
    /// Distance that observers get.
    depth: u16,
    /// Level that neighbours enter; `None` if nothing is expanded.
    enter: Option<u16>,
    /// Whether the next level is to be found by scan from the beginning.
    full: bool,
    next_piece: AtomicUsize,
    found: AtomicU64,
    spilling: AtomicBool,
    stopped: AtomicBool,
    outgrown: AtomicBool,
}

/// Buffers of a thread; reused from level to level.
pub(super) struct Worker<K> {
    ranks: Vec<u64>,
    keys: Vec<K>,
    out: Expansion<K>,
    ranked: RankExpansion<K>,
    ranking: Ranking,
    placed: Vec<u64>,
    /// New ranks, if the next level is a list.
    pub(super) new: Vec<u64>,
    seen: Observers<K>,
    states: u64,
    moves: u64,
}

impl<K: Key> Worker<K> {
    pub(super) fn new(observers: &Observers<K>) -> Self {
        Self {
            ranks: Vec::new(),
            keys: Vec::new(),
            out: Expansion::default(),
            ranked: RankExpansion::default(),
            ranking: Ranking::default(),
            placed: Vec::new(),
            new: Vec::new(),
            seen: observers.fork(),
            states: 0,
            moves: 0,
        }
    }

    /// Number of states with [`NEIGHBOURS`] neighbours, as far as this level shows.
    fn batch(&self) -> usize {
        let fitting = NEIGHBOURS
            .saturating_mul(self.states)
            .checked_div(self.moves);
        let fitting = fitting.unwrap_or(BATCH as u64) as usize;
        match self.states {
            0 => LEAST_BATCH,
            _ => fitting.clamp(LEAST_BATCH, BATCH),
        }
    }
}

impl<K: Key, F: MarkForm> Ground<'_, K, F> {
    /// Shows the states of a level and, with `enter`, expands them.
    pub(super) fn level(
        &self,
        workers: &mut [Worker<K>],
        (source, depth): (Source<'_>, u16),
        enter: Option<u16>,
        full: bool,
        observers: &mut Observers<K>,
    ) -> Result<DenseLevel> {
        let shared = Shared {
            source,
            depth,
            enter,
            full,
            next_piece: AtomicUsize::new(0),
            found: AtomicU64::new(0),
            spilling: AtomicBool::new(false),
            stopped: AtomicBool::new(false),
            outgrown: AtomicBool::new(false),
        };
        for worker in &mut *workers {
            (worker.states, worker.moves) = (0, 0);
        }
        // In many small parts, most levels have work for only one thread.
        let pieces = match source {
            Source::List(list) => list.len().div_ceil(LEAST_BATCH),
            Source::Scan(_) => self.table.blocks().div_ceil(BLOCK),
        };
        let busy = pieces.clamp(1, workers.len());
        let workers = &mut workers[..busy];
        parallel::try_each(&mut *workers, |worker| {
            worker.seen = observers.fork();
            self.work(&shared, worker)
        })?;
        let spilled = shared.spilling.load(Relaxed);
        let stopped = shared.stopped.load(Relaxed);
        for worker in &mut *workers {
            if spilled {
                self.spill(worker);
            }
            if !stopped {
                observers.absorb(std::mem::replace(&mut worker.seen, observers.fork()));
            }
        }
        Ok(DenseLevel {
            states: workers.iter().map(|worker| worker.states).sum(),
            moves: workers.iter().map(|worker| worker.moves).sum(),
            found: shared.found.load(Relaxed),
            spilled,
            stopped,
            outgrown: shared.outgrown.load(Relaxed),
        })
    }

    /// Takes pieces of the level until none is left.
    fn work(&self, shared: &Shared<'_>, worker: &mut Worker<K>) -> Result<()> {
        let mut ranks = std::mem::take(&mut worker.ranks);
        loop {
            let batch = worker.batch();
            let more = match shared.source {
                Source::List(list) => {
                    let from = shared.next_piece.fetch_add(batch, Relaxed).min(list.len());
                    let to = list.len().min(from + batch);
                    ranks.extend_from_slice(&list[from..to]);
                    from < to
                }
                Source::Scan(wanted) => {
                    let from = shared.next_piece.fetch_add(BLOCK, Relaxed);
                    let to = self.table.blocks().min(from.saturating_add(BLOCK));
                    self.table.scan(from.min(to)..to, wanted, &mut ranks);
                    from < to
                }
            };
            let mut done = 0;
            while ranks.len() - done >= batch || (!more && done < ranks.len()) {
                // A level with a goal is shown to its end, so that the goal does not depend on the
                // threads.
                let stopping = self.progress.stopping() && !self.search.has_met_goal();
                if stopping || shared.stopped.load(Relaxed) {
                    shared.stopped.store(true, Relaxed);
                    return Ok(());
                }
                let to = ranks.len().min(done + batch);
                self.batch(shared, worker, &ranks[done..to])?;
                done = to;
            }
            ranks.drain(..done);
            if !more {
                worker.ranks = ranks;
                return Ok(());
            }
        }
    }

    fn batch(&self, shared: &Shared<'_>, worker: &mut Worker<K>, ranks: &[u64]) -> Result<()> {
        let graph = &self.search.graph;
        // One call for the states and the ranks around them, if the puzzle has one.
        let at_once = match self.neighbours {
            NeighbourSource::Native(way)
                if graph.has(Capabilities::NEIGHBOUR_RANKS) && !self.by_orbits =>
            {
                Some(way)
            }
            _ => None,
        };
        let at_once = at_once.filter(|_| shared.enter.is_some());
        let Worker {
            keys, ranked, seen, ..
        } = worker;
        let keys = match at_once {
            Some(way) => {
                graph.neighbour_ranks(way, (self.part, self.size), ranks, true, ranked)?;
                ranked.keys()
            }
            None => {
                graph.unrank(self.part, ranks, keys)?;
                keys
            }
        };
        self.search.ranks_come_back(self.part, ranks, keys)?;
        if self.frame.turns() {
            let turned = self.frame.turned_back(self.search, keys)?;
            self.search
                .observe(self.part, &turned, shared.depth, seen)?;
        } else {
            self.search.observe(self.part, keys, shared.depth, seen)?;
        }
        worker.states += ranks.len() as u64;
        let Some(depth) = shared.enter.filter(|_| !self.search.has_met_goal()) else {
            return Ok(());
        };
        self.progress.expanded(ranks.len() as u64);
        let Worker {
            keys,
            out,
            ranked,
            ranking,
            placed,
            new,
            ..
        } = worker;
        let neighbours = if at_once.is_some() {
            ranked.ranks()
        } else {
            match self.by_orbits {
                true => self.neighbours.expand_reduced(self.search, keys, out)?,
                false => self.neighbours.expand(graph, keys, out)?,
            }
            match graph.ranks_in(ranking, self.part, self.size, out.keys())? {
                Some(ranks) => ranks,
                None => {
                    // The numbering holds only one state of an orbit.
                    place_in_part(self.search, self.part, self.size, out.keys_mut(), placed)?;
                    placed
                }
            }
        };
        worker.moves += neighbours.len() as u64;
        self.counters.batch(ranks.len(), neighbours.len());
        if shared.full {
            let count = self.table.enter_full(neighbours, depth);
            shared.found.fetch_add(count, Relaxed);
            return Ok(());
        }
        let before = new.len();
        self.table.enter(neighbours, depth, |rank| new.push(rank));
        let count = (new.len() - before) as u64;
        self.record(shared, worker, count);
        Ok(())
    }

    /// Counts new ranks of a list, and switches to a full frontier once it is too long.
    fn record(&self, shared: &Shared<'_>, worker: &mut Worker<K>, count: u64) {
        let found = shared.found.fetch_add(count, Relaxed) + count;
        if found > self.longest_list {
            if !self.table.holds_full_frontier() {
                shared.outgrown.store(true, Relaxed);
                shared.stopped.store(true, Relaxed);
                return;
            }
            shared.spilling.store(true, Relaxed);
        }
        if shared.spilling.load(Relaxed) {
            self.spill(worker);
        }
    }

    /// Moves new ranks from a list to the set that a scan reads.
    fn spill(&self, worker: &mut Worker<K>) {
        self.table.spill(&worker.new);
        worker.new.clear();
        worker.new.shrink_to(BATCH);
    }
}
