//! `regress` from outside: what the gate distinguishes, how baselines are kept, and which are
//! refused.

mod against;
mod baselines;
mod rows;
mod scripts;

use std::fs;
use std::os::unix::fs::PermissionsExt;
use std::path::Path;
use std::process::{Command, Stdio};
use std::sync::LazyLock;
use std::time::Duration;

use tempfile::TempDir;

use crate::support::{Ran, antipode, run_in};

fn folder(suite: &str) -> TempDir {
    let folder = tempfile::tempdir().unwrap();
    fs::write(folder.path().join("suite.toml"), suite).unwrap();
    folder
}

/// A folder with the suite and its baseline, which is measured once.
fn with_baseline() -> TempDir {
    static BASELINE: LazyLock<String> = LazyLock::new(|| {
        let folder = folder(GATE);
        let made = run_in(folder.path(), &UPDATE);
        assert_eq!(made.code, 0, "{}{}", made.out, made.err);
        fs::read_to_string(folder.path().join("base.toml")).unwrap()
    });
    let folder = folder(GATE);
    fs::write(folder.path().join("base.toml"), &*BASELINE).unwrap();
    folder
}

fn gate(at: &Path, more: &[&str]) -> Ran {
    run_in(
        at,
        &[&["regress", "--baseline", "base.toml"], more].concat(),
    )
}

/// The text of the baseline with a part replaced.
fn rewrite(at: &Path, from: &str, to: &str) {
    let text = fs::read_to_string(at.join("base.toml")).unwrap();
    let changed = text.replacen(from, to, 1);
    assert_ne!(changed, text, "{from}");
    fs::write(at.join("base.toml"), changed).unwrap();
}

/// The first line of a baseline that begins so.
fn line_of(at: &Path, start: &str) -> String {
    let text = fs::read_to_string(at.join("base.toml")).unwrap();
    let found = text.lines().find(|line| line.starts_with(start));
    found.unwrap().to_owned()
}

/// A second executable that is an `antipode` only by its version.
fn impostor(at: &Path, does: &str) {
    let script = format!(
        "#!/bin/sh\nif [ \"$1\" = --version ]; then echo antipode 0.0.1; exit; fi\n{does}\n"
    );
    let file = at.join("other");
    fs::write(&file, script).unwrap();
    fs::set_permissions(&file, fs::Permissions::from_mode(0o755)).unwrap();
}

const GATE: &str = r#"
[suite]
name = "gate"
samples = 6

[[row]]
name = "reference"
instance = "tilt/box"
set = { grey = 0, blue = "0..1" }
variant = "reference"
engine = "hash"

[[row]]
name = "queue"
instance = "tilt/box"
set = { grey = 0, blue = "0..1" }
engine = "reference"
"#;

/// Times of such short rows mean nothing, so noise never reaches the limit.
const UPDATE: [&str; 11] = [
    "regress",
    "--baseline",
    "base.toml",
    "--update",
    "--suite",
    "suite.toml",
    "--limit",
    "1000",
    "--reason",
    "first",
    "--accept-slower",
];

#[test]
fn the_gate_tells_answers_counters_and_nothing_apart() {
    let folder = with_baseline();
    let at = folder.path();
    let text = fs::read_to_string(at.join("base.toml")).unwrap();
    let gate = || run_in(at, &["regress", "--baseline", "base.toml", "--out", "out"]);
    let same = gate();
    assert_eq!(same.code, 0, "{}{}", same.out, same.err);

    // A baseline with too few moves: the counter has grown.
    let moves = text
        .lines()
        .find(|line| line.starts_with("generated = "))
        .unwrap();
    let count: u64 = moves["generated = ".len()..].parse().unwrap();
    let write = |text: &str| fs::write(at.join("base.toml"), text).unwrap();
    write(&text.replacen(moves, &format!("generated = {}", count - 1), 1));
    let grown = gate();
    assert_eq!(grown.code, 1, "{}", grown.out);
    assert!(
        grown.out.contains("counters: FAILED") && grown.out.contains("answers: ok"),
        "{}",
        grown.out
    );
    // With too many, it has shrunk, which is only reported.
    write(&text.replacen(moves, &format!("generated = {}", count + 1), 1));
    let shrunk = gate();
    assert_eq!(shrunk.code, 0, "{}", shrunk.out);
    assert!(shrunk.out.contains("--update to keep it"), "{}", shrunk.out);
    // A changed answer is reported before everything else.
    let answer = text
        .lines()
        .find(|line| line.starts_with("answer = "))
        .unwrap();
    write(
        &text
            .replace(answer, "answer = \"0123\"")
            .replacen(moves, "generated = 1", 1),
    );
    let wrong = run_in(at, &["regress", "--baseline", "base.toml"]);
    assert_eq!(wrong.code, 3, "{}", wrong.out);
    assert!(
        wrong.out.contains("answers: FAILED") && wrong.out.contains("expected 0123"),
        "{}",
        wrong.out
    );

    write(&text);
    let again = run_in(
        at,
        &[
            "regress",
            "--baseline",
            "base.toml",
            "--update",
            "--accept-slower",
            "--reason",
            "second",
        ],
    );
    assert_eq!(again.code, 0, "{}", again.err);
    let renewed = fs::read_to_string(at.join("base.toml")).unwrap();
    for kept in [
        "reason = \"second\"",
        "reason = \"first\"",
        "limit = 1000.0",
    ] {
        assert!(renewed.contains(kept), "{renewed}");
    }
}

#[test]
fn a_counter_that_the_baseline_lacks_is_told() {
    let folder = with_baseline();
    let at = folder.path();
    rewrite(at, &line_of(at, "generated = "), "");
    let ran = gate(at, &[]);
    assert_eq!(ran.code, 0, "{}{}", ran.out, ran.err);
    assert!(
        ran.out.contains("not in the baseline; --update to keep it"),
        "{}",
        ran.out
    );
}

#[test]
fn samples_held_against_other_answers_are_not_judged() {
    let folder = with_baseline();
    let at = folder.path();
    let first = gate(at, &["--out", "out"]);
    assert_eq!(first.code, 0, "{}{}", first.out, first.err);
    let again = gate(at, &["--out", "out"]);
    assert_eq!(again.code, 0, "{}{}", again.out, again.err);
    assert!(
        again.err.contains("nothing was measured now"),
        "{}",
        again.err
    );
    let text = fs::read_to_string(at.join("base.toml")).unwrap();
    let text = text.replace(&line_of(at, "answer = "), "answer = \"0123\"");
    fs::write(at.join("base.toml"), text).unwrap();
    let edited = gate(at, &["--out", "out"]);
    assert_eq!(edited.code, 2, "{}{}", edited.out, edited.err);
    assert!(
        edited.err.contains("what the baseline expects differs"),
        "{}",
        edited.err
    );
    assert_eq!(gate(at, &[]).code, 3);
}

#[test]
fn two_runs_into_one_folder_are_kept_apart() {
    let folder = with_baseline();
    let at = folder.path();
    impostor(at, "sleep 600");
    let mut command = antipode();
    command
        .current_dir(at)
        .stdout(Stdio::piped())
        .stderr(Stdio::null());
    command.args(["regress", "--baseline", "base.toml", "--against", "other"]);
    command.args(["--format", "json", "--out", "out"]);
    let first = command.spawn().unwrap();
    while !at.join("out/run.json").exists() {
        std::thread::sleep(Duration::from_millis(10));
    }
    let second = gate(at, &["--against", "other", "--out", "out"]);
    let group = nix::unistd::Pid::from_raw(first.id() as i32);
    nix::sys::signal::kill(group, nix::sys::signal::Signal::SIGTERM).unwrap();
    let first = Ran::from(first.wait_with_output().unwrap());
    assert_eq!(first.code, 4);
    let said: serde_json::Value = serde_json::from_str(&first.out).unwrap();
    assert_eq!(said["complete"], false);
    assert_eq!(
        (second.code, second.err.lines().count()),
        (2, 1),
        "{}",
        second.err
    );
    assert!(
        second.err.contains("another run is at work there"),
        "{}",
        second.err
    );
}

#[test]
fn results_of_another_verb_are_not_written_over() {
    let folder = folder(GATE);
    let at = folder.path();
    let made = run_in(
        at,
        &[
            "analyse", "tilt/box", "--set", "grey=0", "--set", "blue=0", "--out", "other",
        ],
    );
    assert_eq!(made.code, 0, "{}", made.err);
    let before = fs::read(at.join("other/run.json")).unwrap();
    let ran = run_in(at, &["bench", "suite.toml", "--out", "other"]);
    assert_eq!((ran.code, ran.err.lines().count()), (2, 1), "{}", ran.err);
    assert!(
        ran.err.contains("results of another command"),
        "{}",
        ran.err
    );
    assert_eq!(fs::read(at.join("other/run.json")).unwrap(), before);
}

#[test]
fn rows_of_one_question_have_one_answer() {
    let folder = with_baseline();
    let at = folder.path();
    let first = line_of(at, "answer = ");
    rewrite(at, &first, &format!("answer = \"{}\"", "0".repeat(32)));
    let ran = gate(at, &[]);
    assert_eq!((ran.code, ran.err.lines().count()), (2, 1), "{}", ran.err);
    assert!(ran.err.contains("answer the same question"), "{}", ran.err);
    let row = |digit: &str| format!("engine = \"hash\"\nexpect = \"{}\"\n", digit.repeat(32));
    let suite = GATE.replacen("engine = \"hash\"\n", &row("0"), 1);
    let suite = suite.replacen("engine = \"reference\"\n", &row("1"), 1);
    fs::write(at.join("suite.toml"), suite).unwrap();
    let ran = run_in(at, &["bench", "suite.toml"]);
    assert_eq!((ran.code, ran.err.lines().count()), (2, 1), "{}", ran.err);
    assert!(
        ran.err.contains("suite.toml, line") && ran.err.contains("answer the same question"),
        "{}",
        ran.err
    );
}
