//! Answers of other programs, compared with the rulebook and with the shortest length that is
//! found and proven here.

use std::collections::BTreeSet;
use std::mem;
use std::sync::Arc;
use std::time::Duration;

use antipode_graph::{Expansion, Graph, Library, move_names, one_line};
use antipode_reports::count;
use antipode_reports::model::Ruling;
use antipode_search::engines::EngineError;
use antipode_search::limit::within;
use antipode_search::outcome::Outcome;
use antipode_search::progress::Stop;
use antipode_search::question::Goal;
use antipode_search::table::rules_of;
use puzzle_api::{Direction, PRIMES, Settings, cell_name};

use crate::ask::{self, KnownDistance, PathRequest};

/// A solver's answer for a board.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum SolverAnswer {
    /// The number of moves of a shortest solution.
    Length(u64),
    /// There is no solution.
    Unsolvable,
    /// A shortest solution: each step a board, or the name of a move, and the length that was said
    /// with it.
    Path(Vec<String>, Option<u64>),
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
        let report = within(time, stop, |stop| ask::path(&request, stop))?;
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
        match answer {
            SolverAnswer::Length(moves) => Ok(self.length(*moves, false)),
            SolverAnswer::Unsolvable => Ok(self.unsolvable()),
            SolverAnswer::Path(steps, said) => Ok(match replay(&self.request, steps)? {
                Ok(moves) if said.is_some_and(|said| said != moves) => Judged {
                    ruling: Ruling::Wrong,
                    said: moves.to_string(),
                    replayed: true,
                    why: format!(
                        "says length {} and plays {}",
                        said.unwrap_or_default(),
                        count(moves, "moves")
                    ),
                },
                Ok(moves) => self.length(moves, true),
                Err((ruling, why)) => Judged {
                    ruling,
                    said: String::new(),
                    replayed: false,
                    why,
                },
            }),
        }
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
                    count(moves, "moves")
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

/// Replays steps on the rulebook; returns a number of moves, or the first fault.
fn replay(
    request: &PathRequest,
    steps: &[String],
) -> Result<Result<u64, (Ruling, String)>, EngineError> {
    let question = ask::question(request)?;
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
                // If no line is a board or a move, nothing was claimed.
                if number == 1 && !first_is_start && !has_step(&rules, at, steps)? {
                    let why = format!(
                        "not understood: '{step}' is no board or move (print one per line), and the last line is no length"
                    );
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
                "its path of {} ends at {}, which is not solved",
                count(steps.len(), "moves"),
                rules.draw(at)?
            ),
        )),
    })
}

/// Whether a line is a board, or named like a move near a state.
fn has_step(rules: &Graph<u128>, at: u128, lines: &[String]) -> Result<bool, EngineError> {
    let board = rules.draw(at)?;
    let kinds = kinds_near(rules, at, &board)?;
    let is_step =
        |line: &String| rules.parse(line).is_ok() || kinds.contains(&kind_of_move(line, &board));
    Ok(lines.iter().any(is_step))
}

/// The kinds of the moves from a state and from its successors.
fn kinds_near(
    rules: &Graph<u128>,
    start: u128,
    board: &str,
) -> Result<BTreeSet<String>, EngineError> {
    let (mut kinds, mut from, mut out) = (BTreeSet::new(), vec![start], Expansion::default());
    for _ in 0..2 {
        for at in mem::take(&mut from) {
            rules.expand(Direction::Forward, &[at], &mut out)?;
            let name = |next: &u128| move_names(rules, &[at, *next]).concat();
            kinds.extend(
                out.keys()
                    .iter()
                    .map(|next| kind_of_move(&name(next), board)),
            );
            from.extend(out.keys());
        }
    }
    Ok(kinds)
}

/// The name of a move, with one mark for each piece, number and cell.
fn kind_of_move(name: &str, board: &str) -> String {
    let is_place = |word: &str| {
        let number = word.strip_prefix(|letter: char| letter.is_ascii_lowercase());
        word.chars().count() == 1 && board.contains(word)
            || number.unwrap_or(word).parse::<u32>().is_ok()
    };
    let name = renamed(name, board);
    let words = name.split(' ');
    let words = words.map(|word| if is_place(word) { "_" } else { word });
    words.collect::<Vec<_>>().join(" ")
}

/// Characters of a step that a ruling quotes.
const QUOTED: usize = 80;

/// The successor that a step names: by its board, or by the name of the move.
fn step_to(
    rules: &Graph<u128>,
    (at, step): (u128, &str),
    successors: &[u128],
) -> Result<u128, &'static str> {
    if let Ok(board) = rules.parse(step)
        && successors.contains(&board)
    {
        return Ok(board);
    }
    match called(rules, (at, step), successors)[..] {
        [next] => Ok(next),
        [] => Err("is no move from"),
        _ => Err("is the name of several moves from"),
    }
}

/// The successors of a state that a name of a move, in any form, leads to.
pub fn called(rules: &Graph<u128>, (at, name): (u128, &str), successors: &[u128]) -> Vec<u128> {
    let renamed = renamed(name, &rules.draw(at).unwrap_or_default());
    let is_called = |next: &u128| {
        let its = move_names(rules, &[at, *next]).concat();
        its == name || its == renamed
    };
    let mut named: Vec<u128> = successors.iter().copied().filter(is_called).collect();
    named.sort_unstable();
    named.dedup();
    named
}

/// The name of a move with its cells as `e7`. They may be written as row and column (`7,5` or
/// `r7c5`), or as steps right and up from the middle of a board (`0:-2`). Primes become `'`.
#[must_use]
pub fn renamed(name: &str, board: &str) -> String {
    let cell = |word: &str| {
        let number = |text: &str| text.parse::<i32>().ok().map(i64::from);
        let (row, column) = if let Some((right, up)) = word.split_once(':') {
            let rows = board.split('/');
            let columns = rows.clone().map(|row| row.chars().count()).max()?;
            let middle = (rows.count() as i64 / 2, (columns as i64 - 1) / 2);
            (middle.0 - number(up)?, middle.1 + number(right)?)
        } else {
            let behind = word.strip_prefix('r').and_then(|rest| rest.split_once('c'));
            let (row, column) = behind.or_else(|| word.split_once(','))?;
            (number(row)? - 1, number(column)? - 1)
        };
        Some(cell_name(row.try_into().ok()?, column.try_into().ok()?))
    };
    let words = name.split(' ');
    let words = words.map(|word| cell(word).unwrap_or_else(|| word.replace(PRIMES, "'")));
    words.collect::<Vec<_>>().join(" ")
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

#[cfg(test)]
mod tests {
    use super::renamed;

    #[test]
    fn cells_are_named_in_four_ways() {
        // Five columns and four rows: the lower left of the middle is c3.
        let renamed = |text| renamed(text, "..o/ooooo//o");
        for text in ["press e4", "press 4,5", "press r4c5", "press 2:-1"] {
            assert_eq!(renamed(text), "press e4", "{text}");
        }
        for text in [
            "press 5,4",
            "press e5",
            "e4",
            "press 0,5",
            "press 4,",
            "press",
        ] {
            assert_ne!(renamed(text), "press e4", "{text}");
        }
        assert_eq!(renamed("R\u{2019} U2\u{b4} F\u{2032} R`"), "R' U2' F' R'");
        assert_eq!(renamed("r2c3 down 1"), "c2 down 1");
        assert_eq!(renamed("0:0 to -3:0"), "c3 to -3:0");
    }
}
