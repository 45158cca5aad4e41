//! Level tables, searched again.

use serde_json::Value;

use super::tables::{Table, ran, same, told_alike};
use super::tilt::{of_box, of_part};
use super::{BEYOND, name_of};
use crate::checker::Checker;
use crate::reading::Reading;
use crate::rules::Rules;
use crate::search::{Found, Level, Question, States, search};
use crate::shown::{OrWrong, Shown, Stop, list, text};
use crate::verdict::{truth, whole};

/// The table of a reading, searched again and as the record has it; none where it is too large.
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
    let depth = reading.asked("max_depth").and_then(Value::as_u64);
    let depth = depth.or(reading.range().map(|(_, last)| last as u64));
    (run["max_depth"].as_u64() == depth).or_wrong("the run went to another depth")?;
    let start = reading.start(rules)?;
    let (mut direction, mut parts) = ("forward", 1);
    if backward {
        (direction, parts) = ("backward", run["parts_total"].as_u64().unwrap_or(0));
    }
    let found = if backward && reading.puzzle == "tilt" {
        (parts == 1).or_wrong("Tilt has another number of parts")?;
        of_part(reading, keep)?
    } else {
        let roots = match backward {
            true => rules.solved_states(),
            false => start.into_iter().collect(),
        };
        let listed = !roots.is_empty();
        listed.or_unknown("solved states cannot be listed here")?;
        let mut images = roots.iter().flat_map(|&root| rules.images(root));
        let closed = backward || images.all(|image| roots.contains(&image));
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
        let all = whole.then(|| rules.states()).flatten();
        Table {
            levels: found.levels.clone(),
            states: found.states.clone(),
            never: all.map(|all| never(rules, all, found, (symmetry, keep))),
            complete: found.complete,
        }
    };
    let from = case.board.as_deref().filter(|_| case.kind != "hardest");
    ran(reading, (direction, from), found.complete, parts as usize)?;
    let never = found.never.as_ref().map(|(level, _)| level);
    same(reading, &found.levels, never)?;
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
        rest.count(rules, state, symmetry);
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

/// The table of a reading with its antipodes: what of it is trusted, and whether it is complete.
pub(super) fn whole_table(
    checker: &Checker,
    reading: &Reading,
    rules: &dyn Rules,
) -> Result<(Vec<String>, bool), Stop> {
    let is_box = reading.puzzle == "tilt" && reading.case.instance.as_deref() == Some("box");
    let (trusted, complete) = match is_box {
        true => (of_box(reading)?, true),
        false => match table(checker, reading, rules, false)? {
            Some(table) => (vec![], table.complete),
            None => (vec![BEYOND.into()], true),
        },
    };
    let shown = !list(&reading.record["antipodes"]).is_empty();
    if is_box || shown || reading.case.kind == "hardest" {
        antipodes(reading, rules)?;
    }
    Ok((trusted, complete))
}

/// That the deepest level is the antipodes shown, and each as far as it says.
fn antipodes(reading: &Reading, rules: &dyn Rules) -> Result<(), Stop> {
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
        let depth = one["depth"].as_u64();
        if backward {
            let met = search(rules, &Question::solving(state), false).and_then(|found| found.met);
            (depth == met.map(u64::from)).or_wrong(format!("{text} is solved in {met:?} moves"))?;
        }
        let deepest = depth.is_some_and(|depth| depth + 1 == levels.len() as u64);
        deepest.or_wrong("an antipode is not in the deepest level")?;
        level.add(rules.key(state), images);
    }
    let last = levels.last().is_some_and(|last| told_alike(last, &level));
    last.or_wrong("the antipodes are not the deepest level")
}

pub(super) fn levels(checker: &Checker, reading: &Reading) -> Shown {
    let (case, rules) = (reading.case, reading.rules()?);
    let (mut trusted, complete) = whole_table(checker, reading, &*rules)?;
    if reading.is_open() {
        return Ok(trusted);
    }
    let logical = if case.kind == "levels" {
        truth(as_claimed(reading, complete)?)
    } else if let Some(figure) = figure(reading) {
        reading.comes_to(&figure)?;
        case.verdict(&figure).unwrap_or_default()
    } else {
        trusted.extend(reading.is_by_the_clock()?);
        return Ok(trusted);
    };
    reading.graded(logical, true)?;
    Ok(trusted)
}

/// A figure of a level as a record has it.
fn count(row: &Value, member: &str) -> u128 {
    text(row, member).parse().unwrap_or(0)
}

/// Whether the sizes of some levels, which are what is found, are those claimed.
fn as_claimed(reading: &Reading, complete: bool) -> Result<bool, Stop> {
    let said = list(&reading.record["levels"]["levels"]);
    let (first, last) = reading.range().ok_or("it asks for no levels")?;
    // A level behind the last one of a whole table is empty.
    let size = |depth| match said.get(depth) {
        Some(row) => Some(count(row, "states")),
        None => complete.then_some(0),
    };
    let sizes: Vec<u128> = (first..=last).map_while(size).collect();
    let texts: Vec<String> = sizes.iter().map(u128::to_string).collect();
    reading.comes_to(&texts.join(", "))?;
    let claimed = reading.case.claimed.split(", ").map(whole);
    Ok(sizes.into_iter().map(Some).eq(claimed))
}

/// The figure that a table gives for a count; none where it is a speed.
fn figure(reading: &Reading) -> Option<String> {
    let (said, rest) = (
        &reading.record["levels"],
        &reading.record["levels"]["unsolvable"],
    );
    let said = list(&said["levels"]);
    let sum = |member: &str| said.iter().map(|row| count(row, member)).sum::<u128>();
    let name = reading.case.text("count").unwrap_or_default();
    let (stem, member) = name.rsplit_once('_').unwrap_or((name, ""));
    let of = |row: Option<&Value>| row.map_or(0, |row| count(row, member));
    let figure = match (stem, member) {
        ("max", _) => said.len() as u128 - 1,
        ("parts", _) => u128::from(reading.record["run"]["parts_total"].as_u64().unwrap_or(0)),
        ("pruned", _) => {
            let all = sum("states") + count(rest, "states");
            return Some(format!("{:.5}", 1.0 - sum("orbits") as f64 / all as f64));
        }
        (_, member) if !["states", "orbits"].contains(&member) => return None,
        ("solvable" | "reachable", _) => sum(member),
        ("unsolvable", _) => count(rest, member),
        ("total", _) => sum(member) + count(rest, member),
        ("solved", _) => of(said.first()),
        ("antipodes", _) => of(said.last()),
        (level, _) => of(said.get(level.strip_prefix("level_")?.parse::<usize>().ok()?)),
    };
    Some(figure.to_string())
}
