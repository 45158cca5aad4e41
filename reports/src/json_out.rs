//! JSON in and out.

use crate::atomic::{WriteError, write_atomically};
use crate::read_error::{Column, ReadError};
use serde::de::DeserializeOwned;
use serde::{Deserialize, Serialize};
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

/// The schema alone, which every version can read.
#[derive(Deserialize)]
struct Schema {
    schema: u32,
}

/// Reads a JSON file of ours; one of a newer form is named as such, not as damaged.
pub(crate) fn read_versioned<T: DeserializeOwned>(path: &Path, known: u32) -> Result<T, ReadError> {
    let Schema { schema } = read_json(path)?;
    if schema > known {
        return Err(ReadError::line(
            path,
            1,
            format!(
                "it is of schema {schema}, and this version reads up to {known}; use the version of Antipode that wrote it, or a newer one"
            ),
        ));
    }
    read_json(path)
}

fn content_error(path: &Path, error: &serde_json::Error) -> ReadError {
    let (line, column) = (error.line(), error.column());
    // serde_json ends its text with the place, which the line already names in front.
    let text = error.to_string();
    let place = format!(" at line {line} column {column}");
    let reason = text.strip_suffix(&place).unwrap_or(&text);
    ReadError::at(path, line as u64, Some(Column::At(column as u64)), reason)
}
