//! Tables of samples and comparisons: written tables are read back, and others are refused in one
//! line.

use crate::sample::{cases, file, has, refused};
use antipode_reports::bench::{
    Comparison, ComparisonOutcome, SCHEMA, Sample, SampleLog, Status, check_rows, check_samples,
    read_folder, read_run, read_samples,
};
use antipode_reports::csv_in::read_rows;
use antipode_reports::csv_out::{write_rows, write_rows_to};
use antipode_reports::model::columns;
use std::fs;
use std::io::Write;

fn sample(row: &str, number: u32) -> Sample {
    Sample {
        schema: SCHEMA,
        suite: "small".into(),
        row: row.into(),
        group: "box".into(),
        puzzle: "tilt".into(),
        instance: "box".into(),
        settings: "blue=1;grey=2".into(),
        variant: "bitboard".into(),
        engine: "hash".into(),
        direction: "backward".into(),
        threads: 2,
        sample: number,
        position: 2 * number + 1,
        seed: u64::MAX,
        status: Status::Ok,
        answer: "00ff".into(),
        expected: "00ff".into(),
        wall_s: Some(0.1 + 0.2),
        cpu_s: Some(1.0 / 3.0),
        peak_bytes: Some(1 << 40),
        states: Some(u64::MAX),
        read_bytes: Some(0),
        version: "0.1.0".into(),
        build: "ab".into(),
        plugin_file: "a, \"b\".so".into(),
        processor: "Some, Processor".into(),
        load1: Some(0.25),
        started: "2026-01-01T00:00:00Z".into(),
        ..Sample::default()
    }
}

#[test]
fn samples_come_back_as_they_were_written() {
    let (_folder, path) = file("samples.csv");
    let mut failed = sample("other row", 1);
    failed.status = Status::Timeout;
    failed.detail = "killed after 2 s".into();
    (failed.wall_s, failed.states) = (None, None);
    let all = vec![sample("a", 0), failed];
    write_rows(&path, &all).unwrap();
    assert_eq!(read_samples(&path).unwrap(), all);
    let json = serde_json::to_string(&all[0]).unwrap();
    let back: Sample = serde_json::from_str(&json).unwrap();
    assert_eq!(back, all[0]);
}

#[test]
fn a_log_grows_and_goes_on_behind_a_torn_line() {
    let (_folder, path) = file("samples.csv");
    fs::write(&path, "schema,sui").unwrap();
    let (mut log, held) = SampleLog::open(&path).unwrap();
    assert_eq!(held, []);
    let mut first = sample("a", 0);
    first.detail = "two\nlines".into();
    log.append(&first).unwrap();
    drop(log);
    first.detail = "two lines".into();
    let torn = fs::read_to_string(&path).unwrap().lines().nth(1).unwrap()[..40].to_owned();
    let mut file = fs::OpenOptions::new().append(true).open(&path).unwrap();
    file.write_all(torn.as_bytes()).unwrap();
    drop(file);
    assert_eq!(read_samples(&path).unwrap(), [first.clone()]);
    let (mut log, held) = SampleLog::open(&path).unwrap();
    assert_eq!(held, [first.clone()]);
    log.append(&sample("a", 1)).unwrap();
    assert_eq!(read_samples(&path).unwrap(), [first, sample("a", 1)]);
}

#[test]
fn comparisons_come_back_as_they_were_written() {
    let (_folder, path) = file("comparison.csv");
    let all = [Comparison {
        ratio: Some(0.125),
        p: Some(1e-5),
        verdict: ComparisonOutcome::WithinNoise,
        detail: "one, two".into(),
        ..Comparison::open("reference".into(), "bitboard".into(), None, "cpu_s")
    }];
    write_rows(&path, &all).unwrap();
    assert_eq!(read_rows::<Comparison>(&path).unwrap(), all);
}

/// A text of a table of samples, another for it, and what the error says.
const OTHER_TABLES: &str = r#"
    ,cpu_s, | , | the column 'peak_bytes' where 'cpu_s' should stand
    ,cpu_s, | ,cpu_sec, | the column 'cpu_sec' where 'cpu_s' should stand
    ,unit\n | \n | lacks the column 'unit'
    ,unit\n | ,unit,more\n | one more column, 'more'; remove it
    ,backward,2,1, | ,backward,two,1, | line 3, column threads: "two" is no whole number
    ,ok, | ,okay, | line 2, column status: "okay" is not one of ok, wrong,
"#;

#[test]
fn other_tables_are_refused_with_their_line() {
    let (folder, path) = file("samples.csv");
    let bad = |text: &str, parts: &[&str]| {
        for text in [text, &text.replace('\n', "\r\n")] {
            fs::write(&path, text).unwrap();
            let error = refused(read_samples(&path), parts);
            assert!(error.len() < 250, "{error}");
        }
    };
    let mut text = Vec::new();
    write_rows_to(&mut text, &[sample("a", 0), sample("a", 1)]).unwrap();
    let good = String::from_utf8(text).unwrap();
    for [from, to, said] in cases(OTHER_TABLES) {
        has(&good, &[&from]);
        bad(&good.replace(&from, &to), &[&said]);
    }
    bad(
        "a,b\n1,2\n",
        &["line 1: the header has the column 'a' where 'schema'"],
    );
    bad("schema,old\n0,2\n", &["of schema 0", "reads schema 1"]);
    let none = folder.path().join("none.csv");
    refused(read_samples(none), &["none.csv"]);
}

/// Cells of a table by column and the expected error: values that no run can have written.
#[test]
fn samples_that_contradict_themselves_are_refused_by_column() {
    let (_folder, path) = file("samples.csv");
    let odd = |change: &dyn Fn(&mut Sample), column: &str, said: &str| {
        let mut odd = sample("b", 0);
        change(&mut odd);
        write_rows(&path, &[sample("a", 0), odd]).unwrap();
        let place = format!("samples.csv, line 3, column {column}: ");
        let read = refused(read_samples(&path), &[&place, said, "; remove the line"]);
        let logged = SampleLog::open(&path).unwrap_err().to_string();
        assert_eq!(read, logged);
    };
    let least = "a finite number of at least 0";
    for bad in [-1.0, f64::NAN, f64::INFINITY, f64::NEG_INFINITY, -1e-9] {
        odd(&|s| s.wall_s = Some(bad), "wall_s", least);
        odd(&|s| s.cpu_s = Some(bad), "cpu_s", least);
        odd(&|s| s.load1 = Some(bad), "load1", least);
        let imported = |s: &mut Sample| (s.metric, s.value) = ("criterion".into(), Some(bad));
        odd(&imported, "value", least);
    }
    for time in [1e300, 1e10, 1e-300, f64::MIN_POSITIVE] {
        odd(&|s| s.wall_s = Some(time), "wall_s", "for that long");
        odd(&|s| s.cpu_s = Some(time), "cpu_s", "for that long");
    }
    let other = "status is ok, but the answer is abc where 00ff was expected";
    odd(&|s| s.answer = "abc".into(), "answer", other);
    odd(&|s| s.answer.clear(), "answer", "there is no answer");
    let nothing = "where nothing was expected";
    odd(&|s| s.expected.clear(), "answer", nothing);
    odd(&|s| s.cpu_s = None, "cpu_s", "there is no time");
    let right = "is the expected one";
    odd(&|s| s.status = Status::Wrong, "status", right);
    odd(&|s| s.metric = "criterion".into(), "value", "no figure");
    let counted = |s: &mut Sample| {
        (s.metric, s.value) = ("instructions".into(), Some(7.0));
        s.answer = "abc".into();
    };
    odd(&counted, "answer", "where 00ff was expected");
    let again = "sample 0 of row 'a' stands on line 2 already";
    odd(&|s| s.row = "a".into(), "sample", again);
}

#[test]
fn a_time_of_zero_and_a_figure_of_a_known_row_are_samples() {
    let (_folder, path) = file("samples.csv");
    let mut short = sample("a", 0);
    (short.wall_s, short.cpu_s) = (Some(0.0), Some(0.0));
    let mut long = sample("a", 1);
    (long.wall_s, long.cpu_s) = (Some(604_800.0), Some(1024.0 * 604_800.0));
    let mut quick = sample("a", 2);
    quick.wall_s = Some(std::time::Duration::from_nanos(1).as_secs_f64());
    let mut counted = sample("a", 0);
    (counted.metric, counted.value) = ("instructions".into(), Some(7.0));
    let all = [short, long, quick, counted];
    write_rows(&path, &all).unwrap();
    assert_eq!(read_samples(&path).unwrap(), all);
}

/// The run of which [`sample`] makes samples, as JSON.
const RUN: &str = r#"{"schema":1,"suite":"small","suite_blake3":"","seed":18446744073709551615,
"samples":3,"warmups":1,"executable":{"file":"antipode","version":"0.1.0","blake3":"ab"},
"against":{"file":"old","version":"0.0.9","blake3":"cd"},
"host":{"os":"linux","arch":"x86_64","cpu":"Some, Processor","cores":2},
"command":[],"started":"","ended":"","complete":true,"noise":[],"warnings":[]}"#;

#[test]
fn samples_of_another_run_are_refused() {
    let (folder, table) = file("samples.csv");
    let mut against = sample("a@against", 2);
    against.build = "cd".into();
    let good = [sample("a", 0), against, sample("a", 2)];
    write_rows(&table, &good).unwrap();
    assert_eq!(read_run(folder.path()).unwrap(), None);
    assert_eq!(read_folder(folder.path()).unwrap(), good);
    fs::write(folder.path().join("run.json"), RUN).unwrap();
    let run = read_run(folder.path()).unwrap().unwrap();
    assert_eq!(read_folder(folder.path()).unwrap(), good);
    let odd = |change: &dyn Fn(&mut Sample), column: &str, said: &str| {
        let mut odd = sample("b", 1);
        change(&mut odd);
        let mut figure = sample("z", 99);
        (figure.metric, figure.value) = ("criterion".into(), Some(1.0));
        let all = [sample("a", 0), figure, odd];
        write_rows(&table, &all).unwrap();
        let place = format!("samples.csv, line 4, column {column}: ");
        let error = refused(check_samples(&table, &all, &run), &[&place, said]);
        let whole = read_folder(folder.path()).unwrap_err().to_string();
        assert_eq!(error, whole);
    };
    odd(&|s| s.suite = "big".into(), "suite", "run.json has small");
    odd(&|s| s.sample = 3, "sample", "is 3, but run.json has 3");
    odd(&|s| s.seed = 4, "seed", "the seed is 4");
    let build = "is cd, but run.json has ab";
    odd(&|s| s.build = "cd".into(), "build", build);
    odd(&|s| s.row = "b@against".into(), "build", "is ab, but");
    odd(&|s| s.processor = "Z80".into(), "processor", "is Z80");
    // Rows that the suite does not have.
    let known = |row: &str| matches!(row, "a" | "a@against");
    check_rows(&table, &good, known).unwrap();
    let stray = [sample("a", 0), sample("c", 0)];
    write_rows(&table, &stray).unwrap();
    let text = "samples.csv, line 3, column row: the suite has no row 'c'; remove the line";
    refused(check_rows(&table, &stray, known), &[text]);
    // The record of another command has no data on samples.
    let path = folder.path().join("run.json");
    fs::write(&path, "{\"schema\":1,\"puzzle\":\"tilt\"}").unwrap();
    assert_eq!(read_run(folder.path()).unwrap(), None);
    fs::write(&path, RUN.replace(":1,\"suite\"", ":9,\"suite\"")).unwrap();
    refused(read_run(folder.path()), &["schema 9"]);
}

#[test]
fn a_log_is_kept_in_a_plain_file() {
    let folder = tempfile::tempdir().unwrap();
    refused(SampleLog::open(folder.path()), &["a folder"]);
    #[cfg(target_os = "linux")]
    refused(SampleLog::open("/dev/full"), &["name a plain file"]);
}

/// A text of a row, another for it, and the column of the fault.
const IMPOSSIBLE: &str = "
    ,0.5, | ,NaN, | ratio
    ,0.4, | ,-1, | low
    ,0.6, | ,inf, | high
    ,1.02, | ,0, | noise
    ,1,0.03 | ,1.5,0.03 | won
    ,1,0.03, | ,1,-0.5, | p
    0.03,true | NaN,true | p_adjusted
    true,true | yes,true | significant
    ,faster, | ,quicker, | verdict
";

#[test]
fn comparisons_of_impossible_figures_are_refused() {
    let (_folder, path) = file("comparison.csv");
    let good = "1,a,b,6,0.5,0.4,0.6,1,0.03,0.03,true,true,1.02,faster,cpu_s,\n";
    let header = columns::<Comparison>().join(",") + "\n";
    fs::write(&path, header.clone() + good).unwrap();
    assert_eq!(read_rows::<Comparison>(&path).unwrap().len(), 1);
    for [from, to, column] in cases(IMPOSSIBLE) {
        has(good, &[&from]);
        fs::write(&path, header.clone() + &good.replacen(&from, &to, 1)).unwrap();
        let place = format!("line 2, column {column}: ");
        refused(read_rows::<Comparison>(&path), &[place]);
    }
}
