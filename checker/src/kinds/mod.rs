//! What shows a reading, by the kind of its claim.

mod hardest;
mod lengths;
mod levels;
mod moves;
mod paths;
mod tables;
mod tilt;

use std::sync::Arc;

use crate::checker::Checker;
use crate::figures;
use crate::reading::Reading;
use crate::rules::{Ends, Rules};
use crate::search::{Found, Question};
use crate::shown::{OrWrong, Shown, Stop};

/// What is trusted of a search that is not made.
const BEYOND: &str = "levels of more states than are searched here";

/// Whether a reading is shown, and what of it is trusted.
pub fn show(checker: &Checker, reading: &Reading) -> Shown {
    let open = reading.is_open();
    if reading.claim.text("effort") == "full" && reading.effort == "quick" {
        open.or_wrong("it is only for full effort, and was decided")?;
    }
    if reading.is_stopped() {
        return Err(Stop::Unfinished);
    }
    match reading.case.kind.as_str() {
        "derived" => figures::show(checker, reading),
        _ if open && reading.text("engine").is_empty() => Ok(vec![]),
        "length" | "solvable" | "unreachable" => paths::path(checker, reading),
        "count" if reading.case.text("count") == Some("seconds") => paths::path(checker, reading),
        "count" if moves::is_of_moves(reading) => moves::moves(checker, reading),
        "count" | "levels" => levels::levels(checker, reading),
        "hardest" => hardest::hardest(checker, reading),
        _ => lengths::lengths(checker, reading),
    }
}

/// A search's name among those that were made.
fn name_of(reading: &Reading) -> String {
    let case = reading.case;
    format!("{}/{:?} {:?}", reading.puzzle, case.instance, case.settings)
}

/// The levels up to the nearest goal.
fn nearest(
    checker: &Checker,
    reading: &Reading,
    rules: &dyn Rules,
    (start, goal): Ends,
    depth: Option<u32>,
) -> Arc<Option<Found>> {
    let question = Question {
        depth,
        until: Some(goal),
        ..Question::solving(start)
    };
    checker.search(&name_of(reading), rules, &question, false)
}

/// A number of moves as it is told.
fn in_moves(count: usize) -> String {
    format!("{count} move{}", if count == 1 { "" } else { "s" })
}
