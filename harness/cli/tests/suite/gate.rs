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

use crate::bench::folder;
use crate::support::{Ran, Text, antipode, read, run_in, runs};

/// A folder with the suite and its baseline, which is measured once.
fn with_baseline() -> TempDir {
    static BASELINE: LazyLock<String> = LazyLock::new(|| {
        let folder = folder(GATE);
        update(folder.path(), "").ended(0);
        read(folder.path().join("base.toml"))
    });
    let folder = folder(GATE);
    fs::write(folder.path().join("base.toml"), &*BASELINE).unwrap();
    folder
}

#[test]
fn a_table_of_somebody_else_is_kept() {
    let folder = with_baseline();
    let out = folder.path().join("out");
    fs::create_dir(&out).unwrap();
    fs::write(out.join("regress.csv"), "my taxes").unwrap();
    let ran = gate(folder.path(), "--out out").refused();
    ran.err
        .has(["regress.csv: a file exists there that is not of Antipode"]);
    assert_eq!(read(out.join("regress.csv")), "my taxes");
}

fn gate(at: &Path, more: &str) -> Ran {
    runs(at, &format!("regress --baseline base.toml {more}"))
}

/// Makes the baseline. Times of rows so short say nothing, so the limit is set where no noise
/// reaches.
fn update(at: &Path, more: &str) -> Ran {
    gate(
        at,
        &format!("--update --suite suite.toml --limit 1000 --reason first --accept-slower {more}"),
    )
}

/// The text of the baseline with a part replaced.
fn rewrite(at: &Path, from: &str, to: &str) {
    let text = read(at.join("base.toml"));
    let changed = text.replacen(from, to, 1);
    assert_ne!(changed, text, "{from}");
    fs::write(at.join("base.toml"), changed).unwrap();
}

/// The first line of a baseline that begins so.
fn line_of(at: &Path, start: &str) -> String {
    let text = read(at.join("base.toml"));
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

#[test]
fn the_gate_tells_answers_counters_and_nothing_apart() {
    let folder = with_baseline();
    let at = folder.path();
    let text = read(at.join("base.toml"));
    gate(at, "--out out").ended(0);
    // A baseline with fewer moves than there are: the counter has grown.
    let moves = line_of(at, "generated = ");
    let count: u64 = moves["generated = ".len()..].parse().unwrap();
    let write = |text: &str| fs::write(at.join("base.toml"), text).unwrap();
    let with = |count: u64| write(&text.replacen(&moves, &format!("generated = {count}"), 1));
    with(count - 1);
    let grown = gate(at, "--out out").ended(1);
    grown.out.has(["counters: FAILED", "answers: ok"]);
    // With more than there are, it has shrunk, which is for the reader.
    with(count + 1);
    let shrunk = gate(at, "--out out").ended(0);
    shrunk.out.has(["--update to keep it"]);
    // Another answer comes before everything else.
    write(&text);
    let answer = line_of(at, "answer = ");
    let text = text.replace(&answer, "answer = \"0123\"");
    write(&text.replacen(&moves, "generated = 1", 1));
    gate(at, "")
        .ended(3)
        .out
        .has(["answers: FAILED", "expected 0123"]);
    write(&text.replace("answer = \"0123\"", &answer));
    gate(at, "--update --accept-slower --reason second").ended(0);
    let renewed = read(at.join("base.toml"));
    renewed.has([
        "reason = \"second\"",
        "reason = \"first\"",
        "limit = 1000.0",
    ]);
}

#[test]
fn a_counter_that_the_baseline_lacks_is_told() {
    let folder = with_baseline();
    let at = folder.path();
    rewrite(at, &line_of(at, "generated = "), "");
    let ran = gate(at, "").ended(0);
    ran.out.has(["not in the baseline; --update to keep it"]);
}

#[test]
fn samples_held_against_other_answers_are_not_judged() {
    let folder = with_baseline();
    let at = folder.path();
    gate(at, "--out out").ended(0);
    let again = gate(at, "--out out").ended(0);
    again.err.has(["nothing was measured now"]);
    let text = read(at.join("base.toml"));
    let text = text.replace(&line_of(at, "answer = "), "answer = \"0123\"");
    fs::write(at.join("base.toml"), text).unwrap();
    let edited = gate(at, "--out out").ended(2);
    edited.err.has(["what the baseline expects differs"]);
    gate(at, "").ended(3);
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
    let second = gate(at, "--against other --out out");
    let group = nix::unistd::Pid::from_raw(first.id() as i32);
    nix::sys::signal::kill(group, nix::sys::signal::Signal::SIGTERM).unwrap();
    let first = Ran::from(first.wait_with_output().unwrap()).ended(4);
    let said = first.json();
    assert_eq!(said["complete"], false);
    assert_eq!(
        (second.code, second.err.lines().count()),
        (2, 1),
        "{}",
        second.err
    );
    second.err.has(["another run is at work there"]);
}

#[test]
fn results_of_another_verb_are_not_written_over() {
    let folder = folder(GATE);
    let at = folder.path();
    runs(at, "analyse tilt/box --set grey=0 --set blue=0 --out other").ended(0);
    let before = fs::read(at.join("other/run.json")).unwrap();
    let ran = runs(at, "bench suite.toml --out other").refused();
    ran.err.has(["results of another command"]);
    assert_eq!(fs::read(at.join("other/run.json")).unwrap(), before);
}

#[test]
fn rows_of_one_question_have_one_answer() {
    let folder = with_baseline();
    let at = folder.path();
    let first = line_of(at, "answer = ");
    rewrite(at, &first, &format!("answer = \"{}\"", "0".repeat(32)));
    let ran = gate(at, "").refused();
    ran.err.has(["answer the same question"]);
    let row = |digit: &str| format!("engine = \"hash\"\nexpect = \"{}\"\n", digit.repeat(32));
    let suite = GATE.replacen("engine = \"hash\"\n", &row("0"), 1);
    let suite = suite.replacen("engine = \"reference\"\n", &row("1"), 1);
    fs::write(at.join("suite.toml"), suite).unwrap();
    let ran = runs(at, "bench suite.toml").refused();
    ran.err
        .has(["suite.toml, line", "answer the same question"]);
}
