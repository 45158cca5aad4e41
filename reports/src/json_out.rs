//! JSON in and out.

use crate::atomic::{WriteError, write_atomically};
use crate::model::Record;
use crate::read_error::ReadError;
use crate::text::read_file;
use serde::de::DeserializeOwned;
use serde::{Deserialize, Serialize};
use std::io;
use std::path::Path;

/// Writes a record as indented JSON that ends in a newline, whole or not at all. Its first member,
/// `record`, is its [name](Record::SCHEMA).
pub fn write_record<T: Record>(path: impl AsRef<Path>, record: &T) -> Result<(), WriteError> {
    let text = record_text(record).map_err(|error| WriteError::content(path.as_ref(), error))?;
    write_atomically(path, text)
}

/// The text of a file with a record.
pub fn record_text<T: Record>(record: &T) -> io::Result<String> {
    let mut text = serde_json::to_string_pretty(&NamedJson::of(record))? + "\n";
    if T::SEALED {
        let digest = blake3::hash(text.as_bytes()).to_hex();
        // After the brace and the name of the record, which is never the last member.
        let behind = text.match_indices('\n').nth(1).map_or(0, |(at, _)| at + 1);
        text.insert_str(behind, &format!("{SEAL}{digest}\",\n"));
    }
    Ok(text)
}

/// The beginning of the line with a file's digest of all its other lines.
const SEAL: &str = "  \"blake3\": \"";

/// Whether a text is unchanged, by its own digest; `None` if it has none.
fn is_as_sealed(text: &str) -> Option<bool> {
    let mut lines = text.split_inclusive('\n');
    let sealed = lines.find_map(|line| line.strip_prefix(SEAL))?;
    let rest = text.split_inclusive('\n');
    let mut hasher = blake3::Hasher::new();
    for line in rest.filter(|line| !line.starts_with(SEAL)) {
        hasher.update(line.as_bytes());
    }
    Some(sealed.trim_end() == format!("{}\",", hasher.finalize().to_hex()))
}

/// The text of a file with an array of records, each with its name.
pub fn records_text<T: Record>(records: &[T]) -> io::Result<String> {
    let named: Vec<NamedJson<'_, T>> = records.iter().map(NamedJson::of).collect();
    Ok(serde_json::to_string_pretty(&named)? + "\n")
}

/// The text of a result that is printed, not a file: its first member, `record`, is its name.
pub fn printed_text<T: Serialize>(record: &str, body: &T) -> io::Result<String> {
    Ok(serde_json::to_string_pretty(&NamedJson { record, body })? + "\n")
}

#[derive(Serialize)]
struct NamedJson<'a, T> {
    record: &'a str,
    #[serde(flatten)]
    body: &'a T,
}

impl<'a, T: Record> NamedJson<'a, T> {
    fn of(body: &'a T) -> Self {
        let record = T::SCHEMA;
        NamedJson { record, body }
    }
}

/// Reads a value; the error names file, line and column.
pub fn read_json<T: DeserializeOwned>(path: impl AsRef<Path>) -> Result<T, ReadError> {
    let path = path.as_ref();
    let text = read_file(path)?;
    parse(path, &text)
}

fn parse<T: DeserializeOwned>(path: &Path, text: &str) -> Result<T, ReadError> {
    serde_json::from_str(text).map_err(|error| content_error(path, &error))
}

/// A file's stated type. Files from before there were names have at most a number.
#[derive(Deserialize)]
struct Head {
    record: Option<String>,
    schema: Option<serde_json::Value>,
}

/// Reads a record; one of another name or of a newer version is reported as such, not as damaged. A
/// record with impossible figures, or whose own digest does not match, is refused.
pub fn read_record<T: Record>(path: impl AsRef<Path>) -> Result<T, ReadError> {
    read(path.as_ref(), T::SEALED)
}

/// Reads a record that is known to be changed, whatever its own digest.
pub(crate) fn read_changed<T: Record>(path: &Path) -> Result<T, ReadError> {
    read(path, false)
}

fn read<T: Record>(path: &Path, sealed: bool) -> Result<T, ReadError> {
    let (name, known) = parts(T::SCHEMA);
    let text = read_file(path)?;
    if !text.trim_start().starts_with('{') {
        return Err(ReadError::line(
            path,
            1,
            "is no record: it does not begin with {",
        ));
    }
    let head: Head = parse(path, &text)?;
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
    if let Some(version) = found.filter(|version| *version > known) {
        let reason = format!(
            "it is of schema {version}, and this version reads up to {known}; use the version of Antipode that wrote it, or a newer one"
        );
        return Err(ReadError::line(path, 1, reason));
    }
    let record: T = parse(path, &text)?;
    let line = |member: &str| {
        let before = text.split_once(&format!("\"{member}\":"));
        before.map_or(1, |(before, _)| before.matches('\n').count() as u64 + 1)
    };
    if sealed && is_as_sealed(&text) == Some(false) {
        let reason = "it was changed after it was written: its digest of itself does not match; have it written anew";
        return Err(ReadError::line(path, line("blake3"), reason));
    }
    let checked = record.check();
    checked.map_err(|(member, reason)| {
        ReadError::line(path, line(member), format!("{member}: {reason}"))
    })?;
    Ok(record)
}

fn parts(schema: &str) -> (&str, u64) {
    let parts = schema.rsplit_once('-');
    let parts = parts.and_then(|(name, version)| Some((name, version.parse().ok()?)));
    parts.unwrap_or((schema, 0))
}

fn content_error(path: &Path, error: &serde_json::Error) -> ReadError {
    let (line, column) = (error.line(), error.column());
    // serde_json ends its text with the place, which the line already has in front.
    let text = error.to_string();
    let place = format!(" at line {line} column {column}");
    let reason = text.strip_suffix(&place).unwrap_or(&text);
    ReadError::cell(path, line as u64, column, reason)
}
