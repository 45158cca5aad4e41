//! Files that appear whole or not at all.

use crate::text::{one_line, regular};
use std::fs;
use std::io::{self, ErrorKind, Write};
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicUsize, Ordering};
use tempfile::{NamedTempFile, TempPath};

const SUFFIX: &str = ".part";
const PREFIX: &str = ".antipode-";

/// Why a file could not be written; the text is one line that names the path and the remedy.
#[derive(Debug, thiserror::Error)]
#[error("cannot write {}: {reason}", path.display())]
pub struct WriteError {
    path: PathBuf,
    reason: String,
    /// Not a source in the sense of [`std::error::Error`]: the reason says it already, and a
    /// printed chain would repeat it.
    error: io::Error,
}

impl WriteError {
    /// The folder does not accept a file of this name.
    fn place(path: &Path, folder: &Path, error: io::Error) -> Self {
        let error = bare(error);
        WriteError {
            path: path.to_owned(),
            reason: place_and_mend(path, folder, &error),
            error,
        }
    }

    /// The file was begun, but its content could not be written to the disk.
    pub(crate) fn content(path: &Path, error: io::Error) -> Self {
        let error = bare(error);
        WriteError {
            path: path.to_owned(),
            reason: content_and_mend(&error),
            error,
        }
    }

    /// The file at the path must not be overwritten.
    pub(crate) fn refused(path: &Path, reason: impl Into<String>) -> Self {
        WriteError {
            path: path.to_owned(),
            reason: reason.into(),
            error: ErrorKind::AlreadyExists.into(),
        }
    }

    /// The path that could not be written.
    pub fn path(&self) -> &Path {
        &self.path
    }

    /// The system's own reason.
    pub fn io_error(&self) -> &io::Error {
        &self.error
    }
}

/// Writes a file through a temporary one in the same folder, which takes its name only once its
/// content is on the disk. On any failure, the old file, if there was one, is not changed.
pub fn write_atomically(
    path: impl AsRef<Path>,
    content: impl AsRef<[u8]>,
) -> Result<(), WriteError> {
    let path = path.as_ref();
    let staged = stage(&behind_link(path), content.as_ref());
    let written = staged.and_then(Staged::appear);
    written.map_err(|error| WriteError {
        path: path.to_owned(),
        ..error
    })
}

static STAGED: AtomicUsize = AtomicUsize::new(0);

/// Whether files on the disk wait for their names: a process that has to end soon should wait until
/// there are none.
pub fn are_staged() -> bool {
    STAGED.load(Ordering::Relaxed) > 0
}

/// Counts a file as staged for as long as it lives.
#[derive(Debug)]
struct StagedCount;

impl StagedCount {
    fn new() -> Self {
        STAGED.fetch_add(1, Ordering::Relaxed);
        Self
    }
}

impl Drop for StagedCount {
    fn drop(&mut self) {
        STAGED.fetch_sub(1, Ordering::Relaxed);
    }
}

/// A file that is on the disk whole, and does not have its name yet.
#[derive(Debug)]
pub(crate) struct Staged {
    path: PathBuf,
    temporary: TempPath,
    _counted: StagedCount,
}

/// Brings a file's content to the disk without giving it its name. A link at the name is not
/// followed.
pub(crate) fn stage(path: &Path, content: &[u8]) -> Result<Staged, WriteError> {
    let counted = StagedCount::new();
    let place = |source| WriteError::place(path, folder_of(path), source);
    // A rename would replace a device such as `/dev/null` by a plain file, for everybody on the
    // machine.
    regular(path).map_err(place)?;
    let mut temporary = temporary_beside(path).map_err(place)?;
    let written = temporary.write_all(content);
    let written = written.and_then(|()| temporary.as_file().sync_all());
    written.map_err(|source| WriteError::content(path, source))?;
    Ok(Staged {
        path: path.to_owned(),
        temporary: temporary.into_temp_path(),
        _counted: counted,
    })
}

impl Staged {
    pub(crate) fn appear(self) -> Result<(), WriteError> {
        let Staged {
            path,
            temporary,
            _counted,
        } = self;
        let place = |source| WriteError::place(&path, folder_of(&path), source);
        temporary
            .persist(&path)
            .map_err(|failed| place(failed.error))
    }
}

/// Creates a folder with its parents if missing, and checks that files can be made in it. So a long
/// run fails at its start rather than at its end.
pub fn ensure_dir(path: impl AsRef<Path>) -> Result<(), WriteError> {
    let path = path.as_ref();
    create_and_probe(path).map_err(|source| WriteError::place(path, path, source))
}

/// Like [`ensure_dir`], and removes the files of a killed process as [`sweep`] does; the caller
/// keeps other processes out.
pub(crate) fn ensure_clean(path: impl AsRef<Path>) -> Result<(), WriteError> {
    let path = path.as_ref();
    ensure_dir(path)?;
    sweep(path).map_err(|error| WriteError::content(path, error))
}

/// Removes the temporary files that [`write_atomically`] left in a folder when its process was
/// killed.
pub fn sweep(folder: impl AsRef<Path>) -> io::Result<()> {
    for entry in fs::read_dir(folder)? {
        let entry = entry?;
        let name = entry.file_name();
        let name = name.to_string_lossy();
        if name.starts_with(PREFIX) && name.ends_with(SUFFIX) {
            fs::remove_file(entry.path())?;
        }
    }
    Ok(())
}

fn create_and_probe(path: &Path) -> io::Result<()> {
    fs::create_dir_all(path)?;
    tempfile::tempfile_in(path)?.write_all(b"probe")
}

/// A rename onto a link would replace the link, not the file that the user keeps behind it.
fn behind_link(path: &Path) -> PathBuf {
    let is_link = fs::symlink_metadata(path).is_ok_and(|data| data.is_symlink());
    if is_link {
        fs::canonicalize(path).unwrap_or_else(|_| path.to_owned())
    } else {
        path.to_owned()
    }
}

fn temporary_beside(path: &Path) -> io::Result<NamedTempFile> {
    let mut builder = tempfile::Builder::new();
    builder.prefix(PREFIX).suffix(SUFFIX);
    // Temporary files are private by default; the finished one should be as readable as any other.
    #[cfg(unix)]
    builder.permissions(std::os::unix::fs::PermissionsExt::from_mode(0o666));
    builder.tempfile_in(folder_of(path))
}

/// The folder that a file is in.
pub fn folder_of(path: &Path) -> &Path {
    match path.parent() {
        Some(folder) if !folder.as_os_str().is_empty() => folder,
        _ => Path::new("."),
    }
}

fn place_and_mend(path: &Path, folder: &Path, error: &io::Error) -> String {
    let (is_there, is_itself) = (folder.is_dir(), path == folder);
    let there = folder.ancestors().find(|folder| folder.is_dir());
    let there = there.unwrap_or(Path::new(".")).display();
    let folder = folder.display();
    match error.kind() {
        // Systems also report this for folders such as /proc, which take no files.
        ErrorKind::NotFound if is_there => {
            format!("no file can be made in {folder}; choose another place")
        }
        ErrorKind::NotFound if is_itself => {
            "the folder cannot be made there; choose another place".to_owned()
        }
        ErrorKind::NotFound => {
            format!("the folder {folder} does not exist; create it, or choose another place")
        }
        ErrorKind::PermissionDenied => {
            format!(
                "no permission to make files in {there}; change its permissions, or choose another place"
            )
        }
        ErrorKind::ReadOnlyFilesystem => {
            format!("{there} is on a read-only file system; choose another place")
        }
        ErrorKind::IsADirectory => "it is a folder; name a file inside it".to_owned(),
        ErrorKind::NotADirectory | ErrorKind::AlreadyExists => {
            "something that is no folder is where one is needed; move it away, or choose another place"
                .to_owned()
        }
        _ => content_and_mend(error),
    }
}

/// The reason and the remedy of an error while something is written.
pub fn content_and_mend(error: &io::Error) -> String {
    match error.kind() {
        ErrorKind::StorageFull | ErrorKind::QuotaExceeded => {
            "the disk is full; free some space, or choose a place on another disk".to_owned()
        }
        ErrorKind::FileTooLarge => {
            "larger than files may be here; raise the limit (ulimit -f)".to_owned()
        }
        ErrorKind::InvalidFilename => "the name is too long; choose a shorter one".to_owned(),
        _ => one_line(&error.to_string()),
    }
}

/// The system's own text, without the name of the temporary file after it, which means nothing to a
/// user.
fn bare(error: io::Error) -> io::Error {
    let text = error.to_string();
    match text.split_once(" at path \"") {
        Some((reason, path)) if path.trim_end_matches('"').ends_with(SUFFIX) => {
            io::Error::new(error.kind(), reason)
        }
        _ => error,
    }
}
