//! Records of benchmarks: samples, runs of a suite, and comparisons.

use super::{CellFault, Host, Record, names, wire};
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;
use std::fmt;
use std::str::FromStr;

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
    /// [`SCHEMA`] at the time of writing.
    pub schema: u32,
    /// Name of the suite.
    pub suite: String,
    /// Name of the row, unique in the suite; with [`TWIN`] or
    /// [`AGAINST`] after it for the second side of a comparison.
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

    /// `PUZZLE/INSTANCE`, with the settings after it; `command` for a row of a command.
    pub fn question(&self) -> String {
        let name = format!("{}/{}", self.puzzle, self.instance);
        let name = name.trim_end_matches('/');
        match self.settings.as_str() {
            "" => name.to_owned(),
            settings => format!("{name} {}", settings.replace(';', " ")),
        }
    }
}

/// The record of a suite's run.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
pub struct BenchRun {
    /// [`SCHEMA`] at the time of writing.
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
    pub executable: LoadedFile,
    /// The second one (`--against`).
    pub against: Option<LoadedFile>,
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

/// An executable, a library or a program.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct LoadedFile {
    /// Its file.
    pub file: String,
    /// The output of `--version`, of an executable.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub version: String,
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

/// A comparison's result on its second side, `b`.
#[derive(
    Debug, Clone, Copy, Default, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize,
)]
#[serde(rename_all = "kebab-case")]
pub enum ComparisonOutcome {
    /// `b` takes less: significant, and by more than the noise.
    Faster,
    /// `b` takes more: significant, and by more than the noise.
    Slower,
    /// `b` takes more: significant, and by more than the noise, but the limit allows it.
    SlowerWithinLimit,
    /// There is a difference, but it is not greater than the noise between equals.
    WithinNoise,
    /// The pairs do not show a difference.
    Undecided,
    /// A side answered wrongly: there is no ratio.
    Wrong,
    #[default]
    /// There is nothing to compare, or too little; the detail gives the reason.
    Refused,
}

impl ComparisonOutcome {
    /// In the form of files.
    pub fn id(self) -> &'static str {
        names::<Self>()[self as usize]
    }

    /// In words.
    pub fn label(self) -> &'static str {
        match self {
            ComparisonOutcome::WithinNoise => "within the noise",
            ComparisonOutcome::SlowerWithinLimit => "slower, within the limit",
            other => other.id(),
        }
    }
}

impl fmt::Display for ComparisonOutcome {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(self.label())
    }
}

/// Two rows compared, pair by pair.
///
/// The fields are the columns of `comparison.csv`, in this order.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
pub struct Comparison {
    /// [`SCHEMA`] at the time of writing.
    pub schema: u32,
    /// The side that is compared with.
    pub a: String,
    /// The side that is judged.
    pub b: String,
    /// Pairs: rounds in which both sides ended well.
    pub pairs: u32,
    /// Geometric mean over the pairs of the ratio of `b`'s cost to `a`'s: below 1, `b` is faster.
    pub ratio: Option<f64>,
    /// Lower end of its 95 % interval.
    pub low: Option<f64>,
    /// Upper end.
    pub high: Option<f64>,
    /// Share of the pairs in which `b` took less; a tie counts half.
    pub won: Option<f64>,
    /// Probability of a mean so far from 1 or further if the sides were alike.
    pub p: Option<f64>,
    /// The same, corrected for the number of rows compared.
    pub p_adjusted: Option<f64>,
    /// Whether the corrected probability is at most 0.05.
    pub significant: bool,
    /// Whether the ratio is outside the noise band, 1/noise to noise.
    pub beyond_noise: bool,
    /// Upper end of the noise band as a ratio: 1.03 means 3 %.
    pub noise: Option<f64>,
    /// The conclusion from the two.
    pub verdict: ComparisonOutcome,
    /// The measure compared: `cpu_s` or `wall_s`.
    pub measure: String,
    /// One line of detail; empty if the figures are enough.
    pub detail: String,
}

impl Comparison {
    /// Two rows about which nothing is known yet: refused, until there are figures.
    pub fn open(a: String, b: String, noise: Option<f64>, measure: &str) -> Self {
        Self {
            schema: SCHEMA,
            a,
            b,
            noise,
            measure: measure.to_owned(),
            ..Self::default()
        }
    }
}

/// The measure that is compared.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Measure {
    /// Processor time: hardly affected by other load on the machine, so the default.
    #[default]
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
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
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
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
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

/// A row of a suite at a commit.
///
/// The fields are the columns of a history, in this order.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct HistoryRow {
    /// The commit, as `report --commit` names it.
    pub commit: String,
    /// Start of the first sample, RFC 3339, UTC.
    pub started: String,
    /// Name of the suite.
    pub suite: String,
    /// Name of the row.
    pub row: String,
    /// The row that its times are ratios to, measured in the same rounds; empty if there is
    /// none.
    pub reference: String,
    /// Geometric mean over the rounds of the ratio of the row's processor time to the reference's.
    pub ratio: Option<f64>,
    /// Lower end of its 95 % interval.
    pub low: Option<f64>,
    /// Upper end.
    pub high: Option<f64>,
    /// Median processor time in seconds.
    pub cpu_s: Option<f64>,
    /// Median of the greatest resident memory, in bytes.
    pub peak_bytes: Option<u64>,
    /// States expanded.
    pub states: Option<u64>,
    /// Moves generated.
    pub generated: Option<u64>,
    /// Processor model.
    pub processor: String,
}

impl Record for HistoryRow {
    const SCHEMA: &'static str = "antipode-history-1";

    fn check(&self) -> Result<(), CellFault> {
        for (column, figure) in [
            ("ratio", self.ratio),
            ("low", self.low),
            ("high", self.high),
            ("cpu_s", self.cpu_s),
        ] {
            let figure = figure.unwrap_or(1.0);
            let fault = || format!("{figure} cannot be; remove the line");
            let is_known = figure > 0.0 || column == "cpu_s" && figure == 0.0;
            wire::sound(figure.is_finite() && is_known, column, fault)?;
        }
        let is_time = humantime::parse_rfc3339(&self.started).is_ok();
        wire::sound(is_time, "started", || {
            format!("'{}' is no time; remove the line", self.started)
        })
    }
}
