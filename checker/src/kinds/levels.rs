//! Level tables, searched again.

use serde_json::{Value, json};

use super::graded;
use super::paths::name_of;
use crate::checker::Checker;
use crate::parts::{self, NEVER};
use crate::reading::Reading;
use crate::rules::tilt::{Tilt, greys};
use crate::rules::{MOST, Rules, UNKNOWN};
use crate::search::{Found, Level, Question, States, search};
use crate::shown::{OrWrong, Shown, Stop, list, text};
use crate::verdict::{truth, whole};

/// Whether a run is of what the reading asks.
pub(super) fn ran(
    reading: &Reading,
    direction: &str,
    from: Option<&str>,
    complete: bool,
    parts: usize,
) -> Result<(), Stop> {
    let run = &reading.record["run"];
    let of = run["puzzle"] == reading.puzzle
        && run["instance"] == Value::from(reading.case.instance.clone())
        && run["settings"] == json!(reading.case.settings);
    of.or_wrong("the run is of another instance")?;
    (run["direction"] == direction && run["from"] == Value::from(from))
        .or_wrong("the run began elsewhere")?;
    (run["complete"] == complete).or_wrong("the run is complete, or not, against its word")?;
    (run["parts_total"] == parts && run["parts_done"] == parts)
        .or_wrong("parts of the run are missing")
}

fn told_alike(said: &Value, level: &Level) -> bool {
    let members = ["states", "orbits", "digest"].into_iter();
    let mut members = members.zip(level.told());
    members.all(|(member, text)| said[member] == text)
}

/// Whether a table in a certificate is the one found again.
pub(super) fn same(said: &Value, levels: &[Level], unsolvable: Option<&Level>) -> Result<(), Stop> {
    let rows = list(&said["levels"]);
    (rows.len() == levels.len()).or_wrong(format!("there are {} levels", levels.len()))?;
    for (depth, (row, level)) in rows.iter().zip(levels).enumerate() {
        (row["depth"] == depth && told_alike(row, level))
            .or_wrong(format!("level {depth} has {:?}", level.told()))?;
    }
    match unsolvable {
        Some(level) => told_alike(&said["unsolvable"], level)
            .or_wrong(format!("{:?} are unsolvable", level.told())),
        None => said["unsolvable"]
            .is_null()
            .or_wrong("nothing is known of unsolvable states"),
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
    let (case, run) = (reading.case, &reading.record["run"]);
    let plain = case.own.len() == 1 && case.settings.is_empty() && case.board.is_none();
    let backward = case.kind == "count" && plain
        || case.kind == "hardest"
        || case.text("direction") == Some("backward");
    let range = reading.asked("levels").map(list).unwrap_or_default();
    let depth = reading.asked("max_depth").and_then(Value::as_u64);
    let depth = depth.or(range.get(1).and_then(Value::as_u64));
    let start = reading.start(rules)?;
    (run["max_depth"].as_u64() == depth).or_wrong("the run went to another depth")?;
    let (direction, parts) = match backward {
        true => ("backward", run["parts_total"].as_u64().unwrap_or(0)),
        false => ("forward", 1),
    };
    let found = if backward && reading.puzzle == "tilt" {
        (parts == 1).or_wrong("Tilt has another number of parts")?;
        of_part(reading, keep)?
    } else {
        let roots = match backward {
            true => rules.solved_states(),
            false => start.into_iter().collect(),
        };
        if roots.is_empty() {
            return Err(Stop::Unknown("solved states cannot be listed here".into()));
        }
        let set: States = roots.iter().copied().collect();
        let mut images = roots.iter().flat_map(|&root| rules.images(root));
        let closed = backward || images.all(|image| set.contains(&image));
        let symmetry = closed && !keep && case.text("engine") != Some("reference");
        let question = Question {
            roots,
            backward,
            depth: depth.map(|depth| depth as u32),
            symmetry,
            until: None,
        };
        let found = checker.search(&name_of(reading), rules, &question, keep);
        let Some(found) = &*found else {
            return Ok(None);
        };
        let whole = backward && found.complete;
        Table {
            levels: found.levels.clone(),
            states: found.states.clone(),
            never: rules
                .states()
                .filter(|_| whole)
                .map(|all| never(rules, all, found, (symmetry, keep))),
            complete: found.complete,
        }
    };
    let from = case.board.as_deref().filter(|_| case.kind != "hardest");
    ran(reading, direction, from, found.complete, parts as usize)?;
    same(
        &reading.record["levels"],
        &found.levels,
        found.never.as_ref().map(|(level, _)| level),
    )?;
    Ok(Some(found))
}

/// What of all states no level has; its states, if they are to be kept.
fn never(
    rules: &dyn Rules,
    all: Vec<u128>,
    found: &Found,
    (symmetry, keep): (bool, bool),
) -> (Level, Vec<u128>) {
    let mut rest = Level::default();
    let stands = |state: u128| !symmetry || rules.canonical(state) == state;
    for &state in all.iter().filter(|&&state| stands(state)) {
        let images = if symmetry { rules.orbit(state) } else { 1 };
        rest.add(rules.key(state), images);
    }
    for level in &found.levels {
        rest.states -= level.states;
        rest.orbits -= level.orbits;
        rest.digest = rest.digest.wrapping_sub(level.digest);
    }
    let met: States = found.states.iter().flatten().copied().collect();
    let never = all.into_iter().filter(|state| keep && !met.contains(state));
    (rest, never.collect())
}

/// The levels of the part of Tilt that the instance is; each state an orbit of its own if they
/// are to be kept.
fn of_part(reading: &Reading, keep: bool) -> Result<Table, Stop> {
    let instance = reading.case.instance.as_deref().unwrap_or_default();
    let tilt = Tilt::open(instance, &reading.case.settings).ok_or(Stop::Unknown(UNKNOWN.into()))?;
    let images = tilt.start().map(|start| tilt.images(start));
    let masks = images.into_iter().flatten().map(greys);
    let part = parts::part(&tilt, masks.min().unwrap_or(0));
    let level = |depth| -> Vec<u128> {
        let own = part.boards.iter().filter(|board| board.1 == depth);
        own.map(|board| board.0).collect()
    };
    let states: Vec<Vec<u128>> = (0..part.levels.len() as u32).map(level).collect();
    let never = level(NEVER);
    let (levels, unsolvable) = match keep {
        true => (
            states.iter().map(|states| Level::of(states)).collect(),
            Level::of(&never),
        ),
        false => (part.levels, part.unsolvable),
    };
    Ok(Table {
        levels,
        states,
        never: Some((unsolvable, never)),
        complete: true,
    })
}

pub(super) fn is_box(reading: &Reading) -> bool {
    reading.puzzle == "tilt" && reading.case.instance.as_deref() == Some("box")
}

/// The table of the whole box of Tilt, added up from its parts in a file beside.
pub(super) fn of_box(reading: &Reading, rules: &dyn Rules) -> Shown {
    ran(reading, "backward", None, true, 24_191)?;
    reading.record["run"]["max_depth"]
        .is_null()
        .or_wrong("the run went to another depth")?;
    antipodes(reading, rules)?;
    let Some(parts) = reading.beside else {
        return Ok(vec![
            "the levels of the box: no table of its parts is beside the certificate".into(),
        ]);
    };
    same(
        &reading.record["levels"],
        &parts.levels,
        Some(&parts.unsolvable),
    )?;
    Ok(vec![parts.trusted.clone()])
}

/// That the deepest level is the antipodes shown, and each as far as it says.
pub(super) fn antipodes(reading: &Reading, rules: &dyn Rules) -> Result<(), Stop> {
    let shown = list(&reading.record["antipodes"]);
    let levels = list(&reading.record["levels"]["levels"]);
    let backward = reading.record["run"]["direction"] == "backward";
    // From a start that is not its own image, images lie at other distances: each state then
    // stands for itself.
    let start = reading.start(rules)?;
    let closed = backward || start.is_some_and(|start| rules.is_symmetric(start));
    let symmetry = closed && reading.case.text("engine") != Some("reference");
    let mut level = Level::default();
    for one in shown {
        let text = text(one, "state");
        let state = rules.state(text)?;
        let (stands, images) = match symmetry {
            true => (rules.canonical(state), rules.orbit(state)),
            false => (state, 1),
        };
        (rules.draw(stands) == text).or_wrong(format!("{text} does not stand for its images"))?;
        (one["orbit_size"] == images as u64).or_wrong(format!("{text} has {images} images"))?;
        if backward {
            let met = search(rules, &Question::solving(state), false).and_then(|found| found.met);
            (one["depth"].as_u64() == met.map(u64::from))
                .or_wrong(format!("{text} is solved in {met:?} moves"))?;
        }
        (one["depth"].as_u64() == levels.len().checked_sub(1).map(|depth| depth as u64))
            .or_wrong("an antipode is not in the deepest level")?;
        level.add(rules.key(state), images);
    }
    let last = levels.last().is_some_and(|last| told_alike(last, &level));
    last.or_wrong("the antipodes are not the deepest level")
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
    let count = |row: &Value, member: &str| text(row, member).parse::<u128>().unwrap_or(0);
    let sum = |member: &str| said.iter().map(|row| count(row, member)).sum::<u128>();
    if case.kind == "levels" {
        let range = reading.asked("levels").map(list).unwrap_or_default();
        let [first, last] = [0, 1].map(|end| range[end].as_u64().unwrap_or(0) as usize);
        // A level behind the last one of a whole table is empty.
        let size = |depth| match said.get(depth) {
            Some(row) => Some(count(row, "states")),
            None => complete.then_some(0),
        };
        let sizes: Vec<u128> = (first..=last).map_while(size).collect();
        let texts: Vec<String> = sizes.iter().map(u128::to_string).collect();
        let text = texts.join(", ");
        (found == text).or_wrong(format!("the sizes are {text}"))?;
        let claimed: Vec<Option<u128>> = case.claimed.split(", ").map(whole).collect();
        let alike = sizes.into_iter().map(Some).eq(claimed);
        graded(reading, truth(alike), true)?;
        return Ok(trusted);
    }
    let name = case.text("count").unwrap_or_default();
    let (stem, member) = name.rsplit_once('_').unwrap_or((name, ""));
    let rest = &reading.record["levels"]["unsolvable"];
    let of = |row: Option<&Value>| row.map_or(0, |row| count(row, member));
    let figure = match (stem, member) {
        ("max", _) => said.len() as u128 - 1,
        ("parts", _) => u128::from(reading.record["run"]["parts_total"].as_u64().unwrap_or(0)),
        ("solvable" | "reachable", "states" | "orbits") => sum(member),
        ("unsolvable", "states" | "orbits") => count(rest, member),
        ("total", "states" | "orbits") => sum(member) + count(rest, member),
        ("solved", "states" | "orbits") => of(said.first()),
        ("antipodes", "states" | "orbits") => of(said.last()),
        (level, "states" | "orbits") if level.starts_with("level_") => {
            let depth = level["level_".len()..].parse::<usize>().ok();
            of(depth.and_then(|depth| said.get(depth)))
        }
        ("pruned", _) => {
            let all = sum("states") + count(rest, "states");
            let pruned = format!("{:.5}", 1.0 - sum("orbits") as f64 / all as f64);
            (found == pruned).or_wrong(format!("the figure is {pruned}"))?;
            graded(reading, case.verdict(found).unwrap_or_default(), true)?;
            return Ok(trusted);
        }
        _ => {
            (found.parse::<f64>().is_ok() && reading.verdict() == "reported")
                .or_wrong("no speed is reported")?;
            trusted.push("the clock".into());
            return Ok(trusted);
        }
    };
    (found == figure.to_string()).or_wrong(format!("the figure is {figure}"))?;
    graded(reading, case.verdict(found).unwrap_or_default(), true)?;
    Ok(trusted)
}
