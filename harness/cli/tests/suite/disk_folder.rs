//! The work folder of engine `disk`, as a user of the command meets it: stopped, killed,
//! damaged, too small, somebody else's.

use std::fs;
use std::path::{Path, PathBuf};
use std::sync::LazyLock;
use std::time::Duration;

use nix::sys::signal::Signal;

use crate::support::{
    Fresh, Ran, Text, copied, folder_with, fresh, interrupted, json, plays, read, rows, runs,
    started, words,
};

/// A search of 10 MB and some seconds, which a test can stop.
const LONG: &str = "analyse sliding-block/climb-12 --engine disk --work work --memory 128MiB \
                    --max-depth 44 --out out";
/// A search of a moment, with the same files on one thread.
const ANALYSE: &str = "analyse sliding-block/block-10-v11 --engine disk --work work \
                       --memory 128MiB --threads 1 --out out";
const DONKEY: &str = "analyse sliding-block/donkey --engine disk --work work";

fn levels(folder: impl AsRef<Path>) -> String {
    read(folder.as_ref().join("out/levels.csv"))
}

/// The result of the long search, found in memory.
static WHOLE: LazyLock<String> = LazyLock::new(|| {
    let folder = fresh();
    let line = LONG.replace("disk --work work --memory 128MiB", "hash");
    runs(&folder, &line).ended(0);
    levels(&folder)
});

/// Resumes the long search to its whole result.
fn finished(folder: &Path) {
    runs(folder, &format!("{LONG} --resume")).ended(0);
    assert_eq!(levels(folder), *WHOLE);
}

fn finished_levels(folder: &Path) -> usize {
    let journal = fs::read_to_string(folder.join("work/progress.jsonl")).unwrap_or_default();
    let numbers = journal.split("\"finished\":").skip(1);
    let numbers = numbers.filter_map(|rest| rest.split(',').next()?.parse().ok());
    numbers.last().unwrap_or(0)
}

/// Changes a search that was stopped at level 36 by its own limit, with `@` for its files of a
/// level, and resumes it for two levels more, whose bytes are those of a search in memory. A note
/// contains all fragments, between which `; ` stands.
fn recovers(change: &str, fragments: &str) -> Fresh {
    static STOPPED: LazyLock<Fresh> = LazyLock::new(|| {
        let folder = fresh();
        let memory = "analyse sliding-block/block-10-v11 --engine hash --max-depth 38 --out whole";
        plays(&folder, &format!("0 {ANALYSE} --max-depth 36\n0 {memory}"));
        fs::rename(
            folder.join("whole/levels.csv"),
            folder.join("work/whole.csv"),
        )
        .unwrap();
        folder
    });
    let folder = copied(&STOPPED, "work");
    let change = change.replace('@', "work/part-000000-level-000");
    let resumed = format!(
        "{change}\n0 {ANALYSE} --max-depth 38 --resume | 2> {fragments}
         0 $ cmp out/levels.csv work/whole.csv"
    );
    plays(&folder, &resumed);
    folder
}

#[test]
fn ctrl_c_keeps_the_finished_levels_and_says_how_to_go_on() {
    let folder = &fresh();
    let stopped = interrupted(folder, &words(LONG), Signal::SIGINT, || {
        finished_levels(folder) >= 30
    });
    stopped.ended(4).out.has(["--resume"]);
    let so_far = levels(folder);
    assert!(so_far.lines().count() >= 31 && WHOLE.starts_with(&so_far));
    plays(folder, "1 $ ls work|grep -E 'found|received'");
    finished(folder);
}

#[test]
fn what_a_killed_run_left_half_written_is_cleared_away() {
    let half = words(
        "@37-p05-0.segment work/part-000000-found-1.segment \
         work/part-000000-exchange-0.segment work/.antipode-x7Gh2k.part",
    );
    let each = |step: &dyn Fn(&str) -> String| -> String {
        half.iter().map(|name| step(name) + "\n").collect()
    };
    let folder = recovers(&each(&|name| format!("{name} = | half")), "");
    let gone = each(&|name| format!("no {name}")).replace('@', "work/part-000000-level-000");
    plays(folder, &gone);
}

/// Levels, their indices, and lines of the journal, every kind of damage to which is tested where
/// it is read (`harness/search/src/work/tests.rs`). After a level with marks, the next is made
/// without the one before, so one kept for paths is enough; some only a path needs.
#[test]
fn what_is_damaged_is_found_again_if_it_is_needed() {
    let torn = "damaged; checksum; continuing from level 35";
    for [change, said] in rows(&format!(
        r#"@36-p00.segment ^0 | level-00036; .segment: {torn}
           @36-p00.segment ^50 | level-00036; .segment: {torn}
           @36-p00.segment ^100 | level-00036; .segment: {torn}
           @36-p00.index ^50 | level-00036; .index: {torn}
           @00-p00.index ^50 | level-00000; damaged; continuing without it
           @36-p00.segment -1 | level-00036; damaged; bytes, where
           0 $ rm @36-p00.segment | level-00036; damaged (it is missing)
           0 $ rm @36-p00.index | level-00036; .index; missing
           @35-p00.segment ^33\n@36-p00.segment ^33 | level-00035; damaged; continuing from level 32
           0 $ for of in 00 16 32 35 36; do echo >>@$of-p00.segment; done | level-00000; starting from the beginning
           0 $ sed '38s/"part":0/"part":1/' JOURNAL | progress.jsonl: line 38: damaged
           0 $ sed 1s/block/clock/ JOURNAL | progress.jsonl: line 1: damaged
           0 $ sed '4{{h;d;}};31G' JOURNAL | not in the order in which they were written"#
    )) {
        let journal = "work/progress.jsonl >p && mv p work/progress.jsonl";
        recovers(&change.replace("JOURNAL", journal), said);
    }
}

#[test]
fn a_level_that_is_looked_for_in_two_places_is_told_to_be_damaged_once() {
    // The level before the last, which is kept for paths too.
    let often = format!("{ANALYSE} --keep-every 35 --max-depth");
    plays(
        fresh(),
        &format!(
            "0 {often} 36
             0 $ rm work/part-000000-level-00035-p00.segment
             0 $ antipode {often} 38 --resume 2>&1|grep -c level-00035 | 1\\n"
        ),
    );
}

/// With its levels still there, for a run that goes further, and without.
#[test]
fn a_finished_run_that_is_resumed_keeps_its_results() {
    let same = "0 $ cmp out/levels.csv kept/levels.csv && cmp out/antipodes.csv kept/antipodes.csv";
    plays(
        fresh(),
        &format!(
            "0 {DONKEY} --out out --keep-work
             0 $ test $(wc -c <out/antipodes.csv) -gt 50 && cp -R out kept
             0 {DONKEY} --out out --resume --keep-work
             {same}
             0 {DONKEY} --out out --resume
             {same}
             no work
             0 $ rm out/run.json
             0 {DONKEY} --out out
             0 {DONKEY} --out out --resume | 2> the run there is finished
             2 {DONKEY} --out out --resume --max-depth 5 | finished results of another command
             {same}
             0 {DONKEY} --out b --max-depth 9
             0 $ cp -R b kept/b
             0 {DONKEY} --out b --max-depth 9 --resume | 2> the run there is finished
             0 $ diff -r b kept/b
             0 {DONKEY} --out b --max-depth 10 --resume | 10 was reached
             0 $ rm -r b
             0 {DONKEY} --out b --max-depth 10 --resume
             0 $ tail -1 b/cost.csv | 10,"
        ),
    );
}

/// The puzzle names the level before the goal's, and the kept ones below it, at their worst.
#[test]
fn a_path_goes_round_damaged_levels() {
    let solve = ANALYSE
        .replace("analyse", "solve")
        .replace(" --out out", "");
    plays(
        fresh(),
        &format!(
            "4 {solve} --disk 44KiB
             work/part-000000-level-00000-p00.segment ^50
             work/part-000000-level-00032-p00.segment ^50
             0 {solve} --resume | solved in 42 moves | 2> 00032-p00.segment: damaged; going back without it"
        ),
    );
}

#[test]
fn a_folder_of_another_search_is_refused_and_nothing_is_lost() {
    let said = format!(
        "2 {ANALYSE} --resume --set metric=line | belongs to another run (setting metric is not given there and line here; give it
         2 {ANALYSE} | finished pieces of this very run | --resume
         2 {ANALYSE} --resume --max-depth 20 | levels up to 36"
    );
    recovers(&said, "");
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

/// A part of several may have its levels only in memory until then.
#[test]
fn a_disk_budget_stops_the_run_cleanly_and_more_lets_it_go_on() {
    let folder = &fresh();
    plays(
        folder,
        &format!(
            "4 {LONG} --disk 200KiB | 200.00 KiB of disk allowed
             0 $ test $(cat work/*.segment work/*.index|wc -c) -le 204800
             4 analyse sliding-tile/2x5 --engine disk --work w --disk 100KiB | 2> finished levels are kept
             0 $ test -s w/part-000000-level-00000-p00.index"
        ),
    );
    let so_far = levels(folder);
    assert!(so_far.lines().count() > 10 && WHOLE.starts_with(&so_far));
    finished(folder);
}

#[test]
fn the_memory_allowed_is_kept_and_reported_or_refused_before_anything_is_written() {
    let folder = fresh();
    let little = format!("{LONG} --threads 4").replace("128MiB", "100MiB");
    plays(
        &folder,
        &format!("4 {little} | 2> at least 128.00 MiB\nno work\n0 {LONG}"),
    );
    assert_eq!(levels(&folder), *WHOLE);
    let peak = &json(folder.join("out/run.json"))["peak_memory_bytes"];
    assert!(peak.as_u64() < Some(128 << 20), "{peak}");
    assert_eq!(read(folder.join("out/cost.csv")).lines().count(), 46);
}

#[test]
fn places_that_cannot_be_written_or_that_vanish_are_named() {
    let folder = folder_with("work", "a file");
    runs(&folder, LONG).refused().err.has(["work"]);
    let folder = fresh();
    let work = folder.join("work");
    let mut child = started(&folder, &words(LONG));
    while finished_levels(&folder) < 25 && child.try_wait().unwrap().is_none() {
        std::thread::sleep(Duration::from_millis(2));
    }
    // Files may appear while the folder is emptied.
    while work.exists() && child.try_wait().unwrap().is_none() {
        let _ = fs::remove_dir_all(&work);
    }
    let ran = Ran::from(child.wait_with_output().unwrap()).ended(4);
    ran.out.has(["work", "removed during the run"]);
}

/// From level 6 on, the tower is kept in four partitions, and before in one.
#[test]
fn whichever_file_is_gone_where_partitions_were_split_the_levels_are_the_same() {
    const TOWER: &str = "analyse permutation/tower --set symmetry=off --set metric=quarter \
                         --threads 1 --out out";
    let [undisturbed, stopped] = [fresh(), fresh()];
    runs(
        &undisturbed,
        &format!("{TOWER} --engine hash --max-depth 10"),
    )
    .ended(0);
    let line = format!("{TOWER} --engine disk --work work --max-depth");
    runs(&stopped, &format!("{line} 9")).ended(0);
    let all = fs::read_dir(stopped.join("work")).unwrap().flatten();
    let all: Vec<PathBuf> = all.map(|file| PathBuf::from(file.file_name())).collect();
    let named = |part: &str| all.iter().any(|name| name.to_string_lossy().contains(part));
    assert!(named("00005-p00") && named("00006-p02"), "{all:?}");
    for gone in all.iter().filter(|name| !name.ends_with("progress.jsonl")) {
        let folder = copied(&stopped, "work");
        fs::remove_file(folder.join("work").join(gone)).unwrap();
        runs(&folder, &format!("{line} 10 --resume")).ended(0);
        assert_eq!(levels(&folder), levels(&undisturbed), "{gone:?}");
    }
}
