use super::{Boards, CellFault, Record, Run, Unit, wire};
use serde::{Deserialize, Serialize};

/// A board made to order. A row of the `boards.csv` of `make`.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct MadeBoard {
    /// The board, rows joined by `/`.
    pub board: String,
    /// Moves to the nearest solved board, by a search on the rulebook.
    pub length: u32,
    /// Number of boards that are the same up to symmetry, itself included.
    pub orbit_size: u32,
    /// The moves of a shortest solution, joined by `; `.
    #[serde(with = "wire::by_semicolon")]
    pub moves: Vec<String>,
}

impl Record for MadeBoard {
    const SCHEMA: &'static str = "antipode-made-rows-1";

    fn check(&self) -> Result<(), CellFault> {
        let fault = || format!("{} for length {}", self.moves.len(), self.length);
        wire::sound(self.moves.len() == self.length as usize, "moves", fault)
    }
}

/// Boards made to order: `boards.json` of `make`.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct MadeBoards {
    /// Their source.
    #[serde(flatten)]
    pub source: MadeFrom,
    /// What lengths count.
    #[serde(default, skip_serializing_if = "Unit::is_moves")]
    pub unit: Unit,
    /// Fewest moves asked for.
    pub least: u32,
    /// Most moves asked for.
    pub most: u32,
    /// Boards asked for.
    pub count: u64,
    /// Whether no piece of a board can be left out.
    pub minimal: bool,
    /// Whether each has one shortest solution.
    pub unique: bool,
    /// Boards with this number of moves, up to symmetry, from which the draw is made. For a file,
    /// all of its boards.
    #[serde(with = "wire::decimal")]
    pub drawn_from: u128,
    /// The number of them that were checked, in the order of the draw.
    pub looked_at: u64,
    /// The boards, in that order.
    pub boards: Vec<MadeBoard>,
}

/// The source of the boards, with its record.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum MadeFrom {
    /// All boards: the search that found their distances.
    Run(Box<Run>),
    /// A file, whose boards were solved.
    File(Box<Boards>),
}

impl Record for MadeBoards {
    const SCHEMA: &'static str = "antipode-made-1";

    fn check(&self) -> Result<(), CellFault> {
        match &self.source {
            MadeFrom::Run(run) => run.check()?,
            MadeFrom::File(boards) => boards.check()?,
        }
        self.boards.iter().try_for_each(Record::check)?;
        let asked = self.least..=self.most;
        for MadeBoard { length, .. } in &self.boards {
            let fault = || format!("{length} is not within {} to {}", self.least, self.most);
            wire::sound(asked.contains(length), "boards", fault)?;
        }
        let most = self.looked_at.min(self.count);
        wire::sound(self.boards.len() as u64 <= most, "boards", || {
            "more than were asked for or looked at".to_owned()
        })
    }
}
