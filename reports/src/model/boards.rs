use super::{CellFault, Provenance, Record, wire};
use serde::{Deserialize, Serialize};

/// The answer for one board of a file. A row of `boards.csv`.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct BoardRow {
    /// Line of the file at which the board begins.
    pub line: u64,
    /// `PUZZLE/INSTANCE`.
    pub instance: String,
    /// The board, rows joined by `/`.
    pub board: String,
    /// How it ended: `path`, `impossible` or `not-reached`, as in `solve.json`.
    pub outcome: String,
    /// Number of moves; none without a path.
    pub length: Option<u64>,
    /// The length that the file gives with the board: a number of moves, `unsolvable`, or nothing.
    pub given: String,
    /// `right` or `wrong`; empty if none is given, or it is not decided here.
    pub ruling: String,
    /// The moves of the path, joined by `; `.
    #[serde(with = "wire::by_semicolon")]
    pub moves: Vec<String>,
    /// How it was found, or why not, in a line.
    pub why: String,
    /// Elapsed time, in seconds.
    #[serde(with = "wire::measured")]
    pub wall_s: f64,
}

impl Record for BoardRow {
    const SCHEMA: &'static str = "antipode-board-rows-1";

    fn check(&self) -> Result<(), CellFault> {
        wire::sound_outcome(&self.outcome, self.length.is_some())?;
        wire::sound_word("ruling", &self.ruling, &["right", "wrong", ""])?;
        let given = match (self.outcome.as_str(), self.length) {
            ("impossible", _) => "unsolvable".to_owned(),
            (_, length) => length.map_or(String::new(), |length| length.to_string()),
        };
        let fault = || format!("right, with {} for {given}", self.given);
        let holds = self.ruling != "right" || self.given == given;
        wire::sound(holds, "ruling", fault)
    }
}

/// The answers for a file of boards: `boards.json`.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Boards {
    /// How and when it came about.
    #[serde(flatten)]
    pub made: Provenance,
    /// Boards of the file; more than the rows if the run was stopped.
    pub boards: u64,
    /// The answers, in the order of the file.
    pub rows: Vec<BoardRow>,
}

impl Record for Boards {
    const SCHEMA: &'static str = "antipode-boards-1";

    fn check(&self) -> Result<(), CellFault> {
        self.rows.iter().try_for_each(Record::check)?;
        let fault = || format!("more than the {} boards", self.boards);
        wire::sound(self.rows.len() as u64 <= self.boards, "rows", fault)
    }
}
