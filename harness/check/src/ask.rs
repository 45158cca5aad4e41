//! Questions by name: an instance, states as text, an engine by its name, a budget. The questions
//! of `solve`, claims and the bench go through here; questions for levels go through
//! [`analysis`](crate::analysis), which checks them too.

use std::collections::BTreeSet;
use std::path::PathBuf;
use std::sync::Arc;
use std::time::Instant;

use crate::{again, board};
use antipode_graph::ledger;
use antipode_graph::{Capabilities, Expansion, Graph, Library, Opened, PluginError, move_names};
use antipode_reports::model::SearchFigures;
use antipode_search::engine::{Ask, EngineOptions, Finds, PathAnswer, PathQuestion, SideLevel};
use antipode_search::engines::EngineError;
use antipode_search::engines::find::{RECHECKED, borne_out};
use antipode_search::forward::Goal;
use antipode_search::machine;
use antipode_search::outcome::{NoPathProof, Outcome, StopReason};
use antipode_search::progress::Stop;
use antipode_search::registry::{self, EngineId};
use antipode_search::table::rules_of;
use antipode_search::work;
use cpu_time::ProcessTime;
use puzzle_api::{Direction, Key, Settings, UNSOLVABLE};

pub use antipode_search::many_to_many::{PairsOutcome as Lengths, PairsRequest as LengthsRequest};

/// A question for a path.
#[derive(Debug, Clone)]
pub struct PathRequest {
    /// The puzzle.
    pub library: Arc<Library>,
    /// Name of the instance.
    pub instance: String,
    /// Its settings.
    pub settings: Settings,
    /// Variant; `None` takes the engine's default.
    pub variant: Option<String>,
    /// The start: a state as text, or its name; `None` takes the instance's start.
    pub from: Option<String>,
    /// The goal: a state as text, or its name, or a value of setting `to`, if the puzzle has that;
    /// `None` for any solved state.
    pub to: Option<String>,
    /// Engine; `None` takes the preferred one.
    pub engine: Option<EngineId>,
    /// Its limits and options.
    pub options: EngineOptions,
}

impl PathRequest {
    /// From the instance's start to any solved state, by the preferred engine.
    #[must_use]
    pub fn new(library: Arc<Library>, instance: String) -> Self {
        Self {
            library,
            instance,
            settings: Settings::new(),
            variant: None,
            from: None,
            to: None,
            engine: None,
            options: EngineOptions::default(),
        }
    }
}

/// A path question with its states read.
#[derive(Debug, Clone)]
pub struct Question {
    /// The graph.
    pub graph: Graph<u128>,
    /// Where the path starts.
    pub start: u128,
    /// Where it may end.
    pub goal: Goal<u128>,
    /// The same by the rules alone: if one state is listed as solved, only the library says that it
    /// is the only one.
    pub goal_by_rules: Goal<u128>,
}

impl Question {
    /// The part of the question that decides which engines can answer.
    #[must_use]
    pub const fn ask(&self) -> Ask<'_, u128> {
        Ask::Path {
            start: Some(self.start),
            goal: &self.goal,
        }
    }

    /// The question for an engine.
    #[must_use]
    pub const fn asked<'a>(
        &'a self,
        rules: &'a Graph<u128>,
        options: &'a EngineOptions,
        stop: &'a Stop,
    ) -> PathQuestion<'a, u128> {
        PathQuestion {
            graph: &self.graph,
            rules,
            start: self.start,
            goal: self.goal,
            options,
            stop,
        }
    }
}

/// Its outcome.
#[derive(Debug, Clone)]
pub struct PathReport {
    /// `PUZZLE/INSTANCE`.
    pub instance: String,
    /// Settings of the instance as it was searched.
    pub settings: Settings,
    /// What its length counts.
    pub unit: &'static str,
    /// Variant that was searched.
    pub variant: String,
    /// Engine that answered; `None` if the puzzle refuted it without a search.
    pub engine: Option<EngineId>,
    /// The start, as text.
    pub start: String,
    /// The goal state, as text; `None` for any solved one.
    pub to: Option<String>,
    /// The outcome, with states as text.
    pub outcome: Outcome<String>,
    /// The moves of the path in a player's words.
    pub moves: Vec<String>,
    /// One line: the end of "solved in N moves, ", else the whole line.
    pub summary: String,
    /// Complete levels, as evidence.
    pub levels: Vec<SideLevel>,
    /// The engine's own data for records, and its cost.
    pub figures: SearchFigures,
    /// The work folder with the finished levels, if there is one. It is to be removed once an
    /// answer is written.
    pub kept: Option<PathBuf>,
}

impl PathReport {
    /// A report without an outcome yet. The rulebook draws its start and its goal.
    pub(crate) fn of(
        graph: &Graph<u128>,
        rules: &Graph<u128>,
        (start, goal): (u128, Goal<u128>),
    ) -> Result<Self, PluginError> {
        let to = goal.state().map(|key| rules.draw(key));
        Ok(Self {
            instance: graph.opened.full_name(),
            settings: graph.opened.settings.clone(),
            unit: graph.opened.unit(),
            variant: graph.opened.variant.clone(),
            engine: None,
            start: rules.draw(start)?,
            to: to.transpose()?,
            outcome: Outcome::Levels,
            moves: Vec::new(),
            summary: String::new(),
            levels: Vec::new(),
            figures: SearchFigures::default(),
            kept: None,
        })
    }

    /// Number of moves; `None` if there is no path, or none was found.
    #[must_use]
    pub fn length(&self) -> Option<usize> {
        self.outcome.states().len().checked_sub(1)
    }

    /// The report's sentence about the distance from the start to the goal.
    #[must_use]
    pub fn known(&self) -> KnownDistance {
        match &self.outcome {
            Outcome::Path(path) if path.shortest => match self.outcome.distance() {
                Some(distance) => KnownDistance::Exactly(distance),
                None => KnownDistance::AtLeast(UNSOLVABLE - 1),
            },
            Outcome::Unreachable(_) => KnownDistance::Unsolvable,
            // A path that may not be shortest gives no lower bound.
            Outcome::Path(_) | Outcome::Levels | Outcome::NotReached(_) => {
                KnownDistance::AtLeast(self.at_least())
            }
        }
    }

    /// A lower bound on the distance, from the levels without the goal: those of both sides, which
    /// share no state, or all levels from the start.
    fn at_least(&self) -> u16 {
        // Other engines check some states of a level, or none of some levels.
        if !self
            .engine
            .is_some_and(|engine| engine.facts().tells_whole_levels)
        {
            return 0;
        }
        let count = |side: Direction| {
            let own = |level: &&SideLevel| level.side == side;
            self.levels.iter().filter(own).count() as u16
        };
        match (count(Direction::Forward), count(Direction::Backward)) {
            (forward, 0) => forward,
            (forward, backward) => (forward + backward).saturating_sub(1),
        }
    }
}

/// What is known about the distance of a state to the nearest solved one.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum KnownDistance {
    /// Exactly n moves.
    Exactly(u16),
    /// No solved state can be reached.
    Unsolvable,
    /// At least n moves; nothing is known beyond.
    AtLeast(u16),
}

impl KnownDistance {
    /// The better of two sources' bounds; `None` if they contradict each other.
    #[must_use]
    pub fn and(self, other: Self) -> Option<Self> {
        match (self, other) {
            (Self::AtLeast(a), Self::AtLeast(b)) => Some(Self::AtLeast(a.max(b))),
            (Self::AtLeast(least), Self::Exactly(moves))
            | (Self::Exactly(moves), Self::AtLeast(least)) => {
                (moves >= least).then_some(Self::Exactly(moves))
            }
            (Self::AtLeast(_), Self::Unsolvable) | (Self::Unsolvable, Self::AtLeast(_)) => {
                Some(Self::Unsolvable)
            }
            (a, b) => (a == b).then_some(a),
        }
    }

    /// Whether a text says in usual words that there is no solution.
    #[must_use]
    pub fn is_unsolvable(text: &str) -> bool {
        let text = text.trim_end_matches(['.', '!']).to_ascii_lowercase();
        match text.strip_prefix("no solution") {
            Some(more) => ["", " found", " exists"].contains(&more),
            None => ["unsolvable", "not solvable", "impossible"].contains(&&*text),
        }
    }

    pub(crate) const fn of(depth: u16) -> Self {
        match depth {
            UNSOLVABLE => Self::Unsolvable,
            depth => Self::Exactly(depth),
        }
    }
}

/// Finds shortest lengths between many states. Both variants must read their names and boards as
/// the same states.
///
/// # Errors
/// [`EngineError`]: an engine that cannot, bad input, too little memory.
pub fn many(
    named: Option<EngineId>,
    request: &LengthsRequest,
    stop: &Stop,
) -> Result<Lengths, EngineError> {
    read_all(request)?;
    if request.library.is_built_in() {
        return registry::many(named, request, stop);
    }
    // A side that grows backward rests on predecessors, and those of a loaded library's rulebook
    // are unverified too. Its moves are the rules themselves.
    match request.radius {
        Some(radius @ 1..) => Err(EngineError::CannotHold(format!(
            "--radius {radius}: a backward side rests on the predecessors that the library says; leave it out, or give 0"
        ))),
        Some(0) | None => {
            let forward = LengthsRequest {
                radius: Some(0),
                side_states: None,
                ..request.clone()
            };
            let lengths = registry::many(named, &forward, stop).map_err(again::instead)?;
            again::confirm()?;
            Ok(lengths)
        }
    }
}

fn read_all(request: &LengthsRequest) -> Result<(), EngineError> {
    let library = &request.library;
    let variant = request.variant.as_deref().unwrap_or(&library.variants[0]);
    let opened = library.open(&request.instance, variant, &request.settings)?;
    let mut names: BTreeSet<String> = request.from.iter().chain(&request.to).cloned().collect();
    if request.from.is_empty() || request.to.is_empty() {
        names.extend(Graph::of(Arc::clone(&opened)).names()?);
    }
    board::check(&opened, &names)
}

/// Answers a question for a path, on its own pool if one thread is not enough. A path is played
/// again on the rulebook before it is an answer.
///
/// # Errors
/// [`EngineError`]: bad input, an engine that cannot answer or does not take an option, a
/// puzzle that breaks its contract.
pub fn path(request: &PathRequest, stop: &Stop) -> Result<PathReport, EngineError> {
    // One pool for both: the thread of a second one may be more than the limits allow.
    let alone = machine::pool(1)?;
    let found = alone.install(|| reported(&question(request)?, request, stop));
    found.map_err(again::instead)
}

/// Answers a question that is read already, as [`path`] does.
///
/// # Errors
/// Same as [`path`].
pub fn path_of(
    question: &Question,
    request: &PathRequest,
    stop: &Stop,
) -> Result<PathReport, EngineError> {
    let alone = machine::pool(1)?;
    let found = alone.install(|| reported(question, request, stop));
    found.map_err(again::instead)
}

/// The engine that would answer, without a search.
///
/// # Errors
/// [`EngineError`] as [`path`] would return it before it searches.
pub fn planned(request: &PathRequest) -> Result<EngineId, EngineError> {
    let pool = machine::pool(request.options.threads)?;
    pool.install(|| chosen(&question(request)?, request))
}

fn chosen(question: &Question, request: &PathRequest) -> Result<EngineId, EngineError> {
    registry::choose(
        request.engine,
        &question.graph,
        &question.ask(),
        &request.options,
    )
}

/// The answer. If the run fails because of the puzzle, its folders are removed, unless the user
/// named one: only a run of this very library could resume there.
fn reported(
    question: &Question,
    request: &PathRequest,
    stop: &Stop,
) -> Result<PathReport, EngineError> {
    let found = searched(question, request, stop);
    if let Err(EngineError::Disagree(_) | EngineError::Plugin(PluginError::Broken { .. })) = &found
        && request.options.work.is_none()
    {
        let rules = rules_of(&question.graph)?;
        let asked = question.asked(&rules, &request.options, stop);
        for folder in asked.default_folders() {
            work::clear(&folder, true)?;
        }
    }
    found
}

fn searched(
    question: &Question,
    request: &PathRequest,
    stop: &Stop,
) -> Result<PathReport, EngineError> {
    let graph = &question.graph;
    let engine = chosen(question, request)?;
    let rules = rules_of(graph)?;
    let mut report = PathReport::of(graph, &rules, (question.start, question.goal_by_rules))?;
    let clock = (Instant::now(), ProcessTime::now());
    let asked = question.asked(&rules, &request.options, stop);
    let brief = briefly(engine, &asked)?;
    if brief.is_none()
        && let Some(proof) = graph.refute(question.start, question.goal.state())?
    {
        let proven = NoPathProof::Puzzle(proof.clone());
        report.summary = format!("impossible: {proven}");
        report.figures.proof = Some(proof);
        report.outcome = Outcome::Unreachable(proven);
        return Ok(report);
    }
    let answer = brief.map_or_else(|| answered(engine, &asked), Ok)?;
    let mut answer = answer.sound()?;
    let on_rules =
        graph.opened.variant == rules.opened.variant && question.goal == question.goal_by_rules;
    if !(engine == EngineId::REFERENCE && on_rules) {
        let by_rules = PathQuestion {
            goal: question.goal_by_rules,
            ..asked
        };
        recheck(&by_rules, &mut answer)?;
    }
    let (wall, cpu) = (clock.0.elapsed(), clock.1.elapsed());
    report.engine = Some(engine);
    report.figures = answer.figures;
    report.figures.wall_s = Some(wall.as_secs_f64());
    report.figures.cpu_s = Some(cpu.as_secs_f64());
    report.kept = answer.kept;
    // The path shown was replayed on the rulebook, which draws it.
    let states = answer.outcome.states().to_vec();
    report.moves = move_names(&rules, &states);
    report.outcome = answer.outcome.try_map(|&state| rules.draw(state))?;
    ask_along(&rules, &states)?;
    report.summary = format!("{}{}", answer.summary, again::confirm()?.remark());
    report.levels = answer.levels;
    Ok(report)
}

/// States of a search that is over before a proof that it must fail would be found.
const BRIEF: u64 = 1 << 10;

/// The answer of an engine that takes the most promising states first, if it soon finds a path.
/// `None` if a full search is still to come.
fn briefly(
    engine: EngineId,
    asked: &PathQuestion<'_, u128>,
) -> Result<Option<PathAnswer<u128>>, EngineError> {
    let graph = asked.graph;
    // Elsewhere a search leaves its levels in a folder.
    let layered = graph.has(Capabilities::LAYERED);
    if engine.facts().finds != Finds::ByEvaluation || !graph.refutes() || !layered {
        return Ok(None);
    }
    let options = EngineOptions {
        max_states: Some(asked.options.max_states.unwrap_or(BRIEF).min(BRIEF)),
        ..asked.options.clone()
    };
    let brief = PathQuestion {
        options: &options,
        ..*asked
    };
    let answer = answered(engine, &brief)?;
    Ok(Some(answer).filter(|answer| matches!(answer.outcome, Outcome::Path(_))))
}

/// The answer of an engine. Threads that it has no use for would only cost their start.
fn answered(
    engine: EngineId,
    asked: &PathQuestion<'_, u128>,
) -> Result<PathAnswer<u128>, EngineError> {
    if let Some(answer) = registry::answer_alone(engine, asked)? {
        return Ok(answer);
    }
    let threads = asked.options.threads;
    if threads <= 1 || engine.of().works_alone_on(asked.graph) {
        return registry::answer_together(engine, asked);
    }
    asked.stop.get_ready();
    let pool = machine::pool(threads)?;
    pool.install(|| registry::answer_together(engine, asked))
}

/// Compares the answer of a loaded library with its rulebook. That there is no path is only an
/// answer if the rulebook confirms it.
fn recheck(
    asked: &PathQuestion<'_, u128>,
    answer: &mut PathAnswer<u128>,
) -> Result<(), EngineError> {
    if borne_out(asked, &answer.outcome)? {
        return Ok(());
    }
    let library = &asked.graph.opened.library;
    let unchecked = StopReason::Unchecked(RECHECKED);
    let more = format!(
        "{unchecked}; --engine reference --variant {} searches it to the end",
        library.reference_variant()
    );
    answer.summary = format!("{}; {more}", answer.summary);
    if let Outcome::Unreachable(_) = answer.outcome {
        answer.outcome = Outcome::NotReached(match asked.stop.requested() {
            true => StopReason::Requested,
            false => unchecked,
        });
    }
    if let Outcome::Path(path) = &mut answer.outcome {
        path.shortest = false;
    }
    Ok(())
}

/// Asks a loaded rulebook about every state of a shown path, so that all of these questions are
/// repeated.
pub(crate) fn ask_along<K: Key>(rules: &Graph<K>, states: &[K]) -> Result<(), PluginError> {
    if rules.proves(Capabilities::NONE) || states.is_empty() {
        return Ok(());
    }
    ledger::pinned(|| {
        rules.expand(Direction::Forward, states, &mut Expansion::default())?;
        rules.is_solved(states)?;
        states.iter().try_for_each(|&key| rules.draw(key).map(drop))
    })
}

/// Opens the instance of a question and reads its states.
///
/// # Errors
/// [`EngineError`]: an unknown name, an invalid state, no start, no goal.
pub fn question(request: &PathRequest) -> Result<Question, EngineError> {
    let library = &request.library;
    let natural = match request.engine {
        Some(engine) => engine.variant(library),
        None => &library.variants[0],
    };
    let variant = request.variant.as_deref().unwrap_or(natural);
    // The solved states of the instance opened with that goal, or the puzzle's description of `to` as
    // a goal, if it has goals.
    let (as_goal, refused) = match with_goal(request, variant).transpose() {
        Ok(opened) => (opened, None),
        Err(refused) => (None, Some(refused)),
    };
    let opens_goal = as_goal.is_some();
    let opened = match as_goal {
        Some(opened) => opened,
        None => library.open(&request.instance, variant, &request.settings)?,
    };
    let graph = Graph::of(opened);
    let start = match &request.from {
        Some(text) => board::read(&graph, text)?,
        None => graph.start()?.ok_or_else(|| {
            EngineError::CannotHold(format!(
                "{}: has no start of its own; give a board by --board or --from",
                graph.opened.full_name()
            ))
        })?,
    };
    if request.from.is_none() && !graph.proves(Capabilities::NONE) {
        let rules = rules_of(&graph)?;
        if rules.start()? != Some(start) {
            let fault = format!(
                "gives '{}', which the rulebook does not",
                graph.draw(start)?
            );
            return Err(graph.opened.disagrees("starts", fault).into());
        }
    }
    let takes_goal = library.settings.iter().any(|setting| setting.key == "to");
    let solvable = !takes_goal || graph.has(Capabilities::SOLVED_ROOTS);
    if request.to.is_none() && !solvable {
        return Err(EngineError::CannotHold(format!(
            "{}: no state is solved until there is a goal; give one by --to",
            graph.opened.full_name()
        )));
    }
    let (goal, goal_by_rules) = match &request.to {
        None => (Goal::Solved, Goal::Solved),
        Some(_) if opens_goal => (only_goal(&graph)?, Goal::Solved),
        Some(text) => {
            let read = graph.parse(text);
            read.map_err(|error| refused.unwrap_or(error))?;
            let state = Goal::State(board::read(&graph, text)?);
            (state, state)
        }
    };
    Ok(Question {
        graph,
        start,
        goal,
        goal_by_rules,
    })
}

/// The instance opened with `to` as its goal, for puzzles that have a setting of that name. A
/// player's name of a goal need not be that of a state. In peg solitaire, `1:3` is a hole, the
/// state `1:3` all pegs but one, the goal `1:3` a last peg there.
fn with_goal(request: &PathRequest, variant: &str) -> Option<Result<Arc<Opened>, PluginError>> {
    let to = request.to.as_ref()?;
    let library = &request.library;
    let taken = library.settings.iter().any(|setting| setting.key == "to");
    if !taken || request.settings.contains_key("to") {
        return None;
    }
    let mut settings = request.settings.clone();
    settings.insert("to".to_owned(), to.clone());
    Some(library.open(&request.instance, variant, &settings))
}

/// The solved states as a goal; as a state if there is only one.
fn only_goal(graph: &Graph<u128>) -> Result<Goal<u128>, PluginError> {
    if !graph.has(Capabilities::SOLVED_ROOTS) || graph.opened.part_count != 1 {
        return Ok(Goal::Solved);
    }
    Ok(match graph.roots(Direction::Backward, 0)?[..] {
        [goal] => Goal::State(goal),
        _ => Goal::Solved,
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_known_adds_up_or_contradicts() {
        use KnownDistance::{AtLeast, Exactly, Unsolvable};
        assert_eq!(AtLeast(3).and(AtLeast(5)), Some(AtLeast(5)));
        assert_eq!(AtLeast(3).and(Exactly(3)), Some(Exactly(3)));
        assert_eq!(Exactly(2).and(AtLeast(3)), None);
        assert_eq!(AtLeast(3).and(Unsolvable), Some(Unsolvable));
        assert_eq!(Unsolvable.and(Exactly(3)), None);
        assert_eq!(Exactly(3).and(Exactly(3)), Some(Exactly(3)));
        assert_eq!(Exactly(3).and(Exactly(4)), None);
    }
}
