use super::{
    Antipode, CellFault, ClaimResult, Evidence, Host, LevelTable, Record, Run, Verdict, wire,
};
use serde::{Deserialize, Serialize};
use serde_json::Value;
use std::collections::BTreeMap;

/// Everything needed to check a verdict: the claim, what decided it, and the evidence.
/// `certificates/CLAIM.json`; `checker/data/certificate.txt` says which members are evidence and
/// how they are checked.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
pub struct Certificate {
    /// [`SCHEMA`](super::SCHEMA) at the time of writing.
    pub schema: u32,
    /// The claim with its verdict.
    pub claim: ClaimResult,
    /// The claim's own lines, verbatim.
    pub text: String,
    /// BLAKE3 of these, so that a changed claim is detected.
    pub claim_blake3: String,
    /// Each reading of the claim, or the claim itself: the question, the finding, and its evidence.
    pub cases: Vec<CaseRecord>,
    /// Versions by name: the tool, its commit, its libraries, the compiler.
    pub tool: BTreeMap<String, String>,
    /// Seed of all sampling.
    pub seed: u64,
    /// The command line, one entry per argument.
    pub command: Vec<String>,
    /// The machine, for timed results.
    pub host: Host,
    /// The rows of a table of claims, each with its own verdict and witness; empty for a
    /// single claim.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub rows: Vec<ClaimResult>,
}

impl Record for Certificate {
    const SCHEMA: &'static str = "antipode-certificate-3";
    const SEALED: bool = true;

    fn check(&self) -> Result<(), CellFault> {
        self.claim.check()?;
        self.rows.iter().try_for_each(ClaimResult::check)?;
        wire::sound_hex("claim_blake3", &self.claim_blake3, 64)?;
        self.cases.iter().try_for_each(CaseRecord::check)
    }
}

impl Certificate {
    /// The level tables of the cases, each with the name of the file next to the certificate that
    /// repeats it as a table of numbers.
    pub fn level_tables(&self) -> impl Iterator<Item = (String, &LevelTable)> {
        let id = &self.claim.id;
        let tables = self.cases.iter().filter_map(|case| case.levels.as_ref());
        (1..).zip(tables).map(move |(nth, table)| {
            let name = match nth {
                1 => level_table_name(id),
                nth => format!("{id}.levels-{nth}.csv"),
            };
            (name, table)
        })
    }
}

/// File of a claim's level table, next to its certificate; a second one has a number.
pub fn level_table_name(id: &str) -> String {
    format!("{id}.levels.csv")
}

/// One reading of a claim: every parameter that decided, its outcome, and the evidence.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct CaseRecord {
    /// Name of the reading; empty for the only one.
    pub reading: String,
    /// How it was decided, such as `derived`.
    pub kind: String,
    /// Instance it is about.
    pub instance: Option<String>,
    /// Settings that the instance was opened with.
    pub settings: BTreeMap<String, String>,
    /// Board it is about.
    pub board: Option<String>,
    /// Keys that only its kind has, as they are written in the claim.
    pub own: BTreeMap<String, Value>,
    /// The published figure.
    pub claimed: String,
    /// How the figures are compared, such as `at-most`.
    pub compare: String,
    /// Relative tolerance of `about`; if there is none, the printed digits decide.
    pub within: Option<f64>,
    /// The figure found.
    pub found: String,
    /// Its outcome.
    pub verdict: Verdict,
    /// The implementation of the rules used.
    pub variant: String,
    /// The search strategy.
    pub engine: String,
    /// The number of the claim's witnesses that belong to this reading; they are in its order.
    pub witnesses: usize,
    /// Figures of a derivation by name.
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    pub figures: BTreeMap<String, String>,
    /// The puzzle's own proof that there is no path, with the data for a checker.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub proof: Option<String>,
    /// The run behind it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub run: Option<Run>,
    /// The levels it found.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub levels: Option<LevelTable>,
    /// The deepest states it found.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub antipodes: Vec<Antipode>,
    /// The destinations of the moves out of each level.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub moves: Vec<LevelMoves>,
    /// The checks that went along.
    pub checks: Vec<Evidence>,
}

impl CaseRecord {
    fn check(&self) -> Result<(), CellFault> {
        self.checks.iter().try_for_each(Evidence::check)?;
        if let Some(levels) = &self.levels {
            levels.check()?;
            levels.check_antipodes(&self.antipodes)?;
        }
        match (&self.run, &self.levels) {
            (Some(run), Some(levels)) => run.check().and_then(|()| run.check_levels(levels)),
            (Some(run), None) => run.check(),
            (None, _) => Ok(()),
        }
    }
}

/// The moves out of one level, each counted as often as the puzzle lists it.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct LevelMoves {
    /// States of the level.
    pub states: u64,
    /// Moves out of it.
    pub moves: u64,
    /// Of these, to the same level or to an earlier one.
    pub known: u64,
    /// Greatest number of levels that a move leads back.
    pub back: u64,
    /// Moves to states from which no root can be reached (backward over a whole space).
    pub to_unsolvable: u64,
    /// Different buckets of the level, if the puzzle has buckets.
    pub buckets: u64,
    /// Moves that stay in their bucket.
    pub kept: u64,
    /// Moves that stay in their bucket of 8,192 by a uniform hash.
    pub kept_by_hash: u64,
}
