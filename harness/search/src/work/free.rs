//! Free space on the disk of a work folder.

use std::path::Path;

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
