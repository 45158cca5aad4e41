//! Work folders: a run keeps its finished work there, so that the same command with `--resume`
//! continues after any stop or kill.
//!
//! A folder has a lock, an identity, and a journal of finished pieces. A piece is whatever its
//! owner can redo separately: a level, a block of parts, a source. A piece with files is journaled
//! once they are safe on the disk, so every file that the journal names is there. Other files were
//! left by a killed run, and are removed. A damaged line of the journal costs its piece, and
//! those that rest on it.

mod journal;
mod lock;

use std::ffi::OsStr;
use std::fs::{self, File};
use std::io::{self, ErrorKind, Write};
use std::path::{Component, Path, PathBuf};
use std::sync::{Mutex, MutexGuard};

use antipode_reports::atomic;
use antipode_reports::text::regular;
use serde::Serialize;

use crate::error::{EngineError, Result, locked};
use crate::progress::note;
use journal::Head;
pub(crate) use journal::difference;
pub use journal::{JournalPiece, Subject, contents_of};
pub(crate) use lock::ScratchFolder;
pub use lock::{AT_ONCE, Lock, gone, hold, hold_file, lock};

/// Name of the journal within a folder.
pub const JOURNAL: &str = "progress.jsonl";

/// Kind of the piece after which a run has nothing left to do, though its journal stays.
pub const OVER: &str = "over";

/// Suffixes of the names of files that pieces keep.
const OURS: [&str; 4] = [".segment", ".index", ".level", ".part"];
/// Prefixes of the names of files that pieces keep.
const BEGINS: [&str; 3] = ["part-", "forward-", "backward-"];

/// Prefix of the names of folders of processes that share a search.
pub(crate) const PROCESS: &str = "process-";

/// How many processes share a search, by the name of the folder of one; `None` if it is no such
/// name.
pub(crate) fn processes(name: &OsStr) -> Option<usize> {
    let (index, of) = name.to_str()?.strip_prefix(PROCESS)?.split_once("-of-")?;
    let (index, of) = (index.parse::<usize>().ok()?, of.parse().ok()?);
    (index < of).then_some(of)
}

/// How a run treats the content of its folder.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Start {
    /// Starts; a folder that holds finished pieces is refused.
    New,
    /// Starts, whatever the folder holds.
    Over,
    /// Resumes from the content of the folder, which may be empty.
    Resume,
}

/// The folder, and how the run starts there.
#[derive(Debug, Clone)]
pub struct FolderPlace {
    /// The folder.
    pub path: PathBuf,
    /// The option that gave it, for messages.
    pub option: &'static str,
    /// How the run starts.
    pub start: Start,
}

impl FolderPlace {
    /// The folder of results given by `--out`, from which a run resumes or in which it starts over.
    pub fn out(path: &Path, resume: bool) -> Self {
        Self::of(path, "--out", resume, Start::Over)
    }

    /// The folder given by `--work`, from which a run resumes or in which it begins.
    pub fn work(path: &Path, resume: bool) -> Self {
        Self::of(path, "--work", resume, Start::New)
    }

    fn of(path: &Path, option: &'static str, resume: bool, begin: Start) -> Self {
        Self {
            path: path.to_owned(),
            option,
            start: if resume { Start::Resume } else { begin },
        }
    }
}

/// An open work folder, locked against other runs.
#[derive(Debug)]
pub struct WorkFolder {
    path: PathBuf,
    head: Head,
    log: Mutex<Log>,
    _lock: Lock,
}

/// The journal, open for appending.
#[derive(Debug)]
struct Log {
    file: File,
    /// Bytes of its whole lines.
    length: u64,
    /// Number of the next line.
    next: u64,
}

impl WorkFolder {
    /// Opens a folder and returns its finished pieces in the order in which they were finished.
    /// Notes on damage go to stderr.
    ///
    /// # Errors
    /// [`EngineError`]: a folder that cannot be written, is in use, belongs to another run, or
    /// holds pieces although [`Start::New`] allows none.
    pub fn open(
        place: &FolderPlace,
        identity: &impl Serialize,
    ) -> Result<(Self, Vec<JournalPiece>)> {
        Self::of(place, Head::of(identity))
    }

    fn of(place: &FolderPlace, head: Head) -> Result<(Self, Vec<JournalPiece>)> {
        let path = &place.path;
        atomic::ensure_dir(path).map_err(|error| EngineError::Io {
            path: path.clone(),
            reason: error.to_string(),
        })?;
        let lock = lock(path, place.option)?;
        let journal = path.join(JOURNAL);
        if fs::symlink_metadata(&journal).is_ok_and(|found| !found.is_file()) {
            return Err(EngineError::Io {
                path: journal,
                reason: format!("is no regular file; give another {}", place.option),
            });
        }
        let found = match (place.start, fs::read(&journal)) {
            (_, Err(error)) if error.kind() == ErrorKind::NotFound => {
                // Without a journal, no file there is of a run.
                if let Some((file, _)) = files(path)?.first() {
                    let why = "is not of a run; move it away, or choose another";
                    return Err(EngineError::foreign(
                        file,
                        format!("{why} {}", place.option),
                    ));
                }
                journal::JournalContents::default()
            }
            (_, Err(error)) => return Err(EngineError::io(&journal, &error)),
            (Start::Over, Ok(bytes)) if !journal::is_ours(&bytes) => {
                let why = "is no journal of a run; move it away, or choose another";
                return Err(EngineError::foreign(
                    &journal,
                    format!("{why} {}", place.option),
                ));
            }
            (Start::Over, Ok(_)) => journal::JournalContents::default(),
            (_, Ok(bytes)) => head.read(place, &bytes)?,
        };
        if place.start == Start::New && !found.pieces.is_empty() {
            return Err(EngineError::foreign(
                path,
                format!(
                    "holds {} finished pieces of this very run; add --resume to continue it, or delete the folder",
                    found.pieces.len()
                ),
            ));
        }
        for damage in &found.notes {
            note(format_args!("{}: {damage}", journal.display()));
        }
        atomic::sweep(path).map_err(|error| EngineError::io(path, &error))?;
        if !found.sound {
            head.write(&journal, &found.pieces)?;
        }
        if place.start == Start::Resume && found.pieces.is_empty() {
            note(format_args!(
                "{}: nothing there to resume; starting from the beginning",
                path.display()
            ));
        }
        let file = File::options().append(true).open(&journal);
        let failed = |error| EngineError::io(&journal, &error);
        let file = file.map_err(failed)?;
        let length = file.metadata().map_err(failed)?.len();
        let next = found.pieces.last().map_or(0, |piece| piece.number + 1);
        let folder = Self {
            path: path.clone(),
            head,
            log: Mutex::new(Log { file, length, next }),
            _lock: lock,
        };
        Ok((folder, found.pieces))
    }

    /// Opens the folder of another process of this very run, to read its finished work; others may
    /// read there too.
    ///
    /// # Errors
    /// [`EngineError`]: a folder that is in use, belongs to another run, or has a damaged journal.
    pub(crate) fn beside(&self, path: &Path) -> Result<(Self, Vec<JournalPiece>)> {
        let lock = lock::lock_to_read(path, "--work")?;
        let journal = path.join(JOURNAL);
        let failed = |error| EngineError::io(&journal, &error);
        let bytes = fs::read(&journal).map_err(failed)?;
        let found = self.head.read(&FolderPlace::work(path, true), &bytes)?;
        let pieces = found.undamaged(&journal)?;
        let file = File::open(&journal).map_err(failed)?;
        let folder = Self {
            path: path.to_owned(),
            head: self.head.clone(),
            log: Mutex::new(Log {
                file,
                length: bytes.len() as u64,
                next: 0,
            }),
            _lock: lock,
        };
        Ok((folder, pieces))
    }

    /// Whose the folder is.
    pub(crate) fn identity(&self) -> &serde_json::Value {
        self.head.identity()
    }

    /// Where the folder is.
    pub fn path(&self) -> &Path {
        &self.path
    }

    /// Records a finished piece, whose files must be safe on the disk, and waits until its line
    /// is, too.
    ///
    /// # Errors
    /// [`EngineError`] if the journal cannot be written; earlier pieces still count.
    pub fn finish(&self, kind: &str, piece: &impl Serialize) -> Result<()> {
        let log = self.append(kind, &text(piece))?;
        let synced = log.file.sync_data();
        synced.map_err(|error| EngineError::io(&self.path.join(JOURNAL), &error))
    }

    /// Records a finished piece that has no files, or whose files were not synced. If the machine
    /// fails, not only the run, the piece is redone.
    pub fn finish_in_passing(&self, kind: &str, piece: &impl Serialize) -> Result<()> {
        self.append(kind, &text(piece)).map(drop)
    }

    fn append(&self, kind: &str, piece: &str) -> Result<MutexGuard<'_, Log>> {
        let mut log = self.log();
        let line = self.head.line(log.next, kind, piece);
        if let Err(error) = log.file.write_all(line.as_bytes()) {
            // Half a line, for example on a full disk, would spoil the next one.
            let _ = log.file.set_len(log.length);
            return Err(EngineError::io(&self.path.join(JOURNAL), &error));
        }
        log.length += line.len() as u64;
        log.next += 1;
        Ok(log)
    }

    /// Removes the files of unwanted pieces: those that a killed run left, or that are no longer
    /// needed. Other files in the folder stay.
    ///
    /// # Errors
    /// [`EngineError`] if a file cannot be removed.
    pub fn sweep(&self, keep: &dyn Fn(&str) -> bool) -> Result<()> {
        for (path, name) in files(&self.path)? {
            if !keep(&name) {
                fs::remove_file(&path).map_err(|error| EngineError::io(&path, &error))?;
            }
        }
        Ok(())
    }

    fn log(&self) -> MutexGuard<'_, Log> {
        locked(&self.log)
    }
}

fn text(piece: &impl Serialize) -> String {
    serde_json::to_string(piece).unwrap_or_default()
}

/// Whether a folder holds a journal.
pub fn begun(folder: &Path) -> bool {
    folder.join(JOURNAL).exists()
}

/// Number of finished pieces in a folder that are lost if another run begins there: none once the
/// run there is over.
pub fn unfinished(folder: &Path) -> usize {
    bytes_of(&folder.join(JOURNAL)).map_or(0, |bytes| journal::unfinished(&bytes))
}

/// The bytes of a journal, which a device or a pipe is not.
fn bytes_of(journal: &Path) -> io::Result<Vec<u8>> {
    regular(journal).and_then(fs::read)
}

/// The finished pieces of a run that is over; its folder is not changed.
///
/// # Errors
/// [`EngineError`]: a folder in use, no journal, a damaged line in it, or a journal of another run.
pub(crate) fn read_finished(folder: &Path, identity: &impl Serialize) -> Result<Vec<JournalPiece>> {
    let journal = folder.join(JOURNAL);
    let bytes = bytes_of(&journal).map_err(|error| match error.kind() {
        ErrorKind::NotFound | ErrorKind::NotADirectory => EngineError::foreign(
            folder,
            format!("has no {JOURNAL}: it is not a folder of a shard"),
        ),
        _ => EngineError::io(&journal, &error),
    })?;
    let place = FolderPlace {
        path: folder.to_owned(),
        option: "folder",
        start: Start::Resume,
    };
    Head::of(identity).read(&place, &bytes)?.undamaged(&journal)
}

/// Removes the journal and the files of its pieces, once the results of the run are written
/// elsewhere; without a journal, no file is of a run. Removes the folder too if nothing else is in
/// it and `with_folder` is set, and that of all processes after the last of theirs. A file that is
/// already gone is no error.
///
/// # Errors
/// [`EngineError`] if a file cannot be removed.
pub fn clear(folder: &Path, with_folder: bool) -> Result<()> {
    // Another process of the same search may be removing files, too.
    let remove = |done: io::Result<()>, path: &Path| match done {
        Err(error) if error.kind() != ErrorKind::NotFound => Err(EngineError::io(path, &error)),
        _ => Ok(()),
    };
    let journal = folder.join(JOURNAL);
    if bytes_of(&journal).is_ok_and(|bytes| journal::is_ours(&bytes)) {
        for (file, _) in files(folder)? {
            remove(fs::remove_file(&file), &file)?;
        }
        remove(fs::remove_file(&journal), &journal)?;
    }
    // Data that were being written when a run was killed.
    remove(atomic::sweep(folder), folder)?;
    if with_folder {
        // The user may keep other files there, and then the folder stays.
        let _ = fs::remove_dir(folder);
        let shared = folder.file_name().and_then(processes).is_some();
        if let Some(all) = folder.parent().filter(|_| shared) {
            let _ = fs::remove_dir(all);
        }
    }
    Ok(())
}

/// Files of pieces in a folder, with their names.
fn files(folder: &Path) -> Result<Vec<(PathBuf, String)>> {
    let failed = |error: io::Error| EngineError::io(folder, &error);
    let mut files = Vec::new();
    let entries = match fs::read_dir(folder) {
        Err(error) if error.kind() == ErrorKind::NotFound => return Ok(files),
        entries => entries.map_err(failed)?,
    };
    for entry in entries {
        let path = entry.map_err(failed)?.path();
        let name = path.file_name().unwrap_or_default().to_string_lossy();
        let name = name.into_owned();
        let begins = BEGINS.iter().any(|begin| name.starts_with(begin));
        if begins && OURS.iter().any(|end| name.ends_with(end)) {
            files.push((path, name));
        }
    }
    Ok(files)
}

/// A path without links and `..`, whether it is there or not: equal for paths to one place.
pub fn canonical(path: &Path) -> PathBuf {
    let absolute = std::path::absolute(path).unwrap_or_else(|_| path.to_owned());
    let mut whole = PathBuf::new();
    for part in absolute.components() {
        match part {
            Component::ParentDir => {
                whole.pop();
            }
            part => whole.push(part),
        }
        whole = fs::canonicalize(&whole).unwrap_or(whole);
    }
    whole
}

// Free space on the disk of a work folder.

/// Bytes free for this user on the file system of a folder (or of its nearest existing parent);
/// `None` if the system does not report it.
pub(crate) fn free_bytes(path: &Path) -> Option<u64> {
    #[cfg(unix)]
    {
        let absolute = std::path::absolute(path).ok()?;
        let there = absolute.ancestors().find(|path| path.exists())?;
        let stat = rustix::fs::statvfs(there).ok()?;
        Some(stat.f_bavail * stat.f_frsize)
    }
    #[cfg(not(unix))]
    {
        let _ = path;
        None
    }
}

#[cfg(test)]
mod tests;
