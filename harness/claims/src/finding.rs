//! The outcome of one reading of a claim, and its evidence.

use std::sync::Arc;

use antipode_check::analysis::Analysis;
use antipode_check::verify::{LEAST_SAMPLE, Proof};
use antipode_graph::PluginError;
use antipode_reports::model::{CaseRecord, Evidence, LevelMoves, Picture, Verdict};
use antipode_search::engines::EngineError;
use antipode_search::options::without_options;
use puzzle_api::Figure;

use crate::compare::verdict;
use crate::spec::{Case, LengthPair};

/// The outcome of one reading.
#[derive(Debug, Clone, Default)]
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
    /// The puzzle's own proof, in full.
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

/// The outcome of one row.
#[derive(Debug, Clone)]
pub(crate) struct RowFinding {
    pub pair: LengthPair,
    pub found: String,
    pub verdict: Verdict,
    pub note: String,
    /// A shortest path.
    pub witness: Option<Picture>,
    /// Whether that path alone decides.
    pub(crate) by_path: bool,
}

/// The outcome of a table.
#[derive(Debug, Clone)]
pub(crate) struct TableFinding {
    pub rows: Vec<RowFinding>,
    /// The rulebook's check of the sides that do not meet.
    pub inside: Evidence,
    pub disagreements: Vec<String>,
    pub variant: String,
    pub note: String,
}

impl Finding {
    pub(crate) fn new(found: impl Into<String>, verdict: Verdict) -> Self {
        Self {
            found: found.into(),
            verdict,
            ..Self::default()
        }
    }

    /// A figure compared with the one claimed.
    ///
    /// # Errors
    /// [`PluginError::BadInput`] if the two cannot be compared.
    pub(crate) fn of_figure(case: &Case, found: &str) -> Result<Self, EngineError> {
        let verdict = verdict(case, found).map_err(PluginError::BadInput)?;
        Ok(Self::new(found, verdict))
    }

    pub(crate) fn not_reached(why: impl Into<String>) -> Self {
        let mut finding = Self::new("", Verdict::NotReached);
        // Commands that judge claims have no such option.
        finding.note = without_options(&why.into(), |name| name != "memory");
        finding
    }

    /// Lowers the verdict to the checked part of the analysis on which it rests.
    pub(crate) fn judged_by(&mut self, analysis: &Analysis) {
        let by_sample = match self.verdict {
            Verdict::Confirmed => Verdict::ConfirmedBySample,
            Verdict::Refuted => Verdict::RefutedBySample,
            _ => return,
        };
        if analysis.failed() {
            self.unchecked("a check of the run found a fault");
            return;
        }
        let mut evidence = analysis.evidence.iter();
        let (supported, why) = match analysis.proof {
            Proof::Complete => return,
            Proof::Open(left) => {
                // Drawn from all states, and not from those that the run met.
                let drawn = |one: &Evidence| one.what == "inclusiveness" && sampled(one);
                (evidence.any(drawn), left)
            }
            Proof::None => {
                let undone = evidence.clone().find(|evidence| !evidence.done());
                let why = undone.map_or("the run was not checked", |undone| &undone.text);
                (evidence.any(sampled), why)
            }
        };
        match supported {
            true => self.verdict = by_sample,
            false => self.unchecked(why),
        }
    }

    /// Marks the figure as not checked.
    pub(crate) fn unchecked(&mut self, why: &str) {
        self.verdict = Verdict::NotReached;
        self.add(&format!("Found, and not checked: {why}."));
    }

    /// Marks the figure as one that another derivation contradicts, and says so first.
    pub(crate) fn disagrees(&mut self, what: &str) {
        self.disagreement = true;
        self.note = format!("our own derivations disagree: {what}. {}", self.note);
    }

    /// Adds a sentence to the note.
    pub(crate) fn add(&mut self, said: &str) {
        if !self.note.is_empty() {
            self.note.push(' ');
        }
        self.note += said;
    }

    /// The question of a reading, its outcome, and the evidence.
    pub(crate) fn record(&self, case: &Case) -> CaseRecord {
        let analysis = self.analysis.as_deref();
        let own = case.own.iter().map(|(key, value)| {
            let value = serde_json::to_value(value).unwrap_or_default();
            (key.clone(), value)
        });
        // Its first line is the reason in words, which the claim's notes contain.
        let proof = self.proof.as_deref().and_then(|text| text.split_once('\n'));
        let figures = self.figures.iter();
        CaseRecord {
            reading: case.name.clone(),
            kind: case.kind.name().into(),
            instance: case.instance.clone(),
            settings: case.settings.clone(),
            board: case.board.clone(),
            own: own.collect(),
            claimed: case.claimed.clone(),
            compare: case.compare.name().into(),
            within: case.within,
            found: self.found.clone(),
            verdict: self.verdict,
            variant: self.variant.clone(),
            engine: self.engine.clone(),
            witnesses: self.witnesses.len(),
            figures: figures
                .map(|figure| (figure.name.clone(), figure.value.clone()))
                .collect(),
            proof: proof.map(|(_, proof)| proof.to_owned()),
            run: analysis.map(|analysis| analysis.run.clone()),
            levels: analysis.map(|analysis| analysis.levels.clone()),
            // The last level of a search that was cut off is not the deepest.
            antipodes: analysis
                .filter(|analysis| analysis.run.complete)
                .map_or_else(Vec::new, |analysis| analysis.antipodes.clone()),
            moves: self.moves.clone(),
            checks: self.evidence.clone(),
        }
    }

    /// Adds the analysis to the certificate, and its checks to the evidence.
    pub(crate) fn rest_on(&mut self, analysis: Arc<Analysis>) {
        let evidence = analysis.evidence.iter().cloned();
        // An open part of a proof is why a claim is not confirmed, and comes first.
        let (first, rest): (Vec<_>, Vec<_>) = evidence.partition(|check| match analysis.proof {
            Proof::Open(_) => check.what == "consistency",
            _ => false,
        });
        self.evidence.extend(first.into_iter().chain(rest));
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

/// All must hold: one that does not decides.
pub(crate) fn conjunction(verdicts: &[Verdict]) -> Verdict {
    [
        Verdict::Refuted,
        Verdict::RefutedBySample,
        Verdict::NotReached,
        Verdict::Ambiguous,
        Verdict::ConfirmedBySample,
        Verdict::Reported,
    ]
    .into_iter()
    .find(|verdict| verdicts.contains(verdict))
    .unwrap_or(Verdict::Confirmed)
}
