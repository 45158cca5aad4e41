//! Shards of an analysis, made one by one as different machines would, and merged.

use std::fs;
use std::path::Path;

use tempfile::TempDir;

use crate::support::{Ran, run_in};

const QUESTION: [&str; 6] = [
    "tilt/box",
    "--set",
    "grey=2",
    "--set",
    "blue=0..1",
    "--seed=5",
];

fn analyse(folder: &Path, more: &[&str]) -> Ran {
    let args = [&["analyse"], &QUESTION[..], more].concat();
    run_in(folder, &args)
}

fn shards(folder: &Path, of: u32, more: &[&str]) -> Vec<String> {
    let made = (1..=of).map(|number| {
        let (share, out) = (format!("{number}/{of}"), format!("s{number}"));
        let ran = analyse(
            folder,
            &[&["--shard", &share, "--out", &out], more].concat(),
        );
        assert_eq!(ran.code, 0, "{}", ran.err);
        out
    });
    made.collect()
}

fn merge(folder: &Path, shards: &[String], out: &str) -> Ran {
    let shards = shards.iter().map(String::as_str);
    let args: Vec<&str> = ["merge"]
        .into_iter()
        .chain(shards)
        .chain(["--out", out])
        .collect();
    run_in(folder, &args)
}

fn tables(folder: &Path) -> [Vec<u8>; 2] {
    ["levels.csv", "antipodes.csv"].map(|name| fs::read(folder.join(name)).expect(name))
}

/// A folder with two shards that together are the whole.
fn two() -> (TempDir, Vec<String>) {
    let folder = tempfile::tempdir().expect("folder");
    let made = shards(folder.path(), 2, &[]);
    (folder, made)
}

/// Refused in one line that contains all of `names`, and nothing is written.
fn refused(folder: &Path, shards: &[String], names: &[&str]) {
    let ran = merge(folder, shards, "merged");
    assert_eq!(ran.code, 2, "{}", ran.err);
    assert_eq!(ran.err.trim_end().lines().count(), 1, "{}", ran.err);
    for name in names {
        assert!(ran.err.contains(name), "{name}: {}", ran.err);
    }
    assert!(!folder.join("merged/levels.csv").exists());
}

#[test]
fn shards_come_to_what_one_run_does_byte_for_byte() {
    let folder = tempfile::tempdir().expect("folder");
    let folder = folder.path();
    assert_eq!(analyse(folder, &["--out", "whole"]).code, 0);
    for (of, more) in [
        (1, &["--threads=2"][..]),
        (3, &["--threads=1"]),
        (7, &["--engine=hash"]),
    ] {
        let made = shards(folder, of, more);
        let ran = merge(folder, &made, "merged");
        assert_eq!(ran.code, 0, "{}", ran.err);
        assert_eq!(
            tables(&folder.join("merged")),
            tables(&folder.join("whole"))
        );
        let page = run_in(folder, &["report", "merged"]);
        assert_eq!(page.code, 0, "{}", page.err);
        fs::remove_dir_all(folder.join("merged")).expect("merged");
    }
}

#[test]
fn a_shard_goes_on_where_it_was_stopped_and_is_no_shard_before_that() {
    let (folder, made) = two();
    let journal = folder.path().join("s1/progress.jsonl");
    let before = tables(&folder.path().join("s1"));
    let text = fs::read_to_string(&journal).expect("journal");
    let some: String = text.split_inclusive('\n').take(4).collect();
    fs::write(&journal, some).expect("journal");
    refused(folder.path(), &made, &["s1", "changed"]);
    fs::remove_file(folder.path().join("s1/manifest.json")).expect("manifest");
    refused(folder.path(), &made, &["s1", "not finished", "--resume"]);
    let ran = analyse(folder.path(), &["--shard=1/2", "--out=s1", "--resume"]);
    assert_eq!(ran.code, 0, "{}", ran.err);
    assert_eq!(tables(&folder.path().join("s1")), before);
    assert_eq!(merge(folder.path(), &made, "merged").code, 0);
}

#[test]
fn every_shard_has_to_be_there_once() {
    let (folder, made) = two();
    let folder = folder.path();
    refused(folder, &made[..1], &["missing", "block"]);
    refused(folder, &[&made[..], &made[..1]].concat(), &["s1", "twice"]);
    let ran = analyse(folder, &["--shard=1/3", "--out=other"]);
    assert_eq!(ran.code, 0, "{}", ran.err);
    let overlapping = [&made[..], &["other".to_owned()]].concat();
    refused(folder, &overlapping, &["other", "both hold block"]);
    refused(folder, &["none".to_owned()], &["none"]);
    let inside = merge(folder, &made, "s1/merged");
    assert_eq!(inside.code, 2, "{}", inside.err);
    assert!(
        inside.err.contains("in one of the shards"),
        "{}",
        inside.err
    );
    for file in ["levels.csv", "antipodes.csv"] {
        let path = folder.join("s1").join(file);
        let text = fs::read(&path).expect(file);
        fs::write(&path, [&text[..], b"\n"].concat()).expect(file);
        refused(folder, &made, &[file, "changed"]);
        fs::write(&path, text).expect(file);
    }
    assert_eq!(merge(folder, &made, "merged").code, 0);
}

#[test]
fn shards_of_another_question_are_refused() {
    let (folder, made) = two();
    let folder = folder.path();
    let hash = analyse(folder, &["--shard=2/2", "--out=hash", "--engine=hash"]);
    assert_eq!(hash.code, 0, "{}", hash.err);
    let other = ["analyse", "tilt/box", "--set", "grey=1", "--seed=5"];
    let other = run_in(
        folder,
        &[&other[..], &["--shard=2/2", "--out=grey"]].concat(),
    );
    assert_eq!(other.code, 0, "{}", other.err);
    for (name, told) in [
        ("hash", "engine is hash there and sweep here"),
        ("grey", "grey is 1 there and 2 here"),
    ] {
        refused(folder, &[made[0].clone(), name.to_owned()], &[name, told]);
    }
    assert_eq!(analyse(folder, &["--out", "whole"]).code, 0);
    refused(
        folder,
        &[made[0].clone(), "whole".to_owned()],
        &["whole", "is no shard"],
    );
}

#[test]
fn what_cannot_be_shared_out_is_refused_before_anything_is_written() {
    let folder = tempfile::tempdir().expect("folder");
    let cases: [(&[&str], &str); 4] = [
        (
            &["sliding-block/donkey", "--shard=1/2", "--out=o"],
            "too few",
        ),
        (&["tilt/box", "--shard=3/2", "--out=o"], "I/N"),
        (&["tilt/box", "--shard=1/2"], "--out"),
        (
            &[
                "tilt/box",
                "--shard=1/2",
                "--out=o",
                "--engine=disk",
                "--work=w",
            ],
            "--work",
        ),
    ];
    for (args, told) in cases {
        let ran = run_in(folder.path(), &[&["analyse"], args].concat());
        assert_eq!(ran.code, 2, "{}", ran.err);
        assert!(ran.err.contains(told), "{}", ran.err);
        assert!(!folder.path().join("o").exists());
    }
}

/// The script for Slurm, with its variables set as Slurm sets them.
#[cfg(unix)]
#[test]
fn the_slurm_script_makes_every_shard() {
    let folder = tempfile::tempdir().expect("folder");
    let script = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../ci/shards.slurm");
    for number in 1..=3 {
        let status = std::process::Command::new("bash")
            .arg(&script)
            .args(QUESTION)
            .current_dir(folder.path())
            .env("ANTIPODE", env!("CARGO_BIN_EXE_antipode"))
            .env("SLURM_ARRAY_TASK_ID", number.to_string())
            .env("SLURM_ARRAY_TASK_MAX", "3")
            .env("SLURM_CPUS_PER_TASK", "1")
            .output()
            .expect("bash");
        assert!(status.status.success(), "{status:?}");
    }
    let made: Vec<String> = (1..=3).map(|number| format!("shards/{number}")).collect();
    let ran = merge(folder.path(), &made, "merged");
    assert_eq!(ran.code, 0, "{}", ran.err);
}

/// The line for GNU parallel, as on the page; if there is no GNU parallel, a line says so.
#[cfg(unix)]
#[test]
fn the_line_for_gnu_parallel_makes_every_shard() {
    let version = std::process::Command::new("parallel")
        .arg("--version")
        .output();
    let there = |out: std::process::Output| out.stdout.starts_with(b"GNU parallel");
    if !version.is_ok_and(there) {
        eprintln!("no GNU parallel here: its line is not tried");
        return;
    }
    let page = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../docs/engines.md");
    let page = fs::read_to_string(page).expect("the page");
    let line = page
        .lines()
        .find(|line| line.starts_with("seq 16 | parallel"));
    let folder = tempfile::tempdir().expect("folder");
    let folder = folder.path();
    let own = Path::new(env!("CARGO_BIN_EXE_antipode")).parent();
    let path = std::env::var("PATH").expect("a path");
    let ran: Ran = std::process::Command::new("bash")
        .args(["-c", line.expect("the line")])
        .current_dir(folder)
        .env(
            "PATH",
            format!("{}:{path}", own.expect("a folder").display()),
        )
        .output()
        .expect("bash")
        .into();
    assert_eq!(ran.code, 0, "{}", ran.err);
    let made: Vec<String> = (1..=16).map(|number| format!("shards/{number}")).collect();
    let ran = merge(folder, &made, "merged");
    assert_eq!(ran.code, 0, "{}", ran.err);
    let whole = run_in(folder, &["analyse", "rush-hour/5x5", "--out", "whole"]);
    assert_eq!(whole.code, 0, "{}", whole.err);
    assert_eq!(
        tables(&folder.join("merged")),
        tables(&folder.join("whole"))
    );
}
