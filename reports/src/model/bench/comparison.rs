use crate::model::names;
use serde::{Deserialize, Serialize};
use std::fmt;

/// A comparison's result on its second side, `b`.
#[derive(
    Debug, Clone, Copy, Default, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize,
)]
#[serde(rename_all = "kebab-case")]
pub enum ComparisonOutcome {
    /// `b` takes less: significant, and by more than the noise.
    Faster,
    /// `b` takes more: significant, and by more than the noise.
    Slower,
    /// `b` takes more: significant, and by more than the noise, but the limit allows it.
    SlowerWithinLimit,
    /// There is a difference, but it is not greater than the noise between equals.
    WithinNoise,
    /// The pairs do not show a difference.
    Undecided,
    /// A side answered wrongly: there is no ratio.
    Wrong,
    #[default]
    /// There is nothing to compare, or too little; the detail gives the reason.
    Refused,
}

impl ComparisonOutcome {
    /// In the form of files.
    pub fn id(self) -> &'static str {
        names::<Self>()[self as usize]
    }

    /// In words.
    pub fn label(self) -> &'static str {
        match self {
            ComparisonOutcome::WithinNoise => "within the noise",
            ComparisonOutcome::SlowerWithinLimit => "slower, within the limit",
            other => other.id(),
        }
    }
}

impl fmt::Display for ComparisonOutcome {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(self.label())
    }
}

/// Two rows compared, pair by pair.
///
/// The fields are the columns of `comparison.csv`, in this order.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
pub struct Comparison {
    /// [`SCHEMA`](super::SCHEMA) at the time of writing.
    pub schema: u32,
    /// The side that is compared with.
    pub a: String,
    /// The side that is judged.
    pub b: String,
    /// Pairs: rounds in which both sides ended well.
    pub pairs: u32,
    /// Geometric mean over the pairs of the ratio of `b`'s cost to `a`'s: below 1, `b` is faster.
    pub ratio: Option<f64>,
    /// Lower end of its 95 % interval.
    pub low: Option<f64>,
    /// Upper end.
    pub high: Option<f64>,
    /// Share of the pairs in which `b` took less; a tie counts half.
    pub won: Option<f64>,
    /// Probability of a mean so far from 1 or further if the sides were alike.
    pub p: Option<f64>,
    /// The same, corrected for the number of rows compared.
    pub p_adjusted: Option<f64>,
    /// Whether the corrected probability is at most 0.05.
    pub significant: bool,
    /// Whether the ratio is outside the noise band, 1/noise to noise.
    pub beyond_noise: bool,
    /// Upper end of the noise band as a ratio: 1.03 means 3 %.
    pub noise: Option<f64>,
    /// The conclusion from the two.
    pub verdict: ComparisonOutcome,
    /// The measure compared: `cpu_s` or `wall_s`.
    pub measure: String,
    /// One line of detail; empty if the figures are enough.
    pub detail: String,
}

impl Comparison {
    /// Two rows about which nothing is known yet: refused, until there are figures.
    pub fn open(a: String, b: String, noise: Option<f64>, measure: &str) -> Self {
        Self {
            schema: super::SCHEMA,
            a,
            b,
            noise,
            measure: measure.to_owned(),
            ..Self::default()
        }
    }
}
