use std::io;
use std::path::{Path, PathBuf};

/// Why a file of ours could not be read; the text is one line with file, line and column.
#[derive(Debug, thiserror::Error)]
pub enum ReadError {
    /// The file could not be opened or read at all.
    #[error("cannot read {}: {source}", path.display())]
    Io {
        /// The file.
        path: PathBuf,
        /// The system's reason.
        source: io::Error,
    },
    /// The file was read, but does not hold what it should.
    #[error("cannot read {}, line {line}{}: {reason}", path.display(), column_text(*column))]
    Content {
        /// The file.
        path: PathBuf,
        /// Line, from 1.
        line: u64,
        /// Column from 1, where one is known.
        column: Option<u64>,
        /// What is wrong there.
        reason: String,
    },
}

impl ReadError {
    pub(crate) fn io(path: &Path, source: io::Error) -> Self {
        ReadError::Io {
            path: path.to_owned(),
            source,
        }
    }

    pub(crate) fn line(path: &Path, line: u64, reason: impl Into<String>) -> Self {
        ReadError::Content {
            path: path.to_owned(),
            line,
            column: None,
            reason: reason.into(),
        }
    }
}

fn column_text(column: Option<u64>) -> String {
    column
        .map(|column| format!(", column {column}"))
        .unwrap_or_default()
}
