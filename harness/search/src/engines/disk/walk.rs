//! A search of one part: its state, its start, and how it resumes from a work folder.

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use antipode_graph::Capabilities;
use antipode_reports::cost::LevelCost;
use puzzle_api::Key;

use super::exchange::most_partitions;
use super::folder::{DiskLevel, Folder, LevelEntry, Work};
use super::peers::shared;
use super::sample::PICKED;
use super::segment::{PackedRun, keys};
use super::step::{Halt, Partitions, drop_known};
use super::{OVERHEAD, marks_moves, open_work, share};
use crate::digest::{key_from_text, key_text};
use crate::engines::NeighbourSource;
use crate::engines::network::{LEAST_LOG2, Network};
use crate::error::Result;
use crate::machine;
use crate::observers::{Collected, Observers, Record};
use crate::options::DiskOptions;
use crate::outcome::{Counters, Outcome, Sampled, Spent, StopReason};
use crate::packed::{Candidate, Marked, Packer};
use crate::picking::Picking;
use crate::progress::Progress;
use crate::question::{Goal, Roots};
use crate::search::Search;
use crate::work::free_bytes;

/// A search of one part under way.
pub(in crate::engines) struct Walk<'a, K> {
    pub(super) search: &'a Search<K>,
    pub(super) options: &'a DiskOptions,
    pub(super) part: u64,
    /// A goal that ends the search after its level.
    pub(super) goal: Option<&'a Goal<K>>,
    /// The processes that share the search, if there are several.
    pub(super) peers: Option<&'a Network>,
    pub(super) neighbours: NeighbourSource<K>,
    /// Whether states carry masks of groups of moves that are useless from there.
    pub(super) marked: bool,
    pub(super) workers: usize,
    pub(super) memory: u64,
    pub(super) folder: Folder,
    pub(super) partitions: Partitions,
    pub(super) most_partitions: usize,
    /// Levels whose states cannot be new in the next, the last of them the current one.
    pub(super) window: Vec<DiskLevel>,
    /// Whether observers have seen the current level. They have not if a stop came while it was
    /// read again.
    pub(super) is_shown: bool,
    /// Keys of the current level, those of other processes included.
    pub(super) orbits: u64,
    /// Levels kept for paths, or because nothing may be forgotten.
    pub(super) kept_for_paths: Vec<DiskLevel>,
    /// Whether all levels in use are safe on the disk.
    pub(super) secured: bool,
    /// Files that were reported as damaged: levels are looked up in more than one place.
    pub(super) told: BTreeSet<PathBuf>,
    /// States of the current level to be compared with the rulebook.
    pub(super) picked: Vec<K>,
    pub(super) progress: &'a Progress,
    /// States expanded.
    pub(super) counters: Counters,
    /// Costs of the finished levels.
    pub(super) levels_spent: Spent,
}

impl<'a, K: Key> Walk<'a, K> {
    pub(in crate::engines) fn open(
        search: &'a Search<K>,
        part: u64,
        options: &'a DiskOptions,
        goal: Option<&'a Goal<K>>,
        peers: Option<&'a Network>,
        observers: &mut Observers<K>,
        progress: &'a Progress,
    ) -> Result<Self> {
        let (workers, memory) = share(search, options)?;
        let overhead = OVERHEAD * workers as u64;
        let marked = marks_moves(search, options);
        let work = match search.work.get::<Arc<Work>>() {
            Some(work) => Arc::clone(work),
            None => Arc::new(open_work(search, goal)?),
        };
        let many = search.roots == Roots::Solved && search.graph.opened.part_count > 1;
        let in_passing = many && goal.is_none() && peers.is_none() && !options.keep_parts;
        let limit = allowed(options, work.folder().path());
        let folder = Folder::of(work, part, in_passing, limit);
        let mut walk = Self {
            search,
            options,
            part,
            goal,
            peers,
            neighbours: NeighbourSource::of(search, part)?,
            marked,
            workers,
            memory: memory - overhead,
            folder,
            partitions: Partitions {
                log2: peers.map_or(0, |_| LEAST_LOG2),
                locality: options.locality,
            },
            most_partitions: match marked {
                true => most_partitions::<Marked<K>>(memory, workers),
                false => most_partitions::<K>(memory, workers),
            },
            window: Vec::new(),
            is_shown: true,
            orbits: 0,
            kept_for_paths: Vec::new(),
            secured: false,
            told: BTreeSet::new(),
            picked: Vec::new(),
            progress,
            counters: Counters::default(),
            levels_spent: Spent {
                sampled: Some(Sampled::default()),
                ..Spent::default()
            },
        };
        if let Some(peers) = peers {
            let most = shared(peers, &walk.most_partitions)?.into_iter().min();
            walk.most_partitions = most.unwrap_or(1).max(1 << LEAST_LOG2);
        }
        // Collecting every state needs also the states of removed levels.
        let collects = !matches!(observers.collected, Collected::Off);
        if collects {
            walk.folder.owners = None;
        }
        if collects || !walk.take_up(observers)? {
            // Another process may have found no level to resume from, even if this one did.
            walk.window.clear();
            walk.kept_for_paths.clear();
            walk.folder.levels.clear();
            walk.folder.sweep(std::iter::empty())?;
            walk.first_level(observers)?;
        }
        if options.disk.is_none() {
            // The free space does not include the files that earlier runs left.
            walk.folder.disk.spare_stored();
        }
        Ok(walk)
    }

    /// Whether a level is kept once the search is past it: for paths, or because no state may be
    /// forgotten.
    pub(super) fn keeps(&self, depth: u16) -> bool {
        let graph = &self.search.graph;
        let comes_back = !graph.has(Capabilities::UNDIRECTED) && !graph.has(Capabilities::LAYERED);
        comes_back
            || self.against().is_none()
            || self.search.may_cover_space()
            || depth.is_multiple_of(self.options.keep_every)
    }

    pub(super) fn depth(&self) -> u16 {
        (self.folder.levels.len() as u16).saturating_sub(1)
    }

    /// Walks to the end, a limit, or a stop. If the search covers a space, states in no level are
    /// shown as unsolvable.
    ///
    /// # Errors
    /// Same as any search on disk.
    pub(in crate::engines) fn whole(&mut self, observers: &mut Observers<K>) -> Result<Outcome<K>> {
        let outcome = self.levels(observers)?;
        if outcome.is_answer() && !self.limited(observers) && self.search.covers_space() {
            match self.rest(observers) {
                Ok(()) => {}
                Err(Halt::Failed(error)) => return Err(error),
                Err(Halt::Stopped) => return self.halted(StopReason::Requested),
            }
        }
        Ok(outcome)
    }

    /// Walks to the goal, and reconstructs the path from there.
    ///
    /// # Errors
    /// Same as any search on disk.
    pub(in crate::engines) fn shortest(
        &mut self,
        observers: &mut Observers<K>,
    ) -> Result<Outcome<K>> {
        Ok(match (self.levels(observers)?, self.met()) {
            (Outcome::Levels, Some(state)) => Outcome::shortest(self.path_to(state)?),
            (Outcome::Levels, None) if self.limited(observers) => {
                Outcome::NotReached(StopReason::Depth(self.depth()))
            }
            (Outcome::Levels, None) => Outcome::exhausted(
                self.search.direction,
                observers.levels.total_states(),
                Some(self.depth().into()),
            ),
            (ended, _) => ended,
        })
    }

    /// Level 0: the roots.
    fn first_level(&mut self, observers: &mut Observers<K>) -> Result<()> {
        let roots = self.search.distinct_roots(self.part)?;
        let own = self.own(&roots)?;
        let mut seen = observers.fork();
        self.search.observe(self.part, &own, 0, &mut seen)?;
        self.orbits = roots.len() as u64;
        self.picked = Picking::of(PICKED, &roots).states();
        let level = self.write_roots(&own)?;
        let cost = LevelCost {
            states: own.len() as u64,
            partitions: self.partitions.count() as u64,
            bytes_written: self.folder.disk.written(),
            bytes_stored: level.bytes(),
            peak_memory_bytes: machine::peak_memory_bytes(),
            ..LevelCost::default()
        };
        self.levels_spent.add_level(cost);
        let met = match self.goal {
            Some(goal) => goal.smallest_of(&self.search.graph, &roots)?,
            None => None,
        };
        let entry = LevelEntry {
            depth: 0,
            seen: Record::without_antipodes(&seen),
            cost,
            sampled: Sampled::default(),
            goal: met.map(key_text),
            place: level.place.clone(),
        };
        self.folder.record(vec![entry], 0, false)?;
        observers.absorb(seen);
        self.window.push(level);
        Ok(())
    }

    /// The total cost of the search.
    pub(in crate::engines) fn spent(&self) -> Spent {
        let mut spent = self.levels_spent.clone();
        spent.absorb(self.counters.spent());
        let levels = usize::from(self.depth()) + usize::from(self.orbits > 0);
        spent.sampled.get_or_insert_default().of = levels as u64;
        spent
    }

    /// Those of some sorted states that this process keeps.
    pub(super) fn own(&self, keys: &[K]) -> Result<Vec<K>> {
        let Some(peers) = self.peers else {
            return Ok(keys.to_vec());
        };
        let mut partitions = Vec::new();
        self.partitions.of(self.search, keys, &mut partitions)?;
        let placed = keys.iter().zip(partitions);
        let own = placed.filter(|(_, partition)| {
            peers.owner(*partition as usize, self.partitions.log2) == peers.index()
        });
        Ok(own.map(|(&key, _)| key).collect())
    }

    /// Some states with their partitions, sorted by partition.
    pub(super) fn placed(&self, keys: &[K]) -> Result<Vec<(u32, K)>> {
        let mut partitions = Vec::new();
        self.partitions.of(self.search, keys, &mut partitions)?;
        let mut placed: Vec<(u32, K)> = partitions.into_iter().zip(keys.iter().copied()).collect();
        placed.sort_unstable();
        Ok(placed)
    }

    /// Writes level 0 from sorted roots.
    pub(super) fn write_roots(&self, roots: &[K]) -> Result<DiskLevel> {
        let placed = self.placed(roots)?;
        let log2 = self.partitions.log2;
        let segment = self.folder.segment(0, log2);
        let mut runs = vec![PackedRun::default(); self.partitions.count()];
        let mut packer = Packer::default();
        for together in placed.chunk_by(|(one, _), (other, _)| one == other) {
            for &(_, root) in together {
                match self.marked {
                    true => packer.put_in(Marked::new(root, 0)),
                    false => packer.push(root),
                }
            }
            runs[together[0].0 as usize] = segment.append(&mut packer)?;
        }
        self.folder.finish(0, log2, runs, segment)
    }

    /// Moves after which a state may be met again.
    fn reach(&self) -> u16 {
        let graph = &self.search.graph;
        match () {
            () if graph.has(Capabilities::LAYERED) => 0,
            () if graph.has(Capabilities::UNDIRECTED) => 1,
            () => u16::MAX,
        }
    }

    /// Whether states of a level may be met again after the current one.
    pub(super) fn comes_up(&self, depth: u16) -> bool {
        self.depth() - depth <= self.reach()
    }

    /// Number of levels before the last one with which the next one's candidates are compared: with
    /// marks none, since no move that leads to the level before is tried.
    fn held_against(&self) -> u16 {
        match self.marked {
            true => 0,
            false => self.reach(),
        }
    }

    /// Whether candidates found from the level `last` are compared with the level `depth`.
    pub(super) fn in_window(&self, depth: u16, last: u16) -> bool {
        last - depth <= self.held_against()
    }

    /// Whether candidates found from the current level are compared with the level `depth`.
    pub(super) fn known(&self, depth: u16) -> bool {
        self.in_window(depth, self.depth())
    }

    /// Whether a level is kept open when `last` is finished: levels with which the next is
    /// compared, and one more.
    pub(super) fn stays(&self, depth: u16, last: u16) -> bool {
        last - depth <= self.held_against().saturating_add(1)
    }

    /// Whether a level was left out because the user gave a greatest level.
    fn limited(&self, observers: &Observers<K>) -> bool {
        let last = self.depth();
        let here = observers.levels.level(last).orbits > 0;
        let reached = here || (self.peers.is_some() && self.orbits > 0);
        reached && self.search.max_depth == Some(last)
    }

    /// The smallest goal in the last level, if there is one.
    pub(in crate::engines) fn met(&self) -> Option<K> {
        let last = self.folder.levels.last()?;
        key_from_text(last.goal.as_ref()?)
    }
}

/// Bytes of disk that a search may keep, and whether that limit is given: if not, it is the free
/// space except for a twentieth.
fn allowed(options: &DiskOptions, path: &Path) -> (u64, bool) {
    let free = free_bytes(path).map_or(u64::MAX, |free| free / 20 * 19);
    (options.disk.unwrap_or(free), options.disk.is_some())
}

// The last level of a walk, for a search that continues from some of its states.

impl<K: Key> Walk<'_, K> {
    /// The depth of the last level, and its states.
    pub(in crate::engines) fn last(&self) -> (u16, u64) {
        (self.depth(), self.orbits)
    }

    /// Partitions of the last level: states of a bucket are in the same one.
    pub(in crate::engines) fn partitions(&self) -> usize {
        self.window.last().map_or(0, |level| level.runs.len())
    }

    /// Adds the states of a partition of the last level, sorted; `bytes` is a buffer for reading
    /// it.
    ///
    /// # Errors
    /// A level that cannot be read, or is damaged.
    pub(in crate::engines) fn add_partition(
        &self,
        partition: usize,
        bytes: &mut Vec<u8>,
        states: &mut Vec<K>,
    ) -> Result<()> {
        match self.window.last() {
            Some(level) => self.add_run(level, partition, bytes, states),
            None => Ok(()),
        }
    }

    fn add_run(
        &self,
        level: &DiskLevel,
        partition: usize,
        bytes: &mut Vec<u8>,
        states: &mut Vec<K>,
    ) -> Result<()> {
        let run = level.read(partition, bytes)?;
        states.extend(keys::<K>(&run, bytes));
        Ok(())
    }

    /// Some states of every kept level, with its depth, from partitions that hold about `read` of
    /// its states; `most` at most.
    ///
    /// # Errors
    /// Same as [`Walk::add_partition`], and those of `show`.
    pub(in crate::engines) fn samples(
        &self,
        (read, most): (u64, usize),
        mut show: impl FnMut(u16, &[K]) -> Result<()>,
    ) -> Result<()> {
        let mut bytes = Vec::new();
        for level in self.kept() {
            let every = (level.orbits() / read).max(1) as usize;
            let mut states: Vec<K> = Vec::new();
            for partition in (0..level.runs.len()).step_by(every) {
                self.add_run(level, partition, &mut bytes, &mut states)?;
            }
            let every = states.len().div_ceil(most).max(1);
            let some: Vec<K> = states.into_iter().step_by(every).collect();
            show(level.depth, &some)?;
        }
        Ok(())
    }

    /// Those of some states that are new: neither in the last level nor in an earlier one to which
    /// its states may return; sorted.
    pub(in crate::engines) fn without_known(&self, states: &[K]) -> Result<Vec<K>> {
        let placed = self.placed(states)?;
        let (mut left, mut bytes) = (Vec::with_capacity(states.len()), Vec::new());
        for together in placed.chunk_by(|(one, _), (other, _)| one == other) {
            let partition = together[0].0 as usize;
            let mut mine: Vec<K> = together.iter().map(|&(_, state)| state).collect();
            for level in self
                .window
                .iter()
                .filter(|level| self.comes_up(level.depth))
            {
                let run = level.read(partition, &mut bytes)?;
                drop_known(&mut mine, keys(&run, &bytes));
            }
            left.append(&mut mine);
        }
        left.sort_unstable();
        Ok(left)
    }
}
