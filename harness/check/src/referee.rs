//! Answers of other programs, compared with the rulebook and with the shortest length that is
//! found and proven here.

use std::cell::OnceCell;
use std::iter;
use std::sync::Arc;
use std::time::{Duration, Instant};

use antipode_graph::{Expansion, Graph, Library, builtin};
use antipode_reports::count;
use antipode_reports::model::Ruling;
use antipode_search::engines::EngineError;
use antipode_search::limit::within;
use antipode_search::outcome::Outcome;
use antipode_search::progress::Stop;
use antipode_search::reconstruct_path::rising;
use antipode_search::registry::EngineId;
use antipode_search::table::rules_of;
use puzzle_api::{Direction, Request, Settings, shown};

use crate::ask::{self, KnownDistance, PathRequest};
use crate::moves::{MoveNames, NamedMoves};

/// A solver's answer for a board.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct SolverAnswer {
    /// The number of moves of a shortest solution that it says; `Some(None)`: there is no solution.
    pub said: Option<Option<u64>>,
    /// The steps of a shortest solution that it lists.
    pub steps: Vec<Step>,
    /// Whether `steps` are lines above what is said: a log, in which there may be steps.
    pub is_log: bool,
    /// The last line, if it is a number alone: `said`, unless it is a board.
    pub number: Option<String>,
}

/// A step: a board or the name of a move, and the other one if both are given.
pub type Step = (String, Option<String>);

fn texts(step: &Step) -> impl Iterator<Item = &String> {
    iter::once(&step.0).chain(&step.1)
}

/// An answer judged.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Judged {
    /// The ruling.
    pub ruling: Ruling,
    /// The answer: a number of moves, `unsolvable`, or nothing if the path is invalid.
    pub said: String,
    /// Whether a path was played on the rulebook to a solved state.
    pub replayed: bool,
    /// The reason, in a line.
    pub why: String,
}

/// A board with the right answer.
#[derive(Debug, Clone)]
pub struct Game {
    request: PathRequest,
    /// `PUZZLE/INSTANCE`.
    pub instance: String,
    /// The board, rows joined by `/`.
    pub board: String,
    /// The known bounds on its shortest length.
    pub known: KnownDistance,
    /// Why no more is known, if the length is not.
    pub open: String,
}

impl Game {
    /// Finds the shortest solution, within a time and until the stop. The path is replayed on the
    /// rulebook; that there is no shorter one rests on the search.
    ///
    /// # Errors
    /// Same as [`ask::path`].
    pub fn solve(request: PathRequest, time: Duration, stop: &Stop) -> Result<Self, EngineError> {
        let end = Instant::now() + time;
        let mut report = within(time, stop, |stop| ask::path(&request, stop))?;
        let proven = matches!(report.known(), KnownDistance::Exactly(_));
        if matches!(report.outcome, Outcome::Path(_)) && !proven && request.engine.is_none() {
            // An engine that finds a path fast may prove none; the plain queue proves all.
            let plain = PathRequest {
                engine: Some(EngineId::REFERENCE),
                ..request.clone()
            };
            let left = end.saturating_duration_since(Instant::now());
            let found = within(left, stop, |stop| ask::path(&plain, stop))?;
            if matches!(found.known(), KnownDistance::Exactly(_)) {
                report = found;
            }
        }
        Ok(Self {
            request,
            known: report.known(),
            open: match report.outcome {
                Outcome::Path(_) => "the search proves no length".to_owned(),
                _ => report.summary,
            },
            instance: report.instance,
            board: report.start,
        })
    }

    /// What a length counts.
    #[must_use]
    pub fn unit(&self) -> &'static str {
        self.request.library.unit(&self.request.settings)
    }

    /// The shortest length in the form of tables; empty if it is not known.
    #[must_use]
    pub fn shortest(&self) -> String {
        match self.known {
            KnownDistance::Exactly(moves) => moves.to_string(),
            KnownDistance::Unsolvable => "unsolvable".to_owned(),
            KnownDistance::AtLeast(_) => String::new(),
        }
    }

    /// Judges an answer. Cost: a list of successors for each step of a path.
    ///
    /// # Errors
    /// [`EngineError`] if the puzzle fails.
    pub fn judge(&self, answer: &SolverAnswer) -> Result<Judged, EngineError> {
        Ok(match (self.replay(answer)?, answer.said) {
            (Ok(Some(moves)), _) => self.length(moves, true),
            (Ok(None), Some(Some(moves))) => self.length(moves, false),
            (Ok(None), _) => self.unsolvable(),
            (Err((ruling, why)), _) => Judged {
                ruling,
                said: String::new(),
                replayed: false,
                why,
            },
        })
    }

    /// Replays the steps of an answer on the rulebook; returns their number if it lists a
    /// solution, or the first fault.
    fn replay(
        &self,
        answer: &SolverAnswer,
    ) -> Result<Result<Option<u64>, (Ruling, String)>, EngineError> {
        if answer.is_log && answer.steps.is_empty() && answer.number.is_none() {
            return Ok(Ok(None));
        }
        let question = ask::question(&self.request)?;
        let rules = &rules_of(&question.graph)?;
        let mut at = question.start;
        let reader = StepReader {
            rules,
            start: at,
            names: OnceCell::new(),
        };
        let mut steps = Vec::new();
        for step in &answer.steps {
            if !answer.is_log || reader.is_step(&step.0)? {
                steps.push(step);
            }
        }
        if let Some((text, None)) = steps.first()
            && reader.board(text) == Some(at)
        {
            let mut out = Expansion::default();
            rules.expand(Direction::Forward, &[at], &mut out)?;
            if NamedMoves::of(rules, at, out.keys())
                .called(text)
                .is_empty()
            {
                steps.remove(0);
            }
        }
        let goal = question.goal_by_rules;
        let there = |at| Ok::<_, EngineError>(goal.smallest_of(rules, &[at])?.is_some());
        if let Some(text) = &answer.number
            && let Some(board) = reader.board(text)
        {
            let mut stands = Some(at);
            for (number, step) in (1..).zip(&steps) {
                let Some(from) = stands else { break };
                stands = reader.next(from, (number, step))?.ok();
            }
            let mut out = Expansion::default();
            rules.expand(Direction::Forward, stands.as_slice(), &mut out)?;
            // Alone it may as well be a length, unless it solves.
            let goes_on = out.keys().contains(&board);
            let alone = answer.steps.is_empty();
            if goes_on && (!alone || there(board)?) || alone && board == at {
                let last = iter::once((text.clone(), None));
                return self.replay(&SolverAnswer {
                    said: None,
                    steps: answer.steps.iter().cloned().chain(last).collect(),
                    is_log: false,
                    number: None,
                });
            }
        }
        let (moves, listed) = (steps.len() as u64, count(steps.len(), self.unit()));
        let no_answer = |why| Ok(Err((Ruling::NoAnswer, why)));
        match answer.said {
            Some(_) if answer.is_log && moves == 0 => return Ok(Ok(None)),
            Some(None) if moves == 0 => return Ok(Ok(None)),
            Some(None) => {
                return no_answer(format!("says that there is no solution and lists {listed}"));
            }
            Some(Some(said)) if said != moves => {
                return no_answer(format!("says length {said} and lists {listed}"));
            }
            _ => {}
        }
        for (number, step) in (1..).zip(&steps) {
            match reader.next(at, (number, step))? {
                Ok(next) => at = next,
                Err(fault) => {
                    // If a text is no step at all, it is not known what is claimed.
                    for text in steps.iter().rev().flat_map(|step| texts(step)) {
                        if !reader.is_step(text)? {
                            return no_answer(format!(
                                "not understood: '{}' is no board, move or length (print one step per line)",
                                shown(text)
                            ));
                        }
                    }
                    return Ok(Err(fault));
                }
            }
        }
        if there(at)? {
            return Ok(Ok(Some(moves)));
        }
        let end = rules.draw(at)?;
        let why = format!("its path of {listed} ends at {end}, which is not solved");
        Ok(Err((Ruling::Wrong, why)))
    }

    fn length(&self, moves: u64, replayed: bool) -> Judged {
        let (ruling, why) = match self.known {
            KnownDistance::Exactly(shortest) if moves == u64::from(shortest) => {
                (Ruling::Right, String::new())
            }
            KnownDistance::Exactly(shortest) if moves < u64::from(shortest) && replayed => (
                Ruling::RefutesOurs,
                format!("plays a solution of {moves}, and {shortest} was found shortest here"),
            ),
            KnownDistance::Exactly(shortest) => (
                Ruling::Wrong,
                format!("says {moves}, the shortest is {shortest}"),
            ),
            KnownDistance::Unsolvable if replayed => (
                Ruling::RefutesOurs,
                format!("plays a solution of {moves}, and none was found to exist here"),
            ),
            KnownDistance::Unsolvable => (
                Ruling::Wrong,
                format!("says {moves}, and there is no solution"),
            ),
            KnownDistance::AtLeast(_) => (
                Ruling::Open,
                format!(
                    "says {moves}; the shortest is not known here: {}",
                    self.open
                ),
            ),
        };
        Judged {
            ruling,
            said: moves.to_string(),
            replayed,
            why,
        }
    }

    fn unsolvable(&self) -> Judged {
        let (ruling, why) = match self.known {
            KnownDistance::Unsolvable => (Ruling::Right, String::new()),
            KnownDistance::Exactly(moves) => (
                Ruling::Wrong,
                format!(
                    "says that there is no solution, and there is one of {}",
                    count(moves, self.unit())
                ),
            ),
            KnownDistance::AtLeast(_) => (
                Ruling::Open,
                format!(
                    "says that there is no solution; that is not known here: {}",
                    self.open
                ),
            ),
        };
        Judged {
            ruling,
            said: "unsolvable".to_owned(),
            replayed: false,
            why,
        }
    }
}

/// What reads the steps of an answer.
struct StepReader<'a> {
    rules: &'a Graph<u128>,
    start: u128,
    names: OnceCell<MoveNames>,
}

impl StepReader<'_> {
    /// The state that a board is, also as other programs write it in digits alone.
    fn board(&self, text: &str) -> Option<u128> {
        let opened = &self.rules.opened;
        let own = self.rules.parse(text).ok();
        own.or_else(|| {
            let digits = text.bytes().all(|byte| byte.is_ascii_digit());
            let request = Request {
                instance: &opened.instance,
                settings: &opened.settings,
            };
            let placed = builtin::placed(&opened.library, &request, text).filter(|_| digits)?;
            let placed = placed.ok().filter(|it| it.instance == opened.instance)?;
            self.rules.parse(&placed.from?).ok()
        })
    }

    /// Whether a text is a board, or may be the name of a move. The name of a state is neither.
    fn is_step(&self, text: &str) -> Result<bool, EngineError> {
        let rules = self.rules;
        // A rulebook program has no reader: its answer on a text shows whether it is a state.
        let is_state = |key| !rules.opened.library.is_program() || rules.is_solved(&[key]).is_ok();
        if self.board(text).is_some_and(is_state) {
            return Ok(!rules.names()?.iter().any(|name| name == text));
        }
        let names = match self.names.get() {
            Some(names) => names,
            None => {
                let names = MoveNames::around(rules, &[self.start])?;
                self.names.get_or_init(|| names)
            }
        };
        Ok(names.has(text))
    }

    /// The successor that a step names, or its fault.
    fn next(
        &self,
        at: u128,
        (number, step): (u64, &Step),
    ) -> Result<Result<u128, (Ruling, String)>, EngineError> {
        let mut out = Expansion::default();
        self.rules.expand(Direction::Forward, &[at], &mut out)?;
        let board = self.rules.draw(at)?;
        let wrong = |text, what| {
            let why = format!("move {number} '{}' {what} {board}", shown(text));
            Ok(Err((Ruling::Wrong, why)))
        };
        let mut all = rising(out.keys());
        let moves = NamedMoves::of(self.rules, at, out.keys());
        for text in texts(step) {
            // The name of a move of a cube is also a board: the one that it scrambles.
            let mut named = moves.called(text);
            if named.is_empty() {
                let board = self.board(text);
                named.extend(board.filter(|board| out.keys().contains(board)));
            }
            if named.is_empty() {
                return wrong(text, "is no move from");
            }
            all.retain(|next| named.contains(next));
        }
        match all[..] {
            [next] => Ok(Ok(next)),
            [] => {
                let name = shown(&step.0);
                let why =
                    format!("move {number} '{name}' does not lead to the board given with it");
                Ok(Err((Ruling::NoAnswer, why)))
            }
            _ => wrong(&step.0, "is the name of several moves from"),
        }
    }
}

/// The instances of a puzzle with their own start, by name.
///
/// # Errors
/// [`EngineError`] if the puzzle fails.
pub fn with_start(library: &Arc<Library>) -> Result<Vec<String>, EngineError> {
    let mut names = Vec::new();
    for instance in &library.instances {
        // An instance that needs settings has no start that is known here.
        let opened = library.open(
            &instance.name,
            library.reference_variant(),
            &Settings::new(),
        );
        let Ok(opened) = opened else { continue };
        if !Graph::of(opened).roots(Direction::Forward, 0)?.is_empty() {
            names.push(instance.name.clone());
        }
    }
    Ok(names)
}
