//! Benchmarks of a library that does a known amount of work: a planted slowdown, a planted
//! wrong answer that is faster, and rows that pass their limits.
//!
//! Nothing here asserts a time. The verdicts rest on ratios of processor time taken in the same
//! rounds. At eight samples per row, on a machine with four times as many processes as cores, two
//! equal rows differed by 1 % and the planted fifth came out as 1.19 to 1.20.

use std::fs;
use std::path::{Path, PathBuf};

use serde_json::Value;

use crate::make::{c, scratch};
use crate::support::{Ran, Text, read, runs, suite};

const BURN: &str = "harness/cli/tests/faulty_plugins/burn.c";

/// Builds the library into a test's own folder; "tried" does that percentage of the work.
fn burn(folder: &str, percent: u32) {
    let define = format!("-DPERCENT={percent}");
    let arguments = ["-std=gnu99", "-O1", &define];
    c(BURN, &arguments, &format!("{folder}/burn.so"));
}

/// A fresh folder with the library and a suite of rows.
fn prepared(name: &str, samples: u32, rows: &[(&str, &str)]) -> PathBuf {
    let folder = scratch(name);
    let _ = fs::remove_dir_all(&folder);
    fs::create_dir_all(&folder).expect("a folder");
    burn(name, 100);
    let head = format!("name = \"burn\"; samples = {samples}; plugins = [\"burn.so\"]");
    fs::write(folder.join("suite.toml"), suite(&head, rows)).expect("a suite");
    folder
}

/// Rows by variants.
const REFERENCE: (&str, &str) = (
    "reference",
    "instance = \"burn/small\"; variant = \"reference\"; engine = \"hash\"",
);
const TRIED: (&str, &str) = (
    "tried",
    "instance = \"burn/small\"; variant = \"tried\"; engine = \"hash\"",
);

/// Makes the baseline of the folder's suite.
fn update(folder: &Path, more: &str) {
    let update = format!("--update --suite suite.toml --reason first {more}");
    gate(folder, &update).ended(0);
}

fn gate(folder: &Path, more: &str) -> Ran {
    runs(folder, &format!("regress --baseline baseline.toml {more}"))
}

#[test]
fn a_slowdown_of_a_fifth_is_caught() {
    let own = format!("{}; self = true", REFERENCE.1);
    let folder = prepared("bench_slowdown", 8, &[("reference", &own), TRIED]);
    update(&folder, "--reference reference");
    gate(&folder, "").ended(0);
    burn("bench_slowdown", 120);
    let found = gate(&folder, "--out slower --format json").ended(1).json();
    let findings = found["findings"].as_array().expect("findings");
    assert_eq!(findings.len(), 1, "{found:#}");
    let place = (&findings[0]["check"], &findings[0]["row"]);
    assert_eq!(place, (&"time".into(), &"tried".into()));
    assert_eq!(found["times"][0]["verdict"], "slower");
    assert!(folder.join("slower/regress.csv").exists());
}

/// Both executables load the same library: compared with it, nothing would ever be slower.
#[test]
fn a_library_is_not_held_against_itself_in_a_second_executable() {
    let own = format!("{}; self = true", REFERENCE.1);
    let folder = prepared("bench_same_library", 8, &[("reference", &own), TRIED]);
    update(&folder, "--reference reference");
    burn("bench_same_library", 140);
    let this = env!("CARGO_BIN_EXE_antipode");
    let slower = gate(&folder, &format!("--against {this} --out out")).ended(1);
    slower
        .out
        .has(["times are ratios to reference, whose own time is not judged"]);
    // A page names these ratios as what they are, and ranks nothing by them.
    runs(&folder, "report out --out page").ended(0);
    let page = read(folder.join("page/report.html"));
    page.has(["reference, over the ratio of the baseline"]);
}

#[test]
fn samples_of_another_build_of_a_library_are_not_judged() {
    let folder = prepared("bench_rebuilt", 6, &[REFERENCE, TRIED]);
    update(&folder, "--limit 1000");
    gate(&folder, "--out out").ended(0);
    burn("bench_rebuilt", 130);
    gate(&folder, "--out out")
        .ended(2)
        .err
        .has(["a library differs"]);
    runs(&folder, "bench suite.toml --out out").ended(2);
}

/// A slow run proves nothing: times of two machines are not compared.
#[test]
fn a_row_that_runs_out_of_time_is_not_reached() {
    let tried = format!("{}; timeout = \"2s\"", TRIED.1);
    let folder = prepared("bench_too_slow", 6, &[REFERENCE, ("tried", &tried)]);
    update(&folder, "--limit 1000");
    burn("bench_too_slow", 1_000_000);
    let slow = gate(&folder, "").ended(4);
    slow.out
        .has(["times of 0 of 1 row judged", "killed after 2s"]);
}

#[test]
fn a_wrong_answer_is_no_improvement_however_fast() {
    let hasty = TRIED.1.replace("tried", "hasty");
    let folder = prepared("bench_hasty", 2, &[REFERENCE, ("hasty", &hasty)]);
    let found = runs(&folder, "bench suite.toml --out out --format json")
        .ended(3)
        .json();
    for sample in found["samples"].as_array().expect("samples") {
        let wrong = sample["row"] == "hasty";
        assert_eq!(
            sample["status"],
            if wrong { "wrong" } else { "ok" },
            "{sample}"
        );
        assert_eq!(sample["answer"] == sample["expected"], !wrong, "{sample}");
    }
    let compare = "compare reference hasty --results out --format json";
    let found = &runs(&folder, compare).ended(3).json()["comparisons"][0];
    assert_eq!(found["verdict"], "wrong");
    assert_eq!(found["ratio"], Value::Null);
    found["detail"]
        .as_str()
        .expect("a detail")
        .has(["hasty: wrong: "]);
}

/// A library that breaks its promises is reported at its place in the suite, and is not bad input.
#[test]
fn a_library_that_lies_is_told_at_its_place() {
    let folder = prepared("bench_lie", 2, &[REFERENCE]);
    let ring = "harness/cli/tests/faulty_plugins/ring.c";
    c(ring, &["-std=gnu99", "-DLIE_BATCH"], "bench_lie/burn.so");
    let ran = runs(&folder, "bench suite.toml --out out").ended(3);
    assert_eq!(ran.out, "", "{}", ran.err);
    ran.err.has([
        "suite.toml, line 5, column 12: plugins: ",
        "fails the check batches-do-not-matter",
    ]);
}

#[test]
fn rows_that_pass_a_limit_stay_in_the_table_and_say_so() {
    let large = |keys: &str| format!("instance = \"burn/large\"; {keys}");
    // One engine also keeps to a limit by itself; both are watched.
    let keys = [
        "engine = \"reference\"; timeout = \"300ms\"",
        "engine = \"hash\"; memory = \"1KiB\"",
        "engine = \"reference\"; memory = \"1MiB\"",
    ];
    let [long, by_hash, watched] = keys.map(large);
    let rows = [
        REFERENCE,
        ("long", &*long),
        ("large", &by_hash),
        ("watched", &watched),
    ];
    let folder = prepared("bench_limits", 2, &rows);
    let found = runs(&folder, "bench suite.toml --out out --format json")
        .ended(4)
        .json();
    let samples = found["samples"].as_array().expect("samples");
    for (name, status, detail) in [
        ("reference", ["ok", "ok"], ""),
        ("long", ["timeout", "skipped"], "killed after 300ms"),
        ("large", ["memory", "skipped"], "memory"),
        ("watched", ["memory", "skipped"], "more than its 1.00 MiB"),
    ] {
        let mine = samples.iter().filter(|sample| sample["row"] == name);
        let mine: Vec<&Value> = mine.collect();
        let found: Vec<&Value> = mine.iter().map(|sample| &sample["status"]).collect();
        assert_eq!(found, status, "{name}");
        mine[0]["detail"].as_str().unwrap_or_default().has([detail]);
    }
    // Nothing is left to do, and nothing is done.
    let samples = || read(folder.join("out/samples.csv"));
    let before = samples();
    runs(&folder, "bench suite.toml --out out").ended(4);
    assert_eq!(samples(), before);
}
