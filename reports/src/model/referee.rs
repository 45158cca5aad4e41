use super::{CellFault, Provenance, Record, names, wire};
use serde::{Deserialize, Serialize};
use std::fmt;

/// How a solver's answer was judged.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub enum Ruling {
    /// The shortest length, or that there is no solution; a path was replayed.
    #[serde(rename = "right")]
    Right,
    /// Another length, no solution although there is one, or a path that the rules do not allow.
    #[serde(rename = "wrong")]
    Wrong,
    /// A limit of time, memory or output was exceeded.
    #[serde(rename = "not finished")]
    NotFinished,
    /// It ended without a readable answer.
    #[serde(rename = "no answer")]
    NoAnswer,
    /// The right answer is not known here.
    #[serde(rename = "open")]
    Open,
    /// A valid solution that is shorter than our proven length: our length is wrong.
    #[serde(rename = "refutes ours")]
    RefutesOurs,
}

impl Ruling {
    /// All of them, in the order of a summary.
    pub const ALL: [Ruling; 6] = [
        Ruling::Right,
        Ruling::Wrong,
        Ruling::NotFinished,
        Ruling::NoAnswer,
        Ruling::Open,
        Ruling::RefutesOurs,
    ];

    /// The form in tables.
    pub fn word(self) -> &'static str {
        names::<Self>()[self as usize]
    }
}

impl fmt::Display for Ruling {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.word())
    }
}

/// One solver on one board. A row of `referee.csv`.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct RefereeRow {
    /// Name of the solver.
    pub solver: String,
    /// `PUZZLE/INSTANCE`.
    pub instance: String,
    /// The board, rows joined by `/`.
    pub board: String,
    /// The ruling.
    pub ruling: Ruling,
    /// The solver's answer: a number of moves, `unsolvable`, or nothing.
    pub said: String,
    /// The shortest length as proven here, `unsolvable`, or nothing if unknown.
    pub shortest: String,
    /// Whether a path was given and replayed on the rulebook to its end.
    pub replayed: bool,
    /// The reason, in a line.
    pub why: String,
    /// Elapsed time of the solver's process, in seconds.
    #[serde(with = "wire::measured")]
    pub wall_s: f64,
    /// Greatest resident memory seen, in bytes.
    pub peak_memory_bytes: Option<u64>,
}

impl Record for RefereeRow {
    const SCHEMA: &'static str = "antipode-referee-rows-1";

    fn check(&self) -> Result<(), CellFault> {
        let sound = |text: &str| {
            matches!(text, "" | "unsolvable") || text.bytes().all(|byte| byte.is_ascii_digit())
        };
        let (said, shortest) = (&self.said, &self.shortest);
        let fault = || format!("\"{said}\" is no answer");
        wire::sound(sound(said), "said", fault)?;
        let fault = || format!("\"{shortest}\" is no length");
        wire::sound(sound(shortest), "shortest", fault)?;
        let holds = self.ruling != Ruling::Right || said == shortest;
        let fault = || format!("right, with {said} for {shortest}");
        wire::sound(holds, "ruling", fault)
    }
}

/// A solver over all boards.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct RefereeSolver {
    /// Its name.
    pub solver: String,
    /// Its command, one entry per argument, with placeholders.
    pub command: Vec<String>,
    /// Its rank among the solvers that were right on every board, by time; none for others.
    pub rank: Option<u32>,
    /// Elapsed time over all boards on which it was right, in seconds.
    #[serde(with = "wire::measured")]
    pub right_s: f64,
    /// One line: the number of boards on which it was right, and its errors.
    pub summary: String,
}

/// External solvers compared with our own shortest lengths: `referee.json`.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Referee {
    /// How and when it came about.
    #[serde(flatten)]
    pub made: Provenance,
    /// Limit of each process: elapsed time, in seconds.
    #[serde(with = "wire::measured")]
    pub time_limit_s: f64,
    /// Bytes of memory, if there was a limit.
    pub memory_limit_bytes: Option<u64>,
    /// Games that were not played, since a stop was requested; 0 if all were.
    #[serde(default)]
    pub unplayed: u64,
    /// Wrong lengths given with the boards of a file, a line each.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub wrong_lengths: Vec<String>,
    /// The solvers, best first.
    pub solvers: Vec<RefereeSolver>,
    /// A row per solver and board, solver by solver.
    pub rows: Vec<RefereeRow>,
}

impl Record for Referee {
    const SCHEMA: &'static str = "antipode-referee-1";

    fn check(&self) -> Result<(), CellFault> {
        self.rows.iter().try_for_each(Record::check)
    }
}
