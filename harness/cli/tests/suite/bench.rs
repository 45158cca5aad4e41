//! `bench`, `compare` and `regress` from outside: what is recorded, how a stopped run resumes, how
//! baselines are kept, and what is refused.

use std::collections::BTreeMap;
use std::fs;
use std::path::Path;

use antipode_reports::bench::{Sample, Status, read_folder};
use serde_json::Value;
use tempfile::TempDir;

use crate::support::run_in;

const SMALL: &str = r#"
[suite]
name = "small"
samples = 3

[[row]]
name = "tilt"
instance = "tilt/box"
set = { grey = 0, blue = "0..1" }
variant = "all"
engine = "all"

[[row]]
name = "two"
instance = "tilt/box"
set = { grey = 0, blue = "0..1" }
engine = "dense"
threads = [1, 2]

[[row]]
name = "path"
verb = "solve"
instance = "tilt/card-7"
"#;

pub(crate) fn folder(suite: &str) -> TempDir {
    let folder = tempfile::tempdir().unwrap();
    fs::write(folder.path().join("suite.toml"), suite).unwrap();
    folder
}

pub(crate) fn samples(folder: &Path) -> Vec<Sample> {
    read_folder(folder).unwrap()
}

/// The row and number of samples, in their order.
fn order(samples: &[Sample]) -> Vec<(String, u32)> {
    samples.iter().map(|s| (s.row.clone(), s.sample)).collect()
}

#[test]
fn every_row_is_measured_checked_and_counted_and_a_stopped_run_goes_on() {
    let folder = folder(SMALL);
    let out = folder.path().join("out");
    let ran = run_in(folder.path(), &["bench", "suite.toml", "--out", "out"]);
    assert_eq!(ran.code, 0, "{}{}", ran.out, ran.err);
    let all = samples(&out);
    let mut by_row: BTreeMap<&str, Vec<&Sample>> = BTreeMap::new();
    for sample in &all {
        by_row.entry(&sample.row).or_default().push(sample);
    }
    // Two variants on six engines, one of which the reference does not offer; two thread counts; a
    // path; and the first row again, against itself.
    assert_eq!(by_row.len(), 16, "{:?}", by_row.keys());
    let refused = by_row.remove("tilt/reference/sweep").unwrap();
    assert_eq!((refused.len(), refused[0].status), (1, Status::Refused));
    assert!(
        refused[0].detail.contains("no inner loop"),
        "{}",
        refused[0].detail
    );
    for (row, mine) in &by_row {
        assert_eq!(mine.len(), 3, "{row}");
        assert!(
            mine.iter()
                .all(|s| s.status == Status::Ok && s.answer == s.expected),
            "{row}"
        );
        assert!(
            mine.iter()
                .all(|s| s.wall_s > Some(0.0) && s.cpu_s >= Some(0.0)),
            "{row}"
        );
        let counters = |s: &Sample| (s.states, s.generated, s.read_bytes, s.written_bytes);
        assert!(
            mine.iter().all(|s| counters(s) == counters(mine[0])),
            "{row}"
        );
    }
    let counted = |row: &str| (by_row[row][0].states, by_row[row][0].generated);
    // Counters depend neither on threads nor on the implementation of the rules.
    assert_eq!(counted("two/1"), counted("two/2"));
    assert_eq!(
        counted("tilt/bitboard/hash"),
        counted("tilt/reference/hash")
    );
    // Neither engine reduces by symmetry, and both list every move of every state.
    assert_eq!(
        counted("tilt/bitboard/dense"),
        counted("tilt/bitboard/reference")
    );
    assert!(counted("tilt/bitboard/hash").1 < counted("tilt/bitboard/dense").1);
    assert_eq!(counted("tilt/bitboard/sweep").1, None);
    assert_eq!(by_row["path"][0].answer, "length 15");
    assert_eq!(by_row["path"][0].engine, "solve");
    let run: Value = serde_json::from_slice(&fs::read(out.join("run.json")).unwrap()).unwrap();
    assert_eq!(run["complete"], true);
    assert_eq!(run["noise"].as_array().unwrap().len(), 2);

    // Nothing is left to do: nothing changes.
    let whole = fs::read_to_string(out.join("samples.csv")).unwrap();
    let again = run_in(folder.path(), &["bench", "suite.toml", "--out", "out"]);
    assert_eq!(again.code, 0, "{}", again.err);
    assert_eq!(fs::read_to_string(out.join("samples.csv")).unwrap(), whole);
    // A killed run leaves whole lines and a torn one, and no manifest yet.
    let lines: Vec<&str> = whole.lines().collect();
    let kept = lines.len() - 5;
    let torn = format!("{}\n{}", lines[..kept].join("\n"), &lines[kept][..30]);
    fs::write(out.join("samples.csv"), torn).unwrap();
    fs::remove_file(out.join("manifest.json")).unwrap();
    let again = run_in(folder.path(), &["bench", "suite.toml", "--out", "out"]);
    assert_eq!(again.code, 0, "{}", again.err);
    assert_eq!(order(&samples(&out)), order(&all));
    let text = fs::read_to_string(out.join("samples.csv")).unwrap();
    assert!(text.starts_with(&(lines[..kept].join("\n") + "\n")));
    // Another run does not mix with it.
    let other = run_in(
        folder.path(),
        &["bench", "suite.toml", "--out", "out", "--seed", "9"],
    );
    assert_eq!(other.code, 2);
    assert!(other.err.contains("the seed differs"), "{}", other.err);
    // A remark changes no row, and a row does.
    let suite = folder.path().join("suite.toml");
    fs::write(&suite, SMALL.to_owned() + "\n# more\n").unwrap();
    let same = run_in(folder.path(), &["bench", "suite.toml", "--out", "out"]);
    assert_eq!(same.code, 0, "{}", same.err);
    fs::write(&suite, SMALL.replacen("0..1", "0", 1)).unwrap();
    let other = run_in(folder.path(), &["bench", "suite.toml", "--out", "out"]);
    assert!(other.err.contains("the suite differs"), "{}", other.err);

    compares(folder.path());
}

/// Comparisons of the folder that was measured.
fn compares(folder: &Path) {
    let json_of = |args: &[&str], code: i32| -> Value {
        let ran = run_in(
            folder,
            &[
                &["compare"],
                args,
                &["--results", "out", "--format", "json"],
            ]
            .concat(),
        );
        assert_eq!(ran.code, code, "{}", ran.err);
        let mut found: serde_json::Value = serde_json::from_str(&ran.out).unwrap();
        found["comparisons"].take()
    };
    let json = |args: &[&str]| json_of(args, 0);
    let by_name = json(&["tilt/reference/hash", "tilt/bitboard/hash"]);
    assert_eq!(by_name.as_array().unwrap().len(), 1);
    assert_eq!(by_name[0]["pairs"], 3);
    assert!(by_name[0]["low"].as_f64() <= by_name[0]["ratio"].as_f64());
    // Three pairs cannot show anything at the level of 0.05, however different.
    assert_eq!(by_name[0]["verdict"], "undecided");
    assert!(by_name[0]["detail"].as_str().unwrap().contains("too few"));
    let by_variant = json(&["reference", "bitboard"]);
    // Five engines, dense again in another row, and the refused one.
    assert_eq!(by_variant.as_array().unwrap().len(), 7, "{by_variant}");
    let by_engine = json(&["hash", "dense"]);
    assert_eq!(by_engine.as_array().unwrap().len(), 3, "{by_engine}");
    // Nothing was compared; next to others that were, as above, it is a row of the table.
    let refused = json_of(&["tilt/bitboard/sweep", "tilt/reference/sweep"], 4);
    assert_eq!(refused[0]["verdict"], "refused");
    assert!(
        refused[0]["detail"]
            .as_str()
            .unwrap()
            .contains("b is refused")
    );
    let folders = json(&["out", "out"]);
    let ratios = folders
        .as_array()
        .unwrap()
        .iter()
        .filter_map(|one| one["ratio"].as_f64());
    assert!(ratios.clone().count() > 5 && ratios.into_iter().all(|ratio| ratio == 1.0));
    let apart = json_of(&["tilt/bitboard/hash", "path"], 4);
    assert_eq!(apart[0]["verdict"], "refused");
    let detail = apart[0]["detail"].as_str().unwrap();
    assert!(
        detail.contains("the rows answer different questions, so neither can be the faster: tilt/box blue=0..1 grey=0 backward; and tilt/card-7 path"),
        "{detail}"
    );
    let ran = run_in(
        folder,
        &["compare", "tilt/bitboard/hsh", "path", "--results", "out"],
    );
    assert_eq!(ran.code, 2);
    assert!(
        ran.err.contains("did you mean 'tilt/bitboard/hash'"),
        "{}",
        ran.err
    );
    let ran = run_in(folder, &["compare", "a", "b", "--results", "nowhere"]);
    assert_eq!((ran.code, ran.err.lines().count()), (2, 1), "{}", ran.err);
}

#[test]
fn one_sample_is_refused_with_the_reason() {
    let folder = folder(&SMALL.replace("samples = 3", "samples = 1"));
    let ran = run_in(folder.path(), &["bench", "suite.toml", "--out", "out"]);
    assert_eq!(ran.code, 0, "{}", ran.err);
    let ran = run_in(
        folder.path(),
        &["compare", "two/1", "two/2", "--results", "out"],
    );
    assert_eq!(ran.code, 4, "{}", ran.err);
    for text in [
        "refused",
        "one pair where at least two",
        "no noise band: row 'tilt/bitboard/reference' was measured against itself, but in 1 pair of good samples,",
    ] {
        assert!(ran.out.contains(text), "'{}' lacks '{text}'", ran.out);
    }
}

#[test]
fn a_suite_of_rows_that_cannot_run_reaches_nothing() {
    let (head, rows) = SMALL.split_once("[[row]]").unwrap();
    let row = rows.split_once("[[row]]").unwrap().0;
    let row = row.replace(
        "\"all\"\nengine = \"all\"",
        "\"reference\"\nengine = [\"sweep\"]",
    );
    let folder = folder(&format!("{head}[[row]]{row}"));
    let ran = run_in(folder.path(), &["bench", "suite.toml", "--out", "out"]);
    assert_eq!(ran.code, 4, "{}{}", ran.out, ran.err);
    assert!(ran.out.contains("refused"), "{}", ran.out);
}

#[test]
fn suites_with_faults_are_refused_with_line_and_column() {
    let refused = |from: &str, to: &str| {
        let text = SMALL.replacen(from, to, 1);
        assert_ne!(text, SMALL, "{from}");
        let folder = folder(&text);
        let ran = run_in(folder.path(), &["bench", "suite.toml"]);
        assert_eq!((ran.code, ran.err.lines().count()), (2, 1), "{}", ran.err);
        assert_eq!(fs::read_dir(folder.path()).unwrap().count(), 1);
        ran.err
    };
    let cases = [
        (
            "samples = 3",
            "sampels = 3",
            "line 4, column 1: no field 'sampels'; did you mean 'samples'?",
        ),
        (
            "samples = 3",
            "samples = 0",
            "line 4, column 11: 'samples' takes a whole number from 1",
        ),
        ("samples = 3", "samples = = 3", "line 4, column"),
        ("samples = 3", "warmups = 0", "has no 'expect'"),
        (
            "engine = \"dense\"",
            "engin = \"dense\"",
            "did you mean 'engine'?",
        ),
        (
            "engine = \"dense\"",
            "engine = \"dens\"",
            "no engine 'dens'; did you mean 'dense'?",
        ),
        (
            "\"tilt/box\"",
            "\"tilt/boxx\"",
            "line 8, column 12: no instance of tilt 'boxx'; did you mean 'box'?",
        ),
        (
            "\"tilt/box\"",
            "\"tlt/box\"",
            "no puzzle 'tlt'; did you mean 'tilt'?",
        ),
        (
            "variant = \"all\"",
            "variant = \"bitbord\"",
            "tilt has no variant 'bitbord'; did you mean 'bitboard'?",
        ),
        (
            "variant = \"all\"",
            "variant = []",
            "variant: an empty list; leave it out",
        ),
        (
            "threads = [1, 2]",
            "threads = [1, 0]",
            "from 1 to 1024, not 0",
        ),
        (
            "threads = [1, 2]",
            "timeout = \"soon\"",
            "write a time such as 30s",
        ),
        (
            "threads = [1, 2]",
            "memory = \"much\"",
            "write a number and a unit",
        ),
        (
            "threads = [1, 2]",
            "variant = \"reference\"\nto = \"A\"",
            "'to' says nothing with verb = \"analyse\"",
        ),
        (
            "name = \"two\"",
            "name = \"tilt\"",
            "a second row named 'tilt'",
        ),
        ("name = \"two\"", "name = \"a@self\"", "nor hold '@'"),
        (
            "name = \"small\"",
            "name = \"../../esc\"",
            "line 3, column 8: '../../esc' is no name of a suite: write letters",
        ),
        (
            "name = \"small\"",
            "name = \".small\"",
            "line 3, column 8: ",
        ),
        ("name = \"small\"", "name = \"\"", "line 3, column 8: "),
        (
            "samples = 3",
            "plugins = [3]",
            "line 4, column 12: 'plugins' takes a text",
        ),
        (
            "samples = 3",
            "plugins = [\"a.so\"]",
            "line 4, column 12: plugins: a.so: there is no such file",
        ),
        (
            "samples = 3",
            "plugins = \"suite.toml\"",
            "line 4, column 11: plugins: ",
        ),
        // The wrong value, and an example of a right one.
        (
            "instance = \"tilt/card-7\"",
            "instance = \"tilt/card-7\"\nfrom = \"zzz\"",
            "line 24, column 8: row 'path': tilt/card-7: 'zzz' is neither",
        ),
        (
            "instance = \"tilt/card-7\"",
            "instance = \"coin-sliding/5x7\"\nfrom = \"A\"\nto = \"??\"",
            "line 25, column 6: row 'path': coin-sliding: to=??: ",
        ),
        (
            "engine = \"dense\"",
            "engine = \"dense\"\nfrom = \"x/y\"",
            "line 18, column 8: row 'two/1': tilt/box: ",
        ),
        (
            "threads = [1, 2]",
            "direction = \"forward\"",
            "line 18, column 13: row 'two': tilt/box has no start of its own; write from = \"…\", a position, such as \"",
        ),
        (
            "blue = \"0..1\" }\nvariant",
            "blue = \"0..9\" }\nvariant",
            "line 9, column 26: row 'tilt",
        ),
        (
            "threads = [1, 2]",
            "to = \"A\"",
            "line 18, column 6: 'to' says nothing",
        ),
        (
            "verb = \"solve\"",
            "verb = \"slove\"",
            "no verb 'slove'; did you mean 'solve'?",
        ),
        ("grey = 0", "grey = 9", "row 'tilt"),
        // One combination, named by itself, that the engine cannot run.
        (
            "engine = \"dense\"\nthreads = [1, 2]",
            "engine = \"sweep\"\nvariant = \"reference\"",
            "no inner loop",
        ),
    ];
    for (from, to, fragment) in cases {
        let line = refused(from, to);
        assert!(
            line.contains("suite.toml, line") && line.contains(fragment),
            "{to}: {line}"
        );
    }
}

#[test]
fn figures_of_criterion_are_taken_in() {
    let folder = tempfile::tempdir().unwrap();
    let at = folder.path();
    let new = at.join("criterion/group/bench/new");
    fs::create_dir_all(&new).unwrap();
    let estimate = r#"{"confidence_interval":{"confidence_level":0.95,"lower_bound":9.0,"upper_bound":11.0},"point_estimate":10.0,"standard_error":0.5}"#;
    fs::write(
        new.join("estimates.json"),
        format!("{{\"mean\":{estimate},\"median\":{estimate}}}"),
    )
    .unwrap();
    let sample = r#"{"sampling_mode":"Linear","iters":[1.0,2.0,4.0],"times":[10.0,22.0,36.0]}"#;
    fs::write(new.join("sample.json"), sample).unwrap();
    let import = || run_in(at, &["bench", "--criterion", "criterion", "--out", "out"]);
    let ran = import();
    assert_eq!(ran.code, 0, "{}", ran.err);
    let all = samples(&at.join("out"));
    let values: Vec<Option<f64>> = all.iter().map(|sample| sample.value).collect();
    assert_eq!(values, [Some(10.0), Some(11.0), Some(9.0)]);
    assert!(
        all.iter()
            .all(|s| s.row == "group/bench" && s.metric == "criterion" && s.unit == "ns")
    );
    assert!(
        all[0].detail.contains("mean 10.000 ns, 9.000 to 11.000"),
        "{}",
        all[0].detail
    );
    assert!(import().err.contains("1 as they were"));
    let ran = run_in(at, &["bench", "--criterion", "out"]);
    assert_eq!(ran.code, 2);
    assert!(ran.err.contains("run `cargo bench` first"), "{}", ran.err);
}

/// Rows of other programs: right if they print the expected answer, refused if there is no such
/// program. They do not decide the expected answers of our own rows.
#[test]
fn rows_of_other_programs_are_timed_where_they_are_right() {
    let row = |name: &str, keys: &str| {
        format!(
            "[[row]]\nname = \"{name}\"\ninstance = \"tilt/card-7\"\nverb = \"solve\"\n{keys}\n"
        )
    };
    let command = |name: &str, program: &str, text: &str, expect: &str| {
        let command = format!("command = [\"{program}\", \"found {text}\"]\nexpect = \"{expect}\"");
        row(name, &command)
    };
    let rows = [
        row("own", ""),
        command("right", "echo", "15 moves", "15 moves"),
        command("wrong", "echo", "14 moves", "15 moves"),
        command("missing", "./nobody", "", "15 moves"),
    ];
    let folder = folder(&format!(
        "[suite]\nname = \"others\"\nsamples = 2\n{}",
        rows.concat()
    ));
    let ran = run_in(folder.path(), &["bench", "suite.toml", "--out", "out"]);
    assert_eq!(ran.code, 3, "{}{}", ran.out, ran.err);
    let all = samples(&folder.path().join("out"));
    let of = |name: &str| {
        all.iter()
            .filter(|sample| sample.row == name)
            .collect::<Vec<_>>()
    };
    assert!(
        of("own")
            .iter()
            .all(|s| (s.status, &*s.answer) == (Status::Ok, "length 15"))
    );
    let right = of("right");
    assert_eq!((right.len(), &*right[0].engine), (2, "command"));
    assert!(
        right
            .iter()
            .all(|s| s.status == Status::Ok && s.answer == "15 moves")
    );
    assert!(
        of("wrong")
            .iter()
            .all(|s| s.status == Status::Wrong && s.answer == "found 14 moves")
    );
    let missing = of("missing");
    assert_eq!((missing.len(), missing[0].status), (1, Status::Refused));
    assert!(
        missing[0].detail.contains("no such program"),
        "{}",
        missing[0].detail
    );
    for (keys, why) in [
        ("command = [\"echo\"]\nexpect = \" \"", "leave 'expect' out"),
        ("command = []\nexpect = \"x\"", "PROGRAM"),
        (
            "command = [\"echo\"]\nexpect = \"x\"\nthreads = 2",
            "'threads' says nothing to another program",
        ),
    ] {
        let folder = crate::bench::folder(&format!("[suite]\nname = \"o\"\n{}", row("odd", keys)));
        let ran = run_in(folder.path(), &["bench", "suite.toml"]);
        assert_eq!((ran.code, ran.err.lines().count()), (2, 1), "{}", ran.err);
        assert!(ran.err.contains(why), "{}", ran.err);
    }
}
