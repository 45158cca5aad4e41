//! Runs a test in a supervised process: a plugin that crashes, exits or never returns ends only
//! that process.

use std::io::{self, BufRead, BufReader};
use std::path::Path;
use std::process::{Command, Stdio};
use std::sync::mpsc::{Receiver, RecvTimeoutError, channel};
use std::thread;
use std::time::{Duration, Instant};

use super::report::{CheckAt, Event, Verdict};
use crate::supervisor::{End, GLANCE, LibraryFault, Supervisor};
use antipode_search::progress::Stop;

/// Name of the stage that opens the file, which already runs the plugin's code.
pub(crate) const LOAD: &str = "load";

/// Runs this program as a command that writes an [`Event`] per line to its standard output, and
/// forwards the events. A process that crashes, or is silent for `limit`, is a finding against the
/// check that was running. CheckAt a time-out, `command` makes a process that begins with the next
/// check.
///
/// # Errors
/// The command cannot be started.
pub fn run(
    command: &dyn Fn(Option<&CheckAt>) -> io::Result<Command>,
    file: &Path,
    limit: Duration,
    stop: &Stop,
    watch: &mut dyn FnMut(Event),
) -> io::Result<()> {
    let mut after = None;
    loop {
        let late = run_once(command(after.as_ref())?, file, limit, stop, watch)?;
        match late.filter(|late| late.check != LOAD) {
            Some(late) => after = Some(late),
            None => return Ok(()),
        }
    }
}

/// Runs one process; returns the check that timed out.
fn run_once(
    mut command: Command,
    file: &Path,
    limit: Duration,
    stop: &Stop,
    watch: &mut dyn FnMut(Event),
) -> io::Result<Option<CheckAt>> {
    command.stdin(Stdio::null()).stdout(Stdio::piped());
    let mut child = Supervisor::start(command)?;
    let Some(lines) = child.take_out() else {
        return Err(io::Error::other("the process has no standard output"));
    };
    let events = read(lines)?;
    let mut running = CheckAt {
        instance: file.display().to_string(),
        variant: String::new(),
        check: LOAD.to_owned(),
    };
    let verdict = match follow(&mut running, &mut child, &events, limit, stop, watch)? {
        IsolatedEnd::Stopped => {
            child.kill()?;
            return Ok(None);
        }
        IsolatedEnd::Silent => {
            let call = child.last_call();
            child.kill()?;
            let text = format!(
                "timed out after {} s of processor time in `{}`; last call: {call}; if it is slow, not hanging, give a greater --time-limit",
                limit.as_secs_f64(),
                running.check
            );
            let verdict = Verdict::TimedOut { text };
            watch(Event::Found(running.clone().found(verdict)));
            return Ok(Some(running));
        }
        IsolatedEnd::Closed => match child.look(Duration::MAX)? {
            Some(End::Fault(LibraryFault { line: text, .. })) => Verdict::Failed {
                text,
                boards: Vec::new(),
                by_itself: true,
            },
            Some(End::Stopped(text)) => Verdict::TimedOut { text },
            _ => return Ok(None),
        },
    };
    watch(Event::Found(running.found(verdict)));
    Ok(None)
}

/// Events of a process, read on a thread of its own: reading has no time limit.
fn read(lines: impl io::Read + Send + 'static) -> io::Result<Receiver<Event>> {
    let (sender, events) = channel();
    let reader = thread::Builder::new().name("events".into());
    reader.spawn(move || {
        for line in BufReader::new(lines).split(b'\n') {
            let event = line
                .ok()
                .and_then(|line| serde_json::from_slice(&line).ok());
            let Some(event) = event else { break };
            if sender.send(event).is_err() {
                break;
            }
        }
    })?;
    Ok(events)
}

/// A process that uses no processor time may wait this many times as long.
const IDLE: u32 = 5;

/// Whether a check has used up its time: processor time, so that a busy machine does not count.
fn late(
    heard: Instant,
    (before, now): (Option<Duration>, Option<Duration>),
    limit: Duration,
) -> bool {
    match (before, now) {
        (Some(before), Some(now)) => {
            now.saturating_sub(before) >= limit || heard.elapsed() >= limit.saturating_mul(IDLE)
        }
        _ => heard.elapsed() >= limit,
    }
}

enum IsolatedEnd {
    Stopped,
    Silent,
    Closed,
}

/// Passes events on until the process ends, is stopped, or a check takes too long.
fn follow(
    running: &mut CheckAt,
    child: &mut Supervisor,
    events: &Receiver<Event>,
    limit: Duration,
    stop: &Stop,
    watch: &mut dyn FnMut(Event),
) -> io::Result<IsolatedEnd> {
    let (mut heard, mut spent) = (Instant::now(), child.cpu());
    loop {
        // Events may arrive faster than the loop waits for them.
        if stop.requested() {
            return Ok(IsolatedEnd::Stopped);
        }
        match events.recv_timeout(GLANCE) {
            Ok(event) => {
                (heard, spent) = (Instant::now(), child.cpu());
                if let Event::Started(at) = &event {
                    running.clone_from(at);
                }
                watch(event);
            }
            Err(RecvTimeoutError::Disconnected) => break,
            Err(RecvTimeoutError::Timeout) if late(heard, (spent, child.cpu()), limit) => {
                return Ok(IsolatedEnd::Silent);
            }
            // A process that it forked may hold its output open.
            Err(RecvTimeoutError::Timeout) if child.look(Duration::ZERO)?.is_some() => break,
            Err(RecvTimeoutError::Timeout) => {}
        }
    }
    Ok(IsolatedEnd::Closed)
}
