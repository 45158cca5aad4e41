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

/// The same up to a lower level.
fn up_to<'a>(level: &'a str, more: &[&'a str]) -> Vec<&'a str> {
    let all = with(more).into_iter();
    all.map(|word| if word == "44" { level } else { word })
        .collect()
}

fn levels(folder: &Path) -> String {
    fs::read_to_string(folder.join("out/levels.csv")).unwrap()
}

/// Resumes a search that was stopped at level 36 for two levels more, whose bytes are those of an
/// undisturbed run.
fn resumed(folder: &Path) -> Ran {
    let ran = run_in(folder, &up_to("38", &["--resume"]));
    assert_eq!(ran.code, 0, "{}{}", ran.out, ran.err);
    let rows: Vec<&str> = UNDISTURBED.split_inclusive('\n').collect();
    assert_eq!(levels(folder), rows[..=39].concat());
    ran
}

/// The result of an undisturbed run, found in memory.
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
    let journal = fs::read_to_string(folder.join("work/progress.jsonl")).unwrap_or_default();
    let numbers = journal.split("\"finished\":").skip(1);
    let numbers = numbers.filter_map(|rest| rest.split(',').next()?.parse().ok());
    numbers.last().unwrap_or(0)
}

/// A folder in which the run was stopped at level 36 by its own limit.
fn stopped(more: &[&str]) -> TempDir {
    let folder = tempfile::tempdir().unwrap();
    assert_eq!(run_in(folder.path(), &up_to("36", more)).code, 0);
    folder
}

/// The same, made once.
fn copy_of_stopped() -> TempDir {
    static STOPPED: LazyLock<TempDir> = LazyLock::new(|| stopped(&[]));
    let copy = tempfile::tempdir().unwrap();
    fs::create_dir(copy.path().join("work")).unwrap();
    for file in fs::read_dir(STOPPED.path().join("work")).unwrap() {
        let file = file.unwrap();
        fs::copy(file.path(), copy.path().join("work").join(file.file_name())).unwrap();
    }
    copy
}

/// Files of the folder with this ending, the last level's last.
fn files(folder: &Path, end: &str) -> Vec<PathBuf> {
    let all = fs::read_dir(folder.join("work")).unwrap();
    let mut files: Vec<PathBuf> = all.map(|file| file.unwrap().path()).collect();
    // A worker that came too late has nothing left to do.
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
        files(folder.path(), "found-0.segment"),
        files(folder.path(), "exchange-0.segment"),
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
    let half = [
        "part-000000-found-1.segment",
        "part-000000-exchange-0.segment",
        "part-000000-level-00037-p05-0.segment",
        ".antipode-x7Gh2k.part",
    ];
    for name in half {
        fs::write(work.join(name), "half").unwrap();
    }
    fs::write(work.join("notes.txt"), "the user's own").unwrap();
    resumed(folder.path());
    for name in half {
        assert!(!work.join(name).exists(), "{name}");
    }
    assert!(work.join("notes.txt").exists());
}

/// Resumes after a change, which must write the same bytes, with a note that contains all
/// fragments.
fn recovers(change: impl FnOnce(&Path), fragments: &[&str]) {
    let folder = copy_of_stopped();
    change(folder.path());
    let ran = resumed(folder.path());
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

/// The segment of a non-empty level.
fn segment(folder: &Path, level: &str) -> PathBuf {
    let segments = files(folder, ".segment");
    let mut of_level = segments
        .into_iter()
        .filter(|file| file.to_string_lossy().contains(level));
    of_level.next().unwrap()
}

#[test]
fn a_flipped_bit_in_the_last_level_costs_that_level() {
    for at in [0, 2, 1] {
        recovers(
            |folder| flip(&segment(folder, "00036"), |len| at * (len - 1) / 2),
            &[
                "level-00036",
                ".segment: damaged",
                "checksum",
                "continuing from level 35",
            ],
        );
    }
}

#[test]
fn a_flipped_bit_in_an_index_costs_its_level() {
    recovers(
        |folder| flip(&files(folder, ".index").pop().unwrap(), |len| len / 2),
        &[
            "level-00036",
            ".index: damaged",
            "checksum",
            "continuing from level 35",
        ],
    );
}

#[test]
fn a_level_that_only_a_path_needs_costs_nothing() {
    recovers(
        |folder| flip(&files(folder, ".index")[0], |len| len / 2),
        &["level-00000", "damaged", "continuing without it"],
    );
}

#[test]
fn where_all_recent_levels_are_damaged_the_search_goes_back_to_its_roots() {
    let change = |folder: &Path, levels: &[&str]| {
        for level in levels {
            flip(&segment(folder, level), |len| len / 3);
        }
    };
    // After a level with marks, the next is made without the one before, so one kept for paths is
    // enough.
    let recent = ["00035", "00036"];
    recovers(
        |folder| change(folder, &recent),
        &["level-00035", "damaged", "continuing from level 32"],
    );
    let all = [&recent[..], &["00032", "00016", "00000"]].concat();
    recovers(
        |folder| change(folder, &all),
        &["level-00000", "starting from the beginning"],
    );
}

#[test]
fn a_file_cut_short_or_gone_costs_its_level() {
    let cut = |folder: &Path| {
        let file = segment(folder, "00036");
        let bytes = fs::read(&file).unwrap();
        fs::write(&file, &bytes[..bytes.len() - 1]).unwrap();
    };
    recovers(cut, &["level-00036", "damaged", "bytes, where"]);
    recovers(
        |folder| fs::remove_file(segment(folder, "00036")).unwrap(),
        &["level-00036", "damaged (it is missing)"],
    );
    recovers(
        |folder| fs::remove_file(files(folder, ".index").pop().unwrap()).unwrap(),
        &["level-00036", ".index", "missing"],
    );
}

#[test]
fn a_level_that_is_looked_for_in_two_places_is_told_to_be_damaged_once() {
    // The level before the last, which is also kept for paths.
    let folder = stopped(&["--keep-every", "35"]);
    fs::remove_file(segment(folder.path(), "00035")).unwrap();
    let ran = run_in(folder.path(), &with(&["--keep-every", "35", "--resume"]));
    assert_eq!(ran.code, 0, "{}{}", ran.out, ran.err);
    let told = ran.err.matches("level-00035").count();
    assert_eq!(told, 1, "{}", ran.err);
    assert_eq!(levels(folder.path()), *UNDISTURBED);
}

fn change_lines(folder: &Path, change: impl FnOnce(&mut Vec<String>)) {
    let journal = folder.join("work/progress.jsonl");
    let text = fs::read_to_string(&journal).unwrap();
    let mut lines: Vec<String> = text.split_inclusive('\n').map(str::to_owned).collect();
    change(&mut lines);
    fs::write(&journal, lines.concat()).unwrap();
}

#[test]
fn a_damaged_line_of_the_journal_costs_at_most_its_level() {
    let lower = |folder: &Path, line: usize| {
        change_lines(folder, |lines| {
            lines[line] = lines[line].replacen("\"part\":0", "\"part\":1", 1)
        });
    };
    // A line of an old level, one of a late level, the head.
    recovers(
        |folder| lower(folder, 21),
        &["progress.jsonl: line 22: damaged"],
    );
    recovers(
        |folder| lower(folder, 37),
        &["progress.jsonl: line 38: damaged"],
    );
    recovers(
        |folder| {
            change_lines(folder, |lines| {
                lines[0] = lines[0].replacen("climb", "clomb", 1)
            })
        },
        &["progress.jsonl: line 1: damaged"],
    );
}

#[test]
fn lines_of_the_journal_that_changed_places_are_noticed() {
    for (a, b) in [(20, 21), (3, 30), (36, 37)] {
        let swap = |folder: &Path| change_lines(folder, |lines| lines.swap(a, b));
        recovers(swap, &["not in the order in which they were written"]);
    }
}

#[test]
fn an_empty_folder_is_begun_by_resume() {
    let folder = tempfile::tempdir().unwrap();
    let ran = resumed(folder.path());
    assert!(ran.err.contains("nothing there to resume"), "{}", ran.err);
}

#[test]
fn a_finished_run_that_is_resumed_keeps_its_results() {
    let folder = tempfile::tempdir().unwrap();
    let args = |more: &[&'static str]| {
        let all = [
            "analyse",
            "sliding-block/donkey",
            "--engine",
            "disk",
            "--work",
            "work",
            "--out",
            "out",
        ];
        [&all[..], more].concat()
    };
    let results = || {
        ["levels.csv", "antipodes.csv"]
            .map(|name| fs::read(folder.path().join("out").join(name)).unwrap())
    };
    assert_eq!(run_in(folder.path(), &args(&["--keep-work"])).code, 0);
    let whole = results();
    assert!(whole[1].len() > 50, "antipodes");
    // With its levels still there, and without.
    for (more, says) in [(&["--resume", "--keep-work"][..], ""), (&["--resume"], "")] {
        let ran = run_in(folder.path(), &args(more));
        assert_eq!(ran.code, 0, "{}", ran.err);
        assert!(ran.err.contains(says), "{}", ran.err);
        assert_eq!(results(), whole);
    }
    assert!(!folder.path().join("work").exists());
    fs::remove_file(folder.path().join("out/run.json")).unwrap();
    assert_eq!(run_in(folder.path(), &args(&[])).code, 0);
    let ran = run_in(folder.path(), &args(&["--resume"]));
    assert_eq!(ran.code, 0, "{}", ran.err);
    assert!(
        ran.err.contains("out: the run there is finished"),
        "{}",
        ran.err
    );
    assert_eq!(results(), whole);
    let ran = run_in(folder.path(), &args(&["--resume", "--max-depth", "5"]));
    assert_eq!(ran.code, 2, "{}", ran.err);
    assert!(
        ran.err.contains("finished results of another command"),
        "{}",
        ran.err
    );
    assert_eq!(results(), whole);
}

/// The puzzle names the level before the goal's, and the kept ones below it, at their worst.
#[test]
fn a_path_goes_round_damaged_levels() {
    let solve = |folder: &Path, more: &[&str]| {
        let args = [
            "solve",
            "sliding-block/climb-12",
            "--engine",
            "disk",
            "--work",
            "work",
        ];
        run_in(
            folder,
            &[&args[..], &["--threads", "1", "--memory", "128MiB"], more].concat(),
        )
    };
    let whole = tempfile::tempdir().unwrap();
    let undisturbed = solve(whole.path(), &[]);
    assert_eq!(undisturbed.code, 0, "{}", undisturbed.err);
    let folder = tempfile::tempdir().unwrap();
    let args = [
        "solve",
        "sliding-block/climb-12",
        "--engine",
        "disk",
        "--work",
        "work",
    ];
    let args = [&args[..], &["--threads", "1", "--memory", "128MiB"]].concat();
    interrupted(folder.path(), &args, Signal::SIGKILL, 52);
    for level in ["00000", "00032"] {
        flip(&segment(folder.path(), level), |len| len / 2);
    }
    let ran = solve(folder.path(), &["--resume"]);
    assert_eq!(ran.code, 0, "{}", ran.err);
    assert!(ran.err.contains("going back without it"), "{}", ran.err);
    let moves = |ran: &Ran| {
        ran.out
            .lines()
            .find(|line| line.contains("solved in"))
            .unwrap()
            .to_owned()
    };
    assert_eq!(moves(&ran), moves(&undisturbed));
}

#[test]
fn a_folder_of_another_search_is_refused() {
    let folder = copy_of_stopped();
    let other: Vec<&str> = with(&["--resume", "--set", "metric=line"]);
    let ran = run_in(folder.path(), &other);
    assert_eq!(ran.code, 2);
    let difference = "belongs to another run (setting metric is none there and line here)";
    assert!(ran.err.contains(difference), "{}", ran.err);
    let ran = run_in(folder.path(), &ANALYSE);
    assert_eq!(ran.code, 2);
    assert!(
        ran.err.contains("finished pieces of this very run") && ran.err.contains("--resume"),
        "{}",
        ran.err
    );
}

#[test]
fn fewer_levels_than_there_are_are_refused_and_nothing_is_lost() {
    let folder = copy_of_stopped();
    let ran = run_in(folder.path(), &up_to("20", &["--resume"]));
    assert_eq!(ran.code, 2);
    assert!(ran.err.contains("levels up to 36"), "{}", ran.err);
    resumed(folder.path());
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
        second.err.contains("another run is at work there"),
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
        .filter(|file| !file.file_name().to_string_lossy().ends_with(".jsonl"))
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
    assert_eq!(ran.code, 4);
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
