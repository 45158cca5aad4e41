//! One process of a rulebook program: requests and answers, one line each.

use std::io::{ErrorKind, Read, Write};
use std::os::fd::{AsFd, BorrowedFd, FromRawFd, IntoRawFd, OwnedFd};
use std::os::unix::process::{CommandExt, ExitStatusExt};
use std::process::{Child, ChildStdin, ChildStdout, Command, Stdio};
use std::sync::OnceLock;
use std::time::{Duration, Instant};

use nix::fcntl::{FcntlArg, OFlag, fcntl};
use nix::libc;
use nix::poll::{PollFd, PollFlags, PollTimeout, poll};
use nix::sys::signal::{Signal, killpg};
use nix::unistd::{ForkResult, Pid, fork, pipe};

use crate::call::WAS_LATE;

/// Initial and greatest number of states of a request.
const FEW: usize = 64;
const MANY: usize = 4096;
/// Requests grow while an answer takes less, and shrink if it takes more.
const SOON: Duration = Duration::from_millis(50);
const LATE: Duration = Duration::from_millis(500);
/// Bytes that a pipe holds.
#[cfg(target_os = "linux")]
const PIPE: i32 = 1 << 20;
/// Most bytes of an answer.
const LONGEST_ANSWER: usize = 256 << 20;
/// Least number of bytes of an answer that are read at once.
const LEAST_READ: usize = 1 << 12;
/// Time for a process to end by itself once its output has ended.
const TO_END: Duration = Duration::from_millis(300);

static LIMIT: OnceLock<Duration> = OnceLock::new();

/// From here on, an answer may take this long. Without a limit, a supervisor ends calls that take
/// too long.
pub fn set_limit(limit: Duration) {
    let _ = LIMIT.set(limit);
}

/// A running program.
#[derive(Debug)]
pub(super) struct Process {
    child: Child,
    stdin: ChildStdin,
    stdout: ChildStdout,
    /// The answer in hand.
    answer: Vec<u8>,
    /// Number of states in the next request.
    pub(super) batch: usize,
}

impl Process {
    /// Starts a command line in a shell, as the leader of its own process group.
    ///
    /// # Errors
    /// The system's refusal, in one line.
    pub(super) fn start(command: &str) -> Result<Self, String> {
        let failed = |error: std::io::Error| format!("cannot be started: {error}");
        let leash = leash().map_err(failed)?;
        let mut child = Command::new("/bin/sh")
            .args(["-c", command])
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .process_group(0)
            .spawn()
            .map_err(failed)?;
        let _ = nix::unistd::write(leash, &(child.id() as i32).to_ne_bytes());
        let (Some(stdin), Some(stdout)) = (child.stdin.take(), child.stdout.take()) else {
            return Err("cannot be started: no pipes".into());
        };
        for end in [stdin.as_fd(), stdout.as_fd()] {
            fcntl(end, FcntlArg::F_SETFL(OFlag::O_NONBLOCK)).map_err(|e| failed(e.into()))?;
            // The capacity for a whole request or answer; a smaller pipe works as well.
            #[cfg(target_os = "linux")]
            let _ = fcntl(end, FcntlArg::F_SETPIPE_SZ(PIPE));
        }
        Ok(Self {
            child,
            stdin,
            stdout,
            answer: Vec::new(),
            batch: FEW,
        })
    }

    /// Sends a request, which ends in a line feed, and reads the line that answers it.
    ///
    /// # Errors
    /// The program's deviation, in one line.
    pub(super) fn ask(&mut self, request: &[u8]) -> Result<&[u8], String> {
        let since = Instant::now();
        WAS_LATE.set(false);
        self.answer.clear();
        self.take_in()?;
        if !self.answer.is_empty() {
            return Err(format!(
                "printed a line that nothing asked for: '{}'; one line a request, and logs to stderr",
                start_of(&self.answer)
            ));
        }
        let mut unsent = request;
        loop {
            if !unsent.is_empty() {
                match self.stdin.write(unsent) {
                    Ok(sent) => unsent = &unsent[sent..],
                    Err(error) if error.kind() == ErrorKind::BrokenPipe => {
                        self.take_in()?;
                        return Err(self.ended());
                    }
                    Err(error) if is_passing(&error) => {}
                    Err(error) => return Err(format!("cannot be asked: {error}")),
                }
            }
            let left = match LIMIT.get() {
                Some(limit) if since.elapsed() >= *limit => {
                    WAS_LATE.set(true);
                    return Err(format!(
                        "did not answer within {} s: each answer must be flushed, and end with a line feed; if it is slow, not hanging, give a greater --plugin-limit",
                        limit.as_secs_f64()
                    ));
                }
                Some(limit) => *limit - since.elapsed(),
                None => Duration::from_secs(60),
            };
            self.wait(!unsent.is_empty(), left)?;
            let seen = self.answer.len();
            let ended = self.take_in()?;
            if let Some(at) = self.answer[seen..].iter().position(|&byte| byte == b'\n') {
                let (line, rest) = self.answer.split_at(seen + at);
                if !unsent.is_empty() {
                    return Err(format!(
                        "answered before the request was read: '{}'",
                        start_of(line)
                    ));
                }
                if rest.len() > 1 {
                    return Err(format!(
                        "printed more than one line: '{}', then '{}'; one line a request, and logs to stderr",
                        start_of(line),
                        start_of(&rest[1..])
                    ));
                }
                self.answer.truncate(seen + at);
                self.pace(since.elapsed());
                return Ok(&self.answer);
            }
            if self.answer.len() > LONGEST_ANSWER {
                return Err(format!(
                    "answered more than {} MiB in one line ('{}')",
                    LONGEST_ANSWER >> 20,
                    start_of(&self.answer)
                ));
            }
            if ended {
                return Err(self.ended());
            }
        }
    }

    /// Reads the output up to the end of a line; returns whether the output has ended.
    fn take_in(&mut self) -> Result<bool, String> {
        loop {
            let seen = self.answer.len();
            let room = seen.max(LEAST_READ).min(LONGEST_ANSWER + 1 - seen);
            self.answer.resize(seen + room, 0);
            let read = self.stdout.read(&mut self.answer[seen..]);
            self.answer
                .truncate(seen + read.as_ref().map_or(0, |&read| read));
            match read {
                Ok(0) => return Ok(true),
                // Looking for more after the end of a line takes as long as reading a short line.
                Ok(_) if self.answer.ends_with(b"\n") => return Ok(false),
                Ok(_) if self.answer.len() > LONGEST_ANSWER => return Ok(false),
                Err(error) if error.kind() == ErrorKind::WouldBlock => return Ok(false),
                Err(error) if !is_passing(&error) => {
                    return Err(format!("cannot be read: {error}"));
                }
                _ => {}
            }
        }
    }

    fn wait(&self, to_send: bool, left: Duration) -> Result<(), String> {
        let mut ends = vec![PollFd::new(self.stdout.as_fd(), PollFlags::POLLIN)];
        if to_send {
            ends.push(PollFd::new(self.stdin.as_fd(), PollFlags::POLLOUT));
        }
        let left = left.min(Duration::from_secs(60)).as_millis() as u16;
        match poll(&mut ends, PollTimeout::from(left.max(1))) {
            Ok(_) | Err(nix::Error::EINTR) => Ok(()),
            Err(error) => Err(format!("cannot be waited for: {error}")),
        }
    }

    fn pace(&mut self, taken: Duration) {
        if taken < SOON {
            self.batch = (self.batch * 2).min(MANY);
        } else if taken > LATE {
            self.batch = (self.batch / 2).max(1);
        }
    }

    /// How a program ended, once its output has.
    fn ended(&mut self) -> String {
        let since = Instant::now();
        let status = loop {
            match self.child.try_wait() {
                Ok(None) if since.elapsed() < TO_END => {
                    std::thread::sleep(Duration::from_millis(2));
                }
                Ok(status) => break status,
                Err(_) => break None,
            }
        };
        let said = match status.map(|status| (status.code(), status.signal())) {
            Some((Some(127), _)) => {
                "could not be run (exit code 127 of the shell: no such program)".into()
            }
            // A shell passes a signal on as an exit code beyond 128.
            Some((Some(code @ 129..), _)) => match Signal::try_from(code - 128) {
                Ok(signal) => format!("was ended by {signal}"),
                Err(_) => format!("ended with exit code {code}"),
            },
            Some((Some(code), _)) => format!("ended with exit code {code}"),
            Some((None, Some(signal))) => match Signal::try_from(signal) {
                Ok(signal) => format!("was ended by {signal}"),
                Err(_) => format!("was ended by signal {signal}"),
            },
            _ => "closed its output".into(),
        };
        match self.answer.is_empty() {
            true => format!("{said} instead of an answer; its stderr, if any, stands above"),
            false => format!("{said} within the answer '{}'", start_of(&self.answer)),
        }
    }
}

impl Drop for Process {
    fn drop(&mut self) {
        let _ = killpg(Pid::from_raw(self.child.id() as i32), Signal::SIGKILL);
        let _ = self.child.wait();
        if let Ok(leash) = leash() {
            let _ = nix::unistd::write(leash, &(-(self.child.id() as i32)).to_ne_bytes());
        }
    }
}

fn is_passing(error: &std::io::Error) -> bool {
    matches!(error.kind(), ErrorKind::WouldBlock | ErrorKind::Interrupted)
}

/// The beginning of a program's output, for a line.
pub(super) fn start_of(bytes: &[u8]) -> String {
    let text = String::from_utf8_lossy(&bytes[..bytes.len().min(400)]);
    crate::one_line(&crate::call::start_of(text.trim(), 80))
}

/// The write end of a pipe that a separate process reads: the numbers of process groups, negative
/// for those that have ended. When this process is gone, in any way, the other kills them all, so
/// that no rulebook outlives the run. It is started with the first program, while this process is
/// small.
fn leash() -> std::io::Result<BorrowedFd<'static>> {
    static LEASH: OnceLock<Result<OwnedFd, nix::Error>> = OnceLock::new();
    let leash = LEASH.get_or_init(|| {
        let (read, write) = pipe()?;
        fcntl(&write, FcntlArg::F_SETFD(nix::fcntl::FdFlag::FD_CLOEXEC))?;
        fcntl(&read, FcntlArg::F_SETFD(nix::fcntl::FdFlag::FD_CLOEXEC))?;
        let (read, write) = (read.into_raw_fd(), write.into_raw_fd());
        // SAFETY: the child calls only functions that a signal handler may call.
        #[allow(unsafe_code)]
        unsafe {
            match fork()? {
                ForkResult::Child => hold(read, write),
                ForkResult::Parent { .. } => {
                    libc::close(read);
                    Ok(OwnedFd::from_raw_fd(write))
                }
            }
        }
    });
    match leash {
        Ok(leash) => Ok(leash.as_fd()),
        Err(error) => Err((*error).into()),
    }
}

/// Most programs at once that are killed like this.
const GROUPS: usize = 4096;

/// # Safety
/// To be called in a newly forked process, with the two ends of a pipe.
#[allow(unsafe_code)]
unsafe fn hold(read: i32, write: i32) -> ! {
    static mut HELD: [i32; GROUPS] = [0; GROUPS];
    // SAFETY: system calls and memory of this process, which has one thread.
    unsafe {
        libc::close(write);
        libc::close(0);
        libc::setpgid(0, 0);
        for signal in [libc::SIGINT, libc::SIGTERM, libc::SIGHUP, libc::SIGPIPE] {
            libc::signal(signal, libc::SIG_IGN);
        }
        let held = &raw mut HELD;
        let mut count = 0;
        loop {
            let mut group = [0_u8; 4];
            let taken = libc::read(read, group.as_mut_ptr().cast(), 4);
            if taken < 0 && nix::errno::Errno::last_raw() == libc::EINTR {
                continue;
            }
            if taken != 4 {
                break;
            }
            match i32::from_ne_bytes(group) {
                group if group > 0 && count < GROUPS => {
                    (*held)[count] = group;
                    count += 1;
                }
                over => {
                    if let Some(at) = (0..count).find(|&at| (*held)[at] == -over) {
                        count -= 1;
                        (*held)[at] = (*held)[count];
                    }
                }
            }
        }
        for &group in (*held).iter().take(count) {
            libc::kill(-group, libc::SIGKILL);
        }
        libc::_exit(0)
    }
}
