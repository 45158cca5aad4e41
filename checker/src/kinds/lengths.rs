//! Lengths between pairs of positions: all paths are replayed, and pairs are searched again.

use std::cmp::Ordering;

use serde_json::{Value, json};

use crate::checker::Checker;
use crate::claim::{self, Pair};
use crate::pairs::{Decided, row_shown, shortest};
use crate::reading::{LEAST_SAMPLE, Reading};
use crate::shown::{OrWrong, Shown, Stop, list, text};
use crate::verdict::{more_than, together};

/// Whether rows, figures and verdicts agree, whatever shows them.
pub(super) fn told(reading: &Reading) -> Result<Vec<Pair>, Stop> {
    let pairs = claim::pairs(reading.case)?;
    (pairs.len() == reading.rows.len()).or_wrong("another number of rows")?;
    for (pair, row) in pairs.iter().zip(reading.rows) {
        copied(reading, pair, row)?;
    }
    let rows = reading.rows.iter();
    let verdicts: Vec<&str> = rows.clone().map(|row| text(row, "verdict")).collect();
    resting(reading, &pairs)?;
    let whole = together(true, &verdicts);
    reading.comes_out(whole)?;
    let all = "confirmed confirmed-by-sample refuted refuted-by-sample not-reached";
    let count = |verdict: &str| verdicts.iter().filter(|other| **other == verdict).count();
    let told = all.split(' ').filter(|verdict| count(verdict) > 0);
    let told = told.map(|verdict| format!("{} {}", count(verdict), verdict.replace('-', " ")));
    reading.comes_to(&told.collect::<Vec<_>>().join(", "))?;
    for picture in reading.witnesses() {
        let shows = |row: &Value| list(&row["witnesses"]).contains(picture);
        let shown = rows.clone().any(shows);
        shown.or_wrong("a witness is in no row")?;
    }
    Ok(pairs)
}

/// Whether the sides were checked on which the rows rest; a path that is shorter than claimed rests
/// on none.
fn resting(reading: &Reading, pairs: &[Pair]) -> Result<(), Stop> {
    let mut least = 0;
    for (pair, row) in pairs.iter().zip(reading.rows) {
        let shorter = |found: u32| found < pair.2;
        let by_path = text(row, "found").parse().is_ok_and(shorter);
        least = least.max(match text(row, "verdict") {
            "not-reached" => 0,
            _ if by_path => 0,
            verdict if verdict.ends_with("-by-sample") => LEAST_SAMPLE,
            _ => 1,
        });
    }
    let enough = reading.looked_at("sides") >= least;
    enough.or_wrong("the sides of its pairs were not checked")
}

/// The verdicts that a row's figure can have. A path alone shows that this many moves are enough.
/// If the sides were compared with the rules, they show that fewer are not, or that there is no
/// path.
fn fitting(found: &str, moves: u32) -> &'static [&'static str] {
    const OTHER: &[&str] = &["refuted", "refuted-by-sample", "not-reached"];
    match found.parse().map(|found: u32| found.cmp(&moves)) {
        Ok(Ordering::Equal) => &["confirmed", "confirmed-by-sample", "not-reached"],
        Ok(Ordering::Less) => &["refuted"],
        Ok(Ordering::Greater) => OTHER,
        Err(_) if found == "no path" || more_than(found) >= Some(moves) => OTHER,
        Err(_) if found.is_empty() || more_than(found).is_some() => &["not-reached"],
        Err(_) => &[],
    }
}

/// The rows of a claim of kind `lengths`.
pub(super) fn lengths(checker: &Checker, reading: &Reading) -> Shown {
    let (rules, pairs) = (reading.rules()?, told(reading)?);
    let mut decided: Vec<Decided> = Vec::new();
    for ((from, to, _), row) in pairs.iter().zip(reading.rows) {
        decided.extend(row_shown(&*rules, (from, to), row)?);
    }
    let stopped = reading.rows.iter().any(|row| row["found"] == "");
    let shown = shortest(checker, &reading.name(), &*rules, &decided)?;
    if stopped {
        Err(Stop::Unfinished)
    } else {
        Ok(shown)
    }
}

/// A number of moves with its thousands set apart.
fn grouped(moves: u32) -> String {
    let (digits, unit) = (moves.to_string(), if moves == 1 { "move" } else { "moves" });
    let mut text = String::new();
    for (at, digit) in digits.chars().enumerate() {
        let apart = at > 0 && (digits.len() - at).is_multiple_of(3);
        text.extend(apart.then_some(',').into_iter().chain([digit]));
    }
    format!("{text} {unit}")
}

fn copied(reading: &Reading, (from, to, moves): &Pair, row: &Value) -> Result<(), Stop> {
    let (name, quick) = (format!("{from}-{to}"), reading.effort == "quick");
    let refuted = reading.case.own.get("refuted").map(list);
    let refuted = refuted.is_some_and(|all| all.contains(&name.as_str().into()));
    let (found, verdict) = (text(row, "found"), text(row, "verdict"));
    let fits = fitting(found, *moves).contains(&verdict);
    fits.or_wrong(format!("{name}: {found:?} does not come out {verdict}"))?;
    let may_be_open = quick || reading.claim.expect == "not-reached";
    let expect = match (verdict, refuted) {
        ("not-reached", _) if may_be_open => "not-reached",
        ("refuted-by-sample", true) => "refuted-by-sample",
        ("confirmed-by-sample", false) => "confirmed-by-sample",
        (_, true) => "refuted",
        (_, false) => "confirmed",
    };
    let own = json!({
        "id": format!("{}-{name}", reading.claim.text("id")),
        "kind": "length",
        "claimed": moves.to_string(),
        "statement": format!("From {from} to {to} it takes exactly {}.", grouped(*moves)),
        "expect": expect,
        "readings": [],
        "evidence": [],
    });
    let free = ["found", "verdict", "witnesses", "notes", "wall_s"];
    let free = free.map(|member| (member.to_owned(), row[member].clone()));
    // Whatever else it says is what its table says.
    let mut right = reading.result.as_object().cloned().unwrap_or_default();
    right.extend(own.as_object().cloned().into_iter().flatten().chain(free));
    right.remove("bound");
    let same = row.as_object() == Some(&right);
    same.or_wrong(format!("{name}: it says something else than its claim"))
}
