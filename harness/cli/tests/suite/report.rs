//! `report` on the files of the other commands, and the marked tables of the README.

use std::fs;
use std::path::Path;

use antipode_reports::report::splice::{columns, marked};

use crate::support::run_in;

fn written(folder: &Path, args: &[&str]) {
    let ran = run_in(folder, args);
    assert!(matches!(ran.code, 0 | 4), "{args:?}: {}", ran.err);
}

#[test]
fn results_of_the_verbs_become_one_page() {
    let folder = tempfile::tempdir().unwrap();
    let here = folder.path();
    let few = ["--set", "grey=0", "--set", "blue=0"];
    let run = [&["analyse", "tilt/box", "--out", "all/run"][..], &few].concat();
    written(here, &run);
    let board = "#.##./...../..O../g..../b....";
    written(
        here,
        &["solve", "tilt/box", "--board", board, "--out", "all/solve"],
    );
    written(
        here,
        &["certify", "tilt-a1-transpose", "--out", "all/certify"],
    );
    written(here, &["report", "all"]);
    let page = fs::read_to_string(here.join("antipode-report/report.html")).unwrap();
    for needle in [
        "tilt/box with blue 0, grey 0",
        "tilt-a1-transpose",
        "15 moves",
        "<svg class=\"board\"",
    ] {
        assert!(page.contains(needle), "{needle}");
    }
    // The page is no result: a second one over the same folder is the same except for its time.
    written(here, &["report", "all", "--out", "all"]);
    written(here, &["report", "all", "--out", "all"]);
}

#[test]
fn a_readme_takes_its_tables_from_the_folder() {
    let folder = tempfile::tempdir().unwrap();
    let here = folder.path();
    written(here, &["certify", "tilt-a1-transpose", "--out", "all"]);
    let readme = "# Mine\n<!-- antipode:table verdicts -->\n<!-- antipode:end -->\n";
    fs::write(here.join("README.md"), readme).unwrap();
    let ran = run_in(here, &["report", "all", "--splice", "README.md"]);
    assert_eq!(
        (ran.code, ran.out.as_str()),
        (0, "README.md: 1 table renewed\n")
    );
    let text = fs::read_to_string(here.join("README.md")).unwrap();
    assert!(
        text.contains("| tilt | 0 | 0 | 0 | 0 | 0 | 0 | 0 | 1 | 1 of 1 |"),
        "{text}"
    );
    assert!(!here.join("antipode-report").exists());
}

#[test]
fn bad_input_is_one_line_and_leaves_the_readme() {
    let folder = tempfile::tempdir().unwrap();
    let here = folder.path();
    fs::create_dir(here.join("empty")).unwrap();
    fs::create_dir(here.join("damaged")).unwrap();
    fs::write(here.join("damaged/run.json"), "{\"schema\": 99}").unwrap();
    fs::create_dir(here.join("good")).unwrap();
    let zeros = "0".repeat(32);
    fs::write(
        here.join("good/levels.csv"),
        format!("depth,states,orbits,digest\n0,1,1,{zeros}\n"),
    )
    .unwrap();
    fs::create_dir(here.join("begun")).unwrap();
    fs::write(
        here.join("begun/samples.csv"),
        antipode_reports::model::columns::<antipode_reports::bench::Sample>().join(",") + "\n",
    )
    .unwrap();
    let readme = "<!-- antipode:table whch -->\n<!-- antipode:end -->\n";
    fs::write(here.join("README.md"), readme).unwrap();
    for (args, needle) in [
        (&["report", "empty"][..], "nothing to report in empty"),
        (&["report", "absent"], "absent: it does not exist"),
        (&["report", "README.md"], "it is a file"),
        (&["report", "damaged"], "schema 99"),
        (
            &["report", "begun"],
            "begun/samples.csv, line 1: no row follows the header",
        ),
        (
            &["report", "good", "--splice", "README.md"],
            "README.md, line 1: no table is called \"whch\"",
        ),
        (&["report", "good", "--splice", "none.md"], "none.md"),
        (
            &["report", "good", "--out", "good/page.html"],
            "--out good/page.html: it names a folder, and the files in it have names of their own; give --out good",
        ),
        (&["report"], "DIR"),
    ] {
        let ran = run_in(here, args);
        assert_eq!(ran.code, 2, "{args:?} {}", ran.err);
        assert_eq!(
            (ran.out.as_str(), ran.err.lines().count()),
            ("", 1),
            "{args:?} {}",
            ran.err
        );
        assert!(ran.err.contains(needle), "'{}' lacks '{needle}'", ran.err);
    }
    assert_eq!(fs::read_to_string(here.join("README.md")).unwrap(), readme);
    assert!(!here.join("antipode-report").exists());
}

/// Marked tables in this repository have the columns and rows that the results give them. A table
/// changed by hand, or made by an older version, fails here.
#[test]
fn marked_tables_of_this_repository_are_not_stale_in_form() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../..");
    assert!(!instances_of_the_matrix(&root).is_empty());
    for file in ["README.md", "BENCHMARKS.md", "ci/README.md"] {
        let Ok(text) = fs::read_to_string(root.join(file)) else {
            continue;
        };
        let tables =
            marked(&text).unwrap_or_else(|(line, reason)| panic!("{file}, line {line}: {reason}"));
        for table in tables {
            let place = format!("{file}, line {}, {}", table.line, table.name);
            assert_eq!(
                table.columns(),
                columns(table.name),
                "{place}: stale; antipode report DIR --splice {file}"
            );
            // A question is named once, above its solvers.
            let rows: Vec<String> = table
                .rows()
                .into_iter()
                .filter(|row| !row.is_empty())
                .collect();
            assert!(!rows.is_empty(), "{place}: empty");
            let mut once = rows.clone();
            once.sort();
            once.dedup();
            if table.name == "which" {
                assert_eq!(once.len(), rows.len(), "{place}: a question stands twice");
                // A question of the suite that has no row was added since.
                for instance in instances_of_the_matrix(&root) {
                    let known = rows.iter().any(|row| row.contains(&instance));
                    assert!(known, "{place}: no row on {instance}; run ci/which.sh");
                }
            }
        }
    }
}

/// Instances of ci/suites/matrix.toml whose rows leave a choice of rules or engine.
fn instances_of_the_matrix(root: &Path) -> Vec<String> {
    let text = fs::read_to_string(root.join("ci/suites/matrix.toml")).unwrap();
    let suite: toml::Table = text.parse().unwrap();
    let rows = suite["row"].as_array().unwrap();
    let choice = |row: &&toml::Value| {
        let several = |key: &str| {
            row.get(key)
                .is_some_and(|v| v.is_array() || v.as_str() == Some("all"))
        };
        several("variant") || several("engine")
    };
    let instances: Vec<String> = rows
        .iter()
        .filter(choice)
        .filter_map(|row| row["instance"].as_str().map(str::to_owned))
        .collect();
    assert!(instances.len() >= 4, "{instances:?}");
    instances
}
