//! Claims are certified and accepted; then their files are edited mechanically. Every edit is
//! rejected, or lies in a member that the schema does not list as evidence. The edits apply to all
//! existing members, so a new one is covered. Runs with planted faults are rejected.

mod files;
mod forged;
mod honest;
mod make;
mod planted;
mod programs;
mod size;

use std::collections::BTreeSet;
use std::path::Path;

use antipode_checker::checker::Checker;
use antipode_checker::folder::{Files, Report, check_files, exit_code, manifests};
use antipode_checker::rules::{PUZZLES, Settings, boards, open};
use antipode_checker::schema::{UNBOUND, evidence};
use antipode_checker::shown::Outcome;
use antipode_checker::strict::VARIANTS;
use rayon::prelude::*;
use serde_json::Value;

use files::{certificates, folders, listed, outcome, tiles};
use make::{Edit, edits};

fn rejected(files: &Files, checker: &Checker) -> bool {
    let any = |report: Report| report.iter().any(|one| one.1.is_rejected());
    manifests(files).is_err() || check_files(files, checker).map_or(true, any)
}

/// The outcome of an edit: rejected, or free as expected; else what is wrong.
fn tried(files: &Files, edit: Edit, checker: &Checker) -> Result<bool, String> {
    let mut changed = files.clone();
    changed.insert(edit.path.clone(), edit.bytes);
    // With the old digests every edit is detected.
    if !rejected(&changed, checker) {
        return Err(format!(
            "{}: {}, with the old digests",
            edit.path, edit.what
        ));
    }
    listed(&mut changed);
    match (rejected(&changed, checker), edit.rejected) {
        (false, true) => Err(format!("{}: {}", edit.path, edit.what)),
        (rejected, _) => Ok(rejected),
    }
}

/// At most this many edits of a certificate, and three times as many of a table, unless
/// `ANTIPODE_EDITS` sets the number. Their digests select the edits.
const MOST: usize = 12;

#[test]
fn every_edit_is_rejected_or_of_no_evidence() {
    let folders = folders();
    let others: Vec<Value> = certificates().map(|one| one.1).step_by(9).collect();
    // All sides and pairs, so that nothing is left to chance.
    let checker = Checker::new(1000, 1);
    let wanted = std::env::var("ANTIPODE_EDITS").ok();
    let most = wanted.map_or(MOST, |most| {
        most.parse().expect("ANTIPODE_EDITS is a number")
    });
    let results: Vec<Result<bool, String>> = folders
        .par_iter()
        .flat_map(|files| {
            let report = check_files(files, &checker).unwrap();
            let unedited = report.into_iter().filter(|one| !one.1.is_accepted());
            let mut results: Vec<Result<bool, String>> = unedited
                .map(|one| Err(format!("unedited: {one:?}")))
                .collect();
            let all = edits(files, most, &others).into_par_iter();
            let all = all.map(|edit| tried(files, edit, &checker));
            results.extend(all.collect::<Vec<_>>());
            results
        })
        .collect();
    let missed: Vec<&String> = results
        .iter()
        .filter_map(|one| one.as_ref().err())
        .collect();
    let rejections = results.iter().filter(|one| **one == Ok(true)).count();
    let (made, free) = (results.len(), results.len() - rejections - missed.len());
    println!("{made} edits: {rejections} rejected, {free} in members that are no evidence");
    assert!(missed.is_empty(), "{} accepted: {missed:#?}", missed.len());
    assert!(made >= 2000, "{made} edits");
}

/// Texts that may result from an edit: pieces left out, letters doubled or foreign, no rows.
fn odd(text: &str) -> impl Iterator<Item = String> + '_ {
    let fixed = ["", "/", "//", " ", "A", "AA", "A/AA", "/AA", "é", "0", "-1"];
    let cut = (0..=text.len()).filter_map(|end| text.get(..end).map(str::to_owned));
    let changed = text.char_indices().flat_map(move |(at, old)| {
        let after = at + old.len_utf8();
        ["", "/", "z", "A", "é", " ", "99"]
            .map(|new| format!("{}{new}{}", &text[..at], &text[after..]))
    });
    fixed
        .map(str::to_owned)
        .into_iter()
        .chain(cut)
        .chain(changed)
}

#[test]
fn odd_boards_end_in_a_reason() {
    let mut refused = 0;
    for (puzzle, instance) in [
        ("tilt", "card-7"),
        ("coin-sliding", "5x7"),
        ("peg-solitaire", "english-33"),
        ("sliding-block", "donkey"),
        ("rush-hour", "card-7"),
        ("unit-rush-hour", "tromp-4x4"),
        ("unit-rush-hour", "2x3"),
        ("simple-block", "2x3-n3"),
        ("sliding-tile", "4x4"),
        ("pancake", "plain-5"),
        ("hanoi", "4-4"),
        ("lights-out", "5x5"),
        ("permutation", "pyraminx"),
    ] {
        let rules = open(puzzle, instance, &Settings::new())
            .unwrap_or_else(|| panic!("{puzzle}/{instance}"));
        let start = rules
            .start()
            .or_else(|| rules.solved_states().first().copied());
        let drawn = start.map_or(String::new(), |state| rules.draw(state));
        for text in odd(&drawn) {
            // The rulebook decides whether it is a board; here it must only not panic.
            refused += usize::from(rules.read(&text).is_none());
            for key in ["board", "start", "goal", "empty"] {
                let settings = Settings::from([(key.to_owned(), text.clone())]);
                for instance in ["custom", instance] {
                    refused += usize::from(open(puzzle, instance, &settings).is_none());
                }
            }
        }
    }
    assert!(refused > 1000, "{refused} refused");
}

#[test]
fn the_page_tells_what_is_no_evidence() {
    let page = include_str!("../../README.md");
    let told = ["claim.verdict", "cases[].run", "claim.wall_s", "claim.none"].map(evidence);
    assert_eq!(told, [Some(true), None, Some(false), None]);
    assert!(UNBOUND.iter().all(|key| page.contains(&format!("`{key}`"))));
}

/// Holes of a drawing: column and row, counted from the first of each.
fn drawn_holes(rows: &str) -> BTreeSet<(i32, i32)> {
    let rows = (0..).zip(rows.split('/'));
    from_the_first(rows.flat_map(|(row, text)| {
        let cells = (0..).zip(text.chars());
        cells.filter_map(move |(column, cell)| (cell != ' ').then_some((column, row)))
    }))
}

/// Holes of a board given by its lines, as in a drawing.
fn listed_holes(text: &str) -> BTreeSet<(i32, i32)> {
    let holes = text.lines().filter_map(|line| line.strip_prefix("hole "));
    from_the_first(holes.map(|hole| {
        let (_, place) = hole.split_once(' ').unwrap();
        let (x, y) = place.split_once(':').unwrap();
        (x.parse().unwrap(), -y.parse::<i32>().unwrap())
    }))
}

fn from_the_first(holes: impl Iterator<Item = (i32, i32)>) -> BTreeSet<(i32, i32)> {
    let holes: Vec<_> = holes.collect();
    let left = holes.iter().map(|hole| hole.0).min().unwrap();
    let top = holes.iter().map(|hole| hole.1).min().unwrap();
    holes.iter().map(|(x, y)| (x - left, y - top)).collect()
}

/// The copies of published boards equal those of the puzzles.
#[test]
fn boards_are_those_of_the_puzzles() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).parent().unwrap();
    let source = |path: &str| {
        let text = std::fs::read_to_string(root.join("puzzles").join(path)).unwrap();
        // Drawings and moves extend over several lines there.
        text.replace("\\\n", " ")
            .split_whitespace()
            .collect::<Vec<_>>()
            .join(" ")
    };
    let spaced = |text: &str| text.split_whitespace().collect::<Vec<_>>().join(" ");
    for (puzzle, paths) in [
        (
            "tilt",
            "tilt/src/instances/boards.rs tilt/src/instances/cards.txt",
        ),
        ("coin-sliding-5x7", "coin-sliding/fonts.csv"),
        ("coin-sliding-5x9", "coin-sliding/fonts.csv"),
        ("solution", "peg-solitaire/src/printed/solutions.rs"),
        (
            "rush-hour",
            "blocks/src/rush_hour/boards.rs blocks/src/rush_hour/cards.txt \
             blocks/src/rush_hour/fogleman.txt",
        ),
        ("unit-rush-hour", "blocks/src/unit_rush_hour/boards.rs"),
    ] {
        let text: Vec<String> = paths.split(' ').map(source).collect();
        let text = text.join(" ");
        for (name, board) in boards(puzzle) {
            let moves = board.split_once(' ').map_or(board, |(_, moves)| moves);
            assert!(text.contains(&spaced(moves)), "{puzzle} {name}");
        }
    }
    let (pegs, blocks) = (
        source("peg-solitaire/src/board/drawings.rs"),
        source("blocks/src/sliding_block/boards.txt"),
    );
    for (name, text) in boards("peg-solitaire") {
        let rows = text.split_once(' ').unwrap().1;
        let path = format!("puzzles/peg-solitaire/boards/{name}.txt");
        if let Ok(lines) = std::fs::read_to_string(root.join(path)) {
            assert_eq!(drawn_holes(rows), listed_holes(&lines), "{name}");
            continue;
        }
        let rows = rows.replace('/', " ");
        assert!(pegs.contains(&spaced(&rows)), "{name}");
    }
    for (name, text) in boards("sliding-block") {
        let rows = text.split_once(' ').unwrap().0.replace('/', " ");
        assert!(blocks.contains(&rows), "{name}");
    }
}

/// The definitions of permutation puzzles have exactly the puzzle's moves.
#[test]
fn definitions_are_those_of_the_puzzle() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).parent().unwrap();
    let quarter = Settings::from([("metric".to_owned(), "quarter".to_owned())]);
    for (name, _) in boards("permutation") {
        let path = format!("puzzles/permutation/definitions/{name}.tws");
        let text = std::fs::read_to_string(root.join(path)).unwrap();
        let lines = || {
            text.lines()
                .map(|line| line.split('#').next().unwrap().trim())
        };
        let rules = open("permutation", name, &quarter).unwrap();
        let start = rules.read("solved").unwrap();
        // As on the puzzle's page.
        let told = name != "pocket-cube" || rules.key(start) == 0xac_9ec4_9860;
        assert!(told, "{:#x}", rules.key(start));
        let mut named = 0;
        for block in lines()
            .collect::<Vec<_>>()
            .join("\n")
            .split("Move ")
            .skip(1)
        {
            let (named_so, parts) = block.split_once('\n').unwrap();
            // A set that a move leaves out does not change.
            let mut rows = Vec::new();
            for set in lines().filter_map(|line| line.strip_prefix("Set ")) {
                let words: Vec<&str> = set.split(' ').collect();
                let count: usize = words[1].parse().unwrap();
                let part = parts.lines().skip_while(|line| *line != words[0]).skip(1);
                let numbers =
                    part.take_while(|line| line.starts_with(|c: char| c.is_ascii_digit()));
                let mut own: Vec<String> = numbers.map(|line| line.replace(' ', "")).collect();
                // A text gives turns by the place that a piece leaves, a state by its present
                // place.
                if let [row, turns] = &mut own[..] {
                    let digits = row.bytes().map(|from| usize::from(from - b'1'));
                    *turns = digits.map(|from| &turns[from..=from]).collect();
                }
                if own.is_empty() {
                    own.push("123456789"[..count].to_owned());
                }
                if words[2] != "1" {
                    own.resize(2, "0".repeat(count));
                }
                rows.extend(own);
            }
            let after = rules.read(&rows.join("/")).unwrap();
            assert_eq!(
                rules.name(start, after).as_deref(),
                Some(named_so),
                "{name}"
            );
            named += 1;
        }
        let forward = rules.next(start).into_iter();
        let forward = forward.filter(|&after| !rules.name(start, after).unwrap().ends_with('\''));
        assert_eq!(forward.count(), named, "{name}");
    }
}

/// The declarations of derivations and the names of variants equal those of the puzzles.
#[test]
fn derivations_and_variants_are_those_of_the_puzzles() {
    let list = std::process::Command::new(files::antipode())
        .args(["list", "--format", "json"])
        .output()
        .unwrap();
    let list: Value = serde_json::from_slice(&list.stdout).unwrap();
    let texts = |value: &Value| -> Vec<String> {
        let all = value.as_array().unwrap().iter();
        all.map(|text| text.as_str().unwrap().to_owned()).collect()
    };
    let mut told = Vec::new();
    for puzzle in list["puzzles"].as_array().unwrap() {
        for one in puzzle["derivations"].as_array().into_iter().flatten() {
            let names = [&puzzle["name"], &one["name"], &one["value"]];
            let names = names.map(|name| name.as_str().unwrap().to_owned());
            told.push([&names[..], &texts(&one["parameters"])].concat().join(" "));
        }
    }
    let mut puzzles = Vec::new();
    for puzzle in list["puzzles"].as_array().unwrap() {
        puzzles.push(puzzle["name"].as_str().unwrap());
        for variant in puzzle["variants"].as_array().unwrap() {
            let name = variant["name"].as_str().unwrap();
            assert!(VARIANTS.contains(&name), "{name}");
        }
    }
    assert_eq!(puzzles, PUZZLES);
    // Derivations about bits belong to no puzzle.
    let own = include_str!("../../data/derivations.txt").lines();
    let own = own.filter(|line| !line.starts_with("permute ") && !line.starts_with("bitboard "));
    // Units are not listed.
    let words = |line: &str| -> Vec<String> {
        let mut words: Vec<String> = line.split(' ').map(str::to_owned).collect();
        words[2] = words[2].split(':').next().unwrap().to_owned();
        words
    };
    let told: Vec<Vec<String>> = told.iter().map(|line| words(line)).collect();
    assert!(own.map(words).eq(told.iter().cloned()), "{told:#?}");
}

/// Files left by stopped and earlier runs do not count as forged.
#[test]
fn stopped_and_earlier_runs_are_not_rejected() {
    let checker = Checker::new(1, 1);
    let outcomes = |files: &Files| check_files(files, &checker).unwrap();
    let whole = tiles();
    let mut killed = whole.clone();
    killed.retain(|path, _| !path.ends_with("manifest.json") && path != "claims.csv");
    let rejected = |one: &(String, Outcome)| one.1.is_rejected();
    let report = outcomes(&killed);
    assert!(!report.iter().any(rejected), "{report:?}");
    assert!(report.contains(&("manifest.json".to_owned(), Outcome::Unfinished)));
    assert_eq!([exit_code(&report), exit_code(&outcomes(&whole))], [4, 0]);
    let mut earlier = whole.clone();
    let run = br#"{ "puzzle": "tilt" }"#;
    let entry = serde_json::json!({ "path": "run.json", "bytes": run.len(),
        "blake3": antipode_checker::blake3::hex(run) });
    let manifest = serde_json::json!({ "record": "antipode-manifest-1", "files": [entry] });
    earlier.insert("tilt-left/run.json".into(), run.to_vec());
    earlier.insert(
        "tilt-left/manifest.json".into(),
        manifest.to_string().into_bytes(),
    );
    let report = outcomes(&earlier);
    assert!(!report.iter().any(rejected), "{report:?}");
    let left = report.iter().find(|one| one.0 == "tilt-left/").unwrap();
    assert!(matches!(left.1, Outcome::Unknown(_)), "{left:?}");
    let bytes = &whole["certificates/tile-levels-2x3.json"];
    let mut stopped: Value = serde_json::from_slice(bytes).unwrap();
    for value in ["/claim", "/cases/0"] {
        let value = stopped.pointer_mut(value).unwrap();
        (value["found"], value["verdict"]) = ("".into(), "not-reached".into());
    }
    let run = &mut stopped["cases"][0]["run"];
    (run["complete"], run["parts_done"]) = (false.into(), 0.into());
    let outcome = |value: &Value| outcome(&checker, value);
    assert_eq!(outcome(&stopped), Outcome::Unfinished);
    // A claim that was not begun when its run ended.
    for value in ["/claim", "/cases/0"] {
        let value = stopped.pointer_mut(value).unwrap();
        (value["engine"], value["variant"]) = ("".into(), "".into());
    }
    stopped["claim"]["evidence"] = serde_json::json!([]);
    stopped["cases"][0]["checks"] = serde_json::json!([]);
    for left in ["run", "levels", "antipodes"] {
        if stopped["cases"][0].get(left).is_some() {
            assert!(outcome(&stopped).is_rejected(), "{left}");
        }
        stopped["cases"][0].as_object_mut().unwrap().remove(left);
    }
    assert_eq!(outcome(&stopped), Outcome::Unfinished);
    // If the claim's own lines ask for full effort, the missing reading is only due then.
    let lines = stopped["text"].as_str().unwrap().to_owned();
    let (head, rest) = lines.split_once('\n').unwrap();
    stopped["text"] = format!("{head}\neffort = \"full\"\n{rest}").into();
    assert_eq!(outcome(&stopped), Outcome::Accepted);
}
