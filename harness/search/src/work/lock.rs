//! One run a folder.

use std::fs::{self, File, Metadata, TryLockError};
use std::os::unix::fs::MetadataExt;
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, Mutex};
use std::thread;
use std::time::{Duration, Instant};

use antipode_reports::atomic::folder_of;

use super::clear;
use crate::error::{EngineError, Result, locked};

/// Locks a folder against other runs for its lifetime. The system releases the lock when the
/// process ends, in any way.
#[derive(Debug)]
pub struct Lock {
    _folder: Arc<File>,
}

/// What this process locks until its end; folders with their paths.
static HELD: Mutex<Vec<Held>> = Mutex::new(Vec::new());

struct Held {
    id: (u64, u64),
    file: Arc<File>,
    folder: Option<PathBuf>,
}

fn id(found: &Metadata) -> (u64, u64) {
    (found.dev(), found.ino())
}

/// The error that a folder which this process holds is no longer at its path.
pub fn gone() -> Option<EngineError> {
    let held = locked(&HELD);
    held.iter().find_map(|held| {
        let folder = held.folder.as_ref()?;
        let now = fs::metadata(folder).map(|found| id(&found)).ok();
        (now != Some(held.id)).then(|| EngineError::gone(folder))
    })
}

/// Locks a folder against other processes until this one ends; this process itself may lock it
/// again.
pub fn hold(folder: &Path, option: &str) -> Result<()> {
    let lock = lock(folder, option)?;
    let found = fs::metadata(folder).map_err(|error| EngineError::io(folder, &error))?;
    locked(&HELD).push(Held {
        id: id(&found),
        file: lock._folder,
        folder: Some(folder.to_owned()),
    });
    Ok(())
}

/// Locks a file that is replaced as a whole, or its folder while there is no such file, like
/// [`hold`]; waits as long for another process that has it.
///
/// # Errors
/// As for [`lock`].
pub fn hold_file(file: &Path, option: &str, wait: Duration) -> Result<()> {
    loop {
        let place = || {
            if file.is_file() {
                file
            } else {
                folder_of(file)
            }
        };
        let lock = lock_as(place(), file, option, wait)?;
        let found = lock._folder.metadata();
        let found = found.map_err(|error| EngineError::io(file, &error))?;
        // The process that was waited for may have put another file there.
        let now = fs::metadata(place());
        if now.is_ok_and(|now| id(&now) == id(&found)) {
            locked(&HELD).push(Held {
                id: id(&found),
                file: lock._folder,
                folder: None,
            });
            return Ok(());
        }
    }
}

/// Locks a folder, which `option` named.
///
/// # Errors
/// [`EngineError`]: another run is using it, or the folder cannot be opened.
pub fn lock(folder: &Path, option: &str) -> Result<Lock> {
    // The folder itself is locked: somebody else could remove and recreate a file in it.
    lock_as(folder, folder, option, AT_ONCE)
}

/// Locks a place, which errors call by another name.
fn lock_as(place: &Path, name: &Path, option: &str, wait: Duration) -> Result<Lock> {
    let file = File::open(place).map_err(|error| EngineError::io(place, &error))?;
    let own = file.metadata().ok().and_then(|found| {
        let held = locked(&HELD);
        let same = held.iter().find(|held| held.id == id(&found))?;
        Some(Arc::clone(&same.file))
    });
    if let Some(folder) = own {
        return Ok(Lock { _folder: folder });
    }
    held(file, File::try_lock, (name, option), wait)
}

/// Locks a folder against runs that would write there.
pub(super) fn lock_to_read(folder: &Path, option: &str) -> Result<Lock> {
    let file = File::open(folder).map_err(|error| EngineError::io(folder, &error))?;
    held(file, File::try_lock_shared, (folder, option), AT_ONCE)
}

/// How long a lock is waited for. A process that is being started has our open files, and with them
/// their locks, until its own program runs.
pub const AT_ONCE: Duration = Duration::from_millis(200);

fn held(
    file: File,
    attempt: fn(&File) -> Result<(), TryLockError>,
    (folder, option): (&Path, &str),
    wait: Duration,
) -> Result<Lock> {
    let (mut locked, begun) = (attempt(&file), Instant::now());
    while matches!(locked, Err(TryLockError::WouldBlock)) && begun.elapsed() < wait {
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

// A work folder from which no run resumes.

/// Prefix of the names of its own folders.
const OWN: &str = "run-";

/// A folder for the searches of a run, one after another, within a folder that several runs may
/// share. All its content is removed with the last of them.
pub(crate) struct ScratchFolder {
    shared: PathBuf,
    own: PathBuf,
}

impl ScratchFolder {
    /// Creates a new folder for this run; removes those of killed runs.
    ///
    /// # Errors
    /// [`EngineError`] if the files that they left cannot be removed.
    pub(crate) fn within(shared: &Path) -> Result<Self> {
        static NEXT: AtomicU64 = AtomicU64::new(0);
        let entries = fs::read_dir(shared).into_iter().flatten().flatten();
        let left = entries.filter(|entry| {
            let is_own = entry.file_name().to_string_lossy().starts_with(OWN);
            is_own && entry.file_type().is_ok_and(|kind| kind.is_dir())
        });
        for entry in left {
            // The run that has the lock is alive.
            if lock(&entry.path(), "--work").is_ok() {
                clear(&entry.path(), true)?;
            }
        }
        let (process, number) = (std::process::id(), NEXT.fetch_add(1, Ordering::Relaxed));
        Ok(Self {
            shared: shared.to_owned(),
            own: shared.join(format!("{OWN}{process}-{number}")),
        })
    }

    /// The folder.
    pub(crate) fn path(&self) -> &Path {
        &self.own
    }
}

impl Drop for ScratchFolder {
    fn drop(&mut self) {
        // Files that cannot be removed are removed by the next run, or reported by it.
        let _ = clear(&self.own, true);
        // Not if it holds another run's folder, or anything else.
        let _ = fs::remove_dir(&self.shared);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_held_folder_that_is_gone_is_told() {
        let shared = tempfile::tempdir().expect("a folder");
        let folder = shared.path().join("out");
        fs::create_dir(&folder).expect("made");
        hold(&folder, "--out").expect("locked");
        assert!(gone().is_none());
        // Another one in its place is not the same.
        fs::rename(&folder, shared.path().join("old")).expect("moved");
        fs::create_dir(&folder).expect("made");
        for _ in 0..2 {
            let line = gone().expect("gone").to_string();
            assert!(line.contains("out: removed during the run"), "{line}");
            let _ = fs::remove_dir(&folder);
        }
        // Its files can be neither written nor opened, and that is a limit.
        let file = folder.join("file");
        let missing = fs::File::create(&file).expect_err("no folder");
        fs::create_dir(&folder).expect("made");
        let also = fs::File::open(&file).expect_err("no file");
        for (missing, exists) in [(also, true), (missing, false)] {
            let error = EngineError::io(&file, &missing);
            assert!(matches!(error, EngineError::Disk(_)), "{error}");
            assert_eq!(error.to_string().contains("file: removed"), exists);
            let _ = fs::remove_dir(&folder);
        }
    }

    #[test]
    fn what_a_killed_run_left_goes_and_what_a_living_one_has_stays() {
        let shared = tempfile::tempdir().expect("a folder");
        let leave = |name: &str| {
            let folder = shared.path().join(name);
            fs::create_dir(&folder).expect("made");
            fs::write(folder.join("forward-00000.level"), "x").expect("written");
            fs::write(folder.join("progress.jsonl"), "{\"identity\":{}}\n").expect("written");
            folder
        };
        let (dead, alive) = (leave("run-1-0"), leave("run-2-0"));
        let _at_work = lock(&alive, "--work").expect("locked");
        let other = shared.path().join("notes.txt");
        fs::write(&other, "mine").expect("written");
        let first = ScratchFolder::within(shared.path()).expect("swept");
        let second = ScratchFolder::within(shared.path()).expect("swept");
        assert_ne!(first.path(), second.path());
        assert!(!dead.exists() && alive.exists() && !first.path().exists());
        let left = leave(&first.path().file_name().expect("named").to_string_lossy());
        drop(first);
        assert!(!left.exists() && other.exists());
    }
}
