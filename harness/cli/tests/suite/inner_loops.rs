//! Figures of inner loops: instructions counted by `perf` and `valgrind`, here replaced by scripts;
//! criterion's folders from a real run; and counts of other programs.

use std::fs;
use std::path::Path;
use std::process::{Command, Stdio};
use std::sync::LazyLock;
use std::time::Duration;

use antipode_reports::bench::{Sample, Status, read_folder};
use nix::sys::signal::{Signal, kill};
use nix::unistd::Pid;

use crate::support::{
    Fresh, NARROW, Ran, Text, antipode, folder_with, plays, script as write_script, suite,
};

mod script;

static SUITE: LazyLock<String> = LazyLock::new(|| {
    let disk = format!("{NARROW}engine = \"disk\"");
    let path = "verb = \"solve\"; instance = \"tilt/card-7\"";
    let rows = [("path", path), ("disk", &*disk)];
    suite("name = \"counted\"; samples = 2; timeout = \"3s\"", &rows)
});

/// Finds the file for the count in `$file`, and leaves the program and its arguments in `$@`.
const PERF: &str = r#"#!/bin/sh
PATH=/usr/bin:/bin
for argument; do case $argument in --output=*) file=${argument#--output=} ;; esac; done
while [ "$1" != -- ]; do shift; done
shift
"#;

const VALGRIND: &str = r#"#!/bin/sh
PATH=/usr/bin:/bin
for argument; do case $argument in --log-file=*) file=${argument#--log-file=} ;; esac; done
while case $1 in --*) true ;; *) false ;; esac; do shift; done
"#;

const PERF_COUNTS: &str = "echo '4321,,instructions:u,9,100.00,,' >\"$file\"\nexec \"$@\"\n";
const PERF_CANNOT: &str =
    "echo '<not supported>,,instructions:u,0,100.00,,' >\"$file\"\nexec \"$@\"\n";
const VALGRIND_COUNTS: &str = "echo '==1== Collected : 1234' >\"$file\"\nexec \"$@\"\n";

/// A folder with the suite, and with programs that only the command knows.
struct Place(Fresh);

impl Place {
    fn new() -> Self {
        let folder = folder_with("suite.toml", &*SUITE);
        fs::create_dir(folder.join("bin")).unwrap();
        Self(folder)
    }

    fn at(&self) -> &Path {
        &self.0
    }

    /// Puts a script where the command finds it.
    fn put(&self, name: &str, head: &str, body: &str) {
        let file = self.at().join("bin").join(name);
        write_script(file, &format!("{head}{body}"));
    }

    fn command(&self) -> Command {
        let mut command = antipode();
        command
            .current_dir(self.at())
            .env("PATH", self.at().join("bin"));
        command.args(["bench", "suite.toml", "--out", "out", "--instructions"]);
        command
    }

    fn run(&self) -> Ran {
        self.command().output().unwrap().into()
    }

    /// Instruction counts, sorted by the name of the row.
    fn counts(&self) -> Vec<Sample> {
        let all = read_folder(self.at().join("out")).unwrap();
        let mut all: Vec<Sample> = all.into_iter().filter(Sample::imported).collect();
        all.sort_by(|a, b| a.row.cmp(&b.row));
        all
    }
}

/// Both rows have a figure of a metric.
fn counted(counts: &[Sample], metric: &str, value: Option<f64>) {
    let all = counts.iter().map(|s| (&*s.row, &*s.metric, s.value));
    assert_eq!(
        all.collect::<Vec<_>>(),
        ["disk", "path"].map(|row| (row, metric, value))
    );
}

#[test]
fn perf_counts_where_it_can_and_each_row_once() {
    let place = Place::new();
    place.put("perf", PERF, PERF_COUNTS);
    place.put("valgrind", VALGRIND, VALGRIND_COUNTS);
    place.run().ended(0);
    let counts = place.counts();
    counted(&counts, "instructions-perf", Some(4321.0));
    for count in &counts {
        assert_eq!(count.status, Status::Ok, "{}", count.detail);
        assert_eq!(count.answer, count.expected);
        assert!(!count.answer.is_empty() && !count.build.is_empty());
    }
    // A second run counts nothing, whatever could count.
    place.put("perf", PERF, "exit 1\n");
    place.run().ended(0);
    assert_eq!(place.counts(), counts);
    // Counts are no samples of rows to what compares them, and the page shows them.
    plays(
        place.at(),
        r#"4 compare disk path --results out
           0 report out --out page
           page/report.html ? | instructions-perf | data-key="4.321e3""#,
    );
}

#[test]
fn callgrind_counts_where_perf_does_not() {
    for perf in [PERF_CANNOT, "echo no access >&2\nexit 255\n"] {
        let place = Place::new();
        place.put("perf", PERF, perf);
        place.put("valgrind", VALGRIND, VALGRIND_COUNTS);
        place.run().ended(0);
        counted(&place.counts(), "instructions-callgrind", Some(1234.0));
    }
}

#[test]
fn what_cannot_be_counted_says_so_until_it_can() {
    let place = Place::new();
    place.put("perf", PERF, "echo no access >&2\nexit 255\n");
    for _ in 0..2 {
        place.run().ended(0);
        let counts = place.counts();
        counted(&counts, "instructions", None);
        for count in counts {
            assert_eq!(count.status, Status::Failed);
            count.detail.has([
                "not counted: perf: exit code 255: no access",
                "valgrind: cannot start",
                "install valgrind",
            ]);
        }
    }
    place.put("valgrind", VALGRIND, VALGRIND_COUNTS);
    place.run().ended(0);
    let values: Vec<Option<f64>> = place.counts().iter().map(|count| count.value).collect();
    assert_eq!(values, [Some(1234.0); 2]);
}

#[test]
fn a_wrong_answer_is_not_counted() {
    let place = Place::new();
    let wrong = r#"
echo '==1== Collected : 1' >"$file"
"$@" | sed 's/"length": 15/"length": 14/'
"#;
    place.put("valgrind", VALGRIND, wrong);
    place.run().ended(3);
    let counts = place.counts();
    let (disk, path) = (&counts[0], &counts[1]);
    assert_eq!((disk.status, disk.value), (Status::Ok, Some(1.0)));
    assert_eq!((path.status, path.value), (Status::Wrong, None));
    assert_eq!(path.detail, "answered length 14, expected length 15");
    assert_eq!(path.metric, "instructions-callgrind");
}

#[test]
fn a_row_that_did_not_end_well_is_not_counted() {
    let place = Place::new();
    let suite = SUITE.replace("card-7\"", "card-7\"\nexpect = \"length 14\"");
    fs::write(place.at().join("suite.toml"), suite).unwrap();
    place.put("perf", PERF, PERF_COUNTS);
    place.run().ended(3);
    let counts = place.counts();
    let (good, bad) = (&counts[0], &counts[1]);
    assert_eq!((good.status, good.value), (Status::Ok, Some(4321.0)));
    assert_eq!((bad.status, bad.value), (Status::Skipped, None));
    bad.detail.has(["not all samples"]);
}

#[test]
fn time_ends_a_count() {
    let place = Place::new();
    let hangs = "if [ \"$1\" = true ]; then\n".to_owned() + PERF_COUNTS + "fi\nexec sleep 600\n";
    place.put("perf", PERF, &hangs);
    place.run().ended(0);
    for count in place.counts() {
        assert_eq!((count.status, count.value), (Status::Timeout, None));
        assert_eq!(count.detail, "killed after 3s");
    }
}

/// Waits for a file with something in it.
fn wait_for(file: &Path) -> String {
    loop {
        match fs::read_to_string(file) {
            Ok(text) if text.ends_with('\n') => return text.trim().to_owned(),
            _ => std::thread::sleep(Duration::from_millis(10)),
        }
    }
}

/// Whether a process runs; a zombie does not.
fn runs(process: &str) -> bool {
    let stat = fs::read_to_string(format!("/proc/{process}/stat")).unwrap_or_default();
    stat.rsplit(") ").next().is_some_and(|rest| {
        let state = rest.chars().next();
        state.is_some_and(|state| !"ZX".contains(state))
    })
}

#[test]
fn a_stop_ends_a_count_and_the_same_command_goes_on() {
    let place = Place::new();
    let started = place.at().join("started");
    let hangs = format!(
        "if [ \"$1\" = true ]; then\n{VALGRIND_COUNTS}fi\nsleep 600 &\necho $! >{}\nwait\n",
        started.display()
    );
    place.put("valgrind", VALGRIND, &hangs);
    let mut command = place.command();
    command.stdout(Stdio::null()).stderr(Stdio::piped());
    let child = command.spawn().unwrap();
    let sleeper = wait_for(&started);
    assert!(runs(&sleeper));
    kill(Pid::from_raw(child.id() as i32), Signal::SIGTERM).unwrap();
    let ran = Ran::from(child.wait_with_output().unwrap()).ended(4);
    ran.err.has(["rerun the same command to continue"]);
    assert!(place.counts().is_empty());
    // All processes of the count ended, not only the first.
    while runs(&sleeper) {
        std::thread::sleep(Duration::from_millis(10));
    }
    place.put("valgrind", VALGRIND, VALGRIND_COUNTS);
    place.run().ended(0);
    assert_eq!(place.counts().len(), 2);
}
