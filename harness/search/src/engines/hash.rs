//! Engine `hash`: level by level, each level's canonical keys deduplicated in a hash set.
//! On a puzzle with predecessors this is the retrograde queue of the thesis (A.1).
//!
//! The content of the set depends on how states can recur. In general it holds every state met. If
//! moves can be undone, a neighbour of level n is in n-1, n or n+1, and the last two levels are
//! enough (frontier search). In a layered graph a state never comes back, and duplicates are only
//! looked for within the level being made.

use std::ops::Range;

use antipode_graph::{Capabilities, Expansion, Graph};
use puzzle_api::Key;

use super::{BATCH, NeighbourSource};
use crate::engine::{Engine, Facts, Footprint, Ready, backward_obstacle};
use crate::error::{EngineError, Result};
use crate::kernel::{Kernel, Watched, batches, count};
use crate::memory::{self, address_space_left};
use crate::observers::Observers;
use crate::options::{EngineOptions, Opt};
use crate::outcome::{Counters, Outcome, StopReason, Walked};
use crate::parallel;
use crate::progress::Progress;
use crate::question::{Ask, Numbered, QuestionKind};
use crate::ranks::RankSet;
use crate::search::{DEEPEST, Search};
use crate::visited::{VisitedSet, partitions_of};

/// Partitions of a set of all states met, if one part is walked on all threads and its size is
/// unknown.
const PARTITIONS: usize = 64;
/// Most partitions if the states are numbered.
const MOST_PARTITIONS: usize = 1 << 10;
/// Numbered states per partition: if all or half of them are met, they nearly fill a table, whose
/// slots are a power of two.
const NUMBERED: u64 = 54_000;
/// States of a table before another set is filled: 288 KiB of short keys with their slots, which
/// fit a second-level cache well.
const MOST_IN_A_TABLE: usize = 24_000;

/// States of a table that justify a thread.
const SHORTEST_TABLE: usize = 1 << 10;

/// The marks of ranks take at most this fraction of the memory: one in `MARKS_SHARE`.
const MARKS_SHARE: u64 = 8;
/// Bytes of a thread for batches, their neighbours, and observers.
const SCRATCH: u64 = 4 << 20;
/// Number of roots whose images are looked up in the numbering.
const ROOTS_TRIED: usize = 64;

/// Why a search ends if the system provides no more memory.
const NO_MORE: &str =
    "the system gives no more memory; ask for fewer levels by --max-depth, or take --engine disk";

/// The kept states, with which new ones are compared.
enum Retention<K> {
    /// All of them.
    All(VisitedSet<K>),
    /// The last two levels: moves can be undone.
    LastTwo(Recent<K>),
    /// None: a state has the same distance from everywhere.
    None,
}

impl<K: Key> Retention<K> {
    /// The least sufficient kind; listing the states not met needs all states met, unless it is
    /// `marked`.
    fn of(search: &Search<K>, part: u64, marked: bool) -> Result<Self> {
        let graph = &search.graph;
        if search.covers_space() && !marked {
            // Everything.
        } else if graph.has(Capabilities::LAYERED) {
            return Ok(Self::None);
        } else if graph.has(Capabilities::UNDIRECTED) {
            return Ok(Self::LastTwo(Recent::new(
                graph.proves(Capabilities::UNDIRECTED),
            )));
        }
        let partitions = match graph.space(part)? {
            Some(states) => ((states / NUMBERED) as usize).clamp(1, MOST_PARTITIONS),
            None => PARTITIONS,
        };
        Ok(Self::All(VisitedSet::tables(partitions, 0)))
    }

    /// The set with which the next level is compared.
    fn set_after(&mut self, level: &[Vec<K>]) -> VisitedSet<K> {
        match self {
            Self::All(set) => std::mem::replace(set, VisitedSet::tables(1, 0)),
            Self::LastTwo(recent) => recent.set_after(level),
            // Levels rarely grow more than fourfold.
            Self::None => {
                let states = count(level);
                VisitedSet::tables(partitions_of(4 * states), states)
            }
        }
    }

    /// Continues with the set after a level, which becomes the level before the last.
    fn keep(&mut self, set: VisitedSet<K>, level: Vec<Vec<K>>, next: &[Vec<K>]) {
        match self {
            Self::All(all) => *all = set,
            Self::LastTwo(recent) => {
                recent.held += count(next);
                (recent.set, recent.before) = (set, level);
            }
            Self::None => {}
        }
    }
}

/// The ranks of a part that were met, a bit each.
struct Met {
    part: u64,
    ranks: RankSet,
    /// Whether the images of a state are marked with it, and then no longer checked. If the
    /// numbering holds none of them, that would be useless.
    images: bool,
}

impl Met {
    /// `None` if the rest of the part is not requested, if all states met are kept anyway, or if
    /// there is too little memory.
    fn of<K: Key>(search: &Search<K>, part: u64, roots: &[K]) -> Result<Option<Self>> {
        let graph = &search.graph;
        // For plugins this property is that states do not come back.
        let forgets = graph.proves(Capabilities::LAYERED) || graph.proves(Capabilities::UNDIRECTED);
        let size = match search.covers_space() && forgets {
            true => graph.space(part)?,
            false => None,
        };
        let allowed = search.memory.or_else(memory::available);
        let fits = |bytes| allowed.is_none_or(|allowed| bytes <= allowed / MARKS_SHARE);
        let size = size.filter(|&size| fits(RankSet::bytes(size)));
        let Some(ranks) = size.and_then(|size| RankSet::new(size).ok()) else {
            return Ok(None);
        };
        let mut placed = Vec::new();
        if search.symmetry {
            let images = graph.images_of(&roots[..roots.len().min(ROOTS_TRIED)])?;
            graph.place(&images, &mut placed)?;
        }
        Ok(Some(Self {
            part,
            ranks,
            images: !placed.is_empty() && placed.iter().all(Option::is_some),
        }))
    }

    /// Marks the states of a level.
    fn mark<K: Key>(&self, search: &Search<K>, level: &[Vec<K>]) -> Result<()> {
        let graph = &search.graph;
        let images = match self.images {
            true => graph.opened.symmetry_count as usize,
            false => 1,
        };
        let batches = batches(level, (BATCH / images).max(1));
        parallel::try_each(batches, |keys| {
            let mut placed = Vec::new();
            match self.images {
                true => graph.place(&graph.images_of(keys)?, &mut placed)?,
                false => graph.place(keys, &mut placed)?,
            }
            let here = placed.iter().flatten();
            for at in here.filter(|at| at.part == self.part && at.rank < self.ranks.size()) {
                let _new = self.ranks.insert(at.rank);
            }
            Ok(())
        })
    }
}

/// The last two levels, between steps.
struct Recent<K> {
    /// The level before the last.
    before: Vec<Vec<K>>,
    /// Holds both, and earlier levels: filling another set takes as long as many a step.
    set: VisitedSet<K>,
    /// States in the set.
    held: usize,
    /// Whether the set may hold older levels. For plugins this property is
    /// unverified; violations would be reported as new states.
    goes_on: bool,
}

impl<K: Key> Recent<K> {
    fn new(goes_on: bool) -> Self {
        Self {
            before: Vec::new(),
            set: VisitedSet::tables(1, 0),
            held: 0,
            goes_on,
        }
    }

    /// The same set, while few of its states are older and its tables are short; else another.
    fn set_after(&mut self, level: &[Vec<K>]) -> VisitedSet<K> {
        let set = std::mem::replace(&mut self.set, VisitedSet::tables(1, 0));
        let before = std::mem::take(&mut self.before);
        let wanted = count(&before) + count(level);
        let short = self.held / set.partitions() <= MOST_IN_A_TABLE;
        if self.goes_on && short && (wanted..=wanted + wanted / 2).contains(&self.held) {
            return set;
        }
        set.discard();
        self.held = wanted;
        // Filled with both: if levels shrink, the earlier one is the larger. Space for the next
        // level is allocated if needed. A short level, too, has work for all threads.
        let busy = (wanted / SHORTEST_TABLE).min(rayon::current_num_threads());
        let mut set = VisitedSet::tables(partitions_of(wanted).max(busy), wanted);
        set.fill_with(batches(&before, BATCH).chain(batches(level, BATCH)));
        set
    }
}

/// Engine `hash`.
#[derive(Debug)]
pub struct HashEngine;

impl<K: Key> Engine<K> for HashEngine {
    fn facts(&self) -> &'static Facts {
        &Facts {
            name: "hash",
            summary: "levels of keys in hash sets; needs nothing of the puzzle",
            answers: &[QuestionKind::Levels, QuestionKind::Path, QuestionKind::Many],
            footprints: &[Footprint {
                memory: |load| {
                    let stored = load.at_once().saturating_mul(load.stored);
                    let held = load.states.saturating_mul(29).saturating_add(stored);
                    held.saturating_add(load.scratch(SCRATCH, load.states))
                },
                rate: 3.2e6,
                ..Footprint::NONE
            }],
            numbered: Some(Numbered::ByKey),
            ..Facts::USUAL
        }
    }

    fn options(&self, _: QuestionKind) -> &'static [Opt] {
        &[Opt::Memory]
    }

    fn obstacle(&self, graph: &Graph<K>, ask: &Ask<'_, K>) -> Option<String> {
        backward_obstacle(graph, ask)
    }

    fn preference(&self, _: &Graph<K>, ask: &Ask<'_, K>) -> u8 {
        u8::from(ask.kind() != QuestionKind::Path)
    }

    fn prepare(
        &self,
        search: &mut Search<K>,
        options: &EngineOptions,
        _: &Graph<K>,
    ) -> Result<Ready> {
        search.memory = options
            .memory
            .or_else(|| address_space_left().map(|left| left / 2));
        Ok(Ready::default())
    }

    fn levels(
        &self,
        search: &Search<K>,
        part: u64,
        observers: &mut Observers<K>,
        progress: &Progress,
    ) -> Result<Walked<K>> {
        let neighbours = NeighbourSource::of(search, part)?;
        let mut level = vec![search.distinct_roots(part)?];
        let met = Met::of(search, part, &level[0])?;
        let mut retention = Retention::of(search, part, met.is_some())?;
        if let Retention::All(visited) = &mut retention {
            visited.fill_with(batches(&level, BATCH));
        }
        let counters = Counters::default();
        let watch = Watched::new(&counters, progress);
        let marks = met
            .as_ref()
            .map_or(0, |met| RankSet::bytes(met.ranks.size()));
        let mut kernel = Kernel::new(NO_MORE, &watch);
        (kernel.memory, kernel.beside) = (search.memory, marks);
        let expand =
            |batch: &[K], out: &mut Expansion<K>| neighbours.expand_reduced(search, batch, out);
        let mut depth = 0;
        loop {
            let states = count(&level);
            search.observe_all(part, &level, depth, true, observers)?;
            if let Some(met) = &met {
                met.mark(search, &level)?;
            }
            progress.level(depth, states as u64);
            progress.finished(&observers.levels, depth);
            if states == 0 || search.max_depth == Some(depth) {
                break;
            }
            if depth == DEEPEST {
                return Err(EngineError::too_deep(&search.graph.opened, DEEPEST.into()));
            }
            let mut set = retention.set_after(&level);
            let next = match kernel.next_level(&expand, &mut set, &level)? {
                Ok(next) => next,
                Err(why) => return Ok(counters.walked(Outcome::NotReached(why))),
            };
            let before = std::mem::replace(&mut level, next);
            retention.keep(set, before, &level);
            depth += 1;
        }
        if search.covers_space() {
            let unmet = |ranks: Range<u64>| match &met {
                Some(met) => ranks.filter(|&rank| !met.ranks.contains(rank)).collect(),
                None => ranks.collect(),
            };
            let visited = |&key: &K| match &retention {
                Retention::All(visited) => visited.contains(key),
                _ => false,
            };
            if !search.observe_rest(part, unmet, visited, observers, progress)? {
                return Ok(counters.walked(Outcome::NotReached(StopReason::Requested)));
            }
        }
        Ok(counters.walked(Outcome::Levels))
    }
}
