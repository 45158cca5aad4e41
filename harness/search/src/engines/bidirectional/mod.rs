//! Shortest paths between two states by a side around each: one grows along the moves from the
//! start, the other against them from the goal. Each step grows the side whose next level promises
//! to be smaller, by one level, until they meet.
//!
//! While complete sides of radii a and b do not meet, no path of a + b moves exists. So the first
//! state found in both lies on a path of exactly a + b + 1 moves, and the level tables of the sides
//! are the evidence that nothing shorter exists. If a side stops growing before that, it holds
//! everything that can be reached from its end, so there is no path.
//!
//! States are kept as ranks if the puzzle numbers them (a bit per rank, once a side has grown
//! beyond a few million states), else as keys in hash tables. Levels are packed to one to three bytes
//! per state, in memory or in files of a work folder. A stopped or killed search continues from
//! that folder. Results do not depend on the number of threads.

mod resume;
mod search;

use std::path::PathBuf;

use antipode_graph::{Capabilities, Graph, PluginError};
use antipode_reports::count;
use antipode_reports::model::SearchFigures;
use indicatif::HumanCount;
use puzzle_api::{Direction, Key};

use super::find::Reduction;
use super::reference;
use crate::engine::{Engine, Facts};
use crate::error::{EngineError, Result};
use crate::limit::within;
use crate::options::Opt;
pub use crate::options::SideTable;
use crate::outcome::{NoPathProof, Outcome, Spent, StopReason};
use crate::progress::Stop;
use crate::question::{Ask, Goal, PathAnswer, PathQuestion, QuestionKind};
pub use crate::side::Side;
use crate::side::SideLevel;
use crate::steps::{DirectionSteps, Keys, Ranks};
use crate::{machine, memory};
use resume::MemoryPlan;
use search::BidirectionalSearch;

/// Where finished levels are kept.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum BidirectionalFolder {
    /// In this folder from the start.
    Folder(PathBuf),
    /// In memory, and in this folder once they take much of it.
    WhenLarge(PathBuf),
}

/// Options and limits of a search.
#[derive(Debug, Clone)]
pub struct BidirectionalOptions {
    /// Bytes of memory that the search may take.
    pub memory: u64,
    /// Bytes of disk that it may take; `None` leaves a twentieth of the free space.
    pub disk: Option<u64>,
    /// How the states of a side are kept.
    pub table: SideTable,
    /// Where finished levels are kept.
    pub work: BidirectionalFolder,
    /// Whether to resume from the work folder.
    pub resume: bool,
    /// States collected before they are sorted and packed.
    pub run_states: usize,
    /// Bytes of packed levels that stay in memory.
    pub levels_in_memory: u64,
    /// Whether to report levels and progress on stderr.
    pub show_progress: bool,
}

impl BidirectionalOptions {
    /// Default options, with a memory limit and a place for large levels.
    pub fn new(memory: u64, work: BidirectionalFolder) -> Self {
        Self {
            memory,
            disk: None,
            table: SideTable::Auto,
            work,
            resume: false,
            run_states: crate::level::RUN_STATES,
            levels_in_memory: 256 << 20,
            show_progress: false,
        }
    }
}

/// The ends to connect, and how.
#[derive(Debug, Clone)]
pub struct BidirectionalRequest<K> {
    /// The graph.
    pub graph: Graph<K>,
    /// Where the path starts.
    pub start: K,
    /// The states in which it may end.
    pub goals: Vec<K>,
    /// Options and limits.
    pub options: BidirectionalOptions,
}

/// The findings of a search.
#[derive(Debug, Clone)]
pub struct BidirectionalResult<K> {
    /// How it ended.
    pub outcome: Outcome<K>,
    /// Complete levels by side: forward, backward.
    pub sides: [Vec<SideLevel>; 2],
    /// States expanded and neighbours listed, by this process.
    pub spent: Spent,
    /// Bytes of memory that the plan reserved.
    pub planned_memory: u64,
    /// Bytes of all packed levels.
    pub level_bytes: u64,
    /// The work folder with the finished levels, if there is one. The caller must
    /// [`clear`](crate::work::clear) it once the answer is written.
    pub work: Option<PathBuf>,
}

impl<K> BidirectionalResult<K> {
    /// States in both sides.
    pub fn states(&self) -> u64 {
        self.sides.iter().flatten().map(|level| level.states).sum()
    }
}

/// Whether a graph can be searched against its moves.
pub fn possible<K: Key>(graph: &Graph<K>) -> bool {
    DirectionSteps::backward(graph).is_some()
}

/// Finds a shortest path, or shows that there is none. Runs on the calling thread's pool.
///
/// # Errors
/// [`EngineError`]: a puzzle without predecessors or that breaks its contract, too little
/// memory or disk, a damaged or foreign work folder.
pub fn meet<K: Key>(
    request: &BidirectionalRequest<K>,
    stop: &Stop,
) -> Result<BidirectionalResult<K>> {
    match placed(request)? {
        NumberingPlace::Part(numbering) => {
            BidirectionalSearch::new(request, numbering, stop)?.run()
        }
        NumberingPlace::Unnumbered => BidirectionalSearch::new(request, Keys, stop)?.run(),
        NumberingPlace::Apart => Ok(BidirectionalResult {
            outcome: Outcome::Unreachable(NoPathProof::OtherParts),
            sides: [Vec::new(), Vec::new()],
            spent: Spent::default(),
            planned_memory: 0,
            level_bytes: 0,
            work: None,
        }),
    }
}

/// Most bytes of memory that a search may need, if that is known in advance.
pub fn planned_memory<K: Key>(
    request: &BidirectionalRequest<K>,
) -> Result<Option<u64>, PluginError> {
    Ok(match placed(request)? {
        NumberingPlace::Part(numbering) => {
            Some(MemoryPlan::of(Some(numbering.size), 8, &request.options).bits_need())
        }
        NumberingPlace::Unnumbered | NumberingPlace::Apart => None,
    })
}

/// Place of the states in the puzzle's numbering.
enum NumberingPlace {
    /// All in one part that has ranks.
    Part(Ranks),
    /// Start and goals in different parts.
    Apart,
    /// The states are not all numbered.
    Unnumbered,
}

fn placed<K: Key>(request: &BidirectionalRequest<K>) -> Result<NumberingPlace, PluginError> {
    let graph = &request.graph;
    if !graph.has(Capabilities::RANK) {
        return Ok(NumberingPlace::Unnumbered);
    }
    let mut all = Vec::new();
    let mut keys = vec![request.start];
    keys.extend(&request.goals);
    graph.place(&keys, &mut all)?;
    let parts: Option<Vec<u64>> = all.iter().map(|at| at.map(|at| at.part)).collect();
    let Some(parts) = parts else {
        return Ok(NumberingPlace::Unnumbered);
    };
    let part = parts[0];
    if parts[1..].iter().all(|&other| other != part) {
        return Ok(NumberingPlace::Apart);
    }
    match graph.space(part)? {
        Some(size) if parts.iter().all(|&other| other == part) => {
            Ok(NumberingPlace::Part(Ranks { part, size }))
        }
        _ => Ok(NumberingPlace::Unnumbered),
    }
}

/// Engine `bidirectional`.
#[derive(Debug)]
pub struct BidirectionalEngine;

/// Why a graph without backward moves is refused.
const NO_WAY_BACK: &str =
    "a search from both ends needs predecessors, or a reversal of moves; leave out --engine";
/// Most solved states that a search for any of them starts from.
const FEW_GOALS: usize = 1 << 20;
/// States that a search along the moves may see before it uses the other end, if any solved state
/// is a goal.
const SMALL: u64 = 1 << 20;
/// Bytes that such a search takes for a state: its key twice, its origin and its place in a table.
const SMALL_STATE: u64 = 64;

impl<K: Key> Engine<K> for BidirectionalEngine {
    fn facts(&self) -> &'static Facts {
        &Facts {
            name: "bidirectional",
            summary: "from the start and from the goal, until the two searches meet",
            answers: &[QuestionKind::Path],
            tells_whole_levels: true,
            ..Facts::USUAL
        }
    }

    fn options(&self, _: QuestionKind) -> &'static [Opt] {
        &[
            Opt::Memory,
            Opt::Disk,
            Opt::Work,
            Opt::Resume,
            Opt::Visited,
            Opt::MaxTime,
        ]
    }

    fn obstacle(&self, graph: &Graph<K>, ask: &Ask<'_, K>) -> Option<String> {
        if !possible(graph) {
            return Some(NO_WAY_BACK.into());
        }
        match ask {
            Ask::Path { start, goal } => match goals(graph, *start, goal) {
                Ok(Some(_)) => None,
                Ok(None) => Some(format!(
                    "bidirectional needs solved states that are listed, at most {}; leave out --engine, or give a goal by --to",
                    HumanCount(FEW_GOALS as u64)
                )),
                Err(error) => Some(error.to_string()),
            },
            _ => None,
        }
    }

    /// The goals are listed once for both: for a board that is solved in milliseconds, listing
    /// takes as long as the search.
    fn preferred(&self, graph: &Graph<K>, ask: &Ask<'_, K>) -> u8 {
        let Ask::Path { start, goal } = ask else {
            return 0;
        };
        if !possible(graph) {
            return 0;
        }
        match goals(graph, *start, goal).ok().flatten() {
            Some(goals) if !goals.is_empty() => preference(graph, *start, (goal, goals)),
            _ => 0,
        }
    }

    /// Searches along the moves alone, for as long as that is enough, or if there is no other end.
    fn path_alone(&self, question: &PathQuestion<'_, K>) -> Result<Option<PathAnswer<K>>> {
        if question.goal != Goal::Solved {
            return Ok(None);
        }
        let allowed = question.options.memory.unwrap_or(u64::MAX) / SMALL_STATE;
        let most = SMALL.min(allowed);
        let mut small = reference::forward(question, Reduction::Identity, Some(most))?;
        if small.outcome == Outcome::NotReached(StopReason::States(most)) {
            if part_of(question.graph, Some(question.start))?.is_some() {
                return Ok(None);
            }
            small.summary += "; the puzzle does not number this start, nor solved states to search back from: leave out --engine";
        }
        Ok(Some(small))
    }

    fn path(&self, question: &PathQuestion<'_, K>) -> Result<Option<PathAnswer<K>>> {
        let request = request(question)?;
        let mut searched = match question.options.max_time {
            None => meet(&request, question.stop)?,
            Some(time) => within(time, question.stop, |stop| meet(&request, stop))?,
        };
        if let (Outcome::NotReached(why @ StopReason::Requested), Some(time), false) = (
            &mut searched.outcome,
            question.options.max_time,
            question.stop.requested(),
        ) {
            *why = StopReason::Time(time);
        }
        Ok(Some(PathAnswer {
            summary: summary(question, &searched),
            figures: figures(&searched),
            levels: searched.sides.concat(),
            spent: searched.spent,
            kept: searched.work,
            outcome: searched.outcome,
        }))
    }
}

/// Its preference if the goals are these states.
fn preference<K: Key>(graph: &Graph<K>, start: Option<K>, (goal, goals): (&Goal<K>, Vec<K>)) -> u8 {
    let Goal::Solved = goal else {
        return 2;
    };
    let Some(start) = start else {
        return 0;
    };
    // The available memory is not read either, since the system first adds it up.
    if !graph.has(Capabilities::RANK) {
        // States without numbers are too many for a search without a bound, if there is a bound.
        return if graph.proves(Capabilities::LOWER_BOUND) {
            1
        } else {
            2
        };
    }
    // A search that can run along the moves stays one-sided if the bits would not fit.
    let request = BidirectionalRequest {
        graph: graph.clone(),
        start,
        goals,
        options: BidirectionalOptions::new(
            available(),
            BidirectionalFolder::WhenLarge("work".into()),
        ),
    };
    let planned = planned_memory(&request).ok().flatten();
    match planned.is_none_or(|need| need <= request.options.memory) {
        true => 2,
        false => 0,
    }
}

/// The part of a start; `None` if it is outside the numbering.
fn part_of<K: Key>(graph: &Graph<K>, start: Option<K>) -> Result<Option<u64>, PluginError> {
    let in_parts = graph.has(Capabilities::PARTS) || graph.has(Capabilities::RANK);
    let Some(start) = start.filter(|_| in_parts) else {
        return Ok(Some(0));
    };
    let mut placed = Vec::new();
    graph.place(&[start], &mut placed)?;
    Ok(placed[0].map(|at| at.part))
}

/// The states from which to search back; `None` if they cannot be listed, or are too many.
fn goals<K: Key>(
    graph: &Graph<K>,
    start: Option<K>,
    goal: &Goal<K>,
) -> Result<Option<Vec<K>>, PluginError> {
    if let Goal::State(key) = goal {
        return Ok(Some(vec![*key]));
    }
    if !graph.has(Capabilities::SOLVED_ROOTS) {
        return Ok(None);
    }
    let roots = match part_of(graph, start)? {
        Some(part) => graph.roots(Direction::Backward, part)?,
        // The solved states of a state outside the numbering are outside it too.
        None => Vec::new(),
    };
    Ok((roots.len() <= FEW_GOALS).then_some(roots))
}

/// The available memory, except for a twentieth for other processes.
fn available() -> u64 {
    memory::available().map_or(u64::MAX, |available| available / 20 * 19)
}

fn request<K: Key>(question: &PathQuestion<'_, K>) -> Result<BidirectionalRequest<K>> {
    let options = question.options;
    let goals = goals(question.graph, Some(question.start), &question.goal)?;
    let goals = goals.ok_or_else(|| {
        let why = "the solved states cannot be listed";
        EngineError::refused(&question.graph.opened, why)
    })?;
    let work = match &options.work {
        Some(work) => BidirectionalFolder::Folder(work.clone()),
        None => BidirectionalFolder::WhenLarge(question.default_folder()),
    };
    let mut own = BidirectionalOptions::new(options.memory.unwrap_or_else(available), work);
    own.disk = options.disk;
    own.resume = options.resume;
    own.show_progress = options.show_progress;
    own.table = options.visited.unwrap_or(SideTable::Auto);
    Ok(BidirectionalRequest {
        graph: question.graph.clone(),
        start: question.start,
        goals,
        options: own,
    })
}

fn summary<K: Key>(question: &PathQuestion<'_, K>, searched: &BidirectionalResult<K>) -> String {
    let seen = HumanCount(searched.states());
    let [forward, backward] = &searched.sides;
    let no = match question.goal {
        Goal::State(_) => "unreachable",
        Goal::Solved => "unsolvable",
    };
    match &searched.outcome {
        Outcome::Path(path) if path.moves() == 0 => match question.goal {
            Goal::State(_) => "start and goal are the same state".to_owned(),
            Goal::Solved => "the start is solved".to_owned(),
        },
        Outcome::Path(_) | Outcome::Levels => format!(
            "the fewest possible: {} forward and {} backward do not meet ({seen} states seen)",
            count(forward.len(), "levels"),
            backward.len()
        ),
        Outcome::Unreachable(NoPathProof::Exhausted {
            direction,
            states,
            levels,
        }) => {
            let (states, levels) = (HumanCount(*states), levels.unwrap_or_default());
            let (these, and) = match direction {
                Direction::Forward => ("can be reached", "no goal is among them"),
                Direction::Backward => ("can reach the goal", "the start is not among them"),
            };
            format!(
                "{no}: the {states} states that {these} were all found, in {levels} levels, and {and}"
            )
        }
        Outcome::Unreachable(proof) => format!("{no}: {proof}"),
        Outcome::NotReached(why) => {
            let how = match &searched.work {
                Some(_) => "rerun with --resume to continue",
                None => "give --work DIR to be able to continue with --resume",
            };
            let ended = match why {
                StopReason::Time(_) => format!("{why}: stopped"),
                _ => "stopped".to_owned(),
            };
            format!(
                "{ended} after {} forward and {} backward, {seen} states, without an answer; {how}",
                count(forward.len(), "levels"),
                backward.len()
            )
        }
    }
}

fn figures<K>(searched: &BidirectionalResult<K>) -> SearchFigures {
    SearchFigures {
        states_seen: Some(searched.states()),
        levels: SideLevel::figures(&searched.sides.concat()),
        states_expanded: Some(searched.spent.expanded),
        moves_listed: searched.spent.generated,
        level_bytes: Some(searched.level_bytes),
        planned_memory_bytes: Some(searched.planned_memory),
        peak_memory_bytes: Some(machine::peak_memory_bytes()),
        ..SearchFigures::default()
    }
}
