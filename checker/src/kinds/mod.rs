//! What shows a reading, by the kind of its claim.

mod boards;
mod levels;
mod moves;
mod paths;
mod tables;
mod tilt;

use std::sync::Arc;

use crate::checker::Checker;
use crate::claim::texts;
use crate::figures::{self, Parameters};
use crate::reading::Reading;
use crate::replay::replayed;
use crate::rules::{Ends, Rules};
use crate::search::{Found, Question};
use crate::shown::{OrWrong, Shown, Stop, list, text};

/// What is trusted of a search that is not made.
const BEYOND: &str = "levels of more states than are searched here";

/// Whether a reading is shown, and what of it is trusted.
pub fn show(checker: &Checker, reading: &Reading) -> Shown {
    let open = reading.is_open();
    if reading.claim.text("effort") == "full" && reading.effort == "quick" {
        open.or_wrong("it is only for full effort, and was decided")?;
    }
    match reading.case.kind.as_str() {
        "derived" => derived(checker, reading),
        _ if open && reading.record["run"].is_null() => Ok(vec![]),
        "length" | "solvable" | "unreachable" => paths::path(checker, reading),
        "count" if reading.case.text("count") == Some("seconds") => paths::path(checker, reading),
        "count" if moves::is_of_moves(reading) => moves::moves(checker, reading),
        "count" | "levels" => levels::levels(checker, reading),
        "hardest" => boards::hardest(checker, reading),
        _ => boards::lengths(checker, reading),
    }
}

/// The verdict as the checks of the harness grade it, where it rests on them.
fn graded(reading: &Reading, logical: &str, rests: bool) -> Result<(), Stop> {
    let mut checks = list(&reading.record["checks"]).iter();
    let by_sample = checks.clone().any(|check| !check["bound"].is_null());
    let complete = checks.any(|check| {
        let of_all = check["bound"].is_null() && check["sampled"] != "0";
        of_all && ["consistency", "rulebook"].contains(&text(check, "what"))
    });
    let decided = logical == "confirmed" || logical == "refuted";
    let verdict = match rests && decided && by_sample && !complete {
        true => format!("{logical}-by-sample"),
        false => logical.to_owned(),
    };
    let said = reading.verdict();
    // What is found, and was not checked when it was, is not reached.
    let unchecked = said == "not-reached" && rests && !complete;
    (said == verdict || unchecked).or_wrong(format!("it comes out {verdict}, not {said}"))
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

/// Derivations whose value is a bound from above.
const FROM_ABOVE: [&str; 2] = ["search-trees", "symmetric-parts"];

fn derived(checker: &Checker, reading: &Reading) -> Shown {
    let figure = |name: &str| reading.record["figures"][name].as_str();
    let found = reading.text("found");
    if figure("value").is_none() {
        let open = reading.is_open();
        return open.or_wrong("decided without a value").map(|()| vec![]);
    }
    (figure("value") == Some(found)).or_wrong("the figure found is not its value")?;
    let concludes = figure("verdict").is_none_or(|said| said == reading.verdict());
    concludes.or_wrong("the derivation concludes something else")?;
    if figure("verdict") == Some("not-reached") {
        let trusted = format!("the figure {found}, on which no verdict rests");
        return Ok(vec![trusted]);
    }
    let what = reading.case.text("derive").unwrap_or_default();
    let rests = ["samples", "program", "program-naive", "low", "high"].map(figure);
    let parameters = Parameters(texts(reading.case.own.get("parameters")));
    let name = format!("{} {what} {parameters:?} {found} {rests:?}", reading.puzzle);
    let again = checker.derived(name, || figures::derive(reading, what, &parameters));
    let again = again.map_err(|why| match why {
        Stop::Unknown(why) => Stop::Unknown(format!("{what}: {why}")),
        wrong => wrong,
    })?;
    reading.comes_to(&again.value)?;
    let judged = figure("samples").is_some() && reading.verdict() != "reported";
    (!judged).or_wrong("a speed measured on one machine is judged")?;
    let compare = reading.case.compare.as_str();
    let logical = match figure("verdict") {
        Some(said) => {
            (again.verdict == Some(said)).or_wrong(format!("no derivation concludes {said}"))?;
            said
        }
        None => reading.case.verdict(found).unwrap_or_default(),
    };
    // A bound from above shows that no figure is larger, and nothing else.
    let decided = matches!(
        (compare, logical),
        ("at-most", "confirmed") | ("at-least", "refuted") | ("report", _)
    );
    let logical = match FROM_ABOVE.contains(&what) && !decided {
        true => "not-reached",
        false => logical,
    };
    let (checks, figures) = (list(&reading.record["checks"]), &reading.record["figures"]);
    let all = checks.len() == usize::from(figure("sampled").is_some());
    all.or_wrong("samples without a check, or a check without samples")?;
    for check in checks {
        let mut members = ["sampled", "wrong"].iter();
        let same = members.all(|member| check[member] == figures[member]);
        (same && check["what"] == what).or_wrong("the sample is told in two ways")?;
    }
    graded(reading, logical, !checks.is_empty())?;
    game(reading, &again.game)?;
    Ok(again.trusted)
}

/// Whether the game shown is the one that is played here, with the moves as the rules name them.
fn game(reading: &Reading, boards: &[String]) -> Result<(), Stop> {
    let picture = match (reading.witnesses, boards) {
        ([], []) => return Ok(()),
        ([picture], [_, ..]) => &picture["kind"],
        _ => return Err("another number of games is shown".into()),
    };
    replayed(&*reading.rules()?, picture)?;
    let same = list(&picture["strip"]["states"]).iter().eq(boards);
    same.or_wrong("the game shown is not the published one")
}
