use serde::{Deserialize, Serialize};

use crate::model::{CellFault, Record};

/// A row of a suite at a commit.
///
/// The fields are the columns of a history, in this order.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct HistoryRow {
    /// The commit, as `report --commit` names it.
    pub commit: String,
    /// Start of the first sample, RFC 3339, UTC.
    pub started: String,
    /// Name of the suite.
    pub suite: String,
    /// Name of the row.
    pub row: String,
    /// The row that its times are ratios to, measured in the same rounds; empty if there is
    /// none.
    pub reference: String,
    /// Geometric mean over the rounds of the ratio of the row's processor time to the reference's.
    pub ratio: Option<f64>,
    /// Lower end of its 95 % interval.
    pub low: Option<f64>,
    /// Upper end.
    pub high: Option<f64>,
    /// Median processor time in seconds.
    pub cpu_s: Option<f64>,
    /// Median of the greatest resident memory, in bytes.
    pub peak_bytes: Option<u64>,
    /// States expanded.
    pub states: Option<u64>,
    /// Moves generated.
    pub generated: Option<u64>,
    /// Processor model.
    pub processor: String,
}

impl Record for HistoryRow {
    const SCHEMA: &'static str = "antipode-history-1";

    fn check(&self) -> Result<(), CellFault> {
        for (column, figure) in [
            ("ratio", self.ratio),
            ("low", self.low),
            ("high", self.high),
            ("cpu_s", self.cpu_s),
        ] {
            if let Some(figure) = figure.filter(|figure| !(figure.is_finite() && *figure >= 0.0)) {
                let text = format!("{figure} cannot be; remove the line");
                return Err((column, text));
            }
        }
        Ok(())
    }
}
