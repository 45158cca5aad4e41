//! CSV out. Equal input gives equal bytes: LF line ends on every system, no times, no padding.

use crate::atomic::{WriteError, write_atomically};
use crate::model::{Record, columns};
use std::io::{self, Write};
use std::path::Path;

/// Writes a table, whole or not at all: a header of the rows' columns, then a line each.
pub fn write_rows<T: Record>(path: impl AsRef<Path>, rows: &[T]) -> Result<(), WriteError> {
    let text = rows_text(rows).map_err(|error| WriteError::content(path.as_ref(), error))?;
    write_atomically(path, text)
}

/// Writes the same text as [`write_rows`] to any stream.
pub fn write_rows_to<T: Record>(out: &mut dyn Write, rows: &[T]) -> io::Result<()> {
    let mut writer = writer(out);
    writer.write_record(columns::<T>()).map_err(io_error)?;
    for row in rows {
        writer.serialize(row).map_err(io_error)?;
    }
    writer.flush()
}

pub(crate) fn rows_text<T: Record>(rows: &[T]) -> io::Result<Vec<u8>> {
    let mut text = Vec::new();
    write_rows_to(&mut text, rows)?;
    Ok(text)
}

pub(crate) fn row_text<T: Record>(row: &T) -> io::Result<Vec<u8>> {
    let mut writer = writer(Vec::new());
    writer.serialize(row).map_err(io_error)?;
    writer
        .into_inner()
        .map_err(|error| io::Error::other(error.to_string()))
}

fn writer<W: Write>(out: W) -> csv::Writer<W> {
    csv::WriterBuilder::new()
        .has_headers(false)
        .terminator(csv::Terminator::Any(b'\n'))
        .from_writer(out)
}

/// Keeps the system's own error kind, which the csv crate's conversion would hide; the text about a
/// full disk depends on it.
fn io_error(error: csv::Error) -> io::Error {
    match error.into_kind() {
        csv::ErrorKind::Io(error) => error,
        other => io::Error::other(format!("{other:?}")),
    }
}
