use std::fmt;
use std::io::{self, ErrorKind};
use std::path::{Path, PathBuf};

/// Why one of our files could not be read; the text is one line with file, line and column.
#[derive(Debug, thiserror::Error)]
pub enum ReadError {
    /// The file could not be opened or read at all.
    #[error("cannot read {}: {}", path.display(), io_text(error))]
    Io {
        /// The file.
        path: PathBuf,
        /// The system's reason. It is part of the text, and not a source behind it: a printed chain
        /// would repeat it.
        error: io::Error,
    },
    /// The file was read, but its content is not as expected.
    #[error("cannot read {}, line {line}{}: {reason}", path.display(), column_text(column.as_ref()))]
    Content {
        /// The file.
        path: PathBuf,
        /// Line, from 1.
        line: u64,
        /// Column, if one is known.
        column: Option<Column>,
        /// The error there.
        reason: String,
    },
}

/// A column within a line.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Column {
    /// In a text, from 1.
    At(u64),
    /// In a table, by its name.
    Named(String),
}

impl fmt::Display for Column {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Column::At(number) => write!(f, "{number}"),
            Column::Named(name) => f.write_str(name),
        }
    }
}

impl ReadError {
    pub(crate) fn io(path: &Path, error: io::Error) -> Self {
        ReadError::Io {
            path: path.to_owned(),
            error,
        }
    }

    pub(crate) fn line(path: &Path, line: u64, reason: impl Into<String>) -> Self {
        Self::at(path, line, None, reason)
    }

    /// A cell of a table.
    pub(crate) fn cell(path: &Path, line: u64, column: &str, reason: impl Into<String>) -> Self {
        Self::at(path, line, Some(Column::Named(column.to_owned())), reason)
    }

    pub(crate) fn at(
        path: &Path,
        line: u64,
        column: Option<Column>,
        reason: impl Into<String>,
    ) -> Self {
        ReadError::Content {
            path: path.to_owned(),
            line,
            column,
            reason: reason.into(),
        }
    }

    /// The same error, with the remedy after a damaged content.
    pub(crate) fn with_remedy(self, remedy: &str) -> Self {
        match self {
            ReadError::Content {
                path,
                line,
                column,
                reason,
            } if !reason.contains("; ") => ReadError::Content {
                path,
                line,
                column,
                reason: format!("{reason}; {remedy}"),
            },
            // Another reason names its own remedy (a newer schema), or is in the file system.
            other => other,
        }
    }
}

fn column_text(column: Option<&Column>) -> String {
    column
        .map(|column| format!(", column {column}"))
        .unwrap_or_default()
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

#[cfg(test)]
mod tests {
    use super::*;
    use std::error::Error;

    /// A chain of errors is printed link by link.
    #[test]
    fn the_reason_is_said_once() {
        let missing = std::fs::read("no/such/file").unwrap_err();
        let error = ReadError::io(Path::new("a.csv"), missing);
        assert_eq!(
            error.to_string(),
            "cannot read a.csv: there is no such file"
        );
        assert!(error.source().is_none());
        let own = io::Error::new(ErrorKind::NotFound, "it is gone");
        let error = ReadError::io(Path::new("a.csv"), own);
        assert_eq!(error.to_string(), "cannot read a.csv: it is gone");
        assert!(error.source().is_none());
    }
}
