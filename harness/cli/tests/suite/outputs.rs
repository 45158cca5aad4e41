//! The command's files and messages around a run: limits, files in the way, certificates of earlier
//! runs, lists and hints.

use std::fs;
use std::path::Path;

use antipode_check::analysis::{Blocks, Which, analyse};
use antipode_reports::model::schema;
use antipode_search::progress::Stop;
use serde_json::Value;

use crate::support::{Ran, analysed, antipode, request, run, run_in, settings, tilt};

fn json(path: &Path) -> Value {
    serde_json::from_slice(&fs::read(path).unwrap()).unwrap()
}

// ---- limits ------------------------------------------------------------------------

fn limited(depth: &str) -> (Ran, Value) {
    let folder = tempfile::tempdir().unwrap();
    let args = [
        "analyse",
        "tilt/box",
        "--from",
        "card-7",
        "--max-depth",
        depth,
        "--out",
        "out",
    ];
    let ran = run_in(folder.path(), &args);
    let run = json(&folder.path().join("out/run.json"));
    (ran, run)
}

#[test]
fn a_run_that_reached_its_greatest_level_says_so() {
    let (ran, run) = limited("3");
    assert_eq!(ran.code, 0, "{}", ran.err);
    assert!(
        ran.out.contains("at the last level walked, 3:"),
        "{}",
        ran.out
    );
    assert!(!ran.out.contains("greatest distance"), "{}", ran.out);
    assert!(
        ran.out.contains("stopped: --max-depth 3 was reached"),
        "{}",
        ran.out
    );
    assert_eq!(run["complete"], false);
    let because = run["stopped_because"].as_str().unwrap();
    assert!(
        because.starts_with("--max-depth 3 was reached"),
        "{because}"
    );
}

#[test]
fn a_run_that_ended_before_its_greatest_level_is_complete() {
    let (ran, run) = limited("1000");
    assert_eq!((ran.code, &run["complete"]), (0, &Value::Bool(true)));
    assert!(
        ran.out.contains("at the greatest distance, "),
        "{}",
        ran.out
    );
    assert_eq!(run["stopped_because"], Value::Null);
}

// ---- files -------------------------------------------------------------------------

/// A folder in the place of a result is found before the work.
#[test]
fn outputs_that_are_blocked_are_refused_before_the_work() {
    const CLAIM: &str = "tilt-corner-predecessors";
    let certificate = format!("out/certificates/{CLAIM}.json");
    let analyse = &["analyse", "tilt/card-2", "--out", "out"][..];
    let verify = &["verify", "tilt/card-2", "--out", "out"][..];
    let certify = &["certify", CLAIM, "--out", "out"][..];
    for (args, blocked) in [
        (analyse, "out/levels.csv"),
        (analyse, "out/run.json"),
        (verify, "out/checks.json"),
        (certify, "out/report.html"),
        (certify, &certificate),
    ] {
        let folder = tempfile::tempdir().unwrap();
        fs::create_dir_all(folder.path().join(blocked)).unwrap();
        let ran = run_in(folder.path(), args);
        assert_eq!(
            (ran.code, ran.out.as_str()),
            (2, ""),
            "{blocked}: {}",
            ran.err
        );
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
        let ran = run_in(here, &line.split(' ').collect::<Vec<_>>());
        assert_eq!(ran.code, 0, "{line}: {}", ran.err);
    }
    let rulebooks = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../puzzles/examples/rulebooks");
    let program = format!("python3 {}", rulebooks.join("lunar.py").display());
    let mut verbs = std::collections::BTreeSet::new();
    for line in block.lines() {
        let (command, printed) = line.split_once(": ").expect("a command and its record");
        let (record, members) = printed.split_once(' ').expect("a record and its members");
        let words = command.split(' ').chain(["--format", "json"]);
        let words = words.map(|word| match word {
            "COMMAND" => &program,
            word => word,
        });
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
        let value: Value = serde_json::from_str(&ran.out).expect(command);
        assert_eq!(value["record"], record, "{command}");
        let mut own: Vec<&str> = value
            .as_object()
            .expect(command)
            .keys()
            .map(String::as_str)
            .collect();
        own.retain(|member| *member != "record");
        let mut told: Vec<&str> = members.split(',').collect();
        own.sort_unstable();
        told.sort_unstable();
        assert_eq!(own, told, "{command}");
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
    for args in [
        &["verify", "tilt/card-2", "--out", "out"][..],
        &["solve", "tilt/box", "--board", board, "--out", "out"],
        &["certify", "tilt-corner-predecessors", "--out", "out"],
    ] {
        let ran = run_in(folder.path(), args);
        assert_eq!(ran.code, 0, "{}", ran.err);
    }
    let read = |name: &str| json(&folder.path().join("out").join(name));
    assert_eq!(read("run.json")["record"], schema::RUN);
    assert_eq!(read("checks.json")[0]["record"], schema::CHECK);
    let solved = read("solve.json");
    assert_eq!(solved["record"], schema::SOLUTION);
    assert_eq!(
        (&solved["length"], &solved["from"]),
        (&15.into(), &board.into())
    );
    let certificate = read("certificates/tilt-corner-predecessors.json");
    assert_eq!(certificate["record"], schema::CERTIFICATE);
}

/// A run's findings are in its journal until they are in its tables.
#[test]
fn the_journal_stays_until_the_results_are_written() {
    let folder = tempfile::tempdir().unwrap();
    let out = folder.path().to_owned();
    let journal = out.join("progress.jsonl");
    let mut request = request(&tilt(), "box", &[("grey", "1"), ("blue", "0..1")]);
    assert_eq!(
        request.settings,
        settings(&[("grey", "1"), ("blue", "0..1")])
    );
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

#[test]
fn certificates_of_an_earlier_run_are_put_by() {
    let folder = tempfile::tempdir().unwrap();
    let certify = |claim| run_in(folder.path(), &["certify", claim, "--out", "out"]);
    let there = |name: &str| folder.path().join("out/certificates").join(name).is_file();
    assert_eq!(certify("tilt-corner-predecessors").code, 0);
    assert!(there("tilt-corner-predecessors.json"));
    assert_eq!(certify("tilt-row-predecessors").code, 0);
    assert!(there("tilt-row-predecessors.json"));
    assert!(!there("tilt-corner-predecessors.json"));
    assert!(there("earlier/tilt-corner-predecessors.json"));
}

/// A table that its claim no longer rests on does not belong to this run.
#[test]
fn a_level_table_of_an_earlier_run_is_put_by() {
    let folder = tempfile::tempdir().unwrap();
    let certify = || {
        run_in(
            folder.path(),
            &["certify", "tile-levels-2x3", "--out", "out"],
        )
    };
    let certificates = folder.path().join("out/certificates");
    assert_eq!(certify().code, 0);
    let own = certificates.join("tile-levels-2x3.levels.csv");
    fs::copy(&own, certificates.join("tile-levels-2x3.levels-2.csv")).unwrap();
    assert_eq!(certify().code, 0);
    assert!(own.is_file());
    assert!(!certificates.join("tile-levels-2x3.levels-2.csv").exists());
    assert!(
        certificates
            .join("earlier/tile-levels-2x3.levels-2.csv")
            .is_file()
    );
}

#[test]
fn resuming_a_finished_run_says_that_it_is_finished() {
    let folder = tempfile::tempdir().unwrap();
    let args = ["analyse", "tilt/card-2", "--out", "out"];
    assert_eq!(run_in(folder.path(), &args).code, 0);
    let ran = run_in(folder.path(), &[&args[..], &["--resume"]].concat());
    assert_eq!(ran.code, 0);
    assert!(
        ran.err.contains("out: the run there is finished"),
        "{}",
        ran.err
    );
}

// ---- lists and hints -----------------------------------------------------------------

#[test]
fn claims_are_listed() {
    let all = run(&["list", "--claims"]);
    assert_eq!(all.code, 0);
    for id in [
        "tilt-hardest-board",
        "permute-rotation-grouped-operations",
        "bitboard-soma-packings",
    ] {
        assert!(all.out.contains(id), "{id}");
    }
    let tilt = run(&["list", "--claims", "tilt", "--format", "json"]);
    let value: Value = serde_json::from_str(&tilt.out).unwrap();
    let claims = value["claims"].as_array().unwrap();
    assert!(claims.iter().all(|claim| claim["puzzle"] == "tilt"));
    assert!(claims.iter().any(|claim| claim["id"] == "tilt-keep"));
    let unknown = run(&["list", "--claims", "tlit"]);
    assert_eq!(unknown.code, 2);
    assert!(
        unknown.err.contains("did you mean 'tilt'?"),
        "{}",
        unknown.err
    );
}

#[test]
fn an_unknown_claim_has_several_near_ones() {
    let ran = run(&["certify", "bitboard-mask-top", "--out", "out"]);
    assert_eq!(ran.code, 2);
    assert!(ran.err.contains("'bitboard-masks'"), "{}", ran.err);
    assert!(ran.err.contains(" or '"), "{}", ran.err);
    assert!(
        ran.err.contains("`antipode list --claims` shows all"),
        "{}",
        ran.err
    );
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
fn numbers_below_zero_are_refused_as_values() {
    for args in [
        ["analyse", "tilt/card-2", "--threads", "-1"],
        ["verify", "tilt/card-2", "--seed", "-7"],
    ] {
        let ran = run(&args);
        assert_eq!(ran.code, 2);
        assert!(ran.err.contains(&format!("'{}'", args[3])), "{}", ran.err);
        assert!(ran.err.contains(args[2]), "{}", ran.err);
        assert!(!ran.err.contains("tip:"), "{}", ran.err);
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
    for args in [
        &["certify", "--claims", "pipe", "--out", "out"][..],
        &["solve", "permutation/custom", "--set", "define=pipe"],
        &["solve", "peg-solitaire/custom", "--set", "board=pipe"],
        &["solve", "sliding-block/custom", "--set", "board=pipe"],
        &["solve", "coin-sliding/5x9", "--set", "font=pipe"],
        &["solve", "tilt/card-1", "--plugin", "pipe"],
        &[
            "analyse",
            "tilt/card-1",
            "--engine",
            "disk",
            "--work",
            "pipe",
        ],
        &["test-plugin", "pipe"],
        &["bench", "pipe"],
        &["regress", "--baseline", "pipe"],
        &["compare", "pipe", "pipe"],
        &["report", "pipe"],
    ] {
        let ran = run_in(folder.path(), args);
        assert_eq!(ran.code, 2, "{args:?}: {}", ran.err);
        assert_eq!(ran.err.lines().count(), 1, "{args:?}: {}", ran.err);
        assert!(ran.err.contains("pipe"), "{args:?}: {}", ran.err);
    }
}

/// A search that does not fit ends, without ending the process.
#[test]
#[cfg(target_os = "linux")]
fn little_memory_is_told_in_a_line() {
    let ran: crate::support::Ran = std::process::Command::new("sh")
        .args([
            "-c",
            "ulimit -v 300000; exec \"$ANTIPODE\" analyse peg-solitaire/english-33 --direction forward --engine hash --threads 2",
        ])
        .env("ANTIPODE", env!("CARGO_BIN_EXE_antipode"))
        .output()
        .unwrap()
        .into();
    assert_eq!(ran.code, 4, "{}\n{}", ran.out, ran.err);
    assert!(ran.out.contains("memory"), "{}", ran.out);
    assert!(!ran.err.contains("allocation"), "{}", ran.err);
}
