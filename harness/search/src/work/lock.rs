//! One run a folder.

use crate::error::EngineError;
use std::fs::{File, TryLockError};
use std::path::Path;

/// Keeps other runs out of a folder for as long as it lives. The system lets go of it when
/// the process ends, however that happens.
#[derive(Debug)]
pub struct Lock {
    _folder: File,
}

/// Locks a folder, which `option` named.
///
/// # Errors
/// [`EngineError`]: another run is at work there, or the folder cannot be opened.
pub fn lock(folder: &Path, option: &str) -> Result<Lock, EngineError> {
    // The folder itself: a file in it could be removed and made anew by somebody else.
    let file = File::open(folder).map_err(|error| EngineError::io(folder, &error))?;
    let locked = file.try_lock();
    held(file, locked, folder, option)
}

/// Locks a folder against runs that would write there.
///
/// # Errors
/// As [`lock`].
pub(super) fn lock_to_read(folder: &Path, option: &str) -> Result<Lock, EngineError> {
    let file = File::open(folder).map_err(|error| EngineError::io(folder, &error))?;
    let locked = file.try_lock_shared();
    held(file, locked, folder, option)
}

fn held(
    file: File,
    locked: Result<(), TryLockError>,
    folder: &Path,
    option: &str,
) -> Result<Lock, EngineError> {
    match locked {
        Ok(()) => Ok(Lock { _folder: file }),
        Err(TryLockError::WouldBlock) => Err(EngineError::foreign(
            folder,
            format!("another run is at work there; wait for its end, or choose another {option}"),
        )),
        Err(TryLockError::Error(error)) => Err(EngineError::io(folder, &error)),
    }
}
