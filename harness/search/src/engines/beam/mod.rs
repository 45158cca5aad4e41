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

mod engine;
mod forward;
mod open;
mod perimeter;
mod score;

use puzzle_api::{Direction, Key};

use std::path::PathBuf;

use super::find::{Reduction, Watch, follow, layered_path, listed_goals, open_goals};
use crate::error::EngineError;
use crate::options::SearchLimits;
use crate::outcome::{NoPathProof, Outcome, StopReason};
use crate::progress::Stop;
use crate::question::Goal;
use crate::side::SideLevel;
use antipode_graph::{Capabilities, Graph};
pub use engine::BeamEngine;
use forward::{Beam, Pass};
use perimeter::Perimeter;
use score::Scorer;

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
#[must_use]
pub fn obstacle<K: Key>(graph: &Graph<K>, goal: &Goal<K>) -> Option<&'static str> {
    if !graph.has(Capabilities::LAYERED) {
        return open::obstacle(graph);
    }
    if !graph.has(Capabilities::PREDECESSORS) && !graph.has(Capabilities::TIME_REVERSAL) {
        return Some("beam needs predecessors, or moves that can be reversed");
    }
    let listed = matches!(goal, Goal::State(_)) || graph.has(Capabilities::SOLVED_ROOTS);
    (!listed).then_some("beam needs the solved states listed, or a goal")
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
) -> Result<BeamResult<K>, EngineError> {
    if let Some(obstacle) = obstacle(graph, goal) {
        let name = graph.opened.full_name();
        return Err(EngineError::CannotHold(format!("{name}: {obstacle}")));
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
    fn leave_open(
        &mut self,
        graph: &Graph<K>,
        start: K,
        goal: &Goal<K>,
    ) -> Result<(), EngineError> {
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
    fn run(
        &mut self,
        start: K,
        options: &BeamOptions,
        watch: &Watch<'_>,
    ) -> Result<Outcome<K>, EngineError> {
        let (graph, reduction, perimeter) = (self.graph, self.reduction, self.perimeter);
        let mut root = [start];
        reduction.reduce(graph, &mut root)?;
        let root = root[0];
        if perimeter.complete() && perimeter.level_of(root).is_none() {
            return Ok(Outcome::Unreachable(NoPathProof::Exhausted {
                direction: Direction::Backward,
                states: perimeter.len() as u64,
                levels: Some(perimeter.levels() as u32),
            }));
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
                    return Ok(Outcome::Unreachable(NoPathProof::Exhausted {
                        direction: Direction::Forward,
                        states: self.levels.iter().map(|level| level.states).sum(),
                        levels: Some(self.levels.len() as u32),
                    }));
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
