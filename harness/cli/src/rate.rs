//! `antipode rate`: the difficulty of a board, in figures for comparing boards.

use std::io::Write;
use std::sync::Arc;
use std::time::Duration;

use anyhow::{Result, bail};
use serde::Serialize;
use serde_json::json;

use antipode_check::again;
use antipode_check::ask::PathRequest;
use antipode_check::order::shortest_solutions;
use antipode_explore::{AnswerLimits, Explorer, Go};
use antipode_graph::clean;
use antipode_reports::count;
use antipode_reports::model::{Position, PositionMove};
use antipode_search::limit::within;
use antipode_search::progress::{Stop, Stopped, tell};

use super::boards::elsewhere;
use super::drawing::Drawing;
use super::options::{Format, Target, board_text, seconds};
use super::output::{self, grouped};
use super::{AS_EXPECTED, NOT_REACHED, results};

/// Arguments of `rate`.
#[derive(Debug, clap::Args)]
pub struct Args {
    #[command(flatten)]
    target: Target,
    /// The board, or the name of one [default: the instance's start].
    #[arg(long, value_name = "TEXT", value_parser = board_text, allow_hyphen_values = true)]
    board: Option<String>,
    /// Seconds after which to stop.
    #[arg(long, value_name = "SECONDS", value_parser = seconds, default_value = "60")]
    max_time: Duration,
    /// Form of the result on stdout.
    #[arg(long, value_enum, default_value_t = Format::Text)]
    format: Format,
}

/// Why an unsolvable board has no rating.
const UNSOLVABLE: &str = "unsolvable, so there is no solution to rate";

/// The difficulty of a board.
#[derive(Debug, Serialize)]
struct Rating {
    instance: String,
    board: String,
    /// Moves of a shortest solution.
    length: u32,
    /// Shortest solutions by their positions, at most 2^128 - 1.
    solutions: u128,
    /// Moves of the walked solution that no other move can replace in a shortest solution.
    forced: u32,
    /// Moves from the positions of that solution, and those that leave no solution.
    choices: usize,
    dead_ends: usize,
    /// Solvable positions of the same part, whether the board reaches them or not, and those of them
    /// that take fewer moves; `None` if not counted.
    solvable: Option<u128>,
    easier: Option<u128>,
}

/// Runs the command.
pub fn run(args: &Args, stop: &Stop) -> Result<u8> {
    let mut asked = args.target.resolve()?;
    asked.from.clone_from(&args.board);
    let shown_by = Arc::clone(&asked.library);
    let asked = elsewhere(&asked)?.unwrap_or(asked);
    let unit = asked.library.unit(&asked.settings);
    let explorer = Explorer::open(asked.clone(), None, AnswerLimits::searching(args.max_time))?;
    let rating = within(args.max_time, stop, |stop| rate(&explorer, asked, stop));
    if stop.requested() {
        bail!(Stopped);
    }
    match rating? {
        Ok(rating) => {
            match args.format {
                Format::Text => {
                    let drawing = Drawing::new(&shown_by, &rating.board, []);
                    write!(results::out(), "{}", text(&rating, unit, &drawing))?;
                }
                Format::Json => output::print_json("rate", &rating)?,
            }
            Ok(AS_EXPECTED)
        }
        Err(UNSOLVABLE) => {
            let name = &args.target.name;
            match args.format {
                Format::Text => writeln!(results::out(), "{name}: {UNSOLVABLE}")?,
                Format::Json => {
                    output::print_json("rate", &json!({"instance": name, "unsolvable": true}))?;
                }
            }
            Ok(AS_EXPECTED)
        }
        Err(why) => {
            let (name, time) = (&args.target.name, args.max_time.as_secs_f64());
            if matches!(args.format, Format::Json) {
                output::print_json("rate", &json!({"instance": name, "not_reached": why}))?;
            }
            tell(format_args!(
                "antipode: {name}: {why} within {time} s; give more --max-time"
            ));
            Ok(NOT_REACHED)
        }
    }
}

/// Walks a shortest solution and checks every move on it; returns why not, if the time ran out.
fn rate(
    explorer: &Explorer,
    mut asked: PathRequest,
    stop: &Stop,
) -> Result<Result<Rating, &'static str>> {
    let look = |board: Option<&str>| explorer.position(board, Go::Stay, stop);
    let mut position = match look(asked.from.as_deref()) {
        Err(_) if stop.requested() => return Ok(Err("the length was not found")),
        position => position?,
    };
    if position.remaining.unsolvable {
        return Ok(Err(UNSOLVABLE));
    }
    let length = match (position.remaining.distance, position.remaining.at_least) {
        (Some(length), _) => length,
        (None, Some(_)) => return Ok(Err("the length was not found")),
        (None, None) => bail!("{}: {}", position.instance, position.notes.join(" ")),
    };
    asked.from = Some(position.board.clone());
    let Some(solutions) = shortest_solutions(&asked, stop)? else {
        return Ok(Err("the shortest solutions were not counted"));
    };
    let states = |position: &Position, below: u32| {
        let levels = position.levels.iter().filter(|level| level.depth < below);
        let counted = position.levels_complete;
        counted.then(|| levels.map(|level| level.states).sum())
    };
    let mut rating = Rating {
        instance: position.instance.clone(),
        board: position.board.clone(),
        length,
        solutions,
        forced: 0,
        choices: 0,
        dead_ends: 0,
        solvable: states(&position, u32::MAX),
        easier: states(&position, length),
    };
    for left in (0..length).rev() {
        let nearer = |made: &&PositionMove| made.remaining.distance == Some(left);
        let mut shortest = position.moves.iter().filter(nearer);
        let decided = |made: &PositionMove| made.remaining.at_least.is_none();
        let (Some(next), true) = (shortest.next(), position.moves.iter().all(decided)) else {
            return Ok(Err("the moves on the way were not all decided"));
        };
        rating.forced += u32::from(shortest.next().is_none());
        rating.choices += position.moves.len();
        let dead = position
            .moves
            .iter()
            .filter(|made| made.remaining.unsolvable);
        rating.dead_ends += dead.count();
        let next = next.board.clone();
        position = match look(Some(&next)) {
            Err(_) if stop.requested() => return Ok(Err("the solution was not walked to its end")),
            position => position?,
        };
    }
    again::confirm()?;
    Ok(Ok(rating))
}

fn text(rating: &Rating, unit: &str, drawing: &Drawing) -> String {
    let mut text = format!(
        "{}\n{}",
        clean(&rating.instance),
        drawing.alone(&rating.board)
    );
    let length = rating.length;
    text += &format!("{}, the fewest possible\n", count(length, unit));
    let solutions = match rating.solutions {
        1 => "1 shortest solution".to_owned(),
        u128::MAX => format!("at least {} shortest solutions", grouped(u128::MAX)),
        all => format!("{} shortest solutions", grouped(all)),
    };
    text += &format!("{solutions}; moves to the same position count once\n");
    text += &format!(
        "{} of {length} forced: each other move costs {unit}\n",
        rating.forced
    );
    text += &format!(
        "{} of {} on the way lead to positions without a solution\n",
        grouped(rating.dead_ends),
        count(rating.choices, "moves")
    );
    if let (Some(easier), Some(all)) = (rating.easier, rating.solvable) {
        text += &format!(
            "harder than {} of {} that can be solved, reachable or not ({:.1} %)\n",
            grouped(easier),
            grouped(all),
            // Never more than it is.
            (easier.saturating_mul(1000) / all.max(1)) as f64 / 10.0
        );
    }
    text
}
