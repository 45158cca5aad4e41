use super::check::{check_repeats, check_samples};
use super::{BenchRun, RUN_JSON, SAMPLES_CSV, Sample};
use crate::csv_in::rows_of;
use crate::json_out::{read_json, read_record};
use crate::read_error::ReadError;
use crate::text::{read_file, whole_lines};
use std::path::Path;

/// Reads samples; the error names file, line and column. A last line without its end, which a
/// killed run may leave, is left out.
pub fn read_samples(path: impl AsRef<Path>) -> Result<Vec<Sample>, ReadError> {
    let path = path.as_ref();
    let text = read_file(path)?;
    samples_of(path, whole_lines(&text))
}

/// The samples of a table's text, whose lines are whole.
pub(super) fn samples_of(path: &Path, text: &str) -> Result<Vec<Sample>, ReadError> {
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
        true => error.with_remedy(super::REMEASURE),
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
