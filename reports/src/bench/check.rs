//! Refuses samples that no run can have written: being readable is not enough.

use super::{AGAINST, BenchRun, Comparison, Sample, Status};
use crate::csv_in::rows_of;
use crate::model::{CellFault, Record, wire};
use crate::read_error::ReadError;
use crate::text::{read_file, whole_lines};
use std::collections::HashMap;
use std::ops::RangeInclusive;
use std::path::Path;

const REMEDY: &str = "remove the line, and the same `bench` command measures it again";

/// Times that a sample can take, in seconds. No clock measures less than a nanosecond, and a
/// thousand threads for a week take less than the upper end.
const TIMES: RangeInclusive<f64> = 0.9e-9..=1e9;

impl Record for Sample {
    const SCHEMA: &'static str = "antipode-sample-1";

    fn check(&self) -> Result<(), CellFault> {
        for (column, figure) in [
            ("wall_s", self.wall_s),
            ("cpu_s", self.cpu_s),
            ("load1", self.load1),
            ("value", self.value),
        ] {
            // A time of 0 is one that the clock cannot distinguish from 0: it is a measurement, but
            // comparisons report no ratio for it.
            let figure = figure.unwrap_or(0.0);
            wire::sound(figure.is_finite() && figure >= 0.0, column, || {
                let wanted = "a finite number of at least 0 is needed";
                format!("{figure} cannot be: {wanted}; {REMEDY}")
            })?;
        }
        for (column, time) in [("wall_s", self.wall_s), ("cpu_s", self.cpu_s)] {
            let time = time.unwrap_or(0.0);
            let fault = || format!("{time:e} cannot be: nothing runs for that long; {REMEDY}");
            wire::sound(time <= 0.0 || TIMES.contains(&time), column, fault)?;
        }
        let found = match (self.imported(), self.status) {
            (true, Status::Ok) => self.check_figure(),
            (false, Status::Ok) => self.check_answer(),
            (false, Status::Wrong) => {
                let differs = self.expected.is_empty() || self.answer != self.expected;
                wire::sound(differs, "status", || {
                    "status is wrong, but the answer is the expected one".to_owned()
                })
            }
            _ => Ok(()),
        };
        found.map_err(|(column, text)| (column, format!("{text}; {REMEDY}")))
    }
}

impl Sample {
    /// A figure of a row's run has an answer; one of another program may have none.
    fn check_figure(&self) -> Result<(), CellFault> {
        let fault = || "status is ok, but there is no figure".to_owned();
        wire::sound(self.value.is_some(), "value", fault)?;
        match self.answer.is_empty() && self.expected.is_empty() {
            true => Ok(()),
            false => self.check_expected(),
        }
    }

    /// A sample that ended well answered, and as expected, in some time.
    fn check_answer(&self) -> Result<(), CellFault> {
        self.check_expected()?;
        for (column, time) in [("wall_s", self.wall_s), ("cpu_s", self.cpu_s)] {
            let fault = || "status is ok, but there is no time".to_owned();
            wire::sound(time.is_some(), column, fault)?;
        }
        Ok(())
    }

    fn check_expected(&self) -> Result<(), CellFault> {
        let (answer, expected) = (&self.answer, &self.expected);
        let fault = || "status is ok, but there is no answer".to_owned();
        wire::sound(!answer.is_empty(), "answer", fault)?;
        wire::sound(answer == expected, "answer", || {
            let expected = if expected.is_empty() {
                "nothing"
            } else {
                expected
            };
            format!("status is ok, but the answer is {answer} where {expected} was expected")
        })
    }
}

impl Record for Comparison {
    const SCHEMA: &'static str = "antipode-comparison-1";

    fn check(&self) -> Result<(), CellFault> {
        let ratios = [
            ("ratio", self.ratio),
            ("low", self.low),
            ("high", self.high),
            ("noise", self.noise),
        ];
        let shares = [
            ("won", self.won),
            ("p", self.p),
            ("p_adjusted", self.p_adjusted),
        ];
        for (column, ratio) in ratios {
            let ratio = ratio.unwrap_or(1.0);
            let fault = || format!("{ratio} is no ratio; compare again");
            wire::sound(ratio.is_finite() && ratio > 0.0, column, fault)?;
        }
        if let (Some(low), Some(ratio), Some(high)) = (self.low, self.ratio, self.high) {
            let fault = || format!("{ratio} is not from {low} to {high}; compare again");
            // Equal figures differ in their last digits.
            let within = (low / ratio).max(ratio / high) < 1.0 + 1e-9;
            wire::sound(within, "ratio", fault)?;
        }
        for (column, share) in shares {
            let share = share.unwrap_or(0.0);
            let fault = || format!("{share} is not from 0 to 1; compare again");
            wire::sound((0.0..=1.0).contains(&share), column, fault)?;
        }
        Ok(())
    }
}

/// Refuses a sample that occurs twice: which of the two was measured is unknown.
pub(super) fn check_repeats(path: &Path, samples: &[(u64, Sample)]) -> Result<(), ReadError> {
    let mut seen: HashMap<(&str, u32, &str), u64> = HashMap::new();
    for (line, sample) in samples {
        let key = (sample.row.as_str(), sample.sample, sample.metric.as_str());
        if let Some(before) = seen.insert(key, *line) {
            let reason = format!(
                "sample {} of row '{}' stands on line {before} already; {REMEDY}",
                sample.sample, sample.row
            );
            return Err(ReadError::cell(path, *line, "sample", reason));
        }
    }
    Ok(())
}

/// Compares samples with their stated run: its suite, seed, number of samples, executables and
/// processor. Imported figures are of no run.
///
/// `path` is the table that the samples were read from, in its order; it is read again only
/// to name the line of a fault.
///
/// # Errors
/// The first sample that is of another run, by file, line and column.
pub fn check_samples(path: &Path, samples: &[Sample], run: &BenchRun) -> Result<(), ReadError> {
    let of_rows = samples.iter().enumerate().filter(|(_, s)| !s.imported());
    for (at, sample) in of_rows {
        check_run(sample, run).map_err(|(column, text)| {
            let reason = format!("{text}; {REMEDY}");
            ReadError::cell(path, line_of(path, at), column, reason)
        })?;
    }
    Ok(())
}

/// Refuses samples of rows that a suite does not have. `is_known` decides this for a row's name,
/// with the suffixes [`TWIN`](super::TWIN) and [`AGAINST`]. `path` is as in [`check_samples`];
/// imported figures are left out there too.
///
/// # Errors
/// The first sample of an unknown row, by file, line and column.
pub fn check_rows(
    path: &Path,
    samples: &[Sample],
    is_known: impl Fn(&str) -> bool,
) -> Result<(), ReadError> {
    let stray = |sample: &Sample| !sample.imported() && !is_known(&sample.row);
    samples.iter().position(stray).map_or(Ok(()), |at| {
        let row = &samples[at].row;
        let reason = format!("the suite has no row '{row}'; remove the line");
        Err(ReadError::cell(path, line_of(path, at), "row", reason))
    })
}

fn check_run(sample: &Sample, run: &BenchRun) -> Result<(), CellFault> {
    let same = |column: &'static str, what: &str, found: &str, wanted: &str| {
        wire::sound(found == wanted, column, || {
            format!("{what} is {found}, but run.json has {wanted}")
        })
    };
    same("suite", "the suite", &sample.suite, &run.suite)?;
    wire::sound(sample.sample < run.samples, "sample", || {
        let (number, count) = (sample.sample, run.samples);
        format!(
            "the number of the sample is {number}, but run.json has {count} samples a row, from 0"
        )
    })?;
    let (found, wanted) = (sample.seed.to_string(), run.seed.to_string());
    same("seed", "the seed", &found, &wanted)?;
    let executable = match (&run.against, sample.row.ends_with(AGAINST)) {
        (Some(against), true) => against,
        _ => &run.executable,
    };
    same("build", "the executable", &sample.build, &executable.blake3)?;
    let digest = &sample.plugin_digest;
    let mut files = run.plugins.iter().chain(&run.against_files);
    let is_loaded = digest.is_empty() || files.any(|file| file.blake3 == *digest);
    wire::sound(is_loaded, "plugin_digest", || {
        format!("the library has the digest {digest}, which run.json does not have")
    })?;
    let (found, wanted) = (&sample.processor, &run.host.cpu);
    same("processor", "the processor", found, wanted)
}

/// Line of a sample by its place; 0 if the table has changed meanwhile.
fn line_of(path: &Path, at: usize) -> u64 {
    let text = read_file(path).unwrap_or_default();
    let read: Vec<(u64, Sample)> = rows_of(path, whole_lines(&text)).unwrap_or_default();
    read.get(at).map_or(0, |(line, _)| *line)
}
