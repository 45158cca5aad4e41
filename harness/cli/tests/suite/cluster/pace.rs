//! A process that is slow, or stops for a while, holds up the others, but does not fill their
//! memory.

use std::fs;
use std::process::Child;
use std::time::{Duration, Instant};

use nix::sys::signal::Signal;

use super::{Crew, ended, levels};
use crate::support::{fresh, json, signal};

/// Most KiB on the way to one process, and the usual difference between runs.
const WINDOW: u64 = 8 << 10;
const NOISE: u64 = 6 << 10;

/// A search whose last step, after level 8, sends most of its data: some 45 MB each way between two
/// processes.
const QUESTION: &str = "pancake/plain-11 --max-depth 9";
/// Levels finished before that step, the roots among them.
const FINISHED: usize = 9;
/// Bytes from others that the second process has stored once that step is under way.
const BEGUN: u64 = 1 << 20;
/// Longest time that a process is stopped for.
const LONG: Duration = Duration::from_secs(40);

/// Greatest resident memory of a process so far, in KiB; `None` once it has ended.
fn peak(child: &Child) -> Option<u64> {
    let status = fs::read_to_string(format!("/proc/{}/status", child.id())).ok()?;
    let line = status.lines().find(|line| line.starts_with("VmHWM:"))?;
    line.split_whitespace().nth(1)?.parse().ok()
}

/// Processor time of a process so far, in hundredths of a second.
fn worked(child: &Child) -> u64 {
    let stat = fs::read_to_string(format!("/proc/{}/stat", child.id())).unwrap_or_default();
    let behind = stat.rsplit_once(')').map_or("", |(_, behind)| behind);
    let ticks = behind.split_whitespace().skip(11).take(2);
    ticks.filter_map(|ticks| ticks.parse::<u64>().ok()).sum()
}

/// Waits until a process is idle; false if it never is.
fn waits(child: &Child) -> bool {
    let late = Instant::now() + LONG;
    while Instant::now() < late {
        let before = worked(child);
        std::thread::sleep(Duration::from_secs(2));
        if worked(child) <= before + 2 {
            return true;
        }
    }
    false
}

/// Peak memory of the first of two processes, in KiB, while a function acts on the second in every
/// round. Its argument says whether the last step is under way.
fn peak_beside(mut round: impl FnMut([&Child; 2], bool)) -> u64 {
    let folder = fresh();
    let crew = Crew::new(&folder, 2);
    let mut children = crew.start_all(QUESTION, "");
    let late = Instant::now() + Duration::from_secs(300);
    let received = folder.join("w/process-1-of-2/part-000000-received-0.segment");
    let last_step = || {
        let written = fs::metadata(&received).map_or(0, |file| file.len());
        levels(&folder, 1, 2) >= FINISHED && written >= BEGUN
    };
    let mut most = 0;
    while children[0].try_wait().expect("a child").is_none() {
        assert!(Instant::now() < late, "not within five minutes");
        most = most.max(peak(&children[0]).unwrap_or_default());
        if children[1].try_wait().expect("a child").is_none() {
            round([&children[0], &children[1]], last_step());
        }
        std::thread::sleep(Duration::from_millis(10));
    }
    for child in children {
        ended(child).ended(0);
    }
    // Without pacing, it would be many times the bound.
    let sent = json(folder.join("o/run.json"))["extra"]["sent_bytes"]
        .as_u64()
        .expect("bytes");
    assert!(sent / 2 > 3 * 1024 * (WINDOW + NOISE), "{sent} bytes");
    most
}

#[test]
#[ignore = "some 25 CPU-seconds; CI_FULL=1 .ci/run"]
fn a_slow_process_costs_the_others_no_memory() {
    let alone = peak_beside(|_, _| ());
    // Half of the time, all the time.
    let slowed = peak_beside(|[_, slow], _| {
        signal(slow, Signal::SIGSTOP);
        std::thread::sleep(Duration::from_millis(40));
        signal(slow, Signal::SIGCONT);
        std::thread::sleep(Duration::from_millis(30));
    });
    // Until the other is idle, in the step that sends most.
    let mut held_back = None;
    let stopped = peak_beside(|[first, slow], last_step| {
        if last_step && held_back.is_none() {
            signal(slow, Signal::SIGSTOP);
            held_back = Some(waits(first));
            signal(slow, Signal::SIGCONT);
        }
    });
    assert_eq!(held_back, Some(true));
    let most = alone + WINDOW + NOISE;
    assert!(
        slowed <= most && stopped <= most,
        "{alone} KiB alone, {slowed} KiB next to a slow one, {stopped} KiB next to one that stood still"
    );
}
