//! Runs a command that loads a library in a child process: this program again, with the same
//! arguments. The process that the user started watches it.
//!
//! If a library breaks its process, one line names the library, the function and what happened. A
//! token shows that the command ended by itself; an exit code would not, as a library can choose
//! it. The token is a random number per process, which the supervisor leaves in shared memory. The
//! command takes it before a library is loaded, and puts it back with its exit code once everything
//! is written. What happens in the process is read from the same memory, to which
//! [`in_hand`](antipode_graph::in_hand) writes.
//!
//! This is a guard against mistakes. A library shares its process with the command: a malicious one
//! can find the number in memory, as it can do whatever its user can do.

mod child;
mod end;

use std::fs::File;
use std::hash::{BuildHasher, Hasher, RandomState};
use std::io;
use std::os::fd::AsRawFd;
use std::process::{ChildStdout, Command, ExitStatus};
use std::sync::mpsc::{Receiver, RecvTimeoutError, sync_channel};
use std::thread;
use std::time::{Duration, Instant};

use antipode_graph::in_hand::{Call, InHand};
use antipode_search::progress::Stop;
use nix::sys::signal::{SigHandler, Signal, kill, signal};
use nix::unistd::Pid;

pub use child::Supervised;
pub use end::{End, LibraryFault};

/// The environment variable that names a process's supervisor.
const VARIABLE: &str = "ANTIPODE_SUPERVISOR";

/// Interval between checks of a running process.
pub const GLANCE: Duration = Duration::from_millis(100);

/// How long a call may take to return once a stop was asked for.
const PATIENCE: Duration = Duration::from_secs(1);

/// A process that is watched.
#[derive(Debug)]
pub struct Supervisor {
    page: &'static InHand,
    secret: u64,
    process: Pid,
    ended: Receiver<io::Result<ExitStatus>>,
    out: Option<ChildStdout>,
    /// Turns of each thread when it last did something, and when that was.
    turns: Vec<(u64, Instant)>,
    status: Option<ExitStatus>,
}

impl Supervisor {
    /// Starts a command, which must be this program.
    ///
    /// # Errors
    /// Shared memory, a process or a thread is not available.
    pub fn start(mut command: Command) -> io::Result<Self> {
        let file = shared_file()?;
        file.set_len(InHand::BYTES as u64)?;
        let page = InHand::map(&file)?;
        // The keys of a hasher are drawn from the system; zero would stand for no token.
        let secret = RandomState::new().build_hasher().finish() | 1;
        page.give(secret);
        let parent = std::process::id();
        command.env(VARIABLE, format!("{}:{parent}", file.as_raw_fd()));
        await_children()?;
        let mut child = command.spawn()?;
        let process = Pid::from_raw(child.id() as i32);
        let out = child.stdout.take();
        let (sender, ended) = sync_channel(1);
        let waiter = thread::Builder::new().name("waits".into());
        let waiting = waiter.spawn(move || {
            // Nobody may be listening any more.
            let _ = sender.send(child.wait());
        });
        if let Err(error) = waiting {
            let _ = kill(process, Signal::SIGKILL);
            return Err(error);
        }
        Ok(Self {
            page,
            secret,
            process,
            ended,
            out,
            turns: Vec::new(),
            status: None,
        })
    }

    /// Standard output of the process, if the command had it piped; once.
    pub fn take_out(&mut self) -> Option<ChildStdout> {
        self.out.take()
    }

    /// Watches the process to its end. Kills it if a call shows no sign of life for `limit`, or
    /// continues after a stop was requested.
    ///
    /// # Errors
    /// The system does not say how the process ended.
    pub fn follow(&mut self, limit: Duration, stop: &Stop) -> io::Result<End> {
        stop.get_ready();
        let mut asked: Option<Instant> = None;
        loop {
            if let Some(end) = self.look(GLANCE)? {
                return Ok(end);
            }
            if asked.is_none() && stop.requested() {
                asked = Some(Instant::now());
                // Ctrl-C on a terminal has reached it already; a second signal does no harm.
                let _ = kill(self.process, Signal::SIGTERM);
            }
            let late = asked.is_some_and(|since| since.elapsed() >= PATIENCE);
            let patience = if late { PATIENCE.min(limit) } else { limit };
            if let Some(call) = self.stuck(patience) {
                if let Some(end) = self.kill()? {
                    return Ok(end);
                }
                return Ok(match late {
                    true => end::left(&call),
                    false => end::silent(&call, limit),
                });
            }
        }
    }

    /// Waits for the end of the process for a while.
    ///
    /// # Errors
    /// The system does not say how the process ended.
    pub fn look(&mut self, wait: Duration) -> io::Result<Option<End>> {
        match self.ended.recv_timeout(wait) {
            Ok(status) => {
                self.status = Some(status?);
                Ok(self.status.map(|status| self.judged(status)))
            }
            Err(RecvTimeoutError::Timeout) => Ok(None),
            Err(RecvTimeoutError::Disconnected) => Ok(self.status.map(|s| self.judged(s))),
        }
    }

    /// Kills the process. Returns its end if it had ended by itself meanwhile.
    ///
    /// # Errors
    /// The system does not say how the process ended.
    pub fn kill(&mut self) -> io::Result<Option<End>> {
        if self.status.is_none() {
            // A process that is gone needs no killing.
            let _ = kill(self.process, Signal::SIGKILL);
        }
        let end = self.look(Duration::MAX)?;
        Ok(end.filter(|end| matches!(end, End::Itself(_))))
    }

    /// The calls that have shown no sign of life for a while, the longest first.
    fn stuck(&mut self, limit: Duration) -> Option<Call> {
        let now = Instant::now();
        let mut longest: Option<(Duration, Call)> = None;
        for call in self.page.calls() {
            if self.turns.len() <= call.slot {
                self.turns.resize(call.slot + 1, (0, now));
            }
            let known = &mut self.turns[call.slot];
            if known.0 != call.turns {
                *known = (call.turns, now);
            }
            let lasted = now - known.1;
            let longer = longest.as_ref().is_none_or(|(most, _)| lasted > *most);
            if call.inside && lasted >= limit && longer {
                longest = Some((lasted, call));
            }
        }
        longest.map(|(_, call)| call)
    }

    /// Processor time that the process has taken; `None` if the system does not say.
    #[must_use]
    #[allow(unsafe_code)]
    pub fn cpu(&self) -> Option<Duration> {
        use nix::libc::{clock_getcpuclockid, clock_gettime, timespec};
        let (mut clock, mut time) = (
            0,
            timespec {
                tv_sec: 0,
                tv_nsec: 0,
            },
        );
        // SAFETY: both write to our own memory.
        let said = unsafe {
            clock_getcpuclockid(self.process.as_raw(), &mut clock) == 0
                && clock_gettime(clock, &mut time) == 0
        };
        said.then(|| Duration::new(time.tv_sec as u64, time.tv_nsec as u32))
    }

    /// The last call of a process, as `FILE: FUNCTION`.
    #[must_use]
    pub(crate) fn last_call(&self) -> String {
        let calls = self.page.calls();
        let call = calls.iter().find(|call| call.inside).or(calls.last());
        call.map_or_else(|| "none".into(), |call| format!("`{}`", call.function))
    }

    fn judged(&self, status: ExitStatus) -> End {
        let calls = self.page.calls();
        match (self.page.lost(), self.page.ended(self.secret)) {
            (Some(descriptor), _) => end::lost(&calls, descriptor),
            (None, Some(code)) => End::Itself(code),
            (None, None) => end::died(&calls, status),
        }
    }
}

impl Drop for Supervisor {
    fn drop(&mut self) {
        if self.status.is_none() {
            let _ = kill(self.process, Signal::SIGKILL);
        }
    }
}

/// Makes the ends of child processes known: a library, or the program that started this process, may
/// ignore their signal.
#[allow(unsafe_code)]
pub(crate) fn await_children() -> io::Result<()> {
    // SAFETY: the default action needs no handler.
    unsafe { signal(Signal::SIGCHLD, SigHandler::SigDfl) }?;
    Ok(())
}

/// A file that has no name, and that a process started from here inherits.
#[cfg(target_os = "linux")]
pub(crate) fn shared_file() -> io::Result<File> {
    use nix::sys::memfd::{MFdFlags, memfd_create};
    Ok(memfd_create("antipode", MFdFlags::empty())?.into())
}

#[cfg(not(target_os = "linux"))]
pub(crate) fn shared_file() -> io::Result<File> {
    use nix::fcntl::{FcntlArg, FdFlag, fcntl};
    let file = tempfile::tempfile()?;
    fcntl(&file, FcntlArg::F_SETFD(FdFlag::empty()))?;
    Ok(file)
}
