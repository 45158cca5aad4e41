//! Figures of inner loops: instructions counted by `perf` and `valgrind`, here replaced by scripts;
//! criterion's folders from a real run; and counts of other programs.

use std::fs;
use std::path::Path;
use std::process::{Command, Stdio};
use std::sync::LazyLock;
use std::time::Duration;

use antipode_reports::bench::{Sample, Status, read_folder};
use nix::sys::signal::Signal;

use crate::support::{
    Fresh, NARROW, Ran, Text, antipode, folder_with, plays, rows, script as write_script, signal,
    suite,
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
const PERF_HANGS: &str = r#"
if [ "$1" = true ]; then
    echo '4321,,instructions:u,9,100.00,,' >"$file"
    exec "$@"
fi
exec sleep 600
"#;
const VALGRIND_COUNTS: &str = "echo '==1== Collected : 1234' >\"$file\"\nexec \"$@\"\n";
const VALGRIND_WRONG: &str = r#"
echo '==1== Collected : 1234' >"$file"
"$@" | sed 's/"length": 15/"length": 14/'
"#;

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

/// What stands for perf, for valgrind and in the suite, the exit code, and each row's figure: its
/// metric, status, value and detail.
const CASES: &str = r#"
    counts | counts |  | 0 | instructions-perf Ok 4321 | instructions-perf Ok 4321
    cannot | counts |  | 0 | instructions-callgrind Ok 1234 | instructions-callgrind Ok 1234
    denied | counts |  | 0 | instructions-callgrind Ok 1234 | instructions-callgrind Ok 1234
    denied |  |  | 0 | instructions Failed - not counted: perf: exit code 255: no access; valgrind: cannot start; install valgrind | instructions Failed - not counted: perf: exit code 255: no access
     | wrong |  | 3 | instructions-callgrind Ok 1234 | instructions-callgrind Wrong - answered length 14, expected length 15
    counts |  | expect = "length 14" | 3 | instructions-perf Ok 4321 | Skipped - ; not all samples
    hangs |  |  | 0 | Timeout - killed after 3s | Timeout - killed after 3s
"#;

#[test]
fn a_count_is_taken_where_it_can_be_and_says_why_not() {
    let scripts = [
        ("counts", PERF_COUNTS, VALGRIND_COUNTS),
        ("cannot", PERF_CANNOT, ""),
        ("denied", "echo no access >&2\nexit 255\n", ""),
        ("wrong", "", VALGRIND_WRONG),
        ("hangs", PERF_HANGS, ""),
    ];
    let script = |name| scripts.iter().find(|script| script.0 == name);
    for [perf, valgrind, expect, code, disk, path] in rows(CASES) {
        let place = Place::new();
        if let Some((_, body, _)) = script(perf) {
            place.put("perf", PERF, body);
        }
        if let Some((.., body)) = script(valgrind) {
            place.put("valgrind", VALGRIND, body);
        }
        let suite = SUITE.replace("card-7\"", &format!("card-7\"\n{expect}"));
        fs::write(place.at().join("suite.toml"), suite).unwrap();
        place.run().ended(code.parse().unwrap());
        for (count, wanted) in place.counts().iter().zip([disk, path]) {
            let value = count
                .value
                .map_or("-".to_owned(), |value| value.to_string());
            let Sample {
                metric,
                status,
                detail,
                ..
            } = count;
            format!("{metric} {status:?} {value} {detail}").says(wanted);
        }
    }
}

#[test]
fn each_row_is_counted_once_and_what_was_not_counted_again() {
    let place = Place::new();
    place.put("perf", PERF, "exit 1\n");
    for _ in 0..2 {
        place.run().ended(0);
        assert!(
            place
                .counts()
                .iter()
                .all(|count| count.status == Status::Failed)
        );
    }
    place.put("perf", PERF, PERF_COUNTS);
    place.run().ended(0);
    let counts = place.counts();
    assert_eq!(counts.len(), 2);
    for count in &counts {
        assert_eq!(count.value, Some(4321.0), "{}", count.detail);
        assert!(count.answer == count.expected && !count.answer.is_empty());
        assert!(!count.build.is_empty());
    }
    // A further run counts nothing, whatever could count.
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
    signal(&child, Signal::SIGTERM);
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
