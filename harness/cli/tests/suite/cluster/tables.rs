//! The tables of a search that processes share.

use std::fs;
use std::net::TcpListener;
use std::os::unix::fs::PermissionsExt;
use std::path::Path;

use super::{DONKEY, done, tables};
use crate::support::{Ran, read};

/// Runs a question with engine disk, then with some processes, and compares the tables.
fn same(question: &str, crews: &[(usize, usize)]) {
    let folder = tempfile::tempdir().expect("folder");
    let folder = folder.path();
    let disk = "--engine disk --work work --memory 128MiB --threads 1 --out disk";
    done(folder, &format!("analyse {question} {disk}"));
    for (processes, threads) in crews {
        let how = format!("--processes {processes} --threads {threads} --work w --memory 128MiB");
        let line = format!("analyse {question} --engine cluster {how} --out o --force");
        done(folder, &line);
        assert_eq!(tables(folder, "o"), tables(folder, "disk"), "{line}");
        // More levels may be requested.
        let kept = question.contains("--max-depth");
        assert_eq!(folder.join("w").exists(), kept, "{line}");
    }
}

#[test]
fn any_number_of_processes_comes_to_the_bytes_of_disk() {
    same(DONKEY, &[(1, 2), (3, 1), (8, 1)]);
}

#[test]
fn so_it_does_against_the_moves_with_what_cannot_be_solved() {
    same("lights-out/4x4 --direction backward", &[(1, 1), (3, 2)]);
    same("pancake/plain-8 --direction backward", &[(2, 2)]);
}

#[test]
fn so_it_does_where_the_instance_falls_into_parts() {
    let two_blues = "tilt/box --set grey=1 --set blue=0..2";
    same(two_blues, &[(2, 2), (8, 1)]);
    // Fewer parts than processes.
    same("sliding-tile/3x3 --direction backward", &[(2, 1), (3, 2)]);
}

#[test]
fn so_it_does_where_moves_cannot_be_undone_and_through_layers() {
    same("peg-solitaire/diamond-41 --max-depth 9", &[(3, 1)]);
    same(
        "sliding-block/donkey --max-depth 40 --buckets uniform",
        &[(3, 2)],
    );
}

/// One process has levels to resume from, the other has lost its own: both start again.
#[test]
fn so_it_does_where_one_process_has_lost_its_levels() {
    let folder = tempfile::tempdir().expect("folder");
    let folder = folder.path();
    let question = format!("analyse {DONKEY} --threads 1 --memory 128MiB --force");
    let deep = "--max-depth 40";
    done(
        folder,
        &format!("{question} {deep} --engine disk --work work --out disk"),
    );
    let shared = format!("{question} --engine cluster --processes 2 --work w");
    for (lost, out) in [("w/process-0-of-2", "o0"), ("w/process-1-of-2", "o1")] {
        done(folder, &format!("{shared} --max-depth 30 --out shallow"));
        for file in fs::read_dir(folder.join(lost)).expect("a folder") {
            let file = file.expect("a file").path();
            if file.extension().is_some_and(|end| end == "segment") {
                fs::remove_file(file).expect("removed");
            }
        }
        done(folder, &format!("{shared} {deep} --resume --out {out}"));
        assert_eq!(tables(folder, out), tables(folder, "disk"), "{lost}");
        fs::remove_dir_all(folder.join("w")).expect("removed");
    }
}

/// Each of them has the folder to itself, and leaves nothing there.
#[test]
fn claims_of_one_instance_are_derived_one_after_the_other() {
    let folder = tempfile::tempdir().expect("folder");
    let folder = folder.path();
    let claim = |id: &str, count: &str, claimed: u32| {
        format!(
            "[[claim]]\nid = \"{id}\"\nsource = \"a test\"\nstatement = \"A count.\"\nkind = \"count\"\n\
             instance = \"donkey\"\ndirection = \"forward\"\ncount = \"{count}\"\nclaimed = {claimed}\n\
             engine = \"cluster\"\nexpect = \"confirmed\"\n"
        )
    };
    let all = claim("all", "reachable_states", 25_955) + &claim("third", "level_3_states", 15);
    fs::write(
        folder.join("two.toml"),
        format!("puzzle = \"sliding-block\"\n{all}"),
    )
    .expect("written");
    for _ in 0..2 {
        done(folder, "certify --claims two.toml --out out");
        assert!(!folder.join("out/work").exists());
    }
}

#[test]
fn paths_are_as_short_as_those_of_disk() {
    let folder = tempfile::tempdir().expect("folder");
    let folder = folder.path();
    let memory = "--memory 128MiB --threads 1";
    for question in [DONKEY, "tilt/card-7"] {
        done(
            folder,
            &format!("solve {question} --engine disk {memory} --out disk --force"),
        );
        let line = format!("solve {question} --engine cluster {memory} --processes 3 --out o");
        done(folder, &format!("{line} --force"));
        assert_eq!(
            read(folder.join("o/levels.csv")),
            read(folder.join("disk/levels.csv"))
        );
        let rows = |out: &str| read(folder.join(out).join("path.csv")).lines().count();
        assert_eq!(rows("o"), rows("disk"));
        assert!(!folder.join("o/work").exists());
    }
    // If no folder is named, none stays behind.
    let alone = tempfile::tempdir().expect("folder");
    done(
        alone.path(),
        &format!("solve tilt/card-7 --engine cluster {memory}"),
    );
    assert_eq!(fs::read_dir(alone.path()).expect("folder").count(), 0);
}

/// The script for Slurm, with stand-ins for its commands: a job of two nodes on this machine.
#[cfg(target_os = "linux")]
#[test]
#[ignore = "a script; CI_FULL=1 .ci/run"]
fn the_slurm_script_starts_a_process_a_node() {
    let folder = tempfile::tempdir().expect("folder");
    let folder = folder.path();
    done(
        folder,
        &format!("analyse {DONKEY} --engine disk --work d --threads 1 --out disk"),
    );
    let bin = folder.join("bin");
    fs::create_dir(&bin).expect("folder");
    let port = TcpListener::bind("127.0.0.2:0").and_then(|held| held.local_addr());
    let port = port.expect("a port").port();
    for (name, script) in [
        ("scontrol", "printf '127.0.0.1\n127.0.0.2\n'"),
        (
            "srun",
            "SLURM_PROCID=1 \"$@\" & SLURM_PROCID=0 \"$@\" && wait $!",
        ),
    ] {
        let file = bin.join(name);
        fs::write(&file, format!("#!/bin/bash\n{script}\n")).expect(name);
        fs::set_permissions(&file, fs::Permissions::from_mode(0o755)).expect(name);
    }
    let path = std::env::var("PATH").expect("a path");
    let script = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../ci/cluster.slurm");
    let ran: Ran = std::process::Command::new("bash")
        .arg(&script)
        .arg(DONKEY)
        .args(["--memory", "128MiB"])
        .current_dir(folder)
        .env("PATH", format!("{}:{path}", bin.display()))
        .env("ANTIPODE", env!("CARGO_BIN_EXE_antipode"))
        .env("ANTIPODE_PORT", port.to_string())
        .env("SLURM_JOB_ID", "7")
        .env("SLURM_JOB_NODELIST", "node[1-2]")
        .env("SLURM_CPUS_PER_TASK", "1")
        .output()
        .expect("bash")
        .into();
    assert_eq!(ran.code, 0, "{}", ran.err);
    assert_eq!(tables(folder, "out"), tables(folder, "disk"));
    assert!(!folder.join("levels").exists() && !folder.join("secret-7").exists());
}
