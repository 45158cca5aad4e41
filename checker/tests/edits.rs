//! A quick set of claims is certified and accepted; then its files are edited mechanically, and
//! every edit is rejected, or lies in a member that the schema lists as no evidence. The edits
//! are made of whatever members there are, so that a new one is covered.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::process::Command;

use antipode_checker::blake3;
use antipode_checker::certificate::{Checker, Outcome};
use antipode_checker::folder::{check_files, read};
use antipode_checker::rules::boards;
use antipode_checker::schema::{CERTIFICATE, UNBOUND, evidence};
use antipode_checker::search::hash;
use serde_json::{Value, json};

type Files = BTreeMap<String, Vec<u8>>;

/// Published claims of every kind that take no time.
const PUBLISHED: [&str; 40] = [
    "tilt-configurations",
    "tilt-symmetry-share",
    "tilt-final-states",
    "tilt-keep",
    "tilt-row-predecessors",
    "tilt-thesis-board-length",
    "tilt-cards-solvable",
    "tilt-solvable-to-unsolvable",
    "tilt-rate-arithmetic",
    "tilt-a1-transpose",
    "tilt-a1-asserts",
    "tilt-grey-fixed",
    "coin-coins-5x7",
    "coin-memory-bits-5x7",
    "coin-positions-5x9",
    "coin-piece-ranks",
    "coin-time-5x7",
    "peg-diamond-symmetries",
    "peg-start-moves",
    "peg-game-over",
    "peg-solution-jumps",
    "peg-centre-impossible",
    "peg-bergholt-legal",
    "peg-hash-not-injective",
    "peg-english-orbits",
    "sliding-pieces",
    "sliding-growth-table",
    "sliding-one-bucket",
    "sliding-doubling",
    "sliding-donkey-length",
    "sliding-donkey-steps",
    "sliding-top-levels",
    "permute-mask19",
    "bitboard-mask-right",
    "permute-rotation-naive-operations",
    "permute-tool-operations",
    "bitboard-mask-left",
    "bitboard-life-rule",
    "bitboard-life-speed",
    "bitboard-life-operations",
];

/// Of these, what is not done again here: its edits are noticed by the copies alone.
const BEYOND: [&str; 1] = ["bitboard-life-operations"];

/// Claims of kinds and forms that no published one has at quick effort.
const OWN: [(&str, &str); 5] = [
    (
        "tilt",
        "kind = \"hardest\"\ninstance = \"card-7\"\nboard = \"card-7\"\nexpect = \"refuted\"\n",
    ),
    (
        "tilt",
        "kind = \"count\"\ncount = \"max_depth\"\ninstance = \"card-2\"\nclaimed = 9\nexpect = \"refuted\"\n",
    ),
    (
        "coin-sliding",
        "kind = \"lengths\"\ninstance = \"5x7\"\ntable = \"\"\"\n0,6,9\n0,C,9\nH,slash,3\n\"\"\"\nexpect = \"not-reached\"\n",
    ),
    (
        "sliding-block",
        "kind = \"levels\"\ninstance = \"donkey\"\nlevels = [0, 5]\nclaimed = [1, 2, 3, 4, 5, 6]\nexpect = \"refuted\"\n",
    ),
    (
        "sliding-block",
        "kind = \"length\"\ninstance = \"donkey\"\nengine = \"disk\"\nclaimed = 30\ncompare = \"at-most\"\nexpect = \"refuted\"\n",
    ),
];

/// The command, built as it stands.
fn antipode() -> PathBuf {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).parent().unwrap();
    let built = Command::new(env!("CARGO"))
        .args(["build", "--quiet", "-p", "antipode"])
        .current_dir(root)
        .status()
        .unwrap();
    assert!(built.success());
    let mut path = std::env::current_exe().unwrap();
    while !path.pop() || !path.join("antipode").is_file() {
        assert!(
            path.parent().is_some(),
            "the command is not beside the tests"
        );
    }
    path.join("antipode")
}

/// The files of folders that `certify` left.
fn folders() -> Vec<Files> {
    let (command, scratch) = (antipode(), tempfile::tempdir().unwrap());
    let certify = |name: &str, arguments: &[&str]| {
        let out = scratch.path().join(name);
        let ran = Command::new(&command)
            .arg("certify")
            .args(arguments)
            .args(["--threads", "1", "--out"])
            .arg(&out)
            .output()
            .unwrap();
        assert!(
            ran.status.code().is_some_and(|code| code != 2),
            "{}",
            String::from_utf8_lossy(&ran.stderr)
        );
        let mut files = Files::new();
        read(&out, "", &mut files).unwrap();
        files
    };
    let published = certify("published", &PUBLISHED);
    let mut all: Vec<Files> = PUBLISHED.iter().map(|id| alone(&published, id)).collect();
    all.push(published);
    for (i, (puzzle, lines)) in OWN.iter().enumerate() {
        let file = scratch.path().join(format!("{i}.toml"));
        let text = format!(
            "puzzle = \"{puzzle}\"\n\n[[claim]]\nid = \"own\"\nsource = \"none\"\nstatement = \"s\"\n{lines}"
        );
        std::fs::write(&file, text).unwrap();
        all.push(certify(
            &i.to_string(),
            &["--claims", file.to_str().unwrap()],
        ));
    }
    all
}

// ---- edits ---------------------------------------------------------------------------

/// What is done to a member.
#[derive(Debug, Clone, Copy)]
enum How {
    More,
    Less,
    Digit(usize),
    Out,
    Twice,
    Other,
}

/// A place in a JSON value, as the schema writes it and as it is found.
#[derive(Debug, Clone)]
struct Place {
    path: String,
    pointer: String,
}

fn places(value: &Value, at: &Place, all: &mut Vec<(Place, How)>) {
    let inner = |path: String, key: &str| Place {
        path,
        pointer: format!(
            "{}/{}",
            at.pointer,
            key.replace('~', "~0").replace('/', "~1")
        ),
    };
    match value {
        Value::Object(members) => {
            for (key, value) in members {
                let path = if at.path.is_empty() {
                    key.clone()
                } else {
                    format!("{}.{key}", at.path)
                };
                let place = inner(path, key);
                all.push((place.clone(), How::Out));
                places(value, &place, all);
            }
        }
        Value::Array(items) => {
            for (i, item) in items.iter().enumerate() {
                let place = inner(format!("{}[]", at.path), &i.to_string());
                all.extend([How::Out, How::Twice].map(|how| (place.clone(), how)));
                places(item, &place, all);
            }
        }
        Value::String(text) => {
            let digits = (0..text.len()).step_by(1 + text.len() / 8).map(How::Digit);
            all.extend(
                digits
                    .chain([How::More, How::Less, How::Other])
                    .map(|how| (at.clone(), how)),
            );
        }
        _ => all.extend([How::More, How::Less, How::Other].map(|how| (at.clone(), how))),
    }
}

const VERDICTS: [&str; 7] = [
    "confirmed",
    "confirmed-by-sample",
    "refuted",
    "refuted-by-sample",
    "ambiguous",
    "not-reached",
    "reported",
];

/// A text with another letter at a place.
fn other_letter(text: &str, at: usize) -> Option<String> {
    let old = text.get(at..=at)?;
    let new = match old {
        "0" => "1",
        "a" => "b",
        "o" => ".",
        "." => "o",
        _ if old.bytes().all(|b| b.is_ascii_hexdigit()) => "0",
        _ => "z",
    };
    (old != new).then(|| format!("{}{new}{}", &text[..at], &text[at + 1..]))
}

fn edited(value: &Value, how: How) -> Option<Value> {
    Some(match (value, how) {
        (Value::String(text), How::Digit(at)) => other_letter(text, at)?.into(),
        (Value::String(text), How::More | How::Less) => match text.parse::<u128>() {
            Ok(number) => (if matches!(how, How::More) {
                number + 1
            } else {
                number.checked_sub(1)?
            })
            .to_string()
            .into(),
            Err(_) => {
                let at = VERDICTS.iter().position(|verdict| verdict == text)?;
                VERDICTS[(at + if matches!(how, How::More) { 1 } else { 6 }) % 7].into()
            }
        },
        (Value::String(text), How::Other) => {
            if text.is_empty() {
                "x".into()
            } else {
                "".into()
            }
        }
        (Value::Number(number), How::More | How::Less) => {
            let by = if matches!(how, How::More) { 1 } else { -1 };
            match number.as_i64() {
                Some(number) => json!(number + by),
                None => json!(number.as_f64()? * (1.0 + f64::from(by as i32) / 1000.0)),
            }
        }
        (Value::Bool(truth), How::Other) => json!(!truth),
        (Value::Null, How::More) => json!(0),
        (Value::Number(_), How::Other) => Value::Null,
        _ => return None,
    })
}

/// The value with a place edited; none where nothing comes of it.
fn with(value: &Value, place: &Place, how: How) -> Option<Value> {
    let mut value = value.clone();
    let (above, last) = place.pointer.rsplit_once('/')?;
    let last = last.replace("~1", "/").replace("~0", "~");
    match (how, value.pointer_mut(above)?) {
        (How::Out, Value::Object(members)) => drop(members.remove(&last)),
        (How::Out, Value::Array(items)) => drop(items.remove(last.parse().ok()?)),
        (How::Twice, Value::Array(items)) => {
            let at: usize = last.parse().ok()?;
            items.insert(at, items[at].clone());
        }
        _ => {
            let slot = value.pointer_mut(&place.pointer)?;
            *slot = edited(slot, how)?;
        }
    }
    Some(value)
}

/// A certificate as a file, with its digests of its own lines and of itself made anew.
fn sealed(value: &Value) -> Vec<u8> {
    let mut value = value.clone();
    if let Some(text) = value["text"].as_str() {
        value["claim_blake3"] = blake3::hex(text.as_bytes()).into();
    }
    value.as_object_mut().unwrap().remove("blake3");
    let text = serde_json::to_string_pretty(&value).unwrap() + "\n";
    let digest = blake3::hex(text.as_bytes());
    text.replacen('\n', &format!("\n  \"blake3\": \"{digest}\",\n"), 1)
        .into_bytes()
}

/// A certificate of a folder as if its claim had been certified alone: what is checked of the
/// others takes no time.
fn alone(files: &Files, id: &str) -> Files {
    let own = |path: &String| {
        path == "claims.csv"
            || path.ends_with("manifest.json") && !path.contains("-pairs")
            || *path == format!("certificates/{id}.json")
    };
    let mut files: Files = files
        .iter()
        .filter(|(path, _)| own(path))
        .map(|(path, bytes)| (path.clone(), bytes.clone()))
        .collect();
    let table = String::from_utf8(files["claims.csv"].clone()).unwrap();
    let rows = table
        .split_inclusive('\n')
        .filter(|line| line.starts_with("id,") || line.starts_with(&format!("{id},")));
    files.insert("claims.csv".into(), rows.collect::<String>().into_bytes());
    files.retain(|path, _| {
        ["manifest.json", "certificates/manifest.json", "claims.csv"].contains(&path.as_str())
            || path.starts_with("certificates/")
    });
    for below in ["", "certificates/"] {
        let path = format!("{below}manifest.json");
        let mut value: Value = serde_json::from_slice(&files[&path]).unwrap();
        let there = |entry: &Value| {
            files.contains_key(&format!("{below}{}", entry["path"].as_str().unwrap()))
        };
        value["files"].as_array_mut().unwrap().retain(there);
        files.insert(path, serde_json::to_vec_pretty(&value).unwrap());
    }
    listed(&mut files);
    files
}

/// Manifests that fit the files.
fn listed(files: &mut Files) {
    let mut manifests: Vec<String> = files
        .keys()
        .filter(|path| path.ends_with("manifest.json"))
        .cloned()
        .collect();
    manifests.sort_by_key(|path| std::cmp::Reverse(path.len()));
    for path in manifests {
        let mut value: Value = serde_json::from_slice(&files[&path]).unwrap();
        let below = path.trim_end_matches("manifest.json").to_owned();
        for entry in value["files"].as_array_mut().unwrap() {
            if let Some(bytes) = files.get(&format!("{below}{}", entry["path"].as_str().unwrap())) {
                entry["bytes"] = bytes.len().into();
                entry["blake3"] = blake3::hex(bytes).into();
            }
        }
        files.insert(path, serde_json::to_vec_pretty(&value).unwrap());
    }
}

fn rejected(files: &Files, checker: &mut Checker) -> bool {
    match check_files(files, checker) {
        Ok(report) => report
            .iter()
            .any(|(_, outcome)| matches!(outcome, Outcome::Rejected(_))),
        Err(_) => true,
    }
}

/// Whether an edit of a claim's own lines is of something that decides nothing.
fn is_unbound(before: &Value, after: &Value) -> bool {
    let lines = |value: &Value| {
        value["text"]
            .as_str()
            .unwrap_or_default()
            .lines()
            .map(str::to_owned)
            .collect::<Vec<_>>()
    };
    let (before, after) = (lines(before), lines(after));
    let key = |line: &String| line.split('=').next().unwrap_or_default().trim().to_owned();
    let odd = before.iter().zip(&after).find(|(a, b)| a != b);
    before.len() == after.len()
        && odd.is_some_and(|(a, b)| {
            UNBOUND.contains(&key(a).as_str()) && key(a) == key(b)
                || a.trim() == b.trim()
                || a.starts_with('#')
        })
}

/// An edit of a file with what to expect: whether the file must be rejected with all digests
/// made anew.
struct Edit {
    what: String,
    path: String,
    bytes: Vec<u8>,
    rejected: bool,
}

/// Edits of a certificate, drawn from all that there are.
fn of_certificate(path: &str, bytes: &[u8], most: usize, others: &[Value]) -> Vec<Edit> {
    let value: Value = serde_json::from_slice(bytes).unwrap();
    let mut all = Vec::new();
    places(
        &value,
        &Place {
            path: String::new(),
            pointer: String::new(),
        },
        &mut all,
    );
    let mut order: Vec<usize> = (0..all.len()).collect();
    order.sort_by_key(|&i| hash(i as u128));
    let mut edits = Vec::new();
    for i in order {
        let (place, how) = &all[i];
        let digests = ["blake3", "claim_blake3"].contains(&place.path.as_str());
        let Some(after) = with(&value, place, *how).filter(|after| *after != value && !digests)
        else {
            continue;
        };
        let lists = matches!(how, How::Out | How::Twice);
        let free = evidence(&place.path).is_none_or(|evidence| !evidence) && !lists
            || place.path == "text" && is_unbound(&value, &after);
        let inner_free = lists
            && place.path.rsplit_once(['.', '[']).is_some()
            && evidence(&place.path) == Some(false);
        edits.push(Edit {
            what: format!("{} {how:?}", place.pointer),
            path: path.to_owned(),
            bytes: sealed(&after),
            rejected: !free && !inner_free,
        });
        if edits.len() == most {
            break;
        }
    }
    // Another claim's evidence.
    for other in others
        .iter()
        .filter(|other| other["claim"]["id"] != value["claim"]["id"])
        .take(2)
    {
        let mut after = value.clone();
        after["cases"] = other["cases"].clone();
        edits.push(Edit {
            what: "another claim's evidence".into(),
            path: path.to_owned(),
            bytes: sealed(&after),
            rejected: true,
        });
    }
    edits.push(Edit {
        what: "truncated".into(),
        path: path.to_owned(),
        bytes: bytes[..bytes.len() / 2].to_vec(),
        rejected: true,
    });
    edits
}

/// Edits of a table: a number off by one or another letter in each cell, a row left out or
/// twice, the end cut off. The time that a claim took is no evidence.
fn of_table(path: &str, bytes: &[u8]) -> Vec<Edit> {
    let text = String::from_utf8_lossy(bytes).into_owned();
    let lines: Vec<&str> = text.lines().collect();
    let edit = |what: String, text: String, rejected: bool| Edit {
        what,
        path: path.to_owned(),
        bytes: text.into_bytes(),
        rejected,
    };
    let joined = |lines: &[String]| lines.join("\n") + "\n";
    let mut edits = vec![edit(
        "truncated".into(),
        text[..text.len() / 2].to_owned(),
        true,
    )];
    for (i, line) in lines.iter().enumerate() {
        let whole: Vec<String> = lines.iter().map(|line| (*line).to_owned()).collect();
        let (mut out, mut twice) = (whole.clone(), whole.clone());
        out.remove(i);
        twice.insert(i, (*line).to_owned());
        edits.push(edit(format!("line {i} out"), joined(&out), true));
        edits.push(edit(format!("line {i} twice"), joined(&twice), true));
        let cells: Vec<&str> = line.split(',').collect();
        for (j, cell) in cells.iter().enumerate() {
            let time = path == "claims.csv" && j + 1 == cells.len() && i > 0;
            for how in [How::More, How::Less, How::Digit(cell.len() / 2)] {
                let Some(Value::String(cell)) = edited(&json!(cell), how) else {
                    continue;
                };
                let mut cells: Vec<String> = cells.iter().map(|cell| (*cell).to_owned()).collect();
                cells[j] = cell;
                let mut lines = whole.clone();
                lines[i] = cells.join(",");
                edits.push(edit(
                    format!("line {i} cell {j} {how:?}"),
                    joined(&lines),
                    !time,
                ));
            }
        }
    }
    edits
}

fn is_certificate(path: &&String) -> bool {
    path.starts_with("certificates/") && !path.ends_with("manifest.json")
}

fn edits(files: &Files, most: usize, others: &[Value]) -> Vec<Edit> {
    let mut all = Vec::new();
    for (path, bytes) in files {
        if is_certificate(&path) {
            all.extend(of_certificate(path, bytes, most, others));
        } else if path.ends_with(".csv") {
            let mut edits = of_table(path, bytes);
            edits.sort_by_key(|edit| {
                hash(u128::from_str_radix(&blake3::hex(edit.what.as_bytes())[..16], 16).unwrap())
            });
            all.extend(edits.into_iter().take(3 * most));
        }
    }
    all
}

#[test]
fn every_edit_is_rejected_or_of_no_evidence() {
    let (mut made, mut rejections, mut free) = (0, 0, 0);
    let mut missed = Vec::new();
    let folders = folders();
    let certificates = folders
        .iter()
        .flat_map(|files| files.keys().filter(is_certificate).map(|path| &files[path]));
    let others: Vec<Value> = certificates
        .step_by(9)
        .map(|bytes| serde_json::from_slice(bytes).unwrap())
        .collect();
    // All balls and pairs, so that nothing is left to chance.
    let mut checker = Checker::new(1000, 1);
    for files in folders {
        let report = check_files(&files, &mut checker).unwrap();
        let accepted = |(name, outcome): &(String, Outcome)| match outcome {
            Outcome::Accepted | Outcome::InPart(_) => true,
            Outcome::Unknown(_) => BEYOND.contains(&name.as_str()),
            Outcome::Rejected(_) => false,
        };
        missed.extend(
            report
                .iter()
                .filter(|one| !accepted(one))
                .map(|one| format!("unedited: {one:?}")),
        );
        if files.keys().filter(is_certificate).count() > 1
            || report.iter().any(|one| BEYOND.contains(&one.0.as_str()))
        {
            continue;
        }
        for edit in edits(&files, 32, &others) {
            let mut changed = files.clone();
            changed.insert(edit.path.clone(), edit.bytes);
            // Whoever does not make the digests anew is noticed whatever was edited.
            if !rejected(&changed, &mut checker) {
                missed.push(format!(
                    "{}: {}, with the old digests",
                    edit.path, edit.what
                ));
            }
            listed(&mut changed);
            made += 1;
            match (rejected(&changed, &mut checker), edit.rejected) {
                (true, _) => rejections += 1,
                (false, false) => free += 1,
                (false, true) => missed.push(format!("{}: {}", edit.path, edit.what)),
            }
        }
    }
    println!("{made} edits: {rejections} rejected, {free} in members that are no evidence");
    assert!(
        missed.is_empty(),
        "{} of {made} edits were accepted:\n{}",
        missed.len(),
        missed.join("\n")
    );
    assert!(made >= 2000, "{made} edits");
}

#[test]
fn the_page_lists_every_member() {
    let page = include_str!("../README.md");
    assert!(
        page.contains(&format!("```text\n{CERTIFICATE}```")),
        "checker/README.md has other members"
    );
    assert!(UNBOUND.iter().all(|key| page.contains(&format!("`{key}`"))));
}

/// The copies of published boards are those of the puzzles.
#[test]
fn boards_are_those_of_the_puzzles() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).parent().unwrap();
    let source = |path: &str| {
        let text = std::fs::read_to_string(root.join("puzzles").join(path)).unwrap();
        // Drawings and moves go over several lines there.
        text.replace("\\\n", " ")
            .split_whitespace()
            .collect::<Vec<_>>()
            .join(" ")
    };
    let spaced = |text: &str| text.split_whitespace().collect::<Vec<_>>().join(" ");
    for (puzzle, path) in [
        ("tilt", "tilt/src/instances/boards.rs"),
        ("coin-sliding-5x7", "coin-sliding/fonts.csv"),
        ("coin-sliding-5x9", "coin-sliding/fonts.csv"),
        ("solution", "peg-solitaire/src/printed/solutions.rs"),
    ] {
        let text = source(path);
        for (name, board) in boards(puzzle) {
            let moves = board.split_once(' ').map_or(board, |(_, moves)| moves);
            assert!(text.contains(&spaced(moves)), "{puzzle} {name}");
        }
    }
    let (pegs, blocks) = (
        source("peg-solitaire/src/board/drawings.rs"),
        source("sliding-block/src/instances.rs"),
    );
    for (name, text) in boards("peg-solitaire") {
        let rows = text.split_once(' ').unwrap().1.replace('/', " ");
        assert!(pegs.contains(&spaced(&rows)), "{name}");
    }
    for (name, text) in boards("sliding-block") {
        let rows = text.split_once(' ').unwrap().0.replace('/', "\\n");
        assert!(blocks.replace("\\n ", "\\n").contains(&rows), "{name}");
    }
}
