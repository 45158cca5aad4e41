//! What comes of one reading of a claim, and what it rests on.

use std::sync::Arc;

use antipode_check::analysis::Analysis;
use antipode_check::verify::{LEAST_SAMPLE, Proof};
use antipode_graph::PluginError;
use antipode_reports::model::{Evidence, LevelMoves, Picture, Verdict};
use antipode_search::engines::EngineError;
use puzzle_api::Figure;

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
    /// Figures of a derivation.
    pub figures: Vec<Figure>,
    /// The moves out of each level.
    pub moves: Vec<LevelMoves>,
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
            figures: Vec::new(),
            moves: Vec::new(),
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

    /// The verdict rests on figures of an analysis, and says no more than was checked of them.
    pub(crate) fn judged_by(&mut self, analysis: &Analysis) {
        let by_sample = match self.verdict {
            Verdict::Confirmed => Verdict::ConfirmedBySample,
            Verdict::Refuted => Verdict::RefutedBySample,
            _ => return,
        };
        if analysis.failed() {
            self.unchecked("a check of the run found a fault");
        } else if analysis.proof != Proof::Complete && analysis.evidence.iter().any(sampled) {
            self.verdict = by_sample;
        } else if analysis.proof != Proof::Complete {
            let why = analysis.evidence.iter().find(|evidence| !evidence.done());
            let why = why.map_or("no check went with the run", |why| why.text.as_str());
            self.unchecked(why);
        }
    }

    /// Nothing bears the figure out.
    pub(crate) fn unchecked(&mut self, why: &str) {
        self.verdict = Verdict::NotReached;
        let said = format!("Found, and not checked: {why}.");
        self.note = match self.note.is_empty() {
            true => said,
            false => format!("{} {said}", self.note),
        };
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

/// Whether a check drew a sample that a verdict may rest on.
fn sampled(evidence: &Evidence) -> bool {
    evidence.bound.is_some() && evidence.wrong == 0 && evidence.sampled >= LEAST_SAMPLE.into()
}
