//! Engine `disk`: breadth-first search whose levels lie in files (Dogon, "Climbpro 24 and
//! the big BFS problem").
//!
//! States are parted by the puzzle's bucket, a number that one move seldom changes. A level
//! is a packed run of rising keys for each partition. To find the next level, a worker
//! takes a partition into memory, together with the same partition of the levels before,
//! drops the neighbours that it knows, and sends those that belong elsewhere to their
//! partition, which drops what it knows in a second pass ([`step`]).
//!
//! Where moves can be undone, only the levels n-1, n and n+1 are kept, and every k-th for
//! going back to a path; elsewhere all levels are, since a state may come back at any
//! distance. A finished level is on the disk before it is counted, so a run that is
//! stopped or killed goes on behind it. Every run of keys carries a checksum.
//!
//! Nothing in the result depends on the number of threads or partitions.

mod budget;
mod folder;
mod keyset;
mod packed;
mod path;
mod sample;
mod shelf;
mod split;
mod spool;
mod step;

use antipode_reports::cost::LevelCost;
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicBool, Ordering::Relaxed};
use std::time::Instant;

use cpu_time::ProcessTime;
use puzzle_api::{Capabilities, Key};

use super::journal::Identity;
use super::work::{foreign, free_bytes};
use super::{DEEPEST, Ended, EngineError, Neighbours, Search, WorkError};
use crate::machine;
use crate::memory::human;
use crate::observe::Observers;
use crate::plugin::Source;
use crate::progress::Progress;
use crate::verify::Goal;
use budget::Budget;
use folder::{Entry, Folder, Level};
use packed::Packer;
use sample::Pick;
pub use sample::Sampled;
use shelf::{Disk, Run, ShelfWriter};
use spool::{Mail, Spool, most_partitions};
use step::{Halt, Partitions, Step, Tally};

/// How states are parted.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Locality {
    /// By the puzzle's bucket, where it has one.
    #[default]
    Bucket,
    /// By a uniform hash of the key: what the bucket is measured against.
    Uniform,
}

impl std::str::FromStr for Locality {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        match text {
            "bucket" => Ok(Self::Bucket),
            "uniform" => Ok(Self::Uniform),
            _ => Err(format!("'{text}' is neither bucket nor uniform")),
        }
    }
}

/// Means and limits of a search on disk.
#[derive(Debug, Clone)]
pub struct Options {
    /// Folder for levels, a subfolder for each part of an instance that has several.
    pub work: PathBuf,
    /// Whether to go on from what is there.
    pub resume: bool,
    /// Bytes of memory that the search may take.
    pub memory: u64,
    /// Bytes of disk that it may take; `None` leaves a twentieth of what is free.
    pub disk: Option<u64>,
    /// Every level whose number is a multiple of this is kept for paths.
    pub keep_every: u16,
    /// How states are parted.
    pub locality: Locality,
    /// States of a partition aimed at.
    pub partition_states: u64,
    /// Threads.
    pub threads: usize,
    /// Whether the folder stays when the search is complete.
    pub keep: bool,
}

impl Options {
    /// Levels between those that are kept, unless said otherwise: a ball of so many moves
    /// around a state is small beside a level.
    pub const KEEP_EVERY: u16 = 16;
    /// States of a partition aimed at, unless said otherwise: with the levels before and
    /// the new ones, they fit a core's own cache.
    pub const PARTITION_STATES: u64 = 4096;

    /// Usual means, with a work folder and a memory limit.
    #[must_use]
    pub fn new(work: PathBuf, memory: u64, threads: usize) -> Self {
        Self {
            work,
            resume: false,
            memory,
            disk: None,
            keep_every: Self::KEEP_EVERY,
            locality: Locality::Bucket,
            partition_states: Self::PARTITION_STATES,
            threads,
            keep: false,
        }
    }
}

/// Seed of the samples that are compared with the rulebook.
const SAMPLING_SEED: u64 = 1;
/// Least memory that leaves room for batches and buffers.
const LEAST_MEMORY: u64 = 64 << 20;
/// Memory that batches, buffers and the program itself take, a thread.
const OVERHEAD: u64 = 16 << 20;

/// Walks one part.
///
/// # Errors
/// [`EngineError`]: a puzzle that breaks its contract, too little memory or disk, a work
/// folder that is damaged, foreign or gone.
pub(super) fn walk<K: Key>(
    search: &Search<K>,
    part: u64,
    observers: &mut Observers<K>,
    progress: &Progress,
) -> Result<Ended, EngineError> {
    let options = search.disk.as_ref().ok_or_else(needs_folder)?;
    let mut run = Walk::open(search, part, options, None, observers, progress)?;
    let ended = run.levels(observers)?;
    let done = ended == Ended::Complete && !run.limited(observers);
    if done && search.covers_space() {
        run.rest(observers)?;
    }
    if done && !options.keep {
        run.folder.remove()?;
    }
    Ok(ended)
}

/// How a search for a goal ended.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Reached<K> {
    /// States from the start to the nearest goal, both included; none is nearer.
    Path(Vec<K>),
    /// No goal is among the states that can be reached.
    Nowhere,
    /// Not known; what ended the search, in a line.
    Stopped(String),
}

/// Finds a shortest path from the search's root to a goal. The work folder is removed
/// once the answer is known, and kept where the search was stopped.
///
/// # Errors
/// As any search on disk.
pub fn reach<K: Key>(
    search: &Search<K>,
    goal: &Goal<K>,
    observers: &mut Observers<K>,
    progress: &Progress,
) -> Result<Reached<K>, EngineError> {
    let options = search.disk.as_ref().ok_or_else(needs_folder)?;
    let part = search.parts()?.first().copied().unwrap_or(0);
    let mut run = Walk::open(search, part, options, Some(goal), observers, progress)?;
    let ended = run.levels(observers)?;
    let reached = match (ended, run.met()) {
        (Ended::Complete, Some(state)) => Reached::Path(run.path_to(state)?),
        (Ended::Complete, None) if run.limited(observers) => {
            return Ok(Reached::Stopped(format!(
                "no goal within {} moves",
                run.depth()
            )));
        }
        (Ended::Complete, None) => Reached::Nowhere,
        (Ended::Stopped | Ended::Full, _) => {
            let why = progress.limit_reached();
            let why = why.unwrap_or_else(|| "stopped on request".to_owned());
            return Ok(Reached::Stopped(why));
        }
    };
    if !options.keep {
        run.folder.remove()?;
    }
    Ok(reached)
}

fn needs_folder() -> EngineError {
    EngineError::CannotHold("engine disk needs a folder for its levels: add --work DIR".into())
}

/// A search of one part under way.
struct Walk<'a, K> {
    search: &'a Search<K>,
    options: &'a Options,
    part: u64,
    /// What to stop at, behind its level.
    goal: Option<&'a Goal<K>>,
    neighbours: Neighbours<K>,
    workers: usize,
    memory: u64,
    folder: Folder,
    disk: Disk,
    partitions: Partitions,
    most_partitions: usize,
    /// Levels whose states cannot be new in the next, the last of them the one in hand.
    window: Vec<Level>,
    /// Kept for paths, or because nothing may be forgotten.
    shelved: Vec<Level>,
    /// States of the level in hand that are to be compared with the rulebook.
    picked: Pick<K>,
    progress: &'a Progress,
}

impl<'a, K: Key> Walk<'a, K> {
    fn open(
        search: &'a Search<K>,
        part: u64,
        options: &'a Options,
        goal: Option<&'a Goal<K>>,
        observers: &mut Observers<K>,
        progress: &'a Progress,
    ) -> Result<Self, EngineError> {
        let parted = search.graph.opened.part_count > 1;
        // Parts already run on all threads.
        let workers = if parted { 1 } else { options.threads.max(1) };
        let memory = if parted {
            options.memory / options.threads.max(1) as u64
        } else {
            options.memory
        };
        let overhead = OVERHEAD * workers as u64;
        let least = LEAST_MEMORY.max(2 * overhead);
        if memory < least {
            let shares = if parted {
                options.threads.max(1) as u64
            } else {
                1
            };
            return Err(WorkError::Memory(format!(
                "engine disk needs at least {} of memory with {} threads, {} are allowed: allow more with --memory, or give fewer --threads",
                human(least * shares),
                options.threads,
                human(options.memory)
            ))
            .into());
        }
        let path = match parted {
            true => options.work.join(format!("part-{part}")),
            false => options.work.clone(),
        };
        let folder = Folder::open(&path, identity(search, part, options, goal), options.resume)?;
        let disk = Disk::new(allowed(options, &path));
        let mut walk = Self {
            search,
            options,
            part,
            goal,
            neighbours: Neighbours::of(search, part)?,
            workers,
            memory: memory - overhead,
            folder,
            disk,
            partitions: Partitions {
                log2: 0,
                locality: options.locality,
            },
            most_partitions: most_partitions::<K>(memory, workers),
            window: Vec::new(),
            shelved: Vec::new(),
            picked: Pick::new(SAMPLING_SEED),
            progress,
        };
        if walk.folder.manifest.levels.is_empty() {
            walk.first_level(observers)?;
        } else {
            walk.take_up(observers)?;
        }
        Ok(walk)
    }

    /// Whether nothing that was found may be forgotten.
    fn keeps_all(&self) -> bool {
        let graph = &self.search.graph;
        let comes_back = !graph.has(Capabilities::UNDIRECTED) && !graph.has(Capabilities::LAYERED);
        comes_back || self.against().is_none() || self.search.covers_space()
    }

    fn depth(&self) -> u16 {
        self.folder.manifest.levels.len() as u16 - 1
    }

    /// Level 0: the roots.
    fn first_level(&mut self, observers: &mut Observers<K>) -> Result<(), EngineError> {
        let roots = self.search.distinct_roots(self.part)?;
        let mut seen = observers.fork();
        self.search.observe(self.part, &roots, 0, &mut seen)?;
        self.picked.show(&roots);
        let mut packer = Packer::default();
        for &root in &roots {
            packer.push(root);
        }
        let path = self.folder.shelf(0, 0, 0);
        let mut shelf = ShelfWriter::create(path, 0)?;
        let run = match roots.is_empty() {
            true => Run::default(),
            false => shelf.append(&mut packer, &self.disk)?,
        };
        let shelves = vec![shelf.close(true)?];
        let cost = LevelCost {
            states: roots.len() as u64,
            partitions: 1,
            bytes_written: self.disk.written(),
            bytes_stored: run.bytes,
            peak_memory_bytes: machine::peak_memory_bytes(),
            ..LevelCost::default()
        };
        self.book(&cost);
        let (level, place) = self.folder.finish(0, 0, vec![run], shelves, &self.disk)?;
        let met = smallest_goal(self.search, self.goal, &roots)?;
        let mut manifest = self.folder.manifest.clone();
        manifest.levels.push(Entry {
            goal: met.map(|key| format!("{:x}", key.to_u128())),
            ..Entry::new(&seen.levels.level(0), cost, place)
        });
        self.folder.commit(manifest)?;
        observers.absorb(seen);
        self.window.push(level);
        Ok(())
    }

    /// Counts what a level cost, found now or by a run before.
    fn book(&self, cost: &LevelCost) {
        if let Some(before) = cost.depth.checked_sub(1) {
            self.progress.moves(before as u16, cost.generated);
        }
        self.progress.generated(cost.generated);
        self.progress.read(cost.bytes_read);
        self.progress.written(cost.bytes_written);
        self.progress.cost(*cost);
    }

    /// Goes on behind the last finished level.
    fn take_up(&mut self, observers: &mut Observers<K>) -> Result<(), EngineError> {
        let last = self.depth();
        if let Some(most) = self.search.max_depth.filter(|&most| most < last) {
            return Err(foreign(
                self.folder.path(),
                format!("holds levels up to {last}, more than --max-depth {most}: give {last} or more, or another --work"),
            )
            .into());
        }
        for depth in 0..=last {
            let entry = &self.folder.manifest.levels[usize::from(depth)];
            self.book(&entry.cost);
            if depth < last {
                observers.levels.add(depth, &entry.sum());
            }
            if let Some(level) = self.folder.level(depth, &self.disk)? {
                if self.in_window(depth, last) {
                    self.window.push(level);
                } else {
                    self.shelved.push(level);
                }
            }
        }
        let Some(level) = self.window.last().filter(|level| level.depth == last) else {
            return Err(
                shelf::damaged(self.folder.path(), format!("level {last} is not there")).into(),
            );
        };
        self.partitions.log2 = level.partitions_log2;
        // The last level once more: the deepest states are not written down.
        let mut seen = observers.fork();
        let mut picked = Pick::new(SAMPLING_SEED);
        each_state(level, &self.disk, &mut |keys: &[K]| {
            picked.show(keys);
            self.search.observe(self.part, keys, last, &mut seen)?;
            Ok(())
        })?;
        self.picked = picked;
        let found = seen.levels.level(last);
        if found != self.folder.manifest.levels[usize::from(last)].sum() {
            return Err(shelf::damaged(
                self.folder.path(),
                format!("level {last} is not the one that was found: its digest differs"),
            )
            .into());
        }
        observers.absorb(seen);
        Ok(())
    }

    /// Whether states of a level may come up again behind another.
    fn in_window(&self, depth: u16, last: u16) -> bool {
        let graph = &self.search.graph;
        let reach = match () {
            () if graph.has(Capabilities::LAYERED) => 0,
            () if graph.has(Capabilities::UNDIRECTED) => 1,
            () => u16::MAX,
        };
        last - depth <= reach
    }

    /// Whether a level was left out because a greatest one was asked for.
    fn limited(&self, observers: &Observers<K>) -> bool {
        let last = self.depth();
        let sum = observers.levels.level(last);
        sum.orbits > 0 && self.search.max_depth == Some(last)
    }

    /// Walks on to the end, a limit, or a stop.
    fn levels(&mut self, observers: &mut Observers<K>) -> Result<Ended, EngineError> {
        loop {
            let depth = self.depth();
            let states = self.window.last().map_or(0, Level::orbits);
            self.progress.level(depth, states);
            if states == 0 || self.search.max_depth.is_some_and(|most| depth >= most) {
                return Ok(Ended::Complete);
            }
            if self.met().is_some() {
                return Ok(Ended::Complete);
            }
            if depth == DEEPEST {
                let name = self.search.graph.opened.full_name();
                return Err(EngineError::CannotHold(format!(
                    "{name}: deeper than {DEEPEST} levels, more than this version counts"
                )));
            }
            let next = self.part_more_finely().map_err(Halt::from);
            match next.and_then(|()| self.next_level(observers)) {
                Ok(()) => {}
                Err(Halt::Stopped) => {
                    self.folder.sweep()?;
                    return Ok(Ended::Stopped);
                }
                Err(Halt::Failed(EngineError::Work(error))) if error.is_limit() => {
                    self.folder.sweep()?;
                    self.progress.limit(error.to_string());
                    return Ok(Ended::Full);
                }
                Err(Halt::Failed(error)) => {
                    // What is finished stays; the rest would only take room.
                    let _ = self.folder.sweep();
                    return Err(error);
                }
            }
        }
    }

    /// Raises the number of partitions once they outgrow the cache.
    fn part_more_finely(&mut self) -> Result<(), EngineError> {
        let states = self.window.last().map_or(0, Level::orbits);
        let wanted = (states / self.options.partition_states)
            .max(1)
            .next_power_of_two() as usize;
        let wanted = wanted.min(self.most_partitions).ilog2();
        // Now and then by much rather than often by little: each time two levels are
        // written again.
        if wanted < self.partitions.log2 + 2 {
            return Ok(());
        }
        self.partitions.log2 = wanted;
        let coarse = std::mem::take(&mut self.window);
        let mut manifest = self.folder.manifest.clone();
        for level in &coarse {
            let (finer, place) = self.split(level)?;
            manifest.levels[usize::from(level.depth)].kept = Some(place);
            self.window.push(finer);
        }
        self.folder.commit(manifest)?;
        for level in coarse {
            self.folder.erase(level, &self.disk)?;
        }
        Ok(())
    }

    fn growth(&self) -> f64 {
        let levels = &self.folder.manifest.levels;
        match levels[..] {
            [.., ref before, ref last] if before.orbits > 0 => {
                (last.orbits as f64 / before.orbits as f64).clamp(0.5, 8.0)
            }
            _ => 8.0,
        }
    }

    fn next_level(&mut self, observers: &mut Observers<K>) -> Result<(), Halt> {
        let clock = (Instant::now(), ProcessTime::now());
        let before = (self.disk.read(), self.disk.written());
        let depth = self.depth() + 1;
        let tally = Tally::default();
        let halted = AtomicBool::new(false);
        let budget = Budget::new(self.memory - self.memory / 8);
        let known: Vec<&Level> = match self.search.graph.has(Capabilities::LAYERED) {
            true => Vec::new(),
            false => self.window.iter().collect(),
        };
        let level = match self.window.last() {
            Some(level) => level,
            None => return Ok(()),
        };
        let step = Step {
            search: self.search,
            part: self.part,
            neighbours: &self.neighbours,
            folder: &self.folder,
            disk: &self.disk,
            budget: &budget,
            partitions: self.partitions,
            workers: self.workers,
            progress: self.progress,
            level,
            known: &known,
            growth: self.growth(),
            tally: &tally,
            halted: &halted,
            goal: self.goal,
        };
        let mut mail = Spool::new::<K>(
            self.folder.path(),
            &self.disk,
            self.partitions.count(),
            self.workers,
            self.memory,
        );
        let own = step.expand(&mut mail)?;
        let merged = step.merge(&own, &mail, observers)?;
        mail.discard()?;
        for shelf in own.shelves {
            folder::remove(shelf, &self.disk)?;
        }
        let mut seen = observers.fork();
        for part in merged.seen {
            seen.absorb(part);
        }
        let log2 = self.partitions.log2;
        let (level, place) =
            self.folder
                .finish(depth, log2, merged.runs, merged.shelves, &self.disk)?;
        let cost = LevelCost {
            depth: depth.into(),
            states: level.orbits(),
            seconds: clock.0.elapsed().as_secs_f64(),
            cpu_seconds: clock.1.elapsed().as_secs_f64(),
            generated: tally.generated.load(Relaxed),
            stayed: tally.stayed.load(Relaxed),
            removed_in_memory: tally.removed_in_memory.load(Relaxed),
            removed_at_merge: tally.removed_at_merge.load(Relaxed),
            bytes_read: self.disk.read() - before.0,
            bytes_written: self.disk.written() - before.1,
            bytes_stored: level.bytes(),
            partitions: self.partitions.count() as u64,
            peak_memory_bytes: machine::peak_memory_bytes(),
        };
        let sampled = self.compare_sample(&self.picked, &level)?;
        self.progress.sampled(sampled);
        self.picked = merged.picked;
        self.book(&cost);
        let entry = Entry::new(&seen.levels.level(depth), cost, place);
        self.window.push(level);
        self.settle(Entry {
            goal: merged.goal.map(|key| format!("{:x}", key.to_u128())),
            ..entry
        })?;
        observers.absorb(seen);
        Ok(())
    }

    /// Makes the new level, the last of the window, count, and drops what nobody needs any
    /// more.
    fn settle(&mut self, entry: Entry) -> Result<(), Halt> {
        let mut manifest = self.folder.manifest.clone();
        manifest.levels.push(entry);
        let last = manifest.levels.len() as u16 - 1;
        let keeps = |walk: &Self, level: &Level| {
            walk.keeps_all() || level.depth.is_multiple_of(walk.options.keep_every)
        };
        for level in &self.window {
            if !self.in_window(level.depth, last) && !keeps(self, level) {
                manifest.levels[usize::from(level.depth)].kept = None;
            }
        }
        self.folder.commit(manifest)?;
        for level in std::mem::take(&mut self.window) {
            if self.in_window(level.depth, last) {
                self.window.push(level);
            } else if keeps(self, &level) {
                self.shelved.push(level);
            } else {
                self.folder.erase(level, &self.disk)?;
            }
        }
        Ok(())
    }

    /// The smallest goal in the last level, where there is one.
    fn met(&self) -> Option<K> {
        let last = self.folder.manifest.levels.last()?;
        let number = u128::from_str_radix(last.goal.as_ref()?, 16).ok()?;
        Some(packed::key_of(number))
    }

    /// Shows what no level holds as unsolvable. Everything is kept where this is asked for.
    fn rest(&mut self, observers: &mut Observers<K>) -> Result<(), EngineError> {
        let Some(size) = self.search.graph.space(self.part)? else {
            return Ok(());
        };
        let partitions = self.partitions;
        let mut mail = Spool::new::<K>(
            self.folder.path(),
            &self.disk,
            partitions.count(),
            1,
            self.memory,
        );
        let mut outbox = mail.outbox(0)?;
        let (mut keys, mut owners) = (Vec::new(), Vec::new());
        for start in (0..size).step_by(super::BATCH) {
            let ranks: Vec<u64> = (start..size.min(start + super::BATCH as u64)).collect();
            self.search.graph.unrank(self.part, &ranks, &mut keys)?;
            partitions.of(self.search, &keys, &mut owners)?;
            for (&key, &owner) in keys.iter().zip(&owners) {
                mail.post(&mut outbox, owner as usize, key)?;
            }
        }
        mail.close(outbox)?;
        let mut bytes = Vec::new();
        for partition in 0..partitions.count() {
            keys.clear();
            mail.collect(partition, &mut keys)?;
            keys.sort_unstable();
            keys.dedup();
            for level in self.shelved.iter().chain(&self.window) {
                // Levels that were not needed again lie in fewer partitions.
                let coarse = partition >> (partitions.log2 - level.partitions_log2);
                let run = level.read(coarse, &mut bytes, &self.disk)?;
                step::drop_known(&mut keys, shelf::keys(&run, &bytes));
            }
            self.search
                .observe(self.part, &keys, puzzle_api::UNSOLVABLE, observers)?;
        }
        mail.discard()?;
        Ok(())
    }
}

/// The smallest of some states that are goals.
fn smallest_goal<K: Key>(
    search: &Search<K>,
    goal: Option<&Goal<K>>,
    keys: &[K],
) -> Result<Option<K>, EngineError> {
    match goal {
        None => Ok(None),
        Some(Goal::State(goal)) => Ok(keys.contains(goal).then_some(*goal)),
        Some(Goal::Solved) => {
            let solved = search.graph.is_solved(keys)?;
            let met = keys.iter().zip(solved).filter(|(_, solved)| *solved);
            Ok(met.map(|(&key, _)| key).min())
        }
    }
}

/// Calls back with all states of a level, in batches.
fn each_state<K: Key>(
    level: &Level,
    disk: &Disk,
    show: &mut dyn FnMut(&[K]) -> Result<(), EngineError>,
) -> Result<(), EngineError> {
    let (mut bytes, mut batch) = (Vec::new(), Vec::with_capacity(super::BATCH));
    for partition in 0..level.runs.len() {
        let run = level.read(partition, &mut bytes, disk)?;
        for key in shelf::keys::<K>(&run, &bytes) {
            batch.push(key);
            if batch.len() == super::BATCH {
                show(&batch)?;
                batch.clear();
            }
        }
    }
    show(&batch)
}

/// Bytes of disk that a search may keep: as said, or what is free but for a twentieth.
fn allowed(options: &Options, path: &Path) -> u64 {
    let free = free_bytes(path).map_or(u64::MAX, |free| free / 20 * 19);
    options.disk.unwrap_or(free)
}

/// What a search is: levels of another must not be mixed with its own.
fn identity<K: Key>(
    search: &Search<K>,
    part: u64,
    options: &Options,
    goal: Option<&Goal<K>>,
) -> Identity {
    let opened = &search.graph.opened;
    let roots = match &search.roots {
        super::Roots::Solved => "solved".to_owned(),
        super::Roots::Starts => "starts".to_owned(),
        super::Roots::State(key) => format!("{:x}", key.to_u128()),
    };
    let locality = match options.locality {
        Locality::Bucket => "bucket",
        Locality::Uniform => "uniform",
    };
    let goal = match goal {
        None => "none".to_owned(),
        Some(Goal::Solved) => "solved".to_owned(),
        Some(Goal::State(key)) => format!("{:x}", key.to_u128()),
    };
    let mut identity: Identity = [
        ("tool", env!("CARGO_PKG_VERSION")),
        ("instance", &opened.full_name()),
        ("puzzle version", &opened.library.version),
        ("variant", &opened.variant),
        ("settings", &format!("{:?}", opened.settings)),
        (
            "direction",
            crate::analysis::direction_name(search.direction),
        ),
        ("roots", &roots),
        ("part", &part.to_string()),
        ("buckets", locality),
        ("goal", &goal),
    ]
    .map(|(key, value)| (key.to_owned(), value.to_owned()))
    .into();
    if let Source::File { blake3, .. } = &opened.library.source {
        identity.insert("plugin".into(), blake3.clone());
    }
    // A setting may name a file, such as a board, whose content is what counts.
    for (key, value) in &opened.settings {
        if let Ok(content) = std::fs::read(value) {
            let digest = blake3::hash(&content).to_hex().to_string();
            identity.insert(format!("content of {key}"), digest);
        }
    }
    identity
}

/// Removes the levels of a search whose answer is written down, and the folder with its
/// folders of parts where nothing else is in them.
///
/// # Errors
/// A file that cannot be removed.
pub fn clear(work: &Path) -> Result<(), WorkError> {
    let parts = std::fs::read_dir(work).into_iter().flatten().flatten();
    let parts = parts.filter(|entry| entry.file_name().to_string_lossy().starts_with("part-"));
    for part in parts.map(|entry| entry.path()).filter(|path| path.is_dir()) {
        folder::clear(&part)?;
    }
    folder::clear(work)
}
