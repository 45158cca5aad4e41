//! A fault in one process ends all of them; they resume from the same point.

use std::cell::RefCell;
use std::time::{Duration, Instant};

use nix::sys::signal::Signal;
use puzzle_api::Xorshift;

use super::{Crew, DONKEY, ended, levels, on_disk, says, tables};
use crate::support::{Text, fresh, read, runs, signal, walk};

/// An instance in some hundred parts, walked in a second or two.
const PARTS: &str = "tilt/box --set grey=2..3 --set blue=0..1";

/// Starts all, and kills one once it has finished some levels, one of them in this run, so that it
/// has met the others. Returns whether that was before its end.
fn kill_one(crew: &Crew<'_>, question: &str, victim: usize, after: usize, more: &str) -> bool {
    let after = after.max(levels(crew.folder, victim, crew.count) + 1);
    let mut children = crew.start_all(question, more);
    let late = Instant::now() + Duration::from_secs(60);
    while levels(crew.folder, victim, crew.count) < after
        && children[victim].try_wait().expect("a child").is_none()
        && Instant::now() < late
    {
        std::thread::sleep(Duration::from_millis(2));
    }
    let in_time = children[victim].try_wait().expect("a child").is_none();
    children[victim].kill().expect("killed");
    let clock = Instant::now();
    let name = format!("process {victim}");
    for (index, child) in children.into_iter().enumerate() {
        let ran = ended(child);
        if index != victim && ran.code != 0 {
            says(&ran, 4, &[&name, "--resume"]);
        }
    }
    assert!(clock.elapsed() < Duration::from_secs(30));
    in_time
}

/// Kills processes of a search that finishes some hundred pieces, repeatedly, in the same number,
/// fewer and more, until some end. The result equals that of engine disk.
fn killed(question: &str, pieces: impl Fn(usize) -> usize) {
    let folder = &fresh();
    on_disk(folder, question);
    let mut more = "";
    let mut kills = 0;
    for (count, victim) in [(3, 2), (3, 0), (2, 1), (4, 3)] {
        let crew = Crew::new(folder, count);
        if !kill_one(&crew, question, victim, pieces(kills), more) {
            break;
        }
        kills += 1;
        more = "--resume";
    }
    assert!(kills >= 2);
    if kills == 4 {
        let crew = Crew::new(folder, 3);
        for child in crew.start_all(question, "--resume") {
            ended(child).ended(0);
        }
        let left: Vec<_> = walk(&folder.join("w"));
        assert!(left.is_empty() && !folder.join("w").exists(), "{left:?}");
    }
    assert_eq!(tables(folder, "o"), tables(folder, "disk"));
}

#[test]
fn killed_at_random_levels_any_number_of_processes_goes_on() {
    let random = RefCell::new(Xorshift::for_draw(20, 0));
    killed(DONKEY, |kills| {
        4 + 10 * kills + random.borrow_mut().below(10) as usize
    });
}

#[test]
fn killed_among_the_parts_any_number_of_processes_goes_on() {
    killed(PARTS, |kills| 10 + 15 * kills);
}

#[test]
fn a_process_that_stands_still_is_told_and_waited_for_no_longer() {
    let folder = fresh();
    let crew = Crew::new(&folder, 2);
    let mut children = crew.start_all("sliding-block/climb-pro-24 --max-depth 75", "--silence 10");
    while levels(&folder, 1, 2) < 3 {
        assert!(children[1].try_wait().expect("a child").is_none());
        std::thread::sleep(Duration::from_millis(5));
    }
    let stopped = children.pop().expect("two");
    signal(&stopped, Signal::SIGSTOP);
    says(
        &ended(children.pop().expect("two")),
        4,
        &["process 1", "has said nothing for "],
    );
    signal(&stopped, Signal::SIGKILL);
    let _ = ended(stopped);
}

#[test]
fn a_limit_of_one_process_is_one_for_all() {
    let folder = fresh();
    let line = "analyse sliding-block/climb-pro-24 --engine cluster --processes 2 \
                --threads 1 --work w --memory 128MiB --disk 600KB --out o";
    runs(&folder, line).ended(4).out.has(["of disk allowed"]);
    let levels = read(folder.join("o/levels.csv"));
    assert!(levels.lines().count() > 5);
}
