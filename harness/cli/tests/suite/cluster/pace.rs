//! A process that is slow, or stands still for a while, holds the others back, and not in their
//! memory.

use std::fs;
use std::process::Child;
use std::time::{Duration, Instant};

use nix::sys::signal::{Signal, kill};
use nix::unistd::Pid;

use super::{Crew, ended, levels};

/// Bytes under way to one process at most, in KiB, and what runs differ by as it is.
const WINDOW: u64 = 8 << 10;
const NOISE: u64 = 6 << 10;

/// A search whose last step sends some 40 MB each way between two processes: what nobody would
/// pace is many times the window.
const QUESTION: &str = "pancake/plain-11 --max-depth 9";
/// The level behind which that step begins.
const LAST: usize = 9;

/// Greatest resident memory of a process so far, in KiB; nothing once it has ended.
fn peak(child: &Child) -> Option<u64> {
    let status = fs::read_to_string(format!("/proc/{}/status", child.id())).ok()?;
    let line = status.lines().find(|line| line.starts_with("VmHWM:"))?;
    line.split_whitespace().nth(1)?.parse().ok()
}

fn signal(child: &Child, signal: Signal) {
    kill(Pid::from_raw(child.id() as i32), signal).expect("a child");
}

/// Peak memory of the first of two processes, in KiB, while something is done to the second in
/// every round.
fn peak_beside(mut round: impl FnMut(&Child, usize)) -> u64 {
    let folder = tempfile::tempdir().expect("folder");
    let crew = Crew::new(folder.path(), 2);
    let mut children = crew.start_all(QUESTION, "");
    let late = Instant::now() + Duration::from_secs(300);
    let mut most = 0;
    while children[0].try_wait().expect("a child").is_none() {
        assert!(Instant::now() < late, "not within five minutes");
        most = most.max(peak(&children[0]).unwrap_or_default());
        if children[1].try_wait().expect("a child").is_none() {
            round(&children[1], levels(folder.path(), 1, 2));
        }
        std::thread::sleep(Duration::from_millis(10));
    }
    for child in children.drain(..) {
        let ran = ended(child);
        assert_eq!(ran.code, 0, "{}", ran.err);
    }
    most
}

#[test]
fn a_slow_process_costs_the_others_no_memory() {
    let alone = peak_beside(|_, _| ());
    // Half of the time, all the time.
    let slowed = peak_beside(|child, _| {
        signal(child, Signal::SIGSTOP);
        std::thread::sleep(Duration::from_millis(40));
        signal(child, Signal::SIGCONT);
        std::thread::sleep(Duration::from_millis(30));
    });
    // For seconds, in the step that sends most.
    let mut stood = false;
    let stopped = peak_beside(|child, levels| {
        if levels == LAST && !stood {
            signal(child, Signal::SIGSTOP);
            std::thread::sleep(Duration::from_secs(5));
            signal(child, Signal::SIGCONT);
            stood = true;
        }
    });
    assert!(stood, "it was over before it stood still");
    assert!(
        slowed <= alone + WINDOW + NOISE,
        "{alone} KiB, {slowed} KiB"
    );
    assert!(
        stopped <= alone + WINDOW + NOISE,
        "{alone} KiB, {stopped} KiB"
    );
}
