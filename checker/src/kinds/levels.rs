//! Level tables, searched again.

use serde_json::Value;

use super::graded;
use super::paths::name_of;
use crate::certificate::{Checker, Reading, Shown, Stop, ensure, list};
use crate::claim::whole;
use crate::parts::{self, NEVER};
use crate::rules::{Rules, tilt::Tilt};
use crate::search::{Level, MOST, Question, States};

/// Whether a run is of what the reading asks.
pub(super) fn ran(
    reading: &Reading,
    direction: &str,
    from: Option<&str>,
    complete: bool,
    parts: usize,
) -> Result<(), Stop> {
    let run = &reading.record["run"];
    let instance = reading
        .case
        .instance
        .as_deref()
        .map_or(Value::Null, Value::from);
    let settings: serde_json::Map<String, Value> = reading
        .case
        .settings
        .iter()
        .map(|(k, v)| (k.clone(), v.as_str().into()))
        .collect();
    let of = run["puzzle"] == reading.puzzle
        && run["instance"] == instance
        && run["settings"] == Value::Object(settings);
    ensure(of, "the run is of another instance")?;
    ensure(
        run["direction"] == direction && run["from"] == from.map_or(Value::Null, Value::from),
        "the run began elsewhere",
    )?;
    ensure(
        run["complete"] == complete,
        "the run is complete, or not, against its word",
    )?;
    ensure(
        run["parts_total"] == parts && run["parts_done"] == parts,
        "parts of the run are missing",
    )
}

/// A level as its members in files.
#[must_use]
pub fn told(level: &Level) -> [String; 3] {
    [
        level.states.to_string(),
        level.orbits.to_string(),
        format!("{:032x}", level.digest),
    ]
}

fn told_alike(said: &Value, level: &Level) -> bool {
    ["states", "orbits", "digest"]
        .into_iter()
        .zip(told(level))
        .all(|(member, text)| said[member] == text)
}

/// Whether a table in a certificate is the one found again.
pub(super) fn same(said: &Value, levels: &[Level], unsolvable: Option<&Level>) -> Result<(), Stop> {
    let rows = list(&said["levels"]);
    ensure(
        rows.len() == levels.len(),
        format!("there are {} levels", levels.len()),
    )?;
    for (depth, (row, level)) in rows.iter().zip(levels).enumerate() {
        ensure(
            row["depth"] == depth && told_alike(row, level),
            format!("level {depth} has {:?}", told(level)),
        )?;
    }
    match unsolvable {
        Some(level) => ensure(
            told_alike(&said["unsolvable"], level),
            format!("{:?} are unsolvable", told(level)),
        ),
        None => ensure(
            said["unsolvable"].is_null(),
            "nothing is known of unsolvable states",
        ),
    }
}

/// Levels found again, with the states of each, and what was never met; and what is trusted.
pub(super) struct Table {
    pub levels: Vec<Level>,
    pub states: Vec<Vec<u128>>,
    pub never: Option<(Level, Vec<u128>)>,
    pub complete: bool,
}

pub(super) fn table(
    checker: &Checker,
    reading: &Reading,
    rules: &dyn Rules,
    keep: bool,
) -> Result<Option<Table>, Stop> {
    let case = reading.case;
    let backward = if case.kind == "count"
        && case.own.len() == 1
        && case.settings.is_empty()
        && case.board.is_none()
        || case.kind == "hardest"
    {
        true
    } else {
        case.text("direction") == Some("backward")
    };
    let range = case
        .by_effort("levels", reading.effort)
        .map(list)
        .unwrap_or_default();
    let depth = case
        .by_effort("max_depth", reading.effort)
        .and_then(Value::as_u64)
        .or(range.get(1).and_then(Value::as_u64));
    let start = case
        .board
        .as_deref()
        .map(|board| rules.read(board))
        .transpose()?
        .or(rules.start());
    let run = &reading.record["run"];
    ensure(
        run["max_depth"].as_u64() == depth,
        "the run went to another depth",
    )?;
    let (direction, parts) = if backward {
        (
            "backward",
            run["parts_total"].as_u64().unwrap_or(0) as usize,
        )
    } else {
        ("forward", 1)
    };
    let found = if backward && reading.puzzle == "tilt" {
        let tilt = Tilt::open(case.instance.as_deref().unwrap_or_default(), &case.settings)
            .map_err(Stop::Unknown)?;
        ensure(parts == 1, "Tilt has another number of parts")?;
        let masks: Vec<u32> = rules
            .start()
            .map(|start| rules.images(start))
            .unwrap_or_default()
            .into_iter()
            .map(crate::rules::tilt::greys)
            .collect();
        let part = parts::part(&tilt, masks.into_iter().min().unwrap_or(0));
        let depth = |wanted| {
            part.boards
                .iter()
                .filter(move |board| board.1 == wanted)
                .map(|board| board.0)
        };
        let states: Vec<Vec<u128>> = (0..part.levels.len() as u32)
            .map(|d| depth(d).collect())
            .collect();
        let single = |states: &[u128]| {
            states.iter().fold(Level::default(), |mut level, &state| {
                level.add(state, 1);
                level
            })
        };
        let never: Vec<u128> = depth(NEVER).collect();
        let (levels, unsolvable) = match keep {
            true => (
                states.iter().map(|states| single(states)).collect(),
                single(&never),
            ),
            false => (part.levels.clone(), part.unsolvable),
        };
        Table {
            levels,
            states,
            never: Some((unsolvable, never)),
            complete: true,
        }
    } else {
        let roots = if backward {
            rules.solved_states()
        } else {
            start.into_iter().collect()
        };
        if roots.is_empty() {
            return Err(Stop::Unknown("solved states cannot be listed here".into()));
        }
        let set: States = roots.iter().copied().collect();
        let closed = backward
            || roots
                .iter()
                .all(|&root| rules.images(root).iter().all(|image| set.contains(image)));
        let question = Question {
            roots,
            backward,
            depth: depth.map(|depth| depth as u32),
            symmetry: closed && !keep && case.text("engine") != Some("reference"),
            until: None,
        };
        let found = checker.search(&name_of(reading), rules, &question, keep);
        let Some(found) = &*found else {
            return Ok(None);
        };
        Table {
            levels: found.levels.clone(),
            states: found.states.clone(),
            never: None,
            complete: found.complete,
        }
    };
    let from = case.board.as_deref().filter(|_| case.kind != "hardest");
    ran(reading, direction, from, found.complete, parts)?;
    same(
        &reading.record["levels"],
        &found.levels,
        found.never.as_ref().map(|(level, _)| level),
    )?;
    Ok(Some(found))
}

pub(super) fn is_box(reading: &Reading) -> bool {
    reading.puzzle == "tilt" && reading.case.instance.as_deref() == Some("box")
}

/// The table of the whole box of Tilt, added up from its parts in a file beside.
pub(super) fn of_box(reading: &Reading, rules: &dyn Rules) -> Shown {
    ran(reading, "backward", None, true, 24_191)?;
    ensure(
        reading.record["run"]["max_depth"].is_null(),
        "the run went to another depth",
    )?;
    antipodes(reading, rules)?;
    let Some((rows, trusted)) = reading.beside else {
        return Ok(vec![
            "the levels of the box: no table of its parts is beside the certificate".into(),
        ]);
    };
    let levels = &reading.record["levels"];
    let said = list(&levels["levels"])
        .iter()
        .chain([&levels["unsolvable"]])
        .zip(rows);
    ensure(
        list(&levels["levels"]).len() + 1 == rows.len(),
        "its parts have another number of levels",
    )?;
    for (at, (level, row)) in said.enumerate() {
        let depth = level["depth"]
            .as_u64()
            .map_or(at + 1 == rows.len(), |depth| depth == at as u64);
        let alike = ["states", "orbits", "digest"]
            .iter()
            .zip(&row[1..])
            .all(|(member, text)| level[member] == text.as_str());
        ensure(depth && alike, format!("its parts add up to {row:?}"))?;
    }
    Ok(vec![trusted.clone()])
}

/// That the deepest level is the antipodes shown, and each as far as it says.
pub(super) fn antipodes(reading: &Reading, rules: &dyn Rules) -> Result<(), Stop> {
    let shown = list(&reading.record["antipodes"]);
    let levels = list(&reading.record["levels"]["levels"]);
    let mut level = Level::default();
    // From a start that is not its own image, images lie at other distances: each state then
    // stands for itself.
    let start = match reading.case.board.as_deref() {
        Some(board) => Some(rules.read(board)?),
        None => rules.start(),
    };
    let closed = reading.record["run"]["direction"] == "backward"
        || start.is_some_and(|start| rules.images(start).iter().all(|image| *image == start));
    let symmetry = closed && reading.case.text("engine") != Some("reference");
    for one in shown {
        let text = one["state"].as_str().unwrap_or_default();
        let state = rules.read(text)?;
        let (stands, images) = match symmetry {
            true => (rules.canonical(state), rules.orbit(state)),
            false => (state, 1),
        };
        ensure(
            rules.draw(stands) == text,
            format!("{text} does not stand for its images"),
        )?;
        ensure(
            one["orbit_size"] == images as u64,
            format!("{text} has {images} images"),
        )?;
        if reading.record["run"]["direction"] == "backward" {
            let question = Question {
                roots: vec![state],
                until: Some(None),
                ..Question::default()
            };
            let met = crate::search::search(rules, &question, false).and_then(|found| found.met);
            ensure(
                one["depth"].as_u64() == met.map(u64::from),
                format!("{text} is solved in {met:?} moves"),
            )?;
        }
        ensure(
            one["depth"].as_u64() == levels.len().checked_sub(1).map(|depth| depth as u64),
            "an antipode is not in the deepest level",
        )?;
        level.add(rules.key(state), images);
    }
    let last = levels.last().is_some_and(|last| told_alike(last, &level));
    ensure(last, "the antipodes are not the deepest level")
}

pub(super) fn levels(checker: &Checker, reading: &Reading) -> Shown {
    let (case, rules) = (reading.case, reading.rules()?);
    let mut trusted = Vec::new();
    let mut complete = true;
    if is_box(reading) {
        trusted = of_box(reading, &*rules)?;
    } else {
        match table(checker, reading, &*rules, false)? {
            Some(table) => complete = table.complete,
            None => trusted.push(format!("levels of more than {MOST} states")),
        }
        if !list(&reading.record["antipodes"]).is_empty() {
            antipodes(reading, &*rules)?;
        }
    }
    let (found, said) = (
        reading.text("found"),
        list(&reading.record["levels"]["levels"]),
    );
    if found.is_empty() && reading.verdict() == "not-reached" {
        return Ok(trusted);
    }
    let count = |row: &Value, member: &str| {
        row[member]
            .as_str()
            .and_then(|text| text.parse::<u128>().ok())
            .unwrap_or(0)
    };
    let sum = |member: &str| said.iter().map(|row| count(row, member)).sum::<u128>();
    if case.kind == "levels" {
        let range = case
            .by_effort("levels", reading.effort)
            .map(list)
            .unwrap_or_default();
        let (first, last) = (
            range[0].as_u64().unwrap_or(0),
            range[1].as_u64().unwrap_or(0),
        );
        let sizes: Vec<u128> = (first..=last)
            .map_while(|d| {
                said.get(d as usize)
                    .map(|row| count(row, "states"))
                    .or(complete.then_some(0))
            })
            .collect();
        let text = sizes
            .iter()
            .map(u128::to_string)
            .collect::<Vec<_>>()
            .join(", ");
        ensure(found == text, format!("the sizes are {text}"))?;
        let claimed: Vec<Option<u128>> = case.claimed.split(", ").map(whole).collect();
        let alike = sizes
            .iter()
            .map(|&size| Some(size))
            .zip(&claimed)
            .all(|(a, b)| a == *b)
            && sizes.len() == claimed.len();
        graded(reading, if alike { "confirmed" } else { "refuted" }, true)?;
        return Ok(trusted);
    }
    let name = case.text("count").unwrap_or_default();
    let (stem, member) = name.rsplit_once('_').unwrap_or((name, ""));
    let rest = &reading.record["levels"]["unsolvable"];
    let figure = match (stem, member) {
        ("pruned", _) => {
            let all = sum("states") + count(rest, "states");
            let pruned = format!("{:.5}", 1.0 - sum("orbits") as f64 / all as f64);
            ensure(found == pruned, format!("the figure is {pruned}"))?;
            graded(reading, case.verdict(found).unwrap_or_default(), true)?;
            return Ok(trusted);
        }
        ("solvable" | "reachable", "states" | "orbits") => sum(member),
        ("unsolvable", "states" | "orbits") => count(rest, member),
        ("total", "states" | "orbits") => sum(member) + count(rest, member),
        ("solved", "states" | "orbits") => said.first().map_or(0, |row| count(row, member)),
        ("max", _) => said.len() as u128 - 1,
        ("antipodes", "states" | "orbits") => said.last().map_or(0, |row| count(row, member)),
        ("parts", _) => u128::from(reading.record["run"]["parts_total"].as_u64().unwrap_or(0)),
        (level, "states" | "orbits") if level.starts_with("level_") => {
            let depth = level["level_".len()..].parse::<usize>().ok();
            depth
                .and_then(|depth| said.get(depth))
                .map_or(0, |row| count(row, member))
        }
        _ => {
            ensure(
                found.parse::<f64>().is_ok() && reading.verdict() == "reported",
                "no speed is reported",
            )?;
            trusted.push("the clock".into());
            return Ok(trusted);
        }
    };
    ensure(
        found == figure.to_string(),
        format!("the figure is {figure}"),
    )?;
    graded(reading, case.verdict(found).unwrap_or_default(), true)?;
    Ok(trusted)
}
