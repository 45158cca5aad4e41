//! One run a folder.

use crate::error::EngineError;
use std::fs::{self, File, Metadata, TryLockError};
use std::os::unix::fs::MetadataExt;
use std::path::Path;
use std::sync::{Arc, Mutex, PoisonError};
use std::thread;
use std::time::Duration;

/// Locks a folder against other runs for its lifetime. The system releases the lock when the
/// process ends, in any way.
#[derive(Debug)]
pub struct Lock {
    _folder: Arc<File>,
}

/// Folders that this process locks until its end.
static HELD: Mutex<Vec<(u64, u64, Arc<File>)>> = Mutex::new(Vec::new());

/// Locks a folder against other processes until this one ends; this process itself may lock it
/// again.
///
/// # Errors
/// Same as [`lock`].
pub fn hold(folder: &Path, option: &str) -> Result<(), EngineError> {
    let lock = lock(folder, option)?;
    let found = fs::metadata(folder).map_err(|error| EngineError::io(folder, &error))?;
    let mut held = HELD.lock().unwrap_or_else(PoisonError::into_inner);
    held.push((found.dev(), found.ino(), lock._folder));
    Ok(())
}

/// Locks a folder, which `option` named.
///
/// # Errors
/// [`EngineError`]: another run is using it, or the folder cannot be opened.
pub fn lock(folder: &Path, option: &str) -> Result<Lock, EngineError> {
    // The folder itself is locked: somebody else could remove and recreate a file in it.
    let file = File::open(folder).map_err(|error| EngineError::io(folder, &error))?;
    let own = file.metadata().ok().and_then(|found| {
        let held = HELD.lock().unwrap_or_else(PoisonError::into_inner);
        let same = |(dev, ino, _): &&(u64, u64, _)| (*dev, *ino) == (found.dev(), found.ino());
        held.iter().find(same).map(|(.., file)| Arc::clone(file))
    });
    if let Some(folder) = own {
        return Ok(Lock { _folder: folder });
    }
    held(file, File::try_lock, folder, option)
}

/// Locks a folder against runs that would write there.
///
/// # Errors
/// Same as [`lock`].
pub(super) fn lock_to_read(folder: &Path, option: &str) -> Result<Lock, EngineError> {
    let file = File::open(folder).map_err(|error| EngineError::io(folder, &error))?;
    held(file, File::try_lock_shared, folder, option)
}

/// Attempts at a lock. A process that is being started has our open files, and with them their
/// locks, until its own program runs.
const ATTEMPTS: u32 = 20;

fn held(
    file: File,
    attempt: fn(&File) -> Result<(), TryLockError>,
    folder: &Path,
    option: &str,
) -> Result<Lock, EngineError> {
    let mut locked = attempt(&file);
    for _ in 1..ATTEMPTS {
        if !matches!(locked, Err(TryLockError::WouldBlock)) {
            break;
        }
        thread::sleep(Duration::from_millis(10));
        locked = attempt(&file);
    }
    match locked {
        Ok(()) => Ok(Lock {
            _folder: Arc::new(file),
        }),
        Err(TryLockError::WouldBlock) => {
            let holder = file.metadata().ok().and_then(|found| holder(&found));
            let holder = holder.map_or_else(String::new, |pid| format!(" (process {pid})"));
            Err(EngineError::foreign(
                folder,
                format!(
                    "another run is at work there{holder}; wait for its end, or choose another {option}"
                ),
            ))
        }
        Err(TryLockError::Error(error)) => Err(EngineError::io(folder, &error)),
    }
}

/// The process that has locked a folder, if the system reports it, as Linux does.
fn holder(found: &Metadata) -> Option<u32> {
    let locks = fs::read_to_string("/proc/locks").ok()?;
    // 1: FLOCK  ADVISORY  WRITE 4756 fe:00:5310518 0 EOF
    let inode = found.ino().to_string();
    locks.lines().find_map(|line| {
        let mut words = line.split_whitespace().skip(1);
        let is_flock = words.next() == Some("FLOCK");
        let pid = words.nth(2)?;
        let place = words.next()?;
        let same = place.rsplit(':').next() == Some(&inode);
        // For a process in another container, it is 0.
        pid.parse().ok().filter(|&pid| is_flock && same && pid != 0)
    })
}
