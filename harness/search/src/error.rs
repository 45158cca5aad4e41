//! Errors of a search.

use std::io::{self, ErrorKind};
use std::path::{Path, PathBuf};
use std::sync::{Mutex, MutexGuard, PoisonError};

use antipode_graph::{Opened, PluginError};
use antipode_reports::atomic::folder_of;
use indicatif::HumanCount;

use crate::memory::human;

/// What a search returns; [`EngineError`] unless another error is named.
pub type Result<T, E = EngineError> = std::result::Result<T, E>;

/// An error of a search; each text is one line, with the remedy if there is one.
#[derive(Debug, thiserror::Error)]
pub enum EngineError {
    /// The puzzle broke its contract or refused its input.
    #[error(transparent)]
    Plugin(PluginError),
    /// The engine cannot hold this search; the text says why and what can.
    #[error("{0}")]
    CannotHold(String),
    /// The engine does not take an option; the text names the engines that do.
    #[error("{0}")]
    NotTaken(String),
    /// The graph has more levels than distances can represent.
    #[error("{0}")]
    TooDeep(String),
    /// A library, or two variants, answer one question in two ways; the line has both answers.
    #[error("{0}")]
    Disagree(String),
    /// An answer of a library could not be requested again, so nothing rests on it.
    #[error("{0}")]
    NotAsked(String),
    /// Not enough memory: the amount needed, the amount available, and the remedy.
    #[error("{0}")]
    Memory(String),
    /// Not enough disk, or a folder on it that is gone, with the remedy.
    #[error("{0}")]
    Disk(String),
    /// A process that shares the search is gone, with the reason.
    #[error("{0}; start all of them again with --resume to continue")]
    Peer(String),
    /// A process that shares the search has its results already.
    #[error(
        "process {0} holds the results of this run, and they stay as they are; leave out --resume on all to run it again"
    )]
    Finished(usize),
    /// A file or folder cannot be read or written; or a work folder belongs to another run, or to
    /// nobody, or is in use.
    #[error("{}: {reason}", path.display())]
    Io {
        /// The file or folder.
        path: PathBuf,
        /// Finding and remedy.
        reason: String,
    },
    /// A file of a work folder differs from what was written.
    #[error("{}: damaged ({what}); rerun with --resume to continue from what is sound before it", path.display())]
    Damaged {
        /// The file.
        path: PathBuf,
        /// The finding.
        what: String,
    },
}

impl From<PluginError> for EngineError {
    fn from(error: PluginError) -> Self {
        match error {
            PluginError::Disagree(line) => Self::Disagree(line),
            error => Self::Plugin(error),
        }
    }
}

impl EngineError {
    /// A puzzle with levels beyond the deepest distance.
    pub(crate) fn too_deep(opened: &Opened, deepest: usize) -> Self {
        let name = opened.full_name();
        Self::TooDeep(format!(
            "{name}: deeper than {} levels, more than this version counts; stop before by --max-depth",
            HumanCount(deepest as u64)
        ))
    }

    /// An instance that a search cannot take, and why.
    pub(crate) fn refused(opened: &Opened, why: impl std::fmt::Display) -> Self {
        Self::CannotHold(format!("{}: {why}", opened.full_name()))
    }

    /// A system error at a path.
    pub(crate) fn io(path: &Path, error: &io::Error) -> Self {
        let reason = match error.kind() {
            ErrorKind::StorageFull | ErrorKind::QuotaExceeded => {
                return Self::Disk(format!(
                    "{}: the disk is full; what is finished is kept: free some space and rerun with --resume",
                    path.display()
                ));
            }
            ErrorKind::FileTooLarge => {
                return Self::Disk(format!(
                    "{}: larger than files may be here; what is finished is kept: raise the limit (ulimit -f) and rerun with --resume",
                    path.display()
                ));
            }
            // Nothing is opened that was not there before.
            ErrorKind::NotFound => {
                return Self::gone(match folder_of(path) {
                    folder if folder.exists() => path,
                    folder => folder,
                });
            }
            ErrorKind::PermissionDenied => {
                "no permission; change it, or choose another folder with --work".into()
            }
            ErrorKind::IsADirectory => {
                "a folder where a file should be; move it away, or choose another folder with --work".into()
            }
            _ if is_out_of_files(error) => {
                "too many open files; raise the limit (ulimit -n)".into()
            }
            _ => error.to_string(),
        };
        let path = path.to_owned();
        Self::Io { path, reason }
    }

    /// A folder or file that somebody removed or replaced during the run.
    pub(crate) fn gone(path: &Path) -> Self {
        Self::Disk(format!(
            "{}: removed during the run; leave it in place, and run the command again",
            path.display()
        ))
    }

    /// The system does not give this much memory.
    pub(crate) fn no_memory(bytes: u64, error: &io::Error) -> Self {
        Self::Memory(format!(
            "{} of memory were not available ({error}); free some, or give a smaller --memory",
            human(bytes)
        ))
    }

    /// A file that differs from what was written.
    pub(crate) fn damaged(path: &Path, what: impl Into<String>) -> Self {
        Self::Damaged {
            path: path.to_owned(),
            what: what.into(),
        }
    }

    /// A folder that belongs to another run, or is in use.
    pub(crate) fn foreign(path: &Path, reason: String) -> Self {
        Self::Io {
            path: path.to_owned(),
            reason,
        }
    }
}

/// The content of a mutex. A panic elsewhere ends the search, and what was written stays valid.
pub(crate) fn locked<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

/// Whether the system refuses more open files for this process, or for all.
fn is_out_of_files(error: &io::Error) -> bool {
    #[cfg(unix)]
    {
        use rustix::io::Errno;
        let out_of_files = [Errno::MFILE, Errno::NFILE];
        let errno = Errno::from_io_error(error);
        errno.is_some_and(|errno| out_of_files.contains(&errno))
    }
    #[cfg(not(unix))]
    {
        let _ = error;
        false
    }
}
