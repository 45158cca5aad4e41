//! Answers of other programs, held against the rulebook and against the shortest length that is
//! found and proven here.

use std::sync::Arc;
use std::time::Duration;

use antipode_graph::{Expansion, Graph, move_names, one_line};
use antipode_reports::model::Ruling;
use antipode_search::engines::EngineError;
use antipode_search::limit::within;
use antipode_search::outcome::Outcome;
use antipode_search::progress::Stop;
use antipode_search::question::Goal;
use antipode_search::table::rules_of;
use puzzle_api::{Direction, Key};

use crate::ask::{self, PathReport, PathRequest};

/// What a solver says of a board.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Answer {
    /// The shortest solution takes so many moves.
    Length(u64),
    /// There is none.
    Unsolvable,
    /// A shortest solution: each step a board, or what a move is called.
    Path(Vec<String>),
}

/// What is right.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Known {
    /// The shortest solution takes so many moves.
    Shortest(u64),
    /// There is none.
    Impossible,
    /// The search ended before that was known; the text says why.
    NotReached(String),
}

impl Known {
    /// What an answer of ours makes known.
    #[must_use]
    pub fn of(report: &PathReport) -> Self {
        match &report.outcome {
            Outcome::Path(path) if path.shortest => Self::Shortest(path.moves() as u64),
            Outcome::Path(_) => Self::NotReached("the search proves no length".to_owned()),
            Outcome::Unreachable(_) => Self::Impossible,
            Outcome::Levels | Outcome::NotReached(_) => Self::NotReached(report.summary.clone()),
        }
    }

    /// As tables have it.
    #[must_use]
    pub fn word(&self) -> String {
        match self {
            Self::Shortest(moves) => moves.to_string(),
            Self::Impossible => "unsolvable".to_owned(),
            Self::NotReached(_) => String::new(),
        }
    }
}

/// An answer judged.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Judged {
    /// The ruling.
    pub ruling: Ruling,
    /// The answer: a number of moves, `unsolvable`, or nothing where a path is none.
    pub said: String,
    /// Whether a path was played on the rulebook to a solved state.
    pub replayed: bool,
    /// Why, in a line.
    pub why: String,
}

/// A board with what is right.
#[derive(Debug, Clone)]
pub struct Game {
    request: PathRequest,
    /// `PUZZLE/INSTANCE`.
    pub instance: String,
    /// The board, rows joined by `/`.
    pub board: String,
    /// Its shortest length.
    pub known: Known,
}

impl Game {
    /// Finds the shortest solution, within a time and until `stop` says so. The path is played on
    /// the rulebook; that there is none shorter rests on the search.
    ///
    /// # Errors
    /// As [`ask::path`].
    pub fn solve(request: PathRequest, time: Duration, stop: &Stop) -> Result<Self, EngineError> {
        let report = within(time, stop, |stop| ask::path(&request, stop))?;
        let known = Known::of(&report);
        Ok(Self {
            request,
            instance: report.instance,
            board: report.start,
            known,
        })
    }

    /// Judges an answer. Costs a list of successors a step of a path.
    ///
    /// # Errors
    /// [`EngineError`] where the puzzle fails.
    pub fn judge(&self, answer: &Answer) -> Result<Judged, EngineError> {
        match answer {
            Answer::Length(moves) => Ok(self.length(*moves, false)),
            Answer::Unsolvable => Ok(self.unsolvable()),
            Answer::Path(steps) => {
                let replayed = match self.request.library.key_words() {
                    1 => replay::<u64>(&self.request, steps)?,
                    _ => replay::<u128>(&self.request, steps)?,
                };
                Ok(match replayed {
                    Ok(moves) => self.length(moves, true),
                    Err((ruling, why)) => Judged {
                        ruling,
                        said: String::new(),
                        replayed: false,
                        why,
                    },
                })
            }
        }
    }

    fn length(&self, moves: u64, replayed: bool) -> Judged {
        let (ruling, why) = match &self.known {
            Known::Shortest(shortest) if moves == *shortest => (Ruling::Right, String::new()),
            Known::Shortest(shortest) if moves < *shortest && replayed => (
                Ruling::RefutesOurs,
                format!("plays a solution of {moves}, and {shortest} was found shortest here"),
            ),
            Known::Shortest(shortest) => (
                Ruling::Wrong,
                format!("says {moves}, the shortest is {shortest}"),
            ),
            Known::Impossible if replayed => (
                Ruling::RefutesOurs,
                format!("plays a solution of {moves}, and none was found to exist here"),
            ),
            Known::Impossible => (
                Ruling::Wrong,
                format!("says {moves}, and there is no solution"),
            ),
            Known::NotReached(why) => (
                Ruling::Open,
                format!("says {moves}; the shortest is not known here: {why}"),
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
        let (ruling, why) = match &self.known {
            Known::Impossible => (Ruling::Right, String::new()),
            Known::Shortest(moves) => (
                Ruling::Wrong,
                format!("says that there is no solution, and there is one of {moves} moves"),
            ),
            Known::NotReached(why) => (
                Ruling::Open,
                format!("says that there is no solution; that is not known here: {why}"),
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

/// Plays steps on the rulebook: the number of moves, or the first thing that is wrong.
fn replay<K: Key>(
    request: &PathRequest,
    steps: &[String],
) -> Result<Result<u64, (Ruling, String)>, EngineError> {
    let question = ask::question::<K>(request)?;
    let graph = &question.graph;
    let rules = rules_of(graph)?;
    let mut at = question.start;
    let mut out = Expansion::default();
    let first_is_start = steps
        .first()
        .is_some_and(|step| rules.parse(step).ok() == Some(at));
    let steps = &steps[usize::from(first_is_start)..];
    for (step, number) in steps.iter().zip(1_u64..) {
        rules.expand(Direction::Forward, &[at], &mut out)?;
        match step_to(&rules, (at, step), out.keys()) {
            Ok(next) => at = next,
            Err(what) => {
                let board = rules.draw(at)?;
                let step: String = step.chars().take(QUOTED).collect();
                let step = one_line(&step);
                let next = out.keys();
                let is_step = |step: &String| {
                    rules.parse(step).is_ok() || step_to(&rules, (at, step), next).is_ok()
                };
                // Where not one line is a board or a move, nothing was claimed.
                if number == 1 && !first_is_start && !steps.iter().any(is_step) {
                    let why = format!("not understood: '{step}' is no length, board or move");
                    return Ok(Err((Ruling::NoAnswer, why)));
                }
                let why = format!("move {number} '{step}' {what} {board}");
                return Ok(Err((Ruling::Wrong, why)));
            }
        }
    }
    let there = match question.goal_by_rules {
        Goal::State(key) => at == key,
        Goal::Solved => rules.is_solved(&[at])?[0],
    };
    Ok(match there {
        true => Ok(steps.len() as u64),
        false => Err((
            Ruling::Wrong,
            format!(
                "its {} moves end at {}, which is not solved",
                steps.len(),
                rules.draw(at)?
            ),
        )),
    })
}

/// Characters of a step that a ruling quotes.
const QUOTED: usize = 80;

/// The successor that a step names: by its board, or by what the move is called.
fn step_to<K: Key>(
    rules: &Graph<K>,
    (at, step): (K, &str),
    successors: &[K],
) -> Result<K, &'static str> {
    if let Ok(board) = rules.parse(step)
        && successors.contains(&board)
    {
        return Ok(board);
    }
    let called = |next: &K| move_names(rules, &[at, *next]) == [step];
    let mut named: Vec<K> = successors.iter().copied().filter(called).collect();
    named.dedup();
    match named[..] {
        [next] => Ok(next),
        [] => Err("is no move from"),
        _ => Err("is the name of several moves from"),
    }
}

/// The instances of a puzzle that have a start of their own, by name.
///
/// # Errors
/// [`EngineError`] where the puzzle fails.
pub fn with_start(library: &Arc<antipode_graph::Library>) -> Result<Vec<String>, EngineError> {
    fn has<K: Key>(
        library: &Arc<antipode_graph::Library>,
        name: &str,
    ) -> Result<bool, EngineError> {
        let settings = puzzle_api::Settings::new();
        // One that needs settings has none that can be known here.
        let Ok(opened) = library.open(name, library.reference_variant(), &settings) else {
            return Ok(false);
        };
        let graph = antipode_search::open::typed_graph::<K>(opened)?;
        Ok(!graph.roots(Direction::Forward, 0)?.is_empty())
    }
    let mut names = Vec::new();
    for instance in &library.instances {
        let started = match library.key_words() {
            1 => has::<u64>(library, &instance.name)?,
            _ => has::<u128>(library, &instance.name)?,
        };
        if started {
            names.push(instance.name.clone());
        }
    }
    Ok(names)
}
