//! The output of the checks: verdicts, findings, and the events that a child process streams.

use antipode_graph::PluginError;
use serde::{Deserialize, Serialize};

/// A state of a counterexample, drawn.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Board {
    /// Its role in the counterexample.
    pub role: String,
    /// Rows joined by `/`.
    pub state: String,
}

/// Outcome of one check.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(tag = "outcome", rename_all = "lowercase")]
pub enum Verdict {
    /// Nothing wrong was found.
    Passed {
        /// The states checked: all, or a sample with its seed.
        scope: String,
    },
    /// The check does not apply.
    Skipped {
        /// Why.
        why: String,
    },
    /// It took too long, and decides nothing.
    TimedOut {
        /// The time after which it stopped, and the call in progress.
        text: String,
    },
    /// The contract is broken.
    Failed {
        /// The fault, in one line.
        text: String,
        /// The smallest counterexample found.
        boards: Vec<Board>,
        /// Whether a call failed by itself: no two answers differ.
        #[serde(skip)]
        by_itself: bool,
    },
}

impl Verdict {
    /// A verdict on a call that failed.
    pub(super) fn on(error: &PluginError, boards: Vec<Board>) -> Self {
        Self::Failed {
            text: error.to_string(),
            boards,
            by_itself: !matches!(error, PluginError::Disagree(_)),
        }
    }
}

/// One check of one instance in one variant.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct CheckAt {
    /// `PUZZLE/INSTANCE`, or the file's name if nothing was opened.
    pub instance: String,
    /// Variant, or empty.
    pub variant: String,
    /// Name of the check.
    pub check: String,
}

impl CheckAt {
    /// Its outcome.
    pub(super) const fn found(self, verdict: Verdict) -> TestFinding {
        TestFinding { at: self, verdict }
    }
}

/// Outcome of one check of one instance in one variant.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct TestFinding {
    /// Which.
    #[serde(flatten)]
    pub at: CheckAt,
    /// Outcome.
    #[serde(flatten)]
    pub verdict: Verdict,
}

impl TestFinding {
    /// Whether the contract is broken.
    #[must_use]
    pub fn failed(&self) -> bool {
        matches!(self.verdict, Verdict::Failed { .. })
    }
}

/// A report of a test while it runs; a child process writes one per line.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(tag = "event", rename_all = "lowercase")]
pub enum Event {
    /// Something is left out.
    Noted {
        /// One line.
        text: String,
    },
    /// A check begins.
    Started(CheckAt),
    /// A check has ended.
    Found(TestFinding),
    /// The input cannot be tested at all.
    Refused {
        /// One line.
        text: String,
    },
    /// All checks have run.
    Finished,
}
