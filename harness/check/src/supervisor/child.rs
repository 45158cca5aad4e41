//! The supervised process's side.
#![allow(unsafe_code)]

use std::fs::File;
use std::io;
use std::mem::ManuallyDrop;
use std::os::fd::{AsRawFd, BorrowedFd, FromRawFd, OwnedFd, RawFd};
use std::os::unix::process::parent_id;

use antipode_graph::in_hand::{self, InHand};
use nix::fcntl::{FcntlArg, fcntl};
use nix::sys::resource::{Resource, getrlimit};
use nix::sys::signal::{SigHandler, Signal, signal};
use nix::sys::stat::fstat;
use nix::unistd::dup2_stdout;

use super::VARIABLE;

/// This process, if it has a supervisor.
#[derive(Debug)]
pub struct Supervised {
    page: &'static InHand,
    secret: u64,
    out: Option<OwnedFd>,
    /// The descriptors that must be unchanged when the command ends.
    kept: Vec<(RawFd, Identity)>,
}

/// The identity of a descriptor: device and file.
type Identity = (u64, u64);

/// Descriptor numbers at which results are safe: libraries that close "all" their descriptors count
/// up from 3.
const LOW: u64 = 2048;

impl Supervised {
    /// Checks whether this process has a supervisor, and prepares it. It dies with its supervisor,
    /// its results have their own descriptor, and all other output goes to stderr. Call it before
    /// any library is loaded.
    ///
    /// # Errors
    /// The system refuses a descriptor or a signal.
    pub fn begin() -> io::Result<Option<Self>> {
        let Some((page, parent)) = given() else {
            return Ok(None);
        };
        let secret = page.take();
        if secret == 0 {
            return Ok(None);
        }
        die_with(parent)?;
        let out = set_stdout_apart(secret)?;
        // The supervisor's line says what the standard library's handler would say.
        for crash in [Signal::SIGSEGV, Signal::SIGBUS] {
            // SAFETY: the default action needs no handler.
            unsafe { signal(crash, SigHandler::SigDfl) }?;
        }
        let numbers = vec![0, 1, 2, out.as_raw_fd()];
        let kept = numbers
            .iter()
            .map(|&number| Ok((number, identity(number)?)));
        let kept = kept.collect::<io::Result<_>>()?;
        in_hand::write_to(page, numbers);
        Ok(Some(Self {
            page,
            secret,
            out: Some(out),
            kept,
        }))
    }

    /// The destination of results, once.
    pub fn take_out(&mut self) -> Option<File> {
        self.out.take().map(File::from)
    }

    /// Ends the process with an exit code after everything is written. No library code runs after
    /// this, nor any exit handler of a library.
    pub fn end(&self, code: u8) -> ! {
        let changed = |(number, was): &&(RawFd, Identity)| identity(*number).ok() != Some(*was);
        match self.kept.iter().find(changed) {
            Some((number, _)) => self.page.lose(*number),
            None => self.page.end(self.secret, code),
        }
        // SAFETY: ends the process and touches nothing else; results are flushed.
        unsafe { nix::libc::_exit(i32::from(code)) }
    }
}

/// The data from the supervisor: the memory, and its process number.
fn given() -> Option<(&'static InHand, u32)> {
    let text = std::env::var(VARIABLE).ok()?;
    let (number, parent) = text.split_once(':')?;
    let (number, parent) = (number.parse::<RawFd>().ok()?, parent.parse().ok()?);
    if number < 3 {
        return None;
    }
    // The processes started by a supervised one inherit the variable, not the descriptor. SAFETY:
    // nothing else in this process owns the number yet; it is closed only if it was our own.
    let file = ManuallyDrop::new(unsafe { File::from_raw_fd(number) });
    let ours = file.metadata().ok()?.len() == InHand::BYTES as u64;
    let page = ours.then(|| InHand::map(&file).ok()).flatten()?;
    drop(ManuallyDrop::into_inner(file));
    Some((page, parent))
}

/// Makes this process end with its supervisor.
fn die_with(parent: u32) -> io::Result<()> {
    #[cfg(target_os = "linux")]
    nix::sys::prctl::set_pdeathsig(Signal::SIGKILL)?;
    #[cfg(not(target_os = "linux"))]
    std::thread::Builder::new()
        .name("supervisor".into())
        .spawn(move || {
            while parent_id() == parent {
                std::thread::sleep(std::time::Duration::from_millis(500));
            }
            std::process::abort();
        })?;
    match parent_id() == parent {
        true => Ok(()),
        false => Err(io::Error::other(
            "the process that started this one is gone",
        )),
    }
}

/// Moves stdout to a high number that is hard to guess, and puts stderr in its place.
fn set_stdout_apart(secret: u64) -> io::Result<OwnedFd> {
    let (most, _) = getrlimit(Resource::RLIMIT_NOFILE)?;
    let spread = (most / 4).clamp(1, LOW);
    let least = (most / 2).min(LOW) + (secret >> 40) % spread;
    let stdout = io::stdout();
    let high = fcntl(&stdout, FcntlArg::F_DUPFD_CLOEXEC(least as RawFd));
    let number = high.or_else(|_| fcntl(&stdout, FcntlArg::F_DUPFD_CLOEXEC(3)))?;
    dup2_stdout(io::stderr())?;
    // SAFETY: the system has just given us the number.
    Ok(unsafe { OwnedFd::from_raw_fd(number) })
}

fn identity(number: RawFd) -> io::Result<Identity> {
    // SAFETY: the system is only asked for the identity of the number.
    let status = fstat(unsafe { BorrowedFd::borrow_raw(number) })?;
    Ok((status.st_dev as u64, status.st_ino as u64))
}
