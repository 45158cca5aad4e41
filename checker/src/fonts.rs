//! The tables of a font, or of other boards: lengths between all of them, and the sides around
//! these that show that no path is shorter. Some sides that the reader's seed draws are searched
//! again.

use std::collections::{BTreeMap, BTreeSet};

use serde_json::{Value, json};

use crate::checker::{Checker, once};
use crate::claim::texts;
use crate::csv;
use crate::pairs::{row_shown, shortest};
use crate::rules::{self, MOST, Rules, UNKNOWN};
use crate::search::{Level, Question, search};
use crate::shown::{OrWrong, Shown, Stop, list, text};

const PAIRS: &str =
    "from,to,length,known,forward_radius,backward_radius,meeting_state,moves,witness";

/// Lines of `pairs.csv` by from and to, each as its cells after these.
type Lines = BTreeMap<(String, String), Vec<String>>;

/// The lines of `pairs.csv`, if all pairs of its starts and goals are there.
fn lines(text: &str) -> Result<Lines, Stop> {
    let mut lines = Lines::new();
    let table = csv::table(text, PAIRS).map_err(|why| format!("pairs.csv {why}"));
    for mut line in table? {
        let rest = line.split_off(2);
        let ends = (line[0].clone(), line[1].clone());
        let new = lines.insert(ends, rest).is_none();
        new.or_wrong("pairs.csv has a pair twice")?;
    }
    let from: BTreeSet<&String> = lines.keys().map(|ends| &ends.0).collect();
    let to: BTreeSet<&String> = lines.keys().map(|ends| &ends.1).collect();
    let due = from.len() * to.len() - from.intersection(&to).count();
    (due == lines.len()).or_wrong("pairs.csv lacks a pair")?;
    Ok(lines)
}

fn number(line: &[String], cell: usize) -> Option<usize> {
    line[cell].parse().ok()
}

/// Checks the tables of a claim about a font: `pairs.csv` against the rows of its certificate, and
/// some sides of `sides.csv`, which are recomputed.
pub fn check(
    checker: &Checker,
    (claim, run): (&str, &Value),
    (pairs, sides): (&str, &str),
    certificates: &[Value],
) -> Shown {
    let (puzzle, instance) = (text(run, "puzzle"), text(run, "instance"));
    let settings = texts(run.get("settings"));
    let rules = rules::open(puzzle, instance, &settings);
    let rules = rules.as_deref();
    let name = format!("{puzzle}/{instance} {settings:?}");
    let (radii, mut trusted) = self::sides(checker, (&name, rules), sides)?;
    let mut lines = lines(pairs)?;
    for ((from, to), line) in &lines {
        // Sides of a pair that do not meet have to be listed: their radii add up to the path's
        // length less one.
        let met = usize::from(!line[0].is_empty());
        let forward = number(line, 2).and_then(|n| n.checked_sub(met));
        let there = |name: &str, side: &str, radius: Option<usize>| {
            radius.is_none() || radii.get(&(name.to_owned(), side.to_owned())).copied() >= radius
        };
        let both = there(from, "forward", forward) && there(to, "backward", number(line, 3));
        both.or_wrong(format!("sides.csv lacks a side of {from} to {to}"))?;
    }
    let is_own = |one: &&Value| one["claim"]["id"] == claim;
    let own: Vec<&Value> = certificates.iter().filter(is_own).collect();
    (!own.is_empty()).or_unknown("no certificate here is of its claim")?;
    let is_of_run = |one: &&Value| {
        let (claim, case) = (&one["claim"], &one["cases"][0]);
        let same = claim["puzzle"] == puzzle && claim["instance"] == instance;
        same && texts(case.get("settings")) == settings
    };
    let one_run = own.iter().all(is_of_run);
    one_run.or_wrong("run.json is of another instance than the claim")?;
    for row in own.into_iter().flat_map(|one| list(&one["rows"])) {
        let ends = text(row, "statement").strip_prefix("From ");
        let ends = ends.and_then(|text| text.split_once(" it takes ")?.0.split_once(" to "));
        let Some((from, to)) = ends else { continue };
        let line = lines.remove(&(from.to_owned(), to.to_owned()));
        let same = line.is_some_and(|line| fits(&line, row));
        same.or_wrong(format!("pairs.csv says something else of {from} to {to}"))?;
    }
    // Pairs without a claim have no row; their own statements have to hold.
    let mut unclaimed = Vec::new();
    for ((from, to), line) in &lines {
        let row = pair(line);
        let fits = fits(line, &row);
        fits.or_wrong(format!("pairs.csv, {from} to {to}: does not fit together"))?;
        if let Some(rules) = rules {
            unclaimed.extend(row_shown(rules, (from, to), &row)?);
        }
    }
    let rules = rules.ok_or(Stop::Unknown(UNKNOWN.into()))?;
    trusted.extend(shortest(checker, &name, rules, &unclaimed)?);
    Ok(trusted)
}

/// Whether a line of `pairs.csv` fits together, and agrees with a row of a certificate.
fn fits(line: &[String], row: &Value) -> bool {
    let own = pair(line);
    let strip = |row: &Value| row["witnesses"][0]["kind"]["strip"].clone();
    let (found, forward) = (text(&own, "found"), number(line, 2));
    let sum = forward.zip(number(line, 3)).map(|(a, b)| a + b);
    let alike = row["found"] == found && strip(row) == strip(&own);
    let rest = |from: usize| line[from..].iter().all(String::is_empty);
    alike
        && match found.parse::<usize>() {
            Ok(moves) => {
                let states = &strip(&own)["states"];
                let meeting = forward.and_then(|forward| states[forward].as_str());
                line[1] == "exactly" && sum == Some(moves) && meeting == Some(&line[4])
            }
            Err(_) if found == "no path" => {
                let mut sides = ["forward", "backward"].into_iter();
                let closed = sides.any(|side| line[1] == format!("the {side} side is closed"));
                line[0] == "none" && closed && rest(2)
            }
            Err(_) => {
                let more = sum.map(|sum| format!("more than {sum}"));
                line[0].is_empty() && rest(4) && more.as_deref() == Some(found)
            }
        }
}

/// A line of `pairs.csv` without its ends, in the form of a certificate's row.
fn pair(line: &[String]) -> Value {
    match line[0].as_str() {
        "" => json!({ "found": line[1] }),
        "none" => json!({ "found": "no path" }),
        length => {
            let labels: Vec<&str> = line[5].split("; ").collect();
            let states: Vec<&str> = line[6].split(' ').collect();
            let strip = json!({ "strip": { "states": states, "labels": labels } });
            json!({ "found": length, "witnesses": [{ "kind": strip }] })
        }
    }
}

type Radii = BTreeMap<(String, String), usize>;

/// Checks `sides.csv`: all states within n moves of a named one. Returns the greatest radius of
/// each side, and what is trusted.
fn sides(
    checker: &Checker,
    (instance, rules): (&str, Option<&dyn Rules>),
    text: &str,
) -> Result<(Radii, Vec<String>), Stop> {
    let mut sides: BTreeMap<(String, String), Vec<&[String]>> = BTreeMap::new();
    let table = csv::table(text, "name,direction,radius,states,digest,closed");
    let table = table.map_err(|why| format!("sides.csv {why}"))?;
    for row in &table {
        let directed = ["forward", "backward"].contains(&row[1].as_str());
        let known = directed && rules.is_none_or(|rules| rules.state(&row[0]).is_ok());
        let rows = sides.entry((row[0].clone(), row[1].clone())).or_default();
        let before = rows.last().and_then(|row| number(row, 3));
        let grows = number(row, 3) > before && rows.last().is_none_or(|row| row[5] == "false");
        let closed = ["true", "false"].contains(&row[5].as_str());
        let follows = known && grows && closed && row[2] == rows.len().to_string();
        follows.or_wrong(format!("sides.csv: {} does not follow", row.join(",")))?;
        rows.push(row);
    }
    let all: Vec<_> = sides.iter().collect();
    let drawn = checker.drawn(all.len());
    let (mut are_cut, mut one_way) = (false, false);
    for (&at, rules) in drawn.iter().filter_map(|at| Some((at, rules?))) {
        let ((name, direction), rows) = all[at];
        let (root, backward) = (rules.state(name)?, direction == "backward");
        if backward && rules.before(root).is_none() {
            one_way = true;
            continue;
        }
        let few = |row: &&&[String]| number(row, 3).is_some_and(|states| states <= MOST);
        let levels = rows.iter().take_while(few).count();
        are_cut |= levels < rows.len();
        // Nothing is one move beyond a side that is closed.
        let closed = levels == rows.len() && rows.last().is_some_and(|row| row[5] == "true");
        let label = format!("side {instance} {name} {direction} {levels} {closed}");
        let again = once(&checker.texts, label, || {
            let question = Question {
                roots: vec![root],
                backward,
                depth: Some((levels + usize::from(closed)).saturating_sub(1) as u32),
                ..Question::default()
            };
            let found = search(rules, &question, false).ok_or("too many states")?;
            let mut side = Level::default();
            let sums = found.levels.iter().map(|level| {
                side.join(level);
                let [states, _, digest] = side.told();
                format!("{states},{digest}")
            });
            Ok(sums.collect::<Vec<_>>().join(";"))
        })?;
        let said = rows[..levels].iter().map(|row| row[3..5].join(","));
        let same = said.collect::<Vec<_>>().join(";") == again;
        same.or_wrong(format!(
            "sides.csv: the {direction} side of {name} is another"
        ))?;
    }
    let left = drawn.len() < all.len();
    let told = |is_so: bool, what: &str| is_so.then(|| what.to_owned());
    let left = told(left, "sides of states that were not drawn");
    let cut = told(
        are_cut,
        "levels of sides with more states than are searched here",
    );
    let one_way = told(one_way, "sides backward, which the rules here do not run");
    let trusted = left.into_iter().chain(cut).chain(one_way).collect();
    let radii = sides.into_iter().map(|(side, rows)| (side, rows.len() - 1));
    Ok((radii.collect(), trusted))
}
