use super::{Comparison, SAMPLES_CSV, SCHEMA, Sample};
use crate::atomic::{WriteError, write_atomically};
use crate::read_error::ReadError;
use serde::Serialize;
use serde::de::DeserializeOwned;
use std::fs;
use std::io::{self, Write};
use std::path::Path;

/// Writes samples as `samples.csv` holds them.
pub fn write_samples(path: impl AsRef<Path>, samples: &[Sample]) -> Result<(), WriteError> {
    write_atomically(path, |out| write_samples_to(out, samples))
}

/// Writes the same text as [`write_samples`] to any stream.
pub fn write_samples_to(out: &mut dyn Write, samples: &[Sample]) -> io::Result<()> {
    write_records(out, &Sample::COLUMNS, samples)
}

/// Writes comparisons as `comparison.csv` holds them.
pub fn write_comparisons(path: impl AsRef<Path>, rows: &[Comparison]) -> Result<(), WriteError> {
    write_atomically(path, |out| write_comparisons_to(out, rows))
}

/// Writes the same text as [`write_comparisons`] to any stream.
pub fn write_comparisons_to(out: &mut dyn Write, rows: &[Comparison]) -> io::Result<()> {
    write_records(out, &Comparison::COLUMNS, rows)
}

/// Reads samples; the error names file and line. A last line without its end, as a run that
/// was killed while it wrote may leave it, is left out.
pub fn read_samples(path: impl AsRef<Path>) -> Result<Vec<Sample>, ReadError> {
    let path = path.as_ref();
    let text = fs::read_to_string(path).map_err(|source| ReadError::io(path, source))?;
    let whole = text.rfind('\n').map_or(0, |end| end + 1);
    read_records(path, &text[..whole], &Sample::COLUMNS)
}

/// Reads the samples of a results folder.
pub fn read_folder(folder: impl AsRef<Path>) -> Result<Vec<Sample>, ReadError> {
    read_samples(folder.as_ref().join(SAMPLES_CSV))
}

/// Reads comparisons; the error names file and line.
pub fn read_comparisons(path: impl AsRef<Path>) -> Result<Vec<Comparison>, ReadError> {
    let path = path.as_ref();
    let text = fs::read_to_string(path).map_err(|source| ReadError::io(path, source))?;
    read_records(path, &text, &Comparison::COLUMNS)
}

fn write_records<T: Serialize>(
    out: &mut dyn Write,
    columns: &[&str],
    rows: &[T],
) -> io::Result<()> {
    let mut writer = csv::WriterBuilder::new()
        .has_headers(false)
        .terminator(csv::Terminator::Any(b'\n'))
        .from_writer(out);
    writer.write_record(columns).map_err(io_error)?;
    for row in rows {
        writer.serialize(row).map_err(io_error)?;
    }
    writer.flush()
}

/// Text of one record, with its line end.
pub(super) fn record_text<T: Serialize>(row: &T) -> io::Result<Vec<u8>> {
    let mut writer = csv::WriterBuilder::new()
        .has_headers(false)
        .terminator(csv::Terminator::Any(b'\n'))
        .from_writer(Vec::new());
    writer.serialize(row).map_err(io_error)?;
    writer
        .into_inner()
        .map_err(|error| io::Error::other(error.to_string()))
}

pub(super) fn read_records<T: DeserializeOwned>(
    path: &Path,
    text: &str,
    columns: &[&str],
) -> Result<Vec<T>, ReadError> {
    let mut reader = csv::ReaderBuilder::new().from_reader(text.as_bytes());
    let header = reader
        .headers()
        .map_err(|error| csv_error(path, error))?
        .clone();
    // The schema is the first column of every version, so a table of another version is
    // named as such and not as one with odd columns.
    let mut records = reader.into_records();
    let first = records.next().transpose();
    let first = first.map_err(|error| csv_error(path, error))?;
    if let Some(first) = &first {
        check_schema(path, &header, first)?;
    }
    if header != *columns {
        let found = header.iter().collect::<Vec<_>>().join(",");
        let wanted = columns.join(",");
        let reason = format!("the header is \"{found}\", not \"{wanted}\"");
        return Err(ReadError::line(path, 1, reason));
    }
    let rest = records.map(|record| record.map_err(|error| csv_error(path, error)));
    first
        .map(Ok)
        .into_iter()
        .chain(rest)
        .map(|record| {
            let record = record?;
            let line = record.position().map_or(0, csv::Position::line);
            check_schema(path, &header, &record)?;
            record
                .deserialize(Some(&header))
                .map_err(|error| content_error(path, line, error))
        })
        .collect()
}

fn check_schema(
    path: &Path,
    header: &csv::StringRecord,
    record: &csv::StringRecord,
) -> Result<(), ReadError> {
    let line = record.position().map_or(0, csv::Position::line);
    let is_ours = header.get(0) == Some("schema");
    match record.get(0) {
        Some(found) if is_ours && found != SCHEMA.to_string() => Err(ReadError::line(
            path,
            line,
            format!(
                "it is of schema {found}, and this version reads schema {SCHEMA}; measure again, or read it with the version that wrote it"
            ),
        )),
        _ => Ok(()),
    }
}

fn content_error(path: &Path, line: u64, error: csv::Error) -> ReadError {
    match error.into_kind() {
        csv::ErrorKind::Deserialize { err, .. } => {
            let field = err.field().and_then(|field| usize::try_from(field).ok());
            let place = field.map_or_else(String::new, |field| format!("field {}: ", field + 1));
            ReadError::line(path, line, format!("{place}{}", err.kind()))
        }
        other => ReadError::line(path, line, format!("{other:?}")),
    }
}

/// Keeps the system's own error kind; the text of a full disk depends on it.
fn io_error(error: csv::Error) -> io::Error {
    match error.into_kind() {
        csv::ErrorKind::Io(error) => error,
        other => io::Error::other(format!("{other:?}")),
    }
}

fn csv_error(path: &Path, error: csv::Error) -> ReadError {
    let line = error.position().map_or(1, csv::Position::line);
    let reason = match error.into_kind() {
        csv::ErrorKind::Io(source) => return ReadError::io(path, source),
        csv::ErrorKind::UnequalLengths {
            expected_len, len, ..
        } => format!("{len} fields, where {expected_len} are needed"),
        other => format!("{other:?}"),
    };
    ReadError::line(path, line, reason)
}
