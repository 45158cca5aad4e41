//! What shows a reading, by the kind of its claim.

use std::collections::HashMap;
use std::hash::BuildHasherDefault;

use serde_json::Value;

use crate::certificate::{Checker, Reading, Shown, Stop, bound_of, ensure, list};
use crate::claim::{number, whole};
use crate::parts::{self, NEVER};
use crate::rules::{Rules, tilt::Tilt};
use crate::search::{Found, Level, MOST, Mix, Question, States, hash};
use crate::{figures, proof, tables};

/// Whether a reading is shown, and what of it is trusted.
///
/// # Errors
/// Why it is not.
pub fn show(checker: &Checker, reading: &Reading) -> Shown {
    let open = reading.verdict() == "not-reached" && reading.text("found").is_empty();
    if reading.claim.skipped {
        ensure(open, "it is only for full effort, and was decided")?;
    }
    match reading.case.kind.as_str() {
        "derived" => derived(checker, reading),
        _ if open && reading.record["run"].is_null() => Ok(vec![]),
        "length" | "solvable" | "unreachable" => path(checker, reading),
        "count" if reading.case.text("count") == Some("seconds") => path(checker, reading),
        "count" if is_of_moves(reading) => moves(checker, reading),
        "count" | "levels" => levels(checker, reading),
        "hardest" => hardest(checker, reading),
        _ => lengths(checker, reading),
    }
}

/// The verdict as the checks of the harness grade it, where it rests on them.
fn graded(reading: &Reading, logical: &str, rests: bool) -> Result<(), Stop> {
    let checks = list(&reading.record["checks"]);
    let twice = (1..checks.len()).any(|i| checks[..i].contains(&checks[i]));
    ensure(!twice, "a check is there twice")?;
    let by_sample = checks.iter().any(|check| !check["bound"].is_null());
    let complete = checks.iter().any(|check| check["bound"].is_null() && check["sampled"] != "0" && ["consistency", "rulebook"].iter().any(|what| check["what"] == *what));
    let decided = logical == "confirmed" || logical == "refuted";
    let verdict = if rests && decided && by_sample && !complete { format!("{logical}-by-sample") } else { logical.to_owned() };
    let said = reading.verdict();
    // What is found, and was not checked when it was, is not reached.
    ensure(said == verdict || said == "not-reached" && rests && !complete, format!("it comes out {verdict}, not {said}"))
}

fn derived(checker: &Checker, reading: &Reading) -> Shown {
    let figure = |name: &str| reading.record["figures"][name].as_str();
    let found = reading.text("found");
    if figure("value").is_none() {
        ensure(reading.verdict() == "not-reached" && found.is_empty(), "decided without a value")?;
        return Ok(vec![]);
    }
    ensure(figure("value") == Some(found), "the figure found is not its value")?;
    ensure(figure("verdict").is_none_or(|said| said == reading.verdict()), "the derivation concludes something else")?;
    if figure("verdict") == Some("not-reached") {
        return Ok(vec![format!("the figure {found}, on which no verdict rests")]);
    }
    let again = figures::derive(checker, reading).map_err(|why| match why {
        Stop::Unknown(why) => Stop::Unknown(format!("{}: {why}", reading.case.text("derive").unwrap_or_default())),
        wrong => wrong,
    })?;
    ensure(again.value == found, format!("{} comes out, not {found}", again.value))?;
    let bounds = figure("low").and_then(number).zip(figure("high").and_then(number));
    let logical = match (figure("verdict"), bounds, reading.case.compare.as_str()) {
        (Some(said), ..) => {
            ensure(again.verdict == Some(said), format!("no derivation concludes {said}"))?;
            said
        }
        (None, Some((low, high)), "ratio") => reading.case.ratio_verdict(low, high).unwrap_or_default(),
        _ => reading.case.verdict(found).unwrap_or_default(),
    };
    let checks = list(&reading.record["checks"]);
    ensure(checks.len() == usize::from(figure("sampled").is_some()), "samples without a check, or a check without samples")?;
    if let Some(check) = checks.first() {
        let same = check["sampled"] == reading.record["figures"]["sampled"] && check["wrong"] == reading.record["figures"]["wrong"];
        ensure(same && check["what"] == *reading.case.text("derive").unwrap_or_default(), "the sample is told in two ways")?;
    }
    graded(reading, logical, !checks.is_empty())?;
    Ok(again.trusted)
}

// ---- paths ---------------------------------------------------------------------------

/// States of a path that the certificate shows, each a move from the one before.
///
/// # Errors
/// A state or a move that is against the rules.
pub fn replayed(rules: &dyn Rules, picture: &Value) -> Result<Vec<u128>, Stop> {
    let (states, labels) = (list(&picture["strip"]["states"]), list(&picture["strip"]["labels"]));
    let read = |text: &Value| {
        let text = text.as_str().unwrap_or_default();
        let state = rules.read(text)?;
        if rules.draw(state) == text { Ok(state) } else { Err(format!("{text:?} is drawn otherwise")) }
    };
    let path = states.iter().map(read).collect::<Result<Vec<u128>, String>>()?;
    ensure(labels.len() + 1 == path.len(), "as many moves as states")?;
    for (i, step) in path.windows(2).enumerate() {
        let mut next = Vec::new();
        rules.next(step[0], &mut next);
        ensure(next.contains(&step[1]), format!("move {} is against the rules", i + 1))?;
        let name = rules.name(step[0], step[1]);
        ensure(labels[i].as_str() == name.as_deref(), format!("move {} is {name:?}", i + 1))?;
    }
    Ok(path)
}

fn path(checker: &Checker, reading: &Reading) -> Shown {
    let rules = reading.rules()?;
    let case = reading.case;
    let start = match &case.board {
        Some(board) => Some(rules.read(board)?),
        None => rules.start(),
    };
    let start = start.ok_or(Stop::Wrong("there is no start".into()))?;
    let goal = case.text("to").map(|to| rules.read(to)).transpose()?;
    let [picture] = reading.witnesses else { return Err(Stop::Wrong("not one witness".into())) };
    let picture = &picture["kind"];
    if picture["strip"].is_null() {
        ensure(picture["board"]["state"] == rules.draw(start), "the board shown is not the start")?;
        return without_path(checker, reading, &*rules, (start, goal));
    }
    let path = replayed(&*rules, picture)?;
    let last = path[path.len() - 1];
    ensure(path[0] == start, "the path begins elsewhere")?;
    ensure(goal.map_or_else(|| rules.solved(last), |goal| last == goal), "the path ends elsewhere")?;
    let (count, found) = ((path.len() - 1).to_string(), reading.text("found"));
    if case.kind == "count" {
        ensure(found.parse::<f64>().is_ok() && reading.verdict() == "reported", "no time is reported")?;
        return Ok(vec!["the clock".into()]);
    }
    let moves = if case.kind == "unreachable" { " moves" } else { "" };
    ensure(found == count.clone() + moves, format!("the path has {count} moves"))?;
    let logical = match (case.kind.as_str(), case.compare.as_str()) {
        ("unreachable", _) => "refuted",
        ("solvable", _) | (_, "holds") => "confirmed",
        _ => case.verdict(&count).unwrap_or_default(),
    };
    let decides = case.kind != "length" || match (case.compare.as_str(), logical) {
        ("holds", _) | ("at-most", "confirmed") | ("at-least", "refuted") => true,
        ("equal", "refuted") => whole(&case.claimed) > whole(&count),
        _ => false,
    };
    graded(reading, logical, case.text("engine") == Some("disk") && !decides)?;
    let layered = ["dfs", "beam"].map(Some).contains(&case.text("engine"));
    let again = nearest(checker, reading, &*rules, (start, goal), None);
    match &*again {
        Some(again) if !layered || !decides => ensure(again.met == Some(path.len() as u32 - 1), format!("the fewest moves are {:?}", again.met))?,
        None if !decides => {
            tabled(checker, reading, &*rules, start, goal)?;
            return Ok(vec![format!("that no path is shorter ({MOST} states and more)")]);
        }
        _ => {}
    }
    tabled(checker, reading, &*rules, start, goal)
}

/// The levels up to the nearest goal.
fn nearest(checker: &Checker, reading: &Reading, rules: &dyn Rules, (start, goal): (u128, Option<u128>), depth: Option<u32>) -> std::sync::Arc<Option<Found>> {
    let question = Question { roots: vec![start], until: Some(goal), depth, ..Question::default() };
    checker.search(&name_of(reading), rules, &question, false)
}

fn name_of(reading: &Reading) -> String {
    format!("{}/{:?} {:?}", reading.puzzle, reading.case.instance, reading.case.settings)
}

/// The table beside a path: levels from its start.
fn tabled(checker: &Checker, reading: &Reading, rules: &dyn Rules, start: u128, goal: Option<u128>) -> Shown {
    let run = &reading.record["run"];
    if run.is_null() {
        ensure(reading.record["levels"].is_null(), "levels without a run")?;
        return Ok(vec![]);
    }
    let disk = reading.case.text("engine") == Some("disk");
    let depth = run["max_depth"].as_u64().map(|depth| depth as u32);
    let symmetry = !disk && rules.images(start).iter().all(|&image| image == start);
    let until = if disk { Some(goal) } else { None };
    let question = Question { roots: vec![start], depth, symmetry, until, backward: false };
    let found = checker.search(&name_of(reading), rules, &question, false);
    let Some(found) = &*found else { return Ok(vec!["levels of more states than are searched here".into()]) };
    let bound = reading.case.by_effort("max_depth", reading.effort).and_then(Value::as_u64);
    let most = whole(&reading.case.claimed).filter(|_| reading.case.compare == "at-most").map(|most| most as u64);
    let asked = if disk { bound.into_iter().chain(most).min() } else { found.levels.len().checked_sub(1).map(|n| n as u64) };
    let whole = found.complete && !disk;
    ensure(whole || run["max_depth"].as_u64() == asked, "the run went to another depth")?;
    ran(reading, "forward", Some(&rules.draw(start)), found.complete, 1)?;
    same(&reading.record["levels"], &found.levels, None)?;
    Ok(vec![])
}

/// That there is no path: a proof, complete levels, or all levels up to a depth.
fn without_path(checker: &Checker, reading: &Reading, rules: &dyn Rules, ends: (u128, Option<u128>)) -> Shown {
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
            None => Ok(vec!["that no path is among more states than are searched here".into()]),
        };
    }
    if let Some(depth) = found.strip_prefix("more than ").and_then(|depth| depth.parse::<u32>().ok()) {
        let beyond = ["equal", "at-most"].contains(&case.compare.as_str()) && whole(&case.claimed) <= Some(depth.into());
        ensure(beyond, "the claim is not passed")?;
        let again = nearest(checker, reading, rules, ends, Some(depth));
        let Some(again) = &*again else { return Ok(vec!["that no path is among more states than are searched here".into()]) };
        ensure(again.met.is_none() && again.levels.len() as u32 == depth + 1, "there is a path, or nothing so far")?;
        graded(reading, "refuted", true)?;
    } else {
        ensure(found.is_empty() && reading.verdict() == "not-reached", "found without a path")?;
    }
    tabled(checker, reading, rules, ends.0, ends.1)
}

// ---- levels --------------------------------------------------------------------------

/// Whether a run is of what the reading asks.
fn ran(reading: &Reading, direction: &str, from: Option<&str>, complete: bool, parts: usize) -> Result<(), Stop> {
    let run = &reading.record["run"];
    let instance = reading.case.instance.as_deref().map_or(Value::Null, Value::from);
    let settings: serde_json::Map<String, Value> = reading.case.settings.iter().map(|(k, v)| (k.clone(), v.as_str().into())).collect();
    let of = run["puzzle"] == reading.puzzle && run["instance"] == instance && run["settings"] == Value::Object(settings);
    ensure(of, "the run is of another instance")?;
    ensure(run["direction"] == direction && run["from"].as_str() == from, "the run began elsewhere")?;
    ensure(run["complete"] == complete, "the run is complete, or not, against its word")?;
    ensure(run["parts_total"] == parts && run["parts_done"] == parts, "parts of the run are missing")
}

/// A level as its members in files.
#[must_use]
pub fn told(level: &Level) -> [String; 3] {
    [level.states.to_string(), level.orbits.to_string(), format!("{:032x}", level.digest)]
}

fn told_alike(said: &Value, level: &Level) -> bool {
    ["states", "orbits", "digest"].into_iter().zip(told(level)).all(|(member, text)| said[member] == text)
}

/// Whether a table in a certificate is the one found again.
fn same(said: &Value, levels: &[Level], unsolvable: Option<&Level>) -> Result<(), Stop> {
    let rows = list(&said["levels"]);
    ensure(rows.len() == levels.len(), format!("there are {} levels", levels.len()))?;
    for (depth, (row, level)) in rows.iter().zip(levels).enumerate() {
        ensure(row["depth"] == depth && told_alike(row, level), format!("level {depth} has {:?}", told(level)))?;
    }
    match unsolvable {
        Some(level) => ensure(told_alike(&said["unsolvable"], level), format!("{:?} are unsolvable", told(level))),
        None => ensure(said["unsolvable"].is_null(), "nothing is known of unsolvable states"),
    }
}

/// Levels found again, with the states of each, and what was never met; and what is trusted.
struct Table {
    levels: Vec<Level>,
    states: Vec<Vec<u128>>,
    never: Option<(Level, Vec<u128>)>,
    complete: bool,
}

fn table(checker: &Checker, reading: &Reading, rules: &dyn Rules, keep: bool) -> Result<Option<Table>, Stop> {
    let case = reading.case;
    let backward = if case.kind == "count" && case.own.len() == 1 && case.settings.is_empty() && case.board.is_none() || case.kind == "hardest" { true } else { case.text("direction") == Some("backward") };
    let range = case.by_effort("levels", reading.effort).map(list).unwrap_or_default();
    let depth = case.by_effort("max_depth", reading.effort).and_then(Value::as_u64).or(range.get(1).and_then(Value::as_u64));
    let start = case.board.as_deref().map(|board| rules.read(board)).transpose()?.or(rules.start());
    let run = &reading.record["run"];
    ensure(run["max_depth"].as_u64() == depth, "the run went to another depth")?;
    let (direction, parts) = if backward { ("backward", run["parts_total"].as_u64().unwrap_or(0) as usize) } else { ("forward", 1) };
    let found = if backward && reading.puzzle == "tilt" {
        let tilt = Tilt::open(case.instance.as_deref().unwrap_or_default(), &case.settings).map_err(Stop::Unknown)?;
        ensure(parts == 1, "Tilt has another number of parts")?;
        let masks: Vec<u32> = rules.start().map(|start| rules.images(start)).unwrap_or_default().into_iter().map(crate::rules::tilt::greys).collect();
        let part = parts::part(&tilt, masks.into_iter().min().unwrap_or(0));
        let depth = |wanted| part.boards.iter().filter(move |board| board.1 == wanted).map(|board| board.0);
        let states: Vec<Vec<u128>> = (0..part.levels.len() as u32).map(|d| depth(d).collect()).collect();
        let single = |states: &[u128]| states.iter().fold(Level::default(), |mut level, &state| { level.add(state, 1); level });
        let never: Vec<u128> = depth(NEVER).collect();
        let (levels, unsolvable) = match keep {
            true => (states.iter().map(|states| single(states)).collect(), single(&never)),
            false => (part.levels.clone(), part.unsolvable),
        };
        Table { levels, states, never: Some((unsolvable, never)), complete: true }
    } else {
        let roots = if backward { rules.solved_states() } else { start.into_iter().collect() };
        let set: States = roots.iter().copied().collect();
        let closed = backward || roots.iter().all(|&root| rules.images(root).iter().all(|image| set.contains(image)));
        let question = Question { roots, backward, depth: depth.map(|depth| depth as u32), symmetry: closed && !keep && case.text("engine") != Some("reference"), until: None };
        let found = checker.search(&name_of(reading), rules, &question, keep);
        let Some(found) = &*found else { return Ok(None) };
        Table { levels: found.levels.clone(), states: found.states.clone(), never: None, complete: found.complete }
    };
    let from = case.board.as_deref().filter(|_| case.kind == "count");
    ran(reading, direction, from, found.complete, parts)?;
    same(&reading.record["levels"], &found.levels, found.never.as_ref().map(|(level, _)| level))?;
    Ok(Some(found))
}

fn is_box(reading: &Reading) -> bool {
    reading.puzzle == "tilt" && reading.case.instance.as_deref() == Some("box")
}

/// The table of the whole box of Tilt, added up from its parts in a file beside.
fn of_box(checker: &Checker, reading: &Reading, rules: &dyn Rules) -> Shown {
    ran(reading, "backward", None, true, 24_191)?;
    ensure(reading.record["run"]["max_depth"].is_null(), "the run went to another depth")?;
    antipodes(reading, rules)?;
    let Some((rows, trusted)) = &checker.beside else {
        return Ok(vec!["the levels of the box: no table of its parts is beside the certificate".into()]);
    };
    let levels = &reading.record["levels"];
    let said = list(&levels["levels"]).iter().chain([&levels["unsolvable"]]).zip(rows);
    ensure(list(&levels["levels"]).len() + 1 == rows.len(), "its parts have another number of levels")?;
    for (at, (level, row)) in said.enumerate() {
        let depth = level["depth"].as_u64().map_or(at + 1 == rows.len(), |depth| depth == at as u64);
        let alike = ["states", "orbits", "digest"].iter().zip(&row[1..]).all(|(member, text)| level[member] == text.as_str());
        ensure(depth && alike, format!("its parts add up to {row:?}"))?;
    }
    Ok(vec![trusted.clone()])
}

/// That the deepest level is the antipodes shown, and each as far as it says.
fn antipodes(reading: &Reading, rules: &dyn Rules) -> Result<(), Stop> {
    let shown = list(&reading.record["antipodes"]);
    let levels = list(&reading.record["levels"]["levels"]);
    let mut level = Level::default();
    for one in shown {
        let text = one["state"].as_str().unwrap_or_default();
        let state = rules.read(text)?;
        ensure(rules.draw(rules.canonical(state)) == text, format!("{text} does not stand for its images"))?;
        ensure(one["orbit_size"] == rules.orbit(state) as u64, format!("{text} has {} images", rules.orbit(state)))?;
        if reading.record["run"]["direction"] == "backward" {
            let question = Question { roots: vec![state], until: Some(None), ..Question::default() };
            let met = crate::search::search(rules, &question, false).and_then(|found| found.met);
            ensure(one["depth"].as_u64() == met.map(u64::from), format!("{text} is solved in {met:?} moves"))?;
        }
        ensure(one["depth"].as_u64() == levels.len().checked_sub(1).map(|depth| depth as u64), "an antipode is not in the deepest level")?;
        level.add(rules.key(state), rules.orbit(state));
    }
    let last = levels.last().is_some_and(|last| told_alike(last, &level));
    ensure(last, "the antipodes are not the deepest level")
}

fn levels(checker: &Checker, reading: &Reading) -> Shown {
    let (case, rules) = (reading.case, reading.rules()?);
    let mut trusted = Vec::new();
    let mut complete = true;
    if is_box(reading) {
        trusted = of_box(checker, reading, &*rules)?;
    } else {
        match table(checker, reading, &*rules, false)? {
            Some(table) => complete = table.complete,
            None => trusted.push(format!("levels of more than {MOST} states")),
        }
        if !list(&reading.record["antipodes"]).is_empty() {
            antipodes(reading, &*rules)?;
        }
    }
    let (found, said) = (reading.text("found"), list(&reading.record["levels"]["levels"]));
    if found.is_empty() && reading.verdict() == "not-reached" {
        return Ok(trusted);
    }
    let count = |row: &Value, member: &str| row[member].as_str().and_then(|text| text.parse::<u128>().ok()).unwrap_or(0);
    let sum = |member: &str| said.iter().map(|row| count(row, member)).sum::<u128>();
    if case.kind == "levels" {
        let range = case.by_effort("levels", reading.effort).map(list).unwrap_or_default();
        let (first, last) = (range[0].as_u64().unwrap_or(0), range[1].as_u64().unwrap_or(0));
        let sizes: Vec<u128> = (first..=last).map_while(|d| said.get(d as usize).map(|row| count(row, "states")).or(complete.then_some(0))).collect();
        let text = sizes.iter().map(u128::to_string).collect::<Vec<_>>().join(", ");
        ensure(found == text, format!("the sizes are {text}"))?;
        let claimed: Vec<Option<u128>> = case.claimed.split(", ").map(whole).collect();
        let alike = sizes.iter().map(|&size| Some(size)).zip(&claimed).all(|(a, b)| a == *b) && sizes.len() == claimed.len();
        graded(reading, if alike { "confirmed" } else { "refuted" }, true)?;
        return Ok(trusted);
    }
    let name = case.text("count").unwrap_or_default();
    let (stem, member) = name.rsplit_once('_').unwrap_or((name, ""));
    let rest = &reading.record["levels"]["unsolvable"];
    let figure = match (stem, member) {
        ("solvable" | "reachable", "states" | "orbits") => sum(member),
        ("unsolvable", "states" | "orbits") => count(rest, member),
        ("total", "states" | "orbits") => sum(member) + count(rest, member),
        ("solved", "states" | "orbits") => said.first().map_or(0, |row| count(row, member)),
        ("max", _) => said.len() as u128 - 1,
        ("antipodes", _) => said.last().map_or(0, |row| count(row, "orbits")),
        ("parts", _) => u128::from(reading.record["run"]["parts_total"].as_u64().unwrap_or(0)),
        ("level", depth) => depth.parse::<usize>().ok().and_then(|depth| said.get(depth)).map_or(0, |row| count(row, "states")),
        _ => {
            ensure(found.parse::<f64>().is_ok() && reading.verdict() == "reported", "no speed is reported")?;
            trusted.push("the clock".into());
            return Ok(trusted);
        }
    };
    ensure(found == figure.to_string(), format!("the figure is {figure}"))?;
    graded(reading, case.verdict(found).unwrap_or_default(), true)?;
    Ok(trusted)
}

fn is_of_moves(reading: &Reading) -> bool {
    let name = reading.case.text("count").unwrap_or_default();
    name.starts_with("moves_") || name == "levels_back" || name == "one_bucket_to"
}

/// The moves out of each level, counted again, as the members of a record.
type Tally = [u64; 8];

const MEMBERS: [&str; 8] = ["states", "moves", "known", "back", "to_unsolvable", "buckets", "kept", "kept_by_hash"];

fn tallies(rules: &dyn Rules, table: &Table, last: bool) -> Vec<Tally> {
    let mut depths: HashMap<u128, u32, BuildHasherDefault<Mix>> = HashMap::default();
    for (depth, states) in (0..).zip(&table.states) {
        depths.extend(states.iter().map(|&state| (state, depth)));
    }
    depths.extend(table.never.iter().flat_map(|(_, states)| states).map(|&state| (state, NEVER)));
    let uniform = |state: u128| (u128::from(hash(rules.key(state)) as u64) * 8192) >> 64;
    let mut tallies = Vec::new();
    for (depth, states) in (0_u32..).zip(&table.states) {
        let (mut tally, mut buckets, mut next) = (Tally::default(), States::default(), Vec::new());
        tally[0] = states.len() as u64;
        for &state in states {
            let (own, by_hash) = (rules.bucket(state), uniform(state));
            buckets.insert(own);
            if last && depth as usize + 1 == table.states.len() {
                continue;
            }
            next.clear();
            rules.next(state, &mut next);
            for &to in &next {
                tally[1] += 1;
                tally[6] += u64::from(rules.bucket(to) == own);
                tally[7] += u64::from(uniform(to) == by_hash);
                match depths.get(&to) {
                    Some(&NEVER) => tally[4] += 1,
                    Some(&to) if to <= depth => {
                        tally[2] += 1;
                        tally[3] = tally[3].max(u64::from(depth - to));
                    }
                    _ => {}
                }
            }
        }
        tally[5] = buckets.len() as u64;
        tallies.push(tally);
    }
    tallies
}

fn moves(checker: &Checker, reading: &Reading) -> Shown {
    let rules = reading.rules()?;
    let Some(table) = table(checker, reading, &*rules, true)? else {
        return Ok(vec![format!("moves out of more than {MOST} states")]);
    };
    let said: Vec<Tally> = list(&reading.record["moves"]).iter().map(|row| MEMBERS.map(|member| row[member].as_u64().unwrap_or(u64::MAX))).collect();
    // Buckets are Dogon's, of sliding blocks alone.
    let has_buckets = reading.puzzle == "sliding-block";
    let again = checker.once(&format!("{} {:?}", name_of(reading), table.levels), || {
        let mut again = tallies(&*rules, &table, !table.complete);
        if !has_buckets {
            again.iter_mut().for_each(|tally| (tally[5], tally[6]) = (0, 0));
        }
        Ok(format!("{again:?}"))
    });
    ensure(again == Ok(format!("{said:?}")), "the moves out of the levels are others")?;
    let found = figure_of_moves(reading, &said);
    ensure(found.as_deref() == Some(reading.text("found")), format!("the figure is {found:?}"))?;
    graded(reading, reading.case.verdict(reading.text("found")).unwrap_or_default(), true)?;
    Ok(vec![])
}

fn figure_of_moves(reading: &Reading, tallies: &[Tally]) -> Option<String> {
    let range = reading.case.by_effort("levels", reading.effort).map(list).unwrap_or_default();
    let end = |i: usize, usual: usize| range.get(i).and_then(Value::as_u64).map_or(usual, |depth| depth as usize);
    let (first, last) = (end(0, 1), end(1, tallies.len()));
    let out_of = tallies.get(first.checked_sub(1)?..last)?;
    let sum = |member: usize| out_of.iter().map(|tally| tally[member]).sum::<u64>();
    let new: u64 = tallies.get(first..tallies.len().min(last + 1))?.iter().map(|tally| tally[0]).sum();
    let (all, new, stay) = (sum(1) as f64, new as f64, sum(6) as f64);
    let leaving = all - stay;
    let ratio = match reading.case.text("count")? {
        "one_bucket_to" => return Some(tallies.iter().position(|tally| tally[5] > 1)?.checked_sub(1)?.to_string()),
        "moves_to_unsolvable" => return Some(sum(4).to_string()),
        "levels_back" => return Some(out_of.iter().map(|tally| tally[3]).max()?.to_string()),
        "moves_kept" => 1.0 - leaving / all,
        "moves_kept_by_hash" => sum(7) as f64 / all,
        "moves_per_new" => all / new,
        "moves_wasted" => 1.0 - new / all,
        "moves_known" => sum(2) as f64 / all,
        "moves_over_leaving" => all / leaving,
        _ => all / (new + leaving),
    };
    Some(format!("{ratio:.5}"))
}

// ---- boards and tables ---------------------------------------------------------------

fn hardest(checker: &Checker, reading: &Reading) -> Shown {
    let (case, rules) = (reading.case, reading.rules()?);
    let trusted = if is_box(reading) {
        of_box(checker, reading, &*rules)?
    } else {
        let found = table(checker, reading, &*rules, false)?;
        antipodes(reading, &*rules)?;
        found.map_or(vec!["levels of more states than are searched here".into()], |_| vec![])
    };
    let (found, shown) = (reading.text("found"), list(&reading.record["antipodes"]));
    let Ok(board) = rules.read(case.board.as_deref().unwrap_or_default()) else {
        ensure(found == "no board of this instance", "the board is none of this instance")?;
        ensure(reading.witnesses.is_empty(), "witnesses of a board that is none")?;
        graded(reading, "refuted", false)?;
        return Ok(trusted);
    };
    let among = shown.iter().any(|one| one["state"] == rules.draw(rules.canonical(board)));
    let greatest = list(&reading.record["levels"]["levels"]).len() - 1;
    let pictures: Vec<&Value> = reading.witnesses.iter().map(|one| &one["kind"]).collect();
    let boards = std::iter::once(Value::from(rules.draw(board))).chain(shown.iter().take(24).map(|one| one["state"].clone()));
    let [boards_shown @ .., last] = &pictures[..] else { return Err(Stop::Wrong("witnesses are missing".into())) };
    ensure(boards_shown.iter().map(|one| one["board"]["state"].clone()).eq(boards), "the boards shown are others")?;
    let path = replayed(&*rules, last)?;
    let again = nearest(checker, reading, &*rules, (board, None), None).as_ref().as_ref().and_then(|found| found.met);
    ensure(path[0] == board && again == Some(path.len() as u32 - 1) && rules.solved(path[path.len() - 1]), "the path shown is no shortest solution of the board")?;
    let moves = format!("{} moves", path.len() - 1);
    let text = match (among, shown.len()) {
        (true, 1) => format!("{moves}, the greatest distance, here alone"),
        (true, boards) => format!("{moves}, the greatest distance, as {boards} boards up to symmetry"),
        (false, _) => format!("{moves}; the greatest distance is {greatest}"),
    };
    ensure(found == text, format!("what is found is: {text}"))?;
    let fits = case.claimed.is_empty() || whole(&case.claimed) == Some(greatest as u128);
    graded(reading, if among && fits { "confirmed" } else { "refuted" }, true)?;
    Ok(trusted)
}

fn lengths(checker: &Checker, reading: &Reading) -> Shown {
    let rules = reading.rules()?;
    let (redone, decided) = tables::rows(checker, reading, &*rules)?;
    let open = decided - redone;
    Ok(match open {
        0 => vec![],
        _ => vec![format!("that no path is shorter, of {open} of {decided} pairs ({redone} drawn and searched again: with 95% confidence at most {:.1}% are wrong)", 100.0 * bound_of(redone.max(1) as f64))],
    })
}
