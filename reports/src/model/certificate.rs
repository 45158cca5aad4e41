use super::{Antipode, ClaimResult, Evidence, Fault, LevelTable, Record, Run, schema, wire};
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;

/// Everything somebody else needs to check a verdict: the claim, the run and its figures.
/// `certificates/CLAIM.json`.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Certificate {
    /// [`SCHEMA`](super::SCHEMA) at the time of writing.
    pub schema: u32,
    /// The claim with its verdict.
    pub claim: ClaimResult,
    /// The run behind it, if there was one.
    pub run: Option<Run>,
    /// The levels it found.
    pub levels: Option<LevelTable>,
    /// The deepest states it found.
    pub antipodes: Vec<Antipode>,
    /// The checks on the run itself.
    pub checks: Vec<Evidence>,
    /// Versions by name: the tool, its libraries, the compiler.
    pub tool: BTreeMap<String, String>,
    /// BLAKE3 of the claim's text, so that a changed claim is noticed.
    pub claim_blake3: String,
    /// What engines answered beside that run: searches of further readings, and proofs.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub answers: Vec<Answer>,
    /// The rows of a table of claims, each with its own verdict and witness; empty for a
    /// single claim.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub rows: Vec<ClaimResult>,
}

impl Record for Certificate {
    const SCHEMA: &'static str = schema::CERTIFICATE;
    const SEALED: bool = true;

    fn check(&self) -> Result<(), Fault> {
        self.claim.check()?;
        self.rows.iter().try_for_each(ClaimResult::check)?;
        self.checks.iter().try_for_each(Evidence::check)?;
        wire::sound_hex("claim_blake3", &self.claim_blake3, 64)?;
        check_levels(self.run.as_ref(), self.levels.as_ref())?;
        if let Some(levels) = &self.levels {
            levels.check_antipodes(&self.antipodes)?;
        }
        let mut answers = self.answers.iter();
        answers.try_for_each(|one| check_levels(one.run.as_ref(), one.levels.as_ref()))
    }
}

/// A run and its levels, each by itself and together.
fn check_levels(run: Option<&Run>, levels: Option<&LevelTable>) -> Result<(), Fault> {
    if let Some(levels) = levels {
        levels.check()?;
    }
    match (run, levels) {
        (Some(run), Some(levels)) => run.check().and_then(|()| run.check_levels(levels)),
        (Some(run), None) => run.check(),
        (None, _) => Ok(()),
    }
}

/// What an engine answered to a question behind a claim.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Answer {
    /// The reading that asked; empty for the only one.
    pub reading: String,
    /// The run, if there was one.
    pub run: Option<Run>,
    /// The levels it found.
    pub levels: Option<LevelTable>,
    /// A proof of the puzzle's own, whole: a reason, then what a checker needs.
    pub proof: Option<String>,
}
