use super::{CellFault, Provenance, Record, Unit, wire};
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;

/// The answer to one question, with its evidence: `solve.json`.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
pub struct Solution {
    /// `PUZZLE/INSTANCE`.
    pub instance: String,
    /// The implementation of the rules used.
    pub variant: String,
    /// The start as text, rows joined by `/`.
    pub from: String,
    /// The requested goal state, as text; none for any solved one.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub to: Option<String>,
    /// How it ended: `path`, `impossible` if it is proven that there is none, or `not-reached`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub outcome: Option<String>,
    /// Why there is no path, or none was found, in a line.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub why: Option<String>,
    /// What the length counts.
    #[serde(default, skip_serializing_if = "Unit::is_moves")]
    pub unit: Unit,
    /// Number of moves; `None` if there is no path.
    pub length: Option<usize>,
    /// The moves of the path.
    pub moves: Vec<SolutionMove>,
    /// How it was found.
    #[serde(flatten)]
    pub search: SearchFigures,
    /// The file's data beyond the standard output.
    #[serde(flatten)]
    pub made: Option<SolutionOrigin>,
}

impl Record for Solution {
    const SCHEMA: &'static str = "antipode-solution-1";

    fn check(&self) -> Result<(), CellFault> {
        let moves = self.moves.len();
        wire::sound(self.length.unwrap_or(0) == moves, "length", || {
            let length = self.length.map_or("none".to_owned(), |n| n.to_string());
            format!("{length}, where there are {moves} moves")
        })?;
        if let Some(outcome) = &self.outcome {
            wire::sound_outcome(outcome, self.length.is_some())?;
        }
        let Some(levels) = &self.search.levels else {
            return Ok(());
        };
        check_side(&levels.forward)?;
        levels.backward.as_deref().map_or(Ok(()), check_side)
    }
}

/// A move with the state that it leads to.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct SolutionMove {
    /// Its name.
    pub r#move: String,
    /// The state after it, as text.
    pub state: String,
}

/// How and when an answer came about.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct SolutionOrigin {
    /// The finding, in a sentence.
    pub summary: String,
    /// Settings of the instance.
    pub settings: BTreeMap<String, String>,
    /// How and when it came about.
    #[serde(flatten)]
    pub made: Provenance,
}

/// A path search's own data: each engine sets the members that it knows.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
pub struct SearchFigures {
    /// Which search strategy was used, if that was a choice.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub engine: Option<String>,
    /// The puzzle's own proof that there is no path.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub proof: Option<String>,
    /// Seed of the order among equally promising moves.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub seed: Option<u64>,
    /// States found, or for searches that keep no levels, expanded.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub states_seen: Option<u64>,
    /// States expanded.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub states_expanded: Option<u64>,
    /// Moves generated, with repetitions.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub moves_listed: Option<u64>,
    /// Complete levels, as evidence.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub levels: Option<SideLevels>,
    /// Bytes that the finished levels take.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub level_bytes: Option<u64>,
    /// Bytes read from files of the search.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub bytes_read: Option<u64>,
    /// Bytes written to files of the search.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub bytes_written: Option<u64>,
    /// Work folder from which a stopped search can resume.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub work: Option<String>,
    /// Memory that the search was planned with, in bytes.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub planned_memory_bytes: Option<u64>,
    /// Greatest resident memory, in bytes.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub peak_memory_bytes: Option<u64>,
    /// Most states of a level that a beam kept.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub width: Option<u64>,
    /// Number of restarts of a beam with a greater width.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub passes: Option<u64>,
    /// States around the goal that a beam had to meet.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub perimeter: Option<u64>,
    /// Levels of these.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub perimeter_levels: Option<u64>,
    /// Moves of the windows of the path, each proven to be shortest.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub window: Option<u64>,
    /// Use of a transposition table.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub table: Option<TableUse>,
    /// Elapsed time, in seconds.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub wall_s: Option<f64>,
    /// Processor time of all threads, in seconds.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub cpu_s: Option<f64>,
}

/// How a transposition table was used.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct TableUse {
    /// Its capacity in entries.
    pub slots: u64,
    /// Its entries at the end.
    pub used: u64,
    /// The treatment of a slot that is taken.
    pub policy: String,
    /// Hash of its states.
    pub hash: String,
    /// Look-ups.
    pub probes: u64,
    /// Look-ups that found their state.
    pub hits: u64,
    /// Entries stored.
    pub stores: u64,
    /// Entries overwritten by others.
    pub lost: u64,
    /// Entries not stored, for another was kept.
    pub declined: u64,
}

/// Complete levels from the start, and from the goal if the search went from there too.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct SideLevels {
    /// From the start.
    pub forward: Vec<LevelFigures>,
    /// From the goal.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub backward: Option<Vec<LevelFigures>>,
}

/// Size and digest of a level.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct LevelFigures {
    /// Distance from the end that the search began at, in moves.
    pub depth: u32,
    /// States at this distance.
    pub states: u64,
    /// Level digest, 32 hexadecimal digits.
    pub digest: String,
}

/// Levels of one side: depths from 0 without a gap, and digests.
fn check_side(levels: &[LevelFigures]) -> Result<(), CellFault> {
    for (depth, level) in (0..).zip(levels) {
        wire::sound_hex("digest", &level.digest, 32)?;
        let fault = || format!("depth {} is in the place of {depth}", level.depth);
        wire::sound(level.depth == depth, "levels", fault)?;
    }
    Ok(())
}

/// A level of one side of a search. A row of the `levels.csv` next to `solve.json`.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct SideLevel {
    /// `forward` from the start, or `backward` from the goal.
    pub side: String,
    /// Distance from that end, in moves.
    pub depth: u32,
    /// States at this distance.
    pub states: u64,
    /// Level digest, 32 hexadecimal digits; empty if the search forms none.
    pub digest: String,
}

impl Record for SideLevel {
    const SCHEMA: &'static str = "antipode-side-levels-1";

    fn check(&self) -> Result<(), CellFault> {
        wire::sound_word("side", &self.side, &["forward", "backward"])?;
        match self.digest.as_str() {
            "" => Ok(()),
            digest => wire::sound_hex("digest", digest, 32),
        }
    }
}

impl SideLevels {
    /// The levels of both sides, from their rows; `None` if there are none, or no digests.
    pub fn of(rows: &[SideLevel]) -> Option<Self> {
        if rows.is_empty() || rows.iter().any(|row| row.digest.is_empty()) {
            return None;
        }
        let side = |name: &str| -> Vec<LevelFigures> {
            let rows = rows.iter().filter(|row| row.side == name);
            let figures = rows.map(|row| LevelFigures {
                depth: row.depth,
                states: row.states,
                digest: row.digest.clone(),
            });
            figures.collect()
        };
        Some(SideLevels {
            forward: side("forward"),
            backward: Some(side("backward")).filter(|rows| !rows.is_empty()),
        })
    }
}

/// A state of a path with the move that led to it. A row of `path.csv`.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct PathStep {
    /// Moves from the start.
    pub step: u32,
    /// Name of the move; empty at the start.
    pub r#move: String,
    /// The state as text, rows joined by `/`.
    pub state: String,
}

impl Record for PathStep {
    const SCHEMA: &'static str = "antipode-path-1";
}

impl PathStep {
    /// The steps of a path, from its states and the moves between them.
    pub fn path(states: &[String], moves: &[String]) -> Vec<Self> {
        let moves = std::iter::once("").chain(moves.iter().map(String::as_str));
        let steps = (0..).zip(moves).zip(states);
        let steps = steps.map(|((step, name), state)| PathStep {
            step,
            r#move: name.to_owned(),
            state: state.clone(),
        });
        steps.collect()
    }
}
