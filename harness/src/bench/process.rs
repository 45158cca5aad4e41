//! One process in a process group of its own, watched: its time, its memory, a request to stop.
//! Where one of them says so, the whole group is killed.

use std::io::Read;
use std::os::unix::process::CommandExt;
use std::process::{Child, Command, ExitStatus, Stdio};
use std::sync::mpsc::{RecvTimeoutError, channel};
use std::time::{Duration, Instant};

use anyhow::{Context, Result};
use nix::sys::signal::{Signal, killpg};
use nix::unistd::Pid;

use crate::progress::Stop;

/// How often a running process is looked at. Memory above the limit for a shorter while can go
/// unseen.
const LOOK: Duration = Duration::from_millis(20);

/// What a process may take before it is killed.
#[derive(Debug, Clone, Copy)]
pub struct Limits {
    /// Elapsed time.
    pub time: Duration,
    /// Resident bytes of the process itself, its children left out.
    pub memory: Option<u64>,
}

/// How a process ended.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Ended {
    /// By itself, or by somebody else's signal.
    Exit(ExitStatus),
    /// Killed when its time was up.
    Timeout,
    /// Killed when it held more memory than it may.
    Memory,
    /// Killed because a stop was asked for.
    Stopped,
}

/// A process that has ended.
#[derive(Debug, Clone)]
pub struct Finished {
    /// How.
    pub ended: Ended,
    /// Standard output.
    pub out: String,
    /// Standard error.
    pub err: String,
    /// Greatest resident memory seen while it was watched; nothing without a limit.
    pub peak: Option<u64>,
    /// From its start to its end.
    pub wall: Duration,
}

/// Runs a command to its end or to its limits.
///
/// # Errors
/// It cannot be started.
pub fn run(command: &mut Command, limits: &Limits, stop: &Stop) -> Result<Finished> {
    let clock = Instant::now();
    let mut child = command
        .stdin(Stdio::null())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .process_group(0)
        .spawn()
        .with_context(|| format!("cannot start {}", command.get_program().display()))?;
    let (out, err) = (child.stdout.take(), child.stderr.take());
    let (out, err) = (reader(out), reader(err));
    let (ended, peak) = watch(child, limits, clock, stop);
    let wall = clock.elapsed();
    Ok(Finished {
        ended,
        out: out.join().unwrap_or_default(),
        err: err.join().unwrap_or_default(),
        peak,
        wall,
    })
}

/// Waits for the process, and kills its group where a limit is passed.
fn watch(mut child: Child, limits: &Limits, clock: Instant, stop: &Stop) -> (Ended, Option<u64>) {
    let group = Pid::from_raw(child.id() as i32);
    let (done, waited) = channel();
    let waiter = std::thread::spawn(move || {
        let status = child.wait();
        // The other end waits until this comes, so it can always be sent.
        let _ = done.send(status);
    });
    let mut peak = None;
    let ended = loop {
        let left = limits.time.saturating_sub(clock.elapsed());
        match waited.recv_timeout(LOOK.min(left.max(Duration::from_millis(1)))) {
            Ok(Ok(status)) => break Ended::Exit(status),
            Ok(Err(_)) | Err(RecvTimeoutError::Disconnected) => break Ended::Stopped,
            Err(RecvTimeoutError::Timeout) => {}
        }
        let over = limits.memory.is_some_and(|limit| {
            peak = resident_peak(group);
            peak > Some(limit)
        });
        let limit = match () {
            () if stop.requested() => Ended::Stopped,
            () if over => Ended::Memory,
            () if clock.elapsed() >= limits.time => Ended::Timeout,
            () => continue,
        };
        peak = resident_peak(group).or(peak);
        // Gone already is as good as killed.
        let _ = killpg(group, Signal::SIGKILL);
        let _ = waited.recv();
        break limit;
    };
    let _ = waiter.join();
    (ended, peak)
}

/// Greatest resident memory of a running process.
fn resident_peak(process: Pid) -> Option<u64> {
    let text = std::fs::read_to_string(format!("/proc/{process}/status")).ok()?;
    let line = text.lines().find(|line| line.starts_with("VmHWM:"))?;
    let kibibytes: u64 = line.split_whitespace().nth(1)?.parse().ok()?;
    Some(kibibytes * 1024)
}

/// Reads a stream to its end beside the process, which would wait on a full pipe.
fn reader<R: Read + Send + 'static>(stream: Option<R>) -> std::thread::JoinHandle<String> {
    std::thread::spawn(move || {
        let mut bytes = Vec::new();
        if let Some(mut stream) = stream {
            // What a killed process leaves may end anywhere.
            let _ = stream.read_to_end(&mut bytes);
        }
        String::from_utf8_lossy(&bytes).into_owned()
    })
}
