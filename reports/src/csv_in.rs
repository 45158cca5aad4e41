//! CSV in: the rows that [`csv_out`](crate::csv_out) writes. Errors name file, line and column.

use crate::model::bench::SCHEMA;
use crate::model::{LevelTable, Record, columns, older_columns};
use crate::read_error::ReadError;
use crate::text::read_file;
use csv::{DeserializeErrorKind, Position, StringRecord};
use std::path::Path;

/// Reads a table whose columns are those of its rows.
pub fn read_rows<T: Record>(path: impl AsRef<Path>) -> Result<Vec<T>, ReadError> {
    let rows = read_numbered(path.as_ref())?;
    Ok(rows.into_iter().map(|(_, row)| row).collect())
}

/// Reads a level table.
///
/// # Errors
/// Same as [`read_rows`]; and depths that do not rise.
pub fn read_levels(path: impl AsRef<Path>) -> Result<LevelTable, ReadError> {
    let path = path.as_ref();
    let mut table = LevelTable::default();
    for (line, row) in read_numbered(path)? {
        let added = table.add(row);
        added.map_err(|reason| ReadError::line(path, line, reason))?;
    }
    Ok(table)
}

pub(crate) fn read_numbered<T: Record>(path: &Path) -> Result<Vec<(u64, T)>, ReadError> {
    let text = read_file(path)?;
    rows_of(path, &text)
}

pub(crate) fn rows_of<T: Record>(path: &Path, text: &str) -> Result<Vec<(u64, T)>, ReadError> {
    let mut reader = reader(text, T::COMMENTS);
    let fault = |error| {
        let (line, reason) = csv_fault(text, T::COMMENTS, error);
        ReadError::line(path, line, reason)
    };
    let header = reader.headers().map_err(fault)?.clone();
    let line = |record: &StringRecord| line_of(text, T::COMMENTS, record.position());
    // The schema is the first column of every version of a table that has it. So a table of another
    // version is reported as such and not as one with odd columns.
    let mut records = reader.into_records();
    let first = records.next().transpose();
    if let Ok(Some(first)) = &first {
        check_schema(path, line(first), &header, first)?;
    }
    let names: Vec<&str> = header.iter().collect();
    if names != columns::<T>() && names != *older_columns::<T>() {
        let reason = header_fault(&names, columns::<T>());
        return Err(ReadError::line(path, line(&header), reason));
    }
    let first = first.map_err(fault)?;
    let rest = records.map(|record| record.map_err(fault));
    let all = first.map(Ok).into_iter().chain(rest);
    let all = all.map(|record| record.and_then(|row| row_of(path, line(&row), &header, &row)));
    let all: Vec<(u64, T)> = all.collect::<Result<_, _>>()?;
    if let Some((line, _)) = all.last() {
        let rest = text.lines().skip(*line as usize - 1);
        let rest = rest.filter(|line| !(T::COMMENTS && line.starts_with('#')));
        if rest.map(|line| line.matches('"').count()).sum::<usize>() % 2 == 1 {
            let reason = "the text in quotes has no end, so the line is cut off; remove it";
            return Err(ReadError::line(path, *line, reason));
        }
    }
    Ok(all)
}

fn reader(text: &str, comments: bool) -> csv::Reader<&[u8]> {
    csv::ReaderBuilder::new()
        .comment(comments.then_some(b'#'))
        .from_reader(text.as_bytes())
}

/// The first column of a header that is missing, unknown or out of place.
fn header_fault(found: &[&str], wanted: &[&str]) -> String {
    if found.iter().all(|name| name.is_empty()) {
        return format!(
            "there is no header, which begins \"{}\"; finish the run that was to write the table, or remove it",
            wanted[0]
        );
    }
    let most = found.len().min(wanted.len());
    let at = (0..most).find(|&at| found[at] != wanted[at]);
    let at = at.unwrap_or(most);
    match (found.get(at), wanted.get(at)) {
        (Some(found), Some(wanted)) => {
            format!("the header has the column '{found}' where '{wanted}' should stand")
        }
        (Some(more), None) => {
            format!("the header has one more column, '{more}'; remove it")
        }
        (None, _) => format!(
            "the header lacks the column '{}'; have the table written anew",
            wanted.get(at).unwrap_or(&"")
        ),
    }
}

/// Line of a record, from 1. The position of the `csv` crate is the end of the record before, which
/// is before the LF of a CRLF, empty lines and comments.
pub fn line_of(text: &str, comments: bool, position: Option<&Position>) -> u64 {
    let Some(position) = position else { return 1 };
    let rest = text.get(position.byte() as usize..).unwrap_or_default();
    let skipped = |line: &&str| line.trim_end_matches(['\r', '\n']).is_empty();
    let skipped = |line: &&str| skipped(line) || comments && line.starts_with('#');
    position.line() + rest.split_inclusive('\n').take_while(skipped).count() as u64
}

/// A fault of the CSV form itself, as line and reason.
pub fn csv_fault(text: &str, comments: bool, error: csv::Error) -> (u64, String) {
    let line = line_of(text, comments, error.position());
    let reason = match error.into_kind() {
        csv::ErrorKind::UnequalLengths {
            expected_len, len, ..
        } => format!("{len} fields, where {expected_len} are needed"),
        other => format!("{other:?}"),
    };
    (line, reason)
}

fn row_of<T: Record>(
    path: &Path,
    line: u64,
    header: &StringRecord,
    record: &StringRecord,
) -> Result<(u64, T), ReadError> {
    check_schema(path, line, header, record)?;
    let read: T = record
        .deserialize(Some(header))
        .map_err(|error| content_error(path, line, header, record, error))?;
    let checked = read.check();
    checked.map_err(|(column, reason)| ReadError::cell(path, line, column, reason))?;
    Ok((line, read))
}

fn check_schema(
    path: &Path,
    line: u64,
    header: &StringRecord,
    record: &StringRecord,
) -> Result<(), ReadError> {
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
    line: u64,
    header: &StringRecord,
    record: &StringRecord,
    error: csv::Error,
) -> ReadError {
    let error = match error.into_kind() {
        csv::ErrorKind::Deserialize { err, .. } => err,
        other => return ReadError::line(path, line, format!("{other:?}")),
    };
    let place = error.field().and_then(|place| usize::try_from(place).ok());
    // The error for a word that is not allowed lacks its place, but has the word.
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
            Some((_, words)) => format!("\"{cell}\" is not one of {}", words.replace('`', "")),
            None => text,
        },
    };
    ReadError::cell(path, line, column, reason)
}
