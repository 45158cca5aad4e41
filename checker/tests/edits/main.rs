//! Claims are certified and accepted; then their files are edited mechanically. Every edit is
//! rejected, or lies in a member that the schema does not list as evidence. The edits apply to all
//! existing members, so a new one is covered. Runs with planted faults are rejected.

mod command;
mod files;
mod forged;
mod honest;
mod make;
mod planted;
mod programs;

use std::path::Path;

use antipode_checker::checker::Checker;
use antipode_checker::folder::{Files, check_files, exit_code, manifests, read};
use antipode_checker::rules::{PUZZLES, Settings, open};
use antipode_checker::schema::{UNBOUND, evidence};
use antipode_checker::shown::{Shown, Stop, is_wrong};
use antipode_checker::strict::VARIANTS;
use rayon::prelude::*;
use serde_json::Value;

use files::{certificates, folders, listed, outcome, tiles};
use forged::{UNCHECKED, forge};
use make::{Edit, edits};

/// The outcome of an edit: rejected, or free as expected; else what is wrong.
fn tried(files: &Files, edit: Edit, checker: &Checker) -> Result<bool, String> {
    let mut changed = files.clone();
    changed.insert(edit.path.clone(), edit.bytes.clone());
    // With the old digests every edit is detected.
    if manifests(&changed).is_ok() {
        let Edit { path, what, .. } = edit;
        return Err(format!("{path}: {what}, with the old digests"));
    }
    listed(&mut changed);
    let report = check_files(&changed, checker);
    let rejected = report.map_or(true, |all| all.iter().any(|one| is_wrong(&one.1)));
    match (rejected, edit.rejected) {
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
    let wanted = wanted.map(|most| most.parse().expect("ANTIPODE_EDITS is a number"));
    let most = wanted.unwrap_or(MOST);
    let results: Vec<Result<bool, String>> = folders
        .par_iter()
        .flat_map(|files| {
            let report = check_files(files, &checker).unwrap();
            let unedited = report.into_iter().filter(|one| one.1.is_err());
            let mut results: Vec<Result<bool, String>> = unedited
                .map(|one| Err(format!("unedited: {one:?}")))
                .collect();
            let all = edits(files, most, &others).into_par_iter();
            let all = all.map(|edit| tried(files, edit, &checker));
            results.extend(all.collect::<Vec<_>>());
            results
        })
        .collect();
    let missed = results.iter().filter_map(|one| one.as_ref().err());
    let missed: Vec<&String> = missed.collect();
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
    let fixed = fixed.map(str::to_owned).into_iter();
    fixed.chain(cut).chain(changed)
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
        let rules = open(puzzle, instance, &Settings::new()).expect(instance);
        let solved = || rules.solved_states().first().copied();
        let start = rules.start().or_else(solved);
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
    let (mut told, mut puzzles) = (Vec::new(), Vec::new());
    for puzzle in list["puzzles"].as_array().unwrap() {
        puzzles.push(puzzle["name"].as_str().unwrap());
        for variant in puzzle["variants"].as_array().unwrap() {
            let name = variant["name"].as_str().unwrap();
            assert!(VARIANTS.contains(&name), "{name}");
        }
        for one in puzzle["derivations"].as_array().into_iter().flatten() {
            let names = [&puzzle["name"], &one["name"], &one["value"]];
            let names = names.map(|name| name.as_str().unwrap().to_owned());
            told.push([&names[..], &texts(&one["parameters"])].concat().join(" "));
        }
    }
    assert_eq!(puzzles.join(" "), PUZZLES);
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

/// Files left by stopped runs do not count as forged.
#[test]
fn stopped_runs_are_not_rejected() {
    let checker = Checker::new(1, 1);
    let outcomes = |files: &Files| check_files(files, &checker).unwrap();
    let whole = tiles();
    let mut killed = whole.clone();
    killed.retain(|path, _| !path.ends_with("manifest.json") && path != "claims.csv");
    let rejected = |one: &(String, Shown)| is_wrong(&one.1);
    let report = outcomes(&killed);
    assert!(!report.iter().any(rejected), "{report:?}");
    assert!(report.contains(&("manifest.json".to_owned(), Err(Stop::Unfinished))));
    assert_eq!([exit_code(&report), exit_code(&outcomes(&whole))], [4, 0]);
    let bytes = &whole["certificates/tile-levels-2x3.json"];
    let mut stopped: Value = serde_json::from_slice(bytes).unwrap();
    let open = r#"{"found": "", "verdict": "not-reached", "/cases/0/run/complete": false}"#;
    forge(&mut stopped, open).unwrap();
    stopped["cases"][0]["run"]["parts_done"] = 0.into();
    let outcome = |value: &Value| outcome(&checker, value);
    assert_eq!(outcome(&stopped), Err(Stop::Unfinished));
    // A claim that was not begun when its run ended.
    forge(&mut stopped, r#"{"engine": "", "variant": ""}"#).unwrap();
    forge(&mut stopped, UNCHECKED).unwrap();
    for left in ["run", "levels", "antipodes"] {
        if stopped["cases"][0].get(left).is_some() {
            assert!(is_wrong(&outcome(&stopped)), "{left}");
        }
        stopped["cases"][0].as_object_mut().unwrap().remove(left);
    }
    assert_eq!(outcome(&stopped), Err(Stop::Unfinished));
    // If the claim's own lines ask for full effort, the missing reading is only due then.
    let lines = stopped["text"].as_str().unwrap().to_owned();
    let (head, rest) = lines.split_once('\n').unwrap();
    stopped["text"] = format!("{head}\neffort = \"full\"\n{rest}").into();
    assert_eq!(outcome(&stopped), Ok(vec![]));
}

/// A rulebook is short enough to be read. Code that rulebooks share is longer.
#[test]
fn a_rulebook_is_a_page() {
    let rules = Path::new(env!("CARGO_MANIFEST_DIR")).join("src/rules");
    for (path, bytes) in read(&rules).unwrap() {
        let lines = String::from_utf8(bytes).unwrap().lines().count();
        let shared = ["mod.rs", "board.rs", "keys.rs"].contains(&path.as_str());
        assert!(lines <= 160 || shared, "{path}");
    }
}
