//! Benchmarks of a library that does a known amount of work: a planted slowdown, a planted
//! wrong answer that is faster, and rows that pass their limits.
//!
//! Nothing here asserts a time. The verdicts rest on ratios of processor time taken in the same
//! rounds. At eight samples per row, on a machine with four times as many processes as cores, two
//! equal rows differed by 1 % and the planted fifth came out as 1.19 to 1.20.

use std::fs;
use std::path::{Path, PathBuf};

use serde_json::Value;

use crate::make::{antipode, c, scratch};

const BURN: &str = "harness/cli/tests/faulty_plugins/burn.c";

/// Builds the library into a test's own folder; "tried" does that percentage of the work.
fn burn(folder: &str, percent: u32) -> PathBuf {
    let define = format!("-DPERCENT={percent}");
    c(
        BURN,
        &["-std=gnu99", "-O1", &define],
        &format!("{folder}/burn.so"),
    )
}

/// A fresh folder with the library and a suite of rows.
fn prepared(name: &str, samples: u32, rows: &str) -> PathBuf {
    let folder = scratch(name);
    let _ = fs::remove_dir_all(&folder);
    fs::create_dir_all(&folder).expect("a folder");
    burn(name, 100);
    let head = format!("[suite]\nname = \"burn\"\nsamples = {samples}\nplugins = [\"burn.so\"]\n");
    fs::write(folder.join("suite.toml"), head + rows).expect("a suite");
    folder
}

fn row(name: &str, more: &str) -> String {
    format!(
        "[[row]]\nname = \"{name}\"\ninstance = \"burn/small\"\nvariant = \"{name}\"\nengine = \"hash\"\n{more}\n"
    )
}

fn ran(folder: &Path, arguments: &[&str]) -> (i32, String, String) {
    let output = antipode().current_dir(folder).args(arguments).output();
    let output = output.expect("antipode runs");
    let text = |bytes: Vec<u8>| String::from_utf8(bytes).expect("UTF-8");
    let code = output.status.code().unwrap_or(-1);
    (code, text(output.stdout), text(output.stderr))
}

/// Makes the baseline of the folder's suite.
fn update(folder: &Path, more: &[&str]) {
    let update = ["regress", "--baseline", "baseline.toml", "--update"];
    let of = ["--suite", "suite.toml", "--reason", "as it was"];
    let made = ran(folder, &[&update[..], &of, more].concat());
    assert_eq!(made.0, 0, "{}{}", made.1, made.2);
}

#[test]
fn a_slowdown_of_a_fifth_is_caught() {
    let rows = row("reference", "self = true") + &row("tried", "");
    let folder = prepared("bench_slowdown", 8, &rows);
    update(&folder, &["--reference", "reference"]);
    let unchanged = ran(&folder, &["regress", "--baseline", "baseline.toml"]);
    assert_eq!(unchanged.0, 0, "{}{}", unchanged.1, unchanged.2);
    burn("bench_slowdown", 120);
    let slower = ran(
        &folder,
        &[
            "regress",
            "--baseline",
            "baseline.toml",
            "--out",
            "slower",
            "--format",
            "json",
        ],
    );
    assert_eq!(slower.0, 1, "{}{}", slower.1, slower.2);
    let found: Value = serde_json::from_str(&slower.1).expect("JSON");
    let findings = found["findings"].as_array().expect("findings");
    assert_eq!(findings.len(), 1, "{found:#}");
    assert_eq!(
        (&findings[0]["check"], &findings[0]["row"]),
        (&"time".into(), &"tried".into())
    );
    assert_eq!(found["times"][0]["verdict"], "slower");
    assert!(folder.join("slower/regress.csv").exists());
}

/// Both executables load the same library: compared with it, nothing would ever be slower.
#[test]
fn a_library_is_not_held_against_itself_in_a_second_executable() {
    let rows = row("reference", "self = true") + &row("tried", "");
    let folder = prepared("bench_same_library", 8, &rows);
    update(&folder, &["--reference", "reference"]);
    burn("bench_same_library", 140);
    let this = env!("CARGO_BIN_EXE_antipode");
    let gate = ["regress", "--baseline", "baseline.toml", "--against", this];
    let slower = ran(&folder, &[&gate[..], &["--out", "out"]].concat());
    assert_eq!(slower.0, 1, "{}{}", slower.1, slower.2);
    assert!(
        slower
            .1
            .contains("times are ratios to reference, whose own time is not judged"),
        "{}",
        slower.1
    );
    // A page names these ratios as what they are, and ranks nothing by them.
    let page = ran(&folder, &["report", "out", "--out", "page"]);
    assert_eq!(page.0, 0, "{}", page.2);
    let page = fs::read_to_string(folder.join("page/report.html")).expect("a page");
    assert!(page.contains("reference, over the ratio of the baseline"));
}

#[test]
fn samples_of_another_build_of_a_library_are_not_judged() {
    let rows = row("reference", "") + &row("tried", "");
    let folder = prepared("bench_rebuilt", 6, &rows);
    update(&folder, &["--limit", "1000"]);
    let gate = ["regress", "--baseline", "baseline.toml", "--out", "out"];
    let first = ran(&folder, &gate);
    assert_eq!(first.0, 0, "{}{}", first.1, first.2);
    burn("bench_rebuilt", 130);
    let other = ran(&folder, &gate);
    assert_eq!(other.0, 2, "{}{}", other.1, other.2);
    assert!(other.2.contains("a library differs"), "{}", other.2);
    let other = ran(&folder, &["bench", "suite.toml", "--out", "out"]);
    assert_eq!(other.0, 2, "{}{}", other.1, other.2);
}

/// A slow run proves nothing: times of two machines are not compared.
#[test]
fn a_row_that_runs_out_of_time_is_not_reached() {
    let rows = row("reference", "") + &row("tried", "timeout = \"2s\"");
    let folder = prepared("bench_too_slow", 6, &rows);
    update(&folder, &["--limit", "1000"]);
    burn("bench_too_slow", 1_000_000);
    let slow = ran(&folder, &["regress", "--baseline", "baseline.toml"]);
    assert_eq!(slow.0, 4, "{}{}", slow.1, slow.2);
    assert!(
        slow.1.contains("times of 0 of 1 row judged") && slow.1.contains("killed after 2s"),
        "{}",
        slow.1
    );
}

#[test]
fn a_wrong_answer_is_no_improvement_however_fast() {
    let rows = row("reference", "") + &row("hasty", "");
    let folder = prepared("bench_hasty", 2, &rows);
    let (code, out, err) = ran(
        &folder,
        &["bench", "suite.toml", "--out", "out", "--format", "json"],
    );
    assert_eq!(code, 3, "{out}{err}");
    let found: Value = serde_json::from_str(&out).expect("JSON");
    for sample in found["samples"].as_array().expect("samples") {
        let wrong = sample["row"] == "hasty";
        assert_eq!(
            sample["status"],
            if wrong { "wrong" } else { "ok" },
            "{sample}"
        );
        assert_eq!(sample["answer"] == sample["expected"], !wrong, "{sample}");
    }
    let (code, out, err) = ran(
        &folder,
        &[
            "compare",
            "reference",
            "hasty",
            "--results",
            "out",
            "--format",
            "json",
        ],
    );
    assert_eq!(code, 3, "{out}{err}");
    let found: Value = serde_json::from_str(&out).expect("JSON");
    assert_eq!(found["comparisons"][0]["verdict"], "wrong");
    assert_eq!(found["comparisons"][0]["ratio"], Value::Null);
    assert!(
        found["comparisons"][0]["detail"]
            .as_str()
            .expect("a detail")
            .contains("b is wrong")
    );
}

/// A library that breaks its promises is reported at its place in the suite, and is not bad input.
#[test]
fn a_library_that_lies_is_told_at_its_place() {
    let folder = prepared("bench_lie", 2, &row("reference", ""));
    c(
        "harness/cli/tests/faulty_plugins/ring.c",
        &["-std=gnu99", "-DLIE_BATCH"],
        "bench_lie/burn.so",
    );
    let (code, out, err) = ran(&folder, &["bench", "suite.toml", "--out", "out"]);
    assert_eq!((code, out.as_str()), (3, ""), "{err}");
    let place = "suite.toml, line 4, column 12: plugins: ";
    assert!(err.contains(place), "'{err}' lacks '{place}'");
    assert!(
        err.contains("fails the check batches-do-not-matter"),
        "{err}"
    );
}

#[test]
fn rows_that_pass_a_limit_stay_in_the_table_and_say_so() {
    let large = |name: &str, engine: &str, more: &str| {
        format!(
            "[[row]]\nname = \"{name}\"\ninstance = \"burn/large\"\nengine = \"{engine}\"\n{more}\n"
        )
    };
    let rows = row("reference", "")
        + &large("long", "reference", "timeout = \"300ms\"")
        // One engine also keeps to a limit by itself; both are watched.
        + &large("large", "hash", "memory = \"1KiB\"")
        + &large("watched", "reference", "memory = \"1MiB\"");
    let folder = prepared("bench_limits", 2, &rows);
    let (code, out, err) = ran(
        &folder,
        &["bench", "suite.toml", "--out", "out", "--format", "json"],
    );
    assert_eq!(code, 4, "{out}{err}");
    let found: Value = serde_json::from_str(&out).expect("JSON");
    let samples = found["samples"].as_array().expect("samples");
    let of = |name: &str| -> Vec<&str> {
        let mine = samples.iter().filter(|sample| sample["row"] == name);
        mine.filter_map(|sample| sample["status"].as_str())
            .collect()
    };
    assert_eq!(of("reference"), ["ok", "ok"]);
    assert_eq!(of("long"), ["timeout", "skipped"]);
    assert_eq!(of("large"), ["memory", "skipped"]);
    assert_eq!(of("watched"), ["memory", "skipped"]);
    let detail = |name: &str| {
        let first = samples.iter().find(|sample| sample["row"] == name);
        first
            .and_then(|sample| sample["detail"].as_str())
            .unwrap_or_default()
            .to_owned()
    };
    assert!(
        detail("long").contains("killed after 300ms"),
        "{}",
        detail("long")
    );
    assert!(
        detail("watched").contains("more than its 1.00 MiB"),
        "{}",
        detail("watched")
    );
    assert!(detail("large").contains("memory"), "{}", detail("large"));
    // Nothing is left to do, and nothing is done.
    let before = fs::read(folder.join("out/samples.csv")).expect("samples");
    let (code, _, _) = ran(&folder, &["bench", "suite.toml", "--out", "out"]);
    assert_eq!(code, 4);
    assert_eq!(
        fs::read(folder.join("out/samples.csv")).expect("samples"),
        before
    );
}
