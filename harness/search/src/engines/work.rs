//! Work folders: whose they are, what is free there, and what can go wrong with them.

use std::io::{self, ErrorKind};
use std::path::{Path, PathBuf};

use crate::engines::EngineError;
use antipode_graph::PluginError;

/// What a search with a work folder can fail of; each text is one line with the mend.
#[derive(Debug, thiserror::Error)]
pub enum WorkError {
    /// The puzzle broke its contract or refused its input.
    #[error(transparent)]
    Engine(#[from] EngineError),
    /// Not enough memory: what is needed, what is there, and the mend.
    #[error("{0}")]
    Memory(String),
    /// Not enough disk, with the mend.
    #[error("{0}")]
    Disk(String),
    /// A file or folder cannot be read or written.
    #[error("{}: {reason}", path.display())]
    Io {
        /// The file or folder.
        path: PathBuf,
        /// Cause and mend.
        reason: String,
    },
    /// A file of a work folder is not what was written.
    #[error("{}: damaged ({what}); {mend}", path.display())]
    Damaged {
        /// The file.
        path: PathBuf,
        /// What was found.
        what: String,
        /// What to do.
        mend: &'static str,
    },
    /// The work folder belongs to another search, or to nobody.
    #[error("{}: {reason}", path.display())]
    Foreign {
        /// The folder.
        path: PathBuf,
        /// What was found and the mend.
        reason: String,
    },
}

impl From<PluginError> for WorkError {
    fn from(error: PluginError) -> Self {
        Self::Engine(error.into())
    }
}

impl WorkError {
    /// A system error at a path.
    pub(super) fn io(path: &Path, error: &io::Error) -> Self {
        match error.kind() {
            ErrorKind::StorageFull | ErrorKind::QuotaExceeded => Self::Disk(format!(
                "{}: the disk is full; what is finished is kept: free some space and go on with --resume",
                path.display()
            )),
            ErrorKind::PermissionDenied => Self::Io {
                path: path.to_owned(),
                reason: "no permission; change it, or choose another folder with --work".into(),
            },
            _ => Self::Io {
                path: path.to_owned(),
                reason: error.to_string(),
            },
        }
    }
}

/// A folder that belongs to another search, or to nobody.
pub(super) fn foreign(path: &Path, reason: String) -> WorkError {
    WorkError::Foreign {
        path: path.to_owned(),
        reason,
    }
}

/// Bytes free for this user on the file system of a folder (or of its nearest parent
/// that exists); `None` where the system does not tell.
pub(super) fn free_bytes(path: &Path) -> Option<u64> {
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
