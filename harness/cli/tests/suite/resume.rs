//! A long run that is stopped, killed or damaged before its end, and continues with `--resume`.
//!
//! Engine `hash` walks the box on one thread, which takes seconds. Engine `sweep` gives the
//! expected bytes in a moment. Every kind of damage to a journal is tested where it is read
//! (`harness/search/src/work/tests.rs`), and kills in `kills.rs`.

use std::fs;
use std::path::{Path, PathBuf};
use std::sync::LazyLock;

use antipode_reports::csv_in;
use nix::sys::signal::Signal;
use serde_json::Value;

use crate::support::{
    Fresh, Ran, Text, copied, folder_with, fresh, interrupted, json, kept_tables, lines_of, plays,
    read, rows, runs, words,
};

const ANALYSE: &str = "analyse tilt/box --set grey=4 --set blue=0..1 --engine hash --out out";
/// Lines of the journal that a run has written before it is stopped, its head included.
const ENOUGH: usize = 30;

/// The same by an engine that needs a moment.
fn sweep(folder: &Path) -> [String; 2] {
    let line = ANALYSE.replace("hash", "sweep");
    runs(folder, &format!("{line} --force")).ended(0);
    tables(folder)
}

/// The result of an undisturbed run.
static UNDISTURBED: LazyLock<[String; 2]> = LazyLock::new(|| sweep(&fresh()));

fn tables(folder: &Path) -> [String; 2] {
    kept_tables(folder.join("out"))
}

fn journal(folder: &Path) -> PathBuf {
    folder.join("out/progress.jsonl")
}

/// Starts a run and sends a signal once a journal has some number of lines.
fn stopped_at(folder: &Path, line: &str, signal: Signal, at: (&Path, usize)) -> Ran {
    interrupted(folder, &words(line), signal, || lines_of(at.0) >= at.1)
}

/// The same with [`ENOUGH`] lines of the run above.
fn stopped(folder: &Path, signal: Signal) -> Ran {
    let line = format!("{ANALYSE} --threads 1");
    stopped_at(folder, &line, signal, (&journal(folder), ENOUGH))
}

/// Resumes to the same bytes.
fn resumed(folder: &Path) -> Ran {
    let ran = runs(folder, &format!("{ANALYSE} --resume --threads 2")).ended(0);
    assert_eq!(tables(folder), *UNDISTURBED);
    ran
}

/// What a run leaves that was stopped by Ctrl-C, made once.
fn copy_of_stopped() -> Fresh {
    static STOPPED: LazyLock<Fresh> = LazyLock::new(|| {
        let folder = fresh();
        stopped(&folder, Signal::SIGINT).ended(4);
        folder
    });
    copied(&STOPPED, "out")
}

fn run_json(folder: &Path) -> Value {
    json(folder.join("out/run.json"))
}

#[test]
fn ctrl_c_leaves_the_finished_parts_and_says_how_far_it_got() {
    let folder = fresh();
    let ran = stopped(&folder, Signal::SIGINT).ended(4);
    ran.err.has(["stopping after the work in hand"]);
    let run = run_json(&folder);
    assert_eq!(run["complete"], false);
    assert_eq!(run["stopped_because"], "stopped on request");
    let [done, total] = ["parts_done", "parts_total"].map(|name| run[name].as_u64().unwrap());
    assert!(0 < done && done < total);
    ran.out
        .has([&format!("{done} of 1,391 parts"), "--resume to continue"]);
    // A level table of the finished parts.
    let whole = folder_with("levels.csv", &UNDISTURBED[0]);
    let [levels, whole] = [folder.join("out"), whole.to_owned()]
        .map(|folder| csv_in::read_levels(folder.join("levels.csv")).unwrap());
    assert!(levels.unsolvable.is_none(), "not all of them are known");
    assert!((1..whole.total_states()).contains(&levels.total_states()));
    for (found, all) in levels.levels.iter().zip(&whole.levels) {
        assert_eq!(found.depth, all.depth);
        assert!(found.states <= all.states && found.orbits <= all.orbits);
    }
}

#[test]
fn a_run_that_was_stopped_twice_or_killed_goes_on_to_the_same_bytes() {
    let folder = copy_of_stopped();
    let journal = journal(&folder);
    let (before, more) = (read(&journal), lines_of(&journal) + 5);
    let line = format!("{ANALYSE} --resume --threads 1");
    stopped_at(&folder, &line, Signal::SIGINT, (&journal, more)).ended(4);
    let kept = read(&journal).starts_with(&before);
    assert!(kept, "what was finished stays");
    resumed(&folder);
    let after = run_json(&folder);
    assert_eq!(after["complete"], true);
    assert_eq!(after["parts_done"], after["parts_total"]);
    // The states expanded are those of all runs.
    assert!(after["extra"]["states_expanded"].as_u64() > Some(0));
    assert!(!journal.exists());
    let folder = fresh();
    assert_eq!(stopped(&folder, Signal::SIGKILL).ended(-1).out, "");
    assert!(!folder.join("out/levels.csv").exists());
    resumed(&folder);
}

/// The whole box takes minutes, so it is stopped, and stopped again.
#[test]
fn ctrl_c_in_certify_leaves_the_claim_not_reached_and_resume_goes_on() {
    let folder = fresh();
    let out = folder.join("out");
    let journal = out.join("tilt-box/progress.jsonl");
    let mut finished = 0;
    for more in ["", "--resume"] {
        let line = format!("certify tilt-hardest-board --out out --seed 3 {more}");
        let at = (journal.as_path(), lines_of(&journal).max(1) + 1);
        let ran = stopped_at(&folder, &line, Signal::SIGINT, at).ended(4);
        ran.out.has(["not reached"]);
        let found = json(out.join("certificates/tilt-hardest-board.json"));
        assert_eq!(found["claim"]["verdict"], "not-reached");
        let run = &found["cases"][0]["run"];
        let done = run["parts_done"].as_u64().unwrap();
        let far = format!("stopped after {done} of {} parts", run["parts_total"]);
        let note = found["claim"]["notes"][0].as_str().unwrap();
        note.has([&far, "--resume"]);
        assert!(done > finished, "what was finished stays");
        finished = done;
    }
}

#[test]
fn by_force_a_run_starts_over() {
    assert_eq!(sweep(&copy_of_stopped()), *UNDISTURBED);
}

/// Whatever run keeps its work in the folder: it is not discarded because --resume was left out.
#[test]
fn unfinished_work_is_discarded_by_force_alone() {
    let folder = fresh();
    let shard = "analyse tilt/box --set grey=1 --set blue=0..1";
    plays(
        &folder,
        &format!(
            "b.txt = | 123/4.5
             p.txt = | 2134
             0 {shard} --shard 1/2 --out shard
             2 {shard} --shard 1/2 --out shard | pieces of a finished shard; add --resume to leave it
             0 {shard} --shard 1/2 --out shard --resume
             2 {shard} --shard 2/2 --out shard --resume | of another shard; give another --out"
        ),
    );
    let kept = read(folder.join("shard/progress.jsonl"));
    let other = "belongs to another run (";
    for [line, at, resumed] in rows(&format!(
        "{shard} | out | -
         {shard} --shard 2/2 | out | of another shard
         {shard} --seed 2 | out | {other}seed is 1 there and 2 here)
         analyse hanoi/3-3 | out | -
         solve sliding-tile/2x3 --boards b.txt | out | {other}command is not given there and solve here)
         make sliding-tile/2x3 --boards b.txt --moves 0..99 | out | {other}command is not given there and make here)
         referee pancake/plain-4 --boards p.txt --command 'echo 1' | out | {other}command is not given there and referee here)
         pairs sliding-tile/2x3 --from 123/4.5 --to goal | out | {other}
         solve sliding-tile/2x3 --board 123/4.5 --engine bidirectional | out/work | -
         certify tilt-corner-predecessors | out/work/some | -
         verify tilt/card-2 | out | has no option '--resume'
         table peg-solitaire/triangle-15 | out | has no option '--resume'"
    )) {
        let _ = fs::remove_dir_all(folder.join("out"));
        let journal = folder.join(at).join("progress.jsonl");
        fs::create_dir_all(journal.parent().unwrap()).unwrap();
        fs::write(&journal, &kept).unwrap();
        let ran = runs(&folder, &format!("{line} --out out")).ended(2);
        let remedy = "of an unfinished run; add ";
        ran.err.has([at, "pieces", remedy, "--force", "another --out"]);
        if resumed != "-" {
            let ran = runs(&folder, &format!("{line} --out out --resume")).ended(2);
            ran.err.has([resumed]);
            ran.err.lacks(["{", "null", "none"]);
        }
        assert_eq!(read(&journal), kept, "{line}");
        let code = runs(&folder, &format!("{line} --out out --force")).code;
        assert!([0, 1].contains(&code), "{line}: {code}");
        assert!(!journal.is_file() || read(&journal) != kept, "{line}");
    }
    // What is finished is written over; a board that was left undecided is not.
    plays(
        &folder,
        r"0 solve sliding-tile/2x3 --boards b.txt --out done
         0 solve sliding-tile/2x3 --boards b.txt --out done
         2 make sliding-tile/2x3 --boards b.txt --moves 0..99 --out done | boards.csv
         u.txt = | 123/456/78.\n867/254/3.1
         4 solve sliding-tile/3x3 --boards u.txt --engine reference --max-states 5 --out open
         2 solve sliding-tile/3x3 --boards b.txt --out open | 1 piece of",
    );
}

/// Every file of the results is looked at, not only the record.
#[test]
fn a_finished_run_that_was_edited_is_no_finished_run() {
    let folder = fresh();
    for [line, file] in rows(
        "analyse hanoi/3-3 --out a | a/levels.csv
         pairs sliding-tile/2x3 --from 123/4.5,.12/345 --to goal --out p | p/pairs.csv",
    ) {
        runs(&folder, line).ended(0);
        let again = format!("{line} --resume");
        runs(&folder, &again).ended(0);
        let path = folder.join(file);
        let mut bytes = fs::read(&path).unwrap();
        let last = bytes.len() - 2;
        bytes[last] ^= 1;
        fs::write(&path, bytes).unwrap();
        let ran = runs(&folder, &again).ended(2);
        ran.err.has([&file[2..], "changed"]);
    }
}

/// Resuming with the journal's bytes changed writes the same bytes, and says what is done again.
fn recovers(change: impl FnOnce(&mut Vec<u8>), note: &str) {
    let folder = copy_of_stopped();
    let mut bytes = fs::read(journal(&folder)).unwrap();
    change(&mut bytes);
    fs::write(journal(&folder), bytes).unwrap();
    resumed(&folder).err.has([note]);
}

/// Where line `number` (from 1) starts.
fn start_of(bytes: &[u8], number: usize) -> usize {
    let ends = bytes.iter().enumerate().filter(|(_, byte)| **byte == b'\n');
    ends.map(|(at, _)| at + 1).nth(number - 2).unwrap()
}

#[test]
fn a_damaged_line_is_named_and_its_parts_are_walked_again() {
    // A torn head; the states of level 0, the second number of the first row.
    recovers(|bytes| bytes.truncate(20), "");
    let flip = |bytes: &mut Vec<u8>| {
        let line = start_of(bytes, 7);
        let text = String::from_utf8_lossy(&bytes[line..]).into_owned();
        bytes[line + text.find("[0,").unwrap() + 3] ^= 1;
    };
    let damaged = "line 7: damaged (the checksum does not match)";
    recovers(flip, &format!("out/progress.jsonl: {damaged}"));
}

#[test]
fn a_journal_of_another_run_is_refused() {
    for [from, to, said] in rows(
        "grey=4 | grey=5 | setting grey is 4 there and 5 here)
         --out | --seed 2 --out | seed is 1 there and 2 here)
         hash | dense | engine is hash there and dense here)
         --out | --variant reference --out | variant is bitboard there and reference here)
         --out | --max-depth 3 --out | (--max-depth is not given there and 3 here)",
    ) {
        let folder = copy_of_stopped();
        let other = format!("{ANALYSE} --resume").replacen(from, to, 1);
        let ran = runs(&folder, &other).refused();
        ran.err
            .has(["antipode: out: belongs to another run (", said]);
    }
}

#[test]
fn where_nothing_was_kept_yet_resume_begins() {
    let folder = fresh();
    let begun = resumed(&folder).err;
    begun.has(["out: nothing there to resume"]);
    plays(
        folder,
        "other/progress.jsonl/file = | a folder in the place of a file
         2 analyse tilt/box --set grey=4 --engine hash --out other --resume | is no regular file",
    );
}
