//! Made-up results with the look of real ones.

use antipode_reports::html::{ReportHead, report_html};
use antipode_reports::model::{
    Antipode, ClaimResult, ClaimRow, Legend, Level, LevelTable, Run, Unreached,
};
use antipode_reports::report::{FoundFolders, FoundRun};
use serde::Deserialize;
use std::collections::BTreeMap;

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
}

fn sample() -> Sample {
    serde_json::from_str(include_str!("sample.json")).unwrap()
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
