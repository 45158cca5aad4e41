//! CSV and JSON: exact, and read back as written.

use crate::sample;
use antipode_reports::csv_in::read_levels;
use antipode_reports::csv_out::write_rows;
use antipode_reports::json_out::read_json;
use antipode_reports::model::{
    Antipode, ClaimResult, Evidence, Level, LevelTable, Run, Unreached, Verdict,
};
use proptest::prelude::*;
use std::fs;

fn folder() -> tempfile::TempDir {
    tempfile::tempdir().unwrap()
}

fn small_table() -> LevelTable {
    LevelTable {
        levels: vec![
            Level {
                depth: 0,
                states: 8,
                orbits: 1,
                digest: "0123456789abcdef0123456789abcdef".into(),
            },
            Level {
                depth: 1,
                states: u128::MAX,
                orbits: 2,
                digest: "f".repeat(32),
            },
        ],
        unsolvable: Some(Unreached {
            states: 15_766_282_793,
            orbits: 3,
            digest: "0".repeat(32),
        }),
    }
}

#[test]
fn level_csv_is_exact() {
    let folder = folder();
    let path = folder.path().join("levels.csv");
    write_rows(&path, &small_table().rows()).unwrap();
    insta::assert_snapshot!(fs::read_to_string(&path).unwrap(), @r"
    depth,states,orbits,digest
    0,8,1,0123456789abcdef0123456789abcdef
    1,340282366920938463463374607431768211455,2,ffffffffffffffffffffffffffffffff
    unsolvable,15766282793,3,00000000000000000000000000000000
    ");
    assert!(!fs::read_to_string(&path).unwrap().contains('\r'));
}

#[test]
fn claim_csv_is_exact() {
    let folder = folder();
    let path = folder.path().join("claims.csv");
    let mut claims: Vec<_> = sample::claims()
        .into_iter()
        .filter(|claim| claim.puzzle == "tilt")
        .collect();
    claims.truncate(3);
    claims[0].found = "two \"kinds\", both\nof 37".to_owned();
    write_rows(&path, &sample::claim_rows(&claims)).unwrap();
    insta::assert_snapshot!(fs::read_to_string(&path).unwrap());
}

#[test]
fn bad_level_files_name_file_line_and_fault() {
    const HEADER: &str = "depth,states,orbits,digest\n";
    let zeros = "0".repeat(32);
    let folder = folder();
    let path = folder.path().join("levels.csv");
    for (text, needle) in [
        (
            "states,depth\n".to_owned(),
            "line 1: the header lacks the column 'orbits'",
        ),
        (String::new(), "line 1: there is no header"),
        (
            format!("{HEADER}0,8,1\n"),
            "line 2: 3 fields, where 4 are needed",
        ),
        (
            format!("{HEADER}0,8,1,{zeros}\n1,x,1,{zeros}\n"),
            "line 3, column states: \"x\" is no whole number",
        ),
        (
            format!("{HEADER}0,8,1,abc\n"),
            "line 2, column digest: \"abc\"",
        ),
        (
            format!("{HEADER}0,8,1,{}\n", "F".repeat(32)),
            "line 2, column digest:",
        ),
        (
            format!("{HEADER}1,8,1,{zeros}\n1,8,1,{zeros}\n"),
            "line 2: depth 1 does not follow",
        ),
        (
            format!("{HEADER}0,1,1,{zeros}\n0,8,1,{zeros}\n"),
            "line 3: depth 0 does not rise",
        ),
        (
            format!("{HEADER}0,5,528953607,{zeros}\n"),
            "line 2, column states: 5 states cannot be in 528953607 orbits",
        ),
        (
            format!("{HEADER}0,5,0,{zeros}\n"),
            "line 2, column orbits: 5 states are in no orbit",
        ),
        (
            format!("{HEADER}unsolvable,8,1,{zeros}\n1,8,1,{zeros}\n"),
            "line 3: a row follows",
        ),
    ] {
        fs::write(&path, text).unwrap();
        let error = read_levels(&path).unwrap_err().to_string();
        assert!(
            error.contains(needle) && error.contains("levels.csv"),
            "{error}"
        );
        assert_eq!(error.lines().count(), 1, "{error}");
    }
}

#[test]
fn counts_are_strings_in_json_and_both_forms_are_read() {
    let text = serde_json::to_string(&small_table().levels[1]).unwrap();
    assert!(
        text.contains(r#""states":"340282366920938463463374607431768211455""#),
        "{text}"
    );
    let level = |states: &str| {
        let text = format!(r#"{{"depth":0,"states":{states},"orbits":1,"digest":"x"}}"#);
        serde_json::from_str::<Level>(&text)
            .map(|level| level.states)
            .map_err(|error| error.to_string())
    };
    assert_eq!(level("12"), Ok(12));
    assert_eq!(level("\"12\""), Ok(12));
    for bad in [
        "-1",
        "1.5",
        "\"\"",
        "\"+1\"",
        "\"1e3\"",
        "null",
        "340282366920938463463374607431768211455",
    ] {
        assert!(
            level(bad).unwrap_err().contains("whole number"),
            "{bad}: {:?}",
            level(bad)
        );
    }
}

#[test]
fn an_unmeasured_time_survives_json() {
    let mut run = sample::run();
    run.states_per_core_second = f64::INFINITY;
    let text = serde_json::to_string(&run).unwrap();
    let back: Run = serde_json::from_str(&text).unwrap();
    assert!(back.states_per_core_second.is_nan());
}

#[test]
fn json_errors_name_file_line_and_column() {
    let folder = folder();
    let path = folder.path().join("run.json");
    fs::write(&path, "{\n  \"depth\": 1,\n  \"state\": 7\n}\n").unwrap();
    let error = read_json::<Antipode>(&path).unwrap_err().to_string();
    assert!(error.contains("run.json, line 3, column"), "{error}");
    assert!(
        !error.contains("at line"),
        "the place should stand once only: {error}"
    );
    let missing = read_json::<Antipode>(folder.path().join("none.json"))
        .unwrap_err()
        .to_string();
    assert!(missing.contains("none.json"), "{missing}");
}

#[test]
fn verdicts_have_the_same_name_in_json_and_csv() {
    for verdict in Verdict::ALL {
        assert_eq!(
            serde_json::to_string(&verdict).unwrap(),
            format!("\"{}\"", verdict.id())
        );
        assert_eq!(verdict.id().replace('-', " "), verdict.label());
    }
}

fn any_level_table() -> impl Strategy<Value = LevelTable> {
    let sizes = (any::<u64>(), any::<u64>(), "[0-9a-f]{32}");
    let levels = prop::collection::vec(sizes, 0..12);
    // Every orbit holds at least one state, and every state is in one.
    let counts = |states: u64, orbits: u64| {
        let orbits = u128::from(orbits.max(1));
        ((u128::from(states) << 60) + orbits, orbits)
    };
    (levels, prop::option::of(sizes)).prop_map(move |(levels, rest)| LevelTable {
        levels: (0..)
            .zip(levels)
            .map(|(depth, (states, orbits, digest))| {
                let (states, orbits) = counts(states, orbits);
                Level {
                    depth,
                    states,
                    orbits,
                    digest,
                }
            })
            .collect(),
        unsolvable: rest.map(|(states, orbits, digest)| {
            let (states, orbits) = counts(states, orbits);
            Unreached {
                states,
                orbits,
                digest,
            }
        }),
    })
}

fn any_evidence() -> impl Strategy<Value = Evidence> {
    let counts = (
        any::<u128>(),
        prop::option::of(any::<u128>()),
        any::<u128>(),
    );
    (".*", counts, 0.0..1.0, prop::option::of(0.0..1.0), ".*").prop_map(
        |(what, (sampled, population, wrong), confidence, bound, text)| Evidence {
            what,
            sampled,
            population,
            wrong,
            confidence,
            bound,
            text,
        },
    )
}

proptest! {
    #[test]
    fn levels_survive_csv_and_json(table in any_level_table()) {
        let folder = folder();
        let (csv, json) = (folder.path().join("levels.csv"), folder.path().join("levels.json"));
        write_rows(&csv, &table.rows()).unwrap();
        prop_assert_eq!(&read_levels(&csv).unwrap(), &table);
        fs::write(&json, serde_json::to_string(&table).unwrap()).unwrap();
        prop_assert_eq!(&read_json::<LevelTable>(&json).unwrap(), &table);
    }

    #[test]
    fn claims_survive_json(
        evidence in prop::collection::vec(any_evidence(), 0..4),
        texts in prop::array::uniform4(".*"),
        instance in prop::option::of(".*"),
        verdicts in (0..6usize, 0..6usize),
        wall_s in any::<f64>().prop_filter("finite", |x| x.is_finite()),
    ) {
        let [id, statement, claimed, note] = texts;
        let claim = ClaimResult {
            id, statement, claimed, instance, evidence, wall_s,
            expect: Verdict::ALL[verdicts.0],
            verdict: Verdict::ALL[verdicts.1],
            notes: vec![note],
            ..sample::claims()[0].clone()
        };
        let text = serde_json::to_string(&claim).unwrap();
        prop_assert_eq!(&serde_json::from_str::<ClaimResult>(&text).unwrap(), &claim);
    }
}
