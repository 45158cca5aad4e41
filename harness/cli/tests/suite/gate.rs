//! `regress` from outside: what the gate distinguishes, how baselines are kept, and which are
//! refused.

mod against;
mod baselines;
mod rows;
mod scripts;

use std::fs;
use std::path::Path;
use std::sync::LazyLock;

use nix::sys::signal::Signal;

use crate::bench::folder;
use crate::support::{
    Fresh, NARROW, Ran, Text, folder_with, fresh, interrupted, plays, read, root, run_in, runs,
    script, sh, suite, words,
};

/// A folder with the suite and its baseline, which is measured once.
fn with_baseline() -> Fresh {
    static BASELINE: LazyLock<String> = LazyLock::new(|| {
        let folder = folder(&GATE);
        update(&folder, "").ended(0);
        read(folder.join("base.toml"))
    });
    let folder = folder(&GATE);
    fs::write(folder.join("base.toml"), &*BASELINE).unwrap();
    folder
}

#[test]
fn a_table_of_somebody_else_is_kept() {
    plays(
        with_baseline(),
        "out/regress.csv = | my taxes
         2! regress --baseline base.toml --out out | regress.csv: a file exists there that is not of Antipode
         out/regress.csv ? | my taxes",
    );
}

fn gate(at: &Path, more: &str) -> Ran {
    runs(at, &format!("regress --baseline base.toml {more}"))
}

/// Times of rows so short say nothing, so the limit is set where no noise reaches.
const UPDATE: &str = "--update --suite suite.toml --limit 1000 --reason first --accept-slower";

/// Makes the baseline.
fn update(at: &Path, more: &str) -> Ran {
    gate(at, &format!("{UPDATE} {more}"))
}

fn write(at: &Path, text: &str) {
    fs::write(at.join("base.toml"), text).unwrap();
}

/// The text of the baseline with a part replaced.
fn rewrite(at: &Path, from: &str, to: &str) {
    let text = read(at.join("base.toml"));
    let changed = text.replacen(from, to, 1);
    assert_ne!(changed, text, "{from}");
    write(at, &changed);
}

/// The first line of a baseline that begins so.
fn line_of(at: &Path, start: &str) -> String {
    let text = read(at.join("base.toml"));
    let found = text.lines().find(|line| line.starts_with(start));
    found.unwrap().to_owned()
}

/// A second executable that is an `antipode` only by its version.
fn impostor(at: &Path, does: &str) {
    let version = "if [ \"$1\" = --version ]; then echo antipode 0.0.1; exit; fi";
    script(at.join("other"), &format!("#!/bin/sh\n{version}\n{does}\n"));
}

/// Starts the gate, and stops it once there is a file.
fn stopped_at(at: &Path, more: &str, file: &str, mut meanwhile: impl FnMut()) -> Ran {
    let line = format!("regress --baseline base.toml {more}");
    let is_time = || {
        let begun = at.join(file).exists();
        if begun {
            meanwhile();
        }
        begun
    };
    interrupted(at, &words(&line), Signal::SIGTERM, is_time).ended(4)
}

static GATE: LazyLock<String> = LazyLock::new(|| {
    let reference = format!("{NARROW}variant = \"reference\"; engine = \"hash\"");
    let queue = format!("{NARROW}engine = \"reference\"");
    let rows = [("reference", &*reference), ("queue", &queue)];
    suite("name = \"gate\"; samples = 6", &rows)
});

#[test]
fn the_gate_tells_answers_counters_and_nothing_apart() {
    let at = &with_baseline();
    let text = read(at.join("base.toml"));
    gate(at, "--out out").ended(0);
    // A baseline with fewer moves than there are: the counter has grown.
    let moves = line_of(at, "generated = ");
    let count: u64 = moves["generated = ".len()..].parse().unwrap();
    let with = |count: u64| {
        write(
            at,
            &text.replacen(&moves, &format!("generated = {count}"), 1),
        );
    };
    with(count - 1);
    let grown = gate(at, "--out out").ended(1);
    grown.out.has(["counters: FAILED", "answers: ok"]);
    // With more than there are, it has shrunk, which is for the reader.
    with(count + 1);
    let shrunk = gate(at, "--out out").ended(0);
    shrunk.out.has(["--update to keep it"]);
    // Another answer comes before everything else.
    let answer = line_of(at, "answer = ");
    let other = text.replace(&answer, "answer = \"0123\"");
    write(at, &other.replacen(&moves, "generated = 1", 1));
    let wrong = gate(at, "").ended(3);
    wrong.out.has(["answers: FAILED", "expected 0123"]);
    write(at, &text);
    gate(at, "--update --accept-slower --reason second").ended(0);
    read(at.join("base.toml")).has([
        "reason = \"second\"",
        "reason = \"first\"",
        "limit = 1000.0",
    ]);
    // A counter that the baseline lacks.
    rewrite(at, &line_of(at, "generated = "), "");
    let ran = gate(at, "").ended(0);
    ran.out.has(["not in the baseline; --update to keep it"]);
}

#[test]
fn samples_held_against_other_answers_are_not_judged() {
    let at = &with_baseline();
    gate(at, "--out out").ended(0);
    let again = gate(at, "--out out").ended(0);
    again.err.has(["nothing was measured now"]);
    let text = read(at.join("base.toml"));
    write(
        at,
        &text.replace(&line_of(at, "answer = "), "answer = \"0123\""),
    );
    let edited = gate(at, "--out out").ended(2);
    edited.err.has(["what the baseline expects differs"]);
    gate(at, "").ended(3);
}

#[test]
fn two_runs_into_one_folder_are_kept_apart() {
    let at = &with_baseline();
    impostor(at, "sleep 600");
    let mut second = None;
    let more = "--against other --format json --out out";
    let first = stopped_at(at, more, "out/run.json", || {
        second = Some(gate(at, "--against other --out out"));
    });
    assert_eq!(first.json()["complete"], false);
    let second = second.unwrap().in_a_line(2);
    second.err.has(["another run is at work there"]);
}

#[test]
fn rows_of_one_question_have_one_answer() {
    let at = &with_baseline();
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
