//! CSV and JSON: exact, and read back as written.

use crate::sample::{self, cases, file, has, refused};
use antipode_reports::csv_in::{read_levels, read_rows};
use antipode_reports::csv_out::write_rows;
use antipode_reports::json_out::read_json;
use antipode_reports::model::{
    Antipode, Bound, ClaimResult, ClaimRow, Level, LevelTable, Run, Unreached,
};
use std::fs;

fn small_table() -> LevelTable {
    let level = |(depth, states, orbits, digest)| Level {
        depth,
        states,
        orbits,
        digest,
    };
    let first = (0, 8, 1, "0123456789abcdef".repeat(2));
    LevelTable {
        levels: [first, (1, u128::MAX, 2, "f".repeat(32))]
            .map(level)
            .to_vec(),
        unsolvable: Some(Unreached {
            states: 15_766_282_793,
            orbits: 3,
            digest: "0".repeat(32),
        }),
    }
}

#[test]
fn level_csv_is_exact() {
    let (_folder, path) = file("levels.csv");
    write_rows(&path, &small_table().rows()).unwrap();
    insta::assert_snapshot!(fs::read_to_string(&path).unwrap(), @r"
    depth,states,orbits,digest
    0,8,1,0123456789abcdef0123456789abcdef
    1,340282366920938463463374607431768211455,2,ffffffffffffffffffffffffffffffff
    unsolvable,15766282793,3,00000000000000000000000000000000
    ");
    assert!(!fs::read_to_string(&path).unwrap().contains('\r'));
    assert_eq!(read_levels(&path).unwrap(), small_table());
    let json = serde_json::to_string(&small_table()).unwrap();
    assert_eq!(
        serde_json::from_str::<LevelTable>(&json).unwrap(),
        small_table()
    );
}

#[test]
fn claim_csv_is_exact() {
    let (_folder, path) = file("claims.csv");
    let mut claims: Vec<_> = sample::claims()
        .into_iter()
        .filter(|claim| claim.puzzle == "tilt")
        .collect();
    claims.truncate(3);
    claims[1].found = "two \"kinds\", both\nof 37".to_owned();
    claims[0].bound = Some(Bound::AtMost);
    claims[1].bound = Some(Bound::Within(0.05));
    write_rows(&path, &sample::claim_rows(&claims)).unwrap();
    let text = fs::read_to_string(&path).unwrap();
    insta::assert_snapshot!(text);
    let bounds = || {
        let rows: Vec<ClaimRow> = read_rows(&path).unwrap();
        let bound = |row| ClaimResult::from(row).bound;
        rows.into_iter().map(bound).collect::<Vec<_>>()
    };
    let written: Vec<_> = claims.iter().map(|claim| claim.bound).collect();
    assert_eq!(bounds(), written);
    // Older tables do not say.
    let older = text.replace(",compare\n", "\n").replace(",at-most\n", "\n");
    let older = older.replace(",within 0.05\n", "\n").replace("0,\n", "0\n");
    fs::write(&path, older).unwrap();
    assert_eq!(bounds(), [None; 3]);
}

/// Rows below the header of levels, and what the error says; `ZEROS` is a digest.
const BAD_LEVELS: &str = r#"
    0,8,1 | line 2: 3 fields, where 4 are needed
    0,8,1,ZEROS\n1,x,1,ZEROS | line 3, column states: "x" is no whole number
    0,8,1,abc | line 2, column digest: "abc"
    0,8,1,FFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFF | line 2, column digest:
    1,8,1,ZEROS\n1,8,1,ZEROS | line 2: depth 1 does not follow
    0,1,1,ZEROS\n0,8,1,ZEROS | line 3: depth 0 does not rise
    0,5,528953607,ZEROS | line 2, column states: 5 states cannot be in 528953607 orbits
    0,5,0,ZEROS | line 2, column orbits: 5 states are in no orbit
    unsolvable,8,1,ZEROS\n1,8,1,ZEROS | line 3: a row follows
"#;

#[test]
fn bad_level_files_name_file_line_and_fault() {
    let (_folder, path) = file("levels.csv");
    let bad = |text: &str, said: &str| {
        fs::write(&path, text).unwrap();
        refused(read_levels(&path), &[said, "levels.csv"]);
    };
    let lacks = "line 1: the header has the column 'states' where 'depth' should stand";
    bad("states,depth\n", lacks);
    let none = "line 1: there is no header, which begins \"depth\"";
    bad("", none);
    bad("\"\"\n", none);
    for [rows, said] in cases(BAD_LEVELS) {
        let rows = rows.replace("ZEROS", &"0".repeat(32));
        bad(&format!("depth,states,orbits,digest\n{rows}\n"), &said);
    }
}

#[test]
fn counts_are_strings_in_json_and_both_forms_are_read() {
    let text = serde_json::to_string(&small_table().levels[1]).unwrap();
    has(
        &text,
        &[r#""states":"340282366920938463463374607431768211455""#],
    );
    let level = |states: &str| {
        let text = format!(r#"{{"depth":0,"states":{states},"orbits":1,"digest":"x"}}"#);
        serde_json::from_str::<Level>(&text)
            .map(|level| level.states)
            .map_err(|error| error.to_string())
    };
    assert_eq!(level("12"), Ok(12));
    assert_eq!(level("\"12\""), Ok(12));
    let most = "340282366920938463463374607431768211455";
    for bad in ["-1", "1.5", "\"\"", "\"+1\"", "\"1e3\"", "null", most] {
        refused(level(bad), &["whole number"]);
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
    let (folder, path) = file("run.json");
    fs::write(&path, "{\n  \"depth\": 1,\n  \"state\": 7\n}\n").unwrap();
    let error = refused(read_json::<Antipode>(&path), &["run.json, line 3, column"]);
    assert!(!error.contains("at line"), "the place once only: {error}");
    let missing = folder.path().join("none.json");
    refused(read_json::<Antipode>(missing), &["none.json"]);
}
