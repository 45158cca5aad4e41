//! Paths, replayed, with the levels that show that there is none shorter.

use serde_json::Value;

use super::graded;
use super::levels::{ran, same};
use crate::certificate::{Checker, Reading, Shown, Stop, ensure, list};
use crate::claim::whole;
use crate::proof;
use crate::rules::Rules;
use crate::search::{Found, MOST, Question, deepening};

/// Most boards of a search by a lower bound.
const DEEPEST: u64 = 10_000_000;

/// States of a path that the certificate shows, each a move from the one before.
///
/// # Errors
/// A state or a move that is against the rules.
pub fn replayed(rules: &dyn Rules, picture: &Value) -> Result<Vec<u128>, Stop> {
    let (states, labels) = (
        list(&picture["strip"]["states"]),
        list(&picture["strip"]["labels"]),
    );
    let read = |text: &Value| {
        let text = text.as_str().unwrap_or_default();
        let state = rules.read(text)?;
        if rules.draw(state) == text {
            Ok(state)
        } else {
            Err(format!("{text:?} is drawn otherwise"))
        }
    };
    let path = states
        .iter()
        .map(read)
        .collect::<Result<Vec<u128>, String>>()?;
    ensure(labels.len() + 1 == path.len(), "as many moves as states")?;
    for (i, step) in path.windows(2).enumerate() {
        let mut next = Vec::new();
        rules.next(step[0], &mut next);
        ensure(
            next.contains(&step[1]),
            format!("move {} is against the rules", i + 1),
        )?;
        let name = rules.name(step[0], step[1]);
        ensure(
            labels[i].as_str() == name.as_deref(),
            format!("move {} is {name:?}", i + 1),
        )?;
    }
    Ok(path)
}

pub(super) fn path(checker: &Checker, reading: &Reading) -> Shown {
    let rules = reading.rules()?;
    let case = reading.case;
    let start = match &case.board {
        Some(board) => Some(rules.read(board)?),
        None => rules.start(),
    };
    let start = start.ok_or(Stop::Wrong("there is no start".into()))?;
    let goal = case.text("to").map(|to| rules.read(to)).transpose()?;
    let [picture] = reading.witnesses else {
        return Err(Stop::Wrong("not one witness".into()));
    };
    let picture = &picture["kind"];
    if case.text("path").is_some() && reading.text("found").starts_with(BROKEN) {
        return broken(reading, &*rules, picture, (start, goal));
    }
    if picture["strip"].is_null() {
        ensure(
            picture["board"]["state"] == rules.draw(start),
            "the board shown is not the start",
        )?;
        return without_path(checker, reading, &*rules, (start, goal));
    }
    let path = replayed(&*rules, picture)?;
    let last = path[path.len() - 1];
    ensure(path[0] == start, "the path begins elsewhere")?;
    ensure(
        goal.map_or_else(|| rules.solved(last), |goal| last == goal),
        "the path ends elsewhere",
    )?;
    let (count, found) = ((path.len() - 1).to_string(), reading.text("found"));
    if case.kind == "count" {
        ensure(
            found.parse::<f64>().is_ok() && reading.verdict() == "reported",
            "no time is reported",
        )?;
        return Ok(vec!["the clock".into()]);
    }
    let wanted = match (case.kind.as_str(), count.as_str()) {
        ("unreachable", "1") => "1 move".to_owned(),
        ("unreachable", _) => format!("{count} moves"),
        _ => count.clone(),
    };
    ensure(found == wanted, format!("the path has {count} moves"))?;
    let logical = match (case.kind.as_str(), case.compare.as_str()) {
        ("unreachable", _) => "refuted",
        ("solvable", _) | (_, "holds") => "confirmed",
        _ => case.verdict(&count).unwrap_or_default(),
    };
    let decides = case.kind != "length"
        || match (case.compare.as_str(), logical) {
            ("holds", _) | ("at-most", "confirmed") | ("at-least", "refuted") => true,
            ("equal", "refuted") => whole(&case.claimed) > whole(&count),
            _ => false,
        };
    let engine = case.text("engine").unwrap_or_default();
    graded(
        reading,
        logical,
        ["disk", "ida"].contains(&engine) && !decides,
    )?;
    if decides && case.text("path").is_some() {
        // The claim's own path: nothing was searched, and nothing else decides.
        return tabled(checker, reading, &*rules, start, goal);
    }
    if engine == "ida" && !decides {
        ensure(reading.record["run"].is_null(), "a run of no levels")?;
        if goal.is_some() {
            return Err(Stop::Unknown("a bound for a goal of its own".into()));
        }
        let again = checker.once(&format!("{} from {start}", name_of(reading)), || {
            let fewest = deepening(&*rules, start, DEEPEST);
            Ok(fewest.map_or(String::new(), |fewest| fewest.to_string()))
        })?;
        let open = format!("that no path is shorter ({DEEPEST} states tried do not settle it)");
        ensure(
            again.is_empty() || again == count,
            format!("the fewest moves are {again}"),
        )?;
        return Ok(if again.is_empty() { vec![open] } else { vec![] });
    }
    let layered = ["dfs", "beam"].contains(&engine);
    let again = nearest(checker, reading, &*rules, (start, goal), None);
    match &*again {
        Some(again) if !layered || !decides => ensure(
            again.met == Some(path.len() as u32 - 1),
            format!("the fewest moves are {:?}", again.met),
        )?,
        None if !decides => {
            tabled(checker, reading, &*rules, start, goal)?;
            return Ok(vec![format!(
                "that no path is shorter ({MOST} states and more)"
            )]);
        }
        _ => {}
    }
    tabled(checker, reading, &*rules, start, goal)
}

/// How the finding begins of a path of the claim's own that is no solution.
const BROKEN: &str = "a path that ";

/// A path of the claim's own that is no solution: it is played as far as the rules allow.
fn broken(
    reading: &Reading,
    rules: &dyn Rules,
    picture: &Value,
    (start, goal): (u128, Option<u128>),
) -> Shown {
    let names = reading.case.text("path").unwrap_or_default();
    let names: Vec<&str> = names.split(',').map(str::trim).collect();
    let path = match picture["strip"].is_null() {
        true => vec![rules.read(picture["board"]["state"].as_str().unwrap_or_default())?],
        false => replayed(rules, picture)?,
    };
    ensure(path[0] == start, "the path begins elsewhere")?;
    let (moves, last) = (path.len() - 1, path[path.len() - 1]);
    let as_named = path
        .windows(2)
        .zip(&names)
        .all(|(step, name)| rules.name(step[0], step[1]).as_deref() == Some(*name));
    ensure(as_named, "another path than the claim's")?;
    if reading.text("found") == format!("{BROKEN}breaks at move {}", moves + 1) {
        let wanted = names
            .get(moves)
            .ok_or(Stop::Wrong("the path has no such move".into()))?;
        let mut next = Vec::new();
        rules.next(last, &mut next);
        let is_there = |&next: &u128| rules.name(last, next).as_deref() == Some(*wanted);
        ensure(!next.iter().any(is_there), "the path goes on")?;
    } else {
        ensure(
            reading.text("found") == format!("{BROKEN}ends elsewhere") && names.len() == moves,
            "the path goes on",
        )?;
        let there = goal.map_or_else(|| rules.solved(last), |goal| last == goal);
        ensure(!there, "the path ends where it should")?;
    }
    graded(reading, "refuted", false)?;
    ensure(
        reading.record["run"].is_null() && reading.record["levels"].is_null(),
        "levels of a path that is given",
    )?;
    Ok(vec![])
}

/// The levels up to the nearest goal.
pub(super) fn nearest(
    checker: &Checker,
    reading: &Reading,
    rules: &dyn Rules,
    (start, goal): (u128, Option<u128>),
    depth: Option<u32>,
) -> std::sync::Arc<Option<Found>> {
    let question = Question {
        roots: vec![start],
        until: Some(goal),
        depth,
        ..Question::default()
    };
    checker.search(&name_of(reading), rules, &question, false)
}

pub(super) fn name_of(reading: &Reading) -> String {
    format!(
        "{}/{:?} {:?}",
        reading.puzzle, reading.case.instance, reading.case.settings
    )
}

/// The table beside a path: levels from its start.
fn tabled(
    checker: &Checker,
    reading: &Reading,
    rules: &dyn Rules,
    start: u128,
    goal: Option<u128>,
) -> Shown {
    let run = &reading.record["run"];
    if run.is_null() {
        ensure(reading.record["levels"].is_null(), "levels without a run")?;
        return Ok(vec![]);
    }
    let disk = reading.case.text("engine") == Some("disk");
    let depth = run["max_depth"].as_u64().map(|depth| depth as u32);
    let symmetry = !disk && rules.images(start).iter().all(|&image| image == start);
    let until = if disk { Some(goal) } else { None };
    let question = Question {
        roots: vec![start],
        depth,
        symmetry,
        until,
        backward: false,
    };
    let found = checker.search(&name_of(reading), rules, &question, false);
    let Some(found) = &*found else {
        return Ok(vec!["levels of more states than are searched here".into()]);
    };
    let bound = reading
        .case
        .by_effort("max_depth", reading.effort)
        .and_then(Value::as_u64);
    let most = whole(&reading.case.claimed)
        .filter(|_| reading.case.compare == "at-most")
        .map(|most| most as u64);
    let asked = if disk {
        bound.into_iter().chain(most).min()
    } else {
        found.levels.len().checked_sub(1).map(|n| n as u64)
    };
    let whole = found.complete && !disk;
    ensure(
        whole || run["max_depth"].as_u64() == asked,
        "the run went to another depth",
    )?;
    ran(
        reading,
        "forward",
        Some(&rules.draw(start)),
        found.complete,
        1,
    )?;
    same(&reading.record["levels"], &found.levels, None)?;
    Ok(vec![])
}

/// That there is no path: a proof, complete levels, or all levels up to a depth.
fn without_path(
    checker: &Checker,
    reading: &Reading,
    rules: &dyn Rules,
    ends: (u128, Option<u128>),
) -> Shown {
    let (case, found) = (reading.case, reading.text("found"));
    let none = match case.kind.as_str() {
        "unreachable" => "unreachable",
        _ => "unsolvable",
    };
    if found == none {
        let logical = match case.kind.as_str() {
            "unreachable" => "confirmed",
            "length" if case.claimed == "unsolvable" => "confirmed",
            _ => "refuted",
        };
        graded(reading, logical, false)?;
        if let Some(text) = reading.record["proof"].as_str() {
            return proof::check(reading, rules, ends, text).map(|()| vec![]);
        }
        return match &*nearest(checker, reading, rules, ends, None) {
            Some(again) => {
                ensure(again.complete && again.met.is_none(), "there is a path")?;
                tabled(checker, reading, rules, ends.0, ends.1)
            }
            None => Ok(vec![
                "that no path is among more states than are searched here".into(),
            ]),
        };
    }
    if let Some(depth) = found
        .strip_prefix("more than ")
        .and_then(|depth| depth.parse::<u32>().ok())
    {
        let beyond = ["equal", "at-most"].contains(&case.compare.as_str())
            && whole(&case.claimed) <= Some(depth.into());
        ensure(beyond, "the claim is not passed")?;
        let again = nearest(checker, reading, rules, ends, Some(depth));
        let Some(again) = &*again else {
            return Ok(vec![
                "that no path is among more states than are searched here".into(),
            ]);
        };
        ensure(
            again.met.is_none() && again.levels.len() as u32 == depth + 1,
            "there is a path, or nothing so far",
        )?;
        graded(reading, "refuted", true)?;
    } else {
        ensure(
            found.is_empty() && reading.verdict() == "not-reached",
            "found without a path",
        )?;
    }
    tabled(checker, reading, rules, ends.0, ends.1)
}
