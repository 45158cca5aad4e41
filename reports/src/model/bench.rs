//! Records of benchmarks: samples, runs of a suite, and comparisons.

mod baseline;
mod comparison;
mod history;
mod run;
mod sample;

pub use baseline::{BASELINE_SCHEMA, Baseline, BaselineRow, Change, Measure};
pub use comparison::{Comparison, ComparisonOutcome};
pub use history::HistoryRow;
pub use run::{BenchRun, Executable, LoadedFile, Noise};
pub use sample::{Sample, Status};

use super::Record;

/// Version of the columns of [`Sample`] and [`Comparison`], and of [`BenchRun`]. It rises when one
/// changes its meaning, as does the number at the end of their names.
pub const SCHEMA: u32 = 1;

/// The suffix of a row's name for the samples of its twin. That is the same row measured again in
/// the same rounds, so that the difference between the two is noise.
pub const TWIN: &str = "@self";
/// The suffix of a row's name for samples of the second executable (`--against`).
pub const AGAINST: &str = "@against";

impl Record for BenchRun {
    const SCHEMA: &'static str = "antipode-bench-run-1";
}
