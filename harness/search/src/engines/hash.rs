//! Engine `hash`: level by level, each level's canonical keys deduplicated in a hash set.
//! On a puzzle with predecessors this is the retrograde queue of the thesis (A.1).
//!
//! What the set holds is a matter of how states can come back. In general it holds every
//! state met. Where moves can be undone, a neighbour of level n lies in n-1, n or n+1, and
//! the last two levels are enough (frontier search); in a layered graph a state never comes
//! back, and duplicates are only looked for within the level being made.

mod row;

use puzzle_api::{Capabilities, Key};
use rayon::prelude::*;
pub use row::Row;

use super::{BATCH, Neighbours};
use crate::error::EngineError;
use crate::observers::Observers;
use crate::outcome::{Counters, Outcome, StopReason, Walked};
use crate::progress::Progress;
use crate::search::OBSERVED_AT_ONCE;
use crate::search::{DEEPEST, Search};
use crate::visited::{Parted, VisitedSet, partitions_log2};
use antipode_graph::Expansion;

/// Partitions of a set of all states met, as a power of two, when one part is walked on
/// all threads: nobody knows how large it grows.
const PARTITIONS_LOG2: u32 = 6;
/// Candidates aimed at before they go into the set: 64 MiB of short keys.
const CANDIDATES: usize = 1 << 23;
/// Batches expanded the first time, when nobody knows how many neighbours they have.
const FIRST_BATCHES: usize = 64;
/// Most batches expanded before that.
const MOST_BATCHES: usize = 512;

/// What is kept of the levels met, for new ones to be compared with.
enum Retention<K> {
    /// All of them.
    All(VisitedSet<K>),
    /// The last two: moves can be undone. Here the one before the last.
    LastTwo(Vec<Vec<K>>),
    /// None: a state has one distance from everywhere.
    None,
}

impl<K: Key> Retention<K> {
    /// The least that will do.
    fn of(search: &Search<K>) -> Self {
        let graph = &search.graph;
        if search.covers_space() {
            // What was not met has to be told, so all that was met is kept.
        } else if graph.has(Capabilities::LAYERED) {
            return Self::None;
        } else if graph.has(Capabilities::UNDIRECTED) {
            return Self::LastTwo(Vec::new());
        }
        // Many parts already run on all threads, and nesting would only cost memory.
        let many = graph.opened.part_count > 1;
        Self::All(VisitedSet::tables(
            if many { 0 } else { PARTITIONS_LOG2 },
            0,
        ))
    }

    /// The set that the next level is compared with.
    fn set_after(&mut self, level: &[Vec<K>]) -> VisitedSet<K> {
        let earlier: [&[Vec<K>]; 2] = match self {
            Self::All(set) => return std::mem::replace(set, VisitedSet::tables(0, 0)),
            Self::LastTwo(before) => [before, level],
            Self::None => [&[], &[]],
        };
        let held: usize = earlier.map(count).iter().sum();
        // Levels rarely grow more than fourfold, so the next is guessed to be that large.
        let log2 = partitions_log2(held + 4 * count(level));
        // Room for one as large as the last: more is made where it is needed.
        let mut set = VisitedSet::tables(log2, (held + count(level)) / 16 * 17);
        let batches: Vec<&[K]> = earlier.into_iter().flat_map(batches).collect();
        for slab in batches.chunks(MOST_BATCHES) {
            let parted: Vec<Parted<K>> = slab.par_iter().map(|keys| set.part(keys)).collect();
            set.fill(&parted);
        }
        set
    }

    /// Goes on with the set after a level, which then is the one before the last.
    fn keep(&mut self, set: VisitedSet<K>, level: Vec<Vec<K>>) {
        match self {
            Self::All(all) => *all = set,
            Self::LastTwo(before) => *before = level,
            Self::None => {}
        }
    }

    /// Bytes of levels held beside the last one.
    fn bytes(&self) -> u64 {
        match self {
            Self::LastTwo(before) => (count(before) * size_of::<K>()) as u64,
            Self::All(_) | Self::None => 0,
        }
    }
}

fn count<K>(level: &[Vec<K>]) -> usize {
    level.iter().map(Vec::len).sum()
}

fn batches<K>(level: &[Vec<K>]) -> impl Iterator<Item = &[K]> {
    level.iter().flat_map(|keys| keys.chunks(BATCH))
}

pub(super) fn walk<K: Key>(
    search: &Search<K>,
    part: u64,
    observers: &mut Observers<K>,
    progress: &Progress,
) -> Result<Walked<K>, EngineError> {
    let neighbours = Neighbours::of(search, part)?;
    let mut retention = Retention::of(search);
    let mut level = vec![search.distinct_roots(part)?];
    if let Retention::All(visited) = &mut retention {
        let roots = [visited.part(&level[0])];
        visited.fill(&roots);
    }
    let counters = Counters::default();
    let mut depth = 0;
    loop {
        let states = count(&level);
        search.observe_all(part, &level, depth, observers)?;
        progress.level(depth, states as u64);
        if states == 0 || search.max_depth == Some(depth) {
            break;
        }
        if depth == DEEPEST {
            let name = search.graph.opened.full_name();
            return Err(EngineError::CannotHold(format!(
                "{name}: deeper than {DEEPEST} levels, more than this version counts"
            )));
        }
        let mut set = retention.set_after(&level);
        let beside = retention.bytes();
        let watch = (&counters, progress);
        let next = match next_level(search, &neighbours, (&mut set, beside), &level, watch)? {
            Next::Level(next) => next,
            Next::Stopped(why) => return Ok(counters.walked(Outcome::NotReached(why))),
        };
        retention.keep(set, std::mem::replace(&mut level, next));
        depth += 1;
    }
    if let Retention::All(visited) = &retention
        && search.covers_space()
    {
        search.observe_rest(part, |&key| visited.contains(key), observers)?;
    }
    Ok(counters.walked(Outcome::Levels))
}

enum Next<K> {
    Level(Vec<Vec<K>>),
    Stopped(StopReason),
}

/// The neighbours of a level that the set did not hold; it does now. `beside` are bytes
/// that are held beside the set and the level.
fn next_level<K: Key>(
    search: &Search<K>,
    neighbours: &Neighbours<K>,
    (set, beside): (&mut VisitedSet<K>, u64),
    level: &[Vec<K>],
    (counters, progress): (&Counters, &Progress),
) -> Result<Next<K>, EngineError> {
    let mut next = vec![Vec::new(); set.partitions()];
    let held = beside + (count(level) * size_of::<K>()) as u64;
    let batches: Vec<&[K]> = batches(level).collect();
    let (mut left, mut slab_size) = (batches.as_slice(), FIRST_BATCHES);
    while !left.is_empty() {
        let slab;
        (slab, left) = left.split_at(slab_size.min(left.len()));
        if progress.stopping() {
            return Ok(Next::Stopped(StopReason::Requested));
        }
        let seen = &*set;
        let parted: Vec<Parted<K>> = slab
            .par_iter()
            .map_init(Expansion::default, |out, batch| {
                neighbours.expand(&search.graph, batch, out)?;
                search.reduce(out.keys_mut())?;
                counters.batch(batch.len(), out.keys().len());
                progress.expanded(batch.len() as u64);
                Ok(seen.part(out.keys()))
            })
            .collect::<Result<_, EngineError>>()?;
        set.insert_parted(&parted, &mut next);
        let candidates: usize = parted.iter().map(Parted::len).sum();
        let as_many = CANDIDATES * slab.len() / candidates.max(1);
        slab_size = as_many.max(rayon::current_num_threads()).min(MOST_BATCHES);
        let new: usize = next.iter().map(Vec::capacity).sum();
        let taken = held + set.table_bytes() + (new * size_of::<K>()) as u64;
        if let Some(limit) = search.memory.filter(|&limit| taken > limit) {
            return Ok(Next::Stopped(StopReason::memory(limit)));
        }
    }
    // A short level in many pieces would cost more to hand about than to gather.
    if count(&next) <= OBSERVED_AT_ONCE {
        return Ok(Next::Level(vec![next.concat()]));
    }
    next.par_iter_mut().for_each(Vec::shrink_to_fit);
    Ok(Next::Level(next))
}
