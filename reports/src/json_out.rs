//! JSON in and out.

use crate::atomic::{WriteError, write_atomically};
use crate::read_error::ReadError;
use serde::Serialize;
use serde::de::DeserializeOwned;
use std::fs;
use std::io::{self, Write};
use std::path::Path;

/// Writes a value as indented JSON that ends in a newline, whole or not at all.
pub fn write_json<T: Serialize + ?Sized>(
    path: impl AsRef<Path>,
    value: &T,
) -> Result<(), WriteError> {
    write_atomically(path, |out| write_json_to(out, value))
}

/// Writes the same text as [`write_json`] to any stream.
pub fn write_json_to<T: Serialize + ?Sized>(out: &mut dyn Write, value: &T) -> io::Result<()> {
    serde_json::to_writer_pretty(&mut *out, value)?;
    out.write_all(b"\n")
}

/// Reads a value; the error names file, line and column.
pub fn read_json<T: DeserializeOwned>(path: impl AsRef<Path>) -> Result<T, ReadError> {
    let path = path.as_ref();
    let text = fs::read_to_string(path).map_err(|source| ReadError::io(path, source))?;
    serde_json::from_str(&text).map_err(|error| content_error(path, &error))
}

fn content_error(path: &Path, error: &serde_json::Error) -> ReadError {
    let (line, column) = (error.line(), error.column());
    // serde_json ends its text with the place, which the line already names in front.
    let text = error.to_string();
    let place = format!(" at line {line} column {column}");
    ReadError::Content {
        path: path.to_owned(),
        line: line as u64,
        column: Some(column as u64),
        reason: text.strip_suffix(&place).unwrap_or(&text).to_owned(),
    }
}
