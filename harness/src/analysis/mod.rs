//! One analysis from request to result: open, search, verify, measure.

mod plan;
mod report;

use std::collections::BTreeSet;
use std::path::PathBuf;
use std::sync::Arc;
use std::time::{Instant, SystemTime};

use cpu_time::ProcessTime;
use puzzle_api::{Direction, Key, Settings};

use antipode_reports::model::{self, Antipode, Evidence, LevelTable, Run};

use crate::engine::{Companion, DenseOptions, EngineError, EngineKind, run};
use crate::observe::{Distance, Observers, Sampling};
use crate::plugin::{Graph, Library, Opened, Source};
use crate::progress::{Progress, Stop};
use plan::Plan;
use report::Cost;

use crate::verify::{ConsistencyScope, ForwardSolver, check_part, draw_list};

/// Which checks go along with a search.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Checks {
    /// States drawn for the inclusiveness check; 0 leaves it out.
    pub inclusion: u64,
    /// One state in this many is solved forward; 0 leaves exclusiveness out.
    pub exclusion_one_in: u64,
    /// Scope of the consistency check.
    pub consistency: ConsistencyScope,
}

impl Checks {
    /// No checks.
    pub const OFF: Self = Self {
        inclusion: 0,
        exclusion_one_in: 0,
        consistency: ConsistencyScope::Off,
    };
}

/// What to analyse and how.
#[derive(Debug, Clone)]
pub struct Request {
    /// The puzzle.
    pub library: Arc<Library>,
    /// Name of the instance.
    pub instance: String,
    /// Its settings.
    pub settings: Settings,
    /// Variant; `None` takes the engine's natural one.
    pub variant: Option<String>,
    /// Engine; `None` takes the fastest that can.
    pub engine: Option<EngineKind>,
    /// Direction; `None` goes forward from the instance's start, backward without one.
    pub direction: Option<Direction>,
    /// Start of the search, as text; `None` takes the instance's.
    pub from: Option<String>,
    /// Greatest level.
    pub max_depth: Option<u16>,
    /// Worker threads.
    pub threads: usize,
    /// What engine `dense` may take, and how.
    pub dense: DenseOptions,
    /// Seed of all sampling.
    pub seed: u64,
    /// Checks.
    pub checks: Checks,
    /// File for finished blocks, and whether to go on from it.
    pub journal: Option<(PathBuf, bool)>,
    /// Whether to draw a bar.
    pub show_progress: bool,
    /// The command line, for the record.
    pub command: Vec<String>,
}

/// What came out.
#[derive(Debug, Clone)]
pub struct Analysis {
    /// What ran, where, at what cost.
    pub run: Run,
    /// Level table.
    pub levels: LevelTable,
    /// Every orbit at the greatest distance, as boards, by key.
    pub antipodes: Vec<Antipode>,
    /// Outcome of the checks.
    pub evidence: Vec<Evidence>,
    /// A line for each of the first few faults that the checks found.
    pub faults: Vec<String>,
}

impl Analysis {
    /// Whether some check found a fault.
    #[must_use]
    pub fn failed(&self) -> bool {
        self.evidence.iter().any(|evidence| evidence.wrong > 0)
    }
}

/// Runs an analysis on a pool of its own.
///
/// # Errors
/// [`EngineError`] for bad input, a puzzle that breaks its contract, or an engine that
/// cannot hold the search.
pub fn analyse(request: &Request, stop: &Stop) -> Result<Analysis, EngineError> {
    let pool = rayon::ThreadPoolBuilder::new()
        .num_threads(request.threads)
        .build()
        .map_err(|error| EngineError::CannotHold(format!("cannot start threads: {error}")))?;
    pool.install(|| match request.library.key_words() {
        1 => typed::<u64>(request, stop),
        _ => typed::<u128>(request, stop),
    })
}

/// Finds bad input without searching, so that nothing is written for it.
///
/// # Errors
/// [`EngineError`] as [`analyse`] would give it.
pub fn check(request: &Request) -> Result<(), EngineError> {
    match request.library.key_words() {
        1 => Plan::<u64>::make(request).map(drop),
        _ => Plan::<u128>::make(request).map(drop),
    }
}

fn typed<K: Key>(request: &Request, stop: &Stop) -> Result<Analysis, EngineError> {
    let started = SystemTime::now();
    let clock = (Instant::now(), ProcessTime::now());
    let plan = Plan::<K>::make(request)?;
    let list = match request.checks.inclusion {
        0 => Arc::default(),
        count if plan.checkable() => Arc::new(draw_list(
            &plan.search.graph,
            &plan.rules,
            request.seed,
            count,
        )?),
        _ => Arc::default(),
    };
    let one_in = if plan.checkable() {
        request.checks.exclusion_one_in
    } else {
        0
    };
    let observers = Observers::new(list, Sampling::new(request.seed, one_in));
    let mut journal = plan.open_journal(request)?;
    let companion = Checking {
        rules: &plan.rules,
        chosen: plan.consistency_parts(request)?,
        symmetry: plan.search.symmetry,
        whole: plan.whole(),
    };
    if let (Some(dense), true) = (&plan.search.dense, request.show_progress) {
        eprintln!("{}", dense.line());
    }
    let progress = plan.progress(request, stop)?;
    let outcome = run(
        &plan.search,
        plan.engine,
        &observers,
        journal.as_mut(),
        &companion,
        &progress,
    )?;
    let (swept, moves) = (progress.states(), progress.moves_by_level());
    drop(progress);
    if let Some(journal) = journal
        && outcome.complete
    {
        journal.remove()?;
    }
    let cost = Cost {
        started,
        wall: clock.0.elapsed(),
        cpu: clock.1.elapsed(),
        states: swept,
        moves,
    };
    plan.report(request, outcome, &cost)
}

/// The checks that go along with a run.
struct Checking<'a, K> {
    rules: &'a ForwardSolver<K>,
    chosen: BTreeSet<u64>,
    symmetry: bool,
    whole: bool,
}

impl<K: Key> Companion<K> for Checking<'_, K> {
    fn wants(&self, part: u64) -> bool {
        self.chosen.contains(&part)
    }

    fn part_done(
        &self,
        states: &[Distance<K>],
        seen: &mut Observers<K>,
        progress: &Progress,
    ) -> Result<bool, EngineError> {
        let rules = self.rules.graph();
        let tally = &mut seen.consistency;
        check_part(rules, states, self.symmetry, self.whole, tally, progress)
    }

    /// Solves the states picked out of a block.
    fn block_done(&self, seen: &mut Observers<K>) -> Result<(), EngineError> {
        for spot in std::mem::take(&mut seen.spots.waiting) {
            let forward = self.rules.distance(spot.key)?;
            seen.spots.book(spot, forward);
        }
        Ok(())
    }
}

/// The typed graph of an opened instance.
///
/// # Errors
/// [`EngineError::CannotHold`] where the key has another width.
pub fn typed_graph<K: Key>(opened: Arc<Opened>) -> Result<Graph<K>, EngineError> {
    let words = opened.library.key_words();
    Graph::new(opened).ok_or_else(|| {
        EngineError::CannotHold(format!("keys of {words} words are not handled here"))
    })
}

/// `forward` or `backward`.
#[must_use]
pub const fn direction_name(direction: Direction) -> &'static str {
    match direction {
        Direction::Forward => "forward",
        Direction::Backward => "backward",
    }
}

/// The plugin's record for reports.
#[must_use]
pub fn plugin_of(library: &Library) -> model::Plugin {
    let (file, blake3) = match &library.source {
        Source::BuiltIn => (None, None),
        Source::File { path, blake3 } => (Some(path.display().to_string()), Some(blake3.clone())),
    };
    model::Plugin {
        name: library.name.clone(),
        version: library.version.clone(),
        file,
        blake3,
        abi: puzzle_api::abi::ANTIPODE_ABI_VERSION,
    }
}
