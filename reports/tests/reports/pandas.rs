//! The tables as Python reads them, if Python has pandas.

use crate::sample;
use antipode_reports::csv_out::write_rows;
use antipode_reports::model::{ClaimRow, LevelTable, Unreached};
use std::path::Path;
use std::process::Command;

#[test]
fn pandas_reads_the_tables() {
    let python = std::env::var("PYTHON").unwrap_or_else(|_| "python3".to_owned());
    let has_pandas = Command::new(&python).args(["-c", "import pandas"]).output();
    if !has_pandas.is_ok_and(|ran| ran.status.success()) {
        eprintln!("skipped: {python} with pandas is not here (PYTHON names another)");
        return;
    }
    let folder = tempfile::tempdir().unwrap();
    let levels = LevelTable {
        unsolvable: Some(Unreached {
            states: 99_232_773_227,
            orbits: 99_232_773_227,
            digest: "2".repeat(32),
        }),
        ..sample::table(&[1, 4, 12])
    };
    write_rows(folder.path().join("levels.csv"), &levels.rows()).unwrap();
    let claims = sample::claims();
    let mut rows: Vec<ClaimRow> = claims.iter().map(ClaimRow::from).collect();
    let table = claims[0].id.clone();
    rows.push(ClaimRow {
        table,
        ..ClaimRow::from(&claims[1])
    });
    write_rows(folder.path().join("claims.csv"), &rows).unwrap();
    let example = Path::new(env!("CARGO_MANIFEST_DIR")).join("examples/tables.py");
    let ran = Command::new(&python)
        .arg(example)
        .arg(folder.path())
        .output()
        .unwrap();
    let out = String::from_utf8_lossy(&ran.stdout);
    let error = String::from_utf8_lossy(&ran.stderr);
    assert!(ran.status.success(), "{error}");
    let parts = [
        "17 positions, the farthest 2 moves away",
        "99,232,773,227 unsolvable",
        "8 claims, and 1 rows of their tables",
    ];
    sample::has(&out, &parts);
}
