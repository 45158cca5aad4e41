use super::check::{check_repeats, check_samples};
use super::{BenchRun, Comparison, RUN_JSON, SAMPLES_CSV, SCHEMA, Sample};
use crate::atomic::{WriteError, write_atomically};
use crate::csv_out::io_error;
use crate::json_out::{read_json, read_versioned};
use crate::read_error::ReadError;
use crate::table_in::{check_header, csv_error};
use csv::{DeserializeErrorKind, StringRecord};
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

/// Reads samples; the error names file, line and column. A last line without its end, as a run that
/// was killed while it wrote may leave it, is left out.
pub fn read_samples(path: impl AsRef<Path>) -> Result<Vec<Sample>, ReadError> {
    let path = path.as_ref();
    let text = fs::read_to_string(path).map_err(|source| ReadError::io(path, source))?;
    samples_of(path, whole_lines(&text))
}

/// A text without a last line that has no end.
pub(super) fn whole_lines(text: &str) -> &str {
    &text[..text.rfind('\n').map_or(0, |end| end + 1)]
}

/// The samples of a table's text, whose lines are whole.
pub(super) fn samples_of(path: &Path, text: &str) -> Result<Vec<Sample>, ReadError> {
    let read = read_records(path, text)?;
    check_repeats(path, &read)?;
    Ok(read.into_iter().map(|(_, sample)| sample).collect())
}

/// Reads the samples of a results folder, and holds them against its `run.json` where there
/// is one ([`check_samples`]).
///
/// # Errors
/// As [`read_samples`], [`read_run`] and [`check_samples`].
pub fn read_folder(folder: impl AsRef<Path>) -> Result<Vec<Sample>, ReadError> {
    let folder = folder.as_ref();
    let path = folder.join(SAMPLES_CSV);
    let samples = read_samples(&path)?;
    if let Some(run) = read_run(folder)? {
        check_samples(&path, &samples, &run)?;
    }
    Ok(samples)
}

/// Reads what a results folder says of its run; `None` where it says nothing, or has the
/// `run.json` of another verb.
///
/// # Errors
/// A file that is damaged or of a newer schema.
pub fn read_run(folder: impl AsRef<Path>) -> Result<Option<BenchRun>, ReadError> {
    let path = folder.as_ref().join(RUN_JSON);
    if !path.exists() {
        return Ok(None);
    }
    let has_samples = folder.as_ref().join(SAMPLES_CSV).exists();
    read_run_json(&path, has_samples).map_err(|error| match has_samples {
        true => error.with_mend(super::REMEASURE),
        false => error,
    })
}

fn read_run_json(path: &Path, has_samples: bool) -> Result<Option<BenchRun>, ReadError> {
    let value: serde_json::Value = read_json(path)?;
    let is_ours = ["suite", "suite_blake3", "executable"]
        .iter()
        .any(|field| value.get(field).is_some());
    match is_ours {
        true => read_versioned(path, SCHEMA).map(Some),
        // Every verb's record tells its schema: this is none of any.
        false if has_samples && value.get("schema").is_none() => Err(ReadError::line(
            path,
            1,
            "it has no field 'schema', and tells of no run",
        )),
        false => Ok(None),
    }
}

/// Reads comparisons; the error names file, line and column.
pub fn read_comparisons(path: impl AsRef<Path>) -> Result<Vec<Comparison>, ReadError> {
    let path = path.as_ref();
    let text = fs::read_to_string(path).map_err(|source| ReadError::io(path, source))?;
    let read = read_records(path, &text)?;
    Ok(read.into_iter().map(|(_, row)| row).collect())
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

/// A record that one line of a table holds.
pub(super) trait Record: DeserializeOwned {
    /// Columns of the table.
    const COLUMNS: &'static [&'static str];

    /// Whether the cells make sense together; else the column that does not, and why.
    fn check(&self) -> Result<(), Fault>;
}

/// Column and reason.
pub(super) type Fault = (&'static str, String);

/// All records, each with its line.
pub(super) fn read_records<T: Record>(path: &Path, text: &str) -> Result<Vec<(u64, T)>, ReadError> {
    let mut reader = csv::ReaderBuilder::new().from_reader(text.as_bytes());
    let header = reader
        .headers()
        .map_err(|error| csv_error(path, error))?
        .clone();
    // The schema is the first column of every version, so a table of another version is
    // named as such and not as one with odd columns.
    let mut records = reader.into_records();
    let first = records.next().transpose();
    if let Ok(Some(first)) = &first {
        check_schema(path, &header, first)?;
    }
    check_header(path, &header, T::COLUMNS)?;
    let first = first.map_err(|error| csv_error(path, error))?;
    let rest = records.map(|record| record.map_err(|error| csv_error(path, error)));
    let all = first.map(Ok).into_iter().chain(rest);
    all.map(|record| read_record(path, &header, &record?))
        .collect()
}

fn read_record<T: Record>(
    path: &Path,
    header: &StringRecord,
    record: &StringRecord,
) -> Result<(u64, T), ReadError> {
    let line = record.position().map_or(0, csv::Position::line);
    check_schema(path, header, record)?;
    let read: T = record
        .deserialize(Some(header))
        .map_err(|error| content_error(path, header, record, error))?;
    let checked = read.check();
    checked.map_err(|(column, reason)| ReadError::cell(path, line, column, reason))?;
    Ok((line, read))
}

fn check_schema(
    path: &Path,
    header: &StringRecord,
    record: &StringRecord,
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

/// A cell that cannot be read, by the name of its column.
fn content_error(
    path: &Path,
    header: &StringRecord,
    record: &StringRecord,
    error: csv::Error,
) -> ReadError {
    let line = record.position().map_or(0, csv::Position::line);
    let error = match error.into_kind() {
        csv::ErrorKind::Deserialize { err, .. } => err,
        other => return ReadError::line(path, line, format!("{other:?}")),
    };
    let place = error.field().and_then(|place| usize::try_from(place).ok());
    // A word that is none of those allowed comes without its place, but with the word.
    let text = error.kind().to_string();
    let quoted = |cell: &str| !cell.is_empty() && text.contains(&format!("`{cell}`"));
    let place = place.or_else(|| record.iter().position(quoted));
    let Some((place, column)) = place.and_then(|at| Some((at, header.get(at)?))) else {
        return ReadError::line(path, line, text);
    };
    let cell = record.get(place).unwrap_or_default();
    let reason = match error.kind() {
        DeserializeErrorKind::ParseInt(_) => format!("\"{cell}\" is no whole number of at least 0"),
        DeserializeErrorKind::ParseFloat(_) => format!("\"{cell}\" is no number"),
        DeserializeErrorKind::ParseBool(_) => format!("\"{cell}\" is neither true nor false"),
        _ => match text.split_once(", expected one of ") {
            Some((_, words)) => format!("\"{cell}\" is none of {}", words.replace('`', "")),
            None => text,
        },
    };
    ReadError::cell(path, line, column, reason)
}
