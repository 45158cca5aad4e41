use super::{CellFault, LevelTable, Record, names, wire};
use serde::{Deserialize, Serialize};
use serde_json::Value;
use std::collections::BTreeMap;
use std::time::{Duration, SystemTime, UNIX_EPOCH};

/// How and when a record came about.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Provenance {
    /// Version of the tool that ran.
    pub tool_version: String,
    /// The machine it ran on.
    pub host: Host,
    /// The command line, one entry per argument.
    pub command: Vec<String>,
    /// BLAKE3 of the files that the command line names, by the word that names each.
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    pub inputs: BTreeMap<String, String>,
    /// When it was done, in seconds since 1970-01-01 UTC.
    pub finished_unix_s: u64,
}

/// What ran, where, on what, and at what cost: `run.json`.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
pub struct Run {
    /// [`SCHEMA`](super::SCHEMA) at the time of writing.
    pub schema: u32,
    /// Version of the tool that ran.
    pub tool_version: String,
    /// Name of the puzzle.
    pub puzzle: String,
    /// Name of the instance: one concrete graph of states.
    pub instance: String,
    /// Settings of the instance that differ from, or restate, its defaults.
    pub settings: BTreeMap<String, String>,
    /// What a length counts.
    #[serde(default, skip_serializing_if = "Unit::is_moves")]
    pub unit: Unit,
    /// The implementation of the rules used.
    pub variant: String,
    /// The search strategy used.
    pub engine: String,
    /// `forward` from a start, `backward` from the solved states, or `both` of pairs of states.
    pub direction: String,
    /// The start, if it was not the instance's own.
    pub from: Option<String>,
    /// Deepest level requested; `None` means all.
    pub max_depth: Option<u32>,
    /// Number of worker threads.
    pub threads: u32,
    /// Seed of all sampling.
    pub seed: u64,
    /// The source of the rules.
    pub plugin: Plugin,
    /// Start of the run, in seconds since 1970-01-01 UTC.
    pub started_unix_s: u64,
    /// Elapsed time.
    #[serde(with = "wire::measured")]
    pub wall_s: f64,
    /// Processor time over all threads.
    #[serde(with = "wire::measured")]
    pub cpu_s: f64,
    /// Greatest resident memory.
    pub peak_memory_bytes: u64,
    /// Throughput per second of processor time.
    #[serde(with = "wire::measured")]
    pub states_per_core_second: f64,
    /// Independent parts of the work that were finished.
    pub parts_done: u64,
    /// Independent parts in all.
    pub parts_total: u64,
    /// Whether the search ended because nothing was left to search; false if the deepest requested
    /// level was reached.
    pub complete: bool,
    /// Why it ended early, if it did.
    pub stopped_because: Option<String>,
    /// The same for programs; absent from records of older versions.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub stop: Option<StopRecord>,
    /// The machine it ran on.
    pub host: Host,
    /// The command line, one entry per argument.
    pub command: Vec<String>,
    /// BLAKE3 of the files that the command line names, by the word that names each.
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    pub inputs: BTreeMap<String, String>,
    /// An engine's further data.
    pub extra: BTreeMap<String, serde_json::Value>,
}

impl Record for Run {
    const SCHEMA: &'static str = "antipode-run-1";

    fn check(&self) -> Result<(), CellFault> {
        let directions = ["forward", "backward", "both"];
        wire::sound_word("direction", &self.direction, &directions)?;
        let (done, total) = (self.parts_done, self.parts_total);
        let fault = || format!("{done} of {total} parts");
        wire::sound(done <= total, "parts_done", fault)?;
        wire::sound(!self.complete || done == total, "complete", || {
            let open = total - done;
            format!("the run is complete, but for {open} of {total} parts")
        })
    }
}

/// Member of [`Run::extra`] with the number of symmetries of the board, the identity included.
pub const SYMMETRIES: &str = "symmetries";

impl Run {
    /// `PUZZLE/INSTANCE with KEY VALUE`.
    pub fn title(&self) -> String {
        let settings = self.settings.iter();
        let setting = |(name, value): (&String, &String)| format!("{name} {value}");
        let settings: Vec<_> = settings.map(setting).collect();
        let with = match settings.is_empty() {
            true => String::new(),
            false => format!(" with {}", settings.join(", ")),
        };
        self.place() + &with
    }

    /// `PUZZLE/INSTANCE`.
    pub(crate) fn place(&self) -> String {
        format!("{}/{}", self.puzzle, self.instance)
    }

    /// Whether levels can be those of this run: none beyond the greatest requested level, and
    /// orbits no larger than the symmetries allow, if it states how many there are.
    pub fn check_levels(&self, levels: &LevelTable) -> Result<(), CellFault> {
        if let (Some(limit), Some(deepest)) = (self.max_depth, levels.max_depth())
            && deepest > limit
        {
            let text = format!("level {deepest}, where the run ended at {limit}");
            return Err(("depth", text));
        }
        let symmetries = self.extra.get(SYMMETRIES).and_then(Value::as_u64);
        symmetries.map_or(Ok(()), |count| levels.check_orbits(count))
    }
}

/// What a length counts; records leave out moves.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Unit {
    /// Moves.
    #[default]
    Moves,
    /// Steps of one cell.
    Steps,
}

impl Unit {
    /// Its name.
    pub fn name(self) -> &'static str {
        names::<Self>()[self as usize]
    }

    pub(crate) fn distance(self) -> String {
        format!("distance in {}", self.name())
    }

    pub(crate) fn is_moves(&self) -> bool {
        *self == Self::Moves
    }
}

impl From<&str> for Unit {
    fn from(name: &str) -> Self {
        match name {
            "steps" => Self::Steps,
            _ => Self::Moves,
        }
    }
}

/// A moment in whole seconds since 1970-01-01 UTC; 0 for an earlier one.
pub fn unix_seconds(moment: SystemTime) -> u64 {
    let since = moment.duration_since(UNIX_EPOCH);
    since.map_or(0, |since| since.as_secs())
}

/// Such a moment in RFC 3339, UTC; the last one of the year 9999 for a later one.
pub fn rfc3339(unix_s: u64) -> String {
    let since = Duration::from_secs(unix_s.min(253_402_300_799));
    humantime::format_rfc3339_seconds(UNIX_EPOCH + since).to_string()
}

/// The cause that ended a search early.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub struct StopRecord {
    /// The kind of cause.
    pub reason: StopKind,
    /// The limit, if there was one: levels, states, milliseconds, bytes, paths.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub limit: Option<u64>,
}

/// Reasons for which a search ends early.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum StopKind {
    /// The user requested it.
    Requested,
    /// The greatest requested level.
    Depth,
    /// A number of states.
    States,
    /// A time.
    Time,
    /// Memory.
    Memory,
    /// Disk.
    Disk,
    /// The width of a beam.
    Width,
    /// Some of the requested paths are beyond the limits.
    Open,
    /// A run about a share of the parts.
    Shard,
    /// The rulebook sees more states than it was to look at.
    Unchecked,
}

/// The library of a puzzle's rules, built in or loaded.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Plugin {
    /// Its name.
    pub name: String,
    /// Its version.
    pub version: String,
    /// The file it was loaded from; `None` when built in.
    pub file: Option<String>,
    /// BLAKE3 of that file, in hexadecimal.
    pub blake3: Option<String>,
    /// Version of the binary interface it speaks.
    pub abi: u32,
}

/// The machine a run took place on.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Host {
    /// Operating system.
    pub os: String,
    /// Instruction set.
    pub arch: String,
    /// Processor model.
    pub cpu: String,
    /// Number of logical cores.
    pub cores: u32,
}
