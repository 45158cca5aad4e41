//! The tables of a search that processes share.

use std::fs;
use std::net::TcpListener;

use super::{DONKEY, done, on_disk, tables};
use crate::support::{certify, claims, fresh, plays, root, rows, script, sh};

/// Runs a question with engine disk, then with some processes, and compares the tables.
fn same(question: &str, crews: &[(usize, usize)]) {
    let folder = &fresh();
    on_disk(folder, question);
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
    same(DONKEY, &[(1, 2), (8, 1)]);
    // Against the moves, with what cannot be solved.
    same("lights-out/4x4 --direction backward", &[(3, 2)]);
    same("pancake/plain-7 --direction backward", &[(2, 2)]);
}

#[test]
fn so_it_does_in_parts_without_return_and_through_layers() {
    same("tilt/box --set grey=1 --set blue=0..2", &[(8, 1)]);
    // Fewer parts than processes.
    same("sliding-tile/2x4 --direction backward", &[(3, 2)]);
    same("peg-solitaire/diamond-41 --max-depth 8", &[(3, 1)]);
    let buckets = "sliding-block/donkey --max-depth 40 --buckets uniform";
    same(buckets, &[(3, 2)]);
}

/// One process has levels to resume from, the other has lost its own: both start again.
#[test]
fn so_it_does_where_one_process_has_lost_its_levels() {
    let folder = &fresh();
    let question = format!("0 analyse {DONKEY} --threads 1 --memory 128MiB --force");
    let shared = format!("{question} --engine cluster --processes 2 --work w");
    plays(
        folder,
        &format!(
            "{question} --max-depth 40 --engine disk --work work --out disk
             {shared} --max-depth 30 --out shallow
             0 $ rm w/process-1-of-2/*.segment
             {shared} --max-depth 40 --resume --out o"
        ),
    );
    assert_eq!(tables(folder, "o"), tables(folder, "disk"));
}

/// Each of them has the folder to itself, and leaves nothing there.
#[test]
fn claims_of_one_instance_are_derived_one_after_the_other() {
    let claim = |id: &'static str, count: &str| {
        let how = "instance = \"donkey\"; direction = \"forward\"; engine = \"cluster\"";
        (id, format!("kind = \"count\"; {how}; count = {count}"))
    };
    let [all, third] = [
        claim("all", "\"reachable_states\"; claimed = 25_955"),
        claim("third", "\"level_3_states\"; claimed = 15"),
    ];
    let two = claims("sliding-block", &[(all.0, &all.1), (third.0, &third.1)]);
    let (folder, ran) = certify(&two, "");
    ran.ended(0);
    plays(
        &folder,
        "no out/work\n0 certify --claims my.toml --out out\nno out/work",
    );
}

/// If no folder is named, none stays behind.
#[test]
fn paths_are_as_short_as_those_of_disk() {
    let how = "--memory 128MiB --threads 1 --engine";
    for question in [DONKEY, "tilt/card-7"] {
        plays(
            fresh(),
            &format!(
                "0 solve {question} {how} disk --force --out disk
                 0 solve {question} {how} cluster --processes 3 --force --out o
                 0 $ cmp o/levels.csv disk/levels.csv
                 0 $ test $(wc -l <o/path.csv) = $(wc -l <disk/path.csv)
                 no o/work
                 0 $ rm -r o disk
                 0 solve tilt/card-7 {how} cluster
                 0 $ test -z \"$(ls)\""
            ),
        );
    }
}

/// The script for Slurm, with stand-ins for its commands: a job of two nodes on this machine.
#[cfg(target_os = "linux")]
#[test]
#[ignore = "a script; CI_FULL=1 .ci/run"]
fn the_slurm_script_starts_a_process_a_node() {
    let folder = &fresh();
    on_disk(folder, DONKEY);
    let bin = folder.join("bin");
    fs::create_dir(&bin).expect("folder");
    let port = TcpListener::bind("127.0.0.2:0").and_then(|held| held.local_addr());
    let port = port.expect("a port").port();
    for [name, text] in rows(
        r#"scontrol | printf '127.0.0.1\n127.0.0.2\n'
           srun | SLURM_PROCID=1 "$@" & SLURM_PROCID=0 "$@" && wait $!"#,
    ) {
        script(bin.join(name), &format!("#!/bin/bash\n{text}\n"));
    }
    let line = format!(
        "PATH=$PWD/bin:$PATH exec bash {} {DONKEY} --memory 128MiB",
        root().join("ci/cluster.slurm").display()
    );
    let variables = [
        ("ANTIPODE_PORT", &*port.to_string()),
        ("SLURM_JOB_ID", "7"),
        ("SLURM_JOB_NODELIST", "node[1-2]"),
        ("SLURM_CPUS_PER_TASK", "1"),
    ];
    sh(folder, &line, &variables).ended(0);
    assert_eq!(tables(folder, "out"), tables(folder, "disk"));
    assert!(!folder.join("levels").exists() && !folder.join("secret-7").exists());
}
