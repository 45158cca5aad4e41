//! A path from a state to a goal: replayed on the rulebook, with the levels that show that
//! there is none shorter, or a proof that there is none at all.

mod bounded;
mod ending;
mod forward;
mod given;

pub(crate) use ending::{Ending, unanswered};
pub(crate) use given::played;

use std::sync::Arc;

use antipode_check::analysis::Analysis;
use antipode_check::verify::{self as check, level_samples};
use antipode_graph::{Capabilities, Graph, Library, Opened, PluginError, move_names};
use antipode_reports::count;
use antipode_reports::model::{Evidence, Picture, PictureKind};
use antipode_search::engine::{self, Ask, Finds, Means, PathAnswer};
use antipode_search::engines::find::check_path;
use antipode_search::engines::{EngineError, Roots, Search};
use antipode_search::forward::{ForwardSolver, Goal};
use antipode_search::observers::LevelSums;
use antipode_search::open::{AnyWidth, any_graph, typed_graph, with_keys_of};
use antipode_search::outcome::{Outcome, Proof, StopReason};
use antipode_search::registry::{self, EngineId};
use puzzle_api::{Direction, Key, Settings};

use super::record::{Clock, Ended, Ran, Work};
use crate::context::Context;
use crate::misfit::{Misfit, Misfits, at};
use crate::question::{PathQuestion, can};

/// What was found, and what shows it.
#[derive(Debug, Clone)]
pub(crate) struct Found {
    pub ending: Ending<()>,
    /// Moves by the other variant, where it differs: our own derivations disagree.
    pub disagreement: Option<String>,
    /// What was searched, in a line.
    pub searched: String,
    /// The board as text, and the text of its orbit's representative.
    pub board: String,
    pub canonical: String,
    /// The board, or the path as a strip.
    pub picture: Picture,
    /// Variants used.
    pub variants: String,
    /// Engine, for the table of verdicts.
    pub engine: String,
    /// What the ending rests on and nothing here bears out, where a path alone does not decide.
    pub unchecked: Option<&'static str>,
    /// Complete levels from the start, with the record of their run.
    pub analysis: Option<Analysis>,
    /// Whether the ending rests on those levels, as the fast variant has them, and on no search
    /// on the rulebook.
    pub rests_on_levels: bool,
    /// Seconds that the search for the path took.
    pub seconds: f64,
}

/// Finds a path.
///
/// # Errors
/// [`EngineError`]: bad input, a puzzle that breaks its contract, or an engine that cannot
/// take the question.
pub(crate) fn path(question: &PathQuestion, context: &Context) -> Result<Found, EngineError> {
    struct Answer<'a>(&'a PathQuestion, &'a Context);
    impl AnyWidth for Answer<'_> {
        type Output = Result<Found, EngineError>;

        fn with<K: Key>(self) -> Self::Output {
            Asked::<K>::new(self.0)?.answer(self.1)
        }
    }
    with_keys_of(&question.place.library, Answer(question, context))
}

/// Finds boards that cannot be read, moves that name none, an instance without a start, or an
/// engine that cannot answer, without searching. `named` is the engine that the run was given.
///
/// # Errors
/// [`Misfits`]: what [`path`] would fail of.
pub(crate) fn check(question: &PathQuestion, named: Option<EngineId>) -> Result<(), Misfits> {
    struct Check<'a>(&'a PathQuestion, Option<EngineId>);
    impl AnyWidth for Check<'_> {
        type Output = Result<(), Misfits>;

        fn with<K: Key>(self) -> Self::Output {
            Ok(Asked::<K>::checked(self.0)?.check(self.1)?)
        }
    }
    with_keys_of(&question.place.library, Check(question, named))
}

/// Whether some instance of the puzzle takes a board: then an instance that does not
/// cannot hold it; a board that none takes is misspelt.
pub(crate) fn held_elsewhere(library: &Arc<Library>, board: &str) -> bool {
    let reference = library.reference_variant();
    let takes =
        |opened: Arc<Opened>| any_graph(opened).is_ok_and(|graph| graph.parse(board).is_ok());
    library.instances.iter().any(|instance| {
        let opened = library.open(&instance.name, reference, &Settings::new());
        opened.is_ok_and(takes)
    })
}

/// A question with the boards read.
struct Asked<'a, K> {
    question: &'a PathQuestion,
    rules: Graph<K>,
    start: K,
    goal: Goal<K>,
}

/// A path, or why there is none, before it is shown.
struct Answer<K> {
    ending: Ending<K>,
    searched: String,
    disagreement: Option<String>,
    variants: String,
    engine: &'static str,
    unchecked: Option<&'static str>,
    analysis: Option<Analysis>,
}

impl<'a, K: Key> Asked<'a, K> {
    fn new(question: &'a PathQuestion) -> Result<Self, EngineError> {
        let rules: Graph<K> = question.place.rules()?;
        Ok(Self {
            start: question.start(&rules)?,
            goal: question.goal(&rules)?,
            question,
            rules,
        })
    }

    /// As [`Asked::new`], with the keys that are at fault.
    fn checked(question: &'a PathQuestion) -> Result<Self, Misfits> {
        let rules: Graph<K> = typed_graph(question.place.checked()?)?;
        let mut misfits = Misfits::default();
        let start = question.start(&rules);
        let start = misfits.take(match question.from {
            Some(_) => at("board", start),
            None => start.map_err(Misfit::from),
        });
        let goal = misfits.take(at("to", question.goal(&rules)));
        match (start, goal) {
            (Some(start), Some(goal)) => Ok(Self {
                start,
                goal,
                question,
                rules,
            }),
            _ => Err(misfits),
        }
    }

    /// Finds out that the moves given are some, or that the engines can answer.
    fn check(&self, named: Option<EngineId>) -> Result<(), Misfit> {
        if self.question.given.is_some() {
            return at("path", self.can_play());
        }
        let (start, goal) = (Some(self.start), &self.goal);
        let ask = Ask::Path { start, goal };
        let (engine, flagged) = match (self.question.engine, named) {
            (Some(engine), _) => (engine, false),
            // The engine that the run was given searches a second time.
            (None, Some(named)) => (named, true),
            (None, None) => return Ok(()),
        };
        let place = &self.question.place;
        let graph: Graph<K> = place.open(place.variant(engine))?;
        match can(engine, &graph, &ask, flagged) {
            // Where the puzzle proves that there is no path, no engine is asked.
            Err(_) if self.refuted()?.is_some() => Ok(()),
            fits => fits,
        }
    }

    fn answer(&self, context: &Context) -> Result<Found, EngineError> {
        let clock = Clock::start();
        let answer = match self.refuted()? {
            Some(answer) => answer,
            None if self.question.given.is_some() => self.given()?,
            None => self.searched(context)?,
        };
        let seconds = clock.wall().as_secs_f64();
        if let Some(states) = answer.ending.states() {
            let leads = answer.ending.moves().is_some();
            check_path(&self.rules, states, Some(&self.goal).filter(|_| leads))?;
        }
        let mut canonical = [self.start];
        self.rules.canonical(&mut canonical, None)?;
        Ok(Found {
            picture: self.picture(&answer.ending)?,
            ending: answer.ending.bare(),
            disagreement: answer.disagreement,
            searched: answer.searched,
            board: self.rules.draw(self.start)?,
            canonical: self.rules.draw(canonical[0])?,
            variants: answer.variants,
            engine: answer.engine.to_owned(),
            unchecked: answer.unchecked,
            rests_on_levels: self.rests_on_levels(),
            analysis: answer.analysis,
            seconds,
        })
    }

    /// Whether levels that are kept in files answer, unless the puzzle proves that there is no path.
    fn rests_on_levels(&self) -> bool {
        self.question.engine.is_some_and(EngineId::keeps_levels)
    }

    /// The answer of a search. What is asked beside the engine goes by what its paths rest on.
    fn searched(&self, context: &Context) -> Result<Answer<K>, EngineError> {
        let Some(engine) = self.question.engine else {
            return self.twice_forward(context);
        };
        match engine.finds() {
            Finds::ByLevels if self.rests_on_levels() => self.in_files(engine, context),
            Finds::ByLevels => self.twice_forward(context),
            Finds::ByPromise => self.by_promise(engine, context),
            Finds::ByBound => self.by_bound(engine, context),
        }
    }

    /// The graph of the fast variant, with start and goal as it reads them.
    fn fast(&self) -> Result<(Graph<K>, K, Goal<K>), EngineError> {
        let place = &self.question.place;
        let graph: Graph<K> = place.open(&place.library.variants[0])?;
        let (start, goal) = self.ends(&graph)?;
        Ok((graph, start, goal))
    }

    /// Start and goal as a variant reads them: the rulebook's, or the variants are of two games.
    fn ends(&self, graph: &Graph<K>) -> Result<(K, Goal<K>), EngineError> {
        let start = self.question.start(graph)?;
        if start != self.start {
            let (own, other) = (graph.draw(start)?, self.rules.draw(self.start)?);
            let fault = format!("gives '{own}', and the rulebook '{other}'");
            return Err(graph.opened.broken("starts", fault).into());
        }
        Ok((start, self.question.goal(graph)?))
    }

    /// The puzzle's own proof that there is no path, where it has one.
    fn refuted(&self) -> Result<Option<Answer<K>>, EngineError> {
        let to = match self.goal {
            Goal::State(key) => Some(key),
            Goal::Solved => None,
        };
        let proof = self.rules.refute(self.start, to)?;
        Ok(proof.map(|proof| Answer {
            ending: Ending::Searched(Outcome::Unreachable(Proof::Puzzle(proof))),
            searched: String::new(),
            disagreement: None,
            variants: self.rules.opened.variant.clone(),
            engine: "proof",
            unchecked: None,
            analysis: None,
        }))
    }

    /// The answer of an engine on a variant.
    fn ask(
        &self,
        engine: EngineId,
        graph: &Graph<K>,
        (start, goal): (K, Goal<K>),
        means: &Means,
        context: &Context,
    ) -> Result<PathAnswer<K>, EngineError> {
        let asked = engine::PathQuestion {
            graph,
            rules: &self.rules,
            start,
            goal,
            means,
            stop: &context.stop,
        };
        registry::choose(Some(engine), graph, &asked.ask(), means)?;
        registry::answer(engine, &asked)
    }

    /// Breadth first on the fast variant with its levels in files; samples of each level are
    /// held against the rulebook.
    fn in_files(&self, engine: EngineId, context: &Context) -> Result<Answer<K>, EngineError> {
        let (graph, start, goal) = self.fast()?;
        let clock = Clock::start();
        let variants = graph.opened.variant.clone();
        let max_depth = self.question.deepest();
        let work = Work::make(&self.question.place, "path", context)?;
        let means = Means {
            max_depth,
            show_progress: context.show_progress,
            ..work.means().clone()
        };
        let answer = self.ask(engine, &graph, (start, goal), &means, context)?;
        let roots = Roots::State(start);
        let mut search = Search::new(graph, Direction::Forward, roots, max_depth)?;
        // A path is one of states.
        search.symmetry = false;
        let seen = LevelSums::of(&answer.levels);
        let (outcome, spent) = (answer.outcome, answer.spent);
        let stop = outcome.stop().cloned();
        let ending = by_levels(outcome, max_depth, &seen);
        let ended = Ended::of(&ending, stop);
        if ended.finished {
            work.clear()?;
        }
        let sampled = spent.sampled.clone().unwrap_or_default();
        let (evidence, faults) = level_samples(&sampled, seen.total_orbits());
        let mut checked = (vec![evidence], check::Proof::None, faults);
        let mut disagreement = checked.2.first().cloned();
        if let Some(same) = self.by_rulebook(&ending, &seen, context)? {
            match same {
                true => {
                    checked.0.push(rulebook(seen.total_states()));
                    checked.1 = check::Proof::Complete;
                }
                false => {
                    disagreement = Some("the rulebook has other levels, or another end".to_owned());
                }
            }
        }
        let ran = Ran {
            search: &search,
            engine: engine.name(),
            from: Some(&self.rules.draw(self.start)?),
            seen: &seen,
            clock: &clock,
            spent: &spent,
            context,
        };
        Ok(Answer {
            searched: format!(
                "{} within {}, by complete levels",
                count(seen.total_states(), "positions"),
                count(seen.iter().count().saturating_sub(1), "moves")
            ),
            disagreement,
            variants,
            engine: engine.name(),
            unchecked: None,
            analysis: Some(ran.analysis(ended, checked)),
            ending,
        })
    }

    /// Whether a search on the rulebook comes to the same end by the same levels, no more and no
    /// fewer states in any; nothing where there are too many for it, or no end to bear out.
    fn by_rulebook(
        &self,
        ending: &Ending<K>,
        seen: &LevelSums,
        context: &Context,
    ) -> Result<Option<bool>, EngineError> {
        let states = seen.total_states();
        let most = context.effort.fitting_states();
        if states == 0 || states > most {
            return Ok(None);
        }
        let deepest = match ending {
            Ending::Searched(outcome) if outcome.is_answer() => None,
            Ending::MoreThan(depth) => Some(*depth),
            Ending::Broken { .. } | Ending::Searched(_) => return Ok(None),
        };
        let rules = ForwardSolver::new(self.rules.clone());
        let mut stopping = || context.stop.requested();
        // A level beyond those found says that the two differ, however many states it has.
        let most = (most.max(states), deepest);
        let path = rules.shortest_no_deeper(most, self.start, &self.goal, &mut stopping)?;
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

    /// A path that looked promising; in a layered graph all are equally long.
    fn by_promise(&self, engine: EngineId, context: &Context) -> Result<Answer<K>, EngineError> {
        let (graph, start, goal) = self.fast()?;
        let means = Means {
            seed: Some(context.seed),
            ..Means::threads(context.threads)
        };
        let answer = self.ask(engine, &graph, (start, goal), &means, context)?;
        let nodes = answer.figures.states_seen.unwrap_or_default();
        let outcome = answer.outcome;
        let built_in = graph.opened.library.is_built_in();
        let unchecked = match &outcome {
            Outcome::Unreachable(Proof::Puzzle(_)) => None,
            Outcome::Unreachable(_) => Some("the search went over the fast variant alone"),
            Outcome::Path(found) if !found.shortest && !graph.has(Capabilities::LAYERED) => {
                Some("a path that is found by the most promising states need not be the shortest")
            }
            Outcome::Path(_) if !built_in => {
                Some("that all paths are equally long is the library's word")
            }
            _ => None,
        };
        let expanded = format!("{} expanded", count(nodes, "states"));
        // These engines take the path that they meet first, however long.
        let (ending, searched, unchecked) = match (&outcome, self.question.max_depth) {
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
            ending: Ending::Searched(ending),
            searched,
            disagreement: None,
            variants: graph.opened.variant.clone(),
            engine: engine.name(),
            unchecked,
            analysis: None,
        })
    }

    fn picture(&self, ending: &Ending<K>) -> Result<Picture, PluginError> {
        let instance = &self.question.place.instance;
        let Some(states) = ending.states() else {
            let what = match ending {
                Ending::Searched(Outcome::Unreachable(_)) => "cannot be solved",
                _ => "the start",
            };
            return Ok(Picture {
                caption: format!("{instance}: {what}"),
                kind: PictureKind::Board {
                    state: self.rules.draw(self.start)?,
                },
            });
        };
        let drawn: Result<Vec<String>, _> =
            states.iter().map(|&state| self.rules.draw(state)).collect();
        let sort = match self.question.engine.map(EngineId::finds) {
            _ if matches!(ending, Ending::Broken { .. }) => "the published path",
            _ if self.question.given.is_some() => "a solution",
            Some(Finds::ByPromise) => "a solution",
            Some(Finds::ByLevels | Finds::ByBound) | None => "a shortest solution",
        };
        Ok(Picture {
            caption: format!("{instance}: {sort}, {}", count(states.len() - 1, "moves")),
            kind: PictureKind::Strip {
                states: drawn?,
                labels: move_names(&self.rules, states),
            },
        })
    }
}

/// The evidence of a search on the rulebook that has the same levels.
fn rulebook(states: u64) -> Evidence {
    Evidence {
        what: "rulebook".to_owned(),
        sampled: states.into(),
        population: Some(states.into()),
        wrong: 0,
        confidence: check::CONFIDENCE,
        bound: None,
        text: "The same levels, of as many states each, by a search on the rulebook.".to_owned(),
    }
}

/// How a search by complete levels ended. They bear a bound out only where the last one asked
/// for is there.
fn by_levels<K>(outcome: Outcome<K>, max_depth: Option<u16>, seen: &LevelSums) -> Ending<K> {
    let last = max_depth.filter(|&depth| seen.level(depth).orbits > 0);
    match (outcome, last) {
        (Outcome::NotReached(_), Some(depth)) => Ending::MoreThan(depth),
        (outcome, _) => Ending::Searched(outcome),
    }
}

impl Ended {
    fn of<K>(ending: &Ending<K>, stop: Option<StopReason>) -> Self {
        let because = match ending {
            Ending::Searched(Outcome::Path(_)) => Some("the goal was met".to_owned()),
            Ending::Searched(Outcome::Unreachable(_)) => None,
            Ending::Searched(open) => Some(unanswered(open)),
            Ending::MoreThan(depth) => Some(format!("no goal within {}", count(depth, "moves"))),
            Ending::Broken { what, .. } => Some(what.clone()),
        };
        Self {
            stop,
            finished: !matches!(ending, Ending::Searched(outcome) if !outcome.is_answer()),
            because,
        }
    }
}

fn text_of(fewest: Option<usize>) -> String {
    match fewest {
        None => "unsolvable".into(),
        Some(moves) => count(moves, "moves"),
    }
}
