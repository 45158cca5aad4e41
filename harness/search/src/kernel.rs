//! The kernel of breadth-first searches in memory: one step, on all threads for any number of
//! parts. Engine `hash`, both sides of `bidirectional`, all solutions and many to many call it.
//!
//! A level is expanded batch by batch. Neighbours wait, in order of the partitions of the visited
//! set, until there are many. Then each partition is filled by one thread: its table is fetched
//! into the cache once for all of them, and no thread waits for another. A set of bits takes
//! neighbours immediately. Only the division of a level into batches is serial and, for a level of
//! fewer than [`GATHERED`] states, the joining of lists.

use std::sync::Mutex;
use std::sync::atomic::AtomicBool;
use std::sync::atomic::Ordering::Relaxed;

use antipode_graph::Expansion;
use puzzle_api::Key;

use crate::error::{EngineError, Result, locked};
use crate::keyset::NoMemory;
use crate::outcome::{Counters, Limit, StopReason};
use crate::parallel;
use crate::progress::Progress;
use crate::steps::{BATCH, NeighbourBatch};
use crate::visited::{Parted, VisitedSet};

/// Most candidates collected before they go into the set: 64 MiB of short keys.
const CANDIDATES: usize = 1 << 23;
/// Least candidates collected: 20 MiB of short keys. Between the two, as many as the level has
/// states: more would only take memory, fewer would fetch each table into the cache too often.
const LEAST_CANDIDATES: usize = 5 << 19;
/// If memory is limited, they take at most one nth of it.
const CANDIDATES_SHARE: u64 = 8;
/// Batches expanded the first time, when the number of their neighbours is unknown.
const FIRST_BATCHES: usize = 16;
/// Most batches expanded before candidates go into the set.
const MOST_BATCHES: usize = 512;
/// Greatest level, in states, that is gathered into one list.
const GATHERED: usize = 1 << 15;
/// States of a batch per partition, if there are many partitions: their neighbours would otherwise
/// reach each partition one by one.
const TO_A_PARTITION: usize = 8;
/// Most states of a batch.
const LONGEST_BATCH: usize = 8 * BATCH;
/// Fewest states of a batch if a level is too small to keep all threads busy.
const SHORTEST_BATCH: usize = BATCH / 8;
/// Batches that keep a thread busy.
const BATCHES_A_THREAD: usize = 4;

/// Counts and shows the expansions of a search, and may end a step.
pub(crate) struct Watched<'a> {
    pub(crate) counters: &'a Counters,
    progress: &'a Progress,
    /// Whether to end after this many expansions, by a limit of the search.
    over: Option<&'a (dyn Fn(u64) -> bool + Sync)>,
}

impl<'a> Watched<'a> {
    pub(crate) const fn new(counters: &'a Counters, progress: &'a Progress) -> Self {
        let over = None;
        Self {
            counters,
            progress,
            over,
        }
    }

    /// The same, which ends with a limit too.
    pub(crate) const fn until(self, over: &'a (dyn Fn(u64) -> bool + Sync)) -> Self {
        let over = Some(over);
        Self { over, ..self }
    }

    fn stopping(&self) -> bool {
        let over = |over: &dyn Fn(u64) -> bool| over(self.counters.expanded());
        self.progress.stopping() || self.over.is_some_and(|limit| over(limit))
    }

    fn expanded(&self, states: usize, moves: usize) {
        self.counters.batch(states, moves);
        self.progress.expanded(states as u64);
    }
}

/// A scratch buffer for the neighbours of a batch, reused from batch to batch.
pub(crate) trait NeighbourBuffer<I>: Default + Send {
    /// The neighbours, in any order, some more than once.
    fn found(&self) -> &[I];
}

impl<K: Key> NeighbourBuffer<K> for Expansion<K> {
    fn found(&self) -> &[K] {
        self.keys()
    }
}

impl<K: Key, I: Key> NeighbourBuffer<I> for NeighbourBatch<K, I> {
    fn found(&self) -> &[I] {
        &self.found
    }
}

/// Makes a level from the one before.
pub(crate) struct Kernel<'a, I, R> {
    /// Most bytes of the set, the level and the waiting candidates.
    pub(crate) memory: Option<u64>,
    /// Bytes of it that others hold.
    pub(crate) beside: u64,
    /// The message if the system provides no more memory.
    no_more: &'static str,
    watch: &'a Watched<'a>,
    /// Most states of a batch.
    pub(crate) longest: usize,
    /// Scratch buffers that no thread is using.
    spare: Mutex<Vec<R>>,
    /// Buffer for candidates, reused from level to level.
    waiting: Mutex<Vec<Parted<I>>>,
    /// States expanded last, and their neighbours.
    last: Mutex<(usize, usize)>,
}

/// Lists the neighbours of a batch.
pub(crate) type ListNeighbours<'a, I, R> = dyn Fn(&[I], &mut R) -> Result<()> + Sync + 'a;

pub(crate) fn count<K>(level: &[impl AsRef<[K]>]) -> usize {
    level.iter().map(|keys| keys.as_ref().len()).sum()
}

pub(crate) fn batches<'a, K: 'a>(
    level: &'a [impl AsRef<[K]>],
    length: usize,
) -> impl Iterator<Item = &'a [K]> {
    level
        .iter()
        .flat_map(move |keys| keys.as_ref().chunks(length))
}

impl<'a, I: Key, R: NeighbourBuffer<I>> Kernel<'a, I, R> {
    pub(crate) fn new(no_more: &'static str, watch: &'a Watched<'a>) -> Self {
        Self {
            memory: None,
            beside: 0,
            no_more,
            watch,
            longest: LONGEST_BATCH,
            spare: Mutex::default(),
            waiting: Mutex::default(),
            last: Mutex::default(),
        }
    }

    /// States of a batch of a level, for a set of n partitions.
    fn batch_length(&self, states: usize, partitions: usize) -> usize {
        let longest = (TO_A_PARTITION * partitions).clamp(BATCH, LONGEST_BATCH);
        let fair = states.div_ceil(BATCHES_A_THREAD * rayon::current_num_threads());
        fair.clamp(SHORTEST_BATCH, longest.min(self.longest))
    }

    /// Why a search ends if the system provides no more memory.
    pub(crate) fn no_more(&self) -> StopReason {
        StopReason::Memory(Limit {
            allowed: None,
            said: Some(self.no_more.to_owned()),
        })
    }

    /// The neighbours of a level that are new to the set, in order of its partitions; adds them to
    /// the set. Or why there are no more of them.
    pub(crate) fn next_level(
        &self,
        neighbours: &ListNeighbours<'_, I, R>,
        set: &mut VisitedSet<I>,
        level: &[impl AsRef<[I]>],
    ) -> Result<Result<Vec<Vec<I>>, StopReason>> {
        let mut next = vec![Vec::new(); set.partitions()];
        let insert = |set: &mut VisitedSet<I>, parted: &[Parted<I>]| {
            set.insert_parted(parted, &mut next)?;
            let new: usize = next.iter().map(Vec::capacity).sum();
            Ok((new * size_of::<I>()) as u64)
        };
        let mut parted = Vec::new();
        if let Err(why) = self.by_slabs(neighbours, set, level, &mut parted, insert)? {
            return Ok(Err(why));
        }
        drop(parted);
        // Passing a short level in many pieces would cost more than gathering it.
        if count(&next) <= GATHERED {
            return Ok(Ok(vec![next.concat()]));
        }
        Ok(Ok(gathered(next)))
    }

    /// Puts the neighbours of a level into a set, from which they are read later. Lists of the new
    /// ones would take as much memory again, and as long to write as all else. Or why not all are
    /// in it.
    pub(crate) fn fill(
        &self,
        neighbours: &ListNeighbours<'_, I, R>,
        set: &mut VisitedSet<I>,
        level: &[impl AsRef<[I]>],
    ) -> Result<Result<(), StopReason>> {
        let mut waiting = locked(&self.waiting);
        let fill = |set: &mut VisitedSet<I>, parted: &[Parted<I>]| {
            set.try_fill(parted)?;
            Ok(0)
        };
        self.by_slabs(neighbours, set, level, &mut waiting, fill)
    }

    /// Expands a level until there are many candidates, has them taken into the set, and repeats.
    /// `take` returns the bytes that it holds in addition to the set.
    fn by_slabs(
        &self,
        neighbours: &ListNeighbours<'_, I, R>,
        set: &mut VisitedSet<I>,
        level: &[impl AsRef<[I]>],
        parted: &mut Vec<Parted<I>>,
        mut take: impl FnMut(&mut VisitedSet<I>, &[Parted<I>]) -> Result<u64, NoMemory>,
    ) -> Result<Result<(), StopReason>> {
        let held = (count(level) * size_of::<I>()) as u64;
        let affordable = self.memory.map_or(usize::MAX, |bytes| {
            (bytes / CANDIDATES_SHARE) as usize / size_of::<I>()
        });
        let wanted = count(level)
            .clamp(LEAST_CANDIDATES, CANDIDATES)
            .min(affordable);
        let length = self.batch_length(count(level), set.partitions());
        let batches: Vec<&[I]> = batches(level, length).collect();
        let slab_size = || {
            let (states, candidates) = *locked(&self.last);
            let as_many = match states {
                0 => FIRST_BATCHES,
                _ => wanted / length * states / candidates.max(1),
            };
            as_many.clamp(rayon::current_num_threads(), MOST_BATCHES)
        };
        let mut left = batches.as_slice();
        while !left.is_empty() {
            let slab;
            (slab, left) = left.split_at(slab_size().min(left.len()));
            if self.watch.stopping() {
                return Ok(Err(StopReason::Requested));
            }
            let seen = &*set;
            if parted.len() < slab.len() {
                parted.resize_with(slab.len(), Parted::default);
            }
            let used = &mut parted[..slab.len()];
            // Within a slab too: where each neighbour is on a new page, one takes a minute.
            let stopped = AtomicBool::new(false);
            let pairs = slab.iter().zip(&mut *used);
            parallel::try_each(pairs, |(batch, parted)| {
                if self.watch.stopping() {
                    stopped.store(true, Relaxed);
                    return Ok(());
                }
                let mut out = locked(&self.spare).pop().unwrap_or_default();
                neighbours(batch, &mut out)?;
                self.watch.expanded(batch.len(), out.found().len());
                seen.part_into(out.found(), parted);
                locked(&self.spare).push(out);
                Ok::<_, EngineError>(())
            })?;
            if stopped.into_inner() {
                return Ok(Err(StopReason::Requested));
            }
            let Ok(new) = take(set, used) else {
                return Ok(Err(self.no_more()));
            };
            let candidates = used.iter().map(|parted| parted.len()).sum();
            *locked(&self.last) = (count(slab), candidates);
            let waiting: u64 = parted.iter().map(Parted::bytes).sum();
            let taken = self.beside + held + waiting + set.table_bytes() + new;
            if let Some(limit) = self.memory.filter(|&limit| taken > limit) {
                return Ok(Err(StopReason::memory(limit)));
            }
        }
        Ok(Ok(()))
    }
}

/// Lists in the same order; neighbouring ones are joined up to the longest batch, and none is
/// longer than necessary.
fn gathered<K: Key>(lists: Vec<Vec<K>>) -> Vec<Vec<K>> {
    let (mut all, mut group, mut states) = (Vec::new(), Vec::new(), 0);
    for list in lists {
        if states + list.len() > LONGEST_BATCH {
            all.push(std::mem::take(&mut group));
            states = 0;
        }
        states += list.len();
        group.push(list);
    }
    all.push(group);
    // Lists that are released immediately leave space for the others.
    parallel::map(all, |group| group.concat())
}
