use crate::model::names;
use serde::{Deserialize, Serialize};
use std::fmt;

/// The outcome of a sample.
#[derive(
    Debug, Clone, Copy, Default, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize,
)]
#[serde(rename_all = "kebab-case")]
pub enum Status {
    /// It ended, and its answer is the expected one.
    Ok,
    /// It ended with another answer than the expected one: its time does not count.
    Wrong,
    /// It ended with an error, or was killed from outside; the status stays until a sample ended
    /// well.
    #[default]
    Failed,
    /// It was killed at its time limit.
    Timeout,
    /// It did not fit the allowed memory.
    Memory,
    /// The engine cannot run the instance, so it was never started.
    Refused,
    /// It was not started because an earlier sample of its row failed.
    Skipped,
}

impl Status {
    /// All, in the order in which a summary lists them.
    pub const ALL: [Status; 7] = [
        Status::Ok,
        Status::Wrong,
        Status::Failed,
        Status::Timeout,
        Status::Memory,
        Status::Refused,
        Status::Skipped,
    ];

    /// The status in the form of files, and in words.
    pub fn id(self) -> &'static str {
        names::<Self>()[self as usize]
    }
}

impl fmt::Display for Status {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(self.id())
    }
}

/// One sample: one run of one row in a separate process, or one imported figure.
///
/// The fields are the columns of `samples.csv`, in this order; an empty cell is `None`, or a
/// figure that does not apply.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
pub struct Sample {
    /// [`SCHEMA`](super::SCHEMA) at the time of writing.
    pub schema: u32,
    /// Name of the suite.
    pub suite: String,
    /// Name of the row, unique in the suite; with [`TWIN`](super::TWIN) or
    /// [`AGAINST`](super::AGAINST) after it for the second side of a comparison.
    pub row: String,
    /// Rows of a group answer the same question and are compared with each other.
    pub group: String,
    /// Name of the puzzle.
    pub puzzle: String,
    /// Name of the instance.
    pub instance: String,
    /// Settings of the instance, `KEY=VALUE;KEY=VALUE` by ascending key.
    pub settings: String,
    /// The implementation of the rules.
    pub variant: String,
    /// The search strategy.
    pub engine: String,
    /// `forward` or `backward`; empty for a path.
    pub direction: String,
    /// Worker threads.
    pub threads: u32,
    /// Number of the sample in its row, from 0, which is its round: samples of two rows with one
    /// number are a pair. Warm-ups are not recorded.
    pub sample: u32,
    /// Place in the seeded random order over the whole run, from 0, warm-ups included.
    pub position: u32,
    /// Seed of that order, and of the search's own sampling.
    pub seed: u64,
    /// Its outcome.
    pub status: Status,
    /// One line of detail; empty if all is well.
    pub detail: String,
    /// Its answer: digest of the level table, `length N` or `unsolvable`.
    pub answer: String,
    /// The expected answer; empty if unknown.
    pub expected: String,
    /// Elapsed seconds of opening and searching, by the clock of the sample's own process, so
    /// without its start. For a sample that failed, until its end, by the clock of the process that
    /// started it.
    pub wall_s: Option<f64>,
    /// Processor seconds over the same time, user and system, all threads. For a sample that
    /// failed, those of the whole process, as the system counted them.
    pub cpu_s: Option<f64>,
    /// Greatest resident memory, in bytes.
    pub peak_bytes: Option<u64>,
    /// States expanded or swept. The same on every machine and on any number of threads, as are
    /// moves; bytes are the same on one thread.
    pub states: Option<u64>,
    /// Moves generated: successors or predecessors passed to the engine.
    pub generated: Option<u64>,
    /// Bytes that the engine read from its own files.
    pub read_bytes: Option<u64>,
    /// Bytes that the engine wrote to its own files.
    pub written_bytes: Option<u64>,
    /// Version of the tool that ran.
    pub version: String,
    /// BLAKE3 of the executable that ran, in hexadecimal.
    pub build: String,
    /// File the puzzle was loaded from; empty when built in.
    pub plugin_file: String,
    /// BLAKE3 of that file, in hexadecimal.
    pub plugin_digest: String,
    /// Processor model.
    pub processor: String,
    /// Processes ready to run, averaged over a minute, when the sample started.
    pub load1: Option<f64>,
    /// How often the system throttled the processor while the sample ran, for heat or by quota;
    /// `None` if unknown.
    pub throttled: Option<u64>,
    /// Start, RFC 3339, UTC.
    pub started: String,
    /// Empty for a sample of a run, else what the imported figure measures. It is `criterion`,
    /// `instructions-perf` or `instructions-callgrind` by what counted them, `instructions` if
    /// nothing could, or the name from another program.
    pub metric: String,
    /// The imported figure.
    pub value: Option<f64>,
    /// Unit of the imported figure, such as `ns`.
    pub unit: String,
}

impl Sample {
    /// The figures that are the same in every sample of a row, on every machine: states expanded,
    /// moves generated, bytes read and written, by name. Bytes are left out if several threads ran:
    /// their order decides how much is written before it is merged.
    pub fn counters(&self) -> [(&'static str, Option<u64>); 4] {
        let bytes = |count: Option<u64>| count.filter(|_| self.threads == 1);
        [
            ("states expanded", self.states),
            ("moves generated", self.generated),
            ("bytes read", bytes(self.read_bytes)),
            ("bytes written", bytes(self.written_bytes)),
        ]
    }

    /// Whether its time may be used: it ended with the expected answer.
    pub fn counts(&self) -> bool {
        self.status == Status::Ok
    }

    /// Whether it is an imported figure and no run of a row.
    pub fn imported(&self) -> bool {
        !self.metric.is_empty()
    }

    /// `PUZZLE/INSTANCE`, with the settings after it.
    pub fn question(&self) -> String {
        let name = format!("{}/{}", self.puzzle, self.instance);
        match self.settings.as_str() {
            "" => name,
            settings => format!("{name} {}", settings.replace(';', " ")),
        }
    }
}
