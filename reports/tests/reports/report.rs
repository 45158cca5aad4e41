//! The page over results of other commands, and marked tables of a README.

use crate::results::certificate;
use crate::sample::{self, cases, has, refused, values};
use antipode_reports::bench::{Comparison, ComparisonOutcome, SCHEMA, Sample, Status};
use antipode_reports::csv_out::write_rows;
use antipode_reports::html::{ReportHead, report_html};
use antipode_reports::json_out::write_record;
use antipode_reports::model::{ClaimResult, LevelCost, Record, Verdict, columns};
use antipode_reports::report::tables::{self, ReportTable};
use antipode_reports::report::{FoundFolders, gather, splice};
use std::collections::BTreeSet;
use std::fs;
use tempfile::TempDir;

const QUESTIONS: [(&str, &str, f64); 4] = [
    ("tilt", "box", 0.5),
    ("tilt", "corner", 0.004),
    ("peg-solitaire", "english-33", 3.0),
    ("coin-sliding", "5x7", 20.0),
];
/// Engine, rules, and the ratio to the first.
const SOLVERS: [(&str, &str, f64); 3] = [
    ("hash", "bitboard", 1.0),
    ("dense", "bitboard", 0.5),
    ("reference", "reference", 12.0),
];

fn bench_sample(question: (&str, &str, f64), solver: (&str, &str, f64), nth: u32) -> Sample {
    let (puzzle, instance, seconds) = question;
    let (engine, variant, factor) = solver;
    let group = format!("{puzzle}/{instance}");
    let (status, answer, detail) = match (puzzle, engine) {
        ("coin-sliding", "reference") => (Status::Timeout, "ab", "why <it> ended"),
        ("peg-solitaire", "dense") => (Status::Wrong, "cd", "why <it> ended"),
        _ => (Status::Ok, "ab", ""),
    };
    let time = seconds * factor * (1.0 + 0.01 * f64::from(nth));
    let time = (status != Status::Timeout).then_some(time);
    Sample {
        schema: SCHEMA,
        suite: "matrix".into(),
        row: format!("{group}/{variant}/{engine}"),
        group,
        puzzle: puzzle.into(),
        instance: instance.into(),
        variant: variant.into(),
        engine: engine.into(),
        threads: 1,
        sample: nth,
        status,
        detail: detail.into(),
        answer: answer.into(),
        expected: "ab".into(),
        wall_s: time,
        cpu_s: time,
        peak_bytes: Some((factor * 1e7) as u64),
        states: Some(1234),
        generated: Some(5678),
        read_bytes: Some(0),
        written_bytes: Some(0),
        ..Sample::default()
    }
}

fn comparison(a: &str, b: &str, ratio: f64) -> Comparison {
    Comparison {
        pairs: 3,
        ratio: Some(ratio),
        low: Some(ratio / 1.1),
        high: Some(ratio * 1.1),
        won: Some(0.0),
        p: Some(0.001),
        p_adjusted: Some(0.002),
        significant: true,
        beyond_noise: true,
        verdict: match ratio < 1.0 {
            true => ComparisonOutcome::Faster,
            false => ComparisonOutcome::Slower,
        },
        ..Comparison::open(a.into(), b.into(), Some(1.03), "cpu_s")
    }
}

#[test]
fn a_ratio_lies_within_its_interval() {
    let mut one = comparison("a", "b", 0.5);
    one.check().unwrap();
    one.ratio = Some(0.4);
    assert_eq!(one.check().unwrap_err().0, "ratio");
}

/// A cost of level `depth`, in the form of an engine on disk.
fn cost_line(depth: u32) -> String {
    let states = (1.5_f64.powf(f64::from(depth)) * 1000.0) as u64;
    let seconds = states as f64 / 1e6;
    let [generated, read] = [states * 9, states * 14];
    format!(
        "{depth},{states},{seconds},{seconds},{generated},{states},{states},{states},{read},{read},{read},16,{read}\n"
    )
}

/// Small files as the commands write them.
const FILES: [(&str, &str); 5] = [
    (
        "disk/published.csv",
        "# somebody, 2011\ndepth,states\n20,3325000\n",
    ),
    (
        "solve/solve.json",
        r#"{"instance":"tilt/box","from":"O.b/...","length":1,"summary":"1 moves, the fewest possible","moves":[{"move":"left","state":"Ob./..."}],
"variant":"bitboard","settings":{},"tool_version":"0.1.0","finished_unix_s":1,"command":[],
"host":{"os":"linux","arch":"x86_64","cpu":"","cores":2}}"#,
    ),
    (
        "solve/levels.csv",
        "side,depth,states,digest\nforward,0,1,00\n",
    ),
    (
        "table/table.csv",
        "start,finish,verdict,proof,witness\na,b,impossible,\"a <class>\",\n",
    ),
    (
        "pairs/pairs.csv",
        "from,to,length,known,forward_radius,backward_radius,meeting_state,moves,witness\nA,B,3,exactly,1,2,x,l; r; l,x y\nA,C,,more than 9,4,5,,,\n",
    ),
];

/// Folders as the commands write them.
fn results() -> TempDir {
    let folder = tempfile::tempdir().unwrap();
    let path = |name: &str| {
        let path = folder.path().join(name);
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        path
    };
    let page = sample::page();
    let rows = sample::claim_rows(&page.found.claims);
    write_rows(path("certify/claims.csv"), &rows).unwrap();
    for claim in page.found.claims.iter().skip(1) {
        let name = format!("certify/certificates/{}.json", claim.id.replace('/', "-"));
        write_record(path(&name), &certificate(claim)).unwrap();
    }
    let run = &page.found.runs[0];
    write_record(path("certify/run/run.json"), &sample::run()).unwrap();
    write_rows(path("certify/run/levels.csv"), &run.levels.rows()).unwrap();
    write_rows(path("certify/run/antipodes.csv"), &run.antipodes).unwrap();
    let samples: Vec<Sample> = QUESTIONS
        .into_iter()
        .flat_map(|q| SOLVERS.map(|s| (q, s)))
        .flat_map(|(q, s)| (0..3).map(move |nth| bench_sample(q, s, nth)))
        .collect();
    write_rows(path("bench/samples.csv"), &samples).unwrap();
    let [hash, dense, reference] = ["bitboard/hash", "bitboard/dense", "reference/reference"]
        .map(|solver| format!("tilt/box/{solver}"));
    let rows = [
        comparison(&hash, &dense, 0.5),
        comparison(&hash, &reference, 12.0),
    ];
    write_rows(path("bench/comparison.csv"), &rows).unwrap();
    let costs: String = (0..20).map(cost_line).collect();
    let costs = columns::<LevelCost>().join(",") + "\n" + &costs;
    fs::write(path("disk/cost.csv"), costs).unwrap();
    for (name, text) in FILES {
        fs::write(path(name), text).unwrap();
    }
    write_record(path("pairs/run.json"), &sample::run()).unwrap();
    folder
}

fn head() -> ReportHead {
    ReportHead {
        title: "Results".into(),
        generated_unix_s: 1_700_000_000,
        tool_version: "0.1.0".into(),
        command: vec!["antipode".into(), "report".into()],
        legends: sample::page().head.legends,
        ..ReportHead::default()
    }
}

fn html(found: &FoundFolders) -> String {
    report_html(&head(), found).unwrap()
}

#[test]
fn every_kind_of_folder_is_found_and_reported() {
    let folder = results();
    let found = gather(&[folder.path()]).unwrap();
    let claims = sample::claims().len();
    assert_eq!(
        found.summary(),
        format!("{claims} claims, 3 runs, 1 benchmark, 1 solution, 1 table")
    );
    let html = html(&found);
    let parts = "Claims at a glance | Runs and level sizes | Which to use when | Compared pair by pair | \
        Time and bytes by level | \
        What later levels would take | published by others | Lengths between pairs | more than 9 | \
        Starts against finishes | a &#60;class&#62; | wrong: why &#60;it&#62; ended | timeout";
    has(&html, &parts.split(" | ").collect::<Vec<_>>());
}

#[test]
fn ids_are_unique_and_links_lead_somewhere() {
    let folder = results();
    let html = html(&gather(&[folder.path()]).unwrap());
    let ids = values(&html, "id");
    let distinct: BTreeSet<_> = ids.iter().collect();
    assert_eq!(distinct.len(), ids.len(), "an id stands twice");
    let within = values(&html, "href")
        .into_iter()
        .filter_map(|href| href.strip_prefix('#'));
    let named = values(&html, "aria-labelledby");
    for reference in within.chain(named).chain(values(&html, "data-for")) {
        assert!(ids.contains(&reference), "{reference}");
    }
    assert!(values(&html, "src").is_empty());
    let charts = html.matches("<figure class=\"chart\">").count();
    assert!(charts >= 3, "{charts}");
    assert!(
        !html.contains(">NaN") && !html.contains("inf<"),
        "a figure that is none"
    );
}

#[test]
fn a_claim_without_its_certificate_stays_and_rows_of_a_table_stand_with_it() {
    let folder = results();
    let found = gather(&[folder.path()]).unwrap();
    let claims = sample::claims();
    assert_eq!(found.claims[0].id, claims[0].id);
    assert_eq!(found.claims[0].statement, claims[0].statement);
    assert!(found.claims[0].notes.is_empty() && !claims[0].evidence.is_empty());
    assert_eq!(found.claims[0].verdict, claims[0].verdict);
    assert_eq!(found.claims[1], claims[1]);
}

#[test]
fn a_folder_named_twice_counts_once() {
    let folder = results();
    let twice = [folder.path().join("bench"), folder.path().to_owned()];
    let found = gather(&twice).unwrap();
    assert_eq!(found.benches.len(), 1);
    assert_eq!(found.runs.len(), 3);
}

#[test]
fn which_to_use_names_the_best_the_others_and_what_failed() {
    let folder = results();
    let found = gather(&[folder.path()]).unwrap();
    let table = tables::which(&found);
    let text = table.markdown();
    insta::assert_snapshot!(text, @r"
    | question | solver | times as long | a block each doubling | processor time | peak memory |
    |---|---|--:|---|--:|--:|
    | coin-sliding/5x7 | dense × bitboard | 1 | █ | 10.1 s | 4.8 MiB |
    |  | hash × bitboard | 2.00 | ██ | 20.2 s | 9.5 MiB |
    |  | reference × reference | timeout |  |  |  |
    | peg-solitaire/english-33 | hash × bitboard | 1 | █ | 3.03 s | 9.5 MiB |
    |  | reference × reference | 12.0 | █████ | 36.4 s | 114.4 MiB |
    |  | dense × bitboard | wrong |  |  |  |
    | tilt/box | dense × bitboard | 1 | █ | 252 ms | 4.8 MiB |
    |  | hash × bitboard | 2.00 (1.82 to 2.20) | ██ | 505 ms | 9.5 MiB |
    |  | reference × reference | 24.0 | ██████ | 6.06 s | 114.4 MiB |
    | tilt/corner | dense × bitboard | 1 | █ | 2 ms | 4.8 MiB |
    |  | hash × bitboard | 2.00 | ██ | 4 ms | 9.5 MiB |
    |  | reference × reference | 24.0 | ██████ | 48 ms | 114.4 MiB |
    ");
}

#[test]
fn the_forecast_is_held_against_what_was_published() {
    let folder = results();
    let found = gather(&[folder.path().join("disk")]).unwrap();
    let table = tables::forecast(&found.runs[0]);
    let is_published = |row: &&Vec<tables::Cell>| row[1].text == "20";
    let states = table.rows.iter().find(is_published).unwrap();
    assert_eq!(states[0].text, "positions");
    let off: f64 = states[9].text.parse().unwrap();
    assert!((off - 1.0).abs() < 0.001, "{off}");
    assert_eq!(tables::cost(&found.runs[0]).rows.len(), 20);
}

/// A file, a text in it, a damage of that text, and what the error says.
const DAMAGED: &str = r#"
    certify/run/run.json | "schema": 1 | "schema": 2 | run.json; schema 2; reads up to 1
    certify/run/run.json | { | | run.json; line 2; column
    certify/claims.csv | id, | name, | claims.csv; line 1; header
    certify/claims.csv | ,confirmed, | ,certain, | claims.csv; certain; is not one of confirmed
    certify/run/antipodes.csv | orbit_size | orbit | antipodes.csv; line 1; header
    disk/cost.csv | \n3, | \n2, | cost.csv; line 5; does not rise
    disk/cost.csv | \n3, | \nx, | cost.csv; line 5, column depth; no whole number
    disk/published.csv | 20, | # 2012\n\ntwenty, | published.csv; line 5; depth
    bench/samples.csv | \n1,matrix | \n7,matrix | samples.csv; schema 7; schema 1
    bench/comparison.csv | 0.5, | half, | comparison.csv; line 2, column ratio; no number
    solve/solve.json | "instance" | "place" | solve.json; line 3; instance
    pairs/pairs.csv | from, | | pairs.csv; line 1; header
    table/table.csv | a,b, | a, | table.csv; line 2; fields
"#;

#[test]
fn damaged_files_and_newer_schemas_are_named() {
    for [file, from, to, parts] in cases(DAMAGED) {
        let folder = results();
        let path = folder.path().join(&file);
        let text = fs::read_to_string(&path).unwrap();
        has(&text, &[&from]);
        fs::write(path, text.replacen(&from, &to, 1)).unwrap();
        let parts: Vec<&str> = parts.split("; ").collect();
        refused(gather(&[folder.path()]), &parts);
    }
}

/// The record of a bench, as `bench` writes it before its first sample.
const BENCH_RUN: &str = r#"{"schema":1,"suite":"matrix","suite_blake3":"","seed":1,"samples":3,
"warmups":1,"executable":{"file":"antipode","version":"0.1.0","blake3":""},"against":null,
"host":{"os":"linux","arch":"x86_64","cpu":"","cores":2},"command":[],"started":"","ended":"",
"complete":true,"noise":[],"warnings":[]}"#;

#[test]
fn a_bench_without_samples_is_told_by_what_is_missing() {
    let bench = |run: Option<&str>, table: Option<&str>, parts: &[&str]| {
        let folder = tempfile::tempdir().unwrap();
        for (name, text) in [("run.json", run), ("samples.csv", table)] {
            if let Some(text) = text {
                fs::write(folder.path().join(name), text).unwrap();
            }
        }
        refused(gather(&[folder.path()]), parts);
    };
    let header = columns::<Sample>().join(",") + "\n";
    let gone = "samples.csv: it is missing next to run.json";
    bench(Some(BENCH_RUN), None, &[gone, "suite matrix"]);
    for run in [Some(BENCH_RUN), None] {
        bench(run, Some(&header), &["samples.csv, line 1: no row follows"]);
    }
    let other = BENCH_RUN.replace("\"samples\":3,", "");
    let missing = ["run.json, line ", "missing field `samples`"];
    bench(Some(&other), None, &missing);
}

/// Figures of criterion may be next to a run over levels.
#[test]
fn imported_figures_beside_a_run_are_both_found() {
    let folder = results();
    let mut figure = bench_sample(QUESTIONS[0], SOLVERS[0], 0);
    (figure.metric, figure.value) = ("criterion".into(), Some(12.5));
    let failed = Sample {
        sample: 1,
        status: Status::Failed,
        detail: "exit code 1".into(),
        value: None,
        ..figure.clone()
    };
    let command = Sample {
        row: "py".into(),
        puzzle: "command".into(),
        engine: "command".into(),
        instance: String::new(),
        variant: String::new(),
        metric: String::new(),
        value: None,
        ..figure.clone()
    };
    let all = [figure, failed, command];
    write_rows(folder.path().join("pairs/samples.csv"), &all).unwrap();
    let found = gather(&[folder.path().join("pairs")]).unwrap();
    assert_eq!(found.summary(), "1 run, 1 benchmark");
    // A figure that failed in part gives the reason.
    let cells = |table: ReportTable, cells: &[usize]| {
        let row = table.rows.into_iter().next_back().unwrap();
        cells
            .iter()
            .map(|&at| row[at].text.clone())
            .collect::<Vec<_>>()
    };
    let expected = ["12.5", "1 of 2", "failed: exit code 1"];
    assert_eq!(cells(tables::imported(&found), &[2, 4, 5]), expected);
    let expected = ["py", "command", "command"];
    assert_eq!(cells(tables::rows(&found), &[0, 1, 2]), expected);
}

#[test]
fn times_too_short_for_the_clock_are_no_figure_and_no_nan() {
    let folder = tempfile::tempdir().unwrap();
    let samples: Vec<Sample> = SOLVERS
        .into_iter()
        .flat_map(|s| QUESTIONS[..3].iter().map(move |q| bench_sample(*q, s, 0)))
        .map(|sample| Sample {
            status: Status::Ok,
            answer: sample.expected.clone(),
            cpu_s: Some(0.0),
            wall_s: Some(0.0),
            ..sample
        })
        .collect();
    write_rows(folder.path().join("samples.csv"), &samples).unwrap();
    let found = gather(&[folder.path()]).unwrap();
    let table = tables::which(&found);
    assert_eq!(table.rows.len(), 9);
    let too_short = table.rows.iter().filter(|row| row[2].text == "too short");
    assert_eq!(too_short.count(), 6);
    let html = html(&found);
    let (page, _) = html.split_once("<script>").unwrap();
    let mut words = page.split(|c: char| !c.is_alphanumeric());
    let odd = words.find(|word| ["nan", "inf"].contains(&word.to_lowercase().as_str()));
    assert_eq!(odd, None);
}

#[test]
fn nothing_to_report_is_said() {
    let folder = tempfile::tempdir().unwrap();
    let [notes, none] = ["notes.txt", "none"].map(|name| folder.path().join(name));
    fs::write(&notes, "x").unwrap();
    let line = refused(gather(&[folder.path()]), &["certify"]);
    assert!(line.starts_with("nothing to report in "), "{line}");
    refused(gather(&[none]), &["none", "does not exist"]);
    refused(gather(&[notes]), &["it is a file"]);
}

const README: &str = "# Mine\n\n<!-- antipode:table which -->\nold\n<!-- antipode:end -->\n\n```\n<!-- antipode:table nonsense -->\n```\n<!-- antipode:table forecast disk -->\n<!-- antipode:end -->\nend\n";

#[test]
fn marked_tables_are_renewed_and_the_rest_stays() {
    let folder = results();
    let mut found = gather(&[folder.path()]).unwrap();
    for run in &mut found.runs {
        run.folder = run.folder.rsplit(['/', '\\']).next().unwrap().to_owned();
    }
    let path = folder.path().join("README.md");
    fs::write(&path, README).unwrap();
    assert_eq!(splice::splice_file(&path, &found).unwrap(), 2);
    let text = fs::read_to_string(&path).unwrap();
    let begin = "# Mine\n\n<!-- antipode:table which -->\n\n| question | solver |";
    assert!(text.starts_with(begin), "{text}");
    assert!(!text.contains("old") && text.ends_with("<!-- antipode:end -->\nend\n"));
    assert!(text.contains("<!-- antipode:table nonsense -->"));
    splice::splice_file(&path, &found).unwrap();
    let again = fs::read_to_string(&path).unwrap();
    assert_eq!(again, text, "a second time changes nothing");
    fs::write(&path, README.trim_end().replace('\n', "\r\n")).unwrap();
    splice::splice_file(&path, &found).unwrap();
    let other_ends = fs::read_to_string(&path).unwrap();
    assert_eq!(other_ends, text.trim_end().replace('\n', "\r\n"));
    let marked = splice::marked(&text).unwrap();
    let mut questions = QUESTIONS.map(|(puzzle, instance, _)| format!("{puzzle}/{instance}"));
    questions.sort();
    // A question is named once, above its solvers.
    let rows = marked[0]
        .body
        .iter()
        .filter_map(|row| row.split(" | ").next()?.strip_prefix("| "));
    let mut said: Vec<&str> = rows.skip(1).collect();
    said.retain(|row| !row.trim().is_empty());
    assert_eq!(said, questions);
}

/// A text, the line of its fault, and what the error says; `{NAME}` is the mark of a table.
const WRONG_MARKS: &str = r#"
    no marks\n | 1 | no table is marked
    \n{wich}\n{end}\n | 2 | no table is called "wich"
    {which}\na\n | 1 | not closed
    {which}\n{rows}\n{end}\n | 2 | that line 1 opens is not closed
    a\n{end}\n | 2 | closes no table
    {which\n-->\n | 1 | does not end in
    {levels}\n{end}\n | 1 | with an instance behind the name
    {which tilt/box}\n{end}\n | 1 | no table is called "which tilt/box"
    {levels tilt/box}\n{end}\n | 1 | no run of "tilt/box"
    {claims}\n{end}\n | 1 | nothing for the table "claims"
"#;

#[test]
fn wrong_marks_are_refused_with_their_line_and_nothing_is_written() {
    let folder = results();
    let found = gather(&[folder.path().join("bench")]).unwrap();
    let path = folder.path().join("README.md");
    for [text, line, said] in cases(WRONG_MARKS) {
        let text = text.replace("{end}", "<!-- antipode:end -->");
        let text = text
            .replace('{', "<!-- antipode:table ")
            .replace('}', " -->");
        fs::write(&path, &text).unwrap();
        let place = format!("README.md, line {line}:");
        refused(splice::splice_file(&path, &found), &[&place, &said]);
        assert_eq!(fs::read_to_string(&path).unwrap(), text);
    }
}

#[test]
fn verdicts_are_counted_by_puzzle() {
    let folder = results();
    let found = gather(&[folder.path().join("certify")]).unwrap();
    let table = tables::verdicts(&found);
    let sum = |columns: std::ops::Range<usize>| -> usize {
        let cells = table.rows.iter().flat_map(|row| &row[columns.clone()]);
        cells.map(|cell| cell.key.parse::<usize>().unwrap()).sum()
    };
    assert_eq!(sum(1..9), found.claims.len());
    let is_confirmed = |claim: &&ClaimResult| claim.verdict == Verdict::Confirmed;
    assert_eq!(sum(1..2), found.claims.iter().filter(is_confirmed).count());
}
