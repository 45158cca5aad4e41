//! A long run that is stopped, killed or damaged before its end, and continues with `--resume`.
//!
//! Engine `hash` walks the box on one thread, which takes seconds. Engine `sweep` gives the
//! expected bytes in a moment.

use std::ffi::OsString;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Stdio;
use std::sync::LazyLock;
use std::time::{Duration, Instant};

use antipode_reports::csv_in;
use nix::sys::signal::{Signal, kill};
use nix::unistd::Pid;
use serde_json::Value;
use tempfile::TempDir;

use crate::support::{Ran, antipode, run_in};

const ANALYSE: [&str; 10] = [
    "analyse",
    "tilt/box",
    "--set",
    "grey=4",
    "--set",
    "blue=0..1",
    "--engine",
    "hash",
    "--out",
    "out",
];
/// Lines of the journal that a run has written before it is stopped, its head included.
const ENOUGH: usize = 30;

/// The result of an undisturbed run.
static UNDISTURBED: LazyLock<[Vec<u8>; 2]> = LazyLock::new(|| {
    let folder = tempfile::tempdir().unwrap();
    let sweep = ANALYSE.map(|word| if word == "hash" { "sweep" } else { word });
    let ran = run_in(folder.path(), &sweep);
    assert_eq!(ran.code, 0, "{}", ran.err);
    tables(folder.path())
});

fn tables(folder: &Path) -> [Vec<u8>; 2] {
    ["levels.csv", "antipodes.csv"].map(|name| fs::read(folder.join("out").join(name)).unwrap())
}

fn journal(folder: &Path) -> PathBuf {
    folder.join("out/progress.jsonl")
}

/// Starts the run and sends a signal once the journal has [`ENOUGH`] lines.
fn interrupted(folder: &Path, signal: Signal) -> Ran {
    let args = [&ANALYSE[..], &["--threads", "1"]].concat();
    interrupted_at(folder, &args, signal, (&journal(folder), ENOUGH))
}

/// Starts a run and sends a signal once a journal has some number of lines.
fn interrupted_at(folder: &Path, args: &[&str], signal: Signal, at: (&Path, usize)) -> Ran {
    let mut command = antipode();
    command.current_dir(folder).args(args);
    command.stdout(Stdio::piped()).stderr(Stdio::piped());
    let mut child = command.spawn().unwrap();
    let patience = Instant::now();
    while lines_of(at.0) < at.1 && child.try_wait().unwrap().is_none() {
        if patience.elapsed() > Duration::from_secs(120) {
            child.kill().unwrap();
        }
        std::thread::sleep(Duration::from_millis(2));
    }
    kill(Pid::from_raw(child.id() as i32), signal).unwrap();
    child.wait_with_output().unwrap().into()
}

/// Finished lines of a journal, which may not exist yet.
fn lines_of(journal: &Path) -> usize {
    let bytes = fs::read(journal).unwrap_or_default();
    bytes.iter().filter(|&&byte| byte == b'\n').count()
}

fn resumed(folder: &Path) -> Ran {
    run_in(
        folder,
        &[&ANALYSE[..], &["--resume", "--threads", "2"]].concat(),
    )
}

/// The files of a run stopped by Ctrl-C, made once: by name.
static STOPPED: LazyLock<Vec<(OsString, Vec<u8>)>> = LazyLock::new(|| {
    let folder = tempfile::tempdir().unwrap();
    let ran = interrupted(folder.path(), Signal::SIGINT);
    assert_eq!(ran.code, 4, "{}", ran.err);
    let files = fs::read_dir(folder.path().join("out")).unwrap();
    files
        .map(|file| file.unwrap())
        .map(|file| (file.file_name(), fs::read(file.path()).unwrap()))
        .collect()
});

fn copy_of_stopped() -> TempDir {
    let copy = tempfile::tempdir().unwrap();
    let out = copy.path().join("out");
    fs::create_dir(&out).unwrap();
    for (name, bytes) in &*STOPPED {
        fs::write(out.join(name), bytes).unwrap();
    }
    copy
}

fn run_json(folder: &Path) -> Value {
    serde_json::from_slice(&fs::read(folder.join("out/run.json")).unwrap()).unwrap()
}

// ---- stopping ----------------------------------------------------------------------

#[test]
fn ctrl_c_leaves_the_finished_parts_and_says_how_far_it_got() {
    let folder = tempfile::tempdir().unwrap();
    let ran = interrupted(folder.path(), Signal::SIGINT);
    assert_eq!(ran.code, 4, "{}", ran.err);
    assert!(
        ran.err.contains("stopping after the work in hand"),
        "{}",
        ran.err
    );
    let run = run_json(folder.path());
    assert_eq!(run["complete"], false);
    assert_eq!(run["stopped_because"], "stopped on request");
    let (done, total) = (&run["parts_done"], &run["parts_total"]);
    let (done, total) = (done.as_u64().unwrap(), total.as_u64().unwrap());
    assert!(0 < done && done < total);
    let far = format!("{done} of 1,391 parts");
    assert!(ran.out.contains(&far), "{far}: {}", ran.out);
    assert!(ran.out.contains("--resume to continue"), "{}", ran.out);
}

#[test]
fn ctrl_c_leaves_a_level_table_of_the_finished_parts() {
    let stopped = copy_of_stopped();
    let levels = csv_in::read_levels(stopped.path().join("out/levels.csv")).unwrap();
    let whole = tempfile::tempdir().unwrap();
    fs::write(whole.path().join("levels.csv"), &UNDISTURBED[0]).unwrap();
    let whole = csv_in::read_levels(whole.path().join("levels.csv")).unwrap();
    assert!(levels.unsolvable.is_none(), "not all of them are known");
    assert!(0 < levels.total_states() && levels.total_states() < whole.total_states());
    for (found, all) in levels.levels.iter().zip(&whole.levels) {
        assert_eq!(found.depth, all.depth);
        assert!(found.states <= all.states && found.orbits <= all.orbits);
    }
}

#[test]
fn a_stopped_run_goes_on_to_the_same_bytes() {
    let folder = copy_of_stopped();
    let before = run_json(folder.path());
    let ran = resumed(folder.path());
    assert_eq!(ran.code, 0, "{}", ran.err);
    assert_eq!(tables(folder.path()), *UNDISTURBED);
    let after = run_json(folder.path());
    assert_eq!(after["complete"], true);
    assert_eq!(after["parts_done"], after["parts_total"]);
    // The states expanded are those of the remaining parts.
    let expanded = |run: &Value| run["extra"]["states_expanded"].as_u64().unwrap();
    assert!(expanded(&before) > 0 && expanded(&after) > 0);
    assert!(!journal(folder.path()).exists());
}

#[test]
fn a_run_stopped_twice_goes_on_to_the_same_bytes() {
    let folder = copy_of_stopped();
    let before = fs::read_to_string(journal(folder.path())).unwrap();
    let args = [&ANALYSE[..], &["--resume", "--threads", "1"]].concat();
    let journal = journal(folder.path());
    let more = lines_of(&journal) + 5;
    let ran = interrupted_at(folder.path(), &args, Signal::SIGINT, (&journal, more));
    assert_eq!(ran.code, 4, "{}", ran.err);
    let after = fs::read_to_string(&journal).unwrap();
    assert!(after.starts_with(&before), "what was finished stays");
    assert_eq!(resumed(folder.path()).code, 0);
    assert_eq!(tables(folder.path()), *UNDISTURBED);
}

#[test]
fn a_killed_run_goes_on_to_the_same_bytes() {
    let folder = tempfile::tempdir().unwrap();
    let ran = interrupted(folder.path(), Signal::SIGKILL);
    assert_eq!((ran.code, ran.out.as_str()), (-1, ""));
    assert!(!folder.path().join("out/levels.csv").exists());
    let ran = resumed(folder.path());
    assert_eq!(ran.code, 0, "{}", ran.err);
    assert_eq!(tables(folder.path()), *UNDISTURBED);
}

/// The whole box takes minutes, so it is stopped, and stopped again.
#[test]
fn ctrl_c_in_certify_leaves_the_claim_not_reached_and_resume_goes_on() {
    let folder = tempfile::tempdir().unwrap();
    let journal = folder.path().join("out/tilt-box/progress.jsonl");
    let certify = [
        "certify",
        "tilt-hardest-board",
        "--out",
        "out",
        "--seed",
        "3",
    ];
    let mut finished = 0;
    for args in [&certify[..], &[&certify[..], &["--resume"]].concat()] {
        let at = (journal.as_path(), lines_of(&journal).max(1) + 1);
        let ran = interrupted_at(folder.path(), args, Signal::SIGINT, at);
        assert_eq!(ran.code, 4, "{}", ran.err);
        assert!(ran.out.contains("not reached"), "{}", ran.out);
        let file = folder
            .path()
            .join("out/certificates/tilt-hardest-board.json");
        let found: Value = serde_json::from_slice(&fs::read(file).unwrap()).unwrap();
        assert_eq!(found["claim"]["verdict"], "not-reached");
        let note = found["claim"]["notes"][0].as_str().unwrap();
        let done = found["cases"][0]["run"]["parts_done"].as_u64().unwrap();
        let far = format!(
            "stopped after {done} of {} parts",
            found["cases"][0]["run"]["parts_total"]
        );
        assert!(note.contains(&far) && note.contains("--resume"), "{note}");
        assert!(done > finished, "what was finished stays");
        finished = done;
    }
    let levels = csv_in::read_levels(folder.path().join("out/tilt-box/levels.csv"));
    assert!(levels.unwrap().total_states() > 0);
}

#[test]
fn without_resume_a_run_starts_over() {
    let folder = copy_of_stopped();
    let sweep = ANALYSE.map(|word| if word == "hash" { "sweep" } else { word });
    let ran = run_in(folder.path(), &sweep);
    assert_eq!(ran.code, 0, "{}", ran.err);
    assert_eq!(tables(folder.path()), *UNDISTURBED);
}

// ---- a journal that was changed --------------------------------------------------------

/// Resumes with the journal's bytes changed.
fn resumed_with(change: impl FnOnce(&mut Vec<u8>)) -> (TempDir, Ran) {
    let folder = copy_of_stopped();
    let mut bytes = fs::read(journal(folder.path())).unwrap();
    change(&mut bytes);
    fs::write(journal(folder.path()), bytes).unwrap();
    let ran = resumed(folder.path());
    (folder, ran)
}

/// Resuming writes the same bytes, and reports what is redone.
fn recovers(change: impl FnOnce(&mut Vec<u8>), note: &str) {
    let (folder, ran) = resumed_with(change);
    assert_eq!(ran.code, 0, "{}", ran.err);
    assert!(ran.err.contains(note), "'{}' lacks '{note}'", ran.err);
    assert_eq!(tables(folder.path()), *UNDISTURBED);
}

/// Where line `number` (from 1) starts.
fn start_of(bytes: &[u8], number: usize) -> usize {
    let ends = bytes.iter().enumerate().filter(|(_, byte)| **byte == b'\n');
    ends.map(|(at, _)| at + 1).nth(number - 2).unwrap()
}

#[test]
fn a_torn_last_line_is_dropped_and_its_parts_walked_again() {
    let (folder, ran) = resumed_with(|bytes| bytes.truncate(bytes.len() - 9));
    assert_eq!(ran.code, 0, "{}", ran.err);
    assert_eq!(tables(folder.path()), *UNDISTURBED);
}

#[test]
fn a_journal_torn_in_its_head_starts_over() {
    let (folder, ran) = resumed_with(|bytes| bytes.truncate(20));
    assert_eq!(ran.code, 0, "{}", ran.err);
    assert_eq!(tables(folder.path()), *UNDISTURBED);
}

#[test]
fn a_flipped_bit_in_a_count_costs_its_line() {
    // The states of level 0, the second number of the first row.
    let flip = |bytes: &mut Vec<u8>| {
        let line = start_of(bytes, 7);
        let text = String::from_utf8_lossy(&bytes[line..]).into_owned();
        bytes[line + text.find("[0,").unwrap() + 3] ^= 1;
    };
    recovers(
        flip,
        "out/progress.jsonl: line 7: damaged (the checksum does not match)",
    );
}

/// Whatever bit of a line flips, the line is named, and its parts are walked again.
#[test]
fn any_flipped_bit_of_a_line_costs_that_line() {
    for (at, bits) in [(0, &[0, 7][..]), (40, &[2]), (90, &[0])] {
        for &bit in bits {
            let flip = |bytes: &mut Vec<u8>| {
                let line = start_of(bytes, 5);
                bytes[line + at] ^= 1 << bit;
            };
            recovers(flip, "out/progress.jsonl: line 5: damaged");
        }
    }
}

#[test]
fn lines_run_together_are_walked_again() {
    let join = |bytes: &mut Vec<u8>| {
        let end = start_of(bytes, 5) - 1;
        bytes[end] = b' ';
    };
    recovers(join, "out/progress.jsonl: line 4: damaged");
}

/// Resumes the stopped run with other arguments in place of some; returns the error.
fn refused_as_foreign(change: &[(&str, &str)], more: &[&str]) -> String {
    let folder = copy_of_stopped();
    let args = ANALYSE.map(|word| {
        let other = change.iter().find(|(from, _)| *from == word);
        other.map_or(word, |(_, to)| to)
    });
    let ran = run_in(folder.path(), &[&args[..], &["--resume"], more].concat());
    assert_eq!(ran.code, 2, "{}", ran.err);
    assert_eq!(ran.err.lines().count(), 1, "{}", ran.err);
    let expected = "antipode: out: belongs to another run (";
    ran.err
        .strip_prefix(expected)
        .unwrap_or_else(|| panic!("{}", ran.err))
        .to_owned()
}

#[test]
fn a_journal_of_other_settings_is_refused() {
    let error = refused_as_foreign(&[("grey=4", "grey=5")], &[]);
    assert!(
        error.starts_with("setting grey is 4 there and 5 here)"),
        "{error}"
    );
}

#[test]
fn a_journal_of_another_seed_is_refused() {
    let error = refused_as_foreign(&[], &["--seed", "2"]);
    assert!(error.starts_with("seed is 1 there and 2 here)"), "{error}");
}

#[test]
fn a_journal_of_another_engine_is_refused() {
    let error = refused_as_foreign(&[("hash", "dense")], &[]);
    assert!(
        error.starts_with("engine is hash there and dense here)"),
        "{error}"
    );
}

#[test]
fn a_journal_of_another_variant_is_refused() {
    let error = refused_as_foreign(&[], &["--variant", "reference"]);
    assert!(
        error.starts_with("variant is bitboard there and reference here)"),
        "{error}"
    );
}

#[test]
fn a_journal_of_another_greatest_depth_is_refused() {
    let error = refused_as_foreign(&[], &["--max-depth", "3"]);
    assert!(error.contains(" is none there and 3 here)"), "{error}");
}

#[test]
fn where_nothing_was_kept_yet_resume_begins() {
    let folder = tempfile::tempdir().unwrap();
    let ran = resumed(folder.path());
    assert_eq!(ran.code, 0, "{}", ran.err);
    assert!(
        ran.err.contains("out: nothing there to resume"),
        "{}",
        ran.err
    );
    assert_eq!(tables(folder.path()), *UNDISTURBED);
}

#[test]
fn a_second_run_in_the_same_folder_is_refused() {
    let folder = tempfile::tempdir().unwrap();
    fs::create_dir(folder.path().join("out")).unwrap();
    let held = fs::File::open(folder.path().join("out")).unwrap();
    held.lock().unwrap();
    let ran = run_in(folder.path(), &ANALYSE);
    assert_eq!(ran.code, 2, "{}", ran.err);
    assert!(
        ran.err.contains("another run is at work there"),
        "{}",
        ran.err
    );
}

#[test]
fn a_journal_that_is_no_file_is_refused() {
    let folder = tempfile::tempdir().unwrap();
    fs::create_dir_all(journal(folder.path())).unwrap();
    let ran = run_in(folder.path(), &[&ANALYSE[..], &["--resume"]].concat());
    assert_eq!(ran.code, 2, "{}", ran.err);
    assert!(ran.err.contains("is no regular file"), "{}", ran.err);
}
