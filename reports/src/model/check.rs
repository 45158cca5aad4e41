use super::{CellFault, Evidence, Record};
use serde::{Deserialize, Serialize};

/// A check on a run, with its outcome.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Check {
    /// The subject of a check, and how much it shows.
    #[serde(flatten)]
    pub evidence: Evidence,
    /// The same in a word, for scripts.
    pub outcome: CheckOutcome,
}

/// The outcome of a check.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub enum CheckOutcome {
    /// Nothing was checked; the text gives the reason.
    #[serde(rename = "not done")]
    NotDone,
    /// Something was checked, and no fault was found.
    #[serde(rename = "ok")]
    Ok,
    /// Something was wrong.
    #[serde(rename = "failed")]
    Failed,
}

impl Record for Check {
    const SCHEMA: &'static str = "antipode-check-1";

    fn check(&self) -> Result<(), CellFault> {
        self.evidence.check()?;
        match self.outcome == Check::from(&self.evidence).outcome {
            true => Ok(()),
            false => Err(("outcome", "it is not what the figures say".to_owned())),
        }
    }
}

impl From<&Evidence> for Check {
    fn from(evidence: &Evidence) -> Self {
        Check {
            evidence: evidence.clone(),
            outcome: match (evidence.done(), evidence.wrong) {
                (false, _) => CheckOutcome::NotDone,
                (true, 0) => CheckOutcome::Ok,
                (true, _) => CheckOutcome::Failed,
            },
        }
    }
}
