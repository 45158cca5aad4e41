//! A folder of `certify`: its manifests, its tables, its certificates.

use std::borrow::Cow;
use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::io::ErrorKind;
use std::path::{Path, PathBuf};

use serde_json::{Value, json};

use crate::checker::Checker;
use crate::kinds::MOST_SHOWN;
use crate::shown::{OrWrong, Shown, Stop, agrees, is_wrong, list, number, text};
use crate::{blake3, csv, fonts, json, parts};

/// The outcome of each file checked, by name.
pub type Report = Vec<(String, Shown)>;

/// The files of a folder by name, as text.
pub type Files = BTreeMap<String, Vec<u8>>;

/// An exit code, and why nothing is checked.
pub type Fault = (u8, String);

/// Checks a folder.
pub fn check(folder: &Path, parts: usize, seed: u64) -> Result<Report, Fault> {
    let files = read(folder)?;
    check_files(&files, &Checker::new(parts, seed)).map_err(|why| (2, why))
}

/// The exit code: 1 if something was rejected, else 4 if something was stopped and not checked.
pub fn exit_code(report: &Report) -> u8 {
    let outcomes = report.iter().map(|(_, outcome)| match outcome {
        Err(Stop::Wrong(_)) => 1,
        Err(Stop::Unfinished) => 4,
        _ => 0,
    });
    // The smallest that is not 0.
    outcomes.filter(|code| *code > 0).min().unwrap_or(0)
}

/// Most bytes of a folder that are read; results have a small part of these.
const MOST: u64 = 1 << 30;

/// The files of a folder, each with its place and its length.
type Found = BTreeMap<String, (PathBuf, u64)>;

fn find(folder: &Path, below: &str, found: &mut Found) -> Result<(), String> {
    let shown = folder.display();
    let entries = fs::read_dir(folder).map_err(|error| {
        format!("{shown}: cannot be read: {error}; name a folder that certify wrote")
    })?;
    for entry in entries {
        let entry = entry.map_err(|error| format!("{shown}: {error}"))?;
        let name = entry.file_name();
        let Some(name) = name.to_str() else {
            let name = name.display();
            return Err(format!(
                "{below}{name}: the name is no UTF-8; rename the file"
            ));
        };
        let path = format!("{below}{name}");
        // Files of an earlier run, or from which a stopped one resumes, do not belong to this one.
        let resumes = ["work", "work-of-path", "progress.jsonl"];
        if path == "certificates/earlier" || resumes.contains(&name) {
            continue;
        }
        let told = entry.metadata();
        let told = told.map_err(|error| format!("{path}: {error}"))?;
        if told.is_dir() {
            find(&entry.path(), &format!("{path}/"), found)?;
        } else if told.is_file() {
            found.insert(path, (entry.path(), told.len()));
        } else {
            return Err(format!(
                "{path}: is a link or no plain file, and not read; put the file itself there"
            ));
        }
    }
    Ok(())
}

/// Reads the files of a folder. A file that no manifest lists, or a long one of another length, is
/// empty instead: [`manifests`] rejects it.
pub fn read(folder: &Path) -> Result<Files, Fault> {
    let (mut found, mut files, mut left) = (Found::new(), Files::new(), MOST);
    find(folder, "", &mut found).map_err(|why| (2, why))?;
    let mut take = |path: &String, (at, length): &(PathBuf, u64)| {
        let more = format!("{path}: with it the files are over 1 GiB; check fewer claims at once");
        left = left.checked_sub(*length).ok_or((4, more))?;
        let bytes = fs::read(at).map_err(|error| {
            let full = error.kind() == ErrorKind::OutOfMemory;
            let why = format!("{path}: cannot be read: {error}");
            (if full { 4 } else { 2 }, why)
        });
        Ok((path.clone(), bytes?))
    };
    let (own, others): (Vec<_>, Vec<_>) = found
        .iter()
        .partition(|(path, _)| path.ends_with("manifest.json"));
    for (path, place) in own {
        files.extend([take(path, place)?]);
    }
    let listed = files.keys().flat_map(|path| entries(&files, path));
    let due: BTreeMap<String, Value> = listed.collect();
    let bare = is_bare(&files);
    for (path, place) in others {
        let listed = due.get(path);
        let same = listed.is_some_and(|entry| entry["bytes"] == place.1 || place.1 <= MOST);
        files.extend([match same || bare {
            true => take(path, place)?,
            false => (path.clone(), vec![]),
        }]);
    }
    Ok(files)
}

/// Whether there is neither manifest of a whole run.
fn is_bare(files: &Files) -> bool {
    let names = ["manifest.json", "certificates/manifest.json"];
    names.iter().all(|name| !files.contains_key(*name))
}

/// The entries of a manifest, by the paths of their files.
fn entries(files: &Files, path: &str) -> Vec<(String, Value)> {
    let below = path.strip_suffix("manifest.json").unwrap_or_default();
    let value = json_of(files, path);
    let entries = list(&value["files"]).iter();
    let named = entries.map(|entry| (format!("{below}{}", text(entry, "path")), entry.clone()));
    named.collect()
}

fn file<'a>(files: &'a Files, path: &str) -> Cow<'a, str> {
    let bytes = files.get(path).map(Vec::as_slice);
    String::from_utf8_lossy(bytes.unwrap_or_default())
}

/// A file as JSON; null if it is not JSON, which [`manifests`] rejects.
fn json_of(files: &Files, path: &str) -> Value {
    json::read(&file(files, path)).unwrap_or_default()
}

/// The message about a folder that has every result and no manifest.
const NO_MANIFEST: &str = "there is none, which a whole run writes: files may be missing, or of \
    another run";

fn certified(path: &str) -> Option<&str> {
    let name = path.strip_prefix("certificates/")?.strip_suffix(".json")?;
    (name != "manifest").then_some(name)
}

/// Checks files as [`check`] does; searches that the checker made before are not repeated.
pub fn check_files(files: &Files, checker: &Checker) -> Result<Report, String> {
    if !files.keys().any(|path| certified(path).is_some()) {
        let none = "there are no certificates in certificates/; name a folder that certify wrote";
        return Err(none.into());
    }
    let mut report = Report::new();
    let mut tell = |name: &str, shown: Shown| report.push((name.to_owned(), shown));
    let named = |path: &'_ String| Some((certified(path)?.to_owned(), json_of(files, path)));
    let own: Vec<(String, Value)> = files.keys().filter_map(named).collect();
    let known = own.iter().flat_map(|(_, one)| results(one));
    let known: BTreeSet<String> = known.map(|(one, _)| text(one, "id").to_owned()).collect();
    let bare = is_bare(files);
    let claims = match bare && !files.contains_key("claims.csv") {
        true => Ok(Claims::new()),
        false => claims(&file(files, "claims.csv")),
    };
    let told = |claims: &Claims| known.iter().all(|id| claims.contains_key(id));
    // A run that was killed has no manifest yet, and its tables are of the run before.
    let killed = bare && !claims.as_ref().is_ok_and(told);
    tell(
        "manifest.json",
        match bare {
            _ if killed => Err(Stop::Unfinished),
            true => Err(Stop::Unknown(NO_MANIFEST.to_owned())),
            false => manifests(files),
        },
    );
    let mut beside = None;
    let run = json_of(files, "tilt-box/run.json");
    if files.contains_key("tilt-box/parts.csv") && run["complete"] != false {
        let found = parts::of_parts(checker, &file(files, "tilt-box/parts.csv"));
        beside = found.as_ref().ok().cloned();
        let shown = found.map(|parts| vec![parts.trusted]);
        tell("tilt-box/parts.csv", shown);
    }
    for (name, value) in &own {
        let text = file(files, &format!("certificates/{name}.json"));
        let shown = checker.certificate(&text, beside.as_ref());
        let fits = listed(name, value, &claims, killed).map_err(Stop::Wrong);
        tell(
            name,
            if is_wrong(&shown) {
                shown
            } else {
                fits.and(shown)
            },
        );
    }
    let all: Vec<Value> = own.into_iter().map(|(_, value)| value).collect();
    let certified = all_certified(claims, &known);
    if killed {
        if files.contains_key("claims.csv") {
            tell("claims.csv", certified.and(Err(Stop::Unfinished)));
        }
        return Ok(report);
    }
    // A run has one effort.
    let efforts = all.iter().map(|one| text(&one["claim"], "effort"));
    let one = efforts.collect::<BTreeSet<&str>>().len() == 1;
    let one = one.or_wrong("the certificates are of several efforts");
    tell(
        "claims.csv",
        certified.and_then(|shown| one.map(|()| shown)),
    );
    if files.contains_key("not-taken.csv") {
        let text = file(files, "not-taken.csv");
        tell("not-taken.csv", not_taken(&text, &known));
    }
    tell("certificates/*.levels.csv", level_tables(files, &all));
    for path in files.keys() {
        let Some(name) = path.strip_suffix("/run.json") else {
            continue;
        };
        let shown = match name.strip_suffix("-pairs") {
            Some(claim) => {
                let table = |table: &str| file(files, &format!("{name}/{table}"));
                let (pairs, sides) = (table("pairs.csv"), table("sides.csv"));
                let run = json_of(files, path);
                fonts::check(checker, (claim, &run), (&pairs, &sides), &all)
            }
            None => analysis(files, name, &all),
        };
        tell(&format!("{name}/"), shown);
    }
    Ok(report)
}

/// Every file is listed, with the length and the digest of a manifest, and every file named as JSON
/// is readable as such.
pub fn manifests(files: &Files) -> Shown {
    // A table of pairs is listed by only one manifest.
    let (mut listed, mut own) = (BTreeSet::new(), BTreeSet::new());
    for path in files.keys() {
        if !path.ends_with("manifest.json") {
            continue;
        }
        own.insert(path.clone());
        let right = json!({ "record": "antipode-manifest-1" });
        agrees(&json_of(files, path), &right, path)?;
        for (name, entry) in entries(files, path) {
            let bytes = files.get(&name).ok_or(format!("{name} is missing"))?;
            let right = json!({ "bytes": bytes.len(), "blake3": blake3::hex(bytes) });
            let same = agrees(&entry, &right, "").is_ok();
            same.or_wrong(format!("{name} is not as {path} lists it"))?;
            let twice = format!("{name} is listed twice");
            listed.insert(name).or_wrong(twice)?;
        }
    }
    for path in files.keys() {
        // Systems leave files of theirs, such as .DS_Store.
        let hidden = path
            .rsplit('/')
            .next()
            .is_some_and(|name| name.starts_with('.'));
        let known = hidden || listed.contains(path) || own.contains(path);
        known.or_wrong(format!("{path} is in no manifest"))?;
        if path.ends_with(".json") {
            json::read(&file(files, path)).map_err(|why| format!("{path} {why}"))?;
        }
    }
    let both = own.contains("manifest.json") && listed.contains("certificates/manifest.json");
    both.or_wrong("the folder has no manifest, or none of its certificates")?;
    Ok(vec![])
}

/// Columns of `claims.csv` that a certificate has too.
const COLUMNS: &str = "id,puzzle,instance,origin,source,section,kind,expect,verdict,as_expected,\
    text_at_hand,claimed,found,unit,readings,effort,variant,engine,statement,table";

/// Every claim of `claims.csv` has a certificate, or is a row of one.
fn all_certified(claims: Result<Claims, String>, known: &BTreeSet<String>) -> Shown {
    for id in claims?.keys() {
        let certified = known.contains(id);
        certified.or_wrong(format!("no certificate is of {id}"))?;
    }
    Ok(vec![])
}

/// The claims without a verdict are no evidence. One of them has a certificate only if its file has
/// two claims of the same id, one of which was taken. Its fault then names a claim with that id.
fn not_taken(text: &str, taken: &BTreeSet<String>) -> Shown {
    for row in csv::table(text, "id,puzzle,fault")? {
        let own = ["claim", "the id"].map(|what| format!("{what} '{}'", row[0]));
        let twice = own.iter().any(|own| row[2].contains(own));
        let fits = !taken.contains(&row[0]) || twice;
        fits.or_wrong(format!("lists {}, which was taken", row[0]))?;
    }
    Ok(vec![])
}

type Claims = BTreeMap<String, Vec<String>>;

fn claims(text: &str) -> Result<Claims, String> {
    let mut found = Claims::new();
    for mut row in csv::table(text, &format!("{COLUMNS},wall_s,compare"))? {
        // The time that it took is no evidence.
        row.remove(COLUMNS.split(',').count());
        let id = row[0].clone();
        let twice = format!("has {id} twice");
        found.insert(id, row).map_or(Ok(()), |_| Err(twice))?;
    }
    Ok(found)
}

/// A certificate's claim, and the rows of its table, each with its table's claim.
fn results(certificate: &Value) -> impl Iterator<Item = (&Value, &str)> {
    let claim = &certificate["claim"];
    let rows = list(&certificate["rows"]).iter();
    std::iter::once((claim, "")).chain(rows.map(|row| (row, text(claim, "id"))))
}

/// Whether `claims.csv` agrees with a certificate on its claim and on the rows of its table; for a
/// run that was killed, it may lack them.
fn listed(
    name: &str,
    certificate: &Value,
    claims: &Result<Claims, String>,
    killed: bool,
) -> Result<(), String> {
    let id = &certificate["claim"]["id"];
    let mut wrong = (id != name).then(|| format!("it is of the claim {id}"));
    for (result, table) in results(certificate) {
        let id = text(result, "id");
        let cells = cells(result, table);
        let same = |row: &Vec<String>| *row == cells;
        let told = claims.as_ref().map(|claims| claims.get(id).map(same));
        if told != Ok(Some(true)) && !(killed && told == Ok(None)) {
            wrong = Some(format!("claims.csv says something else of {id}"));
        }
    }
    wrong.map_or(Ok(()), Err)
}

/// The content of a row of `claims.csv` on a claim in a certificate, except for the time; `table`
/// is the claim to whose table it belongs.
fn cells(result: &Value, table: &str) -> Vec<String> {
    let readings = list(&result["readings"]).iter();
    // A semicolon separates readings.
    let name = |one| text(one, "name").replace(';', ",");
    let verdict = |one| format!("{}: {}", name(one), text(one, "verdict"));
    let cell = |column: &str| match column {
        "as_expected" => (result["expect"] == result["verdict"]).to_string(),
        // Certificates omit it if it is false.
        "text_at_hand" => (result["text_at_hand"] == true).to_string(),
        "origin" if result["origin"].is_null() => "published".to_owned(),
        "readings" => readings.clone().map(verdict).collect::<Vec<_>>().join("; "),
        "table" => table.to_owned(),
        "compare" if result["bound"].is_null() => String::new(),
        "compare" => {
            let bound = result["bound"].to_string().replace(':', " ");
            bound.replace(['"', '{', '}'], "")
        }
        column => text(result, column).to_owned(),
    };
    COLUMNS.split(',').chain(["compare"]).map(cell).collect()
}

/// The tables of an analysis, compared with the certificates that rest on it.
fn analysis(files: &Files, name: &str, certificates: &[Value]) -> Shown {
    let run = json_of(files, &format!("{name}/run.json"));
    let all = "puzzle instance settings direction from max_depth parts_done parts_total complete";
    let alike = |record: &Value, member| record["run"][member] == run[member];
    let same = |record: &&Value| all.split(' ').all(|member| alike(record, member));
    let cases = certificates.iter().flat_map(|one| list(&one["cases"]));
    let records: Vec<&Value> = cases.filter(same).collect();
    let left = "no certificate here rests on it";
    (!records.is_empty()).or_unknown(left)?;
    let own = format!("{}-{}", text(&run, "puzzle"), text(&run, "instance"));
    (name == own).or_wrong(format!("its run is of {own}"))?;
    if run["complete"] == false {
        return Err(Stop::Unfinished);
    }
    let tables = ["levels", "antipodes", "parts"].map(|of| format!("{name}/{of}.csv"));
    let [levels, antipodes, parts] = &tables;
    let mut fault = Stop::Unknown("no certificate here has its antipodes".into());
    for record in records {
        let deepest = list(&record["levels"]["levels"]).last();
        let orbits = deepest.map(|row| number(row, "orbits"));
        let kept = !list(&record["antipodes"]).is_empty() || orbits > Some(MOST_SHOWN);
        // Searches that keep none may list each image of a state by itself: of the same search, they
        // agree in the numbers of states.
        let columns = if kept { usize::MAX } else { 2 };
        let boards = || csv::rows_of(&record["antipodes"], &["depth", "state", "orbit_size"]);
        let rows = csv::levels_of(&record["levels"]);
        let mut same = is_table(files, levels, (rows.clone(), columns));
        if kept {
            same = same.and_then(|()| is_table(files, antipodes, (boards(), columns)));
        }
        match (same, kept) {
            (Err(why), _) => fault = why,
            (Ok(()), false) => {}
            // Those of the box of Tilt are checked by themselves.
            (Ok(()), true) if name != "tilt-box" && files.contains_key(parts) => {
                return parts::add_up(&file(files, parts), &rows[1..]);
            }
            (Ok(()), true) => return Ok(vec![]),
        }
    }
    Err(fault)
}

/// Whether a file is there and has these rows, as far as some columns.
fn is_table(
    files: &Files,
    name: &str,
    (rows, columns): (Vec<Vec<String>>, usize),
) -> Result<(), Stop> {
    let said = csv::read(&file(files, name)).map_err(|why| format!("{name} {why}"))?;
    let first = |rows: &[Vec<String>]| -> Vec<Vec<String>> {
        let cells = rows.iter().map(|row| row.iter().take(columns).cloned());
        cells.map(Iterator::collect).collect()
    };
    let same = first(&said) == first(&rows);
    same.or_wrong(format!("{name} is not what the certificates say"))
}

/// The level tables next to the certificates: of each case that has one, and no others.
fn level_tables(files: &Files, certificates: &[Value]) -> Shown {
    let mut due: BTreeMap<String, &Value> = BTreeMap::new();
    for certificate in certificates {
        let id = text(&certificate["claim"], "id");
        let cases = list(&certificate["cases"]).iter();
        let tables = cases.map(|case| &case["levels"]);
        for (nth, table) in (1..).zip(tables.filter(|table| !table.is_null())) {
            let name = match nth {
                1 => format!("certificates/{id}.levels.csv"),
                _ => format!("certificates/{id}.levels-{nth}.csv"),
            };
            due.insert(name, table);
        }
    }
    let beside = |name: &&String| name.starts_with("certificates/") && name.ends_with(".csv");
    for name in files.keys().filter(beside) {
        let known = due.contains_key(name);
        known.or_wrong(format!("no certificate has the levels of {name}"))?;
    }
    for (name, table) in due {
        is_table(files, &name, (csv::levels_of(table), usize::MAX))?;
    }
    Ok(vec![])
}
