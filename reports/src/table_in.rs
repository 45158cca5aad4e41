//! Reading CSV tables whose header is known: errors name file and line.

use crate::read_error::ReadError;
use csv::StringRecord;
use std::fs::File;
use std::path::Path;

/// Reads all rows of a file with exactly this header, each with its line. Lines that begin with `#`
/// are comments.
pub(crate) fn read_rows<T>(
    path: &Path,
    header: &[&str],
    row: impl Fn(&StringRecord) -> Result<T, String>,
) -> Result<Vec<(u64, T)>, ReadError> {
    let mut reader = open(path)?;
    let found = reader.headers().map_err(|error| csv_error(path, error))?;
    if found != header {
        let found = found.iter().collect::<Vec<_>>().join(",");
        let reason = format!("the header is \"{found}\", not \"{}\"", header.join(","));
        return Err(ReadError::line(path, 1, reason));
    }
    let mut rows = Vec::new();
    for record in reader.records() {
        let record = record.map_err(|error| csv_error(path, error))?;
        let line = record.position().map_or(0, csv::Position::line);
        let row = row(&record).map_err(|reason| ReadError::line(path, line, reason))?;
        rows.push((line, row));
    }
    Ok(rows)
}

/// The header of a file, to tell what sort of table it is.
pub(crate) fn header(path: &Path) -> Result<Vec<String>, ReadError> {
    let mut reader = open(path)?;
    let header = reader.headers().map_err(|error| csv_error(path, error))?;
    Ok(header.iter().map(str::to_owned).collect())
}

fn open(path: &Path) -> Result<csv::Reader<File>, ReadError> {
    let file = File::open(path).map_err(|source| ReadError::io(path, source))?;
    Ok(csv::ReaderBuilder::new()
        .comment(Some(b'#'))
        .from_reader(file))
}

/// A fault of the CSV form itself, as file, line and reason.
pub(crate) fn csv_error(path: &Path, error: csv::Error) -> ReadError {
    let line = error.position().map_or(1, csv::Position::line);
    let reason = match error.into_kind() {
        csv::ErrorKind::Io(source) => return ReadError::io(path, source),
        csv::ErrorKind::UnequalLengths {
            expected_len, len, ..
        } => format!("{len} fields, where {expected_len} are needed"),
        csv::ErrorKind::Utf8 { .. } => "the text is not UTF-8".to_owned(),
        other => format!("{other:?}"),
    };
    ReadError::line(path, line, reason)
}
