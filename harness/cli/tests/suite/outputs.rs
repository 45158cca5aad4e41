//! The command's files and messages around a run: limits, files in the way, certificates of earlier
//! runs, lists and hints.

use std::collections::BTreeSet;
use std::fs;

use serde_json::Value;

use crate::support::{Text, block, fresh, json, plays, refuses, root, run, run_in, runs, sh};

// ---- limits ------------------------------------------------------------------------

#[test]
fn a_run_says_whether_it_reached_its_greatest_level() {
    let folder = fresh();
    plays(
        &folder,
        r#"0 analyse tilt/box --from card-7 --max-depth 3 --out cut | at the last level walked, 3: | stopped: --max-depth 3 was reached | ~greatest distance
           cut/run.json ? | "complete": false | "stopped_because": "--max-depth 3 was reached
           0 analyse tilt/box --from card-7 --max-depth 1000 --out whole | at the greatest distance,
           whole/run.json ? | "complete": true"#,
    );
    let run = json(folder.join("whole/run.json"));
    assert_eq!(run["stopped_because"], Value::Null);
}

// ---- files -------------------------------------------------------------------------

/// Every line of the page is run, and prints what it says; every command that prints JSON is there.
#[test]
fn the_page_over_json_says_what_is_printed() {
    let page = include_str!("../../../../docs/json.md");
    let here = &fresh();
    let ran = run(&["solve", "hanoi/3-3", "--format", "json"]);
    fs::write(here.join("solved.json"), ran.out).unwrap();
    plays(
        here,
        r#"boards.txt = | 321/.../...
           suite.toml = | [suite]\nname = "s"\nsamples = 7\n[[row]]\nname = "r"\ninstance = "tilt/card-7"\nvariant = "bitboard"\nengine = "hash"
           0 analyse tilt/box --set grey=1 --set blue=0 --shard 1/1 --out shard
           0 regress --baseline gate.toml --update --suite suite.toml --reason first --samples 7"#,
    );
    let lunar = root().join("puzzles/examples/rulebooks/lunar.py");
    let program = format!("python3 {}", lunar.display());
    let mut verbs = BTreeSet::new();
    for line in block(page, "text", "").lines() {
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
        let begun = ran.out.starts_with("{\n  \"record\": ");
        assert!(begun, "{command}: {}", ran.err);
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

/// Two commands have files of the same names, and one manifest cannot hold the results of both.
#[test]
fn results_of_another_command_stay() {
    plays(
        fresh(),
        r#"b.txt = | 123/4.5
         0 analyse tilt/card-2 --out o
         0 verify tilt/card-2 --out o
         0 analyse tilt/card-2 --out o
         suite.toml = | [suite]\nname = "s"\n[[row]]\nname = "r"\ninstance = "tilt/card-2"
         2! bench suite.toml --out o | a result of `antipode analyse`
         2! solve tilt/card-2 --out o | cannot write o/levels.csv: | `antipode analyse` | another --out
         2! solve tilt/card-2 --out o --force | cannot write o/levels.csv:
         2! pairs sliding-tile/2x3 --from 123/4.5 --to goal --out o | o/run.json: | `antipode analyse`
         0 solve tilt/card-2 --out s
         0 solve tilt/card-3 --out s
         2! analyse tilt/card-2 --out s | cannot write s/levels.csv: | `antipode solve`
         0 solve sliding-tile/2x3 --boards b.txt --out s
         2 make sliding-tile/2x3 --boards b.txt --moves 0..99 --out s | s/boards.csv: | `antipode solve`
         o/run.json ?"#,
    );
}

// ---- lists and hints -----------------------------------------------------------------

#[test]
fn claims_are_listed() {
    plays(
        ".",
        "0 list --claims | tilt-hardest-board | permute-rotation-grouped-operations | bitboard-soma-packings
         2 list --claims tlit | did you mean 'tilt'?",
    );
}

#[test]
fn inverses_may_be_nested_as_deep_as_one_likes() {
    for (count, expected) in [(15_000, "list:1,2,0"), (15_001, "list:2,0,1")] {
        let spec = format!("{}list:1,2,0", "inverse:".repeat(count));
        let [nested, plain] = [&spec, expected].map(|spec| {
            run(&["permute", spec, "--strategy", "naive", "--emit", "c"])
                .ended(0)
                .out
        });
        assert_eq!(nested, plain);
    }
}

/// The formula as printed is kept because it is wrong: no program of it goes out without a word.
#[test]
fn a_wrong_program_is_not_printed_silently() {
    for language in ["c", "rust"] {
        let line = format!("permute board:5x5x2:rotate90 --strategy as-printed --emit {language}");
        let ran = runs(fresh(), &line).ended(3);
        assert!(ran.out.starts_with("/* as-printed: "), "{}", ran.out);
        ran.out.has(["WRONG: 48 of 50 single bits"]);
    }
}

/// The command would wait for a pipe without a writer.
#[test]
#[cfg(unix)]
fn pipes_are_refused_wherever_a_file_is_named() {
    let folder = fresh();
    sh(&folder, "mkfifo pipe", &[]).ended(0);
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
    let line = "ulimit -v 300000; exec antipode analyse peg-solitaire/english-33 \
                --direction forward --engine hash --threads 2";
    let ran = sh(".", line, &[]).ended(4);
    ran.out.has(["memory"]);
    ran.err.lacks(["allocation"]);
}
