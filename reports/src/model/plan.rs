use super::{CellFault, Provenance, Record, wire};
use serde::{Deserialize, Serialize};

/// The greatest needs of one engine. A row of `plan.csv`.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct PlanRow {
    /// The engine, with the options that it is about.
    pub engine: String,
    /// Memory of each machine, in bytes.
    pub memory_bytes: u64,
    /// Disk of each machine, in bytes.
    pub disk_bytes: u64,
    /// Elapsed time, in seconds.
    pub seconds: f64,
    /// Whether the machines have it.
    pub fits: bool,
}

impl Record for PlanRow {
    const SCHEMA: &'static str = "antipode-plan-rows-1";

    fn check(&self) -> Result<(), CellFault> {
        wire::sound_seconds("seconds", self.seconds)
    }
}

/// The needs of each engine for an instance: `plan.json`.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct EnginePlan {
    /// How and when it came about.
    #[serde(flatten)]
    pub made: Provenance,
    /// `PUZZLE/INSTANCE`.
    pub instance: String,
    /// States, about.
    pub states: f64,
    /// Where that number is from.
    pub from: String,
    /// Machines that share the search.
    pub machines: u64,
    /// Cores of each.
    pub cores: u64,
    /// Memory of each, in bytes.
    pub memory_bytes: u64,
    /// Disk of each, in bytes, if there is a limit.
    pub disk_bytes: Option<u64>,
    /// The engines.
    pub rows: Vec<PlanRow>,
}

impl Record for EnginePlan {
    const SCHEMA: &'static str = "antipode-plan-1";

    fn check(&self) -> Result<(), CellFault> {
        self.rows.iter().try_for_each(Record::check)
    }
}
