//! Shards of an analysis, made one by one as different machines would, and merged.

use std::fs;
use std::path::Path;

use crate::support::{Fresh, Ran, Text, fresh, kept_tables, read, refuses, root, runs, sh};

const QUESTION: &str = "tilt/box --set grey=2 --set blue=0..1 --seed=5";

fn analyse(folder: &Path, more: &str) -> Ran {
    runs(folder, &format!("analyse {QUESTION} {more}")).ended(0)
}

/// Makes shards; returns their folders.
fn shards(folder: &Path, of: u32, more: &str) -> String {
    for number in 1..=of {
        analyse(
            folder,
            &format!("--shard {number}/{of} --out s{number} --force {more}"),
        );
    }
    folders("s", of)
}

fn folders(name: &str, of: u32) -> String {
    let all: Vec<String> = (1..=of).map(|number| format!("{name}{number}")).collect();
    all.join(" ")
}

fn merge(folder: &Path, shards: &str) -> Ran {
    runs(folder, &format!("merge {shards} --out merged"))
}

/// A folder with two shards that are all of it.
fn two() -> (Fresh, String) {
    let folder = fresh();
    let made = shards(&folder, 2, "");
    (folder, made)
}

/// Refused in one line that names all of `names`, and nothing is written.
fn refused<const N: usize>(folder: &Path, shards: &str, names: [&str; N]) {
    merge(folder, shards).refused().err.has(names);
    assert!(!folder.join("merged/levels.csv").exists());
}

#[test]
fn shards_come_to_what_one_run_does_byte_for_byte() {
    let folder = &fresh();
    analyse(folder, "--out whole");
    for (of, more) in [(1, "--threads=2"), (5, "--engine=hash")] {
        let made = shards(folder, of, more);
        merge(folder, &made).ended(0);
        assert_eq!(
            kept_tables(folder.join("merged")),
            kept_tables(folder.join("whole"))
        );
        runs(folder, "report merged").ended(0);
        fs::remove_dir_all(folder.join("merged")).expect("merged");
    }
}

#[test]
fn a_shard_goes_on_where_it_was_stopped_and_is_no_shard_before_that() {
    let (folder, made) = two();
    let folder = &folder;
    let first = folder.join("s1");
    let (journal, before) = (first.join("progress.jsonl"), kept_tables(&first));
    let some: String = read(&journal).split_inclusive('\n').take(4).collect();
    fs::write(&journal, some).expect("journal");
    refused(folder, &made, ["s1", "changed"]);
    fs::remove_file(first.join("manifest.json")).expect("manifest");
    refused(folder, &made, ["s1", "not finished", "--resume"]);
    // Nor does another shard continue there.
    let other = runs(
        folder,
        &format!("analyse {QUESTION} --shard=2/2 --out=s1 --resume"),
    );
    other.refused().err.has(["s1", "of another shard"]);
    #[cfg(unix)]
    {
        // Another executable: a copy with a byte more.
        let line = "cp \"$ANTIPODE\" other && echo >> other && ./other analyse";
        let line = format!("{line} {QUESTION} --shard=1/2 --out=s1 --resume");
        let other = sh(folder, &line, &[]).ended(2);
        other.err.has(["s1", "by another executable"]);
    }
    analyse(folder, "--shard=1/2 --out=s1 --resume");
    assert_eq!(kept_tables(&first), before);
    merge(folder, &made).ended(0);
}

#[test]
fn every_shard_has_to_be_there_once_and_of_one_question() {
    let (folder, made) = two();
    let folder = &folder;
    refused(folder, "s1", ["missing", "block"]);
    refused(folder, "s1 s2 s1", ["s1", "twice"]);
    analyse(folder, "--shard=1/3 --out=other");
    refused(folder, "s1 s2 other", ["other", "both hold block"]);
    refused(folder, "none", ["none"]);
    let inside = runs(folder, &format!("merge {made} --out s1/merged")).ended(2);
    inside.err.has(["in one of the shards"]);
    for file in ["levels.csv", "antipodes.csv"] {
        let path = folder.join("s1").join(file);
        let text = read(&path);
        fs::write(&path, format!("{text}\n")).expect(file);
        refused(folder, &made, [file, "changed"]);
        fs::write(&path, text).expect(file);
    }
    analyse(folder, "--shard=2/2 --out=hash --engine=hash");
    refused(
        folder,
        "s1 hash",
        ["hash", "engine is hash there and sweep here"],
    );
    let other = format!("analyse {QUESTION} --shard=2/2 --out=grey").replace("grey=2", "grey=1");
    runs(folder, &other.replace("--set blue=0..1 ", "")).ended(0);
    refused(folder, "s1 grey", ["grey", "grey is 1 there and 2 here"]);
    analyse(folder, "--out whole");
    refused(folder, "s1 whole", ["whole", "is no shard"]);
    fs::write(folder.join("boards.txt"), "123/456/7.8").expect("written");
    let solve = "solve sliding-tile/3x3 --boards boards.txt --out boards";
    runs(folder, solve).ended(0);
    refused(folder, "s1 boards", ["boards", "is no shard"]);
    merge(folder, &made).ended(0);
}

#[test]
fn what_cannot_be_shared_out_is_refused_before_anything_is_written() {
    let folder = fresh();
    refuses(
        &folder,
        "analyse sliding-block/donkey --shard=1/2 --out=o | too few
         analyse tilt/box --shard=3/2 --out=o | I/N
         analyse tilt/box --shard=1/2 | --out
         analyse tilt/box --shard=1/2 --out=o --engine=disk --work=w | --work",
    );
    assert!(!folder.join("o").exists());
}

/// The script for Slurm, with its variables set as Slurm sets them.
#[cfg(unix)]
#[test]
fn the_slurm_script_makes_every_shard() {
    let folder = fresh();
    let script = root().join("ci/shards.slurm");
    let line = format!(
        "for SLURM_ARRAY_TASK_ID in 1 2 3; do export SLURM_ARRAY_TASK_ID; bash {} {QUESTION} || exit 1; done",
        script.display()
    );
    let variables = [("SLURM_ARRAY_TASK_MAX", "3"), ("SLURM_CPUS_PER_TASK", "1")];
    sh(&folder, &line, &variables).ended(0);
    merge(&folder, &folders("shards/", 3)).ended(0);
}

/// The line for GNU parallel, as on the page; if there is no GNU parallel, a line says so.
#[cfg(unix)]
#[test]
fn the_line_for_gnu_parallel_makes_every_shard() {
    let version = sh(".", "parallel --version", &[]);
    if !version.out.starts_with("GNU parallel") {
        eprintln!("no GNU parallel here: its line is not tried");
        return;
    }
    let page = read(root().join("docs/engines.md"));
    let mut lines = page.lines();
    let line = lines.find(|line| line.starts_with("seq 16 | parallel"));
    let folder = &fresh();
    sh(folder, line.expect("the line"), &[]).ended(0);
    merge(folder, &folders("shards/", 16)).ended(0);
    runs(folder, "analyse rush-hour/5x5 --out whole").ended(0);
    assert_eq!(
        kept_tables(folder.join("merged")),
        kept_tables(folder.join("whole"))
    );
}
