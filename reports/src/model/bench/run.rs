use crate::model::Host;
use serde::{Deserialize, Serialize};

/// The record of a suite's run.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
pub struct BenchRun {
    /// [`SCHEMA`](super::SCHEMA) at the time of writing.
    pub schema: u32,
    /// Name of the suite.
    pub suite: String,
    /// BLAKE3 of the suite's content, ignoring comments and line ends, in hexadecimal.
    pub suite_blake3: String,
    /// Seed of the order.
    pub seed: u64,
    /// Samples of each row.
    pub samples: u32,
    /// Runs of each row before the first sample, not recorded.
    pub warmups: u32,
    /// The executable that was measured.
    pub executable: Executable,
    /// The second one (`--against`).
    pub against: Option<Executable>,
    /// The libraries that were loaded; empty if everything is built in.
    #[serde(default)]
    pub plugins: Vec<LoadedFile>,
    /// The programs of rows with their own command, and files that their arguments name.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub programs: Vec<LoadedFile>,
    /// The libraries and programs measured with their namesakes (`--against NAME=FILE`).
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub against_files: Vec<LoadedFile>,
    /// The names that rows were chosen by (`--rows`); empty if all were.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub rows: Vec<String>,
    /// BLAKE3 of the expected answers from outside the suite (a baseline's), in hexadecimal; empty
    /// if there were none.
    #[serde(default)]
    pub expected_blake3: String,
    /// The machine.
    pub host: Host,
    /// The command line, one entry per argument.
    pub command: Vec<String>,
    /// Start of the first run into this folder, RFC 3339, UTC.
    pub started: String,
    /// End of the last sample.
    pub ended: String,
    /// Whether every sample was taken.
    pub complete: bool,
    /// The noise shown by the rows measured against themselves, one entry per measure; empty if no
    /// row was.
    pub noise: Vec<Noise>,
    /// Possible disturbances of the figures from before the first sample on, a sentence each.
    pub warnings: Vec<String>,
    /// Samples during which the processor was throttled, for heat or by a quota.
    #[serde(default)]
    pub held_back: u64,
    /// The gate's remarks on the run as a whole, a sentence each; empty for `bench`.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub gate: Vec<String>,
}

impl BenchRun {
    /// All possible disturbances of the figures, a sentence each.
    pub fn all_warnings(&self) -> Vec<String> {
        let held_back = match self.held_back {
            0 => None,
            1 => Some("the processor was held back during one sample".to_owned()),
            count => Some(format!(
                "the processor was held back during {count} samples"
            )),
        };
        self.warnings.iter().cloned().chain(held_back).collect()
    }
}

/// An executable.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Executable {
    /// Its file.
    pub file: String,
    /// The output of `--version`.
    pub version: String,
    /// BLAKE3 of the file, in hexadecimal.
    pub blake3: String,
}

/// A library.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct LoadedFile {
    /// Its file.
    pub file: String,
    /// BLAKE3 of the file, in hexadecimal.
    pub blake3: String,
}

/// Difference between a row and its twin, over all rows measured so.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Noise {
    /// `cpu_s` or `wall_s`.
    pub measure: String,
    /// Rows measured against themselves.
    pub rows: u32,
    /// Pairs in all.
    pub pairs: u32,
    /// Greatest ratio of means that a row showed against its twin, always at least 1.
    pub greatest: f64,
    /// Upper end of the band: ratios between 1/band and band are noise.
    pub band: f64,
    /// How the band follows from the pairs, in a sentence.
    pub how: String,
}
