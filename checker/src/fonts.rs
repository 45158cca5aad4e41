//! The tables of a font: lengths between all its boards, and the sides around these that show that
//! no path is shorter. Some sides that the reader's seed draws are searched again.

use std::collections::{BTreeMap, BTreeSet};

use serde_json::{Value, json};

use crate::checker::Checker;
use crate::csv;
use crate::replay::replayed;
use crate::rules::coins::Coins;
use crate::rules::{Rules, Settings, UNKNOWN};
use crate::search::{Level, Question, search};
use crate::shown::{OrWrong, Shown, list, text};

/// Columns of `pairs.csv`.
const PAIRS: &str =
    "from,to,length,known,forward_radius,backward_radius,meeting_state,moves,witness";

/// Lines of `pairs.csv` by from and to, each as its cells behind these.
type Lines = BTreeMap<(String, String), Vec<String>>;

/// The lines of `pairs.csv`, if all pairs of those that begin and those that end are there.
fn lines(text: &str) -> Result<Lines, String> {
    let mut lines = Lines::new();
    for mut line in csv::table(text, PAIRS)? {
        let rest = line.split_off(2);
        let ends = (line[0].clone(), line[1].clone());
        if lines.insert(ends, rest).is_some() {
            return Err("has a pair twice".into());
        }
    }
    let from: BTreeSet<&String> = lines.keys().map(|ends| &ends.0).collect();
    let to: BTreeSet<&String> = lines.keys().map(|ends| &ends.1).collect();
    match from.len() * to.len() - from.intersection(&to).count() == lines.len() {
        true => Ok(lines),
        false => Err("lacks a pair".into()),
    }
}

/// Checks the tables of a font: `pairs.csv` as the rows of the certificates have it, and some sides
/// of `sides.csv` made again.
pub fn check(
    checker: &Checker,
    instance: &str,
    (pairs, sides): (&str, &str),
    certificates: &[Value],
) -> Shown {
    let radii = self::sides(checker, instance, sides);
    let radii = radii.map_err(|why| format!("sides.csv: {why}"))?;
    let mut lines = lines(pairs).map_err(|why| format!("pairs.csv {why}"))?;
    for ((from, to), line) in &lines {
        // The sides of a pair that do not meet are there: one less than the path is long.
        let met = usize::from(!line[0].is_empty());
        let radius = |cell: usize| line[cell].parse::<usize>().ok();
        let (forward, backward) = (radius(2).and_then(|n| n.checked_sub(met)), radius(3));
        let there = |name: &str, side: &str, radius: Option<usize>| {
            radius.is_none() || radii.get(&(name.to_owned(), side.to_owned())).copied() >= radius
        };
        (there(from, "forward", forward) && there(to, "backward", backward))
            .or_wrong(format!("sides.csv lacks a side of {from} to {to}"))?;
    }
    let own = certificates
        .iter()
        .filter(|one| one["claim"]["instance"] == instance);
    for row in own.flat_map(|certificate| list(&certificate["rows"])) {
        let ends = text(row, "statement").strip_prefix("From ");
        let ends = ends.and_then(|text| text.split_once(" it takes ")?.0.split_once(" to "));
        let Some((from, to)) = ends else { continue };
        let line = lines.remove(&(from.to_owned(), to.to_owned()));
        line.is_some_and(|line| fits(&line, row))
            .or_wrong(format!("pairs.csv says something else of {from} to {to}"))?;
    }
    // Pairs that no claim is about have no row; what they say of themselves has to hold.
    for ((from, to), line) in &lines {
        let row = pair(instance, (from, to), line);
        let row = row.map_err(|why| format!("pairs.csv, {from} to {to}: {why}"))?;
        fits(line, &row).or_wrong(format!("pairs.csv, {from} to {to}: does not fit together"))?;
    }
    Ok(vec!["sides of states that were not drawn".into()])
}

/// Whether a line of `pairs.csv` says what a row of a certificate does.
fn fits(line: &[String], row: &Value) -> bool {
    let strip = &row["witnesses"][0]["kind"]["strip"];
    let joined = |member: &str, by: &str| {
        let texts = list(&strip[member]).iter().filter_map(Value::as_str);
        texts.collect::<Vec<_>>().join(by)
    };
    let radius = |cell: usize| line[cell].parse::<usize>().ok();
    let sum = radius(2).zip(radius(3)).map(|(a, b)| a + b);
    let found = text(row, "found");
    match found.parse::<usize>() {
        Ok(moves) => {
            let meeting = radius(2).and_then(|forward| strip["states"][forward].as_str());
            line[0] == found
                && line[1] == "exactly"
                && sum == Some(moves)
                && line[4] == meeting.unwrap_or_default()
                && line[5] == joined("labels", "; ")
                && line[6] == joined("states", " ")
        }
        Err(_) => {
            line[0].is_empty()
                && line[1] == found
                && line[4..].iter().all(String::is_empty)
                && sum.map(|sum| format!("more than {sum}")).as_deref() == Some(found)
        }
    }
}

/// A line of `pairs.csv` behind its ends as a row of a certificate would have it, its path
/// replayed.
fn pair(instance: &str, (from, to): (&str, &str), line: &[String]) -> Result<Value, String> {
    let coins = Coins::open(instance, &Settings::new()).ok_or(UNKNOWN)?;
    let ends = (coins.state(from)?, coins.state(to)?);
    if line[0].is_empty() {
        return Ok(json!({ "found": line[1] }));
    }
    let (labels, states): (Vec<&str>, Vec<&str>) =
        (line[5].split("; ").collect(), line[6].split(' ').collect());
    let kind = json!({ "strip": { "states": states, "labels": labels } });
    let path = replayed(&coins, &kind).map_err(|stop| format!("{stop:?}"))?;
    match path.ends == ends && line[0] == path.moves.to_string() {
        true => Ok(json!({ "found": line[0], "witnesses": [{ "kind": kind }] })),
        false => Err("the path is another".into()),
    }
}

/// Checks `sides.csv`: all states within so many moves of a named one. Gives the greatest radius
/// of each side.
fn sides(
    checker: &Checker,
    instance: &str,
    text: &str,
) -> Result<BTreeMap<(String, String), usize>, String> {
    let coins = Coins::open(instance, &Settings::new()).ok_or(UNKNOWN)?;
    let mut sides: BTreeMap<(String, String), Vec<&[String]>> = BTreeMap::new();
    let table = csv::table(text, "name,direction,radius,states,digest,closed")?;
    for row in &table {
        let known =
            ["forward", "backward"].contains(&row[1].as_str()) && coins.read(&row[0]).is_some();
        let rows = sides.entry((row[0].clone(), row[1].clone())).or_default();
        let states = |row: &[String]| row[3].parse::<u128>().ok();
        let before = rows.last().and_then(|row| states(row));
        let grows = states(row) > before || states(row).is_some() && row[5] == "true";
        let closed = ["true", "false"].contains(&row[5].as_str());
        if !(known && grows && closed && row[2] == rows.len().to_string()) {
            return Err(format!("the row {} does not follow", row.join(",")));
        }
        rows.push(row);
    }
    let all: Vec<_> = sides.iter().collect();
    for at in checker.drawn(all.len()) {
        let ((name, direction), rows) = all[at];
        let label = format!("side {instance} {name} {direction} {}", rows.len());
        let again = checker.once(&label, || {
            let question = Question {
                roots: vec![coins.state(name)?],
                backward: direction == "backward",
                depth: Some(rows.len() as u32 - 1),
                ..Question::default()
            };
            let found = search(&coins, &question, false).ok_or("too many states")?;
            let mut side = Level::default();
            let sums = found.levels.iter().map(|level| {
                side.join(level);
                let [states, _, digest] = side.told();
                format!("{states},{digest}")
            });
            Ok(sums.collect::<Vec<_>>().join(";"))
        })?;
        let said: Vec<String> = rows.iter().map(|row| row[3..5].join(",")).collect();
        // A side that is closed ends a level early.
        if !said.join(";").starts_with(&again) || again.is_empty() {
            return Err(format!("the {direction} side of {name} is another"));
        }
    }
    let radii = sides.into_iter().map(|(side, rows)| (side, rows.len() - 1));
    Ok(radii.collect())
}
