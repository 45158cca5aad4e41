//! A command that loads libraries runs in a separate process: this one, marked by its supervisor,
//! or one that it starts and watches.

use std::fmt;
use std::os::unix::process::CommandExt;
use std::process::{Command, ExitCode};
use std::sync::OnceLock;
use std::time::{Duration, Instant};

use anyhow::{Context, Result, bail};

use super::{BAD_INPUT, NOT_REACHED, complain, output, results};
use antipode_bench::run::process;
use antipode_check::again;
use antipode_check::conformance::tested_by;
use antipode_check::supervisor::{End, Supervised, Supervisor};
use antipode_reports::atomic;
use antipode_search::memory::address_space_left;
use antipode_search::progress::{Stop, note};

/// Exit code after a second Ctrl-C, which leaves no time for an orderly end.
pub const INTERRUPTED: u8 = 130;

static SUPERVISED: OnceLock<Supervised> = OnceLock::new();
/// The exit code of a process that was started to answer again.
static ANSWERED: OnceLock<u8> = OnceLock::new();
/// Whether libraries are asked only once.
static ASKED_ONCE: OnceLock<()> = OnceLock::new();
static STOP: OnceLock<Stop> = OnceLock::new();

/// Limits the allocator's number of heaps; it reads this only as a process starts.
const HEAPS: &str = "MALLOC_ARENA_MAX";

/// Starts this very process again with one heap for all threads, if its address space is limited
/// (`ulimit -v`) and no heap option is set. Returns if there is nothing to do, or with the reason
/// why it cannot.
///
/// The system's allocator sets 64 MiB of address space aside for each thread. Under a limit, heaps
/// take the memory of a search, and a failed allocation ends the process without a message.
///
/// # Errors
/// The system does not run this program again.
pub fn save_address_space() -> Result<()> {
    if std::env::var_os(HEAPS).is_some() || address_space_left().is_none() {
        return Ok(());
    }
    Err(this_again()?.env(HEAPS, "1").exec().into())
}

/// Checks whether this process has a supervisor. The very first step.
///
/// # Errors
/// It has a supervisor, but the system does not allow the preparation.
pub fn begin() -> Result<()> {
    let found = Supervised::begin().context("cannot get ready for a library")?;
    if let Some(mut supervised) = found {
        let out = supervised.take_out();
        let _ = SUPERVISED.set(supervised);
        if again::is_asked() {
            let _ = ANSWERED.set(again::answer(out));
        } else {
            out.into_iter().for_each(results::go_to);
        }
    }
    Ok(())
}

/// Whether this process may load libraries.
pub fn is_supervised() -> bool {
    SUPERVISED.get().is_some()
}

/// The exit code, if this process was started to answer another one's questions again.
pub fn answer() -> Option<u8> {
    ANSWERED.get().copied()
}

/// From here on, libraries are asked only once. This is for a sample of `bench`, which is timed,
/// and whose answers are compared with those of other rows.
pub fn ask_once() {
    let _ = ASKED_ONCE.set(());
}

/// From here on, the answers of libraries are recorded, and the questions repeated before anything
/// rests on them.
pub fn ask_again(limit: Duration) {
    if ASKED_ONCE.get().is_some() {
        return;
    }
    again::begin(limit, STOP.get().cloned().unwrap_or_default());
}

/// Ends the process, now that all is written.
pub fn end(code: u8) -> ExitCode {
    match SUPERVISED.get() {
        Some(supervised) => supervised.end(code),
        None => ExitCode::from(code),
    }
}

/// The stop on Ctrl-C, SIGTERM and SIGHUP: from now on, or, with `later`, once a search has checked
/// for a stop for a moment. Starting the thread that waits for them takes as long as solving a
/// small board, and a command that ends earlier has nothing to keep.
pub fn stop_on_signals(later: bool) -> Stop {
    let stop = match later {
        true => Stop::with_later(listen),
        false => Stop::default(),
    };
    let _ = STOP.set(stop.clone());
    if !later {
        listen();
    }
    stop
}

/// Whether a stop was requested.
pub fn stopping() -> bool {
    STOP.get().is_some_and(Stop::requested)
}

fn listen() {
    if let Err(error) = ctrlc::set_handler(on_signal) {
        tracing::warn!("Ctrl-C will not stop runs cleanly: {error}");
    }
}

/// The time of the first signal.
static SIGNALLED: OnceLock<Instant> = OnceLock::new();
/// Signals this close are one: `timeout` sends one to a process, and then one to its group.
const TOGETHER: Duration = Duration::from_millis(300);

/// The effect of a signal. The second signal at once ends the process that the user started, and
/// with it the one that it watches: the first may wait for a long batch.
fn on_signal() {
    let Some(stop) = STOP.get() else { return };
    if is_supervised() {
        stop.request();
        end_in_time();
        return;
    }
    if stop.requested() {
        let first = SIGNALLED.get();
        if first.is_none_or(|first| first.elapsed() >= TOGETHER) {
            std::process::exit(INTERRUPTED.into());
        }
        return;
    }
    let _ = SIGNALLED.set(Instant::now());
    stop.request();
    note("stopping after the work in hand; once more to end at once");
    end_in_time();
}

/// Time from a signal to the end of the process, if the current work has not ended by then. A
/// supervised process ends before the one that watches it.
const IN_TIME: Duration = Duration::from_millis(4000);
const WATCHED_IN_TIME: Duration = Duration::from_millis(3500);
/// Time for results that are already on the disk to appear.
const TO_APPEAR: Duration = Duration::from_secs(30);

/// Ends the process in time, whatever it does: some loops never check for a stop. Files appear
/// whole or not at all, so this leaves the finished ones.
fn end_in_time() {
    let end = || {
        std::thread::sleep(match is_supervised() {
            true => WATCHED_IN_TIME,
            false => IN_TIME,
        });
        let since = Instant::now();
        while atomic::are_staged() && since.elapsed() < TO_APPEAR {
            std::thread::sleep(Duration::from_millis(20));
        }
        complain(
            "stopped: the work in hand does not end by itself; what was written before it is kept",
        );
        output::remove_empty_folders();
        match SUPERVISED.get() {
            Some(supervised) => supervised.end(NOT_REACHED),
            None => {
                process::kill_orphans(&[]);
                std::process::exit(NOT_REACHED.into())
            }
        }
    };
    // Without a thread, a second signal ends it.
    let _ = std::thread::Builder::new().name("ends".into()).spawn(end);
}

/// The command has run to its end in another process, with this exit code.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Over(pub u8);

impl fmt::Display for Over {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "ended with exit code {}", self.0)
    }
}

impl std::error::Error for Over {}

/// Call it before a library is loaded: returns if this process has a supervisor. Else the command
/// is run again from its beginning in a process that has one, and this process ends. So no command
/// may have printed or written anything before.
///
/// # Errors
/// [`Over`] when that process has ended; or it cannot be started.
pub fn enter(limit: Duration) -> Result<()> {
    if is_supervised() {
        return Ok(());
    }
    let stop = STOP.get().cloned().unwrap_or_default();
    process::adopt_orphans();
    let mut supervisor = Supervisor::start(this_again()?)
        .context("cannot start a process of its own for the library")?;
    let end = supervisor.follow(limit, &stop)?;
    // The processes that the library has started do not outlive the run.
    process::kill_orphans(&[]);
    let code = match end {
        End::Itself(code) => code,
        End::Fault(fault) => {
            let advice = fault.file.map_or_else(String::new, |file| {
                format!("; `{}` says more", tested_by(&file))
            });
            complain(&format!("{}{advice}", fault.line));
            BAD_INPUT
        }
        End::Stopped(line) => {
            complain(&format!("stopped: {line}"));
            NOT_REACHED
        }
    };
    bail!(Over(code))
}

/// This program with the same arguments.
///
/// # Errors
/// Its file is gone.
pub fn this_again() -> Result<Command> {
    let this = std::env::current_exe().context("cannot find this program to run it again")?;
    let mut arguments = std::env::args_os();
    let mut command = Command::new(this);
    if let Some(name) = arguments.next() {
        command.arg0(name);
    }
    command.args(arguments);
    Ok(command)
}
