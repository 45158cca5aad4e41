//! A folder that `certify` left: its manifests, its tables, its certificates.

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::Path;

use serde_json::Value;

use crate::certificate::{Checker, Outcome, list};
use crate::{blake3, csv, tables};

/// What came of each file that was looked at, by name.
pub type Report = Vec<(String, Outcome)>;

/// The files of a folder by name, as text.
pub type Files = BTreeMap<String, Vec<u8>>;

/// Checks a folder.
///
/// # Errors
/// It cannot be read, or holds no certificates.
pub fn check(folder: &Path, parts: usize, seed: u64) -> Result<Report, String> {
    let mut files = Files::new();
    read(folder, "", &mut files)?;
    check_files(&files, &Checker::new(parts, seed))
}

/// Reads the files of a folder.
///
/// # Errors
/// One that cannot be read.
pub fn read(folder: &Path, below: &str, files: &mut Files) -> Result<(), String> {
    let shown = folder.display();
    let entries = fs::read_dir(folder).map_err(|error| {
        format!("{shown}: cannot be read: {error}; name a folder that certify wrote")
    })?;
    for entry in entries {
        let entry = entry.map_err(|error| format!("{shown}: {error}"))?;
        let name = entry
            .file_name()
            .into_string()
            .map_err(|_| format!("{shown}: a name is no text"))?;
        let path = format!("{below}{name}");
        // What an earlier run left, and what a stopped one goes on from, is no result of this.
        if path == "certificates/earlier" || path == "work" {
            continue;
        }
        let kind = entry
            .file_type()
            .map_err(|error| format!("{path}: {error}"))?;
        if kind.is_dir() {
            read(&entry.path(), &format!("{path}/"), files)?;
        } else if kind.is_file() {
            let bytes = fs::read(entry.path())
                .map_err(|error| format!("{path}: cannot be read: {error}"))?;
            files.insert(path, bytes);
        }
    }
    Ok(())
}

/// Checks files as [`check`] does; searches that the checker made before are not made again.
///
/// # Errors
/// There are no certificates.
pub fn check_files(files: &Files, checker: &Checker) -> Result<Report, String> {
    let certificates: Vec<(&str, &[u8])> = files
        .iter()
        .filter_map(|(path, bytes)| {
            Some((
                path.strip_prefix("certificates/")?.strip_suffix(".json")?,
                bytes.as_slice(),
            ))
        })
        .filter(|(name, _)| *name != "manifest")
        .collect();
    if certificates.is_empty() {
        return Err(
            "there are no certificates in certificates/; name a folder that certify wrote".into(),
        );
    }
    let text = |path: &str| {
        files
            .get(path)
            .map(|bytes| String::from_utf8_lossy(bytes).into_owned())
    };
    let mut report = Report::new();
    let judged =
        |found: Result<(), String>| found.map_or_else(Outcome::Rejected, |()| Outcome::Accepted);
    report.push(("manifest.json".into(), judged(manifests(files))));
    let mut beside = None;
    if let Some(parts) = text("tilt-box/parts.csv") {
        let found = tables::of_parts(checker, &parts);
        report.push((
            "tilt-box/parts.csv".into(),
            match &found {
                Ok((_, trusted)) => Outcome::InPart(vec![trusted.clone()]),
                Err(why) => Outcome::Rejected(why.clone()),
            },
        ));
        beside = found.ok();
    }
    let rows = claims(&text("claims.csv").unwrap_or_default());
    let mut known: BTreeSet<String> = BTreeSet::new();
    let mut all: Vec<Value> = Vec::new();
    for (name, bytes) in certificates {
        let text = String::from_utf8_lossy(bytes);
        let mut outcome = checker.certificate(&text, beside.as_ref());
        let value: Value = serde_json::from_str(&text).unwrap_or_default();
        let claim = value["claim"]["id"].as_str().unwrap_or_default();
        let rows_of = list(&value["rows"]).iter().map(|row| (row, claim));
        for (result, table) in std::iter::once((&value["claim"], "")).chain(rows_of) {
            let id = result["id"].as_str().unwrap_or_default();
            known.insert(id.to_owned());
            let row = rows.as_ref().map(|rows| rows.get(id));
            let beside = match row {
                Ok(Some(row)) if *row == cells(result, table) => continue,
                Ok(Some(_)) => format!("claims.csv says something else of {id}"),
                Ok(None) => format!("claims.csv does not have {id}"),
                Err(why) => format!("claims.csv {why}"),
            };
            outcome = Outcome::Rejected(beside);
        }
        if value["claim"]["id"] != name {
            outcome = Outcome::Rejected("it is the certificate of another claim".into());
        }
        report.push((name.to_owned(), outcome));
        all.push(value);
    }
    let lacking = rows.map(|rows| rows.into_keys().find(|id| !known.contains(id)));
    report.push((
        "claims.csv".into(),
        match lacking {
            Ok(None) => Outcome::Accepted,
            Ok(Some(id)) => Outcome::Rejected(format!("no certificate is of {id}")),
            Err(why) => Outcome::Rejected(why),
        },
    ));
    if let Some(text) = text("not-taken.csv") {
        let found = not_taken(&text, &known);
        report.push(("not-taken.csv".into(), judged(found)));
    }
    let tables = level_tables(files, &all);
    report.push(("certificates/*.levels.csv".into(), judged(tables)));
    let folders: BTreeSet<&str> = files
        .keys()
        .filter_map(|path| path.strip_suffix("/run.json"))
        .collect();
    for name in folders {
        let outcome = if name.ends_with("-pairs") {
            pairs(checker, files, name, &all)
        } else {
            analysis(files, name, &all)
        };
        report.push((format!("{name}/"), outcome));
    }
    Ok(report)
}

/// Every file is listed, as long and with the digest that a manifest says.
///
/// # Errors
/// One that is not.
pub fn manifests(files: &Files) -> Result<(), String> {
    // A table of pairs has one that no other lists.
    let all = files
        .iter()
        .filter_map(|(path, bytes)| Some((path.strip_suffix("manifest.json")?, path, bytes)));
    let (mut listed, mut own) = (BTreeSet::new(), BTreeSet::new());
    for (below, path, bytes) in all {
        own.insert(path);
        let value: Value =
            serde_json::from_slice(bytes).map_err(|error| format!("{path}: {error}"))?;
        if value["record"] != "antipode-manifest-1" {
            return Err(format!("{path} is of a form that is unknown here"));
        }
        for entry in list(&value["files"]) {
            let name = format!("{below}{}", entry["path"].as_str().unwrap_or_default());
            let bytes = files.get(&name).ok_or(format!("{name} is missing"))?;
            if entry["bytes"] != bytes.len() || entry["blake3"] != blake3::hex(bytes) {
                return Err(format!("{name} is not as {path} says"));
            }
            if !listed.insert(name.clone()) {
                return Err(format!("{name} is listed twice"));
            }
        }
    }
    let root =
        own.contains(&"manifest.json".to_owned()) && listed.contains("certificates/manifest.json");
    match files
        .keys()
        .find(|path| !listed.contains(*path) && !own.contains(path))
    {
        None if !root => Err("the folder has no manifest, or none of its certificates".into()),
        Some(path) => Err(format!("{path} is in no manifest")),
        None => Ok(()),
    }
}

/// Columns of `claims.csv` that a certificate has too, and where.
const COLUMNS: [&str; 18] = [
    "id",
    "puzzle",
    "instance",
    "source",
    "section",
    "kind",
    "expect",
    "verdict",
    "as_expected",
    "claimed",
    "found",
    "readings",
    "effort",
    "variant",
    "engine",
    "statement",
    "table",
    "wall_s",
];
/// Of these, all but the time.
const TOLD: usize = COLUMNS.len() - 1;

/// The claims without a verdict are no evidence, but none of them has a certificate.
fn not_taken(text: &str, taken: &BTreeSet<String>) -> Result<(), String> {
    let lines = csv::read(text)?;
    let [header, rows @ ..] = &lines[..] else {
        return Err("is empty".into());
    };
    if *header != ["id", "puzzle", "fault"] || rows.contains(header) {
        return Err("has other columns".into());
    }
    match rows.iter().find(|row| taken.contains(&row[0])) {
        Some(row) => Err(format!("lists {}, which was taken", row[0])),
        None => Ok(()),
    }
}

fn claims(text: &str) -> Result<BTreeMap<String, Vec<String>>, String> {
    let lines = csv::read(text)?;
    let [header, rows @ ..] = &lines[..] else {
        return Err("is missing or empty".into());
    };
    if *header != COLUMNS {
        return Err("has other columns".into());
    }
    let mut found = BTreeMap::new();
    for row in rows {
        // The time that it took is no evidence.
        if found.insert(row[0].clone(), row[..TOLD].to_vec()).is_some() {
            return Err(format!("has {} twice", row[0]));
        }
    }
    Ok(found)
}

/// What a row of `claims.csv` says of a claim in a certificate, but for the time; `table` is the
/// claim whose table it is a row of.
fn cells(result: &Value, table: &str) -> Vec<String> {
    let readings: Vec<String> = list(&result["readings"])
        .iter()
        .map(|reading| {
            let member = |name: &str| reading[name].as_str().unwrap_or_default();
            format!("{}: {}", member("name"), member("verdict"))
        })
        .collect();
    let cell = |column: &&str| match *column {
        "as_expected" => (result["expect"] == result["verdict"]).to_string(),
        "readings" => readings.join("; "),
        "table" => table.to_owned(),
        column => result[column].as_str().unwrap_or_default().to_owned(),
    };
    COLUMNS[..TOLD].iter().map(cell).collect()
}

/// The tables of an analysis: as the certificates that rest on it have them.
fn analysis(files: &Files, name: &str, certificates: &[Value]) -> Outcome {
    let table = |file: &str| {
        files
            .get(&format!("{name}/{file}"))
            .map(|bytes| csv::read(&String::from_utf8_lossy(bytes)))
    };
    let run: Value = files
        .get(&format!("{name}/run.json"))
        .and_then(|bytes| serde_json::from_slice(bytes).ok())
        .unwrap_or_default();
    let members = [
        "puzzle",
        "instance",
        "settings",
        "direction",
        "from",
        "max_depth",
        "parts_done",
        "parts_total",
        "complete",
    ];
    let same = |record: &&Value| {
        members
            .iter()
            .all(|member| record["run"][member] == run[member])
    };
    let mut found = certificates
        .iter()
        .flat_map(|certificate| list(&certificate["cases"]))
        .filter(same);
    let Some(record) = found.next() else {
        return Outcome::Rejected("no certificate rests on this run".into());
    };
    let rows = level_rows(&record["levels"]);
    let antipodes = ["depth", "state", "orbit_size"];
    let mut boards = vec![antipodes.map(str::to_owned).to_vec()];
    boards.extend(
        list(&record["antipodes"])
            .iter()
            .map(|row| told(row, &antipodes)),
    );
    for (file, rows) in [("levels.csv", rows), ("antipodes.csv", boards)] {
        match table(file) {
            Some(Ok(said)) if said == rows => {}
            Some(Err(why)) => return Outcome::Rejected(format!("{file} {why}")),
            _ => return Outcome::Rejected(format!("{file} is not what the certificates say")),
        }
    }
    Outcome::Accepted
}

/// Some members of a row, as a table writes them.
fn told(row: &Value, members: &[&str]) -> Vec<String> {
    let members = members.iter().map(|member| &row[member]);
    members
        .map(|value| {
            value
                .as_str()
                .map_or_else(|| value.to_string(), str::to_owned)
        })
        .collect()
}

/// A certificate's level table, as a file has it.
fn level_rows(table: &Value) -> Vec<Vec<String>> {
    let members = ["depth", "states", "orbits", "digest"];
    let mut rows = vec![members.map(str::to_owned).to_vec()];
    rows.extend(list(&table["levels"]).iter().map(|row| told(row, &members)));
    let rest = &table["unsolvable"];
    if !rest.is_null() {
        let last = std::iter::once("unsolvable".to_owned());
        rows.push(last.chain(told(rest, &members[1..])).collect());
    }
    rows
}

/// The level tables beside the certificates: of each case that has one, and no other.
fn level_tables(files: &Files, certificates: &[Value]) -> Result<(), String> {
    let mut due: BTreeMap<String, &Value> = BTreeMap::new();
    for certificate in certificates {
        let id = certificate["claim"]["id"].as_str().unwrap_or_default();
        let tables = list(&certificate["cases"])
            .iter()
            .map(|case| &case["levels"]);
        for (nth, table) in (1..).zip(tables.filter(|table| !table.is_null())) {
            let number = if nth == 1 {
                String::new()
            } else {
                format!("-{nth}")
            };
            due.insert(format!("certificates/{id}.levels{number}.csv"), table);
        }
    }
    let there = |name: &&String| name.starts_with("certificates/") && name.ends_with(".csv");
    if let Some(name) = files
        .keys()
        .filter(there)
        .find(|name| !due.contains_key(*name))
    {
        return Err(format!("no certificate has the levels of {name}"));
    }
    for (name, table) in due {
        let bytes = files.get(&name).ok_or(format!("{name} is missing"))?;
        if csv::read(&String::from_utf8_lossy(bytes))? != level_rows(table) {
            return Err(format!("{name} is not what its certificate says"));
        }
    }
    Ok(())
}

/// Columns of `pairs.csv`.
const PAIRS: &str =
    "from,to,length,known,forward_radius,backward_radius,meeting_state,moves,witness";

/// The tables of pairs: as the rows of the certificate, and some balls made again.
fn pairs(checker: &Checker, files: &Files, name: &str, certificates: &[Value]) -> Outcome {
    let text = |file: &str| {
        files
            .get(&format!("{name}/{file}"))
            .map(|bytes| String::from_utf8_lossy(bytes).into_owned())
            .unwrap_or_default()
    };
    let instance = name
        .trim_start_matches("coin-sliding-")
        .trim_end_matches("-pairs");
    let balls = tables::balls(checker, instance, &text("balls.csv"));
    let listed = csv::read(&text("pairs.csv")).and_then(|lines| {
        let mut known: BTreeMap<(String, String), Vec<String>> = BTreeMap::new();
        if lines.first().is_none_or(|header| header.join(",") != PAIRS) {
            return Err("has other columns".to_owned());
        }
        for line in lines.into_iter().skip(1) {
            if line.len() != 9
                || known
                    .insert((line[0].clone(), line[1].clone()), line[2..].to_vec())
                    .is_some()
            {
                return Err("has a pair twice, or other columns".to_owned());
            }
        }
        let ends =
            |end: fn(&(String, String)) -> &String| known.keys().map(end).collect::<BTreeSet<_>>();
        let all = ends(|pair| &pair.0)
            .iter()
            .map(|from| ends(|pair| &pair.1).iter().filter(|to| *to != from).count())
            .sum::<usize>();
        if all == known.len() {
            Ok(known)
        } else {
            Err("lacks a pair".to_owned())
        }
    });
    let mut listed = match (balls, listed) {
        (Ok(radii), Ok(listed)) => {
            // The sides of a pair that do not meet are there: one less than the path is long.
            let there = |name: &str, side: &str, radius: Option<usize>| {
                radius.is_none()
                    || radii.get(&(name.to_owned(), side.to_owned())).copied() >= radius
            };
            let lacking = listed.iter().find(|((from, to), line)| {
                let (forward, backward) = (line[2].parse::<usize>().ok(), line[3].parse().ok());
                let forward = if line[0].is_empty() {
                    forward
                } else {
                    forward.and_then(|radius| radius.checked_sub(1))
                };
                !there(from, "forward", forward) || !there(to, "backward", backward)
            });
            if let Some(((from, to), _)) = lacking {
                return Outcome::Rejected(format!("balls.csv lacks a side of {from} to {to}"));
            }
            listed
        }
        (Err(why), _) => return Outcome::Rejected(format!("balls.csv: {why}")),
        (_, Err(why)) => return Outcome::Rejected(format!("pairs.csv {why}")),
    };
    let of_table = certificates
        .iter()
        .filter(|certificate| certificate["claim"]["instance"] == instance);
    for row in of_table.flat_map(|certificate| list(&certificate["rows"])) {
        let ends = row["statement"].as_str().and_then(|text| {
            text.strip_prefix("From ")?
                .split_once(" it takes ")?
                .0
                .split_once(" to ")
        });
        let Some((from, to)) = ends else { continue };
        let line = listed.remove(&(from.to_owned(), to.to_owned()));
        if !line.is_some_and(|line| fits(&line, row)) {
            return Outcome::Rejected(format!("pairs.csv says something else of {from} to {to}"));
        }
    }
    // Pairs that no claim is about have no row; what they say of themselves has to hold.
    for ((from, to), line) in &listed {
        if let Err(why) = tables::pair(instance, (from, to), line).and_then(|row| {
            if fits(line, &row) {
                Ok(())
            } else {
                Err("does not fit together".into())
            }
        }) {
            return Outcome::Rejected(format!("pairs.csv, {from} to {to}: {why}"));
        }
    }
    Outcome::InPart(vec!["balls of states that were not drawn".into()])
}

/// Whether a line of `pairs.csv` says what a row of a certificate does.
fn fits(line: &[String], row: &Value) -> bool {
    let strip = &row["witnesses"][0]["kind"]["strip"];
    let joined = |member: &str, by: &str| {
        list(&strip[member])
            .iter()
            .filter_map(Value::as_str)
            .collect::<Vec<_>>()
            .join(by)
    };
    let radii = line[2]
        .parse::<usize>()
        .ok()
        .zip(line[3].parse::<usize>().ok());
    let found = row["found"].as_str().unwrap_or_default();
    let sum = radii.map(|(a, b)| a + b);
    match found.parse::<usize>() {
        Ok(moves) => {
            let meeting = radii
                .and_then(|(forward, _)| strip["states"][forward].as_str())
                .unwrap_or_default();
            line[0] == found
                && line[1] == "exactly"
                && sum == Some(moves)
                && line[4] == meeting
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
