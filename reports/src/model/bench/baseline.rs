//! The content of a baseline's file, and the measure by which times are compared.

use std::collections::BTreeMap;
use std::str::FromStr;

use serde::{Deserialize, Serialize};

use super::Sample;
use crate::model::names;

/// The measure that is compared.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Measure {
    /// Processor time: hardly affected by other load on the machine, so the default. It does not
    /// show how well threads share the work, or the time of waiting for the disk.
    Cpu,
    /// Elapsed time.
    Wall,
}

impl Measure {
    /// All.
    pub const ALL: [Self; 2] = [Self::Cpu, Self::Wall];

    /// Column of the samples.
    pub const fn column(self) -> &'static str {
        match self {
            Self::Cpu => "cpu_s",
            Self::Wall => "wall_s",
        }
    }

    /// Name on the command line.
    pub fn name(self) -> &'static str {
        names::<Self>()[self as usize]
    }

    /// The time of a sample, in seconds; `None` if it was not measured.
    pub fn of(self, sample: &Sample) -> Option<f64> {
        match self {
            Self::Cpu => sample.cpu_s,
            Self::Wall => sample.wall_s,
        }
    }
}

impl FromStr for Measure {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        let found = Self::ALL.into_iter().find(|by| by.name() == text);
        found.ok_or_else(|| format!("no measure '{text}'; use cpu or wall"))
    }
}

/// Version of the file of a [`Baseline`]; it rises when a field changes its meaning.
pub const BASELINE_SCHEMA: u32 = 2;

/// A baseline in the form of its file.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields, rename_all = "kebab-case")]
pub struct Baseline {
    /// [`BASELINE_SCHEMA`] at the time of writing.
    pub schema: u32,
    /// The suite's file, from the baseline's folder.
    pub suite: String,
    /// The measure that is compared.
    pub measure: Measure,
    /// The row to which times are ratios; empty if there is none, so that times are only gated
    /// against a second executable.
    pub reference: String,
    /// A time fails if it has grown by more than this factor.
    pub limit: f64,
    /// A counter fails if it has grown by more than this factor.
    pub counter_limit: f64,
    /// Processor on which it was measured, for the reader: nothing is compared with it.
    pub processor: String,
    /// Version of the tool.
    pub version: String,
    /// BLAKE3 of the executable.
    pub build: String,
    /// Why it was written.
    pub reason: String,
    /// When.
    pub updated: String,
    /// The rows.
    #[serde(default)]
    pub row: Vec<BaselineRow>,
    /// Earlier reasons, the latest first.
    #[serde(default)]
    pub history: Vec<Change>,
}

/// A row of a baseline.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields, rename_all = "kebab-case")]
pub struct BaselineRow {
    /// Name.
    pub name: String,
    /// Its run, whatever the row's name: a row of the suite that runs something else is another
    /// row.
    pub runs: String,
    /// Answer.
    pub answer: String,
    /// States expanded.
    pub states: Option<u64>,
    /// Moves generated.
    pub generated: Option<u64>,
    /// Bytes read.
    pub read_bytes: Option<u64>,
    /// Bytes written.
    pub written_bytes: Option<u64>,
    /// Resident memory at its highest, in bytes: the median over the samples.
    pub peak_bytes: Option<u64>,
    /// Instructions as `perf` counts them.
    pub instructions_perf: Option<u64>,
    /// Instructions as callgrind counts them, which differ.
    pub instructions_callgrind: Option<u64>,
    /// Ratio of its time to that of the reference row; none for the reference itself.
    pub ratio: Option<f64>,
    /// 95 % interval of the ratio; the gate counts from its upper end.
    pub interval: Option<[f64; 2]>,
}

/// An earlier state.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Change {
    /// When.
    pub updated: String,
    /// Why.
    pub reason: String,
}

impl Baseline {
    /// Answers by row.
    pub fn answers(&self) -> BTreeMap<String, String> {
        let rows = self.row.iter();
        rows.map(|row| (row.name.clone(), row.answer.clone()))
            .collect()
    }
}
