//! Records which library function each thread is in, in memory shared with another process. A
//! supervisor reads it while the library runs, and after a crash.
//!
//! Only calls of loaded libraries are recorded, and only in a process with a supervisor. A call
//! costs two dozen stores; every sixty-fourth also makes two system calls to check whether the
//! library has closed one of our descriptors, or changed the folder that paths begin in.
#![allow(unsafe_code)]

use std::cell::Cell;
use std::fs::File;
use std::io;
use std::os::fd::{BorrowedFd, RawFd};
use std::os::unix::fs::MetadataExt;
use std::path::Path;
use std::sync::OnceLock;
use std::sync::atomic::{AtomicU32, AtomicU64, Ordering::Relaxed};

use memmap2::MmapMut;
use nix::poll::{PollFd, PollFlags, PollTimeout, poll};
use nix::sys::signal::{Signal, raise};

/// Threads that can be followed at once; calls of further ones are not recorded.
const SLOTS: usize = 1152;
/// Words of a function's name.
const NAME: usize = 4;
/// Libraries whose files are recorded; further ones have the name of the last.
const LIBRARIES: usize = 32;
/// Words of a file's name.
const FILE: usize = 128;

/// What both processes see. All of it is atomic, and zero is a valid state.
#[repr(C)]
#[derive(Debug)]
pub struct InHand {
    secret: AtomicU64,
    token: AtomicU64,
    code: AtomicU64,
    lost: AtomicU64,
    files: AtomicU64,
    file: [[AtomicU64; FILE]; LIBRARIES],
    slot: [CallInHand; SLOTS],
}

/// The call that one thread is in.
#[repr(C, align(64))]
#[derive(Debug)]
struct CallInHand {
    function: [AtomicU64; NAME],
    /// Number of the library, from 1; 0 for a slot that was never used.
    library: AtomicU64,
    inside: AtomicU64,
    /// Number of calls, returns and deliveries so far.
    turns: AtomicU64,
    taken: AtomicU64,
}

/// The current or last call of a thread.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Call {
    /// The library's file, as the user named it.
    pub file: String,
    /// Function of the table.
    pub function: String,
    /// Whether it has not returned.
    pub inside: bool,
    /// The thread's place.
    pub slot: usize,
    /// Grows with every call, return and delivery.
    pub turns: u64,
}

impl InHand {
    /// Bytes of the shared file.
    pub const BYTES: usize = size_of::<Self>();

    /// Maps a shared file of [`InHand::BYTES`] bytes for the rest of the process.
    ///
    /// # Errors
    /// A file that is shorter or cannot be mapped.
    pub fn map(file: &File) -> io::Result<&'static Self> {
        if file.metadata()?.len() < Self::BYTES as u64 {
            return Err(io::Error::other("not the file of a supervisor"));
        }
        // SAFETY: the file belongs to two processes of this program, which access it only through
        // atomics, and nothing shortens it.
        let map = unsafe { MmapMut::map_mut(file) }?;
        let start = map.as_ptr().cast::<Self>();
        std::mem::forget(map);
        // SAFETY: never unmapped, long enough, aligned to a page, and any bytes are a valid value.
        Ok(unsafe { &*start })
    }

    /// Leaves the secret for the process that is to be supervised.
    pub fn give(&self, secret: u64) {
        self.secret.store(secret, Relaxed);
    }

    /// Removes the secret from the shared memory, where a library would find it.
    pub fn take(&self) -> u64 {
        self.secret.swap(0, Relaxed)
    }

    /// States that the process ends by itself: puts the secret back, with the exit code.
    pub fn end(&self, secret: u64, code: u8) {
        self.code.store(code.into(), Relaxed);
        self.token.store(secret, Relaxed);
    }

    /// The exit code, if the token is there.
    #[must_use]
    pub fn ended(&self, secret: u64) -> Option<u8> {
        let there = self.token.load(Relaxed) == secret;
        there.then(|| self.code.load(Relaxed) as u8)
    }

    /// Reports that one of our descriptors is closed or replaced.
    pub fn lose(&self, descriptor: RawFd) {
        self.lost.store(descriptor as u64 + 1, Relaxed);
    }

    /// The descriptor that was found closed or replaced.
    #[must_use]
    pub fn lost(&self) -> Option<u64> {
        self.lost.load(Relaxed).checked_sub(1)
    }

    /// The current or last calls of all threads, in the order of their slots.
    #[must_use]
    pub fn calls(&self) -> Vec<Call> {
        let used = self.slot.iter().enumerate();
        used.filter_map(|(slot, at)| {
            let library = at.library.load(Relaxed).checked_sub(1)?;
            let file = self.file.get(library as usize)?;
            Some(Call {
                file: text(file),
                function: text(&at.function),
                inside: at.inside.load(Relaxed) != 0,
                slot,
                turns: at.turns.load(Relaxed),
            })
        })
        .collect()
    }
}

fn text(words: &[AtomicU64]) -> String {
    let bytes: Vec<u8> = words
        .iter()
        .flat_map(|word| word.load(Relaxed).to_le_bytes())
        .take_while(|&byte| byte != 0)
        .collect();
    String::from_utf8_lossy(&bytes).into_owned()
}

/// Writes as much of a text as fits, and zeros after it.
fn write(words: &[AtomicU64], text: &str) {
    let bytes = text.as_bytes();
    for (at, word) in words.iter().enumerate() {
        let rest = bytes.get(at * 8..).unwrap_or_default();
        let length = rest.len().min(8);
        let mut eight = [0; 8];
        eight[..length].copy_from_slice(&rest[..length]);
        word.store(u64::from_le_bytes(eight), Relaxed);
    }
}

/// This process's own page, if it has a supervisor.
static OWN: OnceLock<Own> = OnceLock::new();

/// Says that this process is a copy that we made, and not a library: its calls return.
pub fn copied() {
    if let Some(own) = OWN.get() {
        own.process.store(std::process::id(), Relaxed);
    }
}

struct Own {
    page: &'static InHand,
    process: AtomicU32,
    descriptors: Vec<RawFd>,
    folder: Option<(u64, u64)>,
}

/// Stands for the working folder among descriptors.
pub const FOLDER: RawFd = RawFd::MAX;

/// The working folder, whatever its name is.
fn folder() -> Option<(u64, u64)> {
    let folder = std::fs::metadata(".").ok()?;
    Some((folder.dev(), folder.ino()))
}

/// From here on, calls of loaded libraries are recorded in `page`. If one of the descriptors is
/// found closed after a call, or another working folder, that is noted and the process killed.
pub fn write_to(page: &'static InHand, descriptors: Vec<RawFd>) {
    let process = std::process::id();
    let _ = OWN.set(Own {
        page,
        process: AtomicU32::new(process),
        descriptors,
        folder: folder(),
    });
}

/// A library by its number: 0 if its calls are not recorded.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct LibraryNumber(u64);

impl LibraryNumber {
    /// For libraries that belong to this program.
    pub(crate) const NONE: Self = Self(0);

    /// Records a file that is about to be loaded.
    pub(crate) fn of(file: &Path) -> Self {
        let Some(own) = OWN.get() else {
            return Self::NONE;
        };
        let number = own
            .page
            .files
            .fetch_add(1, Relaxed)
            .min(LIBRARIES as u64 - 1);
        write(&own.page.file[number as usize], &file.display().to_string());
        Self(number + 1)
    }

    /// Makes a call, recorded for as long as it lasts.
    #[inline]
    pub(crate) fn within<T>(self, function: &str, call: impl FnOnce() -> T) -> T {
        if self == Self::NONE {
            return call();
        }
        let (mut call, mut returned) = (Some(call), None);
        self.written(function, &mut || returned = call.take().map(|call| call()));
        returned.expect("the call is made once")
    }

    fn written(self, function: &str, call: &mut dyn FnMut()) {
        let Some(own) = OWN.get() else {
            return call();
        };
        let mut call = || {
            call();
            own.end_copies();
        };
        let Some(slot) = slot() else {
            return call();
        };
        // A library that delivers may be called again by the receiver of the delivery.
        let outer = Before {
            function: slot.function.each_ref().map(|word| word.load(Relaxed)),
            library: slot.library.load(Relaxed),
            inside: slot.inside.load(Relaxed),
        };
        write(&slot.function, function);
        slot.library.store(self.0, Relaxed);
        slot.inside.store(1, Relaxed);
        slot.turn();
        call();
        let turns = slot.turn();
        own.look(turns);
        if outer.inside == 0 {
            slot.inside.store(0, Relaxed);
        } else {
            outer.restore(slot);
        }
    }
}

/// The call of a thread before a nested call.
struct Before {
    function: [u64; NAME],
    library: u64,
    inside: u64,
}

impl Before {
    fn restore(&self, slot: &CallInHand) {
        for (word, before) in slot.function.iter().zip(self.function) {
            word.store(before, Relaxed);
        }
        slot.library.store(self.library, Relaxed);
        slot.inside.store(self.inside, Relaxed);
    }
}

/// Records a sign of life of the current call: it has delivered something.
pub(crate) fn delivered() {
    if OWN.get().is_some()
        && let Some(slot) = slot()
    {
        slot.turn();
    }
}

impl CallInHand {
    /// Increments a counter; only the thread that owns the slot does.
    fn turn(&self) -> u64 {
        let turns = self.turns.load(Relaxed).wrapping_add(1);
        self.turns.store(turns, Relaxed);
        turns
    }
}

impl Own {
    /// Ends a copy of the process that a library has made by `fork` and let return: it would continue
    /// the run, write its results too, and be copied again at the next call.
    fn end_copies(&self) {
        if std::process::id() != self.process.load(Relaxed) {
            // SAFETY: ends the process without a word to what it shares with the first.
            unsafe { nix::libc::_exit(0) }
        }
    }

    /// Checks whether a descriptor was closed, or the working folder changed: after each of a
    /// thread's first 128 calls, then after one in 64.
    fn look(&self, turns: u64) {
        if turns > 256 && turns & 126 != 0 {
            return;
        }
        let ask = |&number: &RawFd| {
            // SAFETY: `poll` only checks whether the descriptor is open.
            let descriptor = unsafe { BorrowedFd::borrow_raw(number) };
            PollFd::new(descriptor, PollFlags::empty())
        };
        let mut asked: Vec<PollFd> = self.descriptors.iter().map(ask).collect();
        if poll(&mut asked, PollTimeout::ZERO).is_err() {
            return;
        }
        let closed = |asked: &PollFd| {
            let found = asked.revents().unwrap_or(PollFlags::empty());
            found.contains(PollFlags::POLLNVAL)
        };
        let lost = asked.iter().position(closed).map(|at| self.descriptors[at]);
        let moved = || (folder() != self.folder).then_some(FOLDER);
        if let Some(lost) = lost.or_else(moved) {
            self.page.lose(lost);
            // Nothing that this process writes can be relied on any more.
            let _ = raise(Signal::SIGKILL);
        }
    }
}

/// This thread's slot; none while the thread is ending.
fn slot() -> Option<&'static CallInHand> {
    SLOT.try_with(ThreadSlot::slot).ok().flatten()
}

thread_local! {
    static SLOT: ThreadSlot = const { ThreadSlot(Cell::new(None)) };
}

/// A thread's slot, released when the thread ends.
struct ThreadSlot(Cell<Option<&'static CallInHand>>);

impl ThreadSlot {
    fn slot(&self) -> Option<&'static CallInHand> {
        if self.0.get().is_none() {
            let free = |slot: &&CallInHand| {
                let taken = slot.taken.compare_exchange(0, 1, Relaxed, Relaxed);
                taken.is_ok()
            };
            self.0
                .set(OWN.get().and_then(|own| own.page.slot.iter().find(free)));
        }
        self.0.get()
    }
}

impl Drop for ThreadSlot {
    fn drop(&mut self) {
        // A thread that ends within a call ends the process with it, and the slot shows where.
        if let Some(slot) = self.0.get().filter(|slot| slot.inside.load(Relaxed) == 0) {
            slot.taken.store(0, Relaxed);
        }
    }
}
