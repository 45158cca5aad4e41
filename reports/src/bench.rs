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
mod log;
mod table;

pub use crate::model::bench::*;
pub use check::{check_rows, check_samples};
pub use log::SampleLog;
pub use table::{read_folder, read_run, read_samples};

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
