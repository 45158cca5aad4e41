//! JSON in and out.

use crate::atomic::{WriteError, write_atomically};
use crate::model::Record;
use crate::read_error::{Column, ReadError};
use serde::de::DeserializeOwned;
use serde::{Deserialize, Serialize};
use std::fs;
use std::path::Path;

/// Writes a record as indented JSON that ends in a newline, whole or not at all. Its first member,
/// `record`, is its [name](Record::SCHEMA).
///
/// # Errors
/// [`WriteError`] with the path and what helps.
pub fn write_record<T: Record>(path: impl AsRef<Path>, record: &T) -> Result<(), WriteError> {
    write_json(path.as_ref(), &Named::of(record))
}

/// Writes an array of records, each with its name.
///
/// # Errors
/// As [`write_record`].
pub fn write_records<T: Record>(path: impl AsRef<Path>, records: &[T]) -> Result<(), WriteError> {
    let named: Vec<Named<'_, T>> = records.iter().map(Named::of).collect();
    write_json(path.as_ref(), &named)
}

fn write_json<T: Serialize>(path: &Path, value: &T) -> Result<(), WriteError> {
    write_atomically(path, |out| {
        serde_json::to_writer_pretty(&mut *out, value)?;
        out.write_all(b"\n")
    })
}

#[derive(Serialize)]
struct Named<'a, T> {
    record: &'static str,
    #[serde(flatten)]
    body: &'a T,
}

impl<'a, T: Record> Named<'a, T> {
    fn of(body: &'a T) -> Self {
        let record = T::SCHEMA;
        Named { record, body }
    }
}

/// Reads a value; the error names file, line and column.
pub fn read_json<T: DeserializeOwned>(path: impl AsRef<Path>) -> Result<T, ReadError> {
    let path = path.as_ref();
    let text = fs::read_to_string(path).map_err(|source| ReadError::io(path, source))?;
    serde_json::from_str(&text).map_err(|error| content_error(path, &error))
}

/// What a file says that it is. Files from before there were names have a number at most.
#[derive(Deserialize)]
struct Head {
    record: Option<String>,
    schema: Option<serde_json::Value>,
}

/// Reads a record; one of another name or of a newer version is named as such, not as damaged.
///
/// # Errors
/// As [`read_json`].
pub fn read_record<T: Record>(path: impl AsRef<Path>) -> Result<T, ReadError> {
    let path = path.as_ref();
    let (name, known) = parts(T::SCHEMA);
    let head: Head = read_json(path)?;
    let number = head.schema.as_ref().and_then(serde_json::Value::as_u64);
    let found = match &head.record {
        Some(record) if parts(record).0 != name => {
            let reason = format!(
                "it is of the schema {record}, where {} is needed",
                T::SCHEMA
            );
            return Err(ReadError::line(path, 1, reason));
        }
        Some(record) => number.max(Some(parts(record).1)),
        None => number,
    };
    match found {
        Some(version) if version > known => Err(ReadError::line(
            path,
            1,
            format!(
                "it is of schema {version}, and this version reads up to {known}; use the version of Antipode that wrote it, or a newer one"
            ),
        )),
        _ => read_json(path),
    }
}

/// A name and its version.
fn parts(schema: &str) -> (&str, u64) {
    let parts = schema.rsplit_once('-');
    let parts = parts.and_then(|(name, version)| Some((name, version.parse().ok()?)));
    parts.unwrap_or((schema, 0))
}

fn content_error(path: &Path, error: &serde_json::Error) -> ReadError {
    let (line, column) = (error.line(), error.column());
    // serde_json ends its text with the place, which the line already names in front.
    let text = error.to_string();
    let place = format!(" at line {line} column {column}");
    let reason = text.strip_suffix(&place).unwrap_or(&text);
    ReadError::at(path, line as u64, Some(Column::At(column as u64)), reason)
}
