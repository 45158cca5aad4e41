//! Whatever a library does to its process, one line names library, function and what happened. The
//! exit code is 2, never 0, and stdout is empty.

use std::fs;
use std::os::unix::process::CommandExt;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::thread::sleep;
use std::time::{Duration, Instant};

use nix::sys::signal::{Signal, kill};
use nix::unistd::Pid;
use rayon::prelude::*;

use crate::make::{c, on, ring, scratch};
use crate::support::{
    Ran, Text, antipode, claims, folder_with, rows, running, started, unfolded, words,
};

/// The honest ring with a statement at the beginning of one function.
fn faulty(test: &str, function: &str, statement: &str) -> PathBuf {
    let fault = format!("-DFAULT_{function}={statement}");
    ring(&[&fault], &format!("fault_{test}.so"))
}

/// The library that has some work to do.
fn burn(name: &str) -> PathBuf {
    let source = "harness/cli/tests/faulty_plugins/burn.c";
    c(source, &["-std=gnu99", "-O1"], name)
}

fn told(ran: Ran, library: &Path, function: &str, what: &str) {
    let (code, stopped) = match what.starts_with("did not return") {
        true => (4, "stopped: "),
        false => (2, ""),
    };
    let ran = ran.in_a_line(code);
    let line = format!(
        "antipode: {stopped}{}: {function} {what}",
        library.display()
    );
    assert!(ran.err.starts_with(&line), "'{}' is not '{line}'", ran.err);
}

/// A function, what it does, and the function and the end that are named.
const FAULTS: &str = "
    SUCCESSORS | exit(0) | successors | ended the process with exit code 0
    OPEN | exit(0) | open | ended the process with exit code 0
    CLOSE | _exit(0) | close | ended the process with exit code 0
    LOADING | exit(0) | loading | ended the process with exit code 0
    ENTRY | _exit(3) | antipode_puzzle_v1 | ended the process with exit code 3
    SUCCESSORS | abort() | successors | aborted (SIGABRT)
    SUCCESSORS | *(volatile int *)64 = 1 | successors | crashed: invalid memory access (SIGSEGV)
    SUCCESSORS | overflow(1) | successors | crashed: invalid memory access (SIGSEGV), or its stack overflowed
    SUCCESSORS | while (depth == 0) calls++ | successors | did not return within 1 s and was ended
    LOADING | while (depth == 0) calls++ | loading | did not return within 1 s and was ended
    ROOTS | for (;;) sink.emit(sink.context, NULL, 1) | solved_states | did not return within 1 s and was ended
    ROOTS | for (;;) sink.emit(sink.context, listed, 0) | solved_states | did not return within 1 s and was ended
    SUCCESSORS | close(2) | successors | closed the standard error
    SUCCESSORS | close(1) | successors | closed the standard output
    OPEN | close(0) | open | closed the standard input
    OPEN | chdir(\"/\") | open | changed the working folder
    SUCCESSORS | close_all(0) | successors | closed the standard input
    LOADING | close_all(0) | loading | closed the standard input
    ENTRY | table.instances = (void *)8 | reading the table | crashed: invalid memory access (SIGSEGV)
    ENTRY | table.name = (char *)1 | reading the table | crashed: invalid memory access (SIGSEGV)
    ENTRY | memset(&variants[0].open, 1, sizeof(void *)) | open | crashed: invalid memory access (SIGSEGV)
";

/// Runs commands on libraries that end them: each reports it in one line, and in no other way.
#[test]
fn a_library_that_ends_the_command_is_named() {
    let faults = rows(FAULTS).into_par_iter().enumerate();
    faults.for_each(|(at, [function, statement, named, what])| {
        let library = faulty(&at.to_string(), function, statement);
        let lines = [
            "list",
            "analyse ring/24 --engine hash --threads 2",
            "solve ring/24 --board 05",
        ];
        // One of them spends enough time in a loop.
        let most = if what.starts_with("did") { 1 } else { 3 };
        for line in &lines[..most] {
            let ran = on(&library, &format!("{line} --plugin-limit 1"));
            told(ran, &library, named, what);
        }
    });
}

/// A process that a library starts, even in its own session, ends with the run.
#[test]
#[cfg(target_os = "linux")]
fn no_process_outlives_the_run() {
    let seconds = "86.4321";
    let statement = format!(
        "if (!calls++ && !fork()) {{ setsid(); close(1); close(2); execlp(\"sleep\", \"sleep\", \"{seconds}\", NULL); }}"
    );
    for (test, end) in [("left_behind", ""), ("left_behind_by_exit", "exit(0)")] {
        let library = faulty(test, "SUCCESSORS", &format!("{statement} {end}"));
        let ran = on(&library, "analyse ring/24 --engine hash --threads 1");
        assert_eq!(ran.code == 0, end.is_empty());
        assert_eq!(running(seconds), 0, "{test}");
    }
}

/// A copy of the process ends where the library returns; and the end of our own processes is seen
/// whatever the library does with the signal.
#[test]
fn what_a_library_does_beside_its_answers_does_not_matter() {
    for (test, statement) in [("copies", "fork()"), ("deaf", "signal(SIGCHLD, SIG_IGN)")] {
        let library = faulty(test, "SUCCESSORS", statement);
        let ran = on(&library, "solve ring/24 --board 05 --engine reference").ended(0);
        assert_eq!(ran.out.matches("solved in").count(), 1, "{}", ran.out);
    }
}

/// A signal to all processes of a run also ends the one that is asked again. That is a stop.
#[test]
fn a_stop_while_a_library_is_asked_again_is_no_fault_of_it() {
    let statement = "if (getenv(\"ANTIPODE_ASKED_AGAIN\")) kill(0, SIGTERM)";
    let library = faulty("asked_again", "SUCCESSORS", statement);
    let claim = "kind = \"length\"; instance = \"24\"; board = \"05\"; claimed = 5";
    let folder = folder_with("claims.toml", claims("ring", &[("own", claim)]));
    let stopped = "stopped before the puzzle's answers were asked again in a new process";
    for line in [
        "solve ring/24 --board 05 --engine reference",
        "analyse ring/24 --engine hash --threads 1",
        "certify --claims claims.toml",
    ] {
        let mut command = antipode();
        command
            .current_dir(&folder)
            .args(words(line))
            .process_group(0);
        command.arg("--plugin").arg(&library);
        let ran = Ran::from(command.output().expect("antipode runs")).ended(4);
        let all = unfolded(&(ran.out + &ran.err));
        all.has([stopped]);
        all.lacks(["signal", "cannot ask"]);
    }
}

/// In a worker's thread, and with other threads in other functions.
#[test]
fn faults_in_another_thread() {
    for [statement, what] in rows(
        "exit(0) | ended the process with exit code 0
         overflow(1) | crashed: invalid memory access",
    ) {
        let statement = format!("if (elsewhere()) {statement}");
        let library = faulty("elsewhere", "SUCCESSORS", &statement);
        let line = "analyse ring/24 --engine hash --direction forward --from 03 --threads 2";
        told(on(&library, line), &library, "successors", what);
    }
}

/// A number beyond the capacity of an array is refused without an attempt to allocate it.
#[test]
fn more_roots_than_memory() {
    let statement = "return sink.emit(sink.context, listed, (size_t)1 << 60), ANTIPODE_OK";
    // It returned, so that it is a broken promise as any.
    let ran = on(&faulty("many_roots", "ROOTS", statement), "list").in_a_line(2);
    ran.err
        .has(["solved_states delivered 1152921504606846976 states at once, more than fit"]);
}

#[test]
fn a_library_that_was_cut_short() {
    let whole = fs::read(faulty("whole", "OPEN", "(void)0")).expect("a library");
    let cut = scratch("fault_cut.so");
    for length in [0, 1, 63, 64, 1000, whole.len() / 2, whole.len() - 1] {
        fs::write(&cut, &whole[..length]).expect("a file");
        let ran = on(&cut, "list");
        // The last bytes of a library are seldom needed.
        if length + 1 < whole.len() || ran.code != 0 {
            assert_eq!(ran.out, "", "{length} bytes");
            ran.refused().err.has([cut.display().to_string()]);
        }
    }
}

/// Output of a library is not a result.
#[test]
fn prints_of_a_library_go_to_stderr() {
    let statement = "(puts(\"a line of its own\"), fflush(stdout))";
    let library = faulty("prints", "SUCCESSORS", statement);
    let ran = on(&library, "analyse ring/24 --format json").ended(0);
    let levels = ran.json()["levels"]["levels"].as_array().map(Vec::len);
    assert_eq!(levels, Some(13));
    ran.err.has(["a line of its own"]);
}

#[test]
fn a_library_with_the_name_of_a_built_in_puzzle() {
    let library = ring(&["-DNAME=\"tilt\""], "shadow.so");
    let list = |more: &[&str], told: &str| -> Ran {
        let mut command = antipode();
        command.args(["list", "tilt", "--plugin"]).arg(&library);
        command.args(more).env("ANTIPODE_SHADOW_BUILT_IN", told);
        command.output().expect("antipode runs").into()
    };
    let refused = list(&[], "").ended(2);
    assert_eq!(refused.out, "");
    refused
        .err
        .has(["the name of the built-in 'tilt'", "--shadow-built-in"]);
    for asked in [list(&["--shadow-built-in"], ""), list(&[], "1")] {
        asked.ended(0).out.has(["24 places"]);
    }
}

/// Ten instances; the last two end the process that opens them.
#[test]
fn every_instance_is_tested() {
    let fault = "-DFAULT_OPEN=if (instance.data[1] > 55) exit(0)";
    let library = ring(&["-DLIE_MANY", fault], "fault_ninth.so");
    let all = on(&library, "test-plugin").ended(3);
    all.out.has(["open ended the process with exit code 0"]);
    let out = on(&library, "test-plugin --instance i3").ended(4).out;
    let note = "note: 9 of the instances are left out: i0, i1, i2, i4";
    assert!(out.starts_with(note), "{out}");
}

/// Starts a line on a library.
fn start(library: &Path, line: &str) -> Child {
    let mut args = words(line);
    args.extend(["--plugin", library.to_str().expect("a name")]);
    started(".", &args)
}

/// Sends a signal, and waits for the end.
fn signalled(child: Child, signal: Signal) -> Ran {
    kill(Pid::from_raw(child.id() as i32), signal).expect("a signal");
    child.wait_with_output().expect("an end").into()
}

/// The process that a supervisor watches, once it has one.
fn watched(supervisor: &Child) -> Pid {
    let number = supervisor.id();
    let begun = Instant::now();
    loop {
        let children = fs::read_to_string(format!("/proc/{number}/task/{number}/children"));
        if let Some(child) = children.unwrap_or_default().split_whitespace().next() {
            return Pid::from_raw(child.parse().expect("a number"));
        }
        assert!(begun.elapsed() < Duration::from_secs(20), "no process");
        sleep(Duration::from_millis(20));
    }
}

/// Waits until a process has run for a while, and is in the midst of it.
fn at_work(process: Pid) {
    let ticks = || -> Option<u64> {
        let text = fs::read_to_string(format!("/proc/{process}/stat")).ok()?;
        text.rsplit(')')
            .next()?
            .split_whitespace()
            .nth(11)?
            .parse()
            .ok()
    };
    let begun = Instant::now();
    while ticks().is_some_and(|ticks| ticks < 30) {
        assert!(begun.elapsed() < Duration::from_secs(60), "no work");
        sleep(Duration::from_millis(20));
    }
}

fn gone(process: Pid) {
    let begun = Instant::now();
    while kill(process, None).is_ok() {
        let status = fs::read_to_string(format!("/proc/{process}/stat")).unwrap_or_default();
        if status.contains(") Z ") {
            return;
        }
        assert!(begun.elapsed() < Duration::from_secs(5), "still there");
        sleep(Duration::from_millis(20));
    }
}

/// A call that never returns is ended a second after the first Ctrl-C.
#[test]
fn ctrl_c_ends_a_call_that_does_not_return() {
    let library = faulty("stuck", "SUCCESSORS", "while (depth == 0) calls++");
    for signal in [Signal::SIGINT, Signal::SIGTERM] {
        let child = start(&library, "list");
        let process = watched(&child);
        at_work(process);
        let begun = Instant::now();
        let ran = signalled(child, signal).ended(4);
        assert!(begun.elapsed() < Duration::from_secs(5));
        assert_eq!(ran.out, "", "{}", ran.err);
        ran.err.has([format!(
            "stopped: {}: successors did not return",
            library.display()
        )]);
        gone(process);
    }
}

/// A library that does return lets the command end as ever.
#[test]
fn ctrl_c_lets_a_verb_end_that_can() {
    let library = burn("stops_burn.so");
    // Far more to do than a test has time for.
    let child = start(&library, "analyse burn/large --threads 1 --engine hash");
    let process = watched(&child);
    at_work(process);
    signalled(child, Signal::SIGINT)
        .ended(4)
        .out
        .has(["stopped"]);
    gone(process);
}

#[test]
fn a_second_ctrl_c_and_a_kill_end_both_at_once() {
    for signal in [Signal::SIGINT, Signal::SIGKILL] {
        let library = faulty("twice", "SUCCESSORS", "while (depth == 0) calls++");
        let mut child = start(&library, "list");
        let process = watched(&child);
        at_work(process);
        let supervisor = Pid::from_raw(child.id() as i32);
        kill(supervisor, signal).expect("a signal");
        sleep(Duration::from_millis(400));
        let _ = kill(supervisor, signal);
        child.wait().expect("an end");
        gone(process);
    }
}

/// A process that is killed while it writes its levels leaves a folder to resume from.
#[test]
fn a_work_folder_outlives_the_process_that_wrote_it() {
    let library = burn("folder_burn.so");
    let work = scratch("folder_of_burn");
    let _ = fs::remove_dir_all(&work);
    let analyse = "analyse burn/small --format json --threads 1";
    let on_disk = format!("{analyse} --engine disk --work {}", work.display());
    let child = start(&library, &on_disk);
    let process = watched(&child);
    while !work.exists() {
        sleep(Duration::from_millis(1));
    }
    sleep(Duration::from_millis(30));
    kill(process, Signal::SIGKILL).expect("a signal");
    let ran = Ran::from(child.wait_with_output().expect("an end")).ended(2);
    assert_eq!(ran.out, "", "{}", ran.err);
    ran.err.has(["was killed (SIGKILL)"]);
    let levels = |line: &str| on(&library, line).ended(0).json()["levels"].clone();
    let resumed = levels(&format!("{on_disk} --resume"));
    assert_eq!(resumed, levels(&format!("{analyse} --engine hash")));
}

/// A full disk behind stdout is reported; behind stderr it cannot be.
#[test]
fn full_disks_behind_the_streams() {
    let library = faulty("full", "OPEN", "(void)0");
    let list = |to: fn(&mut Command, Stdio) -> &mut Command| -> Ran {
        let mut command = antipode();
        command.args(["list", "ring", "--plugin"]).arg(&library);
        let full = fs::File::create("/dev/full").expect("/dev/full");
        let output = to(&mut command, full.into()).output();
        output.expect("antipode runs").into()
    };
    let ran = list(Command::stdout).ended(4);
    ran.err.has(["standard output: the disk is full"]);
    list(Command::stderr).ended(0).out.has(["24 places"]);
}
