//! A search of one part: what it holds, how it begins, and how it goes on from a work folder.

use std::path::Path;

use antipode_reports::cost::LevelCost;
use puzzle_api::{Capabilities, Key};

use super::folder::{Entry, Folder, Level};
use super::packed::{self, Packer};
use super::sample::Pick;
use super::shelf::{self, Disk, Run, ShelfWriter};
use super::spool::most_partitions;
use super::step::Partitions;
use super::{Locality, Options, SAMPLING_SEED, each_state, smallest_goal};
use crate::engines::journal::Identity;
use crate::engines::work::{foreign, free_bytes};
use crate::engines::{EngineError, Neighbours, Roots, Search, WorkError};
use crate::forward::Goal;
use crate::machine;
use crate::memory::human;
use crate::observers::Observers;
use crate::outcome::{Counters, Sampled, Spent};
use crate::progress::Progress;
use antipode_graph::Source;

/// Least memory that leaves room for batches and buffers.
const LEAST_MEMORY: u64 = 64 << 20;
/// Memory that batches, buffers and the program itself take, a thread.
const OVERHEAD: u64 = 16 << 20;
/// A search of one part under way.
pub(super) struct Walk<'a, K> {
    pub(super) search: &'a Search<K>,
    pub(super) options: &'a Options,
    pub(super) part: u64,
    /// What to stop at, behind its level.
    pub(super) goal: Option<&'a Goal<K>>,
    pub(super) neighbours: Neighbours<K>,
    pub(super) workers: usize,
    pub(super) memory: u64,
    pub(super) folder: Folder,
    pub(super) disk: Disk,
    pub(super) partitions: Partitions,
    pub(super) most_partitions: usize,
    /// Levels whose states cannot be new in the next, the last of them the one in hand.
    pub(super) window: Vec<Level>,
    /// Kept for paths, or because nothing may be forgotten.
    pub(super) shelved: Vec<Level>,
    /// States of the level in hand that are to be compared with the rulebook.
    pub(super) picked: Pick<K>,
    pub(super) progress: &'a Progress,
    /// States expanded.
    pub(super) counters: Counters,
    /// What finished levels took.
    pub(super) levels_spent: Spent,
}

impl<'a, K: Key> Walk<'a, K> {
    pub(super) fn open(
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
            counters: Counters::default(),
            levels_spent: Spent {
                sampled: Some(Sampled::default()),
                ..Spent::default()
            },
        };
        if walk.folder.manifest.levels.is_empty() {
            walk.first_level(observers)?;
        } else {
            walk.take_up(observers)?;
        }
        Ok(walk)
    }

    /// Whether nothing that was found may be forgotten.
    pub(super) fn keeps_all(&self) -> bool {
        let graph = &self.search.graph;
        let comes_back = !graph.has(Capabilities::UNDIRECTED) && !graph.has(Capabilities::LAYERED);
        comes_back || self.against().is_none() || self.search.covers_space()
    }

    pub(super) fn depth(&self) -> u16 {
        self.folder.manifest.levels.len() as u16 - 1
    }

    /// Level 0: the roots.
    pub(super) fn first_level(&mut self, observers: &mut Observers<K>) -> Result<(), EngineError> {
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
    pub(super) fn book(&mut self, cost: &LevelCost) {
        self.levels_spent.add_level(*cost);
    }

    /// All that the search took.
    pub(super) fn spent(&self) -> Spent {
        let mut spent = self.levels_spent.clone();
        spent.absorb(self.counters.spent());
        spent
    }

    /// Goes on behind the last finished level.
    pub(super) fn take_up(&mut self, observers: &mut Observers<K>) -> Result<(), EngineError> {
        let last = self.depth();
        if let Some(most) = self.search.max_depth.filter(|&most| most < last) {
            return Err(foreign(
                self.folder.path(),
                format!("holds levels up to {last}, more than --max-depth {most}: give {last} or more, or another --work"),
            )
            .into());
        }
        for depth in 0..=last {
            let cost = self.folder.manifest.levels[usize::from(depth)].cost;
            self.book(&cost);
            let entry = &self.folder.manifest.levels[usize::from(depth)];
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
    pub(super) fn in_window(&self, depth: u16, last: u16) -> bool {
        let graph = &self.search.graph;
        let reach = match () {
            () if graph.has(Capabilities::LAYERED) => 0,
            () if graph.has(Capabilities::UNDIRECTED) => 1,
            () => u16::MAX,
        };
        last - depth <= reach
    }

    /// Whether a level was left out because a greatest one was asked for.
    pub(super) fn limited(&self, observers: &Observers<K>) -> bool {
        let last = self.depth();
        let sum = observers.levels.level(last);
        sum.orbits > 0 && self.search.max_depth == Some(last)
    }

    /// The smallest goal in the last level, where there is one.
    pub(super) fn met(&self) -> Option<K> {
        let last = self.folder.manifest.levels.last()?;
        let number = u128::from_str_radix(last.goal.as_ref()?, 16).ok()?;
        Some(packed::key_of(number))
    }
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
        Roots::Solved => "solved".to_owned(),
        Roots::Starts => "starts".to_owned(),
        Roots::State(key) => format!("{:x}", key.to_u128()),
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
            antipode_graph::direction_name(search.direction),
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
