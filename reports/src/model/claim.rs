use super::{CellFault, Record, names, wire};
use serde::{Deserialize, Serialize};
use std::fmt;

/// The outcome of checking a claim.
#[derive(
    Debug, Clone, Copy, Default, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize,
)]
#[serde(rename_all = "kebab-case")]
pub enum Verdict {
    /// Everything that the claim is about was searched and checked, and it holds.
    Confirmed,
    /// A random sample was checked and agrees, with a bound on what it can have missed.
    ConfirmedBySample,
    /// The claim does not hold; there is a counterexample or a different true figure.
    Refuted,
    /// The finding contradicts the claim, but was itself checked only on a random sample.
    RefutedBySample,
    /// The claim has several readings with different outcomes.
    Ambiguous,
    /// The search ended before it could decide.
    #[default]
    NotReached,
    /// Our figure next to a claim that gets no verdict, such as a speed on other hardware.
    Reported,
}

impl Verdict {
    /// All verdicts, in the order in which a summary lists them.
    pub const ALL: [Verdict; 7] = [
        Verdict::Confirmed,
        Verdict::ConfirmedBySample,
        Verdict::Refuted,
        Verdict::RefutedBySample,
        Verdict::Ambiguous,
        Verdict::NotReached,
        Verdict::Reported,
    ];

    /// The verdict in words, for readers: `confirmed by sample`.
    pub fn label(self) -> String {
        self.id().replace('-', " ")
    }

    /// The verdict in the form of files: `confirmed-by-sample`.
    pub fn id(self) -> &'static str {
        names::<Self>()[self as usize]
    }
}

impl Verdict {
    /// Whether the verdict is possible for a claim with this published figure, the figure found
    /// and the verdicts of its readings.
    fn check(self, claimed: &str, found: &str, readings: &[Verdict]) -> Result<(), CellFault> {
        let decided = match self {
            Verdict::Confirmed | Verdict::ConfirmedBySample => true,
            Verdict::Refuted | Verdict::RefutedBySample => false,
            Verdict::Ambiguous | Verdict::NotReached | Verdict::Reported => return Ok(()),
        };
        let bears_out = matches!(found, "true" | "holds");
        let contradicts = matches!(found, "false" | "fails");
        let is_yes_or_no = matches!(claimed, "" | "holds" | "true");
        let id = self.id();
        wire::sound(!found.is_empty(), "verdict", || {
            format!("{id}, but nothing was found")
        })?;
        let odd = is_yes_or_no && ((decided && contradicts) || (!decided && bears_out));
        let fault = || format!("{id}, but found is {found}");
        wire::sound(!odd, "verdict", fault)?;
        // One of several instances refutes a claim about all.
        let refutes = |one| matches!(one, &Verdict::Refuted | &Verdict::RefutedBySample);
        let odd = !readings.is_empty() && readings.iter().any(refutes) == decided;
        let fault = || {
            format!(
                "{id}, but {} reading is refuted",
                if decided { "a" } else { "no" }
            )
        };
        wire::sound(!odd, "verdict", fault)
    }
}

impl fmt::Display for Verdict {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(&self.label())
    }
}

/// How a published figure bounds the one found, if it need not equal it.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Bound {
    /// No more than published.
    AtMost,
    /// No less than published.
    AtLeast,
    /// The same within the digits that were published.
    About,
    /// The same within this share of it.
    Within(f64),
    /// The same power of ten.
    Magnitude,
}

impl Bound {
    /// The bound in a cell of a table, as certificates write it: `at-most`, `within 0.05`; empty if
    /// there is none.
    fn cell(bound: Option<Self>) -> String {
        let text = bound.and_then(|bound| serde_json::to_string(&bound).ok());
        let text = text.unwrap_or_default().replace(':', " ");
        text.replace(['"', '{', '}'], "")
    }

    /// The bound of such a cell.
    fn of_cell(cell: &str) -> Result<Option<Self>, CellFault> {
        let bound = match (cell, cell.strip_prefix("within ")) {
            ("", _) => Some(None),
            (_, Some(share)) => (share.parse().ok()).map(|share| Some(Self::Within(share))),
            _ => serde_json::from_value(cell.into()).ok(),
        };
        bound.ok_or_else(|| ("compare", format!("\"{cell}\" is no comparison")))
    }

    /// The bound in words, in front of the figure: `at least`.
    pub fn label(self) -> String {
        match self {
            Bound::AtMost => "at most".to_owned(),
            Bound::AtLeast => "at least".to_owned(),
            Bound::About => "about".to_owned(),
            // For a share such as 0.07, the digits with which it was written.
            Bound::Within(share) => match (share * 1e8).round() / 1e6 {
                0.0 => format!("within {share:e} times"),
                percent => format!("within {percent}% of"),
            },
            Bound::Magnitude => "of the order of".to_owned(),
        }
    }
}

/// One reading of a claim, with its own verdict.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
pub struct Reading {
    /// Short name.
    pub name: String,
    /// The claim in this reading, in words.
    pub statement: String,
    /// The published figure.
    pub claimed: String,
    /// How it bounds the one found, if it need not equal it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub bound: Option<Bound>,
    /// The figure found.
    pub found: String,
    /// Unit of both; empty if there is none.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub unit: String,
    /// Its outcome.
    pub verdict: Verdict,
    /// Anything a reader should know; may be empty.
    pub note: String,
}

/// A picture with its caption.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Picture {
    /// Its caption.
    pub caption: String,
    /// The states it shows.
    pub kind: PictureKind,
}

/// The data of a picture.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum PictureKind {
    /// A single board.
    Board {
        /// The state as text, rows joined by `/`.
        state: String,
    },
    /// A solution: boards with the moves between them.
    Strip {
        /// The states, the start first.
        states: Vec<String>,
        /// The moves; the first leads from the first state to the second.
        labels: Vec<String>,
    },
}

/// How a result was checked, and how much that shows.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
pub struct Evidence {
    /// Name of the check, such as `inclusiveness`.
    pub what: String,
    /// How many states were checked.
    #[serde(with = "wire::decimal")]
    pub sampled: u128,
    /// Their total number, if known.
    #[serde(with = "wire::decimal_option", default)]
    pub population: Option<u128>,
    /// Number of wrong ones among them.
    #[serde(with = "wire::decimal")]
    pub wrong: u128,
    /// Confidence of the bound, such as 0.95.
    #[serde(with = "wire::measured")]
    pub confidence: f64,
    /// At this confidence, at most this share of all states is wrong.
    pub bound: Option<f64>,
    /// The work of the check, in a sentence.
    pub text: String,
}

impl Evidence {
    /// Whether the figures are possible.
    pub fn check(&self) -> Result<(), CellFault> {
        let share = |share: f64| (0.0..=1.0).contains(&share);
        wire::sound(self.bound.is_none_or(share), "bound", || {
            "the bound is not from 0 to 1".to_owned()
        })?;
        let holds = !self.confidence.is_finite() || share(self.confidence);
        let fault = || format!("{} is not from 0 to 1", self.confidence);
        wire::sound(holds, "confidence", fault)
    }

    /// Whether anything was checked; else the text gives the reason.
    pub fn done(&self) -> bool {
        self.sampled > 0 || self.wrong > 0
    }
}

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
        let holds = self.outcome == Check::from(&self.evidence).outcome;
        wire::sound(holds, "outcome", || {
            "it is not what the figures say".to_owned()
        })
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

/// The engine of a claim that was judged by a given path, replayed and not searched for: it shows
/// nothing about shorter ones.
pub const PATH_OF_CLAIM: &str = "path";

/// The origin of a claim.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Origin {
    /// Somebody else published it.
    #[default]
    Published,
    /// It is our own finding.
    Ours,
}

impl Origin {
    /// Both.
    pub const ALL: [Self; 2] = [Self::Published, Self::Ours];

    /// Its name in files.
    pub fn name(self) -> &'static str {
        names::<Self>()[self as usize]
    }

    /// The value of a name; published if there is none.
    pub fn named(name: &str) -> Self {
        let mut all = Self::ALL.into_iter();
        all.find(|one| one.name() == name).unwrap_or_default()
    }

    #[expect(clippy::trivially_copy_pass_by_ref, reason = "serde asks by reference")]
    const fn is_published(&self) -> bool {
        matches!(self, Self::Published)
    }
}

/// A claim with its outcome.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
pub struct ClaimResult {
    /// Unique name of the claim.
    pub id: String,
    /// Name of the puzzle.
    pub puzzle: String,
    /// Name of the instance, if the claim is about one.
    pub instance: Option<String>,
    /// Whether somebody else published it. Files omit it if so.
    #[serde(default, skip_serializing_if = "Origin::is_published")]
    pub origin: Origin,
    /// Where the claim was published.
    pub source: String,
    /// Section, page or table in the source.
    pub section: String,
    /// Address of the source; empty if none is named.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub url: String,
    /// A few words of the source; empty if none are given.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub quote: String,
    /// The claim in our words.
    pub statement: String,
    /// The kind of the claim, such as `level-size`.
    pub kind: String,
    /// The verdict that the project's own records expect.
    pub expect: Verdict,
    /// The verdict of this run.
    pub verdict: Verdict,
    /// The readings of the claim, if there are several.
    pub readings: Vec<Reading>,
    /// The published figure.
    pub claimed: String,
    /// How it bounds the one found, if it need not equal it; `None` if readings differ in it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub bound: Option<Bound>,
    /// The figure found.
    pub found: String,
    /// Unit of both; empty if there is none, or readings have several.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub unit: String,
    /// The effort allowed, such as `quick`.
    pub effort: String,
    /// The implementation of the rules used.
    pub variant: String,
    /// The search strategy used.
    pub engine: String,
    /// The checks behind the verdict.
    pub evidence: Vec<Evidence>,
    /// States and solutions that show it.
    pub witnesses: Vec<Picture>,
    /// Remarks, a sentence each.
    pub notes: Vec<String>,
    /// Whether the claim is of a copy of the source's text that may have lost lines or signs, and
    /// the original was not seen. Files omit it if not.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub text_at_hand: bool,
    /// Elapsed time.
    #[serde(with = "wire::measured")]
    pub wall_s: f64,
}

impl ClaimResult {
    /// `PUZZLE/INSTANCE`, or the puzzle if it is about no instance.
    pub(crate) fn place(&self) -> String {
        match &self.instance {
            Some(instance) => format!("{}/{instance}", self.puzzle),
            None => self.puzzle.clone(),
        }
    }

    /// Whether the figures are possible, and agree with the verdict.
    pub fn check(&self) -> Result<(), CellFault> {
        for one in &self.readings {
            one.verdict.check(&one.claimed, &one.found, &[])?;
        }
        let readings: Vec<Verdict> = self.readings.iter().map(|one| one.verdict).collect();
        self.verdict.check(&self.claimed, &self.found, &readings)?;
        let confirmed = [Verdict::Confirmed, Verdict::ConfirmedBySample];
        let confirmed = confirmed.contains(&self.verdict);
        for Evidence { what, wrong, .. } in &self.evidence {
            let fault = || format!("{}, but {what} found {wrong} wrong", self.verdict.id());
            wire::sound(!confirmed || *wrong == 0, "verdict", fault)?;
        }
        self.evidence.iter().try_for_each(Evidence::check)
    }

    /// The unit that a reader is shown with a figure whose own is `own`. A claim that a board can
    /// be solved names no figure; it shows the number of moves found.
    pub fn unit_shown<'a>(&self, own: &'a str) -> &'a str {
        match own {
            "" if self.kind == "solvable" => "moves",
            own => own,
        }
    }

    /// Whether the verdict is the expected one.
    pub fn as_expected(&self) -> bool {
        self.verdict == self.expect
    }

    /// Not decided although a decision was expected: unfinished work, but no contradiction.
    pub(crate) fn is_merely_undecided(&self) -> bool {
        !self.as_expected() && self.verdict == Verdict::NotReached
    }

    /// Whether only our copy is refuted, and perhaps not its original: counted separately.
    pub fn refutes_text_at_hand(&self) -> bool {
        let refuted = [Verdict::Refuted, Verdict::RefutedBySample];
        self.text_at_hand && refuted.contains(&self.verdict)
    }
}

/// A claim in a line. A row of `claims.csv`.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct ClaimRow {
    /// Unique name of the claim.
    pub id: String,
    /// Name of the puzzle.
    pub puzzle: String,
    /// Name of the instance, if the claim is about one.
    pub instance: Option<String>,
    /// Whether somebody else published it, or it is a finding of our own.
    pub origin: Origin,
    /// Where the claim was published.
    pub source: String,
    /// Section, page or table in the source.
    pub section: String,
    /// The kind of the claim, such as `level-size`.
    pub kind: String,
    /// The verdict that the project's own records expect.
    pub expect: Verdict,
    /// The verdict of this run.
    pub verdict: Verdict,
    /// Whether they are the same.
    pub as_expected: bool,
    /// Whether the claim is of a copy of the source's text that may have lost lines or signs, and
    /// the original was not seen.
    pub text_at_hand: bool,
    /// The published figure.
    pub claimed: String,
    /// The figure found.
    pub found: String,
    /// Unit of both; empty if there is none, or readings have several.
    pub unit: String,
    /// The readings of the claim, as `NAME: VERDICT`, joined by `; `.
    #[serde(with = "wire::by_semicolon")]
    pub readings: Vec<String>,
    /// The effort allowed, such as `quick`.
    pub effort: String,
    /// The implementation of the rules used.
    pub variant: String,
    /// The search strategy used.
    pub engine: String,
    /// The claim in our words.
    pub statement: String,
    /// The claim to whose table this row belongs; empty for a separate claim.
    pub table: String,
    /// Elapsed time, in seconds, stored to the millisecond.
    #[serde(with = "wire::milliseconds")]
    pub wall_s: f64,
    /// How the published figure bounds the one found, such as `at-most`, if it need not equal it.
    #[serde(default)]
    pub compare: String,
}

impl Record for ClaimRow {
    const SCHEMA: &'static str = "antipode-claims-4";
    const ADDED: usize = 1;

    fn check(&self) -> Result<(), CellFault> {
        wire::sound_seconds("wall_s", self.wall_s)?;
        Bound::of_cell(&self.compare)?;
        let holds = self.as_expected == (self.verdict == self.expect);
        wire::sound(holds, "as_expected", || {
            let (verdict, expect) = (self.verdict.id(), self.expect.id());
            let said = self.as_expected;
            format!("{said} with verdict {verdict} and expected {expect}")
        })?;
        let mut readings = Vec::new();
        for reading in &self.readings {
            let word = reading.rsplit_once(": ").map_or("", |(_, word)| word);
            let mut all = Verdict::ALL.into_iter();
            let verdict = all.find(|verdict| verdict.id() == word);
            let fault = || ("readings", format!("\"{reading}\" ends in no verdict"));
            readings.push(verdict.ok_or_else(fault)?);
        }
        self.verdict.check(&self.claimed, &self.found, &readings)
    }
}

impl From<&ClaimResult> for ClaimRow {
    fn from(claim: &ClaimResult) -> Self {
        // A semicolon separates readings.
        let name = |reading: &Reading| reading.name.replace(';', ",");
        let reading = |reading: &Reading| format!("{}: {}", name(reading), reading.verdict.id());
        ClaimRow {
            id: claim.id.clone(),
            puzzle: claim.puzzle.clone(),
            instance: claim.instance.clone(),
            origin: claim.origin,
            source: claim.source.clone(),
            section: claim.section.clone(),
            kind: claim.kind.clone(),
            expect: claim.expect,
            verdict: claim.verdict,
            as_expected: claim.as_expected(),
            text_at_hand: claim.text_at_hand,
            claimed: claim.claimed.clone(),
            found: claim.found.clone(),
            unit: claim.unit.clone(),
            readings: claim.readings.iter().map(reading).collect(),
            effort: claim.effort.clone(),
            variant: claim.variant.clone(),
            engine: claim.engine.clone(),
            statement: claim.statement.clone(),
            table: String::new(),
            wall_s: claim.wall_s,
            compare: Bound::cell(claim.bound),
        }
    }
}

/// An invalid claim, which has no verdict. A row of `not-taken.csv`.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct NotTaken {
    /// Its id, as far as it can be read.
    pub id: String,
    /// The puzzle or module of the claim; empty if its file does not say.
    pub puzzle: String,
    /// Its error, with the place and the remedy.
    pub fault: String,
}

impl Record for NotTaken {
    const SCHEMA: &'static str = "antipode-not-taken-1";
}

/// A row's text about a claim whose certificate is missing.
impl From<ClaimRow> for ClaimResult {
    fn from(row: ClaimRow) -> Self {
        ClaimResult {
            id: row.id,
            puzzle: row.puzzle,
            instance: row.instance,
            origin: row.origin,
            source: row.source,
            section: row.section,
            statement: row.statement,
            kind: row.kind,
            expect: row.expect,
            verdict: row.verdict,
            claimed: row.claimed,
            found: row.found,
            unit: row.unit,
            effort: row.effort,
            variant: row.variant,
            engine: row.engine,
            text_at_hand: row.text_at_hand,
            wall_s: row.wall_s,
            bound: Bound::of_cell(&row.compare).unwrap_or_default(),
            ..ClaimResult::default()
        }
    }
}
