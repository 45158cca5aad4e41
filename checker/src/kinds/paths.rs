//! Paths, replayed, with the levels that show that there is none shorter.

use std::sync::Arc;

use serde_json::Value;

use super::levels::{ran, same};
use super::{BEYOND, graded};
use crate::checker::Checker;
use crate::reading::Reading;
use crate::replay::replayed;
use crate::rules::{Ends, MOST, Rules};
use crate::search::{Found, Question, deepening};
use crate::shown::{OrWrong, Shown, Stop, text};
use crate::verdict::{more_than, truth, whole};

/// Most boards of a search by a lower bound.
const DEEPEST: u64 = 10_000_000;

pub(super) fn path(checker: &Checker, reading: &Reading) -> Shown {
    let (case, rules) = (reading.case, reading.rules()?);
    let start = reading.start(&*rules)?;
    let start = start.ok_or(Stop::Wrong("there is no start".into()))?;
    let goal = case.text("to").map(|to| rules.state(to)).transpose()?;
    let ends = (start, goal);
    let [picture] = reading.witnesses else {
        return Err(Stop::Wrong("not one witness".into()));
    };
    let picture = &picture["kind"];
    if case.text("path").is_some() && reading.text("found").starts_with(BROKEN) {
        return broken(reading, &*rules, picture, ends);
    }
    if picture["strip"].is_null() {
        (picture["board"]["state"] == rules.draw(start))
            .or_wrong("the board shown is not the start")?;
        return without_path(checker, reading, &*rules, ends);
    }
    let path = replayed(&*rules, picture)?;
    (path[0] == start).or_wrong("the path begins elsewhere")?;
    rules
        .ends(path[path.len() - 1], goal)
        .or_wrong("the path ends elsewhere")?;
    let (count, found) = ((path.len() - 1).to_string(), reading.text("found"));
    if case.kind == "count" {
        (found.parse::<f64>().is_ok() && reading.verdict() == "reported")
            .or_wrong("no time is reported")?;
        return Ok(vec!["the clock".into()]);
    }
    let wanted = match (case.kind.as_str(), count.as_str()) {
        ("unreachable", "1") => "1 move".to_owned(),
        ("unreachable", _) => format!("{count} moves"),
        _ => count.clone(),
    };
    (found == wanted).or_wrong(format!("the path has {count} moves"))?;
    let logical = match (case.kind.as_str(), case.compare.as_str()) {
        ("unreachable", _) => "refuted",
        ("solvable", _) | (_, "holds") => "confirmed",
        _ => case.verdict(&count).unwrap_or_default(),
    };
    // Whether the path alone decides, however long a shortest one is.
    let decides = match (case.kind.as_str(), case.compare.as_str(), logical) {
        ("length", "holds", _) => true,
        ("length", "at-most", "confirmed") | ("length", "at-least", "refuted") => true,
        ("length", "equal", "refuted") => whole(&case.claimed) > whole(&count),
        (kind, ..) => kind != "length",
    };
    let engine = case.text("engine").unwrap_or_default();
    let rests = ["disk", "ida"].contains(&engine) && !decides;
    graded(reading, logical, rests)?;
    if decides && case.text("path").is_some() {
        // The claim's own path: nothing was searched, and nothing else decides.
        return tabled(checker, reading, &*rules, ends);
    }
    if engine == "ida" && !decides {
        reading.record["run"]
            .is_null()
            .or_wrong("a run of no levels")?;
        if goal.is_some() {
            return Err(Stop::Unknown("a bound for a goal of its own".into()));
        }
        let again = checker.once(&format!("{} from {start}", name_of(reading)), || {
            let fewest = deepening(&*rules, start, DEEPEST);
            Ok(fewest.map_or(String::new(), |fewest| fewest.to_string()))
        })?;
        let open = format!("that no path is shorter ({DEEPEST} states tried do not settle it)");
        (again.is_empty() || again == count).or_wrong(format!("the fewest moves are {again}"))?;
        return Ok(if again.is_empty() { vec![open] } else { vec![] });
    }
    // A search in layers that are cut off finds some path, not a shortest.
    let layered = ["dfs", "beam"].contains(&engine);
    match &*nearest(checker, reading, &*rules, ends, None) {
        Some(again) if !layered || !decides => (again.met == Some(path.len() as u32 - 1))
            .or_wrong(format!("the fewest moves are {:?}", again.met))?,
        None if !decides => {
            tabled(checker, reading, &*rules, ends)?;
            return Ok(vec![format!(
                "that no path is shorter ({MOST} states and more)"
            )]);
        }
        _ => {}
    }
    tabled(checker, reading, &*rules, ends)
}

/// How the finding begins of a path of the claim's own that is no solution.
const BROKEN: &str = "a path that ";

/// A path of the claim's own that is no solution: it is played as far as the rules allow.
fn broken(reading: &Reading, rules: &dyn Rules, picture: &Value, (start, goal): Ends) -> Shown {
    let names = reading.case.text("path").unwrap_or_default();
    let names: Vec<&str> = names.split(',').map(str::trim).collect();
    let path = match picture["strip"].is_null() {
        true => vec![rules.state(text(&picture["board"], "state"))?],
        false => replayed(rules, picture)?,
    };
    (path[0] == start).or_wrong("the path begins elsewhere")?;
    let (moves, last) = (path.len() - 1, path[path.len() - 1]);
    let is_named = |from, to, name: &str| rules.name(from, to).as_deref() == Some(name);
    let mut steps = path.windows(2).zip(&names);
    steps
        .all(|(step, name)| is_named(step[0], step[1], name))
        .or_wrong("another path than the claim's")?;
    if reading.text("found") == format!("{BROKEN}breaks at move {}", moves + 1) {
        let wanted = names.get(moves);
        let wanted = wanted.ok_or(Stop::Wrong("the path has no such move".into()))?;
        let mut next = rules.next(last).into_iter();
        (!next.any(|next| is_named(last, next, wanted))).or_wrong("the path goes on")?;
    } else {
        (reading.text("found") == format!("{BROKEN}ends elsewhere") && names.len() == moves)
            .or_wrong("the path goes on")?;
        (!rules.ends(last, goal)).or_wrong("the path ends where it should")?;
    }
    graded(reading, "refuted", false)?;
    (reading.record["run"].is_null() && reading.record["levels"].is_null())
        .or_wrong("levels of a path that is given")?;
    Ok(vec![])
}

/// The levels up to the nearest goal.
pub(super) fn nearest(
    checker: &Checker,
    reading: &Reading,
    rules: &dyn Rules,
    (start, goal): Ends,
    depth: Option<u32>,
) -> Arc<Option<Found>> {
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
fn tabled(checker: &Checker, reading: &Reading, rules: &dyn Rules, (start, goal): Ends) -> Shown {
    let (case, run) = (reading.case, &reading.record["run"]);
    if run.is_null() {
        reading.record["levels"]
            .is_null()
            .or_wrong("levels without a run")?;
        return Ok(vec![]);
    }
    let disk = case.text("engine") == Some("disk");
    let depth = run["max_depth"].as_u64();
    let question = Question {
        roots: vec![start],
        depth: depth.map(|depth| depth as u32),
        symmetry: !disk && rules.is_symmetric(start),
        until: disk.then_some(goal),
        backward: false,
    };
    let found = checker.search(&name_of(reading), rules, &question, false);
    let Some(found) = &*found else {
        return Ok(vec![BEYOND.into()]);
    };
    let bound = reading.asked("max_depth").and_then(Value::as_u64);
    let most = whole(&case.claimed).filter(|_| case.compare == "at-most");
    let asked = match disk {
        true => bound.into_iter().chain(most.map(|most| most as u64)).min(),
        false => found.levels.len().checked_sub(1).map(|n| n as u64),
    };
    (found.complete && !disk || depth == asked).or_wrong("the run went to another depth")?;
    let from = rules.draw(start);
    ran(reading, "forward", Some(&from), found.complete, 1)?;
    same(&reading.record["levels"], &found.levels, None)?;
    Ok(vec![])
}

/// That there is no path: a proof, complete levels, or all levels up to a depth.
fn without_path(checker: &Checker, reading: &Reading, rules: &dyn Rules, ends: Ends) -> Shown {
    const OPEN: &str = "that no path is among more states than are searched here";
    let (case, found) = (reading.case, reading.text("found"));
    let is_unreachable = case.kind == "unreachable";
    if found
        == if is_unreachable {
            "unreachable"
        } else {
            "unsolvable"
        }
    {
        let claimed = case.kind == "length" && case.claimed == "unsolvable";
        graded(reading, truth(is_unreachable || claimed), false)?;
        if let Some(text) = reading.record["proof"].as_str() {
            return rules.proves(ends, text).map(|()| vec![]);
        }
        let again = nearest(checker, reading, rules, ends, None);
        let Some(again) = &*again else {
            return Ok(vec![OPEN.into()]);
        };
        (again.complete && again.met.is_none()).or_wrong("there is a path")?;
    } else if let Some(depth) = more_than(found) {
        let beyond = ["equal", "at-most"].contains(&case.compare.as_str())
            && whole(&case.claimed) <= Some(depth.into());
        beyond.or_wrong("the claim is not passed")?;
        let again = nearest(checker, reading, rules, ends, Some(depth));
        let Some(again) = &*again else {
            return Ok(vec![OPEN.into()]);
        };
        (again.met.is_none() && again.levels.len() as u32 == depth + 1)
            .or_wrong("there is a path, or nothing so far")?;
        graded(reading, "refuted", true)?;
    } else {
        (found.is_empty() && reading.verdict() == "not-reached")
            .or_wrong("found without a path")?;
    }
    tabled(checker, reading, rules, ends)
}
