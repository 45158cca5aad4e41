//! Ctrl-C ends every subcommand, and finished work is kept. Two processes do not write to one
//! folder.

use std::io::{BufRead, BufReader};
use std::path::Path;
use std::process::Child;
use std::time::{Duration, Instant};

use nix::sys::signal::Signal;
use rayon::prelude::*;

use crate::support::{Ran, Text, fresh, json, plays, read, runs, signal, started, words};

fn start(folder: &Path, line: &str) -> Child {
    started(folder, &words(line))
}

/// Sends SIGINT after a while, and again at once, as `timeout` does to a process and its group;
/// then waits for the end. Users are promised five seconds; a busy machine gets more.
fn stopped(child: Child, name: &str) -> Ran {
    std::thread::sleep(Duration::from_millis(700));
    let begun = Instant::now();
    signal(&child, Signal::SIGINT);
    std::thread::sleep(Duration::from_millis(3));
    signal(&child, Signal::SIGINT);
    let ran: Ran = child.wait_with_output().unwrap().into();
    let took = begun.elapsed();
    assert!(took < Duration::from_secs(15), "{name}: {took:?}");
    ran.ended(4)
}

const LONG: [&str; 10] = [
    "analyse rush-hour/6x6 --threads 1 --out out",
    "analyse rush-hour/6x6 --engine hash --threads 1",
    "verify rush-hour/6x6 --threads 1 --out out",
    "solve sliding-block/climb-pro-24 --threads 1 --out out",
    "pairs coin-sliding/5x7 --threads 1 --out out",
    "table peg-solitaire/diamond-41 --threads 1 --out out",
    "certify rush-hardest-moves --effort full --threads 1 --out out",
    "certify peg-solitaire --effort full --threads 1 --out out",
    "explore permutation/skewb --antipode --format text --limit 1000000000",
    concat!(
        "bench ",
        env!("CARGO_MANIFEST_DIR"),
        "/../../ci/suites/small.toml --out out"
    ),
];

#[test]
fn sigint_ends_every_subcommand_at_work() {
    LONG.into_par_iter().for_each(|line| {
        let folder = fresh();
        let line = format!("{line} --quiet");
        let ran = stopped(start(&folder, &line), &line);
        ran.err.lacks(["stopping after"]);
    });
}

/// The work after a stop is short: no loop over all states continues to its end. The last level is
/// no greatest distance: only a few of its boards are drawn.
#[test]
fn a_stop_leaves_results() {
    for line in [
        "analyse sliding-tile/4x4 --engine disk --work work --threads 2 --out out",
        "analyse sliding-tile/3x4 --engine hash --threads 2 --out out",
        "analyse sliding-block/climb-pro-24 --engine disk --work work --threads 2 --out out",
    ] {
        let folder = fresh();
        let child = start(&folder, line);
        std::thread::sleep(Duration::from_millis(500));
        stopped(child, line).err.lacks(["does not end by itself"]);
        read(folder.join("out/run.json")).has(["stopped on request"]);
        let boards = read(folder.join("out/antipodes.csv")).lines().count();
        assert!(boards <= 1001, "{line}: {boards}");
    }
}

#[test]
fn the_referee_keeps_what_was_played() {
    let folder = fresh();
    let mut args = words("referee tilt/card-7 tilt/card-1 tilt/card-2 --out out --command");
    args.push("slow=sh -c 'sleep 1; echo 15'");
    let mut child = started(&folder, &args);
    let lines = BufReader::new(child.stderr.take().unwrap()).lines();
    let mut lines = lines.map_while(Result::ok);
    assert!(lines.any(|line| line.starts_with("slow on")));
    signal(&child, Signal::SIGINT);
    assert_eq!(child.wait().unwrap().code(), Some(4));
    let record = json(folder.join("out/referee.json"));
    let rows = record["rows"].as_array().unwrap().len() as u64;
    assert!((1..3).contains(&rows), "{record}");
    assert_eq!(record["unplayed"].as_u64(), Some(3 - rows));
    assert!(record["solvers"][0]["rank"].is_null());
}

#[test]
fn a_folder_in_use_names_its_process() {
    let folder = fresh();
    let first = start(&folder, "analyse rush-hour/6x6 --threads 1 --out out");
    std::thread::sleep(Duration::from_secs(1));
    let holder = format!("(process {})", first.id());
    for line in [
        "analyse tilt/card-1",
        "certify tilt",
        "solve tilt/card-1",
        "verify tilt/card-1",
        "plan tilt/box",
        "pairs coin-sliding/5x7",
        "table peg-solitaire/english-33",
        "permute board:3x3x1:rotate90",
        "referee tilt/card-1 --command true",
    ] {
        let ran = runs(&folder, &format!("{line} --out out")).ended(2);
        ran.err.has(["another run is at work there"]);
        if cfg!(target_os = "linux") {
            ran.err.has([&holder]);
        }
    }
    runs(&folder, "analyse tilt/card-1 --out done").ended(0);
    let ran = runs(&folder, "report done --site out").ended(2);
    ran.err.has(["at work there", "another --site"]);
    stopped(first, "analyse");
    assert!(folder.join("out/run.json").exists());
}

/// Depths of `cost.csv` start again with each part.
#[test]
fn costs_of_several_parts_are_read() {
    plays(
        fresh(),
        "0 analyse tilt/box --set grey=2 --set blue=1 --engine disk --threads 1 --work w --out parts
         0 analyse tilt/card-1 --out whole
         0 report whole parts --out page
         0 plan tilt/box --set grey=2 --set blue=1 --levels parts",
    );
}

/// The largest censuses are planned from a sample of their parts.
#[test]
fn a_plan_takes_no_longer_than_a_moment() {
    let begun = Instant::now();
    let plan =
        "0 plan rush-hour/6x6 --set walls=2 | sweep | estimated from 4,096 of 12,058,624 parts";
    plays(".", plan);
    assert!(begun.elapsed() < Duration::from_secs(20));
}
