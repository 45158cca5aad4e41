//! What comes of one reading of a claim, and what it rests on.

use std::sync::Arc;

use antipode_check::analysis::Analysis;
use antipode_graph::PluginError;
use antipode_reports::model::{Evidence, Picture, Verdict};
use antipode_search::engines::EngineError;

use crate::compare::verdict;
use crate::kinds::lengths::TableFinding;
use crate::spec::Case;

/// What came of one reading.
#[derive(Debug, Clone)]
pub(crate) struct Finding {
    pub found: String,
    pub verdict: Verdict,
    pub note: String,
    pub evidence: Vec<Evidence>,
    pub witnesses: Vec<Picture>,
    pub variant: String,
    pub engine: String,
    /// The analysis that it rests on.
    pub analysis: Option<Arc<Analysis>>,
    /// A proof of the puzzle's own, whole.
    pub proof: Option<String>,
    /// Two of our own derivations disagree.
    pub disagreement: bool,
    /// The rows of a table of claims.
    pub table: Option<TableFinding>,
}

impl Finding {
    pub(crate) fn new(found: impl Into<String>, verdict: Verdict) -> Self {
        Self {
            found: found.into(),
            verdict,
            note: String::new(),
            evidence: Vec::new(),
            witnesses: Vec::new(),
            variant: String::new(),
            engine: String::new(),
            analysis: None,
            proof: None,
            disagreement: false,
            table: None,
        }
    }

    /// A figure held against the one claimed.
    ///
    /// # Errors
    /// [`PluginError::BadInput`] where the two cannot be compared.
    pub(crate) fn of_figure(case: &Case, found: &str) -> Result<Self, EngineError> {
        let verdict = verdict(case, found).map_err(PluginError::BadInput)?;
        Ok(Self::new(found, verdict))
    }

    pub(crate) fn not_reached(why: impl Into<String>) -> Self {
        let mut finding = Self::new("", Verdict::NotReached);
        finding.note = why.into();
        finding
    }

    /// The analysis goes with the finding into the certificate, and its checks into the
    /// evidence.
    pub(crate) fn rest_on(&mut self, analysis: Arc<Analysis>) {
        self.evidence.extend(analysis.evidence.iter().cloned());
        if self.variant.is_empty() {
            self.variant.clone_from(&analysis.run.variant);
        }
        if self.engine.is_empty() {
            self.engine.clone_from(&analysis.run.engine);
        }
        self.disagreement |= analysis.failed();
        self.analysis = Some(analysis);
    }
}
