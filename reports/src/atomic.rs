//! Files that appear whole or not at all.

use std::fs;
use std::io::{self, BufWriter, ErrorKind, Write};
use std::path::{Path, PathBuf};
use tempfile::NamedTempFile;

/// Why a file could not be written; the text is one line that names the path and the mend.
#[derive(Debug, thiserror::Error)]
#[error("cannot write {}: {reason}", path.display())]
pub struct WriteError {
    path: PathBuf,
    reason: String,
    source: io::Error,
}

impl WriteError {
    /// The folder would not take a file of this name.
    fn place(path: &Path, folder: &Path, source: io::Error) -> Self {
        WriteError {
            path: path.to_owned(),
            reason: place_and_mend(folder, &source),
            source,
        }
    }

    /// The file was begun, but its content could not be brought to the disk.
    fn content(path: &Path, source: io::Error) -> Self {
        WriteError {
            path: path.to_owned(),
            reason: content_and_mend(&source),
            source,
        }
    }

    /// The path that could not be written.
    pub fn path(&self) -> &Path {
        &self.path
    }

    /// The system's own reason.
    pub fn io_error(&self) -> &io::Error {
        &self.source
    }
}

/// Writes a file by way of a temporary one in the same folder, which takes its name only once its
/// content is on the disk. On any failure the old file, if there was one, is left as it was.
pub fn write_atomically<F>(path: impl AsRef<Path>, write: F) -> Result<(), WriteError>
where
    F: FnOnce(&mut dyn Write) -> io::Result<()>,
{
    let path = path.as_ref();
    let target = behind_link(path);
    let place = |source| WriteError::place(path, folder_of(&target), source);
    refuse_special(&target).map_err(place)?;
    let temporary = temporary_beside(&target).map_err(place)?;
    let temporary = fill(temporary, write).map_err(|source| WriteError::content(path, source))?;
    temporary
        .persist(&target)
        .map_err(|failed| place(failed.error))?;
    Ok(())
}

/// Creates a folder with its parents where missing, and makes sure that files can be made in it, so
/// that a long run fails at its start rather than at its end.
pub fn ensure_dir(path: impl AsRef<Path>) -> Result<(), WriteError> {
    let path = path.as_ref();
    create_and_probe(path).map_err(|source| WriteError::place(path, path, source))
}

fn create_and_probe(path: &Path) -> io::Result<()> {
    fs::create_dir_all(path)?;
    tempfile::tempfile_in(path)?.write_all(b"probe")
}

fn fill<F>(temporary: NamedTempFile, write: F) -> io::Result<NamedTempFile>
where
    F: FnOnce(&mut dyn Write) -> io::Result<()>,
{
    let mut out = BufWriter::new(temporary);
    write(&mut out)?;
    let temporary = out.into_inner().map_err(io::IntoInnerError::into_error)?;
    temporary.as_file().sync_all()?;
    Ok(temporary)
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

/// A rename would replace a device such as `/dev/null` by a plain file, for everybody on the machine.
fn refuse_special(path: &Path) -> io::Result<()> {
    match fs::metadata(path) {
        Ok(data) if data.is_dir() => Err(ErrorKind::IsADirectory.into()),
        Ok(data) if !data.is_file() => Err(io::Error::new(
            ErrorKind::InvalidInput,
            "it is a device or a pipe; name a plain file",
        )),
        _ => Ok(()),
    }
}

fn temporary_beside(path: &Path) -> io::Result<NamedTempFile> {
    let mut builder = tempfile::Builder::new();
    builder.prefix(".antipode-").suffix(".part");
    // Temporary files are private by default; the finished one should be as readable as any other.
    #[cfg(unix)]
    builder.permissions(std::os::unix::fs::PermissionsExt::from_mode(0o666));
    builder.tempfile_in(folder_of(path))
}

fn folder_of(path: &Path) -> &Path {
    match path.parent() {
        Some(folder) if !folder.as_os_str().is_empty() => folder,
        _ => Path::new("."),
    }
}

fn place_and_mend(folder: &Path, error: &io::Error) -> String {
    let folder = folder.display();
    match error.kind() {
        ErrorKind::NotFound => {
            format!("the folder {folder} does not exist; create it, or choose another place")
        }
        ErrorKind::PermissionDenied => {
            format!(
                "no permission to make files in {folder}; change its permissions, or choose another place"
            )
        }
        ErrorKind::ReadOnlyFilesystem => {
            format!("{folder} is on a read-only file system; choose another place")
        }
        ErrorKind::IsADirectory => "it is a folder; name a file inside it".to_owned(),
        ErrorKind::NotADirectory | ErrorKind::AlreadyExists => {
            "a file stands where a folder is needed; move it away, or choose another place"
                .to_owned()
        }
        _ => content_and_mend(error),
    }
}

fn content_and_mend(error: &io::Error) -> String {
    match error.kind() {
        ErrorKind::StorageFull | ErrorKind::QuotaExceeded => {
            "the disk is full; free some space, or choose a place on another disk".to_owned()
        }
        _ => error
            .to_string()
            .split_whitespace()
            .collect::<Vec<_>>()
            .join(" "),
    }
}
