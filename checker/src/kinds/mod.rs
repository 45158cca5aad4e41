//! The evidence of a reading, by the kind of its claim.

mod hardest;
mod lengths;
mod levels;
mod moves;
mod paths;

pub use levels::MOST_SHOWN;

use std::collections::BTreeSet;
use std::sync::Arc;

use crate::case::Case;
use crate::checker::Checker;
use crate::figures;
use crate::reading::Reading;
use crate::rules::{Ends, Rules};
use crate::search::{Found, Question};
use crate::shown::{OrWrong, Shown, Stop, list, text};
use crate::verdict::{more_than, truth, whole};

/// The trusted part if a search is not made.
const BEYOND: &str = "levels of more states than are searched here";

/// The finding for a text that is not a board.
const NO_BOARD: &str = "no board of this instance";

/// Whether a reading is shown, and the trusted part of it.
pub fn show(checker: &Checker, reading: &Reading) -> Shown {
    let skipped = reading.claim.text("effort") == "full" && reading.effort == "quick";
    if reading.is_open() && reading.text("engine").is_empty() {
        // Nothing was tried, as its own lines have it; or the run ended before.
        reading.leaves_nothing()?;
        return skipped.then(Vec::new).ok_or(Stop::Unfinished);
    }
    (!skipped).or_wrong("it is only for full effort, and was tried")?;
    if reading.is_stopped() {
        return Err(Stop::Unfinished);
    }
    match again(checker, reading) {
        // The finding must equal the evidence where it cannot be recomputed here.
        Err(unknown @ Stop::Unknown(_)) => stands(reading).and(Err(unknown)),
        shown => shown,
    }
}

fn again(checker: &Checker, reading: &Reading) -> Shown {
    match reading.case.kind.as_str() {
        "derived" => figures::show(checker, reading),
        _ if reading.case.is_of_path() => paths::path(checker, reading),
        "count" if moves::is_of_moves(reading) => moves::moves(checker, reading),
        "count" | "levels" => levels::levels(checker, reading),
        "hardest" => hardest::hardest(checker, reading),
        _ => lengths::lengths(checker, reading),
    }
}

/// Whether the finding and the verdict follow from evidence that is not recomputed.
fn stands(reading: &Reading) -> Shown {
    let (case, found) = (reading.case, reading.text("found"));
    if reading.is_open() {
        return Ok(vec![]);
    }
    let is_path = |picture: &&serde_json::Value| !picture["kind"]["strip"].is_null();
    let path = reading.witnesses().iter().find(is_path);
    let moves = path.map(|path| list(&path["kind"]["strip"]["labels"]).len());
    if case.is_of_path() {
        let kind = reading.witnesses().first().map(|one| &one["kind"]);
        let kind = kind.unwrap_or(&serde_json::Value::Null);
        let from = kind["strip"]["states"][0].as_str();
        let from = from.unwrap_or(text(&kind["board"], "state"));
        paths::told(
            reading,
            from,
            moves.or(more_than(found).map(|depth| depth as usize)),
        )?;
    }
    let logical = match case.kind.as_str() {
        "count" if case.text("count") == Some("seconds") => return reading.is_by_the_clock(),
        "count" | "levels" => return levels::decided(reading, levels::told_as_asked(reading)?),
        "hardest" => {
            levels::told_as_asked(reading)?;
            let (greatest, fits) = hardest::greatest(reading);
            let among = format!("{}, the greatest distance", in_moves(case, greatest));
            let logical = truth(found.starts_with(&among) && fits);
            reading.graded(logical, found != NO_BOARD)?;
            return Ok(vec![]);
        }
        "lengths" => return lengths::told(reading).map(|_| vec![]),
        "solvable" | "unreachable" => Some(truth(moves.is_some() == (case.kind == "solvable"))),
        "length" => Some(of_length(case, found)?),
        _ => case.verdict(found),
    };
    let shown = match (case.kind.as_str(), moves) {
        ("length", _) if found.starts_with(paths::BROKEN) => {
            let breaks = format!("{}breaks at move {}", paths::BROKEN, moves.unwrap_or(0) + 1);
            found == breaks || found == format!("{}ends elsewhere", paths::BROKEN)
        }
        ("length" | "solvable", Some(moves)) => found == moves.to_string(),
        ("unreachable", Some(moves)) => found == in_moves(case, moves),
        ("solvable", None) => found == "unsolvable",
        ("unreachable", None) => found == "unreachable",
        ("length", None) => whole(found).is_none(),
        _ => true,
    };
    shown.or_wrong("the path shown has another length")?;
    if let Some(strip) = path
        .map(|path| &path["kind"]["strip"])
        .filter(|_| case.is_of_path())
    {
        let states: Vec<_> = list(&strip["states"])
            .iter()
            .map(|one| one.as_str())
            .collect();
        (Some(states.len()) == moves.map(|moves| moves + 1)).or_wrong("as many moves as states")?;
        let once = states.iter().collect::<BTreeSet<_>>().len() == states.len();
        (once || case.text("path").is_some()).or_wrong("the path shown comes back to a state")?;
        let names = |text: &str| text.replace([',', ' ', '\t', '\r', '\n'], "");
        let labels = list(&strip["labels"]).iter().filter_map(|one| one.as_str());
        let (own, shown) = (
            names(case.text("path").unwrap_or_default()),
            labels.map(names),
        );
        // Cells and primes may be written in other forms.
        let has_forms = |c: char| c.is_ascii_digit() || c == '\'' || !c.is_ascii();
        let rest = own.strip_prefix(&shown.collect::<String>());
        let goes_on = rest.is_some_and(|rest| rest.is_empty() || found.contains("breaks"));
        let own = case.text("path").is_none() || goes_on || own.contains(has_forms);
        own.or_wrong("another path than the claim's")?;
    }
    // Its basis is not known here, nor whether a search was complete.
    let rests = reading.verdict() == "not-reached" || reading.verdict().ends_with("-by-sample");
    logical.map_or(Ok(()), |logical| reading.graded(logical, rests))?;
    Ok(vec![])
}

/// The verdict on what was found about a length, if any is right.
fn of_length(case: &Case, found: &str) -> Result<&'static str, Stop> {
    let is_published = case.text("path").is_some();
    let verdict = match (case.compare.as_str(), more_than(found)) {
        ("report", _) => Some("reported"),
        (_, Some(depth)) => case.beyond(depth),
        (_, None) if found.starts_with(paths::BROKEN) => is_published.then_some("refuted"),
        ("at-least", None) if found == "unsolvable" => Some("confirmed"),
        (_, None) if found == "unsolvable" => Some(truth(case.claimed == found)),
        (_, None) => whole(found).and_then(|_| case.verdict(found)),
    };
    Ok(verdict.ok_or(format!("{found:?} is no answer to the claim"))?)
}

fn nearest(
    checker: &Checker,
    reading: &Reading,
    rules: &dyn Rules,
    (start, goal): Ends,
    depth: Option<u32>,
) -> Option<Arc<Found>> {
    let question = Question {
        depth,
        until: Some(goal),
        ..Question::solving(start)
    };
    checker.search(&reading.name(), rules, &question, false)
}

fn in_moves(case: &Case, count: usize) -> String {
    let unit = case.moves();
    let one = unit.trim_end_matches('s');
    format!("{count} {}", if count == 1 { one } else { unit })
}
