//! Refuses samples that no run can have written: being readable is not enough.

use super::{AGAINST, BenchRun, Comparison, Sample, Status};
use crate::csv_in::rows_of;
use crate::model::{CellFault, Record};
use crate::read_error::ReadError;
use crate::text::{read_file, whole_lines};
use std::collections::HashMap;
use std::ops::RangeInclusive;
use std::path::Path;

/// The remedy for a sample that cannot be believed.
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
            if let Some(figure) = figure.filter(|figure| !(figure.is_finite() && *figure >= 0.0)) {
                let wanted = "a finite number of at least 0 is needed";
                return Err((column, format!("{figure} cannot be: {wanted}; {REMEDY}")));
            }
        }
        for (column, time) in [("wall_s", self.wall_s), ("cpu_s", self.cpu_s)] {
            let odd = |time: &f64| *time > 0.0 && !TIMES.contains(time);
            if let Some(time) = time.filter(odd) {
                let text = format!("{time:e} cannot be: nothing runs for that long; {REMEDY}");
                return Err((column, text));
            }
        }
        let fault = match (self.imported(), self.status) {
            (true, Status::Ok) => self.figure_fault(),
            (false, Status::Ok) => self.answer_fault(),
            (false, Status::Wrong) if !self.expected.is_empty() && self.answer == self.expected => {
                let text = "status is wrong, but the answer is the expected one";
                Some(("status", text.to_owned()))
            }
            _ => None,
        };
        match fault {
            None => Ok(()),
            Some((column, text)) => Err((column, format!("{text}; {REMEDY}"))),
        }
    }
}

impl Sample {
    /// A figure of a row's run has an answer; one of another program may have none.
    fn figure_fault(&self) -> Option<CellFault> {
        let has_answer = !(self.answer.is_empty() && self.expected.is_empty());
        let text = "status is ok, but there is no figure";
        let missing = self.value.is_none().then(|| ("value", text.to_owned()));
        missing.or_else(|| has_answer.then(|| self.unexpected()).flatten())
    }

    /// A sample that ended well answered, and as expected, in some time.
    fn answer_fault(&self) -> Option<CellFault> {
        let times = [("wall_s", self.wall_s), ("cpu_s", self.cpu_s)];
        let missing = times.into_iter().find(|(_, time)| time.is_none());
        let text = "status is ok, but there is no time";
        let untimed = missing.map(|(column, _)| (column, text.to_owned()));
        self.unexpected().or(untimed)
    }

    fn unexpected(&self) -> Option<CellFault> {
        let (answer, expected) = (&self.answer, &self.expected);
        if answer.is_empty() {
            let text = "status is ok, but there is no answer";
            return Some(("answer", text.to_owned()));
        }
        if answer != expected {
            let expected = match expected.as_str() {
                "" => "nothing",
                expected => expected,
            };
            let text =
                format!("status is ok, but the answer is {answer} where {expected} was expected");
            return Some(("answer", text));
        }
        None
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
        let odd = |figure: Option<f64>, is_good: fn(f64) -> bool| figure.filter(|x| !is_good(*x));
        for (column, figure) in ratios {
            if let Some(ratio) = odd(figure, |x| x.is_finite() && x > 0.0) {
                return Err((column, format!("{ratio} is no ratio; compare again")));
            }
        }
        for (column, figure) in shares {
            if let Some(share) = odd(figure, |x| (0.0..=1.0).contains(&x)) {
                return Err((column, format!("{share} is not from 0 to 1; compare again")));
            }
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
        if let Some((column, text)) = foreign(sample, run) {
            let reason = format!("{text}; {REMEDY}");
            return Err(ReadError::cell(path, line_of(path, at), column, reason));
        }
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
    match samples.iter().position(stray) {
        None => Ok(()),
        Some(at) => {
            let reason = format!(
                "the suite has no row '{}'; remove the line",
                samples[at].row
            );
            Err(ReadError::cell(path, line_of(path, at), "row", reason))
        }
    }
}

fn foreign(sample: &Sample, run: &BenchRun) -> Option<CellFault> {
    let differs = |what: &str, found: &str, wanted: &str| {
        format!("{what} is {found}, but run.json has {wanted}")
    };
    if sample.suite != run.suite {
        return Some(("suite", differs("the suite", &sample.suite, &run.suite)));
    }
    if sample.sample >= run.samples {
        let text = format!(
            "the number of the sample is {}, but run.json has {} samples a row, from 0",
            sample.sample, run.samples
        );
        return Some(("sample", text));
    }
    if sample.seed != run.seed {
        let (found, wanted) = (sample.seed.to_string(), run.seed.to_string());
        return Some(("seed", differs("the seed", &found, &wanted)));
    }
    let executable = match (&run.against, sample.row.ends_with(AGAINST)) {
        (Some(against), true) => against,
        _ => &run.executable,
    };
    if sample.build != executable.blake3 {
        let (found, wanted) = (&sample.build, &executable.blake3);
        return Some(("build", differs("the executable", found, wanted)));
    }
    let mut files = run.plugins.iter().chain(&run.against_files);
    let mut loaded = |digest: &str| files.any(|file| file.blake3 == digest);
    if !sample.plugin_digest.is_empty() && !loaded(&sample.plugin_digest) {
        let text = format!(
            "the library has the digest {}, which run.json does not have",
            sample.plugin_digest
        );
        return Some(("plugin_digest", text));
    }
    if sample.processor != run.host.cpu {
        let (found, wanted) = (&sample.processor, &run.host.cpu);
        return Some(("processor", differs("the processor", found, wanted)));
    }
    None
}

/// Line of a sample by its place; 0 if the table has changed meanwhile.
fn line_of(path: &Path, at: usize) -> u64 {
    let text = read_file(path).unwrap_or_default();
    let read: Vec<(u64, Sample)> = rows_of(path, whole_lines(&text)).unwrap_or_default();
    read.get(at).map_or(0, |(line, _)| *line)
}
