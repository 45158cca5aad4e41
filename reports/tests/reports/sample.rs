//! Made-up results with the look of real ones.

use antipode_reports::html::{ReportHead, report_html};
use antipode_reports::model::{
    Antipode, ClaimResult, ClaimRow, Legend, Level, LevelTable, Run, Unreached,
};
use antipode_reports::report::{FoundFolders, FoundRun};
use serde::Deserialize;
use serde::de::DeserializeOwned;
use std::collections::BTreeMap;
use std::fmt::Display;
use std::path::PathBuf;
use tempfile::TempDir;

/// What a page is made of.
pub struct Page {
    pub head: ReportHead,
    pub found: FoundFolders,
}

#[derive(Deserialize)]
struct Sample {
    legends: BTreeMap<String, Legend>,
    claims: Vec<ClaimResult>,
    runs: Vec<Run>,
    records: serde_json::Value,
}

fn sample() -> Sample {
    serde_json::from_str(include_str!("sample.json")).unwrap()
}

/// A record of another command by its name.
pub fn record<T: DeserializeOwned>(name: &str) -> T {
    serde_json::from_value(sample().records[name].take()).unwrap()
}

impl Page {
    pub fn html(&self) -> String {
        report_html(&self.head, &self.found).unwrap()
    }
}

pub fn page() -> Page {
    let mut found = FoundFolders::default();
    (found.claims, found.runs) = (claims(), runs());
    let command = "antipode certify tilt --effort quick --seed 20261121";
    let head = ReportHead {
        title: "A sample page with made-up figures".to_owned(),
        generated_unix_s: 1_795_248_000,
        tool_version: "0.1.0".to_owned(),
        command: command.split(' ').map(str::to_owned).collect(),
        effort: "quick".to_owned(),
        seed: Some(20_261_121),
        legends: sample().legends,
        ..ReportHead::default()
    };
    Page { head, found }
}

pub fn claims() -> Vec<ClaimResult> {
    sample().claims
}

/// The rows of claims in their table.
pub fn claim_rows(claims: &[ClaimResult]) -> Vec<ClaimRow> {
    claims.iter().map(ClaimRow::from).collect()
}

pub fn tilt() -> Legend {
    sample().legends["tilt"].clone()
}

pub fn run() -> Run {
    sample().runs.remove(0)
}

pub fn runs() -> Vec<FoundRun> {
    let states = [
        "#...g/g.#.b/b.O#./..#../.#...",
        "...g#/b.#.g/.#O.b/..#../...#.",
        "#.#gg/...b#/..O#./..#../.....",
    ];
    let farthest = states.map(|state| Antipode {
        depth: 37,
        state: state.to_owned(),
        orbit_size: 8,
    });
    let tables = [
        (bell(37, 2.0e9), farthest.to_vec()),
        (bell(9, 120.0), Vec::new()),
    ];
    let found = |(run, (levels, antipodes))| FoundRun {
        run: Some(run),
        levels,
        antipodes,
        ..FoundRun::default()
    };
    sample().runs.into_iter().zip(tables).map(found).collect()
}

/// Levels by their number of states, each by itself.
pub fn table(counts: &[u128]) -> LevelTable {
    let level = |(depth, &states): (u32, &u128)| Level {
        depth,
        states,
        orbits: states,
        digest: "0".repeat(32),
    };
    LevelTable {
        levels: (0..).zip(counts).map(level).collect(),
        unsolvable: None,
    }
}

/// Levels that swell and shrink as real ones do.
fn bell(deepest: u32, largest: f64) -> LevelTable {
    let digest = |number: u128| {
        let spread = number.wrapping_mul(0x9e37_79b9_7f4a_7c15_f39c_c060_5ced_c835);
        format!("{spread:032x}")
    };
    let level = |depth: u32| {
        let from_peak = (f64::from(depth) / f64::from(deepest) - 0.45) * 6.4;
        let states = (largest * (-from_peak * from_peak).exp()).max(1.0) as u128 * 8;
        Level {
            depth,
            states,
            orbits: states.div_ceil(8),
            digest: digest(u128::from(depth) + 1),
        }
    };
    LevelTable {
        levels: (0..=deepest).map(level).collect(),
        unsolvable: Some(Unreached {
            states: 31_415_926_535,
            orbits: 3_926_990_817,
            digest: digest(999),
        }),
    }
}

/// A path in a new folder, and the folder, which is removed with its variable.
pub fn file(name: &str) -> (TempDir, PathBuf) {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join(name);
    (folder, path)
}

/// Checks that a text has some parts.
pub fn has(text: &str, parts: &[impl AsRef<str>]) {
    for part in parts.iter().map(AsRef::as_ref) {
        assert!(text.contains(part), "'{part}' is missing in '{text}'");
    }
}

/// Checks that a result is an error of one line, which has some parts; returns the line.
pub fn refused<T, E: Display>(result: Result<T, E>, parts: &[impl AsRef<str>]) -> String {
    let line = result.err().expect("an error").to_string();
    assert_eq!(line.lines().count(), 1, "{line}");
    has(&line, parts);
    line
}

/// Cases from a table: one in a line, its cells between bars; `\n` is a line end.
pub fn cases<const CELLS: usize>(table: &str) -> Vec<[String; CELLS]> {
    let lines = table.lines().filter(|line| line.contains('|'));
    let cell = |cell: &str| cell.trim().replace("\\n", "\n");
    let row = |line: &str| line.split('|').map(cell).collect::<Vec<_>>();
    lines.map(|line| row(line).try_into().unwrap()).collect()
}

/// Values of an attribute, anywhere on a page.
pub fn values<'a>(html: &'a str, attribute: &str) -> Vec<&'a str> {
    let start = format!(" {attribute}=\"");
    let rest = html.split(&start).skip(1);
    rest.filter_map(|rest| rest.split('"').next()).collect()
}
