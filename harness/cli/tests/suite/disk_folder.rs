//! The work folder of engine `disk`, as a user of the command meets it: stopped, killed,
//! damaged, too small, somebody else's.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Child;
use std::sync::LazyLock;
use std::time::{Duration, Instant};

use nix::sys::signal::Signal;
use tempfile::TempDir;

use crate::support::{
    Ran, Text, copied, folder_with, interrupted, json, read, refuses, runs, started, words,
};

const ANALYSE: &str = "analyse sliding-block/climb-12 --engine disk --work work --memory 128MiB \
                       --max-depth 44 --out out";
const DONKEY: &str = "analyse sliding-block/donkey --engine disk --work work";

/// Runs the search with more options.
fn with(folder: &Path, more: &str) -> Ran {
    runs(folder, &format!("{ANALYSE} {more}"))
}

/// The same up to a lower level.
fn up_to(folder: &Path, level: u32, more: &str) -> Ran {
    runs(
        folder,
        &format!("{ANALYSE} {more}").replace("44", &level.to_string()),
    )
}

fn levels(folder: &Path) -> String {
    read(folder.join("out/levels.csv"))
}

/// Resumes a search that was stopped at level 36 for two levels more, whose bytes are those of an
/// undisturbed run.
fn resumed(folder: &Path) -> Ran {
    let ran = up_to(folder, 38, "--resume").ended(0);
    let rows: Vec<&str> = UNDISTURBED.split_inclusive('\n').collect();
    assert_eq!(levels(folder), rows[..=39].concat());
    ran
}

/// Resumes to the whole result.
fn finished(folder: &Path, more: &str) -> Ran {
    let ran = with(folder, &format!("--resume {more}")).ended(0);
    assert_eq!(levels(folder), *UNDISTURBED);
    ran
}

/// The result of an undisturbed run, found in memory.
static UNDISTURBED: LazyLock<String> = LazyLock::new(|| {
    let folder = tempfile::tempdir().unwrap();
    let line = "analyse sliding-block/climb-12 --engine hash --max-depth 44 --out out";
    runs(&folder, line).ended(0);
    levels(folder.path())
});

/// Starts the run and sends a signal once some levels are finished.
fn stopped_at(folder: &Path, line: &str, signal: Signal, finished: usize) -> Ran {
    interrupted(folder, &words(line), signal, || {
        finished_levels(folder) >= finished
    })
}

/// Starts the run and waits for some levels.
fn at_work(folder: &Path) -> Child {
    let child = started(folder, &words(ANALYSE));
    let patience = Instant::now();
    while finished_levels(folder) < 25 && patience.elapsed() < Duration::from_secs(60) {
        std::thread::sleep(Duration::from_millis(2));
    }
    child
}

fn finished_levels(folder: &Path) -> usize {
    let journal = fs::read_to_string(folder.join("work/progress.jsonl")).unwrap_or_default();
    let numbers = journal.split("\"finished\":").skip(1);
    let numbers = numbers.filter_map(|rest| rest.split(',').next()?.parse().ok());
    numbers.last().unwrap_or(0)
}

/// A folder in which the run was stopped at level 36 by its own limit.
fn stopped(more: &str) -> TempDir {
    let folder = tempfile::tempdir().unwrap();
    up_to(folder.path(), 36, more).ended(0);
    folder
}

/// The same, made once.
fn copy_of_stopped() -> TempDir {
    static STOPPED: LazyLock<TempDir> = LazyLock::new(|| stopped(""));
    copied(STOPPED.path(), "work")
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
    let folder = folder.path();
    stopped_at(folder, ANALYSE, Signal::SIGKILL, 30).ended(-1);
    stopped_at(folder, &format!("{ANALYSE} --resume"), Signal::SIGKILL, 36).ended(-1);
    finished(folder, "--threads 1");
}

#[test]
fn ctrl_c_keeps_the_finished_levels_and_says_how_to_go_on() {
    let folder = tempfile::tempdir().unwrap();
    let folder = folder.path();
    stopped_at(folder, ANALYSE, Signal::SIGINT, 30)
        .ended(4)
        .out
        .has(["--resume"]);
    let so_far = levels(folder);
    assert!(so_far.lines().count() >= 31 && UNDISTURBED.starts_with(&so_far));
    let leftover = ["found-0.segment", "exchange-0.segment"].map(|end| files(folder, end));
    assert_eq!(leftover.concat(), Vec::<PathBuf>::new());
    finished(folder, "");
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
fn recovers<const N: usize>(change: impl FnOnce(&Path), fragments: [&str; N]) {
    let folder = copy_of_stopped();
    change(folder.path());
    resumed(folder.path()).err.has(fragments);
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
fn a_flipped_bit_costs_its_level_if_that_is_needed() {
    for at in [0, 2, 1] {
        recovers(
            |folder| flip(&segment(folder, "00036"), |len| at * (len - 1) / 2),
            [
                "level-00036",
                ".segment: damaged",
                "checksum",
                "continuing from level 35",
            ],
        );
    }
    recovers(
        |folder| flip(&files(folder, ".index").pop().unwrap(), |len| len / 2),
        [
            "level-00036",
            ".index: damaged",
            "checksum",
            "continuing from level 35",
        ],
    );
    // One that only a path needs.
    recovers(
        |folder| flip(&files(folder, ".index")[0], |len| len / 2),
        ["level-00000", "damaged", "continuing without it"],
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
    let said = ["level-00035", "damaged", "continuing from level 32"];
    recovers(|folder| change(folder, &recent), said);
    let all = [&recent[..], &["00032", "00016", "00000"]].concat();
    let said = ["level-00000", "starting from the beginning"];
    recovers(|folder| change(folder, &all), said);
}

#[test]
fn a_file_cut_short_or_gone_costs_its_level() {
    let cut = |folder: &Path| {
        let file = segment(folder, "00036");
        let bytes = fs::read(&file).unwrap();
        fs::write(&file, &bytes[..bytes.len() - 1]).unwrap();
    };
    recovers(cut, ["level-00036", "damaged", "bytes, where"]);
    let gone = |folder: &Path| fs::remove_file(segment(folder, "00036")).unwrap();
    recovers(gone, ["level-00036", "damaged (it is missing)"]);
    let index = |folder: &Path| fs::remove_file(files(folder, ".index").pop().unwrap()).unwrap();
    recovers(index, ["level-00036", ".index", "missing"]);
}

#[test]
fn a_level_that_is_looked_for_in_two_places_is_told_to_be_damaged_once() {
    // The level before the last, which is kept for paths too.
    let folder = stopped("--keep-every 35");
    fs::remove_file(segment(folder.path(), "00035")).unwrap();
    let ran = finished(folder.path(), "--keep-every 35");
    assert_eq!(ran.err.matches("level-00035").count(), 1, "{}", ran.err);
}

fn change_lines(folder: &Path, change: impl FnOnce(&mut Vec<String>)) {
    let journal = folder.join("work/progress.jsonl");
    let text = read(&journal);
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
        ["progress.jsonl: line 22: damaged"],
    );
    recovers(
        |folder| lower(folder, 37),
        ["progress.jsonl: line 38: damaged"],
    );
    let head = |folder: &Path| {
        change_lines(folder, |lines| {
            lines[0] = lines[0].replacen("climb", "clomb", 1)
        })
    };
    recovers(head, ["progress.jsonl: line 1: damaged"]);
    // Lines that changed places.
    for (a, b) in [(20, 21), (3, 30), (36, 37)] {
        let swap = |folder: &Path| change_lines(folder, |lines| lines.swap(a, b));
        recovers(swap, ["not in the order in which they were written"]);
    }
}

#[test]
fn an_empty_folder_is_begun_by_resume() {
    let folder = tempfile::tempdir().unwrap();
    resumed(folder.path()).err.has(["nothing there to resume"]);
}

#[test]
fn a_finished_run_that_is_resumed_keeps_its_results() {
    let folder = tempfile::tempdir().unwrap();
    let run = |more: &str| runs(&folder, &format!("{DONKEY} --out out {more}"));
    let results = || {
        ["levels.csv", "antipodes.csv"]
            .map(|name| fs::read(folder.path().join("out").join(name)).unwrap())
    };
    run("--keep-work").ended(0);
    let whole = results();
    assert!(whole[1].len() > 50, "antipodes");
    // With its levels still there, and without.
    for more in ["--resume --keep-work", "--resume"] {
        run(more).ended(0);
        assert_eq!(results(), whole);
    }
    assert!(!folder.path().join("work").exists());
    fs::remove_file(folder.path().join("out/run.json")).unwrap();
    run("").ended(0);
    run("--resume")
        .ended(0)
        .err
        .has(["out: the run there is finished"]);
    assert_eq!(results(), whole);
    let other = run("--resume --max-depth 5").ended(2);
    other.err.has(["finished results of another command"]);
    assert_eq!(results(), whole);
}

/// The puzzle names the level before the goal's, and the kept ones below it, at their worst.
#[test]
fn a_path_goes_round_damaged_levels() {
    let solve =
        "solve sliding-block/climb-12 --engine disk --work work --threads 1 --memory 128MiB";
    let whole = tempfile::tempdir().unwrap();
    let undisturbed = runs(&whole, solve).ended(0);
    let folder = tempfile::tempdir().unwrap();
    stopped_at(folder.path(), solve, Signal::SIGKILL, 52);
    for level in ["00000", "00032"] {
        flip(&segment(folder.path(), level), |len| len / 2);
    }
    let ran = runs(&folder, &format!("{solve} --resume")).ended(0);
    ran.err.has(["going back without it"]);
    let moves = |ran: &Ran| {
        let mut lines = ran.out.lines();
        lines
            .find(|line| line.contains("solved in"))
            .unwrap()
            .to_owned()
    };
    assert_eq!(moves(&ran), moves(&undisturbed));
}

#[test]
fn a_folder_of_another_search_is_refused_and_nothing_is_lost() {
    let folder = copy_of_stopped();
    let folder = folder.path();
    let other = with(folder, "--resume --set metric=line").ended(2);
    other
        .err
        .has(["belongs to another run (setting metric is none there and line here)"]);
    let over = with(folder, "").ended(2);
    over.err
        .has(["finished pieces of this very run", "--resume"]);
    // Fewer levels than there are.
    up_to(folder, 20, "--resume")
        .ended(2)
        .err
        .has(["levels up to 36"]);
    resumed(folder);
}

#[test]
fn a_board_file_that_changed_is_another_search() {
    let folder = tempfile::tempdir().unwrap();
    let board = |text: &str| fs::write(folder.path().join("b.txt"), text).unwrap();
    let run = |more: &str| {
        let custom = DONKEY.replace("donkey", "custom");
        runs(
            &folder,
            &format!("{custom} --set board=b.txt --memory 128MiB {more}"),
        )
    };
    board("aab\n..b\n...\n...\n...\ncde\ngoal: a 1,1\n");
    run("--max-depth 4").ended(0);
    board("aab\n..b\n...\n...\ncde\n...\ngoal: a 1,1\n");
    run("--resume").ended(2).err.has(["content of board"]);
}

#[test]
fn levels_stay_until_the_results_are_written() {
    let folder = tempfile::tempdir().unwrap();
    let run = |out: &str| runs(&folder, &format!("{DONKEY} --out {out}"));
    run("work").ended(2).err.has(["same folder"]);
    assert!(!folder.path().join("work").exists());
    run("out").ended(0);
    assert!(folder.path().join("out/run.json").exists());
    assert!(!folder.path().join("work").exists());
}

#[test]
fn options_that_do_not_fit_the_engine_are_refused() {
    refuses(
        ".",
        "solve sliding-block/donkey --engine disk --max-states 5 | --max-states
         solve sliding-block/donkey --engine disk --max-time 1 | --max-time
         solve sliding-block/donkey --engine disk --width 7 | --width
         analyse sliding-block/donkey --work w | --engine disk
         analyse sliding-block/donkey --disk 1GiB | --engine disk
         analyse sliding-block/donkey --keep-every 3 | --engine disk
         analyse sliding-block/donkey --engine disk | --work",
    );
}

#[test]
fn two_runs_in_one_folder_are_refused() {
    let folder = tempfile::tempdir().unwrap();
    let mut first = at_work(folder.path());
    let other = ANALYSE.replace("--out out", "--out out2 --resume");
    let second = runs(&folder, &other);
    first.kill().unwrap();
    first.wait().unwrap();
    second.ended(2).err.has(["another run is at work there"]);
}

#[test]
fn a_disk_budget_stops_the_run_cleanly_and_more_lets_it_go_on() {
    let folder = tempfile::tempdir().unwrap();
    let folder = folder.path();
    let stopped = with(folder, "--disk 200KiB").ended(4);
    stopped.out.has(["200.00 KiB of disk allowed"]);
    let so_far = levels(folder);
    assert!(so_far.lines().count() > 10 && UNDISTURBED.starts_with(&so_far));
    let work = fs::read_dir(folder.join("work"))
        .unwrap()
        .map(Result::unwrap);
    let work = work.filter(|file| !file.file_name().to_string_lossy().ends_with(".jsonl"));
    let work: u64 = work.map(|file| file.metadata().unwrap().len()).sum();
    assert!(work <= 200 << 10, "{work}");
    finished(folder, "");
}

#[test]
fn the_memory_allowed_is_kept_and_reported_or_refused_before_anything_is_written() {
    let folder = tempfile::tempdir().unwrap();
    let little = format!("{ANALYSE} --threads 4").replace("128MiB", "100MiB");
    runs(&folder, &little)
        .ended(4)
        .err
        .has(["at least 128.00 MiB"]);
    assert!(!folder.path().join("work").exists());
    with(folder.path(), "").ended(0);
    assert_eq!(levels(folder.path()), *UNDISTURBED);
    let run = json(folder.path().join("out/run.json"));
    let peak = run["peak_memory_bytes"].as_u64().unwrap();
    assert!(peak < 128 << 20, "{peak}");
    let cost = read(folder.path().join("out/cost.csv"));
    assert_eq!(cost.lines().count(), 46);
}

#[test]
fn places_that_cannot_be_written_are_named() {
    let folder = folder_with("work", "a file");
    with(folder.path(), "").refused().err.has(["work"]);
}

#[test]
fn a_work_folder_that_vanishes_is_named() {
    let folder = tempfile::tempdir().unwrap();
    let mut child = at_work(folder.path());
    // Files may appear while the folder is emptied.
    while folder.path().join("work").exists() && child.try_wait().unwrap().is_none() {
        let _ = fs::remove_dir_all(folder.path().join("work"));
    }
    let ran = Ran::from(child.wait_with_output().unwrap()).ended(2);
    assert_eq!(ran.err.lines().count(), 1, "{}", ran.err);
    ran.err.has(["work"]);
}
