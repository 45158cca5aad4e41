//! Engine `disk`: breadth-first search with levels in files (Dogon, "Climbpro 24 and the big BFS
//! problem").
//!
//! States are partitioned by the puzzle's bucket, a number that a move seldom changes. A level is a
//! packed run of sorted keys for each partition. To find the next level, a worker takes a partition
//! into memory, together with the same partition of earlier levels. It drops the neighbours that it
//! knows, and sends those of other partitions there. Each partition drops its known states in a
//! second pass ([`step`]).
//!
//! If moves can be undone, only the last three levels are kept, and every k-th level for path
//! reconstruction. The next level needs two. The third replaces a damaged last one, and is dropped
//! before the next is made, once all bytes of the two were compared. If the puzzle also names
//! groups of moves and no symmetry is used, states are marked with the groups that lead back. Their
//! moves are not tried (`packed.rs`). Then the next level needs only the last one, and the one
//! before replaces it if damaged. Marks are after the keys of a run, for a resumed search; all
//! other readers read only the keys. Otherwise all levels are kept, since a state may be met again
//! at any distance. A finished level is written before it is recorded, so a run that is stopped or
//! killed resumes after it. After the first seconds of a search it waits until each level is safe
//! on the disk, so that a machine failure costs only those seconds. If there are many parts, a
//! short one is held in memory, and a resumed run starts it again. Every run of keys carries a
//! checksum.
//!
//! Nothing in the result depends on the number of threads or partitions.

mod budget;
pub(super) mod deal;
mod exchange;
mod folder;
mod grouped;
mod levels;
mod path;
pub(super) mod peers;
mod resume;
mod sample;
mod segment;
mod step;
pub(super) mod walk;

use std::collections::BTreeMap;
use std::path::PathBuf;
use std::sync::Arc;

use antipode_graph::{Capabilities, Graph};
use antipode_reports::count;
use antipode_reports::model::{LevelCost, SearchFigures};
use indicatif::HumanCount;
use puzzle_api::Key;
use serde_json::{Value, json};

use crate::engine::{Engine, Facts, Footprint, Load, Ready, backward_obstacle};
use crate::engines::network::Network;
use crate::error::{EngineError, Result};
use crate::machine;
use crate::memory::{self, human};
use crate::observers::Observers;
use crate::options::{DiskOptions, EngineOptions, Locality, Moves, Opt};
use crate::outcome::{Outcome, Walked};
use crate::progress::Progress;
use crate::question::{Ask, Goal, PathAnswer, PathQuestion, QuestionKind};
use crate::search::Search;
use crate::side::SideLevel;
use crate::work::{FolderPlace, JournalPiece, WorkFolder};
pub use deal::{clear_processes, clear_work};
use folder::DiskLevel;
pub use folder::Work;
use walk::Walk;

/// Walks one part, alone or with others: to a goal if there is one, else to the end.
///
/// # Errors
/// [`EngineError`]: a puzzle that breaks its contract, too little memory or disk, a work
/// folder that is damaged, foreign or gone.
pub(super) fn run<K: Key>(
    search: &Search<K>,
    (part, goal): (u64, Option<&Goal<K>>),
    peers: Option<&Network>,
    observers: &mut Observers<K>,
    progress: &Progress,
) -> Result<Walked<K>> {
    let options = search.disk.as_ref().ok_or_else(needs_folder)?;
    let mut walk = Walk::open(search, part, options, goal, peers, observers, progress)?;
    let outcome = match goal {
        None => walk.whole(observers)?,
        Some(_) => walk.shortest(observers)?,
    };
    let spent = walk.spent();
    Ok(Walked { outcome, spent })
}

/// Finds a shortest path from the search's root to a goal. The work folder stays; the caller must
/// [`clear`](crate::work::clear) it once the answer is written.
///
/// # Errors
/// Same as any search on disk.
pub fn reach<K: Key>(
    search: &Search<K>,
    goal: &Goal<K>,
    observers: &mut Observers<K>,
    progress: &Progress,
) -> Result<Walked<K>> {
    let part = search.parts()?.first().copied().unwrap_or(0);
    run(search, (part, Some(goal)), None, observers, progress)
}

pub(super) fn needs_folder() -> EngineError {
    EngineError::CannotHold("engine disk needs a folder for its levels: add --work DIR".into())
}

/// Calls back with all states of some partitions of a level, in batches.
fn each_state<K: Key>(
    level: &DiskLevel,
    partitions: impl Iterator<Item = usize>,

    show: &mut dyn FnMut(&[K]) -> Result<()>,
) -> Result<()> {
    let (mut bytes, mut batch) = (Vec::new(), Vec::with_capacity(super::BATCH));
    for partition in partitions {
        let run = level.read(partition, &mut bytes)?;
        for key in segment::keys::<K>(&run, &bytes) {
            batch.push(key);
            if batch.len() == super::BATCH {
                show(&batch)?;
                batch.clear();
            }
        }
    }
    show(&batch)
}

/// Engine `disk`.
#[derive(Debug)]
pub struct DiskEngine;

/// Memory that is taken if neither the user nor the system states a limit.
const UNKNOWN: u64 = 2 << 30;

/// Prepares a search for an engine that works like this one.
pub(in crate::engines) fn prepared<K: Key>(
    search: &mut Search<K>,
    options: &EngineOptions,
    rules: &Graph<K>,
    engine: &'static str,
) -> Result<DiskOptions> {
    let Some(work) = &options.work else {
        let text = format!("engine {engine} needs a folder for its levels; add --work DIR");
        return Err(EngineError::CannotHold(text));
    };
    let half = || memory::available().map(|bytes| bytes / 2);
    let memory = options.memory.or_else(half).unwrap_or(UNKNOWN);
    let mut own = DiskOptions::new(work.clone(), memory, options.threads.max(1));
    own.engine = engine;
    own.disk = options.disk;
    own.resume = options.resume;
    own.keep_every = options.keep_every.unwrap_or(own.keep_every);
    own.locality = options.buckets.unwrap_or(own.locality);
    own.moves = options.moves.unwrap_or(own.moves);
    own.partition_states = options.partition_states.unwrap_or(own.partition_states);
    own.keep_parts = options.keep_work;
    own.keep = options.keep_work;
    search.disk = Some(own.clone());
    search.rules = Some(rules.clone());
    Ok(own)
}

/// Options of this engine, and of one that is shared by processes.
pub(in crate::engines) fn options(kind: QuestionKind, shared: bool) -> &'static [Opt] {
    let all = &[
        Opt::Hosts,
        Opt::Process,
        Opt::Processes,
        Opt::Secret,
        Opt::Silence,
        Opt::Memory,
        Opt::Disk,
        Opt::Work,
        Opt::Resume,
        Opt::KeepWork,
        Opt::KeepEvery,
        Opt::Buckets,
        Opt::Moves,
        Opt::MaxDepth,
    ];
    let first = if shared { 0 } else { 5 };
    match kind {
        QuestionKind::Path => &all[first..],
        // There, the greatest level is part of the question.
        _ => &all[first..all.len() - 1],
    }
}

impl<K: Key> Engine<K> for DiskEngine {
    fn facts(&self) -> &'static Facts {
        &Facts {
            name: "disk",
            summary: "levels in files of a work folder; needs nothing of the puzzle, and little memory",
            answers: &[QuestionKind::Levels, QuestionKind::Path],
            footprints: &[Footprint {
                memory: least_memory,
                disk: 2.5,
                rate: 3.0e6,
                ..Footprint::NONE
            }],
            ..Facts::USUAL
        }
    }

    fn options(&self, kind: QuestionKind) -> &'static [Opt] {
        options(kind, false)
    }

    fn obstacle(&self, graph: &Graph<K>, ask: &Ask<'_, K>) -> Option<String> {
        backward_obstacle(graph, ask)
    }

    fn prepare(
        &self,
        search: &mut Search<K>,
        options: &EngineOptions,
        rules: &Graph<K>,
    ) -> Result<Ready> {
        let options = prepared(search, options, rules, "disk")?;
        Ok(Ready {
            line: None,
            record: BTreeMap::from([
                ("work".to_owned(), json!(options.work)),
                ("memory_allowed".to_owned(), json!(options.memory)),
            ]),
        })
    }

    fn levels(
        &self,
        search: &Search<K>,
        part: u64,
        observers: &mut Observers<K>,
        progress: &Progress,
    ) -> Result<Walked<K>> {
        run(search, (part, None), None, observers, progress)
    }

    fn path(&self, question: &PathQuestion<'_, K>) -> Result<Option<PathAnswer<K>>> {
        let ready = |search: &mut Search<K>, options: &EngineOptions| {
            prepared(search, options, question.rules, "disk")
        };
        let answer = path_by("disk", question, ready, |search, _, seen, progress| {
            reach(search, &question.goal, seen, progress)
        });
        answer.map(Some)
    }
}

/// Finds a path with levels on disk: `ready` prepares the search, and `reach` looks for the goal
/// with the result.
///
/// # Errors
/// Same as any search on disk.
pub(in crate::engines) fn path_by<K: Key, T>(
    engine: &str,
    question: &PathQuestion<'_, K>,
    ready: impl FnOnce(&mut Search<K>, &EngineOptions) -> Result<T>,
    reach: impl FnOnce(&Search<K>, &T, &mut Observers<K>, &Progress) -> Result<Walked<K>>,
) -> Result<PathAnswer<K>> {
    let graph = question.graph;
    let mut search = Search::of_path(graph, question.start, question.options.max_depth)?;
    let mut options = question.options.clone();
    options
        .work
        .get_or_insert_with(|| question.default_folder());
    let made = ready(&mut search, &options)?;
    let title = graph.opened.full_name();
    let progress = Progress::shown(options.show_progress, &title, 1, question.stop);
    let mut seen = Observers::plain();
    let walked = reach(&search, &made, &mut seen, &progress)?;
    drop(progress);
    let work = search.disk.map(|disk| disk.work).unwrap_or_default();
    Ok(answer(engine, &seen, walked, (work, options.keep_work)))
}

fn answer<K: Key>(
    engine: &str,
    seen: &Observers<K>,
    walked: Walked<K>,
    (work, keep): (PathBuf, bool),
) -> PathAnswer<K> {
    let Walked { outcome, spent } = walked;
    let levels = SideLevel::forward(&seen.levels);
    let searched = format!(
        "{} states, {} levels on disk",
        HumanCount(seen.levels.total_states()),
        levels.len()
    );
    let summary = match &outcome {
        Outcome::Path(_) => {
            format!("the fewest possible, played again on the rulebook ({searched})")
        }
        Outcome::Unreachable(_) | Outcome::Levels => {
            format!("unsolvable: no goal among all states that can be reached ({searched})")
        }
        Outcome::NotReached(why) => {
            format!("{why}; not decided ({searched}); rerun with --resume to continue")
        }
    };
    let mut figures = figures(engine, &levels, &spent.levels);
    if !outcome.is_answer() {
        figures.work = Some(work.display().to_string());
    }
    PathAnswer {
        outcome,
        summary,
        levels,
        figures,
        spent,
        kept: (!keep).then_some(work),
    }
}

fn figures(engine: &str, levels: &[SideLevel], costs: &[LevelCost]) -> SearchFigures {
    let sum = |of: fn(&LevelCost) -> u64| Some(costs.iter().map(of).sum());
    SearchFigures {
        engine: Some(engine.to_owned()),
        levels: SideLevel::figures(levels),
        moves_listed: sum(|cost| cost.generated),
        bytes_read: sum(|cost| cost.bytes_read),
        bytes_written: sum(|cost| cost.bytes_written),
        peak_memory_bytes: Some(machine::peak_memory_bytes()),
        ..SearchFigures::default()
    }
}

// Opening the work folder of a search on disk, with the memory that it needs.

/// Least memory that suffices for batches and buffers.
const LEAST_MEMORY: u64 = 64 << 20;
/// Memory for batches, buffers and the program itself, per thread.
const OVERHEAD: u64 = 16 << 20;

/// Opens the work folder of a search on disk, which then replaces [`Search::work`]. `more` are
/// fields of its identity, and `done` says for which parts the files are not needed.
///
/// # Errors
/// [`EngineError`]: too little memory; a folder that cannot be opened, or belongs to another run.
pub fn open_folder<K: Key>(
    search: &Search<K>,
    goal: Option<&Goal<K>>,
    more: Value,
) -> Result<(Arc<WorkFolder>, Vec<JournalPiece>)> {
    let options = search.disk.as_ref().ok_or_else(needs_folder)?;
    share(search, options)?;
    let mut identity = search.asked(more);
    identity["engine"] = json!(options.engine);
    identity["buckets"] = json!(match options.locality {
        Locality::Bucket => "bucket",
        Locality::Uniform => "uniform",
    });
    identity["goal"] = json!(goal.map(Goal::text));
    if marks_moves(search, options) {
        identity["used moves"] = json!("left out");
    }
    let place = FolderPlace::work(&options.work, options.resume);
    let (folder, pieces) = WorkFolder::open(&place, &identity)?;
    Ok((Arc::new(folder), pieces))
}

/// The work folder of a search, opened if no caller has opened it.
pub(in crate::engines) fn open_work<K: Key>(
    search: &Search<K>,
    goal: Option<&Goal<K>>,
) -> Result<Work> {
    let (folder, pieces) = open_folder(search, goal, json!({}))?;
    Work::new(folder, &pieces, |_| false)
}

/// Whether a search marks its states with the groups of moves that are useless from there. A
/// representative is not the state that a move reached, so marks require a search without symmetry.
fn marks_moves<K: Key>(search: &Search<K>, options: &DiskOptions) -> bool {
    let graph = &search.graph;
    let offered = graph.has(Capabilities::USED_MOVES) && graph.has(Capabilities::UNDIRECTED);
    offered && !search.symmetry && options.moves == Moves::Unused
}

/// Bytes with which a search works; more of them make it faster.
pub(in crate::engines) fn least_memory(load: &Load) -> u64 {
    let parts = load.at_once();
    LEAST_MEMORY.max(2 * OVERHEAD * (load.threads.max(1) / parts)) * parts
}

/// Workers of a part and its memory limit: parts that are walked at the same time share both.
///
/// # Errors
/// [`EngineError::Memory`]: too little.
pub(in crate::engines) fn share<K: Key>(
    search: &Search<K>,
    options: &DiskOptions,
) -> Result<(usize, u64)> {
    let load = Load {
        parts: search.graph.opened.part_count,
        threads: options.threads.max(1) as u64,
        ..Load::default()
    };
    let least = least_memory(&load);
    if options.memory < least {
        return Err(EngineError::Memory(format!(
            "engine {} needs at least {} of memory with {}, {} are allowed: allow more with --memory{}",
            options.engine,
            human(least),
            count(options.threads as u64, "threads"),
            human(options.memory),
            if load.threads > 1 {
                ", or give fewer --threads"
            } else {
                ""
            }
        )));
    }
    let parts = load.at_once();
    Ok(((load.threads / parts) as usize, options.memory / parts))
}
