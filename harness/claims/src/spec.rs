//! Claims as data: comparisons, readings, and the common parts of all kinds.

use std::collections::BTreeMap;

use puzzle_api::Settings;

use antipode_reports::model::{Bound, Origin, Verdict};

use crate::kind::ClaimKind;
use crate::sheet;

/// How the figure found is compared with the one claimed.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Compare {
    /// The same number (or text).
    #[default]
    Equal,
    /// Rounded to the digits that were printed, the same number, or within 5 %; or within a
    /// relative tolerance that the claim names.
    About,
    /// The same power of ten is nearest, on a logarithmic scale.
    Magnitude,
    /// No more than claimed.
    AtMost,
    /// No less than claimed.
    AtLeast,
    /// The figure is `true` (or `holds`).
    Holds,
    /// No verdict is made; the figure is printed next to the claim.
    Report,
}

impl Compare {
    /// All comparisons, in the order in which they are documented.
    pub const ALL: [Self; 7] = [
        Self::Equal,
        Self::About,
        Self::Magnitude,
        Self::AtMost,
        Self::AtLeast,
        Self::Holds,
        Self::Report,
    ];

    /// Name in files.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::Equal => "equal",
            Self::About => "about",
            Self::Magnitude => "magnitude",
            Self::AtMost => "at-most",
            Self::AtLeast => "at-least",
            Self::Holds => "holds",
            Self::Report => "report",
        }
    }

    /// Its condition on a figure, in a sentence.
    #[must_use]
    pub fn about(self) -> &'static str {
        self.row()[1]
    }

    /// Keys of a true claim with this comparison, after its puzzle.
    #[must_use]
    pub fn example(self) -> &'static str {
        self.row()[2]
    }

    fn row(self) -> Vec<&'static str> {
        let mut rows = sheet::rows(sheet::all(), "comparisons");
        rows.find(|row| row[0] == self.name()).unwrap_or_default()
    }

    /// The comparison of a name.
    pub(crate) fn named(name: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|one| one.name() == name)
    }
}

/// A published length: the fewest moves from one named state to another.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct LengthPair {
    /// Where the path starts.
    pub from: String,
    /// Where it ends.
    pub to: String,
    /// Moves, as published.
    pub moves: u32,
}

impl LengthPair {
    /// Name of the pair within its table.
    #[must_use]
    pub fn name(&self) -> String {
        format!("{}-{}", self.from, self.to)
    }
}

/// One reading of a claim, complete in itself.
#[derive(Debug, Clone, PartialEq)]
pub struct Case {
    /// Id of the claim.
    pub id: String,
    /// Short name; empty for the only one.
    pub name: String,
    /// The claim in this reading.
    pub statement: String,
    /// How it is decided.
    pub kind: ClaimKind,
    /// Instance it is about.
    pub instance: Option<String>,
    /// Board it is about.
    pub board: Option<String>,
    /// Settings that the instance is opened with.
    pub settings: Settings,
    /// Keys that only its kind has, as they are written in the file.
    pub own: toml::Table,
    /// Published lengths of pairs.
    pub table: Vec<LengthPair>,
    /// Pairs of the table that are expected to be refuted, as `FROM-TO`.
    pub refuted: Vec<String>,
    /// Published figure, with the printed digits; empty if none was printed.
    pub claimed: String,
    /// Unit of both figures; empty if it is the kind's own, or there is none.
    pub unit: String,
    /// How the figures are compared.
    pub compare: Compare,
    /// Relative tolerance, if the claim names one.
    pub within: Option<f64>,
    /// Verdict expected of this case alone.
    pub expect: Option<Verdict>,
    /// Verdict expected of it at quick effort, if it differs.
    pub expect_quick: Option<Verdict>,
    /// A remark.
    pub note: String,
    /// Place of each of its keys in the file, in bytes.
    pub spans: BTreeMap<String, usize>,
}

impl Case {
    /// How the published figure bounds the one found, if it need not equal it.
    #[must_use]
    pub const fn bound(&self) -> Option<Bound> {
        match (self.compare, self.within) {
            (Compare::AtMost, _) => Some(Bound::AtMost),
            (Compare::AtLeast, _) => Some(Bound::AtLeast),
            (Compare::About, None) => Some(Bound::About),
            (Compare::About, Some(share)) => Some(Bound::Within(share)),
            (Compare::Magnitude, _) => Some(Bound::Magnitude),
            (Compare::Equal | Compare::Holds | Compare::Report, _) => None,
        }
    }
}

/// A claim.
#[derive(Debug, Clone, PartialEq)]
pub struct Claim {
    /// Unique name.
    pub id: String,
    /// Whether somebody else published it.
    pub origin: Origin,
    /// Where it was published.
    pub source: String,
    /// Section there.
    pub section: String,
    /// Address of the source; empty if none is named.
    pub url: String,
    /// A few words of the source; empty if none are given.
    pub quote: String,
    /// The claim in our words.
    pub statement: String,
    /// Readings, at least one.
    pub cases: Vec<Case>,
    /// Whether all cases must hold (a claim over several instances) or each is a reading of the
    /// claim.
    pub all_must_hold: bool,
    /// Verdict expected.
    pub expect: Verdict,
    /// Verdict expected at quick effort, if it differs.
    pub expect_quick: Option<Verdict>,
    /// The hardware of a published speed; empty for other claims.
    pub hardware: String,
    /// Whether the claim is of a copy of the source's text that may have lost lines or signs, and
    /// the original was not seen.
    pub text_at_hand: bool,
    /// Whether the claim is only reached at full effort.
    pub full_only: bool,
    /// Line and column in the file where it begins, from 1.
    pub at: (usize, usize),
    /// The claim's own lines, verbatim.
    pub lines: String,
    /// BLAKE3 of these.
    pub blake3: String,
}
