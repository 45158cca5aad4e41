//! Engine `dfs`: depth first with a transposition table, for one path or for the least measure that
//! a sequence of moves can end with (Thill, "Symmetries & Transposition Tables"). On layered graphs
//! only: there, a state's value does not depend on the path to it.
//!
//! In general the path found is not a shortest one; between two given states of a layered graph,
//! all paths have equal length.

mod table;

use antipode_graph::{Capabilities, Expansion, Graph, PluginError};
use antipode_reports::model::{SearchFigures, TableUse};
use foldhash::fast::FixedState;
use hashbrown::HashSet;
use indicatif::HumanCount;
use puzzle_api::{Direction, Key, Xorshift};

use super::find::{Reduction, Watch, follow, layered_path, not_layered, open_goals, say};
use crate::engine::{Engine, Facts, Finds};
use crate::error::{EngineError, Result};
use crate::memory::{address_space_left, human};
use crate::options::{EngineOptions, Opt, SearchLimits};
pub use crate::options::{HashKind, Policy};
use crate::outcome::{Fewest, Floor, Outcome, Spent, StopReason};
use crate::progress::Stop;
use crate::question::{Ask, FewestAnswer, Goal, PathAnswer, PathQuestion, QuestionKind};
use crate::search::{broken, said};
use crate::steps::DirectionSteps;
pub use table::{Hasher, TableStats, TranspositionTable};

/// How to search.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct DfsOptions {
    /// Bytes for the table, which has the greatest power of two of slots that fits.
    pub table_bytes: u64,
    /// What to do when a slot is taken.
    pub policy: Policy,
    /// Hash of the keys.
    pub hash: HashKind,
    /// Whether symmetric states share an entry.
    pub symmetry: bool,
    /// Seed of the order of moves that the puzzle considers equally promising.
    pub seed: u64,
    /// When to give up.
    pub limits: SearchLimits,
}

impl Default for DfsOptions {
    fn default() -> Self {
        Self {
            table_bytes: 1 << 28,
            policy: Policy::TwoSlots,
            hash: HashKind::Stafford,
            symmetry: true,
            seed: 1,
            limits: SearchLimits::default(),
        }
    }
}

/// Statistics of a search.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Stats {
    /// States expanded; a state that was forgotten and met again counts again.
    pub nodes: u64,
    /// Statistics of the table.
    pub table: TableStats,
}

/// A search for a path.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct DfsResult<K> {
    /// How it ended.
    pub outcome: Outcome<K>,
    /// Its statistics.
    pub stats: Stats,
}

/// Searches for a path from a state to a goal.
///
/// # Errors
/// [`EngineError`] if the graph is not layered or the puzzle fails.
pub fn reach<K: Key>(
    graph: &Graph<K>,
    start: K,
    goal: &Goal<K>,
    options: &DfsOptions,
    stop: &Stop,
) -> Result<DfsResult<K>> {
    if let Some(why) = not_layered(graph, "dfs", "--engine") {
        return Err(EngineError::refused(&graph.opened, why));
    }
    let reduction = reduction(graph, goal, options)?;
    let watch = Watch::start(options.limits, stop);
    let mut search = DfsSearch::new(graph, &reduction, options)?;
    let end = search.reach(start, goal, &watch)?;
    let stats = search.stats();
    let outcome = match end {
        End::Goal(chain) => layered_path(graph, follow(graph, &reduction, start, &chain)?, goal)?,
        End::Exhausted => Outcome::exhausted(Direction::Forward, stats.nodes, None),
        End::GaveUp(why) => Outcome::NotReached(why),
    };
    Ok(DfsResult { outcome, stats })
}

/// Searches for the least measure at which a sequence of moves from a state ends. Ends early at an
/// unbeatable bound: the least measure of the solved states, if they can be listed, or one more if
/// the puzzle proves that none can be reached. By the contract of `measure`, no line ends below the
/// solved states. For a loaded library this is unverified, so there the search continues to the
/// end, without symmetry, and bounds only on the rulebook.
///
/// # Errors
/// [`EngineError`] if the graph is not layered, the puzzle has no measure or fails.
pub fn fewest<K: Key>(
    graph: &Graph<K>,
    start: K,
    options: &DfsOptions,
    stop: &Stop,
) -> Result<(Fewest<K>, Stats)> {
    if let Some(why) = no_fewest(graph) {
        return Err(EngineError::refused(&graph.opened, why));
    }
    let opened = &graph.opened;
    let proven = graph.proves(Capabilities::NONE);
    let reduction = match options.symmetry && proven {
        true => Reduction::keeping(graph, &Goal::Solved)?,
        false => Reduction::Identity,
    };
    let watch = Watch::start(options.limits, stop);
    let (floor, proof) = match proven {
        true => floor(graph, start)?,
        false => (0, Floor::Zero),
    };
    let mut search = DfsSearch::new(graph, &reduction, options)?;
    let (best, chain, gave_up) = search.fewest(start, floor, &watch)?;
    let line = follow(graph, &reduction, start, &chain)?;
    let (at_least, why) = match gave_up {
        None if best == floor => (best, proof),
        None if !proven && opened.variant != opened.library.reference_variant() => (
            floor,
            Floor::SearchedOf {
                variant: opened.variant.clone(),
                rulebook: opened.library.reference_variant().to_owned(),
            },
        ),
        None => (best, Floor::Searched),
        Some(why) => (floor, Floor::Stopped(why)),
    };
    let fewest = Fewest {
        best,
        line,
        at_least,
        why,
    };
    Ok((fewest, search.stats()))
}

/// Why the least measure cannot be found; `None` if it can.
fn no_fewest<K: Key>(graph: &Graph<K>) -> Option<String> {
    let without = "--goal fewest";
    let measured = graph.has(Capabilities::OBJECTIVE);
    let unmeasured = || format!("says nothing of what is to be the fewest; leave out {without}");
    not_layered(graph, "a search for the fewest", without).or_else(|| (!measured).then(unmeasured))
}

fn reduction<K: Key>(graph: &Graph<K>, goal: &Goal<K>, options: &DfsOptions) -> Result<Reduction> {
    match options.symmetry {
        true => Ok(Reduction::keeping(graph, goal)?),
        false => Ok(Reduction::Identity),
    }
}

/// A lower bound on the measure at the end of any line, and its reason.
fn floor<K: Key>(graph: &Graph<K>, start: K) -> Result<(u64, Floor)> {
    if !graph.has(Capabilities::SOLVED_ROOTS) {
        return Ok((0, Floor::Zero));
    }
    let solved = graph.all_solved()?;
    let least = graph.objective(&solved)?.into_iter().min().unwrap_or(0);
    let (open, proof) = open_goals(graph, start, &Goal::Solved)?;
    if proof.is_none() || !open.is_empty() {
        return Ok((least, Floor::Solved));
    }
    // A line may end with as little in a state that is not solved. Those have names.
    for name in graph.names()? {
        let named = graph.parse(&name)?;
        if !solved.contains(&named)
            && graph.objective(&[named])?[0] <= least
            && graph.refute(start, Some(named))?.is_none()
        {
            return Ok((least, Floor::Solved));
        }
    }
    Ok((least + 1, Floor::NoneSolved))
}

// Engine `dfs` in the registry.

/// Engine `dfs`.
#[derive(Debug)]
pub struct DfsEngine;

impl DfsOptions {
    /// Default options with the given resources.
    pub fn of(options: &EngineOptions) -> Self {
        let usual = Self::default();
        Self {
            table_bytes: options.table_size.unwrap_or(usual.table_bytes),
            policy: options.replace.unwrap_or(usual.policy),
            hash: options.hash.unwrap_or(usual.hash),
            seed: options.seed.unwrap_or(usual.seed),
            limits: options.limits(),
            ..usual
        }
    }
}

impl<K: Key> Engine<K> for DfsEngine {
    fn facts(&self) -> &'static Facts {
        &Facts {
            name: "dfs",
            summary: "depth first through a layered graph, with a transposition table",
            answers: &[QuestionKind::Path, QuestionKind::Fewest],
            works_alone: true,
            finds: Finds::ByEvaluation,
            ..Facts::USUAL
        }
    }

    fn options(&self, _: QuestionKind) -> &'static [Opt] {
        &[
            Opt::TableSize,
            Opt::Replace,
            Opt::Hash,
            Opt::Seed,
            Opt::MaxStates,
            Opt::MaxTime,
        ]
    }

    fn obstacle(&self, graph: &Graph<K>, ask: &Ask<'_, K>) -> Option<String> {
        match ask {
            Ask::Fewest => no_fewest(graph),
            _ => not_layered(graph, "dfs", "--engine"),
        }
    }

    /// No other engine finds the fewest.
    fn preference(&self, _: &Graph<K>, ask: &Ask<'_, K>) -> u8 {
        u8::from(ask.kind() == QuestionKind::Fewest)
    }

    fn path(&self, question: &PathQuestion<'_, K>) -> Result<Option<PathAnswer<K>>> {
        let options = DfsOptions::of(question.options);
        let (graph, goal) = (question.graph, &question.goal);
        let done = reach(graph, question.start, goal, &options, question.stop)?;
        Ok(Some(PathAnswer {
            summary: say(&done.outcome, &sentence(&done.stats)),
            levels: Vec::new(),
            figures: figures(&options, &done.stats),
            spent: Spent::of(done.stats.nodes, None),
            kept: None,
            outcome: done.outcome,
        }))
    }

    fn fewest(&self, question: &PathQuestion<'_, K>) -> Result<FewestAnswer<K>> {
        let options = DfsOptions::of(question.options);
        let (fewest, stats) = fewest(question.graph, question.start, &options, question.stop)?;
        Ok(FewestAnswer {
            fewest,
            summary: sentence(&stats),
            figures: figures(&options, &stats),
        })
    }
}

/// The statistics of a search, in a line.
fn sentence(stats: &Stats) -> String {
    let table = &stats.table;
    format!(
        "dfs, {} states expanded, {} of {} look-ups were hits, {} of {} entries lost",
        HumanCount(stats.nodes),
        HumanCount(table.hits),
        HumanCount(table.probes),
        HumanCount(table.lost),
        HumanCount(table.stores)
    )
}

/// The statistics of a search, for records.
fn figures(options: &DfsOptions, stats: &Stats) -> SearchFigures {
    let table = &stats.table;
    SearchFigures {
        engine: Some("dfs".to_owned()),
        seed: Some(options.seed),
        states_seen: Some(stats.nodes),
        table: Some(TableUse {
            slots: table.slots,
            used: table.used,
            policy: options.policy.name().to_owned(),
            hash: options.hash.name().to_owned(),
            probes: table.probes,
            hits: table.hits,
            stores: table.stores,
            lost: table.lost,
            declined: table.declined,
        }),
        ..SearchFigures::default()
    }
}

// The search itself, on an explicit stack.

/// States between two checks of the time.
const CLOCK_EVERY: u64 = 1024;

/// How a search for a path ended.
enum End<K> {
    /// The representatives on the path to a goal, without the start.
    Goal(Vec<K>),
    /// No goal can be reached.
    Exhausted,
    /// Given up, and why.
    GaveUp(StopReason),
}

/// A state whose moves are being tried. Its children are in the search's stack of children from
/// `first` on.
struct Frame<K> {
    key: K,
    first: usize,
    /// Least measure found below so far.
    best: u32,
    /// States expanded before this one.
    nodes_before: u64,
}

/// Value of a state from which nothing useful can be reached.
const NOTHING: u32 = u32::MAX;

/// The aim of a search.
enum DfsAim<'a, K> {
    Goal(&'a Goal<K>),
    Fewest { floor: u32 },
}

struct DfsSearch<'a, K> {
    graph: &'a Graph<K>,
    reduction: &'a Reduction,
    table: TranspositionTable<K>,
    random: Xorshift,
    nodes: u64,
    frames: Vec<Frame<K>>,
    /// Children of all frames, those of the topmost last, the most promising at the end.
    children: Vec<K>,
    /// The states on the stack, if only the library says that no state comes back.
    line: Option<HashSet<K, FixedState>>,
    out: Expansion<K>,
    scored: Vec<(u64, u64, K)>,
    best: (u32, Vec<K>),
}

impl<'a, K: Key> DfsSearch<'a, K> {
    /// # Errors
    /// The table is larger than the memory limit of the process: allocating it would end the
    /// process.
    fn new(graph: &'a Graph<K>, reduction: &'a Reduction, options: &DfsOptions) -> Result<Self> {
        if let Some(left) = address_space_left()
            && left < options.table_bytes
        {
            return Err(EngineError::Memory(format!(
                "the table takes {}, and this process may take {} more (ulimit -v): give less by --table-size",
                human(options.table_bytes),
                human(left)
            )));
        }
        Ok(Self {
            graph,
            reduction,
            table: TranspositionTable::new(options.table_bytes, options.policy, options.hash),
            random: Xorshift::for_draw(options.seed, 0),
            nodes: 0,
            frames: Vec::new(),
            children: Vec::new(),
            line: said(graph).map(|_| HashSet::default()),
            // A batch is one state here, and the guard is checked every time.
            out: Expansion::with_capacity(256, 0),
            scored: Vec::new(),
            best: (NOTHING, Vec::new()),
        })
    }

    fn stats(&self) -> Stats {
        Stats {
            nodes: self.nodes,
            table: self.table.stats(),
        }
    }

    /// Searches for a goal.
    fn reach(&mut self, start: K, goal: &Goal<K>, watch: &Watch<'_>) -> Result<End<K>> {
        if goal.first_in(self.graph, &[start])?.is_some() {
            return Ok(End::Goal(Vec::new()));
        }
        let aim = DfsAim::Goal(goal);
        Ok(match self.run(start, &aim, watch)? {
            Some(why) => End::GaveUp(why),
            None if self.best.0 == 0 => End::Goal(std::mem::take(&mut self.best.1)),
            None => End::Exhausted,
        })
    }

    /// Searches for the least measure where a line ends. Returns its value, the representatives of
    /// the line without the start, and the reason if it gave up.
    fn fewest(
        &mut self,
        start: K,
        floor: u64,
        watch: &Watch<'_>,
    ) -> Result<(u64, Vec<K>, Option<StopReason>)> {
        let floor = u32::try_from(floor).unwrap_or(NOTHING);
        let gave_up = self.run(start, &DfsAim::Fewest { floor }, watch)?;
        let (best, chain) = std::mem::replace(&mut self.best, (NOTHING, Vec::new()));
        Ok((best.into(), chain, gave_up))
    }

    /// Runs until the aim is met, everything is searched (both return `None`), or the watch gives a
    /// reason to give up. A first line is always followed to its end.
    fn run(
        &mut self,
        start: K,
        aim: &DfsAim<'_, K>,
        watch: &Watch<'_>,
    ) -> Result<Option<StopReason>> {
        let mut root = [start];
        self.reduction.reduce(self.graph, &mut root)?;
        let mut done = self.open(root[0], aim)?;
        let mut closed = false;
        while !done {
            let Some(top) = self.frames.last() else { break };
            if self.nodes % CLOCK_EVERY == 1
                && closed
                && let Some(why) = watch.over(self.nodes)
            {
                return Ok(Some(why));
            }
            if self.children.len() == top.first {
                self.close();
                closed = true;
                continue;
            }
            let Some(child) = self.children.pop() else {
                break;
            };
            match self.table.probe(child) {
                Some(value) => self.record(value),
                None => done = self.open(child, aim)?,
            }
        }
        Ok(None)
    }

    /// Expands a state and puts it on the stack; returns whether the aim is met.
    fn open(&mut self, key: K, aim: &DfsAim<'_, K>) -> Result<bool> {
        let first = self.children.len();
        if let Some(line) = &mut self.line
            && !line.insert(key)
        {
            let at = self.frames.iter().position(|frame| frame.key == key);
            let (before, depth) = (at.unwrap_or(0), self.frames.len());
            return Err(broken(self.graph, "layered", key, before, depth).into());
        }
        self.frames.push(Frame {
            key,
            first,
            best: NOTHING,
            nodes_before: self.nodes,
        });
        self.nodes += 1;
        self.reduction
            .expand(self.graph, DirectionSteps::FORWARD, &[key], &mut self.out)?;
        match aim {
            DfsAim::Goal(goal) => {
                if let Some(at) = goal.first_in(self.graph, self.out.keys())? {
                    let reached = self.out.keys()[at];
                    let mut chain = self.chain();
                    chain.push(reached);
                    self.best = (0, chain);
                    return Ok(true);
                }
            }
            DfsAim::Fewest { floor } => {
                if self.out.keys().iter().all(|&child| child == key) {
                    let value = self.ending(key)?;
                    self.record(value);
                    if value < self.best.0 {
                        self.best = (value, self.chain());
                    }
                    if value <= *floor {
                        return Ok(true);
                    }
                }
            }
        }
        self.sort_children()?;
        Ok(false)
    }

    /// Measure of a state where a line ends.
    fn ending(&self, key: K) -> Result<u32> {
        let measure = self.graph.objective(&[key])?[0];
        u32::try_from(measure)
            .ok()
            .filter(|&value| value < NOTHING)
            .ok_or_else(|| {
                let why = format!("measure {measure} is more than dfs can hold");
                EngineError::refused(&self.graph.opened, why)
            })
    }

    /// Pushes the children onto their stack, each once, the most promising last.
    fn sort_children(&mut self) -> Result<(), PluginError> {
        let keys = self.out.keys_mut();
        keys.sort_unstable();
        keys.dedup();
        let order = match self.graph.has(Capabilities::MOVE_ORDER) {
            true => self.graph.move_order(keys)?,
            false => vec![0; keys.len()],
        };
        self.scored.clear();
        for (&key, order) in self.out.keys().iter().zip(order) {
            self.scored.push((order, self.random.next_u64(), key));
        }
        self.scored.sort_unstable_by(|a, b| b.cmp(a));
        self.children
            .extend(self.scored.iter().map(|child| child.2));
        Ok(())
    }

    /// Removes the topmost state and stores its result.
    fn close(&mut self) {
        let Some(frame) = self.frames.pop() else {
            return;
        };
        if let Some(line) = &mut self.line {
            line.remove(&frame.key);
        }
        self.table
            .store(frame.key, frame.best, self.nodes - frame.nodes_before);
        self.record(frame.best);
    }

    /// Passes a value from below to the topmost state.
    fn record(&mut self, value: u32) {
        if let Some(frame) = self.frames.last_mut() {
            frame.best = frame.best.min(value);
        }
    }

    /// The states on the stack, without the start.
    fn chain(&self) -> Vec<K> {
        self.frames.iter().skip(1).map(|frame| frame.key).collect()
    }
}
