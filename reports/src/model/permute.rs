use super::{CellFault, Provenance, Record, wire};
use serde::{Deserialize, Serialize};

/// One strategy for a bit permutation. A row of `permute.csv`.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct PermuteRow {
    /// Name of the strategy.
    pub strategy: String,
    /// Word operations.
    pub operations: u64,
    /// Distinct masks and other constants.
    pub masks: u64,
    /// Operations on the longest path.
    pub depth: u64,
    /// Bytes of tables.
    pub table_bytes: u64,
    /// Nanoseconds per call in a chain, if it was timed.
    pub nanoseconds_chained: Option<f64>,
    /// Nanoseconds per call on independent words, if it was timed.
    pub nanoseconds_independent: Option<f64>,
    /// Whether it equals the moves bit by bit, on every single bit and on random words.
    pub equals_naive: bool,
    /// Whether that is proven for every word.
    pub proven: bool,
    /// A remark; may be empty.
    pub note: String,
}

impl PermuteRow {
    /// How far it was checked, in words.
    pub fn right(&self) -> &'static str {
        match (self.equals_naive, self.proven) {
            (true, true) => "proven",
            (true, false) => "on samples",
            (false, _) => "WRONG",
        }
    }
}

impl Record for PermuteRow {
    const SCHEMA: &'static str = "antipode-permute-rows-1";

    fn check(&self) -> Result<(), CellFault> {
        for (name, time) in [
            ("nanoseconds_chained", self.nanoseconds_chained),
            ("nanoseconds_independent", self.nanoseconds_independent),
        ] {
            wire::sound_seconds(name, time.unwrap_or(0.0))?;
        }
        wire::sound(!self.proven || self.equals_naive, "proven", || {
            "of a program that is wrong".to_owned()
        })
    }
}

/// Strategies for one bit permutation: `permute.json`.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Permute {
    /// How and when it came about.
    #[serde(flatten)]
    pub made: Provenance,
    /// The permutation, as requested.
    pub spec: String,
    /// Its bits.
    pub bits: u64,
    /// Distinct distances that bits move.
    pub distances: u64,
    /// Seed of the random words.
    pub seed: u64,
    /// The strategies.
    pub rows: Vec<PermuteRow>,
}

impl Record for Permute {
    const SCHEMA: &'static str = "antipode-permute-1";

    fn check(&self) -> Result<(), CellFault> {
        self.rows.iter().try_for_each(Record::check)
    }
}
