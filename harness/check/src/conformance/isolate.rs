//! Runs a test in a child process, so that a plugin that crashes, exits or never returns
//! takes nothing down but the child.

use std::io::{self, BufRead, BufReader, Write};
use std::path::Path;
use std::process::{Child, Command, ExitStatus, Stdio};
use std::sync::mpsc::{Receiver, RecvTimeoutError, channel};
use std::thread;
use std::time::{Duration, Instant};

use super::report::{Event, Finding, Verdict};
use antipode_graph::clean;
use antipode_search::progress::Stop;

/// Name of the stage that opens the file, which already runs code of the plugin.
pub const LOAD: &str = "load";

/// How often a stop is looked for.
const GLANCE: Duration = Duration::from_millis(100);

/// Runs a command that writes an [`Event`] a line to its standard output, and passes the
/// events on. Where the command ends badly or says nothing for `limit`, that is a finding
/// against the check that was running.
///
/// # Errors
/// The command cannot be started.
pub fn run(
    mut command: Command,
    file: &Path,
    limit: Duration,
    stop: &Stop,
    watch: &mut dyn FnMut(Event),
) -> io::Result<()> {
    let mut child = command
        .stdin(Stdio::null())
        .stdout(Stdio::piped())
        .spawn()?;
    let Some(lines) = child.stdout.take() else {
        return Err(io::Error::other("the child has no standard output"));
    };
    let events = read(lines);
    let mut running = Running::new(file);
    let ended = running.follow(&events, limit, stop, watch);
    let failure = match ended {
        Ended::Finished | Ended::Stopped => {
            end(&mut child)?;
            return Ok(());
        }
        Ended::Silent => {
            end(&mut child)?;
            format!(
                "did not return within {} s and was ended; if it is slow, not hanging, give a greater --time-limit",
                limit.as_secs_f64()
            )
        }
        Ended::Closed => {
            let status = child.wait()?;
            format!("{} while this check was running", how(status))
        }
    };
    watch(Event::Found(running.blamed(failure)));
    Ok(())
}

/// Events of a child, read on a thread of its own: reading has no time limit. Lines that
/// are none are what the plugin itself prints.
fn read(lines: impl io::Read + Send + 'static) -> Receiver<Event> {
    let (sender, events) = channel();
    thread::spawn(move || {
        for line in BufReader::new(lines).split(b'\n') {
            let Ok(line) = line else { break };
            match serde_json::from_slice(&line) {
                _ if line.is_empty() => {}
                Ok(event) => {
                    if sender.send(event).is_err() {
                        break;
                    }
                }
                Err(_) => {
                    let said = clean(&String::from_utf8_lossy(&line));
                    let _ = writeln!(io::stderr(), "{said}");
                }
            }
        }
    });
    events
}

/// Ends a child that has no more to say. One that has finished on its own is left to.
fn end(child: &mut Child) -> io::Result<()> {
    if child.try_wait()?.is_none() {
        child.kill()?;
    }
    child.wait().map(drop)
}

enum Ended {
    Finished,
    Stopped,
    Silent,
    Closed,
}

/// The check that is running.
struct Running {
    instance: String,
    variant: String,
    check: String,
}

impl Running {
    fn new(file: &Path) -> Self {
        Self {
            instance: file.display().to_string(),
            variant: String::new(),
            check: LOAD.to_owned(),
        }
    }

    fn follow(
        &mut self,
        events: &Receiver<Event>,
        limit: Duration,
        stop: &Stop,
        watch: &mut dyn FnMut(Event),
    ) -> Ended {
        let mut heard = Instant::now();
        loop {
            match events.recv_timeout(GLANCE) {
                Ok(event) => {
                    heard = Instant::now();
                    if let Event::Started {
                        instance,
                        variant,
                        check,
                    } = &event
                    {
                        self.instance.clone_from(instance);
                        self.variant.clone_from(variant);
                        self.check.clone_from(check);
                    }
                    let last = matches!(event, Event::Finished { .. } | Event::Refused { .. });
                    watch(event);
                    if last {
                        return Ended::Finished;
                    }
                }
                Err(RecvTimeoutError::Disconnected) => return Ended::Closed,
                Err(RecvTimeoutError::Timeout) if stop.requested() => return Ended::Stopped,
                Err(RecvTimeoutError::Timeout) if heard.elapsed() >= limit => return Ended::Silent,
                Err(RecvTimeoutError::Timeout) => {}
            }
        }
    }

    fn blamed(self, text: String) -> Finding {
        Finding {
            instance: self.instance,
            variant: self.variant,
            check: self.check,
            verdict: Verdict::Failed {
                text,
                boards: Vec::new(),
            },
        }
    }
}

/// How a process ended.
fn how(status: ExitStatus) -> String {
    #[cfg(unix)]
    if let Some(signal) = std::os::unix::process::ExitStatusExt::signal(&status) {
        return match signal {
            4 => "crashed: illegal instruction (SIGILL)".into(),
            6 => "aborted (SIGABRT)".into(),
            7 => "crashed: bus error (SIGBUS)".into(),
            8 => "crashed: arithmetic error, such as a division by zero (SIGFPE)".into(),
            9 => "was killed (SIGKILL), as a system short of memory does".into(),
            11 => "crashed: invalid memory access (SIGSEGV)".into(),
            other => format!("was ended by signal {other}"),
        };
    }
    match status.code() {
        Some(code) => format!("ended the process with exit code {code}"),
        None => "ended the process".into(),
    }
}
