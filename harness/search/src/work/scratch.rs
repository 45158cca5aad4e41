//! A work folder from which no run resumes.

use std::fs;
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicU64, Ordering};

use super::{clear, lock};
use crate::error::EngineError;

/// Prefix of the names of its own folders.
const OWN: &str = "run-";

/// A folder for the searches of a run, one after another, within a folder that several runs may
/// share. All its content is removed with the last of them.
#[derive(Debug)]
pub(crate) struct ScratchFolder {
    shared: PathBuf,
    own: PathBuf,
}

impl ScratchFolder {
    /// Creates a new folder for this run; removes those of killed runs.
    ///
    /// # Errors
    /// [`EngineError`] if the files that they left cannot be removed.
    pub(crate) fn within(shared: &Path) -> Result<Self, EngineError> {
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
