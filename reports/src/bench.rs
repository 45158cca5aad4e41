//! Files of benchmarks: samples, records of suite runs, and comparisons.
//!
//! A results folder holds
//!
//! - `samples.csv` ([`Sample`], one line each, written as samples come; [`SampleLog`]),
//! - `samples.json` (the same records, written when a run ends or is stopped),
//! - `suite.toml` (the suite as it was read),
//! - `run.json` ([`BenchRun`]: what ran, on what, and the measured noise).
//!
//! `comparison.csv` holds [`Comparison`]s. All files are read with errors that name file, line and
//! column. A file of another schema is refused, naming both versions, and so is a sample that
//! contradicts itself, another one or its run.

mod check;

use crate::csv_in::rows_of;
use crate::csv_out::row_text;
use crate::json_out::{read_json, read_record};
use crate::model::columns;
use crate::read_error::ReadError;
use crate::text::{one_line, read_file, regular, whole_lines};
use check::check_repeats;
use std::fs::{File, OpenOptions};
use std::io::{self, Read, Seek, SeekFrom, Write};
use std::path::{Path, PathBuf};

pub use crate::model::bench::*;
pub use check::{check_rows, check_samples};

/// Name of the samples in a results folder.
pub const SAMPLES_CSV: &str = "samples.csv";
/// Name of the same as JSON.
pub const SAMPLES_JSON: &str = "samples.json";
/// Name of the copy of the suite.
pub const SUITE_TOML: &str = "suite.toml";
/// Name of the comparisons that `regress` leaves.
pub const GATE_CSV: &str = "regress.csv";
/// Name of the record of what ran.
pub const RUN_JSON: &str = "run.json";
/// The remedy if that record is gone or damaged.
pub const REMEASURE: &str = "remove the folder and measure again, or choose another --out";

/// Reads samples; the error names file, line and column. A last line without its end, which a
/// killed run may leave, is left out.
pub fn read_samples(path: impl AsRef<Path>) -> Result<Vec<Sample>, ReadError> {
    let path = path.as_ref();
    let text = read_file(path)?;
    samples_of(path, whole_lines(&text))
}

/// The samples of a table's text, whose lines are whole.
fn samples_of(path: &Path, text: &str) -> Result<Vec<Sample>, ReadError> {
    let read = rows_of(path, text)?;
    check_repeats(path, &read)?;
    Ok(read.into_iter().map(|(_, sample)| sample).collect())
}

/// Reads the samples of a results folder, and compares them with its `run.json` if there is one
/// ([`check_samples`]).
pub fn read_folder(folder: impl AsRef<Path>) -> Result<Vec<Sample>, ReadError> {
    let folder = folder.as_ref();
    let path = folder.join(SAMPLES_CSV);
    let samples = read_samples(&path)?;
    if let Some(run) = read_run(folder)? {
        check_samples(&path, &samples, &run)?;
    }
    Ok(samples)
}

/// Reads a results folder's record of its run; `None` if it has none, or the `run.json` of another
/// command.
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
        true => error.with_remedy(REMEASURE),
        false => error,
    })
}

fn read_run_json(path: &Path, has_samples: bool) -> Result<Option<BenchRun>, ReadError> {
    let value: serde_json::Value = read_json(path)?;
    let is_ours = ["suite", "suite_blake3", "executable"]
        .iter()
        .any(|field| value.get(field).is_some());
    match is_ours {
        true => read_record(path).map(Some),
        // Every command's record names its schema: this is the record of no command.
        false if has_samples && value.get("schema").is_none() => Err(ReadError::line(
            path,
            1,
            "it has no field 'schema', and describes no run",
        )),
        false => Ok(None),
    }
}

/// `samples.csv` while a run writes it: every sample is on the disk before the next one starts.
#[derive(Debug)]
pub struct SampleLog {
    path: PathBuf,
    file: File,
}

impl SampleLog {
    /// Opens or begins a table. Returns the samples already in it. A last line without its end,
    /// which a killed run may leave, is cut off.
    ///
    /// # Errors
    /// A file that cannot be opened, or that is no table of samples of this schema; a sample that
    /// occurs twice or contradicts itself.
    pub fn open(path: impl AsRef<Path>) -> Result<(Self, Vec<Sample>), ReadError> {
        let path = path.as_ref().to_owned();
        let fault = |source| ReadError::io(&path, source);
        regular(&path).map_err(fault)?;
        let mut file = OpenOptions::new()
            .read(true)
            .write(true)
            .create(true)
            .truncate(false)
            .open(&path)
            .map_err(fault)?;
        let mut text = String::new();
        file.read_to_string(&mut text).map_err(fault)?;
        let lines = whole_lines(&text);
        let (whole, samples) = match lines {
            "" => (0, Vec::new()),
            lines => (lines.len(), samples_of(&path, lines)?),
        };
        file.set_len(whole as u64).map_err(fault)?;
        file.seek(SeekFrom::End(0)).map_err(fault)?;
        if whole == 0 {
            let header = columns::<Sample>().join(",") + "\n";
            file.write_all(header.as_bytes()).map_err(fault)?;
        }
        Ok((Self { path, file }, samples))
    }

    /// Appends a sample; it is on the disk when this returns. Line ends in its texts become
    /// blanks, so that a line of the file is a sample.
    pub fn append(&mut self, sample: &Sample) -> io::Result<()> {
        debug_assert_eq!(sample.schema, SCHEMA);
        let mut sample = sample.clone();
        for text in [
            &mut sample.row,
            &mut sample.group,
            &mut sample.detail,
            &mut sample.answer,
            &mut sample.expected,
            &mut sample.settings,
        ] {
            if text.contains(['\n', '\r']) {
                *text = one_line(text);
            }
        }
        self.file.write_all(&row_text(&sample)?)?;
        self.file.sync_data()
    }

    /// The file.
    pub fn path(&self) -> &Path {
        &self.path
    }
}
