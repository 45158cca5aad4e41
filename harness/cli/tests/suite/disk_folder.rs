//! The work folder of engine `disk`, as a user of the command meets it: stopped, killed,
//! damaged, too small, somebody else's.

use std::fs;
use std::path::{Path, PathBuf};
use std::sync::LazyLock;
use std::time::Duration;

use nix::sys::signal::Signal;

use crate::support::{
    Fresh, Ran, Text, copied, folder_with, fresh, interrupted, json, kept_tables, plays, read,
    runs, started, words,
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
    let line = format!("{ANALYSE} {more}").replace("44", &level.to_string());
    runs(folder, &line)
}

fn levels(folder: impl AsRef<Path>) -> String {
    read(folder.as_ref().join("out/levels.csv"))
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
    let folder = fresh();
    let line = "analyse sliding-block/climb-12 --engine hash --max-depth 44 --out out";
    runs(&folder, line).ended(0);
    levels(&folder)
});

/// Starts the run and sends a signal once some levels are finished.
fn stopped_at(folder: &Path, line: &str, signal: Signal, finished: usize) -> Ran {
    interrupted(folder, &words(line), signal, || {
        finished_levels(folder) >= finished
    })
}

fn finished_levels(folder: &Path) -> usize {
    let journal = fs::read_to_string(folder.join("work/progress.jsonl")).unwrap_or_default();
    let numbers = journal.split("\"finished\":").skip(1);
    let numbers = numbers.filter_map(|rest| rest.split(',').next()?.parse().ok());
    numbers.last().unwrap_or(0)
}

/// A folder in which the run was stopped at level 36 by its own limit.
fn stopped(more: &str) -> Fresh {
    let folder = fresh();
    up_to(&folder, 36, more).ended(0);
    folder
}

/// The same, made once.
fn copy_of_stopped() -> Fresh {
    static STOPPED: LazyLock<Fresh> = LazyLock::new(|| stopped(""));
    copied(&STOPPED, "work")
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
fn ctrl_c_keeps_the_finished_levels_and_says_how_to_go_on() {
    let folder = &fresh();
    stopped_at(folder, ANALYSE, Signal::SIGINT, 30)
        .ended(4)
        .out
        .has(["--resume"]);
    let so_far = levels(folder);
    assert!(so_far.lines().count() >= 31 && UNDISTURBED.starts_with(&so_far));
    let leftover = ["found-0.segment", "received-0.segment"].map(|end| files(folder, end));
    assert_eq!(leftover.concat(), Vec::<PathBuf>::new());
    finished(folder, "");
}

#[test]
fn what_a_killed_run_left_half_written_is_cleared_away() {
    let folder = copy_of_stopped();
    let work = folder.join("work");
    let half = words(
        "part-000000-found-1.segment part-000000-exchange-0.segment \
         part-000000-level-00037-p05-0.segment .antipode-x7Gh2k.part",
    );
    for name in half.iter().chain(&["notes.txt"]) {
        fs::write(work.join(name), "half").unwrap();
    }
    resumed(&folder);
    for name in half {
        assert!(!work.join(name).exists(), "{name}");
    }
    assert!(work.join("notes.txt").exists());
}

/// Resumes after a change, which must write the same bytes, with a note that contains all
/// fragments, between which `; ` stands.
fn recovers(change: impl FnOnce(&Path), fragments: &str) {
    let folder = copy_of_stopped();
    change(&folder);
    resumed(&folder).err.says(fragments);
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
fn a_level_that_is_damaged_is_found_again_if_it_is_needed() {
    let sampled = "States picked from 38 of 39 levels";
    resumed(&copy_of_stopped()).out.has([sampled]);
    let said = "level-00036; .segment: damaged; checksum; continuing from level 35";
    for at in [0, 2, 1] {
        let change = |folder: &Path| flip(&segment(folder, "00036"), |len| at * (len - 1) / 2);
        recovers(change, said);
    }
    let last = |folder: &Path| files(folder, ".index").pop().unwrap();
    let change = |folder: &Path| flip(&last(folder), |len| len / 2);
    recovers(change, &said.replace("segment", "index"));
    // One that only a path needs.
    let change = |folder: &Path| flip(&files(folder, ".index")[0], |len| len / 2);
    recovers(change, "level-00000; damaged; continuing without it");
    let cut = |folder: &Path| {
        let file = segment(folder, "00036");
        let bytes = fs::read(&file).unwrap();
        fs::write(&file, &bytes[..bytes.len() - 1]).unwrap();
    };
    recovers(cut, "level-00036; damaged; bytes, where");
    let gone = |folder: &Path| fs::remove_file(segment(folder, "00036")).unwrap();
    recovers(gone, "level-00036; damaged (it is missing)");
    let gone = |folder: &Path| fs::remove_file(last(folder)).unwrap();
    recovers(gone, "level-00036; .index; missing");
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
    let said = "level-00035; damaged; continuing from level 32";
    recovers(|folder| change(folder, &recent), said);
    let all = [&recent[..], &["00032", "00016", "00000"]].concat();
    let said = "level-00000; starting from the beginning";
    recovers(|folder| change(folder, &all), said);
}

#[test]
fn a_level_that_is_looked_for_in_two_places_is_told_to_be_damaged_once() {
    // The level before the last, which is kept for paths too.
    let folder = stopped("--keep-every 35");
    fs::remove_file(segment(&folder, "00035")).unwrap();
    let ran = finished(&folder, "--keep-every 35");
    assert_eq!(ran.err.matches("level-00035").count(), 1, "{}", ran.err);
}

/// Every kind of damage to a journal is tested where it is read
/// (`harness/search/src/work/tests.rs`). Here: a line of a late level, the head, and lines that
/// changed places.
#[test]
fn a_damaged_line_of_the_journal_costs_at_most_its_level() {
    let damaged = |line: usize| format!("progress.jsonl: line {}: damaged", line + 1);
    let swapped = "not in the order in which they were written".to_owned();
    for (line, from, to, said) in [
        (37, "\"part\":0", "\"part\":1", damaged(37)),
        (0, "climb", "clomb", damaged(0)),
        (3, "", "", swapped),
    ] {
        let change = |folder: &Path| {
            let journal = folder.join("work/progress.jsonl");
            let text = read(&journal);
            let mut lines: Vec<String> = text.split_inclusive('\n').map(str::to_owned).collect();
            lines[line] = lines[line].replacen(from, to, 1);
            lines.swap(line, if from.is_empty() { 30 } else { line });
            fs::write(&journal, lines.concat()).unwrap();
        };
        recovers(change, &said);
    }
}

#[test]
fn a_finished_run_that_is_resumed_keeps_its_results() {
    let folder = fresh();
    let run = |more: &str| runs(&folder, &format!("{DONKEY} --out out {more}"));
    let results = || kept_tables(folder.join("out"));
    run("--keep-work").ended(0);
    let whole = results();
    assert!(whole[1].len() > 50, "antipodes");
    // With its levels still there, and without.
    for more in ["--resume --keep-work", "--resume"] {
        run(more).ended(0);
        assert_eq!(results(), whole);
    }
    assert!(!folder.join("work").exists());
    fs::remove_file(folder.join("out/run.json")).unwrap();
    run("").ended(0);
    let said = [
        "the run there is finished",
        "finished results of another command",
    ];
    run("--resume").ended(0).err.has([said[0]]);
    run("--resume --max-depth 5").ended(2).err.has([said[1]]);
    assert_eq!(results(), whole);
}

/// The puzzle names the level before the goal's, and the kept ones below it, at their worst.
#[test]
fn a_path_goes_round_damaged_levels() {
    let solve =
        "solve sliding-block/climb-12 --engine disk --work work --threads 1 --memory 128MiB";
    let whole = fresh();
    let undisturbed = runs(&whole, solve).ended(0);
    let folder = fresh();
    stopped_at(&folder, solve, Signal::SIGKILL, 52);
    for level in ["00000", "00032"] {
        flip(&segment(&folder, level), |len| len / 2);
    }
    let ran = runs(&folder, &format!("{solve} --resume")).ended(0);
    ran.err.has(["going back without it"]);
    let moves = |ran: &Ran| {
        let mut lines = ran.out.lines().map(str::to_owned);
        lines.find(|line| line.contains("solved in")).unwrap()
    };
    assert_eq!(moves(&ran), moves(&undisturbed));
}

#[test]
fn a_folder_of_another_search_is_refused_and_nothing_is_lost() {
    let folder = copy_of_stopped();
    plays(
        &folder,
        &format!(
            "2 {ANALYSE} --resume --set metric=line | belongs to another run (setting metric is not given there and line here; give it
             2 {ANALYSE} | finished pieces of this very run | --resume
             2 {ANALYSE}0 --resume | levels up to 36"
        )
        .replace("--max-depth 44 --out out0", "--max-depth 20 --out out"),
    );
    resumed(&folder);
    // A file of a board that changed is another search.
    let custom = DONKEY.replace("donkey", "custom --set board=b.txt --memory 128MiB");
    plays(
        fresh(),
        &format!(
            r"b.txt = | aab\n..b\n...\n...\n...\ncde\ngoal: a 1,1\n
              0 {custom} --max-depth 4
              b.txt = | aab\n..b\n...\n...\ncde\n...\ngoal: a 1,1\n
              2 {custom} --resume | content of board"
        ),
    );
}

#[test]
fn levels_stay_until_the_results_are_written() {
    plays(
        fresh(),
        &format!(
            "2 {DONKEY} --out work | same folder
             2 {DONKEY} --out x/../work | same folder
             2 solve hanoi/3-3 --engine disk --work work --out ./work | same folder
             2 verify hanoi/3-3 --engine disk --work work --out ./work | same folder
             no work
             2 {} | --work
             0 {DONKEY} --out out
             out/run.json ?
             no work",
            DONKEY.replace(" --work work", "")
        ),
    );
}

#[test]
fn a_disk_budget_stops_the_run_cleanly_and_more_lets_it_go_on() {
    let folder = &fresh();
    let stopped = with(folder, "--disk 200KiB").ended(4);
    stopped.out.has(["200.00 KiB of disk allowed"]);
    let so_far = levels(folder);
    assert!(so_far.lines().count() > 10 && UNDISTURBED.starts_with(&so_far));
    let work = fs::read_dir(folder.join("work")).unwrap().flatten();
    let work = work.filter(|file| !file.file_name().to_string_lossy().ends_with(".jsonl"));
    let work: u64 = work.map(|file| file.metadata().unwrap().len()).sum();
    assert!(work <= 200 << 10, "{work}");
    finished(folder, "");
    // A part of several may have its levels only in memory until then.
    let line = "analyse sliding-tile/2x5 --engine disk --work w --disk 100KiB";
    let stopped = runs(folder, line).ended(4);
    stopped.err.has(["finished levels are kept"]);
    let kept = folder.join("w/part-000000-level-00000-p00.index");
    assert!(kept.exists());
}

#[test]
fn the_memory_allowed_is_kept_and_reported_or_refused_before_anything_is_written() {
    let folder = fresh();
    let little = format!("{ANALYSE} --threads 4").replace("128MiB", "100MiB");
    let ran = runs(&folder, &little).ended(4);
    ran.err.has(["at least 128.00 MiB"]);
    assert!(!folder.join("work").exists());
    with(&folder, "").ended(0);
    assert_eq!(levels(&folder), *UNDISTURBED);
    let peak = &json(folder.join("out/run.json"))["peak_memory_bytes"];
    assert!(peak.as_u64() < Some(128 << 20), "{peak}");
    let cost = read(folder.join("out/cost.csv"));
    assert_eq!(cost.lines().count(), 46);
}

#[test]
fn places_that_cannot_be_written_or_that_vanish_are_named() {
    let folder = folder_with("work", "a file");
    with(&folder, "").refused().err.has(["work"]);
    let folder = fresh();
    let work = folder.join("work");
    let mut child = started(&folder, &words(ANALYSE));
    while finished_levels(&folder) < 25 && child.try_wait().unwrap().is_none() {
        std::thread::sleep(Duration::from_millis(2));
    }
    // Files may appear while the folder is emptied.
    while work.exists() && child.try_wait().unwrap().is_none() {
        let _ = fs::remove_dir_all(&work);
    }
    let ran = Ran::from(child.wait_with_output().unwrap()).ended(2);
    assert_eq!(ran.err.lines().count(), 1, "{}", ran.err);
    ran.err.has(["work"]);
}

/// From level 6 on, the tower is kept in four partitions, and before in one.
#[test]
fn whichever_file_is_gone_where_partitions_were_split_the_levels_are_the_same() {
    const TOWER: &str = "analyse permutation/tower --set symmetry=off --set metric=quarter \
                         --threads 1 --out out";
    let undisturbed = fresh();
    let line = format!("{TOWER} --engine hash --max-depth 10");
    runs(&undisturbed, &line).ended(0);
    let stopped = fresh();
    let line = format!("{TOWER} --engine disk --work work --max-depth");
    runs(&stopped, &format!("{line} 9")).ended(0);
    let all = [files(&stopped, ".segment"), files(&stopped, ".index")].concat();
    let split = |ends: &str| all.iter().any(|file| file.to_string_lossy().contains(ends));
    assert!(split("00005-p00") && split("00006-p02"), "{all:?}");
    for gone in all {
        let folder = copied(&stopped, "work");
        let name = gone.file_name().unwrap();
        fs::remove_file(folder.join("work").join(name)).unwrap();
        runs(&folder, &format!("{line} 10 --resume")).ended(0);
        assert_eq!(levels(&folder), levels(&undisturbed), "{name:?}");
    }
}
