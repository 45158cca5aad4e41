//! One run a folder.

use std::fs::{File, TryLockError};
use std::path::Path;

use super::WorkError;

/// Keeps other runs out of a folder for as long as it lives. The system lets go of it when
/// the process ends, however that happens.
#[derive(Debug)]
pub struct Lock {
    _folder: File,
}

/// Locks a folder, which `option` named.
///
/// # Errors
/// [`WorkError`]: another run is at work there, or the folder cannot be opened.
pub fn lock(folder: &Path, option: &str) -> Result<Lock, WorkError> {
    // The folder itself: a file in it could be removed and made anew by somebody else.
    let file = File::open(folder).map_err(|error| WorkError::io(folder, &error))?;
    match file.try_lock() {
        Ok(()) => Ok(Lock { _folder: file }),
        Err(TryLockError::WouldBlock) => Err(WorkError::foreign(
            folder,
            format!("another run is at work there; wait for its end, or choose another {option}"),
        )),
        Err(TryLockError::Error(error)) => Err(WorkError::io(folder, &error)),
    }
}
