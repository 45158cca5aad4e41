//! From one level to the next, partition by partition (Dogon, "the method", steps A and B).
//!
//! *Expanding*: a partition of the level and of earlier ones is in memory. A neighbour that stays
//! in the partition is looked up at once, and is new or dropped. A neighbour that leaves it is sent
//! to its owner. *Merging*: the owner drops the known states among those sent to it, and merges the
//! rest with its own.

use std::sync::atomic::Ordering::Relaxed;
use std::sync::atomic::{AtomicBool, AtomicU64, AtomicUsize};
use std::sync::{Mutex, PoisonError};

use antipode_graph::{Capabilities, Expansion};
use puzzle_api::Key;

use super::budget::{self, Budget};
use super::exchange::{Exchange, Outgoing};
use super::folder::{DiskLevel, Folder};
use super::grouped::BucketGroup;
use super::segment::{Candidates, PackedRun, Segment, candidates, keys};
use crate::engines::{BATCH, NeighbourSource};
use crate::error::{EngineError, Result, locked};
use crate::keyset::{KeySet, mix};
use crate::machine::no_threads;
use crate::observers::Observers;
use crate::options::Locality;
use crate::outcome::Counters;
use crate::packed::{Candidate, Packer, Unpacker, UsedOperators, settle};
use crate::picking::Picking;
use crate::progress::Progress;
use crate::question::Goal;
use crate::search::Search;

/// The assignment of states to partitions.
#[derive(Debug, Clone, Copy)]
pub(super) struct Partitions {
    pub(super) log2: u32,
    pub(super) locality: Locality,
}

impl Partitions {
    pub(super) fn count(self) -> usize {
        1 << self.log2
    }

    /// Partition of each of some keys: by the puzzle's bucket, if it has one.
    pub(super) fn of<K: Key>(
        self,
        search: &Search<K>,
        keys: &[K],
        partitions: &mut Vec<u32>,
    ) -> Result<()> {
        partitions.clear();
        if self.log2 == 0 {
            partitions.resize(keys.len(), 0);
            return Ok(());
        }
        if self.by_bucket(search) {
            let buckets = search.graph.bucket(keys)?;
            let owners = buckets.into_iter().map(|bucket| self.of_bucket(bucket));
            partitions.extend(owners.map(|owner| owner as u32));
        } else {
            let owners = keys.iter().map(|key| self.of_number(key.to_u128()));
            partitions.extend(owners.map(|owner| owner as u32));
        }
        Ok(())
    }

    /// Whether states are assigned by the puzzle's bucket, to more than one partition.
    fn by_bucket<K: Key>(self, search: &Search<K>) -> bool {
        let buckets = search.graph.has(Capabilities::BUCKET);
        self.log2 > 0 && self.locality == Locality::Bucket && buckets
    }

    /// Partition of a bucket's states.
    #[inline]
    pub(super) fn of_bucket(self, bucket: u64) -> usize {
        self.of_number(bucket.into())
    }

    #[inline]
    fn of_number(self, number: u128) -> usize {
        match self.log2 {
            0 => 0,
            log2 => (mix(number) >> (u64::BITS - log2)) as usize,
        }
    }
}

/// The neighbours of a step, over all workers.
#[derive(Debug, Default)]
pub(super) struct Tally {
    pub(super) generated: AtomicU64,
    pub(super) stayed: AtomicU64,
    pub(super) removed_in_memory: AtomicU64,
    pub(super) removed_at_merge: AtomicU64,
}

/// Data shared by all workers of a step.
pub(super) struct DiskStep<'a, K> {
    pub(super) counters: &'a Counters,
    pub(super) search: &'a Search<K>,
    pub(super) part: u64,
    pub(super) neighbours: &'a NeighbourSource<K>,
    pub(super) folder: &'a Folder,
    pub(super) budget: &'a Budget,
    pub(super) partitions: Partitions,
    pub(super) workers: usize,
    pub(super) progress: &'a Progress,
    /// The level to be expanded.
    pub(super) level: &'a DiskLevel,
    /// Levels whose states cannot be new.
    pub(super) known: &'a [&'a DiskLevel],
    /// Greatest ratio of the new level's size to that of its predecessor.
    pub(super) growth: f64,
    pub(super) tally: &'a Tally,
    /// Set once a worker failed: the others need not continue.
    pub(super) halted: &'a AtomicBool,
    /// The goals to look for in the new level.
    pub(super) goal: Option<&'a Goal<K>>,
    /// Picks states of the new level to be compared with the rulebook.
    pub(super) picking: Picking<K>,
}

/// Why a step ended early.
pub(super) enum Halt {
    Failed(EngineError),
    Stopped,
}

impl From<EngineError> for Halt {
    fn from(error: EngineError) -> Self {
        Self::Failed(error)
    }
}

impl From<antipode_graph::PluginError> for Halt {
    fn from(error: antipode_graph::PluginError) -> Self {
        Self::Failed(error.into())
    }
}

/// Partitions in the order in which workers take them: the largest first, so that no worker is left
/// alone with one at the end.
pub(super) struct Turns {
    order: Vec<u32>,
    next: AtomicUsize,
}

impl Turns {
    pub(super) fn new(sizes: impl Iterator<Item = u64>) -> Self {
        let sizes: Vec<u64> = sizes.collect();
        let mut order: Vec<u32> = (0..sizes.len() as u32).collect();
        order.retain(|&partition| sizes[partition as usize] > 0);
        order.sort_by_key(|&partition| std::cmp::Reverse(sizes[partition as usize]));
        Self {
            order,
            next: AtomicUsize::new(0),
        }
    }

    pub(super) fn next(&self) -> Option<usize> {
        let turn = self.next.fetch_add(1, Relaxed);
        self.order.get(turn).map(|&partition| partition as usize)
    }
}

/// Runs one worker per thread and returns their results, in the order of their numbers. A failure
/// stops the others at their next batch.
pub(super) fn on_workers<T: Send>(
    workers: usize,
    halted: &AtomicBool,
    work: impl Fn(usize) -> Result<T, Halt> + Sync,
) -> Result<Vec<T>, Halt> {
    let work = |worker| {
        let done = work(worker);
        if done.is_err() {
            halted.store(true, Relaxed);
        }
        done
    };
    if workers == 1 {
        return Ok(vec![work(0)?]);
    }
    let slots: Vec<Mutex<Option<Result<T, Halt>>>> =
        (0..workers).map(|_| Mutex::default()).collect();
    start_all(workers, &|worker, started| {
        let done = match started {
            Ok(()) => work(worker),
            Err(error) => {
                halted.store(true, Relaxed);
                Err(Halt::Failed(no_threads(workers, &error)))
            }
        };
        *locked(&slots[worker]) = Some(done);
    });
    let done = |slot: Mutex<_>| slot.into_inner().unwrap_or_else(PoisonError::into_inner);
    let mut results: Vec<Result<T, Halt>> = slots.into_iter().filter_map(done).collect();
    // The failure itself says more than that others stopped because of it.
    let failed = results
        .iter()
        .position(|result| matches!(result, Err(Halt::Failed(_))));
    if let Some(failed) = failed {
        results.swap(0, failed);
    }
    results.into_iter().collect()
}

/// Runs one worker per thread. Where a thread does not start, its work gets the error instead.
fn start_all(workers: usize, work: &(dyn Fn(usize, std::io::Result<()>) + Sync)) {
    std::thread::scope(|scope| {
        for worker in 0..workers {
            let thread = std::thread::Builder::new();
            if let Err(error) = thread.spawn_scoped(scope, move || work(worker, Ok(()))) {
                work(worker, Err(error));
            }
        }
    });
}

/// The new states that workers found in their own partitions.
pub(super) struct Own {
    pub(super) runs: Vec<PackedRun>,
    pub(super) segment: Segment,
}

impl<K: Key> DiskStep<'_, K> {
    /// Expands the level. Those that stay are in the result, those that leave in `exchange`.
    pub(super) fn expand<C: Candidate<Key = K>>(
        &self,
        exchange: &Exchange<'_>,
    ) -> Result<Own, Halt> {
        let turns = Turns::new(self.level.runs.iter().map(|run| run.states));
        let segment = self.folder.passing("found");
        let done = on_workers(self.workers, self.halted, |_| {
            let mut expander = Expander {
                step: self,
                exchange,
                outgoing: exchange.outgoing::<C>(),
                segment: &segment,
                found: Vec::new(),
                grouped: self.partitions.by_bucket(self.search),
                group: BucketGroup::new(),
                known: Vec::new(),
                set: KeySet::with_capacity(0),
                fresh: Vec::new(),
                crowded: 0,
                stayed: 0,
                batch: Vec::with_capacity(BATCH),
                used: Vec::new(),
                out: Expansion::default(),
                owners: Vec::new(),
                packer: Packer::default(),
                bytes: Vec::new(),
            };
            while let Some(partition) = turns.next() {
                expander.partition(partition)?;
            }
            Ok((expander.outgoing, expander.found))
        })?;
        let mut own = Own {
            runs: vec![PackedRun::default(); self.partitions.count()],
            segment,
        };
        for (outgoing, found) in done {
            let repeated = exchange.close(outgoing)?;
            self.tally.removed_in_memory.fetch_add(repeated, Relaxed);
            for (partition, run) in found {
                own.runs[partition as usize] = run;
            }
        }
        Ok(own)
    }

    pub(super) fn packed(&self, partition: usize) -> u64 {
        let known = self.known.iter().map(|level| level.runs[partition].bytes);
        known.sum::<u64>() + self.level.runs[partition].bytes
    }

    pub(super) fn stopping(&self) -> Result<(), Halt> {
        match self.progress.stopping() || self.halted.load(Relaxed) {
            true => Err(Halt::Stopped),
            false => Ok(()),
        }
    }
}

/// One worker that expands.
pub(super) struct Expander<'a, 's, K: Key, C: Candidate<Key = K>> {
    pub(super) step: &'a DiskStep<'s, K>,
    pub(super) exchange: &'a Exchange<'a>,
    pub(super) outgoing: Outgoing<C>,
    segment: &'a Segment,
    /// The runs of new states, by their partitions.
    found: Vec<(u32, PackedRun)>,
    /// Whether sorted keys keep buckets together, as far as was seen.
    grouped: bool,
    pub(super) group: BucketGroup<C>,
    /// Packed runs of known levels.
    pub(super) known: Vec<Vec<u8>>,
    /// Known states, and new ones if they have no marks.
    set: KeySet<K>,
    fresh: Vec<C>,
    /// Number of new states to sort: with marks, a state is listed each time it is met.
    crowded: usize,
    /// Neighbours that stayed in the partition.
    stayed: u64,
    pub(super) batch: Vec<K>,
    /// Groups of moves that are useless from there, if they are marked.
    pub(super) used: Vec<u32>,
    pub(super) out: Expansion<K>,
    owners: Vec<u32>,
    pub(super) packer: Packer,
    bytes: Vec<u8>,
}

impl<K: Key, C: Candidate<Key = K>> Expander<'_, '_, K, C> {
    fn partition(&mut self, partition: usize) -> Result<(), Halt> {
        let step = self.step;
        let states = step.level.runs[partition].states;
        let known: u64 = step
            .known
            .iter()
            .map(|level| level.runs[partition].states)
            .sum();
        let bytes = budget::for_expansion::<C>(states, known, step.packed(partition), step.growth);
        let _taken = step.budget.take(bytes, (step.level.depth, states))?;
        if self.grouped {
            self.grouped = self.by_groups(partition)?;
            if self.grouped {
                return Ok(());
            }
        }
        let expected = budget::expected(states, step.growth);
        self.set.reset((known + expected) as usize);
        for level in step.known {
            let run = level.read(partition, &mut self.bytes)?;
            for key in keys::<K>(&run, &self.bytes) {
                self.set.insert(key);
            }
        }
        self.fresh.clear();
        (self.crowded, self.stayed) = (2 * expected as usize, 0);
        let run = step.level.read(partition, &mut self.bytes)?;
        let bytes = std::mem::take(&mut self.bytes);
        let mut states = candidates::<C>(&run, &bytes);
        while self.next_batch(&mut states, BATCH)? {
            self.expand_batch(partition)?;
        }
        self.bytes = bytes;
        self.keep(partition)?;
        Ok(())
    }

    /// Takes up to `most` further states of a run; returns whether there were any.
    pub(super) fn next_batch(
        &mut self,
        states: &mut Candidates<'_, C>,
        most: usize,
    ) -> Result<bool, Halt> {
        self.step.stopping()?;
        self.batch.clear();
        self.used.clear();
        Ok(states.fill(&mut self.batch, &mut self.used, most))
    }

    /// Finds the neighbours of the batch that may be new.
    pub(super) fn find_neighbours(&mut self) -> Result<(), Halt> {
        let (step, out) = (self.step, &mut self.out);
        if C::MARKED {
            let graph = &step.search.graph;
            return Ok(graph.expand_unused(&self.batch, &self.used, out)?);
        }
        step.neighbours
            .expand(&step.search.graph, &self.batch, out)?;
        Ok(step.search.reduce(out.keys_mut())?)
    }

    fn expand_batch(&mut self, partition: usize) -> Result<(), Halt> {
        let step = self.step;
        self.find_neighbours()?;
        let neighbours = self.out.keys();
        step.partitions
            .of(step.search, neighbours, &mut self.owners)?;
        for (at, (&key, &owner)) in neighbours.iter().zip(&self.owners).enumerate() {
            let mark = if C::MARKED { self.out.marks()[at] } else { 0 };
            let candidate = C::new(key, C::Mark::of(mark));
            if owner as usize == partition {
                self.stayed += 1;
                let is_new = match C::MARKED {
                    true => !self.set.contains(key),
                    false => self.set.insert(key),
                };
                if is_new {
                    self.fresh.push(candidate);
                }
            } else {
                self.exchange
                    .send(&mut self.outgoing, owner as usize, candidate)?;
            }
        }
        if self.fresh.len() >= self.crowded {
            settle(&mut self.fresh);
            self.crowded = self.crowded.max(2 * self.fresh.len());
        }
        let tally = step.tally;
        tally.generated.fetch_add(neighbours.len() as u64, Relaxed);
        step.counters.batch(self.batch.len(), 0);
        step.progress.expanded(self.batch.len() as u64);
        Ok(())
    }

    /// Writes the new states.
    fn keep(&mut self, partition: usize) -> Result<(), Halt> {
        settle(&mut self.fresh);
        for &candidate in &self.fresh {
            self.packer.put_in(candidate);
        }
        self.tally_stayed(self.stayed);
        self.keep_packed(partition)
    }

    /// Counts the neighbours of a partition's states that stayed in it, of which some are packed.
    pub(super) fn tally_stayed(&self, stayed: u64) {
        let tally = self.step.tally;
        tally.stayed.fetch_add(stayed, Relaxed);
        let dropped = stayed - self.packer.count();
        tally.removed_in_memory.fetch_add(dropped, Relaxed);
    }

    /// Writes the packed states.
    pub(super) fn keep_packed(&mut self, partition: usize) -> Result<(), Halt> {
        if self.packer.count() == 0 {
            return Ok(());
        }
        let run = self.segment.append(&mut self.packer)?;
        self.found.push((partition as u32, run));
        Ok(())
    }
}

// The second half of a step: the owner of a partition drops the known states among those sent to
// it, and merges the rest with its own.

/// The new level as written by its workers.
pub(super) struct Merged<K> {
    pub(super) runs: Vec<PackedRun>,
    pub(super) segment: Segment,
    pub(super) seen: Vec<Observers<K>>,
    /// The smallest goal, if goals are looked for.
    pub(super) goal: Option<K>,
}

impl<K: Key> DiskStep<'_, K> {
    /// Merges the states found with those sent, and shows them to observers.
    pub(super) fn merge<C: Candidate<Key = K>>(
        &self,
        own: &Own,
        exchange: &Exchange<'_>,
        observers: &Observers<K>,
    ) -> Result<Merged<K>, Halt> {
        let sizes = own.runs.iter().enumerate();
        let turns = Turns::new(sizes.map(|(p, run)| run.states + exchange.waiting(p)));
        let depth = self.level.depth + 1;
        let segment = self.folder.segment(depth, self.partitions.log2);
        let done = on_workers(self.workers, self.halted, |_| {
            let mut merger = Merger::<K, C> {
                step: self,
                segment: &segment,
                runs: Vec::new(),
                depth,
                seen: observers.fork(),
                goal: None,
                unseen: Vec::with_capacity(BATCH),
                candidates: Vec::new(),
                packer: Packer::default(),
                bytes: Vec::new(),
            };
            while let Some(partition) = turns.next() {
                self.stopping()?;
                merger.partition(partition, own, exchange)?;
            }
            merger.show()?;
            Ok((merger.runs, merger.seen, merger.goal))
        })?;
        let mut merged = Merged {
            runs: vec![PackedRun::default(); self.partitions.count()],
            segment,
            seen: Vec::new(),
            goal: None,
        };
        for (runs, seen, goal) in done {
            for (partition, run) in runs {
                merged.runs[partition as usize] = run;
            }
            merged.seen.push(seen);
            merged.goal = merged.goal.into_iter().chain(goal).min();
        }
        Ok(merged)
    }
}

/// One worker that merges.
struct Merger<'a, 's, K: Key, C> {
    step: &'a DiskStep<'s, K>,
    segment: &'a Segment,
    runs: Vec<(u32, PackedRun)>,
    depth: u16,
    seen: Observers<K>,
    goal: Option<K>,
    /// States not shown to the observers yet, which take whole batches.
    unseen: Vec<K>,
    candidates: Vec<C>,
    packer: Packer,
    bytes: Vec<u8>,
}

impl<K: Key, C: Candidate<Key = K>> Merger<'_, '_, K, C> {
    fn partition(
        &mut self,
        partition: usize,
        own: &Own,
        exchange: &Exchange<'_>,
    ) -> Result<(), Halt> {
        let step = self.step;
        let waiting = exchange.waiting(partition);
        let found = own.runs[partition];
        let packed = step.packed(partition) + found.bytes;
        let bytes = budget::for_merging::<C>(waiting, packed);
        let _taken = step.budget.take(bytes, (self.depth, waiting))?;
        self.candidates.clear();
        exchange.collect(partition, &mut self.candidates)?;
        settle(&mut self.candidates);
        for level in step.known {
            if self.candidates.is_empty() {
                break;
            }
            let run = level.read(partition, &mut self.bytes)?;
            drop_known(&mut self.candidates, keys(&run, &self.bytes));
        }
        if found.states > 0 {
            own.segment.read(&found, &mut self.bytes)?;
        }
        let bytes = std::mem::take(&mut self.bytes);
        let mut sent = std::mem::take(&mut self.candidates).into_iter().peekable();
        for mut state in candidates::<C>(&found, &bytes) {
            let key = state.key();
            while let Some(candidate) = sent.next_if(|candidate| candidate.key() <= key) {
                match candidate.key() == key {
                    true => state = state.joined(candidate.mark()),
                    false => self.push(candidate)?,
                }
            }
            self.push(state)?;
        }
        for candidate in sent {
            self.push(candidate)?;
        }
        if found.states > 0 {
            own.segment.release(&found);
        }
        self.bytes = bytes;
        let states = self.packer.count();
        let dropped = waiting - (states - found.states);
        step.tally.removed_at_merge.fetch_add(dropped, Relaxed);
        if states > 0 {
            let run = self.segment.append(&mut self.packer)?;
            self.runs.push((partition as u32, run));
        }
        Ok(())
    }

    #[inline]
    fn push(&mut self, candidate: C) -> Result<(), Halt> {
        self.packer.put_in(candidate);
        self.unseen.push(candidate.key());
        if self.unseen.len() == BATCH {
            self.show()?;
        }
        Ok(())
    }

    fn show(&mut self) -> Result<(), Halt> {
        let step = self.step;
        step.search
            .observe(step.part, &self.unseen, self.depth, &mut self.seen)?;
        step.picking.see(&self.unseen);
        let met = match step.goal {
            Some(goal) => goal.smallest_of(&step.search.graph, &self.unseen)?,
            None => None,
        };
        self.goal = self.goal.into_iter().chain(met).min();
        self.unseen.clear();
        Ok(())
    }
}

/// Drops the known states from sorted candidates.
pub(super) fn drop_known<C: Candidate>(candidates: &mut Vec<C>, known: Unpacker<'_, C::Key>) {
    let mut known = known.peekable();
    candidates.retain(|candidate| {
        let candidate = candidate.key();
        while known.next_if(|&key| key < candidate).is_some() {}
        known.peek() != Some(&candidate)
    });
}
