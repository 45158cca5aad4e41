//! The work folder of engine `disk`, as a user of the command meets it: stopped, killed,
//! damaged, too small, somebody else's.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Child, Stdio};
use std::sync::LazyLock;
use std::time::{Duration, Instant};

use nix::sys::signal::{Signal, kill};
use nix::unistd::Pid;
use serde_json::Value;
use tempfile::TempDir;

use crate::support::{Ran, antipode, run_in};

const ANALYSE: [&str; 12] = [
    "analyse",
    "sliding-block/climb-12",
    "--engine",
    "disk",
    "--work",
    "work",
    "--memory",
    "128MiB",
    "--max-depth",
    "44",
    "--out",
    "out",
];

fn with<'a>(more: &[&'a str]) -> Vec<&'a str> {
    [&ANALYSE[..], more].concat()
}

fn levels(folder: &Path) -> String {
    fs::read_to_string(folder.join("out/levels.csv")).unwrap()
}

/// What the run comes to when nothing happens to it, found in memory.
static UNDISTURBED: LazyLock<String> = LazyLock::new(|| {
    let folder = tempfile::tempdir().unwrap();
    let args = [
        "analyse",
        "sliding-block/climb-12",
        "--engine",
        "hash",
        "--max-depth",
        "44",
        "--out",
        "out",
    ];
    assert_eq!(run_in(folder.path(), &args).code, 0);
    levels(folder.path())
});

fn start(folder: &Path, args: &[&str]) -> Child {
    let mut command = antipode();
    command.current_dir(folder).args(args);
    command.stdout(Stdio::piped()).stderr(Stdio::piped());
    command.spawn().unwrap()
}

/// Starts the run and sends a signal once some levels are finished.
fn interrupted(folder: &Path, args: &[&str], signal: Signal, finished: usize) -> Ran {
    let mut child = start(folder, args);
    let patience = Instant::now();
    while finished_levels(folder) < finished && child.try_wait().unwrap().is_none() {
        if patience.elapsed() > Duration::from_secs(120) {
            child.kill().unwrap();
        }
        std::thread::sleep(Duration::from_millis(2));
    }
    kill(Pid::from_raw(child.id() as i32), signal).unwrap();
    child.wait_with_output().unwrap().into()
}

fn finished_levels(folder: &Path) -> usize {
    let text = fs::read_to_string(folder.join("work/levels.manifest")).unwrap_or_default();
    text.matches("\"digest\"").count()
}

/// A folder in which the run was stopped at a level by its own limit.
fn copy_of_stopped() -> TempDir {
    static STOPPED: LazyLock<TempDir> = LazyLock::new(|| {
        let folder = tempfile::tempdir().unwrap();
        let args: Vec<&str> = with(&[])
            .into_iter()
            .map(|word| if word == "44" { "36" } else { word })
            .collect();
        assert_eq!(run_in(folder.path(), &args).code, 0);
        folder
    });
    let copy = tempfile::tempdir().unwrap();
    fs::create_dir(copy.path().join("work")).unwrap();
    for file in fs::read_dir(STOPPED.path().join("work")).unwrap() {
        let file = file.unwrap();
        fs::copy(file.path(), copy.path().join("work").join(file.file_name())).unwrap();
    }
    copy
}

/// Files of the folder whose names end so, the last level's last.
fn files(folder: &Path, end: &str) -> Vec<PathBuf> {
    let all = fs::read_dir(folder.join("work")).unwrap();
    let mut files: Vec<PathBuf> = all.map(|file| file.unwrap().path()).collect();
    // A worker that came too late has nothing on its shelf.
    let filled = |file: &PathBuf| fs::metadata(file).is_ok_and(|data| data.len() > 0);
    files.retain(|file| file.to_string_lossy().ends_with(end) && filled(file));
    files.sort();
    files
}

#[test]
fn a_killed_run_goes_on_to_the_same_bytes() {
    let folder = tempfile::tempdir().unwrap();
    let killed = interrupted(folder.path(), &ANALYSE, Signal::SIGKILL, 30);
    assert_eq!(killed.code, -1, "{}", killed.err);
    let again = interrupted(folder.path(), &with(&["--resume"]), Signal::SIGKILL, 36);
    assert_eq!(again.code, -1, "{}", again.err);
    let done = run_in(folder.path(), &with(&["--resume", "--threads", "1"]));
    assert_eq!(done.code, 0, "{}", done.err);
    assert_eq!(levels(folder.path()), *UNDISTURBED);
}

#[test]
fn ctrl_c_keeps_the_finished_levels_and_says_how_to_go_on() {
    let folder = tempfile::tempdir().unwrap();
    let stopped = interrupted(folder.path(), &ANALYSE, Signal::SIGINT, 30);
    assert_eq!(stopped.code, 4, "{}", stopped.err);
    assert!(stopped.out.contains("--resume"), "{}", stopped.out);
    let so_far = levels(folder.path());
    assert!(so_far.lines().count() >= 31);
    assert!(UNDISTURBED.starts_with(&so_far));
    let leftover = [
        files(folder.path(), "own-0.shelf"),
        files(folder.path(), "mail-0.shelf"),
    ];
    assert_eq!(leftover.concat(), Vec::<PathBuf>::new());
    let done = run_in(folder.path(), &with(&["--resume"]));
    assert_eq!(done.code, 0, "{}", done.err);
    assert_eq!(levels(folder.path()), *UNDISTURBED);
}

#[test]
fn what_a_killed_run_left_half_written_is_cleared_away() {
    let folder = copy_of_stopped();
    let work = folder.path().join("work");
    for name in ["own-1.shelf", "mail-0.shelf", "level-00037-p05-0.shelf"] {
        fs::write(work.join(name), "half").unwrap();
    }
    fs::write(work.join("notes.txt"), "the user's own").unwrap();
    let done = run_in(folder.path(), &with(&["--resume"]));
    assert_eq!(done.code, 0, "{}", done.err);
    assert_eq!(levels(folder.path()), *UNDISTURBED);
    assert!(!work.join("own-1.shelf").exists());
    assert!(work.join("notes.txt").exists());
}

/// Resumes after a change, which must be refused in one line that holds all fragments.
fn refused(change: impl FnOnce(&Path), fragments: &[&str]) {
    let folder = copy_of_stopped();
    change(folder.path());
    let ran = run_in(folder.path(), &with(&["--resume"]));
    assert_eq!(ran.code, 2, "{}{}", ran.out, ran.err);
    let lines: Vec<&str> = ran.err.lines().collect();
    assert_eq!(lines.len(), 1, "{}", ran.err);
    for fragment in fragments {
        assert!(ran.err.contains(fragment), "{fragment}: {}", ran.err);
    }
}

fn flip(file: &Path, at: impl FnOnce(usize) -> usize) {
    let mut bytes = fs::read(file).unwrap();
    let at = at(bytes.len());
    bytes[at] ^= 4;
    fs::write(file, bytes).unwrap();
}

#[test]
fn a_flipped_bit_in_a_level_is_found_and_the_file_named() {
    for at in [0, 2, 1] {
        refused(
            |folder| {
                flip(&files(folder, ".shelf").pop().unwrap(), |len| {
                    at * (len - 1) / 2
                })
            },
            &["level-00036", ".shelf: damaged", "checksum", "start over"],
        );
    }
}

#[test]
fn a_flipped_bit_in_the_level_before_is_found() {
    let change = |folder: &Path| {
        let shelves = files(folder, ".shelf");
        let before = shelves
            .iter()
            .find(|file| file.to_string_lossy().contains("00035"));
        flip(before.unwrap(), |len| len / 3);
    };
    refused(change, &["level-00035", "damaged", "checksum"]);
}

#[test]
fn a_flipped_bit_in_an_index_or_the_list_of_levels_is_found() {
    refused(
        |folder| flip(&files(folder, ".index").pop().unwrap(), |len| len / 2),
        &["level-00036", ".index: damaged", "checksum"],
    );
    refused(
        |folder| flip(&folder.join("work/levels.manifest"), |len| len / 2),
        &["levels.manifest: damaged", "checksum"],
    );
    refused(
        |folder| fs::write(folder.join("work/levels.manifest"), "").unwrap(),
        &["levels.manifest: damaged", "cut short"],
    );
}

#[test]
fn a_file_cut_short_or_gone_is_found() {
    let cut = |folder: &Path| {
        let file = files(folder, ".shelf").pop().unwrap();
        let bytes = fs::read(&file).unwrap();
        fs::write(&file, &bytes[..bytes.len() - 1]).unwrap();
    };
    refused(cut, &["level-00036", "damaged", "bytes, where"]);
    refused(
        |folder| fs::remove_file(files(folder, ".shelf").pop().unwrap()).unwrap(),
        &["level-00036", "damaged (it is missing)"],
    );
    refused(
        |folder| fs::remove_file(files(folder, ".index").pop().unwrap()).unwrap(),
        &["level-00036", ".index", "missing"],
    );
}

#[test]
fn a_folder_of_another_search_is_refused() {
    let folder = copy_of_stopped();
    let other: Vec<&str> = with(&["--resume", "--set", "metric=line"]);
    let ran = run_in(folder.path(), &other);
    assert_eq!(ran.code, 2);
    assert!(
        ran.err.contains("belongs to another search (settings"),
        "{}",
        ran.err
    );
    let ran = run_in(folder.path(), &ANALYSE);
    assert_eq!(ran.code, 2);
    assert!(
        ran.err.contains("holds 37 levels") && ran.err.contains("--resume"),
        "{}",
        ran.err
    );
    let empty = tempfile::tempdir().unwrap();
    let ran = run_in(empty.path(), &with(&["--resume"]));
    assert_eq!(ran.code, 2);
    assert!(ran.err.contains("nothing to resume"), "{}", ran.err);
}

#[test]
fn fewer_levels_than_there_are_are_refused_and_nothing_is_lost() {
    let folder = copy_of_stopped();
    let fewer: Vec<&str> = with(&["--resume"])
        .into_iter()
        .map(|word| if word == "44" { "20" } else { word })
        .collect();
    let ran = run_in(folder.path(), &fewer);
    assert_eq!(ran.code, 2);
    assert!(ran.err.contains("levels up to 36"), "{}", ran.err);
    let done = run_in(folder.path(), &with(&["--resume"]));
    assert_eq!(done.code, 0, "{}", done.err);
    assert_eq!(levels(folder.path()), *UNDISTURBED);
}

#[test]
fn a_board_file_that_changed_is_another_search() {
    let folder = tempfile::tempdir().unwrap();
    let board = |text: &str| fs::write(folder.path().join("b.txt"), text).unwrap();
    let args = [
        "analyse",
        "sliding-block/custom",
        "--set",
        "board=b.txt",
        "--engine",
        "disk",
        "--work",
        "work",
        "--memory",
        "128MiB",
    ];
    board("aab\n..b\n...\n...\n...\ncde\ngoal: a 1,1\n");
    let first = run_in(folder.path(), &[&args[..], &["--max-depth", "4"]].concat());
    assert_eq!(first.code, 0, "{}", first.err);
    board("aab\n..b\n...\n...\ncde\n...\ngoal: a 1,1\n");
    let other = run_in(folder.path(), &[&args[..], &["--resume"]].concat());
    assert_eq!(other.code, 2, "{}", other.out);
    assert!(other.err.contains("content of board"), "{}", other.err);
}

#[test]
fn levels_stay_until_the_results_are_written() {
    let folder = tempfile::tempdir().unwrap();
    let args = |out| {
        [
            "analyse",
            "sliding-block/donkey",
            "--engine",
            "disk",
            "--work",
            "work",
            "--out",
            out,
        ]
    };
    let same = run_in(folder.path(), &args("work"));
    assert_eq!(same.code, 2);
    assert!(same.err.contains("same folder"), "{}", same.err);
    assert!(!folder.path().join("work").exists());
    let done = run_in(folder.path(), &args("out"));
    assert_eq!(done.code, 0, "{}", done.err);
    assert!(folder.path().join("out/run.json").exists());
    assert!(!folder.path().join("work").exists());
}

#[test]
fn limits_that_solve_would_pass_over_on_disk_are_refused() {
    let folder = tempfile::tempdir().unwrap();
    for option in [["--max-states", "5"], ["--max-time", "1"], ["--width", "7"]] {
        let args = ["solve", "sliding-block/donkey", "--engine", "disk"];
        let ran = run_in(folder.path(), &[&args[..], &option].concat());
        assert_eq!(ran.code, 2);
        assert!(ran.err.contains(option[0]), "{}", ran.err);
    }
}

#[test]
fn two_runs_in_one_folder_are_refused() {
    let folder = tempfile::tempdir().unwrap();
    let mut first = start(folder.path(), &ANALYSE);
    let patience = Instant::now();
    while finished_levels(folder.path()) < 25 && patience.elapsed() < Duration::from_secs(60) {
        std::thread::sleep(Duration::from_millis(2));
    }
    let args = with(&["--resume"]);
    let args: Vec<&str> = args
        .into_iter()
        .map(|word| if word == "out" { "out2" } else { word })
        .collect();
    let second = run_in(folder.path(), &args);
    first.kill().unwrap();
    first.wait().unwrap();
    assert_eq!(second.code, 2, "{}", second.err);
    assert!(
        second.err.contains("another run is writing there"),
        "{}",
        second.err
    );
}

#[test]
fn a_disk_budget_stops_the_run_cleanly_and_more_lets_it_go_on() {
    let folder = tempfile::tempdir().unwrap();
    let stopped = run_in(folder.path(), &with(&["--disk", "200KiB"]));
    assert_eq!(stopped.code, 4, "{}", stopped.err);
    assert!(
        stopped.out.contains("200.00 KiB of disk allowed"),
        "{}",
        stopped.out
    );
    let so_far = levels(folder.path());
    assert!(so_far.lines().count() > 10 && UNDISTURBED.starts_with(&so_far));
    let work: u64 = fs::read_dir(folder.path().join("work"))
        .unwrap()
        .map(|file| file.unwrap())
        .filter(|file| !file.file_name().to_string_lossy().ends_with(".manifest"))
        .map(|file| file.metadata().unwrap().len())
        .sum();
    assert!(work <= 200 << 10, "{work}");
    let done = run_in(folder.path(), &with(&["--resume"]));
    assert_eq!(done.code, 0, "{}", done.err);
    assert_eq!(levels(folder.path()), *UNDISTURBED);
}

#[test]
fn too_little_memory_is_refused_before_anything_is_written() {
    let folder = tempfile::tempdir().unwrap();
    let args: Vec<&str> = with(&["--threads", "4"])
        .into_iter()
        .map(|word| if word == "128MiB" { "100MiB" } else { word })
        .collect();
    let ran = run_in(folder.path(), &args);
    assert_eq!(ran.code, 2);
    assert!(ran.err.contains("at least 128.00 MiB"), "{}", ran.err);
    assert!(!folder.path().join("work").exists());
}

#[test]
fn the_memory_allowed_is_kept_and_reported() {
    let folder = tempfile::tempdir().unwrap();
    let ran = run_in(folder.path(), &ANALYSE);
    assert_eq!(ran.code, 0, "{}", ran.err);
    assert_eq!(levels(folder.path()), *UNDISTURBED);
    let run: Value =
        serde_json::from_slice(&fs::read(folder.path().join("out/run.json")).unwrap()).unwrap();
    let peak = run["peak_memory_bytes"].as_u64().unwrap();
    assert!(peak < 128 << 20, "{peak}");
    let cost = fs::read_to_string(folder.path().join("out/cost.csv")).unwrap();
    assert_eq!(cost.lines().count(), 46);
}

#[test]
fn places_that_cannot_be_written_are_named() {
    let folder = tempfile::tempdir().unwrap();
    fs::write(folder.path().join("work"), "a file").unwrap();
    let ran = run_in(folder.path(), &ANALYSE);
    assert_eq!(ran.code, 2);
    assert!(ran.err.contains("work"), "{}", ran.err);
    assert_eq!(ran.err.lines().count(), 1, "{}", ran.err);
}

#[test]
fn a_work_folder_that_vanishes_is_named() {
    let folder = tempfile::tempdir().unwrap();
    let mut child = start(folder.path(), &ANALYSE);
    let patience = Instant::now();
    while finished_levels(folder.path()) < 25 && patience.elapsed() < Duration::from_secs(60) {
        std::thread::sleep(Duration::from_millis(2));
    }
    // Files may appear while the folder is emptied.
    while folder.path().join("work").exists() && child.try_wait().unwrap().is_none() {
        let _ = fs::remove_dir_all(folder.path().join("work"));
    }
    let ran: Ran = child.wait_with_output().unwrap().into();
    assert_eq!(ran.code, 2, "{}{}", ran.out, ran.err);
    assert!(ran.err.contains("work"), "{}", ran.err);
    assert_eq!(ran.err.lines().count(), 1, "{}", ran.err);
}

#[test]
fn options_of_the_disk_need_its_engine() {
    let folder = tempfile::tempdir().unwrap();
    for option in [["--work", "w"], ["--disk", "1GiB"], ["--keep-every", "3"]] {
        let args = [&["analyse", "sliding-block/donkey"][..], &option].concat();
        let ran = run_in(folder.path(), &args);
        assert_eq!(ran.code, 2);
        assert!(ran.err.contains("--engine disk"), "{}", ran.err);
    }
    let ran = run_in(
        folder.path(),
        &["analyse", "sliding-block/donkey", "--engine", "disk"],
    );
    assert_eq!(ran.code, 2);
    assert!(ran.err.contains("--work"), "{}", ran.err);
}
