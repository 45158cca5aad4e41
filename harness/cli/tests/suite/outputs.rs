//! The command's files and messages around a run: limits, files in the way, certificates of earlier
//! runs, lists and hints.

use std::collections::BTreeSet;
use std::fs;
use std::path::Path;

use antipode_check::analysis::{Blocks, Which, analyse};
use antipode_reports::model::{Certificate, Check, Record, Run, Solution};
use antipode_search::progress::Stop;
use serde_json::Value;

use crate::support::{
    Ran, Text, analysed, antipode, json, refuses, request, rows, run, run_in, runs, tilt,
};

// ---- limits ------------------------------------------------------------------------

#[test]
fn a_run_says_whether_it_reached_its_greatest_level() {
    for (depth, complete) in [("3", false), ("1000", true)] {
        let folder = tempfile::tempdir().unwrap();
        let line = format!("analyse tilt/box --from card-7 --max-depth {depth} --out out");
        let ran = runs(&folder, &line).ended(0);
        let run = json(folder.path().join("out/run.json"));
        assert_eq!(run["complete"], complete);
        if complete {
            ran.out.has(["at the greatest distance, "]);
            assert_eq!(run["stopped_because"], Value::Null);
            continue;
        }
        ran.out.has([
            "at the last level walked, 3:",
            "stopped: --max-depth 3 was reached",
        ]);
        ran.out.lacks(["greatest distance"]);
        let because = run["stopped_because"].as_str().unwrap();
        assert!(
            because.starts_with("--max-depth 3 was reached"),
            "{because}"
        );
    }
}

// ---- files -------------------------------------------------------------------------

/// A folder in the place of a result is found before the work.
#[test]
fn outputs_that_are_blocked_are_refused_before_the_work() {
    for [line, blocked] in rows(
        "analyse tilt/card-2 | out/levels.csv
         analyse tilt/card-2 | out/run.json
         verify tilt/card-2 | out/checks.json
         certify tilt-corner-predecessors | out/report.html
         certify tilt-corner-predecessors | out/certificates/tilt-corner-predecessors.json",
    ) {
        let folder = tempfile::tempdir().unwrap();
        fs::create_dir_all(folder.path().join(blocked)).unwrap();
        let ran = runs(&folder, &format!("{line} --out out")).refused();
        let expected = format!("antipode: cannot write {blocked}: a folder exists where");
        assert!(ran.err.starts_with(&expected), "{}", ran.err);
        for written in ["levels.csv", "claims.csv", "antipodes.csv"] {
            assert!(
                !folder.path().join("out").join(written).is_file(),
                "{written}"
            );
        }
    }
}

/// Every line of the page is run, and prints what it says; every command that prints JSON is there.
#[test]
fn the_page_over_json_says_what_is_printed() {
    const SUITE: &str = "[suite]\nname = \"s\"\nsamples = 7\n[[row]]\nname = \"r\"\ninstance = \"tilt/card-7\"\nvariant = \"bitboard\"\nengine = \"hash\"\n";
    let page = include_str!("../../../../docs/json.md");
    let block = page.split("```text\n").nth(1).expect("a block of lines");
    let block = block.split("```").next().expect("its end");
    let folder = tempfile::tempdir().unwrap();
    let here = folder.path();
    let ran = run(&["solve", "hanoi/3-3", "--format", "json"]);
    fs::write(here.join("solved.json"), ran.out).unwrap();
    fs::write(here.join("boards.txt"), "321/.../...\n").unwrap();
    fs::write(here.join("suite.toml"), SUITE).unwrap();
    for line in [
        "analyse tilt/box --set grey=1 --set blue=0 --shard 1/1 --out shard",
        "regress --baseline gate.toml --update --suite suite.toml --reason first --samples 7",
    ] {
        runs(here, line).ended(0);
    }
    let rulebooks = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../puzzles/examples/rulebooks");
    let program = format!("python3 {}", rulebooks.join("lunar.py").display());
    let mut verbs = BTreeSet::new();
    for line in block.lines() {
        let (command, printed) = line.split_once(": ").expect("a command and its record");
        let (record, members) = printed.split_once(' ').expect("a record and its members");
        let words = command.split(' ').chain(["--format", "json"]);
        let words = words.map(|word| if word == "COMMAND" { &program } else { word });
        let words: Vec<&str> = words.collect();
        verbs.insert(words[0]);
        if command.contains("COMMAND") && !cfg!(target_os = "linux") {
            continue;
        }
        let ran = run_in(here, &words);
        assert!(
            ran.out.starts_with("{\n  \"record\": "),
            "{command}: {}",
            ran.err
        );
        let value = ran.json();
        assert_eq!(value["record"], record, "{command}");
        let members: BTreeSet<&str> = members.split(',').chain(["record"]).collect();
        let own = value.as_object().expect(command).keys().map(String::as_str);
        assert_eq!(own.collect::<BTreeSet<_>>(), members, "{command}");
    }
    let help = run(&["--help"]).out;
    let named = help
        .lines()
        .filter_map(|line| line.strip_prefix("  ")?.split(' ').next());
    let all: Vec<&str> = named
        .filter(|verb| !verb.is_empty() && run(&[verb, "--help"]).out.contains("--format"))
        .collect();
    assert!(all.len() > 15, "{all:?}");
    for verb in all {
        assert!(verbs.contains(verb), "docs/json.md has no line for {verb}");
    }
}

#[test]
fn json_files_say_what_they_are() {
    let folder = tempfile::tempdir().unwrap();
    let board = "#.##./...../..O../g..../b....";
    for line in [
        "verify tilt/card-2",
        &format!("solve tilt/box --board {board}"),
        "certify tilt-corner-predecessors",
    ] {
        runs(&folder, &format!("{line} --out out")).ended(0);
    }
    let read = |name: &str| json(folder.path().join("out").join(name));
    assert_eq!(read("run.json")["record"], Run::SCHEMA);
    assert_eq!(read("checks.json")[0]["record"], Check::SCHEMA);
    let solved = read("solve.json");
    assert_eq!(solved["record"], Solution::SCHEMA);
    assert_eq!(
        (&solved["length"], &solved["from"]),
        (&15.into(), &board.into())
    );
    let certificate = read("certificates/tilt-corner-predecessors.json");
    assert_eq!(certificate["record"], Certificate::SCHEMA);
}

/// A run's findings are in its journal until they are in its tables.
#[test]
fn the_journal_stays_until_the_results_are_written() {
    let folder = tempfile::tempdir().unwrap();
    let out = folder.path().to_owned();
    let journal = out.join("progress.jsonl");
    let mut request = request(&tilt(), "box", &[("grey", "1"), ("blue", "0..1")]);
    let kept = Blocks {
        folder: out,
        resume: false,
        which: Which::All,
    };
    request.journal = Some(kept.clone());
    let analysis = analysed(&request);
    assert!(journal.is_file());
    // A run that resumes from it has nothing left to walk.
    request.journal = Some(Blocks {
        resume: true,
        ..kept
    });
    let again = analyse(&request, &Stop::default()).unwrap();
    assert_eq!(again.levels, analysis.levels);
    assert_eq!(again.run.extra["states_expanded"], 0);
    analysis.clear_kept().unwrap();
    assert!(!journal.exists());
}

/// So is a table that the same claim does not rest on any more.
#[test]
fn certificates_of_an_earlier_run_are_put_by() {
    let folder = tempfile::tempdir().unwrap();
    let certify = |claim: &str| runs(&folder, &format!("certify {claim} --out out")).ended(0);
    let certificates = folder.path().join("out/certificates");
    let there = |name: &str| certificates.join(name).is_file();
    certify("tilt-corner-predecessors");
    assert!(there("tilt-corner-predecessors.json"));
    certify("tilt-row-predecessors");
    assert!(there("tilt-row-predecessors.json"));
    assert!(!there("tilt-corner-predecessors.json"));
    assert!(there("earlier/tilt-corner-predecessors.json"));
    certify("tile-levels-2x3");
    let [own, other] = ["levels", "levels-2"].map(|table| format!("tile-levels-2x3.{table}.csv"));
    fs::copy(certificates.join(&own), certificates.join(&other)).unwrap();
    certify("tile-levels-2x3");
    assert!(there(&own) && !there(&other) && there(&format!("earlier/{other}")));
}

#[test]
fn resuming_a_finished_run_says_that_it_is_finished() {
    let folder = tempfile::tempdir().unwrap();
    let line = "analyse tilt/card-2 --out out";
    runs(&folder, line).ended(0);
    let ran = runs(&folder, &format!("{line} --resume")).ended(0);
    ran.err.has(["out: the run there is finished"]);
}

// ---- lists and hints -----------------------------------------------------------------

#[test]
fn claims_are_listed() {
    let all = run(&["list", "--claims"]).ended(0);
    all.out.has([
        "tilt-hardest-board",
        "permute-rotation-grouped-operations",
        "bitboard-soma-packings",
    ]);
    let tilt = run(&["list", "--claims", "tilt", "--format", "json"]);
    let value = tilt.json();
    let claims = value["claims"].as_array().unwrap();
    assert!(claims.iter().all(|claim| claim["puzzle"] == "tilt"));
    assert!(claims.iter().any(|claim| claim["id"] == "tilt-keep"));
    let unknown = run(&["list", "--claims", "tlit"]).ended(2);
    unknown.err.has(["did you mean 'tilt'?"]);
}

#[test]
fn inverses_may_be_nested_as_deep_as_one_likes() {
    for (count, expected) in [(15_000, "list:1,2,0"), (15_001, "list:2,0,1")] {
        let spec = format!("{}list:1,2,0", "inverse:".repeat(count));
        let emit = |spec: &str| run(&["permute", spec, "--strategy", "naive", "--emit", "c"]);
        let (nested, plain) = (emit(&spec), emit(expected));
        assert_eq!(
            (nested.code, &nested.out),
            (0, &plain.out),
            "{}",
            nested.err
        );
    }
}

#[test]
#[cfg(target_os = "linux")]
fn a_full_stderr_changes_no_exit_code() {
    for args in [&["analyse", "tilt/nowhere"][..], &["analyse", "--nothing"]] {
        let full = fs::OpenOptions::new()
            .write(true)
            .open("/dev/full")
            .unwrap();
        let status = antipode().args(args).stderr(full).status().unwrap();
        assert_eq!(status.code(), Some(2));
    }
}

/// The command would wait for a pipe without a writer.
#[test]
#[cfg(unix)]
fn pipes_are_refused_wherever_a_file_is_named() {
    let folder = tempfile::tempdir().unwrap();
    let pipe = folder.path().join("pipe");
    let made = std::process::Command::new("mkfifo").arg(&pipe).status();
    assert!(made.unwrap().success());
    refuses(
        &folder,
        "certify --claims pipe --out out | pipe
         solve permutation/custom --set define=pipe | pipe
         solve peg-solitaire/custom --set board=pipe | pipe
         solve sliding-block/custom --set board=pipe | pipe
         solve coin-sliding/5x9 --set font=pipe | pipe
         solve tilt/card-1 --plugin pipe | pipe
         analyse tilt/card-1 --engine disk --work pipe | pipe
         test-plugin pipe | pipe
         bench pipe | pipe
         regress --baseline pipe | pipe
         compare pipe pipe | pipe
         report pipe | pipe",
    );
}

/// A search that does not fit ends, without ending the process.
#[test]
#[cfg(target_os = "linux")]
fn little_memory_is_told_in_a_line() {
    let ran: Ran = std::process::Command::new("sh")
        .args([
            "-c",
            "ulimit -v 300000; exec \"$ANTIPODE\" analyse peg-solitaire/english-33 --direction forward --engine hash --threads 2",
        ])
        .env("ANTIPODE", env!("CARGO_BIN_EXE_antipode"))
        .output()
        .unwrap()
        .into();
    assert_eq!(ran.code, 4, "{}\n{}", ran.out, ran.err);
    ran.out.has(["memory"]);
    ran.err.lacks(["allocation"]);
}
