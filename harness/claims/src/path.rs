//! A path from a state to a goal, replayed on the rulebook. Levels show that no shorter one exists,
//! or a proof that there is no path.
//!
//! The second check depends on the basis of an engine's paths. Complete levels are found a second
//! time, levels in files are compared with the rulebook, and a lower bound is tried again with the
//! rulebook's own. A path of a heuristic search shows only itself.

use std::sync::Arc;

use antipode_check::analysis::{Analysis, Checks, Request, record};
use antipode_check::ask::Question;
use antipode_check::board;
use antipode_check::verify::{self as check, level_samples};
use antipode_graph::{Capabilities, Graph, Library, Opened, PluginError};
use antipode_reports::model::{Evidence, PATH_OF_CLAIM, Picture, PictureKind, Run};
use antipode_reports::{amount, count};
use antipode_search::engine::{EngineOptions, Finds, Opt, PathAnswer, QuestionKind};
use antipode_search::engines::find::check_path;
use antipode_search::engines::{EngineError, Roots, Search};
use antipode_search::forward::{ForwardSolver, Goal};
use antipode_search::observers::LevelSums;
use antipode_search::outcome::{FoundPath, NoPathProof, Outcome, StopReason};
use antipode_search::record::Clock;
use antipode_search::registry::{self, EngineId};
use antipode_search::work::clear;
use puzzle_api::{Direction, Effort, Settings};

use crate::context::Context;
use crate::diagnostic::{Diagnostic, Diagnostics, at};
use crate::effort::fitting_states;
use crate::levels::{DiskWorkFolder, found};
use crate::played::{Played, strip};
use crate::question::{ConfiguredInstance, can, first_start};

/// Most states of the plain search of a claim that names no engine, at quick effort: it takes up to
/// a minute.
const MOST_PLAIN: u64 = 5_000_000;

/// The path that a claim is about.
#[derive(Debug, Clone)]
pub(crate) struct PathClaim {
    pub place: ConfiguredInstance,
    /// Where it begins, as text; `None` takes the instance's start.
    pub from: Option<String>,
    /// Where it ends; `None` for any solved state.
    pub to: Option<String>,
    /// The named engine; without one, breadth-first search on the rulebook and on the fast variant.
    pub engine: Option<EngineId>,
    /// Every search ends here.
    pub max_depth: Option<u16>,
    /// Moves of a path by their names; then there is no search.
    pub given: Option<String>,
    /// Moves that the claim allows: levels beyond them decide nothing more.
    pub bound: Option<u16>,
}

impl PathClaim {
    /// The last level that can decide.
    fn deepest(&self) -> Option<u16> {
        self.max_depth.into_iter().chain(self.bound).min()
    }

    fn start(&self, graph: &Graph<u128>) -> Result<u128, EngineError> {
        match &self.from {
            Some(text) => board::read(graph, text),
            None => first_start(graph),
        }
    }

    fn goal(&self, graph: &Graph<u128>) -> Result<Goal<u128>, EngineError> {
        Ok(match &self.to {
            Some(text) => Goal::State(board::read(graph, text)?),
            None => Goal::Solved,
        })
    }
}

/// The outcome of a search, or one of the two that only claims distinguish.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum Ending {
    /// The outcome of a search; for `dfs` and `beam`, with any of the equally long paths.
    Searched(Outcome<u128>),
    /// No path has at most this many moves: those levels are complete.
    MoreThan(u16),
    /// The claim's own path does not lead to the goal.
    Broken {
        /// The fault.
        what: String,
        /// Its states up to the first invalid move.
        states: Vec<u128>,
    },
}

impl Ending {
    /// Number of moves of the path to the goal, if there is one.
    pub(crate) fn moves(&self) -> Option<u32> {
        match self {
            Self::Searched(Outcome::Path(path)) => Some(path.moves() as u32),
            Self::Searched(_) | Self::MoreThan(_) | Self::Broken { .. } => None,
        }
    }

    /// The puzzle's own proof that there is no path, in full.
    pub(crate) fn proof(&self) -> Option<&str> {
        match self {
            Self::Searched(Outcome::Unreachable(NoPathProof::Puzzle(text))) => Some(text),
            _ => None,
        }
    }

    /// States of a path, whether or not it leads to the goal; `None` if it has no move.
    fn states(&self) -> Option<&[u128]> {
        match self {
            Self::Searched(Outcome::Path(path)) => Some(&path.states),
            // A path that breaks at once has only its start.
            Self::Broken { states, .. } if states.len() > 1 => Some(states),
            _ => None,
        }
    }
}

/// What ended a search before it had an answer, in the words of claims, which have no options.
pub(crate) fn unanswered(outcome: &Outcome<u128>) -> String {
    match outcome.stop() {
        Some(StopReason::Depth(depth)) => format!("no path within {}", count(depth, "moves")),
        Some(reason) => reason.to_string(),
        None => "levels alone answer no path".to_owned(),
    }
}

/// The finding, and its evidence.
#[derive(Debug, Clone)]
pub(crate) struct ShownPath {
    pub answer: Answer,
    /// The board as text, and the text of its orbit's representative.
    pub board: String,
    pub canonical: String,
    /// The board, or the path as a strip.
    pub picture: Picture,
    /// Whether the outcome rests on levels of the fast variant, and on no search on the rulebook.
    pub rests_on_levels: bool,
    /// Seconds that the search for the path took.
    pub seconds: f64,
}

/// Finds a path.
///
/// # Errors
/// [`EngineError`]: bad input, a puzzle that breaks its contract, or an engine that cannot answer
/// the question.
pub(crate) fn path(claim: &PathClaim, context: &Context) -> Result<ShownPath, EngineError> {
    let question = ReadQuestion::new(claim);
    question.map_err(Diagnostics::first)?.answer(context)
}

/// Finds input errors without a search: boards that cannot be read, names of no moves, an instance
/// without a start, or an engine that cannot answer. `named` is the engine of the run.
pub(crate) fn check(claim: &PathClaim, named: Option<EngineId>) -> Result<(), Diagnostics> {
    Ok(ReadQuestion::new(claim)?.check(named)?)
}

/// Whether some instance of the puzzle accepts a board: then one that refuses it cannot hold it. A
/// board that none accepts is misspelt.
pub(crate) fn held_elsewhere(library: &Arc<Library>, board: &str) -> bool {
    let reference = library.reference_variant();
    let takes = |opened: Arc<Opened>| Graph::of(opened).parse(board).is_ok();
    library.instances.iter().any(|instance| {
        let opened = library.open(&instance.name, reference, &Settings::new());
        opened.is_ok_and(takes)
    })
}

/// The question with its boards read.
struct ReadQuestion<'a> {
    claim: &'a PathClaim,
    /// As the rulebook has it.
    by_rules: Question,
}

/// A path, or why there is none.
#[derive(Debug, Clone)]
pub(crate) struct Answer {
    pub ending: Ending,
    /// The subject of the search, in a line.
    pub searched: String,
    /// Moves by the other variant, if it differs: our own derivations disagree.
    pub disagreement: Option<String>,
    /// Variants used.
    pub variants: String,
    /// Engine, for the table of verdicts.
    pub engine: &'static str,
    /// The unconfirmed basis of the outcome, if a path alone does not decide.
    pub unchecked: Option<&'static str>,
    /// Complete levels from the start, with the record of their run.
    pub analysis: Option<Analysis>,
}

impl Answer {
    /// An ending, by an engine on a graph.
    fn of(
        ending: Ending,
        searched: impl Into<String>,
        engine: &'static str,
        graph: &Graph<u128>,
    ) -> Self {
        Self {
            ending,
            searched: searched.into(),
            disagreement: None,
            variants: graph.opened.variant.clone(),
            engine,
            unchecked: None,
            analysis: None,
        }
    }
}

impl<'a> ReadQuestion<'a> {
    /// Reads the boards, or finds the keys that are at fault.
    fn new(claim: &'a PathClaim) -> Result<Self, Diagnostics> {
        let rules: Graph<u128> = Graph::of(claim.place.checked()?);
        let mut diagnostics = Diagnostics::default();
        let start = claim.start(&rules);
        let start = diagnostics.take(match claim.from {
            Some(_) => at("board", start),
            None => start.map_err(Diagnostic::from),
        });
        let goal = diagnostics.take(at("to", claim.goal(&rules)));
        let Some((start, goal)) = start.zip(goal) else {
            return Err(diagnostics);
        };
        let by_rules = Question {
            graph: rules,
            start,
            goal,
            goal_by_rules: goal,
        };
        Ok(Self { claim, by_rules })
    }

    /// Checks that the given moves can be read, or that the engines can answer.
    fn check(&self, named: Option<EngineId>) -> Result<(), Diagnostic> {
        if let Some(moves) = &self.claim.given {
            let played = Played::on(&self.by_rules.graph, self.by_rules.start, moves);
            return at(
                "path",
                played.and_then(|played| self.has_own_letters(&played)),
            );
        }
        let (engine, flagged) = match (self.claim.engine, named) {
            (Some(engine), _) => (engine, false),
            // The engine of the run searches a second time.
            (None, Some(named)) => (named, true),
            (None, None) => return Ok(()),
        };
        let graph: Graph<u128> = self.claim.place.open(self.claim.place.variant(engine))?;
        match can(engine, &graph, &self.by_rules.ask(), flagged) {
            // If the puzzle proves that there is no path, no engine is used.
            Err(_) if self.refuted()?.is_some() => Ok(()),
            fits => fits,
        }
    }

    /// Refuses to say that a path breaks if the puzzle gives the pieces other letters than the
    /// claim: its moves would be those of other pieces.
    fn has_own_letters(&self, played: &Played) -> Result<(), EngineError> {
        let (claim, rules) = (self.claim, &self.by_rules.graph);
        let board = claim.place.settings.get("board");
        let (Some(written), true) = (claim.from.as_ref().or(board), played.broken.is_some()) else {
            return Ok(());
        };
        let drawn = rules.draw(self.by_rules.start)?;
        // A square board may be written in one line.
        let [written, its] = [written, &drawn].map(|text| text.replace(['/', ' '], ""));
        if board::renames(&rules.opened.library.legend, &written, &its) != Some(true) {
            return Ok(());
        }
        Err(EngineError::CannotHold(format!(
            "{}: path: it breaks, and the board is read as '{drawn}': name the moves by these letters",
            rules.opened.full_name()
        )))
    }

    fn answer(&self, context: &Context) -> Result<ShownPath, EngineError> {
        let clock = Clock::start();
        let answer = match (self.refuted()?, &self.claim.given) {
            (Some(answer), _) => answer,
            (None, Some(moves)) => self.given(moves)?,
            (None, None) => self.searched(context)?,
        };
        let seconds = clock.wall().as_secs_f64();
        let Question {
            graph: rules,
            start,
            goal,
            ..
        } = &self.by_rules;
        if let Some(states) = answer.ending.states() {
            let leads = answer.ending.moves().is_some();
            check_path(rules, states, Some(goal).filter(|_| leads))?;
        }
        let mut canonical = [*start];
        rules.canonical(&mut canonical, None)?;
        Ok(ShownPath {
            picture: self.picture(&answer.ending)?,
            answer,
            board: rules.draw(*start)?,
            canonical: rules.draw(canonical[0])?,
            rests_on_levels: self.rests_on_levels(),
            seconds,
        })
    }

    /// The path that the claim brings along, played on the rulebook and on the fast variant.
    fn given(&self, moves: &str) -> Result<Answer, EngineError> {
        let rules = &self.by_rules.graph;
        let (states, broken) = plays(&self.by_rules, moves)?;
        let fast = self.fast()?;
        let (mut variants, mut disagreement) = (rules.opened.variant.clone(), None);
        if fast.graph.opened.variant != variants {
            let by = &fast.graph.opened.variant;
            let leads = match broken {
                None => check_path(&fast.graph, &states, Some(&fast.goal)).is_ok(),
                Some(_) => plays(&fast, moves).is_ok_and(|(_, broken)| broken.is_none()),
            };
            disagreement = match &broken {
                None if !leads => Some(format!("a path by {variants}, and none by {by}")),
                Some((what, _)) if leads => Some(format!("{what} by {variants}, a path by {by}")),
                _ => None,
            };
            variants = format!("{variants} and {by}");
        }
        let answer = match broken {
            Some((what, why)) => {
                Answer::of(Ending::Broken { what, states }, why, PATH_OF_CLAIM, rules)
            }
            None => {
                let path = FoundPath {
                    states,
                    shortest: false,
                };
                let ending = Ending::Searched(Outcome::Path(path));
                let searched = "the path of the claim, played on the rulebook";
                Answer {
                    unchecked: Some("a path proves only an upper bound on the length"),
                    ..Answer::of(ending, searched, PATH_OF_CLAIM, rules)
                }
            }
        };
        Ok(Answer {
            disagreement,
            variants,
            ..answer
        })
    }

    /// Whether levels kept in files answer, unless the puzzle proves that there is no path.
    fn rests_on_levels(&self) -> bool {
        let engine = self.claim.engine;
        engine.is_some_and(EngineId::keeps_levels)
    }

    /// The answer of a search.
    fn searched(&self, context: &Context) -> Result<Answer, EngineError> {
        let Some(engine) = self.claim.engine else {
            return self.twice_forward(context);
        };
        match engine.facts().finds {
            Finds::ByLevels if self.rests_on_levels() => self.in_files(engine, context),
            Finds::ByLevels => self.twice_forward(context),
            Finds::ByEvaluation => self.by_evaluation(engine, context),
            Finds::ByBound => self.by_bound(engine, context),
        }
    }

    /// The question on another variant; its start must be the rulebook's, or the variants are
    /// different games.
    fn on(&self, variant: &str) -> Result<Question, EngineError> {
        let graph: Graph<u128> = self.claim.place.open(variant)?;
        let start = self.claim.start(&graph)?;
        if start != self.by_rules.start {
            let own = graph.draw(start)?;
            let other = self.by_rules.graph.draw(self.by_rules.start)?;
            let fault = format!("gives '{own}', and the rulebook '{other}'");
            return Err(graph.opened.disagrees("starts", fault).into());
        }
        Ok(Question {
            goal: self.claim.goal(&graph)?,
            graph,
            ..self.by_rules.clone()
        })
    }

    /// The question on the fast variant.
    fn fast(&self) -> Result<Question, EngineError> {
        self.on(&self.claim.place.library.variants[0])
    }

    /// The puzzle's own proof that there is no path, if it has one.
    fn refuted(&self) -> Result<Option<Answer>, EngineError> {
        let rules = &self.by_rules.graph;
        let proof = rules.refute(self.by_rules.start, self.by_rules.goal.state())?;
        Ok(proof.map(|proof| {
            let none = Outcome::Unreachable(NoPathProof::Puzzle(proof));
            Answer::of(Ending::Searched(none), "", "proof", rules)
        }))
    }

    /// The answer of an engine on a variant.
    fn ask(
        &self,
        engine: EngineId,
        question: &Question,
        options: &EngineOptions,
        context: &Context,
    ) -> Result<PathAnswer<u128>, EngineError> {
        let rules = &self.by_rules.graph;
        let asked = question.asked(rules, options, &context.stop);
        registry::choose(Some(engine), &question.graph, &asked.ask(), options)?;
        registry::answer(engine, &asked)
    }

    /// Breadth-first search on the rulebook and on the fast variant, which must agree; and the
    /// complete levels up to the goal.
    fn twice_forward(&self, context: &Context) -> Result<Answer, EngineError> {
        let rules = &self.by_rules.graph;
        let path = self.plainly(&self.by_rules, context)?;
        let seen = path.figures.states_seen.unwrap_or_default();
        if let Outcome::NotReached(StopReason::States(_)) = path.outcome {
            let ending = Ending::Searched(path.outcome);
            let searched = self.named_none()?;
            return Ok(Answer::of(ending, searched, "forward search", rules));
        }
        let cut = matches!(path.outcome, Outcome::NotReached(StopReason::Depth(_)));
        let again = self.once_more(cut, context)?;
        let last = match &path.outcome {
            Outcome::Path(path) => Some(path.moves() as u16),
            Outcome::NotReached(StopReason::Depth(depth)) => Some(*depth),
            Outcome::Unreachable(_) | Outcome::Levels | Outcome::NotReached(_) => None,
        };
        let table = Request {
            engine: Some(EngineId::HASH),
            direction: Some(Direction::Forward),
            from: Some(rules.draw(self.by_rules.start)?),
            max_depth: last,
            // The rulebook's own search decides.
            checks: Checks::OFF,
            ..context.plain(&self.claim.place)
        };
        let disagreement = again
            .as_ref()
            .filter(|(_, other)| contradict(&path.outcome, other))
            .map(|(by, other)| {
                let variant = &rules.opened.variant;
                let (one, other) = (told(&path.outcome), told(other));
                format!("{one} by {variant}, {other} by {by}")
            });
        let ending = match path.outcome {
            Outcome::NotReached(StopReason::Depth(depth)) => Ending::MoreThan(depth),
            outcome => Ending::Searched(outcome),
        };
        let searched = format!("{} seen", amount(&seen.to_string(), "states"));
        let mut answer = Answer::of(ending, searched, "forward search", rules);
        if let Some((by, _)) = again {
            answer.variants = format!("{} and {by}", answer.variants);
        }
        answer.disagreement = disagreement;
        answer.analysis = Some(found(&table, context)?);
        Ok(answer)
    }

    /// The limit of the plain search: a named engine says that the search may be long.
    fn most_plain(&self, effort: Effort) -> Option<u64> {
        let limited = self.claim.engine.is_none() && effort == Effort::Quick;
        limited.then_some(MOST_PLAIN)
    }

    /// What limited the search of a claim that names no engine, and the engines that answer it
    /// without a plain search of all states in memory.
    fn named_none(&self) -> Result<String, EngineError> {
        let place = &self.claim.place;
        let mut fitting = Vec::new();
        let bounded = |engine: &EngineId| engine.facts().finds == Finds::ByBound;
        let mut all = EngineId::all(QuestionKind::Path);
        // A bound needs the fewest states.
        all.sort_by_key(|engine| !bounded(engine));
        for engine in all {
            // A shared search is for several processes.
            if engine.is_shared() || !bounded(&engine) && !engine.keeps_levels() {
                continue;
            }
            let graph = place.open(place.variant(engine))?;
            if registry::obstacle(engine, &graph, &self.by_rules.ask()).is_none() {
                fitting.push(format!("engine = \"{engine}\""));
            }
        }
        fitting.push("--effort full".to_owned());
        let remedies = fitting.join(" or ");
        Ok(format!("a search without `engine`; try {remedies}"))
    }

    /// The answer of the plain queue on a variant.
    fn plainly(
        &self,
        question: &Question,
        context: &Context,
    ) -> Result<PathAnswer<u128>, EngineError> {
        let options = EngineOptions {
            max_depth: self.claim.max_depth,
            max_states: self.most_plain(context.effort),
            ..EngineOptions::threads(context.threads)
        };
        self.ask(EngineId::REFERENCE, question, &options, context)
    }

    /// The second derivation: with the named engine, else breadth-first on the fast variant. `None`
    /// if that is the rulebook, or if the first was cut off and the engine cannot be.
    fn once_more(
        &self,
        cut: bool,
        context: &Context,
    ) -> Result<Option<(String, Outcome<u128>)>, EngineError> {
        let place = &self.claim.place;
        // The plain queue on the rulebook was the first derivation.
        let named = self.claim.engine;
        let named = named.or(context.engine_for(QuestionKind::Path));
        let Some(named) = named.filter(|&named| named != EngineId::REFERENCE) else {
            let fast = self.fast()?;
            if fast.graph.opened.variant == self.by_rules.graph.opened.variant {
                return Ok(None);
            }
            let path = self.plainly(&fast, context)?;
            return Ok(Some((fast.graph.opened.variant.clone(), path.outcome)));
        };
        let ends_early = named.takes(QuestionKind::Path, Opt::MaxDepth);
        if cut && !ends_early {
            return Ok(None);
        }
        let question = self.on(place.variant(named))?;
        let options = EngineOptions {
            max_depth: self.claim.max_depth.filter(|_| ends_early),
            ..context.options(
                QuestionKind::Path,
                Some(named),
                (&place.library, &place.instance),
            )
        };
        let answer = self.ask(named, &question, &options, context)?.sound()?;
        // A claim's own bound on the depth ends its search.
        let ended = matches!(answer.outcome.stop(), Some(StopReason::Depth(_)));
        let kept = answer.kept.or(options.work.filter(|_| ended));
        if let Some(folder) = kept.filter(|_| ended || answer.outcome.is_answer()) {
            clear(&folder, true)?;
        }
        let by = format!("{named} on {}", question.graph.opened.variant);
        Ok(Some((by, answer.outcome)))
    }

    /// Breadth first on the fast variant with its levels in files; samples of each level are
    /// compared with the rulebook.
    fn in_files(&self, engine: EngineId, context: &Context) -> Result<Answer, EngineError> {
        let question = self.fast()?;
        let clock = Clock::start();
        let max_depth = self.claim.deepest();
        let work = DiskWorkFolder::make(&self.claim.place, "path", context)?;
        let options = EngineOptions {
            max_depth,
            show_progress: context.show_progress,
            ..work.options.clone()
        };
        let answer = self.ask(engine, &question, &options, context)?;
        let seen = LevelSums::of(&answer.levels);
        let (outcome, mut spent) = (answer.outcome, answer.spent);
        let stop = outcome.stop().cloned();
        let ending = by_levels(outcome, max_depth, &seen);
        let finished = !matches!(&ending, Ending::Searched(outcome) if !outcome.is_answer());
        if finished {
            work.clear()?;
        }
        let sampled = spent.sampled.clone().unwrap_or_default();
        let (samples, faults) = level_samples(&sampled, seen.total_orbits());
        let (mut evidence, mut proof) = (vec![samples], check::Proof::None);
        let mut disagreement = faults.first().cloned();
        match self.by_rulebook(&ending, &seen, context)? {
            None => {}
            Some(true) => {
                evidence.push(rulebook(seen.total_states()));
                proof = check::Proof::Complete;
            }
            Some(false) => {
                disagreement = Some("the rulebook has other levels, or another end".to_owned());
            }
        }
        let roots = Roots::State(question.start);
        let graph = question.graph.clone();
        let mut search = Search::new(graph, Direction::Forward, roots, max_depth)?;
        // A path consists of states, not of orbits.
        search.symmetry = false;
        spent.expanded = spent.expanded.max(seen.total_states());
        let because = because(&ending);
        let run = Run {
            engine: engine.name().into(),
            from: Some(self.by_rules.graph.draw(question.start)?),
            threads: context.threads as u32,
            seed: context.seed,
            command: context.command.clone(),
            parts_done: finished.into(),
            parts_total: 1,
            complete: because.is_none(),
            stopped_because: because,
            stop: stop.as_ref().map(StopReason::record),
            ..record(&search, &clock, &spent)
        };
        let searched = format!(
            "{} within {}, by complete levels",
            count(seen.total_states(), "positions"),
            count(seen.iter().count().saturating_sub(1), "moves")
        );
        Ok(Answer {
            disagreement,
            analysis: Some(Analysis {
                run,
                levels: seen.table(false),
                costs: spent.levels,
                evidence,
                faults,
                proof,
                finished,
                stop,
                ..Analysis::default()
            }),
            ..Answer::of(ending, searched, engine.name(), &question.graph)
        })
    }

    /// Whether a search on the rulebook reaches the same end by the same levels, with exactly as
    /// many states in each. `None` if there are too many states, or no end to confirm.
    fn by_rulebook(
        &self,
        ending: &Ending,
        seen: &LevelSums,
        context: &Context,
    ) -> Result<Option<bool>, EngineError> {
        let states = seen.total_states();
        let most = fitting_states(context.effort);
        if states == 0 || states > most {
            return Ok(None);
        }
        let deepest = match ending {
            Ending::Searched(outcome) if outcome.is_answer() => None,
            Ending::MoreThan(depth) => Some(*depth),
            Ending::Broken { .. } | Ending::Searched(_) => return Ok(None),
        };
        let rules = ForwardSolver::new(self.by_rules.graph.clone());
        let Question { start, goal, .. } = &self.by_rules;
        let mut stopping = || context.stop.requested();
        // A level beyond those found shows that the two differ, however many states it has.
        let most = (most.max(states), deepest);
        let path = rules.shortest_no_deeper(most, *start, goal, &mut stopping)?;
        let same_end = match (ending, &path.outcome) {
            (_, Outcome::NotReached(StopReason::Requested)) => return Ok(None),
            (Ending::Searched(one), other) => {
                one.fewest().is_some() && one.fewest() == other.fewest()
            }
            (Ending::MoreThan(_), Outcome::NotReached(StopReason::Depth(_))) => true,
            _ => false,
        };
        let found = seen.iter().map(|(_, level)| level.states);
        Ok(Some(same_end && path.levels.into_iter().eq(found)))
    }

    /// A path chosen by evaluation; in a layered graph all are equally long.
    fn by_evaluation(&self, engine: EngineId, context: &Context) -> Result<Answer, EngineError> {
        let question = self.fast()?;
        let graph = &question.graph;
        let options = EngineOptions {
            seed: Some(context.seed),
            ..EngineOptions::threads(context.threads)
        };
        let answer = self.ask(engine, &question, &options, context)?;
        let nodes = answer.figures.states_seen.unwrap_or_default();
        let outcome = answer.outcome;
        let layered = graph.has(Capabilities::LAYERED);
        let unchecked = match &outcome {
            Outcome::Unreachable(NoPathProof::Puzzle(_)) => None,
            Outcome::Path(_) if layered => {
                let stated = "that all paths are equally long is only stated by the puzzle";
                (!graph.proves(Capabilities::NONE)).then_some(stated)
            }
            Outcome::Path(found) if !found.shortest => {
                Some("a path that is found by the most promising states need not be the shortest")
            }
            Outcome::Path(_) | Outcome::Unreachable(_) => {
                Some("the search went over the fast variant alone")
            }
            _ => None,
        };
        let expanded = format!("{} expanded", count(nodes, "states"));
        // These engines return the first path that they meet, however long.
        let (ending, searched, unchecked) = match (&outcome, self.claim.max_depth) {
            (Outcome::Path(path), Some(most)) if path.moves() > most.into() => {
                let why = format!(
                    "the path found takes {}, and those within {most} are not all searched",
                    count(path.moves(), "moves")
                );
                (Outcome::NotReached(StopReason::Depth(most)), why, None)
            }
            _ => (outcome, expanded, unchecked),
        };
        Ok(Answer {
            unchecked,
            ..Answer::of(Ending::Searched(ending), searched, engine.name(), graph)
        })
    }

    /// A path by the fast variant's bound, and its length once more by the rulebook's.
    fn by_bound(&self, engine: EngineId, context: &Context) -> Result<Answer, EngineError> {
        let question = self.fast()?;
        let options = EngineOptions {
            max_depth: self.claim.deepest(),
            ..EngineOptions::threads(context.threads)
        };
        let found = self.ask(engine, &question, &options, context)?;
        let by_fast = decided(&found.outcome);
        let expanded = count(found.figures.states_seen.unwrap_or_default(), "states");
        let ending = match found.outcome {
            Outcome::NotReached(StopReason::Depth(depth)) => Ending::MoreThan(depth),
            outcome => Ending::Searched(outcome),
        };
        let mut answer = Answer::of(
            ending,
            format!("{expanded} expanded"),
            engine.name(),
            &question.graph,
        );
        let Some(by_fast) = by_fast else {
            return Ok(answer);
        };
        match self.by_rules_bound(engine, context)? {
            Ok(by_rules) => {
                let (fast, rules) = (answer.variants, &self.by_rules.graph.opened.variant);
                answer.disagreement = (by_rules != by_fast)
                    .then(|| format!("{by_fast} by {fast}, {by_rules} by {rules}"));
                answer.variants = format!("{fast} and {rules}");
            }
            Err(why) => answer.unchecked = Some(why),
        }
        Ok(answer)
    }

    /// The distance by the rulebook's own bound, as [`decided`] has it, or why it is not known.
    fn by_rules_bound(
        &self,
        engine: EngineId,
        context: &Context,
    ) -> Result<Result<String, &'static str>, EngineError> {
        let rules = &self.by_rules.graph;
        if !rules.proves(Capabilities::NONE) {
            return Ok(Err("that no path is shorter is only stated by the puzzle"));
        }
        if !rules.has(Capabilities::LOWER_BOUND) {
            return Ok(Err("the rulebook has no lower bound of its own"));
        }
        let options = EngineOptions {
            max_states: Some(fitting_states(context.effort)),
            max_depth: self.claim.deepest(),
            ..EngineOptions::threads(context.threads)
        };
        let again = self.ask(engine, &self.by_rules, &options, context)?;
        Ok(decided(&again.outcome).ok_or(
            "the rulebook's own lower bound leaves more states open than this effort expands",
        ))
    }

    fn picture(&self, ending: &Ending) -> Result<Picture, PluginError> {
        let instance = &self.claim.place.instance;
        let rules = &self.by_rules.graph;
        let Some(states) = ending.states() else {
            let what = match ending {
                Ending::Searched(Outcome::Unreachable(_)) => "cannot be solved",
                _ => "the start",
            };
            return Ok(Picture {
                caption: format!("{instance}: {what}"),
                kind: PictureKind::Board {
                    state: rules.draw(self.by_rules.start)?,
                },
            });
        };
        let sort = match self.claim.engine.map(|engine| engine.facts().finds) {
            _ if matches!(ending, Ending::Broken { .. }) => "the published path",
            _ if self.claim.given.is_some() => "a solution",
            Some(Finds::ByEvaluation) => "a solution",
            Some(Finds::ByLevels | Finds::ByBound) | None => "a shortest solution",
        };
        let moves = count(states.len() - 1, rules.opened.unit());
        strip(rules, format!("{instance}: {sort}, {moves}"), states)
    }
}

/// The fault of a path, and its reason; `None` if it leads to its goal.
type Flaw = Option<(String, String)>;

/// The states of a path, given by its moves, and its fault.
fn plays(question: &Question, moves: &str) -> Result<(Vec<u128>, Flaw), EngineError> {
    let played = Played::on(&question.graph, question.start, moves)?;
    let broken = match played.broken {
        Some(why) => Some((format!("a path that breaks at move {}", why.0), why.1)),
        None => elsewhere(question, &played.states)?,
    };
    Ok((played.states, broken))
}

/// The finding for a path that does not end where it should, and where it ends.
fn elsewhere(question: &Question, states: &[u128]) -> Result<Flaw, EngineError> {
    let (rules, last) = (&question.graph, states[states.len() - 1]);
    if question.goal.smallest_of(rules, &[last])?.is_some() {
        return Ok(None);
    }
    let what = match question.goal {
        Goal::State(_) => "which is not where it is to end",
        Goal::Solved => "which is not solved",
    };
    let moves = states.len() - 1;
    let why = format!(
        "the published path ends at {} after {}, {what}",
        rules.draw(last)?,
        count(moves, "moves")
    );
    Ok(Some(("a path that ends elsewhere".to_owned(), why)))
}

/// The evidence of a search on the rulebook that has the same levels.
fn rulebook(states: u64) -> Evidence {
    let text = "The same levels, of as many states each, by a search on the rulebook.";
    Evidence {
        population: Some(states.into()),
        ..check::evidence("rulebook", states, 0, None, text.to_owned())
    }
}

/// How a search by complete levels ended. They confirm a bound only if the last requested one is
/// there.
fn by_levels(outcome: Outcome<u128>, max_depth: Option<u16>, seen: &LevelSums) -> Ending {
    let last = max_depth.filter(|&depth| seen.level(depth).orbits > 0);
    match (outcome, last) {
        (Outcome::NotReached(_), Some(depth)) => Ending::MoreThan(depth),
        (outcome, _) => Ending::Searched(outcome),
    }
}

/// Why levels are missing, if some are.
fn because(ending: &Ending) -> Option<String> {
    match ending {
        Ending::Searched(Outcome::Path(_)) => Some("the goal was met".to_owned()),
        Ending::Searched(Outcome::Unreachable(_)) => None,
        Ending::Searched(open) => Some(unanswered(open)),
        Ending::MoreThan(depth) => Some(format!("no goal within {}", count(depth, "moves"))),
        Ending::Broken { what, .. } => Some(what.clone()),
    }
}

fn text_of(fewest: Option<usize>) -> String {
    match fewest {
        None => "unsolvable".into(),
        Some(moves) => count(moves, "moves"),
    }
}

/// What a search by a lower bound shows: the fewest moves, that there is no path, or none up to a
/// depth. `None` if it ended before.
fn decided(outcome: &Outcome<u128>) -> Option<String> {
    match outcome {
        Outcome::NotReached(StopReason::Depth(depth)) => {
            Some(format!("more than {}", count(*depth, "moves")))
        }
        outcome => outcome.fewest().map(text_of),
    }
}

/// Whether two answers to one question cannot both be right. Neither a path that need not be the
/// shortest nor a search that ended early contradicts another length.
fn contradict(one: &Outcome<u128>, other: &Outcome<u128>) -> bool {
    if let (Some(one), Some(other)) = (one.fewest(), other.fewest()) {
        return one != other;
    }
    let within = |path: &Outcome<u128>, cut: &Outcome<u128>| match (path, cut) {
        (Outcome::Path(path), Outcome::NotReached(StopReason::Depth(most))) => {
            path.moves() <= usize::from(*most)
        }
        _ => false,
    };
    within(one, other) || within(other, one)
}

/// The length in an answer.
fn told(outcome: &Outcome<u128>) -> String {
    match outcome {
        Outcome::Path(found) => text_of(Some(found.moves())),
        Outcome::NotReached(StopReason::Depth(most)) => {
            format!("none within {}", count(most, "moves"))
        }
        other => text_of(other.fewest().flatten()),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use antipode_graph::builtin;

    /// `hanoi/4-12` of `OEIS` A007664 has 16,777,216 states, more than the plain search takes.
    #[test]
    fn only_a_claim_without_an_engine_is_limited_and_told_what_fits() {
        for (puzzle, instance, from, named) in [
            ("hanoi", "4-12", None, vec!["disk"]),
            ("pancake", "plain-11", Some("123456789ab"), vec!["disk"]),
            ("sliding-tile", "4x4", Some("goal"), vec!["disk", "ida"]),
        ] {
            let claim = |engine| PathClaim {
                place: ConfiguredInstance {
                    library: Arc::new(builtin::named(puzzle).expect(puzzle)),
                    instance: instance.to_owned(),
                    settings: Settings::new(),
                },
                from: from.map(str::to_owned),
                to: None,
                engine,
                max_depth: None,
                given: None,
                bound: None,
            };
            let plain = claim(None);
            let question = ReadQuestion::new(&plain).map_err(Diagnostics::first);
            let question = question.expect(puzzle);
            assert_eq!(question.most_plain(Effort::Quick), Some(MOST_PLAIN));
            assert_eq!(question.most_plain(Effort::Full), None);
            let said = question.named_none().expect(puzzle);
            let engines = EngineId::all(QuestionKind::Path).into_iter();
            let said = engines.filter(|engine| said.contains(&format!("\"{engine}\"")));
            assert!(said.map(EngineId::name).eq(named), "{puzzle}");
            let own = claim(Some(EngineId::HASH));
            let question = ReadQuestion::new(&own).map_err(Diagnostics::first);
            assert_eq!(question.expect(puzzle).most_plain(Effort::Quick), None);
        }
    }
}
