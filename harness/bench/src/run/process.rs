//! One process in its own process group, watched: its time, its memory, a request to stop. If a
//! limit is exceeded or a stop requested, the whole group is killed.

use std::io::{self, Read};
use std::os::unix::process::{CommandExt, ExitStatusExt};
use std::path::{Path, PathBuf};
use std::process::{Child, Command, ExitStatus, Stdio};
use std::sync::mpsc::{Receiver, RecvTimeoutError, channel};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::{Duration, Instant};

use anyhow::{Context, Result};
use humantime::format_duration;
use nix::sys::signal::{Signal, killpg};
use nix::unistd::Pid;

use antipode_graph::one_line;
use antipode_search::memory;
use antipode_search::progress::Stop;

/// Interval between checks of a running process. Memory above the limit for a shorter time can go
/// unseen.
const LOOK: Duration = Duration::from_millis(20);

const GRACE: Duration = Duration::from_secs(2);

const QUOTED: usize = 200;

/// Limits of a process before it is killed.
#[derive(Debug, Clone, Copy)]
pub struct ProcessLimits {
    /// Elapsed time.
    pub time: Duration,
    /// Resident bytes of the process, or of the one that it supervises.
    pub memory: Option<u64>,
    /// Bytes of standard output and standard error, each.
    pub output: Option<u64>,
}

impl ProcessLimits {
    /// Limits for a program that prints a few words: a time, and a MiB of output.
    pub const fn of_time(time: Duration) -> Self {
        Self {
            time,
            memory: None,
            output: Some(1 << 20),
        }
    }
}

/// How a process ended.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum ProcessEnd {
    /// By itself, or by a foreign signal.
    Exit(ExitStatus),
    /// Killed when its time was up.
    Timeout,
    /// Killed when its memory exceeded the limit.
    Memory,
    /// Killed when it had written more than it may.
    Output,
    /// Killed because a stop was requested.
    Stopped,
    /// It ended, but a process that it had started left its group and keeps its output open: the
    /// output may be incomplete.
    Held,
}

/// A process that has ended.
#[derive(Debug, Clone)]
pub struct Finished {
    /// How.
    pub ended: ProcessEnd,
    /// Standard output.
    pub out: String,
    /// Standard error.
    pub err: String,
    /// Greatest resident memory seen while it was watched; none for a process that ended at once,
    /// whose memory may have been seen too early.
    pub peak: Option<u64>,
    /// From its start to its end.
    pub wall: Duration,
    /// Its limits.
    pub limits: ProcessLimits,
}

impl Finished {
    /// Whether it ended by itself, with exit code 0.
    pub fn is_well(&self) -> bool {
        matches!(self.ended, ProcessEnd::Exit(status) if status.success())
    }

    /// In words, with its last line: that on the standard error, if it wrote there.
    pub fn how(&self) -> String {
        let said = || {
            let last = |text| {
                str::lines(text)
                    .map(str::trim)
                    .rfind(|line| !line.is_empty())
            };
            let quoted = |line: &str| one_line(&line.chars().take(QUOTED).collect::<String>());
            let printed = || last(&self.out).map(|line| format!("it printed '{}'", quoted(line)));
            let said = last(&self.err).map(quoted).or_else(printed);
            said.unwrap_or_else(|| "it said nothing".to_owned())
        };
        match self.ended {
            ProcessEnd::Exit(status) => match (status.code(), status.signal().unwrap_or(0)) {
                (Some(code), _) => format!("exit code {code}: {}", said()),
                (None, 9) => "killed by signal 9, as systems do that run out of memory".to_owned(),
                (None, signal) => format!("killed by signal {signal}: {}", said()),
            },
            ProcessEnd::Timeout => format!("killed after {}", format_duration(self.limits.time)),
            ProcessEnd::Memory => {
                let limit = self.limits.memory.map_or_else(String::new, memory::human);
                format!("killed: it took more than its {limit} of memory")
            }
            ProcessEnd::Output => {
                let limit = self.limits.output.unwrap_or(0) >> 20;
                format!("killed after {limit} MiB of output")
            }
            ProcessEnd::Held => {
                "it ended, but left a process that keeps its output open".to_owned()
            }
            ProcessEnd::Stopped => "stopped".to_owned(),
        }
    }
}

/// Runs a command to its end or to its limits.
pub fn run(command: &mut Command, limits: &ProcessLimits, stop: &Stop) -> Result<Finished> {
    let clock = Instant::now();
    let mut child = command
        .stdin(Stdio::null())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .process_group(0)
        .spawn()
        .with_context(|| format!("cannot start {}", command.get_program().display()))?;
    let (out, err) = (child.stdout.take(), child.stderr.take());
    let group = Pid::from_raw(child.id() as i32);
    let watched = Stream::of(out).and_then(|out| {
        let err = Stream::of(err)?;
        let written = || out.written().max(err.written());
        let watched = watch(child, limits, clock, stop, &written)?;
        Ok((out, err, watched))
    });
    let (out, err, (mut ended, peak)) = watched
        .inspect_err(|_| {
            // Nobody watches it.
            let _ = killpg(group, Signal::SIGKILL);
        })
        .context("cannot start a thread next to the process; raise the limits of processes and memory (ulimit -u, ulimit -v)")?;
    let wall = clock.elapsed();
    // Its leftovers would run into the next sample, and hold the output open. The system does not
    // reuse the number of a group while one of its processes lives.
    let _ = killpg(group, Signal::SIGKILL);
    let ((out, out_ends), (err, err_ends)) = (out.close(), err.close());
    if !(out_ends && err_ends) && matches!(ended, ProcessEnd::Exit(_)) {
        ended = ProcessEnd::Held;
    }
    Ok(Finished {
        ended,
        out,
        err,
        peak: peak.filter(|_| wall > 5 * LOOK),
        wall,
        limits: *limits,
    })
}

fn watch(
    mut child: Child,
    limits: &ProcessLimits,
    clock: Instant,
    stop: &Stop,
    written: &dyn Fn() -> u64,
) -> io::Result<(ProcessEnd, Option<u64>)> {
    let group = Pid::from_raw(child.id() as i32);
    let (done, waited) = channel();
    let waiter = std::thread::Builder::new().spawn(move || {
        let status = child.wait();
        // The other end waits until this arrives, so it can always be sent.
        let _ = done.send(status);
    })?;
    let mut peak = None;
    let ended = loop {
        let left = limits.time.saturating_sub(clock.elapsed());
        match waited.recv_timeout(LOOK.min(left.max(Duration::from_millis(1)))) {
            Ok(Ok(status)) => break ProcessEnd::Exit(status),
            Ok(Err(_)) | Err(RecvTimeoutError::Disconnected) => break ProcessEnd::Stopped,
            Err(RecvTimeoutError::Timeout) => {}
        }
        peak = peak.max(resident_peak(group));
        let over = limits.memory.is_some_and(|limit| peak > Some(limit));
        let limit = match () {
            () if stop.requested() => ProcessEnd::Stopped,
            () if over => ProcessEnd::Memory,
            () if limits.output.is_some_and(|limit| written() > limit) => ProcessEnd::Output,
            () if clock.elapsed() >= limits.time => ProcessEnd::Timeout,
            () => continue,
        };
        // Gone already is as good as killed.
        let _ = killpg(group, Signal::SIGKILL);
        let _ = waited.recv();
        break limit;
    };
    let _ = waiter.join();
    Ok((ended, peak))
}

/// From here on, a process whose parent has ended becomes a child of this one, if the system can do
/// that. So [`kill_orphans`] finds processes that left the group of the one that began them.
pub fn adopt_orphans() {
    #[cfg(target_os = "linux")]
    // If it is refused, processes that leave their group are reported as such and live on.
    let _ = nix::sys::prctl::set_child_subreaper(true);
}

/// How often orphans are looked for: each time, those started by the last ones appear.
const SWEEPS: usize = 1000;

/// Kills every child of this process except `own`, those that it had before a run. Returns false if
/// new ones appeared faster than they could be killed.
pub fn kill_orphans(own: &[Pid]) -> bool {
    for _ in 0..SWEEPS {
        let mut children = own_children();
        children.retain(|child| !own.contains(child));
        if children.is_empty() {
            return true;
        }
        for child in children {
            let _ = nix::sys::signal::kill(child, Signal::SIGKILL);
            let _ = nix::sys::wait::waitpid(child, None);
        }
    }
    false
}

/// The children of this process, such as the program of a rulebook.
#[must_use]
pub fn own_children() -> Vec<Pid> {
    let threads = std::fs::read_dir("/proc/self/task").into_iter().flatten();
    threads
        .flatten()
        .flat_map(|thread| children(&thread.path()))
        .collect()
}

/// The processes that a thread started, by its folder in /proc.
fn children(thread: &Path) -> Vec<Pid> {
    let numbers = std::fs::read_to_string(thread.join("children")).unwrap_or_default();
    let numbers = numbers
        .split_whitespace()
        .filter_map(|number| number.parse().ok());
    numbers.map(Pid::from_raw).collect()
}

/// Greatest resident memory of a running process or of one that it started: a command that loads a
/// library runs in a child process.
fn resident_peak(process: Pid) -> Option<u64> {
    let started = children(&PathBuf::from(format!("/proc/{process}/task/{process}")));
    let all = started.into_iter().chain([process]);
    all.filter_map(resident).max()
}

fn resident(process: Pid) -> Option<u64> {
    let text = std::fs::read_to_string(format!("/proc/{process}/status")).ok()?;
    let line = text.lines().find(|line| line.starts_with("VmHWM:"))?;
    let kibibytes: u64 = line.split_whitespace().nth(1)?.parse().ok()?;
    Some(kibibytes * 1024)
}

/// A stream that is read while the process runs, which would wait on a full pipe.
struct Stream {
    read: Arc<Mutex<Vec<u8>>>,
    ended: Receiver<()>,
}

impl Stream {
    fn of<R: Read + Send + 'static>(stream: Option<R>) -> io::Result<Self> {
        let read = Arc::new(Mutex::new(Vec::new()));
        let (end, ended) = channel();
        let bytes = Arc::clone(&read);
        std::thread::Builder::new().spawn(move || {
            let mut block = [0; 1 << 16];
            let mut stream = stream;
            // The output of a killed process may end anywhere.
            let mut read = |block: &mut [u8]| stream.as_mut()?.read(block).ok();
            while let Some(length @ 1..) = read(&mut block) {
                let mut bytes = bytes.lock().unwrap_or_else(PoisonError::into_inner);
                bytes.extend_from_slice(&block[..length]);
            }
            // Nobody may be waiting any more.
            let _ = end.send(());
        })?;
        Ok(Self { read, ended })
    }

    fn written(&self) -> u64 {
        let bytes = self.read.lock().unwrap_or_else(PoisonError::into_inner);
        bytes.len() as u64
    }

    fn close(self) -> (String, bool) {
        let whole = self.ended.recv_timeout(GRACE).is_ok();
        let bytes = self.read.lock().unwrap_or_else(PoisonError::into_inner);
        (String::from_utf8_lossy(&bytes).into_owned(), whole)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn ran(script: &str, time: Duration) -> Finished {
        let limits = ProcessLimits::of_time(time);
        let mut command = Command::new("sh");
        run(command.args(["-c", script]), &limits, &Stop::default()).expect("sh runs")
    }

    #[test]
    fn what_a_process_leaves_behind_is_not_waited_for() {
        let long = Duration::from_secs(600);
        let left = ran("sleep 601 & echo all; echo of it >&2", long);
        assert!(matches!(left.ended, ProcessEnd::Exit(status) if status.success()));
        assert_eq!((left.out.as_str(), left.err.as_str()), ("all\n", "of it\n"));
        assert!(left.wall < long);
        let killed = ran(
            "sleep 601 & echo begun; sleep 602",
            Duration::from_millis(200),
        );
        assert_eq!(
            (killed.ended, killed.out.as_str()),
            (ProcessEnd::Timeout, "begun\n")
        );
    }

    #[test]
    #[cfg(target_os = "linux")]
    fn what_left_its_group_is_told() {
        let held = ran(
            "setsid sleep 20 & sleep 0.2; echo all",
            Duration::from_secs(600),
        );
        assert_eq!((held.ended, held.out.as_str()), (ProcessEnd::Held, "all\n"));
    }
}
