//! `regress` from outside: what the gate tells apart, how baselines are kept, and which are
//! refused.

use std::fs;
use std::os::unix::fs::PermissionsExt;
use std::path::Path;
use std::process::{Command, Stdio};
use std::time::Duration;

use tempfile::TempDir;

use crate::support::{Ran, antipode, run_in};

fn folder(suite: &str) -> TempDir {
    let folder = tempfile::tempdir().unwrap();
    fs::write(folder.path().join("suite.toml"), suite).unwrap();
    folder
}

/// A folder with the suite and a baseline of it.
fn with_baseline() -> TempDir {
    let folder = folder(GATE);
    let made = run_in(folder.path(), &UPDATE);
    assert_eq!(made.code, 0, "{}{}", made.out, made.err);
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

/// Times of rows so short say nothing, so the limit is set where no noise reaches.
const UPDATE: [&str; 10] = [
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
];

#[test]
fn the_gate_tells_answers_counters_and_nothing_apart() {
    let folder = folder(GATE);
    let at = folder.path();
    let made = run_in(at, &UPDATE);
    assert_eq!(made.code, 0, "{}{}", made.out, made.err);
    let text = fs::read_to_string(at.join("base.toml")).unwrap();
    let gate = || run_in(at, &["regress", "--baseline", "base.toml", "--out", "out"]);
    let same = gate();
    assert_eq!(same.code, 0, "{}{}", same.out, same.err);

    // A baseline with fewer moves than there are: the counter has grown.
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
    // With more than there are, it has shrunk, which is for the reader.
    write(&text.replacen(moves, &format!("generated = {}", count + 1), 1));
    let shrunk = gate();
    assert_eq!(shrunk.code, 0, "{}", shrunk.out);
    assert!(shrunk.out.contains("--update to keep it"), "{}", shrunk.out);
    // Another answer comes before everything else.
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
fn baselines_that_cannot_be_used_are_refused() {
    let folder = folder(GATE);
    let at = folder.path();
    let refused = |args: &[&str]| {
        let ran = run_in(at, args);
        assert_eq!((ran.code, ran.err.lines().count()), (2, 1), "{}", ran.err);
        ran.err
    };
    let none = refused(&["regress", "--baseline", "base.toml"]);
    assert!(
        none.contains("cannot read the baseline base.toml") && none.contains("--update"),
        "{none}"
    );
    let none = refused(&[
        "regress",
        "--baseline",
        "base.toml",
        "--update",
        "--reason",
        "x",
    ]);
    assert!(none.contains("name its suite by --suite"), "{none}");
    let unsaid = refused(&["regress", "--baseline", "base.toml", "--update"]);
    assert!(unsaid.contains("--reason"), "{unsaid}");
    assert_eq!(run_in(at, &UPDATE).code, 0);
    let few = refused(&["regress", "--baseline", "base.toml", "--samples", "3"]);
    assert!(few.contains("take at least 5"), "{few}");
    let text = fs::read_to_string(at.join("base.toml")).unwrap();
    fs::write(
        at.join("base.toml"),
        text.replacen("schema = 1", "schema = 0", 1),
    )
    .unwrap();
    let old = refused(&["regress", "--baseline", "base.toml"]);
    assert!(
        old.contains("schema 0") && old.contains("reads schema 1") && old.contains("--update"),
        "{old}"
    );
    fs::write(at.join("base.toml"), text.replacen("limit =", "limt =", 1)).unwrap();
    let typo = refused(&["regress", "--baseline", "base.toml"]);
    assert!(
        typo.contains("base.toml, line") && typo.contains("limt"),
        "{typo}"
    );
    fs::write(at.join("base.toml"), text).unwrap();
    fs::write(
        at.join("suite.toml"),
        GATE.replace("samples = 6", "samples = 7"),
    )
    .unwrap();
    let changed = refused(&["regress", "--baseline", "base.toml"]);
    assert!(changed.contains("no longer the one"), "{changed}");
}

#[test]
fn a_baseline_that_would_check_less_than_it_seems_is_refused() {
    let cases: [(&str, &str, &str); 13] = [
        ("ratio = ", "ratio = -", "'ratio' takes a number above 0"),
        (
            "ratio = ",
            "ratio = nan #",
            "'ratio' takes a number above 0, not nan",
        ),
        (
            "ratio = ",
            "ratio = inf #",
            "'ratio' takes a number above 0, not inf",
        ),
        ("ratio = ", "# ", "row 'reference' has no 'ratio'"),
        (
            "interval = [",
            "interval = [1e9, ",
            "two numbers above 0, the lower first",
        ),
        (
            "limit = 1000.0",
            "limit = nan",
            "'limit' takes a number of 1 or more, not nan",
        ),
        (
            "counter-limit = 1.0",
            "counter-limit = 0.5",
            "'counter-limit' takes a number of 1 or more",
        ),
        (
            "name = \"reference\"",
            "name = \"queue\"",
            "a second row named 'queue'",
        ),
        (
            "name = \"reference\"",
            "name = \"refrence\"",
            "row 'refrence' is not one of the suite",
        ),
        (
            "reference = \"queue\"",
            "reference = \"qeue\"",
            "did you mean 'queue'?",
        ),
        ("measure = \"cpu\"", "measure = \"cup\"", "no measure 'cup'"),
        (
            "generated = ",
            "genrated = ",
            "no field 'genrated'; did you mean 'generated'?",
        ),
        ("answer = \"", "answer = \"\" # ", "an empty answer"),
    ];
    let folder = with_baseline();
    let at = folder.path();
    let text = fs::read_to_string(at.join("base.toml")).unwrap();
    for (from, to, fragment) in cases {
        rewrite(at, from, to);
        let ran = gate(at, &["--out", "out"]);
        assert_eq!(
            (ran.code, ran.err.lines().count()),
            (2, 1),
            "{to}: {}",
            ran.err
        );
        assert!(
            ran.err.contains("base.toml") && ran.err.contains(fragment),
            "{}",
            ran.err
        );
        assert!(!at.join("out").exists(), "{to}: nothing is measured");
        fs::write(at.join("base.toml"), &text).unwrap();
    }
    // A row that is gone from the baseline would never be looked at.
    let row = text.find("[[row]]\nname = \"reference\"").unwrap();
    fs::write(at.join("base.toml"), &text[..row]).unwrap();
    let ran = gate(at, &[]);
    assert_eq!(ran.code, 2, "{}", ran.out);
    assert!(
        ran.err
            .contains("row 'reference' of the suite is not in the baseline"),
        "{}",
        ran.err
    );
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
        edited.err.contains("an answer of the baseline differs"),
        "{}",
        edited.err
    );
    assert_eq!(gate(at, &[]).code, 3);
}

/// A second executable that is an `antipode` by its version only.
fn impostor(at: &Path, does: &str) {
    let script = format!(
        "#!/bin/sh\nif [ \"$1\" = --version ]; then echo antipode 0.0.1; exit; fi\n{does}\n"
    );
    let file = at.join("other");
    fs::write(&file, script).unwrap();
    fs::set_permissions(&file, fs::Permissions::from_mode(0o755)).unwrap();
}

#[test]
fn a_second_executable_that_fails_leaves_times_unjudged() {
    let folder = with_baseline();
    let at = folder.path();
    impostor(at, "echo broken >&2; exit 7");
    let ran = gate(at, &["--against", "other"]);
    assert_eq!(ran.code, 4, "{}{}", ran.out, ran.err);
    for said in [
        "answers: ok",
        "time: ok",
        "reached: FAILED",
        "exit code 7: broken",
    ] {
        assert!(ran.out.contains(said), "{said}: {}", ran.out);
    }
}

/// Times are those that an executable states, but no more than it was seen to take.
#[test]
fn a_second_executable_that_states_too_long_a_time_is_not_believed() {
    let folder = with_baseline();
    let at = folder.path();
    let this = env!("CARGO_BIN_EXE_antipode");
    impostor(
        at,
        &format!("{this} \"$@\" | sed 's/\"cpu_s\": [0-9.e-]*/\"cpu_s\": 9.0/'"),
    );
    let ran = gate(at, &["--against", "other"]);
    assert_eq!(ran.code, 4, "{}{}", ran.out, ran.err);
    assert!(
        ran.out
            .contains("it says that it took 9.000 s of processor time"),
        "{}",
        ran.out
    );
}

#[test]
fn two_runs_into_one_folder_are_kept_apart() {
    let folder = with_baseline();
    let at = folder.path();
    impostor(at, "sleep 600");
    let mut command = antipode();
    command
        .current_dir(at)
        .stdout(Stdio::null())
        .stderr(Stdio::null());
    command.args(["regress", "--baseline", "base.toml", "--against", "other"]);
    let mut first = command.args(["--out", "out"]).spawn().unwrap();
    while !at.join("out/run.json").exists() {
        std::thread::sleep(Duration::from_millis(10));
    }
    let second = gate(at, &["--against", "other", "--out", "out"]);
    let group = nix::unistd::Pid::from_raw(first.id() as i32);
    nix::sys::signal::kill(group, nix::sys::signal::Signal::SIGTERM).unwrap();
    assert_eq!(first.wait().unwrap().code(), Some(4));
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

/// The branch that is compared with may answer wrongly what a change puts right.
#[test]
fn a_second_executable_that_answers_wrongly_is_told_and_no_fault_of_the_first() {
    let folder = with_baseline();
    let at = folder.path();
    let this = env!("CARGO_BIN_EXE_antipode");
    impostor(at, &format!("exec {this} \"$@\" --max-depth=2"));
    let ran = gate(at, &["--against", "other"]);
    assert_eq!(ran.code, 0, "{}{}", ran.out, ran.err);
    assert!(
        ran.out
            .contains("queue@against: the second executable answered")
            && ran.out.contains("no time to hold this one against"),
        "{}",
        ran.out
    );
}

/// One that never says its version is waited for no longer than until a stop.
#[test]
fn a_second_executable_that_hangs_can_be_stopped() {
    let folder = with_baseline();
    let at = folder.path();
    fs::write(
        at.join("hang"),
        "#!/bin/sh\necho here >>started\nsleep 600\n",
    )
    .unwrap();
    fs::set_permissions(at.join("hang"), fs::Permissions::from_mode(0o755)).unwrap();
    let mut command = antipode();
    command.current_dir(at).stderr(Stdio::piped());
    command.args(["regress", "--baseline", "base.toml", "--against", "hang"]);
    let child = command.spawn().unwrap();
    while !at.join("started").exists() {
        std::thread::sleep(Duration::from_millis(10));
    }
    let group = nix::unistd::Pid::from_raw(child.id() as i32);
    nix::sys::signal::kill(group, nix::sys::signal::Signal::SIGTERM).unwrap();
    let ran = Ran::from(child.wait_with_output().unwrap());
    assert_eq!(ran.code, 4, "{}", ran.err);
    assert!(
        ran.err.contains("stopped before anything was measured"),
        "{}",
        ran.err
    );
}

#[test]
fn an_executable_that_changes_while_it_is_measured_ends_the_run() {
    let folder = with_baseline();
    let at = folder.path();
    let this = env!("CARGO_BIN_EXE_antipode");
    impostor(at, &format!("echo '# more' >>\"$0\"; exec {this} \"$@\""));
    let ran = gate(at, &["--against", "other", "--out", "out"]);
    assert_eq!((ran.code, ran.err.lines().count()), (2, 1), "{}", ran.err);
    assert!(
        ran.err.contains("changed while it was measured"),
        "{}",
        ran.err
    );
}

#[test]
fn a_baseline_is_not_renewed_where_a_row_did_not_end() {
    let folder = with_baseline();
    let at = folder.path();
    let before = fs::read_to_string(at.join("base.toml")).unwrap();
    let slow = GATE.replace(
        "grey = 0, blue = \"0..1\" }\nengine",
        "grey = \"0..2\" }\ntimeout = \"10ms\"\nengine",
    );
    assert_ne!(slow, GATE);
    fs::write(at.join("suite.toml"), slow).unwrap();
    let ran = run_in(at, &UPDATE);
    assert_eq!(ran.code, 4, "{}{}", ran.out, ran.err);
    assert!(
        ran.out.contains("queue: timeout") && ran.out.contains("left as it is"),
        "{}",
        ran.out
    );
    assert_eq!(fs::read_to_string(at.join("base.toml")).unwrap(), before);
    let refused = |more: &[&str]| {
        let ran = gate(at, &[&["--update", "--suite", "suite.toml"], more].concat());
        assert_eq!((ran.code, ran.err.lines().count()), (2, 1), "{}", ran.err);
        ran.err
    };
    assert!(refused(&["--reason", " "]).contains("it is empty"));
    let gone = refused(&["--reason", "x", "--reference", "refrence"]);
    assert!(
        gone.contains("--reference 'refrence' is no row")
            && gone.contains("did you mean 'reference'?"),
        "{gone}"
    );
}

/// What lies there is nobody's to lose: a baseline's reasons, or notes of another kind.
#[test]
fn an_update_writes_over_nothing_but_baselines() {
    let folder = with_baseline();
    let at = folder.path();
    let text = fs::read_to_string(at.join("base.toml")).unwrap();
    let left = |text: &str, needle: &str| {
        fs::write(at.join("base.toml"), text).unwrap();
        let ran = run_in(at, &UPDATE);
        assert_eq!((ran.code, ran.err.lines().count()), (2, 1), "{}", ran.err);
        assert!(
            ran.err.contains(needle) && ran.err.contains("mend it, or move it away"),
            "{}",
            ran.err
        );
        assert_eq!(fs::read_to_string(at.join("base.toml")).unwrap(), text);
    };
    left("# Notes\n\nTo do.\n", "base.toml, line 3");
    left("", "it has no 'schema'");
    left("schema = \"one\"\n", "schema unknown");
    left(&text.replacen("limit =", "limt =", 1), "limt");
    // Of another schema it can be renewed, without its history.
    fs::write(at.join("base.toml"), "schema = 0\nother = 1\n").unwrap();
    let ran = run_in(at, &UPDATE);
    assert_eq!(ran.code, 0, "{}{}", ran.out, ran.err);
    let renewed = fs::read_to_string(at.join("base.toml")).unwrap();
    assert!(renewed.contains("schema = 1") && renewed.contains("history = []"));
}

#[test]
fn an_update_says_what_changed() {
    let folder = with_baseline();
    let at = folder.path();
    let again = run_in(at, &UPDATE);
    assert_eq!(again.code, 0, "{}", again.err);
    assert!(
        again.out.contains("nothing changed but times"),
        "{}",
        again.out
    );
    let answer = line_of(at, "answer = ");
    let answer = answer["answer = ".len()..].trim_matches('"').to_owned();
    rewrite(at, &answer, "0123");
    rewrite(at, &line_of(at, "generated = "), "generated = 1");
    let ran = run_in(
        at,
        &[&UPDATE[..6], &["--limit", "900", "--reason", "x"]].concat(),
    );
    assert_eq!(ran.code, 0, "{}{}", ran.out, ran.err);
    for line in [
        "limit 1000 -> 900".to_owned(),
        format!("queue: answer 0123 -> {answer}"),
        "queue: moves 1 -> ".to_owned(),
    ] {
        assert!(ran.out.contains(&line), "'{}' lacks '{line}'", ran.out);
    }
    assert!(!ran.out.contains("nothing changed"), "{}", ran.out);
}

/// No memory holds `/dev/zero`.
#[test]
fn texts_without_an_end_are_refused_and_pipes_are_read() {
    let folder = with_baseline();
    let at = folder.path();
    for args in [
        &["regress", "--baseline", "/dev/full"][..],
        &["bench", "/dev/zero"],
        &["bench", "--figures", "/dev/zero"],
    ] {
        let ran = run_in(at, args);
        assert_eq!((ran.code, ran.err.lines().count()), (2, 1), "{}", ran.err);
        assert!(ran.err.contains("longer than 16 MiB"), "{}", ran.err);
    }
    let ran = sh(
        at,
        "cat suite.toml | \"$ANTIPODE\" bench /dev/stdin --samples 1 --out piped",
        &[],
    );
    assert_eq!(ran.code, 0, "{}{}", ran.out, ran.err);
    let splice = ["report", "piped", "--splice", "/dev/zero"];
    let ran = run_in(at, &splice);
    assert_eq!((ran.code, ran.err.lines().count()), (2, 1), "{}", ran.err);
    assert!(ran.err.contains("longer than 16 MiB"), "{}", ran.err);
}

/// Runs a line of the shell with the command as `$ANTIPODE`.
fn sh(at: &Path, line: &str, variables: &[(&str, &str)]) -> Ran {
    let mut command = Command::new("sh");
    command
        .current_dir(at)
        .args(["-c", line])
        .env("ANTIPODE", env!("CARGO_BIN_EXE_antipode"))
        .envs(variables.iter().copied());
    command.output().unwrap().into()
}

/// A script of the folder `ci`, from a folder of its own.
fn ci(at: &Path, name: &str, variables: &[(&str, &str)]) -> Ran {
    let script = Path::new(env!("CARGO_MANIFEST_DIR"))
        .join("../ci")
        .join(name);
    sh(
        at,
        &format!("exec '{}' -reason", script.display()),
        variables,
    )
}

#[test]
fn the_script_of_the_gate_takes_names_that_look_like_options() {
    let folder = folder(GATE);
    let at = folder.path();
    fs::rename(at.join("suite.toml"), at.join("-suite.toml")).unwrap();
    let names = [
        ("BASELINE", "-base.toml"),
        ("SUITE", "-suite.toml"),
        ("OUT", "-o3"),
    ];
    let made = ci(at, "update-baseline.sh", &names);
    assert_eq!(made.code, 0, "{}{}", made.out, made.err);
    let base = fs::read_to_string(at.join("-base.toml")).unwrap();
    assert!(base.contains("reason = \"-reason\""), "{base}");
    // Times of rows so short say nothing.
    fs::write(
        at.join("-base.toml"),
        base.replacen("\nlimit = 1.1\n", "\nlimit = 1000.0\n", 1),
    )
    .unwrap();
    let ran = ci(at, "regress.sh", &names);
    assert_eq!(ran.code, 0, "{}{}", ran.out, ran.err);
    assert!(ran.out.contains("answers: ok"), "{}", ran.out);
    for file in ["regress/samples.csv", "report.html"] {
        assert!(at.join("-o3").join(file).exists(), "{file}");
    }
}

#[test]
fn the_scripts_say_where_the_command_is_missing() {
    let folder = tempfile::tempdir().unwrap();
    for script in [
        "regress.sh",
        "which.sh",
        "inner-loops.sh",
        "update-baseline.sh",
    ] {
        let ran = ci(folder.path(), script, &[("ANTIPODE", "./no-such-antipode")]);
        assert_eq!((ran.code, ran.err.lines().count()), (2, 1), "{}", ran.err);
        for said in [script, "./no-such-antipode", "ANTIPODE=PATH"] {
            assert!(ran.err.contains(said), "'{}' lacks '{said}'", ran.err);
        }
    }
    assert_eq!(fs::read_dir(folder.path()).unwrap().count(), 0);
}
