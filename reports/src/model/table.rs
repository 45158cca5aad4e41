use super::{CellFault, LevelFigures, Record, names, wire};
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;

/// What is known about a start and a finish.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
pub enum PairVerdict {
    /// A sequence of moves leads from one to the other.
    #[serde(rename = "solvable")]
    Solvable,
    /// Unknown: the search ended before.
    #[serde(rename = "not reached")]
    NotReached,
    /// There is no such sequence, as a proof or a complete search shows.
    #[serde(rename = "impossible")]
    Impossible,
}

impl PairVerdict {
    /// The verdict in a word or two.
    pub fn label(self) -> &'static str {
        names::<Self>()[self as usize]
    }
}

/// Every start against every finish: `table.json`.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct StartFinishTable {
    /// The name of the record; the member is older than `record`, and stays for its readers.
    pub schema: String,
    /// Version of the tool that wrote it.
    pub tool_version: String,
    /// Name of the puzzle.
    pub puzzle: String,
    /// Name of the instance.
    pub instance: String,
    /// Settings of the instance.
    pub settings: BTreeMap<String, String>,
    /// The implementation of the rules used.
    pub variant: String,
    /// The command line, one entry per argument; empty on the standard output.
    pub command: Vec<String>,
    /// The starts up to symmetry.
    pub starts: Vec<NamedState>,
    /// Names of the finishes.
    pub finishes: Vec<String>,
    /// One cell per pair, start by start.
    pub cells: Vec<StartFinishCell>,
}

impl Record for StartFinishTable {
    const SCHEMA: &'static str = "antipode-table-1";

    fn check(&self) -> Result<(), CellFault> {
        let mut rows = self.cells.iter().map(StartFinishRow::from);
        rows.try_for_each(|row| row.check())
    }
}

impl StartFinishTable {
    /// The number of cells with a verdict.
    pub fn count(&self, verdict: PairVerdict) -> usize {
        let cells = self.cells.iter();
        cells.filter(|cell| cell.verdict == verdict).count()
    }
}

/// A state with its name.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct NamedState {
    /// Its name.
    pub name: String,
    /// The state as text, rows joined by `/`.
    pub state: String,
}

/// One start and one finish.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct StartFinishCell {
    /// Name of the start.
    pub start: String,
    /// Name of the finish.
    pub finish: String,
    /// What is known.
    pub verdict: PairVerdict,
    /// The reason, in a line.
    pub proof: String,
    /// The finish whose mirror image this one is, if the verdict follows from that.
    pub by_symmetry_of: Option<String>,
    /// The moves of a solution.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub witness: Option<Vec<String>>,
    /// The state after the last of them, as text.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub end: Option<String>,
    /// The puzzle's own proof that there is none, unchanged.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub certificate: Option<String>,
    /// The levels of a complete search that found none.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub levels: Option<Vec<LevelFigures>>,
}

/// A row of `table.csv`.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct StartFinishRow {
    /// Name of the start.
    pub start: String,
    /// Name of the finish.
    pub finish: String,
    /// What is known.
    pub verdict: PairVerdict,
    /// The reason, in a line.
    pub proof: String,
    /// The moves of a solution, joined by `; `.
    #[serde(with = "wire::by_semicolon")]
    pub witness: Vec<String>,
}

impl Record for StartFinishRow {
    const SCHEMA: &'static str = "antipode-table-rows-1";

    fn check(&self) -> Result<(), CellFault> {
        let holds = self.witness.is_empty() || self.verdict == PairVerdict::Solvable;
        let fault = || format!("{}, but there is a solution", self.verdict.label());
        wire::sound(holds, "verdict", fault)
    }
}

impl From<&StartFinishCell> for StartFinishRow {
    fn from(cell: &StartFinishCell) -> Self {
        StartFinishRow {
            start: cell.start.clone(),
            finish: cell.finish.clone(),
            verdict: cell.verdict,
            proof: cell.proof.clone(),
            witness: cell.witness.clone().unwrap_or_default(),
        }
    }
}
