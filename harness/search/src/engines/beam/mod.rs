//! Engine `beam`: a path through a graph that is too large to walk.
//!
//! In a layered graph it keeps all states backward from the goals, as many levels as fit (the
//! perimeter). Forward from the start it keeps only the most promising states of each level (the
//! beam), until it meets the perimeter. A beam that left out no state and never met the perimeter
//! proves that there is no path. The score is learned from the perimeter: a naive Bayes score of
//! how often each bit of the key is set on its rim. It needs nothing from the puzzle.
//!
//! In other graphs it keeps states by diversity classes and quotas, in ever wider passes, and then
//! shortens the path (module `open`).

mod forward;
mod open;

use std::path::{Path, PathBuf};

use antipode_graph::{Capabilities, Graph};
use antipode_reports::model::SearchFigures;
use indicatif::HumanCount;
use puzzle_api::{Direction, Key};

use super::find::{Reduction, Watch, follow, layered_path, listed_goals, open_goals, say};
use crate::engine::{Engine, Facts, Finds};
use crate::error::{EngineError, Result};
use crate::options::{EngineOptions, Opt, SearchLimits};
use crate::outcome::{NoPathProof, Outcome, Spent, StopReason};
use crate::progress::Stop;
use crate::question::{Ask, Goal, PathAnswer, PathQuestion, QuestionKind};
use crate::side::SideLevel;
use forward::{Beam, Pass, Perimeter, Scorer};

/// How to search.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct BeamOptions {
    /// Most states in the perimeter, which has whole levels.
    pub perimeter: usize,
    /// States of a level that the first pass keeps.
    pub first_width: usize,
    /// States of a level that the last pass keeps; each pass keeps four times as many as the one
    /// before.
    pub most_width: usize,
    /// Rounds at that width, if the graph is not layered. A round is a pass with new random
    /// choices, a pass that admits the shortest path so far, and shortening.
    pub rounds: u64,
    /// Seed of the choice between equally promising states.
    pub seed: u64,
    /// When to give up.
    pub limits: SearchLimits,
    /// Bytes that shortening may take, if the graph is not layered.
    pub memory: u64,
    /// Folder for the levels of the current pass, if the graph is not layered; `None`
    /// keeps them in memory.
    pub work: Option<PathBuf>,
    /// Bytes of disk for all levels around the start, from which passes at the full width begin, if
    /// the graph is not layered; `None` for no such levels.
    pub disk: Option<u64>,
    /// Folder for those levels.
    pub levels: PathBuf,
    /// Folder for windows that outgrow the memory.
    pub windows: PathBuf,
    /// Whether to resume from the work folder.
    pub resume: bool,
    /// Whether to report progress on stderr.
    pub show_progress: bool,
}

impl Default for BeamOptions {
    fn default() -> Self {
        Self {
            perimeter: 100_000,
            first_width: 500,
            most_width: 2_000_000,
            rounds: 0,
            seed: 1,
            limits: SearchLimits::default(),
            memory: crate::engines::improve::ImproveOptions::MEMORY,
            work: None,
            disk: None,
            levels: PathBuf::from("antipode-work-levels"),
            windows: PathBuf::from("antipode-work-windows"),
            resume: false,
            show_progress: false,
        }
    }
}

/// Tried first: states in the perimeter, and states kept per level. If a path is easy to find, the
/// first attempt takes less than a millisecond and the second a few; either costs a fraction of the
/// next one. The first is enough on the English board with any of five seeds, as would be a width
/// of 16.
const TRIED: [(usize, usize); 2] = [(500, 20), (4_000, 100)];

impl BeamOptions {
    /// Narrow beams first, if they are narrower than the requested one.
    fn attempts(&self) -> impl Iterator<Item = Self> {
        let narrower = |&(perimeter, width): &(usize, usize)| {
            width < self.first_width && perimeter < self.perimeter
        };
        let narrow = |(perimeter, width)| Self {
            perimeter,
            first_width: width,
            most_width: width,
            ..self.clone()
        };
        let tried = TRIED.into_iter().filter(narrower).map(narrow);
        tried.chain([self.clone()])
    }
}

/// Statistics of a search.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Stats {
    /// States in the perimeter.
    pub perimeter: u64,
    /// Levels of the perimeter, the goals' own included.
    pub perimeter_levels: u64,
    /// Width of the last pass.
    pub width: u64,
    /// Passes.
    pub passes: u64,
    /// States expanded forward, in all passes.
    pub nodes: u64,
    /// Length in moves of the windows of the path that are proven to be shortest.
    pub window: u64,
}

/// A search for a path.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct BeamResult<K> {
    /// How it ended.
    pub outcome: Outcome<K>,
    /// All levels from the start, if every sequence of moves was searched in vain: one state per
    /// orbit under the symmetries that keep the goal.
    pub levels: Vec<SideLevel>,
    /// Its statistics.
    pub stats: Stats,
    /// The work folder, which is no longer needed once the answer is written.
    pub kept: Option<PathBuf>,
}

/// Why a graph cannot be searched by a beam, or `None` if it can.
pub fn obstacle<K: Key>(graph: &Graph<K>, goal: &Goal<K>) -> Option<&'static str> {
    if !graph.has(Capabilities::LAYERED) {
        return open::obstacle(graph);
    }
    if !graph.has(Capabilities::PREDECESSORS) && !graph.has(Capabilities::TIME_REVERSAL) {
        return Some("beam needs predecessors, or moves that can be reversed; leave out --engine");
    }
    let listed = matches!(goal, Goal::State(_)) || graph.has(Capabilities::SOLVED_ROOTS);
    (!listed).then_some(
        "beam needs the solved states listed, or a goal; leave out --engine, or give a goal by --to",
    )
}

/// Searches for a path from a state to a goal.
///
/// # Errors
/// [`EngineError`] if the graph lacks what a beam needs, or the puzzle fails.
pub fn reach<K: Key>(
    graph: &Graph<K>,
    start: K,
    goal: &Goal<K>,
    options: &BeamOptions,
    stop: &Stop,
) -> Result<BeamResult<K>> {
    if let Some(obstacle) = obstacle(graph, goal) {
        return Err(EngineError::refused(&graph.opened, obstacle));
    }
    if !graph.has(Capabilities::LAYERED) {
        return open::reach(graph, start, goal, options, stop);
    }
    let watch = Watch::start(options.limits, stop);
    let mut goals = Goals::Listed(listed_goals(graph, goal)?);
    let reduction = Reduction::keeping(graph, goal)?;
    let (mut stats, mut levels) = (Stats::default(), Vec::new());
    let mut outcome = Outcome::NotReached(StopReason::Width(0));
    let width = options.first_width;
    for options in options.attempts() {
        // For one goal, proving it unreachable takes longer than a narrow beam.
        if !goals.is_one() || options.first_width == width {
            goals.leave_open(graph, start, goal)?;
        }
        let open = match &goals {
            Goals::Listed(open) | Goals::Open(open) => open,
            Goals::None(proof) => {
                outcome = Outcome::Unreachable(proof.clone());
                break;
            }
        };
        let perimeter = Perimeter::grow(graph, &reduction, open, options.perimeter, &watch)?;
        stats.perimeter = perimeter.len() as u64;
        stats.perimeter_levels = perimeter.levels() as u64;
        let mut passes = Passes {
            graph,
            reduction: &reduction,
            goal,
            perimeter: &perimeter,
            stats: &mut stats,
            levels: &mut levels,
        };
        outcome = passes.run(start, &options, &watch)?;
        if !matches!(outcome, Outcome::Path(_)) {
            goals.leave_open(graph, start, goal)?;
            if let Goals::None(proof) = &goals {
                outcome = Outcome::Unreachable(proof.clone());
            }
        }
        if !matches!(outcome, Outcome::NotReached(StopReason::Width(_))) {
            break;
        }
    }
    Ok(BeamResult {
        outcome,
        levels,
        stats,
        kept: None,
    })
}

/// The states that a search may end in.
enum Goals<K> {
    /// Goals as they are listed.
    Listed(Vec<K>),
    /// Goals that the puzzle cannot show to be unreachable.
    Open(Vec<K>),
    /// The puzzle shows all of them to be unreachable.
    None(NoPathProof),
}

impl<K: Key> Goals<K> {
    fn is_one(&self) -> bool {
        matches!(self, Self::Listed(goals) if goals.len() == 1)
    }

    /// Leaves out goals that the puzzle shows to be unreachable, if that was not done before.
    fn leave_open(&mut self, graph: &Graph<K>, start: K, goal: &Goal<K>) -> Result<()> {
        if let Self::Listed(_) = self {
            let (open, refuted) = open_goals(graph, start, goal)?;
            // A variant that lists no solved state is no proof.
            let none = NoPathProof::Exhausted {
                direction: Direction::Backward,
                states: 0,
                levels: Some(0),
            };
            *self = match open.is_empty() {
                true => Self::None(refuted.map_or(none, NoPathProof::Puzzle)),
                false => Self::Open(open),
            };
        }
        Ok(())
    }
}

/// Passes of the beam, wider and wider.
struct Passes<'a, K> {
    graph: &'a Graph<K>,
    reduction: &'a Reduction,
    goal: &'a Goal<K>,
    perimeter: &'a Perimeter<K>,
    stats: &'a mut Stats,
    levels: &'a mut Vec<SideLevel>,
}

impl<K: Key> Passes<'_, K> {
    fn run(&mut self, start: K, options: &BeamOptions, watch: &Watch<'_>) -> Result<Outcome<K>> {
        let (graph, reduction, perimeter) = (self.graph, self.reduction, self.perimeter);
        let mut root = [start];
        reduction.reduce(graph, &mut root)?;
        let root = root[0];
        if perimeter.complete() && perimeter.level_of(root).is_none() {
            return Ok(Outcome::exhausted(
                Direction::Backward,
                perimeter.len() as u64,
                Some(perimeter.levels() as u32),
            ));
        }
        let scorer = Scorer::new(graph, reduction, perimeter, options.seed)?;
        let mut width = options.first_width.max(1);
        loop {
            self.stats.passes += 1;
            self.stats.width = width as u64;
            let beam = Beam::new(graph, reduction, &scorer, width);
            let pass = beam.pass(root, perimeter, watch)?;
            self.stats.nodes += beam.nodes();
            match pass {
                Pass::Met(mut chain) => {
                    let met = chain.last().copied().unwrap_or(root);
                    chain.extend(perimeter.descend(graph, reduction, met)?);
                    let path = follow(graph, reduction, start, &chain)?;
                    return layered_path(graph, path, self.goal);
                }
                Pass::Exhausted(levels) => {
                    *self.levels = levels;
                    return Ok(Outcome::exhausted(
                        Direction::Forward,
                        self.levels.iter().map(|level| level.states).sum(),
                        Some(self.levels.len() as u32),
                    ));
                }
                Pass::Missed if width >= options.most_width => {
                    return Ok(Outcome::NotReached(StopReason::Width(width as u64)));
                }
                Pass::Missed => width = width.saturating_mul(4).min(options.most_width),
                Pass::GaveUp(why) => return Ok(Outcome::NotReached(why)),
            }
        }
    }
}

/// Bytes for each state of the width: candidates of a level, the filter of kept states, and 250
/// levels in memory.
const BYTES_A_STATE: u64 = 2560;

/// Engine `beam`.
#[derive(Debug)]
pub struct BeamEngine;

impl BeamOptions {
    /// Default options with the given resources. Without a width, the memory determines it.
    pub fn of(options: &EngineOptions) -> Self {
        let usual = Self::default();
        let by_memory = options.memory.map(|bytes| (bytes / BYTES_A_STATE).max(1));
        let width = options.width.or(by_memory);
        let most_width = width.map_or(usual.most_width, |width| width as usize);
        Self {
            first_width: usual.first_width.min(most_width),
            most_width,
            // A user who allows an hour wants the result of an hour.
            rounds: options.rounds.unwrap_or(match options.max_time {
                Some(_) => u64::MAX,
                None => usual.rounds,
            }),
            seed: options.seed.unwrap_or(usual.seed),
            limits: options.limits(),
            memory: options.memory.unwrap_or(usual.memory),
            work: options.work.clone(),
            disk: options.disk,
            resume: options.resume,
            show_progress: options.show_progress,
            ..usual
        }
    }
}

impl<K: Key> Engine<K> for BeamEngine {
    fn facts(&self) -> &'static Facts {
        &Facts {
            name: "beam",
            summary: "the most promising states of each level, then shortened",
            answers: &[QuestionKind::Path],
            finds: Finds::ByEvaluation,
            ..Facts::USUAL
        }
    }

    fn options(&self, _: QuestionKind) -> &'static [Opt] {
        &[
            Opt::Seed,
            Opt::Width,
            Opt::Rounds,
            Opt::Memory,
            Opt::Disk,
            Opt::Work,
            Opt::Resume,
            Opt::MaxStates,
            Opt::MaxTime,
        ]
    }

    /// Levels of a layered graph are short here, or few.
    fn works_alone_on(&self, graph: &Graph<K>) -> bool {
        graph.has(Capabilities::LAYERED)
    }

    fn obstacle(&self, graph: &Graph<K>, ask: &Ask<'_, K>) -> Option<String> {
        match ask {
            Ask::Path { goal, .. } => obstacle(graph, goal).map(str::to_owned),
            _ => None,
        }
    }

    /// If the graph is not layered, a path that is found need not be the shortest.
    fn preference(&self, graph: &Graph<K>, _: &Ask<'_, K>) -> u8 {
        match graph.has(Capabilities::LAYERED) {
            true => 3,
            false => 0,
        }
    }

    fn path(&self, question: &PathQuestion<'_, K>) -> Result<Option<PathAnswer<K>>> {
        let mut options = BeamOptions::of(question.options);
        let [_, levels, windows] = question.default_folders();
        options.windows = windows;
        options.levels = options.work.as_deref().map_or(levels, levels_of);
        let (graph, goal) = (question.graph, &question.goal);
        let done = reach(graph, question.start, goal, &options, question.stop)?;
        let searched = sentence(&done.stats, &done.outcome, question.graph.opened.unit());
        Ok(Some(PathAnswer {
            summary: say(&done.outcome, &searched),
            levels: done.levels,
            figures: figures(&options, &done.stats),
            spent: Spent::of(done.stats.nodes, None),
            kept: done.kept,
            outcome: done.outcome,
        }))
    }
}

/// The folder of levels that belongs to a work folder: next to it, or in it if it has no name of
/// its own, such as `.`.
fn levels_of(work: &Path) -> PathBuf {
    match work.file_name() {
        Some(name) => {
            let mut name = name.to_owned();
            name.push("-levels");
            work.with_file_name(name)
        }
        None => work.join("levels"),
    }
}

fn sentence<K>(stats: &Stats, outcome: &Outcome<K>, unit: &str) -> String {
    let pass = match stats.passes {
        0 => "beam, before its first pass ended".to_owned(),
        passes => format!(
            "beam of {} states a level, pass {passes}",
            HumanCount(stats.width)
        ),
    };
    let mut text = format!("{pass}, {} states expanded", HumanCount(stats.nodes));
    match outcome {
        _ if stats.perimeter > 0 => {
            text += &format!(", {} states around the goal", HumanCount(stats.perimeter));
        }
        Outcome::Path(found) if stats.window > 0 && !found.shortest => {
            text += &format!(", no window of {} {unit} can be shorter", stats.window);
        }
        _ => {}
    }
    text
}

fn figures(options: &BeamOptions, stats: &Stats) -> SearchFigures {
    SearchFigures {
        engine: Some("beam".to_owned()),
        seed: Some(options.seed),
        states_seen: Some(stats.nodes),
        width: Some(stats.width),
        passes: Some(stats.passes),
        perimeter: (stats.perimeter > 0).then_some(stats.perimeter),
        perimeter_levels: (stats.perimeter > 0).then_some(stats.perimeter_levels),
        window: (stats.window > 0).then_some(stats.window),
        ..SearchFigures::default()
    }
}
