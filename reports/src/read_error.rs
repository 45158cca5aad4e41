use std::fmt::Display;
use std::io::{self, ErrorKind};
use std::path::{Path, PathBuf};

/// Why one of our files could not be read; the text is one line with file, line and column.
#[derive(Debug, thiserror::Error)]
#[error("cannot read {}{place}: {reason}", path.display())]
pub struct ReadError {
    path: PathBuf,
    /// Line and column; empty if the file could not be read at all.
    place: String,
    /// It is no source behind the error: a printed chain would repeat it.
    reason: String,
}

impl ReadError {
    pub(crate) fn io(path: &Path, error: io::Error) -> Self {
        Self::at(path, String::new(), io_text(&error))
    }

    pub(crate) fn line(path: &Path, line: u64, reason: impl Into<String>) -> Self {
        Self::at(path, format!(", line {line}"), reason)
    }

    /// A place in a line: the name of a column, or a number.
    pub(crate) fn cell(
        path: &Path,
        line: u64,
        column: impl Display,
        reason: impl Into<String>,
    ) -> Self {
        Self::at(path, format!(", line {line}, column {column}"), reason)
    }

    fn at(path: &Path, place: String, reason: impl Into<String>) -> Self {
        ReadError {
            path: path.to_owned(),
            place,
            reason: reason.into(),
        }
    }

    /// The same error, with a remedy for damaged content that names none.
    pub(crate) fn with_remedy(mut self, remedy: &str) -> Self {
        if !self.place.is_empty() && !self.reason.contains("; ") {
            self.reason += &format!("; {remedy}");
        }
        self
    }
}

/// The system's message, in words if it is a common one.
fn io_text(error: &io::Error) -> String {
    match error.kind() {
        // Our own error says more than its kind.
        _ if error.get_ref().is_some() => error.to_string(),
        ErrorKind::NotFound => "there is no such file".to_owned(),
        ErrorKind::NotADirectory => "a part of the path is a file, not a folder".to_owned(),
        ErrorKind::IsADirectory => "it is a folder; name a file inside it".to_owned(),
        ErrorKind::PermissionDenied => "no permission; change its permissions".to_owned(),
        _ => error.to_string(),
    }
}
