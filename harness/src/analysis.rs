//! One analysis from request to result: open, search, verify, measure.

use std::collections::{BTreeMap, BTreeSet};
use std::path::PathBuf;
use std::sync::Arc;
use std::time::{Instant, SystemTime, UNIX_EPOCH};

use cpu_time::ProcessTime;
use puzzle_api::{Capabilities, Direction, Key, Settings};

use antipode_reports::model::{self, Antipode, Evidence, LevelTable, Run};

use crate::engine::{Companion, EngineError, EngineKind, Journal, Outcome, Roots, Search, run};
use crate::machine;
use crate::observe::{Distance, Observers, Sampling};
use crate::plugin::{Graph, Library, Opened, Source};
use crate::progress::{Progress, Stop};
use crate::verify::{
    ConsistencyScope, ForwardSolver, check_part, consistency, draw_list, exclusiveness,
    inclusiveness,
};

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
    /// Whether the consistency check ran over every state and found no fault.
    pub proven: bool,
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
    let progress = plan.progress(request, stop)?;
    let outcome = run(
        &plan.search,
        plan.engine,
        &observers,
        journal.as_mut(),
        &companion,
        &progress,
    )?;
    let swept = progress.states();
    drop(progress);
    if let Some(journal) = journal
        && outcome.complete
    {
        journal.remove()?;
    }
    let cost = (clock.0.elapsed(), clock.1.elapsed());
    plan.report(request, outcome, swept, (started, cost))
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

struct Plan<K> {
    search: Search<K>,
    engine: EngineKind,
    rules: ForwardSolver<K>,
}

impl<K: Key> Plan<K> {
    fn make(request: &Request) -> Result<Self, EngineError> {
        let library = &request.library;
        let reference = library.reference_variant();
        let variant = match (&request.variant, request.engine) {
            (Some(variant), _) => variant.as_str(),
            (None, Some(EngineKind::Reference)) => reference,
            (None, _) => &library.variants[0],
        };
        let open = |variant: &str| library.open(&request.instance, variant, &request.settings);
        let opened = open(variant)?;
        let rules = if variant == reference {
            Arc::clone(&opened)
        } else {
            open(reference)?
        };
        let graph = typed_graph(opened)?;
        let rules = ForwardSolver::new(typed_graph(rules)?);
        let has_start = !graph.roots(Direction::Forward, 0)?.is_empty();
        let forward_by_default = has_start || request.from.is_some();
        let direction = request.direction.unwrap_or(if forward_by_default {
            Direction::Forward
        } else {
            Direction::Backward
        });
        let roots = match (&request.from, direction) {
            (Some(text), _) => Roots::State(graph.parse(text)?),
            (None, Direction::Forward) if has_start => Roots::Starts,
            (None, Direction::Forward) => {
                return Err(EngineError::CannotHold(format!(
                    "{}: has no start of its own; give one by --from, or go --direction backward",
                    graph.opened.full_name()
                )));
            }
            (None, Direction::Backward) if graph.has(Capabilities::SOLVED_ROOTS) => Roots::Solved,
            (None, Direction::Backward) => {
                return Err(EngineError::CannotHold(format!(
                    "{}: cannot list its solved states; give one by --from, or go --direction forward",
                    graph.opened.full_name()
                )));
            }
        };
        let engine = request
            .engine
            .unwrap_or_else(|| default_engine(&graph.opened, direction, &roots, request.max_depth));
        let search = Search::new(graph, direction, roots, request.max_depth)?;
        Ok(Self {
            search,
            engine,
            rules,
        })
    }

    /// The checks compare with the distance to the nearest solved state, so they fit
    /// searches backward from all of them.
    fn checkable(&self) -> bool {
        self.search.roots == Roots::Solved && self.search.max_depth.is_none()
    }

    /// Whether the run delivers unsolvable states too.
    fn whole(&self) -> bool {
        self.search.covers_space() || self.engine == EngineKind::Sweep
    }

    fn consistency_parts(&self, request: &Request) -> Result<BTreeSet<u64>, EngineError> {
        if !self.checkable() {
            return Ok(BTreeSet::new());
        }
        Ok(request.checks.consistency.parts(&self.search.parts()?))
    }

    fn open_journal(&self, request: &Request) -> Result<Option<Journal>, EngineError> {
        let Some((path, resume)) = &request.journal else {
            return Ok(None);
        };
        if self.search.parts()?.len() < 2 {
            return Ok(None);
        }
        let opened = &self.search.graph.opened;
        let depth = request.max_depth.map(|depth| depth.to_string());
        let greatest_depth = depth.unwrap_or_else(|| "none".to_owned());
        let mut identity: BTreeMap<String, String> = [
            ("tool", env!("CARGO_PKG_VERSION")),
            ("instance", &opened.full_name()),
            ("puzzle version", &opened.library.version),
            ("variant", &opened.variant),
            ("engine", self.engine.name()),
            ("settings", &format!("{:?}", opened.settings)),
            ("greatest depth", &greatest_depth),
            ("seed", &request.seed.to_string()),
            ("inclusion", &request.checks.inclusion.to_string()),
            ("exclusion", &request.checks.exclusion_one_in.to_string()),
            ("consistency", &format!("{:?}", request.checks.consistency)),
        ]
        .map(|(key, value)| (key.to_owned(), value.to_owned()))
        .into();
        if let Source::File { blake3, .. } = &opened.library.source {
            identity.insert("plugin".into(), blake3.clone());
        }
        Ok(Some(Journal::open(path, &identity, *resume)?))
    }

    fn progress(&self, request: &Request, stop: &Stop) -> Result<Progress, EngineError> {
        let parts = self.search.parts()?.len() as u64;
        let title = self.search.graph.opened.full_name();
        Ok(if request.show_progress {
            Progress::bar(&title, parts, stop)
        } else {
            Progress::silent(stop)
        })
    }

    fn report(
        &self,
        request: &Request,
        outcome: Outcome<K>,
        swept: u64,
        (started, (wall, cpu)): (SystemTime, (std::time::Duration, std::time::Duration)),
    ) -> Result<Analysis, EngineError> {
        let graph = &self.search.graph;
        let whole = self.whole();
        let draw = |key: K| graph.draw(key).unwrap_or_else(|error| error.to_string());
        let (mut evidence, mut faults) = (Vec::new(), Vec::new());
        let seen = outcome.observers;
        if !seen.strikes.samples().is_empty() && outcome.complete {
            let (found, lines) = inclusiveness(&seen.strikes, whole, &draw);
            evidence.push(found);
            faults.extend(lines);
        }
        if seen.spots.solved > 0 {
            let one_in = request.checks.exclusion_one_in;
            let (found, lines) = exclusiveness(&seen.spots, one_in, &draw);
            evidence.push(found);
            faults.extend(lines);
        }
        if seen.consistency.parts > 0 {
            let (found, lines) = consistency(&seen.consistency, outcome.parts_total);
            evidence.push(found);
            faults.extend(lines);
        }
        let proven = outcome.complete
            && seen.consistency.parts == outcome.parts_total
            && seen.consistency.wrong == 0;
        let antipodes = antipodes(graph, &seen)?;
        let opened = &graph.opened;
        let (wall_s, cpu_s) = (wall.as_secs_f64(), cpu.as_secs_f64());
        let run = Run {
            schema: model::SCHEMA,
            tool_version: env!("CARGO_PKG_VERSION").into(),
            puzzle: opened.library.name.clone(),
            instance: opened.instance.clone(),
            settings: opened.settings.clone(),
            variant: opened.variant.clone(),
            engine: self.engine.name().into(),
            direction: direction_name(self.search.direction).into(),
            from: request.from.clone(),
            max_depth: request.max_depth.map(u32::from),
            threads: request.threads as u32,
            seed: request.seed,
            plugin: plugin_of(&opened.library),
            started_unix_s: started
                .duration_since(UNIX_EPOCH)
                .map_or(0, |d| d.as_secs()),
            wall_s,
            cpu_s,
            peak_memory_bytes: machine::peak_memory_bytes(),
            states_per_core_second: if cpu_s > 0.0 {
                swept as f64 / cpu_s
            } else {
                0.0
            },
            parts_done: outcome.parts_done,
            parts_total: outcome.parts_total,
            complete: outcome.complete,
            stopped_because: (!outcome.complete).then(|| "stopped on request".to_owned()),
            host: machine::host(),
            command: request.command.clone(),
            extra: BTreeMap::from([
                ("states_expanded".to_owned(), swept.into()),
                ("symmetry".to_owned(), self.search.symmetry.into()),
            ]),
        };
        Ok(Analysis {
            run,
            levels: seen.levels.table(whole && outcome.complete),
            antipodes,
            evidence,
            faults,
            proven,
        })
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

fn default_engine<K>(
    opened: &Opened,
    direction: Direction,
    roots: &Roots<K>,
    max_depth: Option<u16>,
) -> EngineKind {
    let sweeps = matches!(roots, Roots::Solved)
        && max_depth.is_none()
        && EngineKind::Sweep.obstacle(opened, direction).is_none();
    if sweeps {
        EngineKind::Sweep
    } else {
        EngineKind::Hash
    }
}

fn antipodes<K: Key>(graph: &Graph<K>, seen: &Observers<K>) -> Result<Vec<Antipode>, EngineError> {
    let depth = seen.antipodes.depth.map_or(0, u32::from);
    let orbits = seen.antipodes.clone().sorted();
    let drawn = orbits.into_iter().map(|orbit| {
        Ok(Antipode {
            depth,
            state: graph.draw(orbit.key)?,
            orbit_size: orbit.size,
        })
    });
    drawn.collect()
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
