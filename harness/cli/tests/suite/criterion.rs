//! Criterion's folders from a real run (`tests/data/criterion`, with `ci/bench-runner.sh`, without
//! plots) imported into the table. They have names that no file system takes, groups with
//! parameters, both ways of sampling, and the folders of pages, earlier figures and changes.

use std::fs;
use std::path::{Path, PathBuf};

use antipode_reports::bench::{Sample, read_folder};
use serde_json::Value;
use tempfile::TempDir;

use crate::support::{Ran, run_in};

/// A copy of the real folders, which a test may change.
fn real() -> TempDir {
    let from = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/data/criterion");
    let folder = tempfile::tempdir().unwrap();
    copy(&from, &folder.path().join("criterion"));
    folder
}

fn copy(from: &Path, to: &Path) {
    fs::create_dir_all(to).unwrap();
    for entry in fs::read_dir(from).unwrap() {
        let path = entry.unwrap().path();
        let place = to.join(path.file_name().unwrap());
        match path.is_dir() {
            true => copy(&path, &place),
            false => drop(fs::copy(&path, &place).unwrap()),
        }
    }
}

fn import(at: &Path) -> Ran {
    run_in(at, &["bench", "--criterion", "criterion", "--out", "out"])
}

fn figures(at: &Path) -> Vec<Sample> {
    read_folder(at.join("out")).unwrap()
}

/// The first sample of each bench.
fn firsts(all: &[Sample]) -> Vec<&Sample> {
    all.iter().filter(|sample| sample.sample == 0).collect()
}

fn tilt(at: &Path, bench: &str) -> PathBuf {
    at.join("criterion/antipode-tilt/variants/successors")
        .join(bench)
}

#[test]
fn benches_have_their_real_names_and_say_whose_they_are() {
    let folder = real();
    let at = folder.path();
    let ran = import(at);
    assert_eq!(ran.code, 0, "{}", ran.err);
    assert!(ran.err.contains("50 figures (5 names new"), "{}", ran.err);
    let all = figures(at);
    let found = firsts(&all)
        .into_iter()
        .map(|s| (s.row.as_str(), s.group.as_str(), s.version.as_str()));
    let found: Vec<_> = found.collect();
    let chain = "antipode-puzzle-api/permute/8x8-rotate90";
    let symmetry = "antipode-tilt/symmetry/symmetry, generated";
    let successors = "antipode-tilt/variants/successors";
    let (api, rules) = ("antipode-puzzle-api 0.1.0", "antipode-tilt 0.1.0");
    assert_eq!(
        found,
        [
            (&*format!("{chain}/chain/grouped-rotate"), chain, api),
            (&*format!("{chain}/chain/naive"), chain, api),
            (
                &*format!("{symmetry}/used: grey first, row tables"),
                symmetry,
                rules
            ),
            (&*format!("{successors}/bitboard"), successors, rules),
            (&*format!("{successors}/reference"), successors, rules),
        ]
    );
    // The figures are those of the new run: every sample's time by its iterations.
    let new = tilt(at, "bitboard/new/sample.json");
    let new: Value = serde_json::from_slice(&fs::read(new).unwrap()).unwrap();
    let of = |field: &str, number: usize| new[field][number].as_f64().unwrap();
    let row = format!("{successors}/bitboard");
    let mine: Vec<&Sample> = all.iter().filter(|s| s.row == row).collect();
    assert_eq!(mine.len(), 10);
    for (number, sample) in mine.iter().enumerate() {
        assert_eq!(sample.sample as usize, number);
        assert_eq!(
            sample.value,
            Some(of("times", number) / of("iters", number))
        );
        assert_eq!((&*sample.metric, &*sample.unit), ("criterion", "ns"));
    }
    let said = &mine[0].detail;
    assert!(
        said.starts_with("criterion's slope 59711.958 ns, 59659.185 to"),
        "{said}"
    );
    assert!(said.ends_with("an iteration does 4096 elements"), "{said}");
}

#[test]
fn a_page_shows_them_and_both_forms_of_the_table_hold_them() {
    let folder = real();
    let at = folder.path();
    assert_eq!(import(at).code, 0);
    let json: Value =
        serde_json::from_slice(&fs::read(at.join("out/samples.json")).unwrap()).unwrap();
    assert_eq!(json.as_array().unwrap().len(), 50);
    let ran = run_in(at, &["report", "out", "--out", "page"]);
    assert_eq!(ran.code, 0, "{}", ran.err);
    let page = fs::read_to_string(at.join("page/report.html")).unwrap();
    assert!(page.contains("used: grey first, row tables"));
    assert!(page.contains("an iteration does 4096 elements"));
}

#[test]
fn a_new_run_takes_the_place_of_the_old_one() {
    let folder = real();
    let at = folder.path();
    assert_eq!(import(at).code, 0);
    let before = fs::read_to_string(at.join("out/samples.csv")).unwrap();
    let ran = import(at);
    assert!(ran.err.contains("5 as they were"), "{}", ran.err);
    assert_eq!(
        fs::read_to_string(at.join("out/samples.csv")).unwrap(),
        before
    );
    // Another run of one bench, with fewer samples; the others are gone.
    let new = tilt(at, "bitboard/new/sample.json");
    fs::write(
        &new,
        r#"{"sampling_mode":"Flat","iters":[2.0,2.0],"times":[10.0,12.0]}"#,
    )
    .unwrap();
    fs::remove_dir_all(at.join("criterion/antipode-puzzle-api")).unwrap();
    fs::remove_dir_all(at.join("criterion/antipode-tilt/symmetry")).unwrap();
    let ran = import(at);
    assert!(
        ran.err
            .contains("12 figures (0 names new, 1 replaced, 1 as they were)"),
        "{}",
        ran.err
    );
    let all = figures(at);
    assert_eq!(all.len(), 4 * 10 + 2);
    let mine = all
        .iter()
        .filter(|s| s.row.ends_with("successors/bitboard"));
    let values: Vec<Option<f64>> = mine.map(|sample| sample.value).collect();
    assert_eq!(values, [Some(5.0), Some(6.0)]);
}

/// Figures of two runs are compared; folders that are empty, old or gone are named.
#[test]
fn two_runs_are_compared_and_what_is_left_of_others_is_named() {
    let folder = real();
    let at = folder.path();
    assert_eq!(import(at).code, 0);
    let new = tilt(at, "bitboard/new/sample.json");
    let text = fs::read_to_string(&new).unwrap();
    let mut value: Value = serde_json::from_str(&text).unwrap();
    for time in value["times"].as_array_mut().unwrap() {
        *time = (time.as_f64().unwrap() * 2.0).into();
    }
    fs::write(&new, value.to_string()).unwrap();
    fs::create_dir_all(at.join("criterion/hollow/new")).unwrap();
    let old = fs::File::open(tilt(at, "reference/new/estimates.json")).unwrap();
    old.set_modified(std::time::UNIX_EPOCH).unwrap();
    let into = |out: &str| run_in(at, &["bench", "--criterion", "criterion", "--out", out]);
    let ran = into("slow");
    assert_eq!(ran.code, 0, "{}", ran.err);
    assert!(
        ran.err.contains("criterion/hollow: left out"),
        "{}",
        ran.err
    );
    let aged = "successors/reference' was measured ";
    assert!(ran.err.contains(aged), "{}", ran.err);
    let ran = run_in(at, &["compare", "out", "slow", "--band", "1.1"]);
    assert_eq!(ran.code, 0, "{}", ran.err);
    let says = |ran: &Ran, verdict: &str| {
        let mut lines = ran.out.lines();
        lines.any(|line| line.contains(" 2.000 ") && line.contains(verdict))
    };
    assert!(says(&ran, " slower"), "{}", ran.out);
    assert!(ran.out.contains("criterion compared"), "{}", ran.out);
    let ran = run_in(at, &["compare", "out", "slow"]);
    assert!(says(&ran, " undecided"), "{}", ran.out);
    fs::remove_dir_all(at.join("criterion/antipode-tilt")).unwrap();
    let ran = into("slow");
    let gone = "kept, not in the import: antipode-tilt/symmetry";
    assert!(ran.err.contains(gone), "{}", ran.err);
    let api = at.join("criterion/antipode-puzzle-api");
    fs::rename(api, at.join("moved")).unwrap();
    assert_eq!(into("slow").code, 2);
}

#[test]
fn benches_of_one_name_and_damaged_files_are_refused() {
    let folder = real();
    let at = folder.path();
    let again = at.join("criterion/antipode-tilt/variants/once more");
    copy(&tilt(at, "bitboard"), &again);
    let ran = import(at);
    assert_eq!(ran.code, 2);
    assert!(
        ran.err.contains("a second bench with the name"),
        "{}",
        ran.err
    );
    assert!(!at.join("out/samples.csv").exists());
    fs::remove_dir_all(again).unwrap();
    let negative = r#"{"iters":[1.0,1.0],"times":[10.0,-5.0]}"#;
    fs::write(tilt(at, "bitboard/new/sample.json"), negative).unwrap();
    let ran = import(at);
    assert_eq!(
        (ran.code, ran.err.contains("at least 0, not -5")),
        (2, true),
        "{}",
        ran.err
    );
    fs::write(tilt(at, "bitboard/new/sample.json"), "{\"iters\":[1.0],").unwrap();
    let ran = import(at);
    assert_eq!(ran.code, 2);
    assert!(ran.err.contains("bitboard/new/sample.json"), "{}", ran.err);
    assert!(!at.join("out/samples.csv").exists());
}
