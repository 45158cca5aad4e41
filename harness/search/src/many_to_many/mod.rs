//! Shortest lengths between many pairs of states at once.
//!
//! A side grows backward from every target, all of them marked in one table. Then a search forward
//! from every source serves all targets together (`source` explains why the lengths are exact).
//! Every length comes with a path, replayed on the rulebook, and with the digests of the two sides
//! that do not meet.

mod inside;
mod masks;
mod plan;
mod report;
mod run;
mod sides;
mod source;

use std::fmt;
use std::path::PathBuf;
use std::sync::Arc;

use antipode_reports::model::{Run, SideRow};
use puzzle_api::Settings;
use serde::{Deserialize, Serialize};

pub use crate::question::Numbered;
pub use crate::side::Side;

use antipode_graph::Library;
pub use inside::Inside;
pub use report::picture;
pub use report::{PAIRS_FILES, write_files};
pub use run::lengths;

/// Kind of a piece in the journal: the number of a source, and its findings.
const SOURCE: &str = "source";

/// The request of a search.
#[derive(Debug, Clone)]
pub struct PairsRequest {
    /// The puzzle.
    pub library: Arc<Library>,
    /// The instance.
    pub instance: String,
    /// Its settings.
    pub settings: Settings,
    /// Variant [default: the puzzle's first].
    pub variant: Option<String>,
    /// Sources, by name or as states [default: all named states].
    pub from: Vec<String>,
    /// Targets, by name or as states [default: all named states].
    pub to: Vec<String>,
    /// States by rank or by key [default: by rank if the numbering fits].
    pub numbered: Option<Numbered>,
    /// Radius of the backward sides [default: what memory and time allow].
    pub radius: Option<u32>,
    /// Most states of a backward side, about.
    pub side_states: Option<u64>,
    /// Most states of a forward search, about [default: no limit].
    pub budget: Option<u64>,
    /// Bytes of memory that may be used [default: three quarters of what is free].
    pub memory: Option<u64>,
    /// Most states inside each side that are checked on the rulebook; 0 skips the check.
    pub looked_at: usize,
    /// Whether to find all lengths of a source again by the puzzle's own sweep. It needs a sweep
    /// from a state and enough memory, and the search must have left none open.
    pub again: bool,
    /// Worker threads.
    pub threads: usize,
    /// Work folder for finished sources, and whether to resume from it.
    pub journal: Option<(PathBuf, bool)>,
    /// Whether to draw bars.
    pub show_progress: bool,
    /// The command line, for the record.
    pub command: Vec<String>,
}

impl PairsRequest {
    /// The same request, with states by rank or by key.
    pub fn numbered(&self, numbered: Numbered) -> Self {
        Self {
            numbered: Some(numbered),
            ..self.clone()
        }
    }
}

/// A state with the name by which it was given.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct NamedSource<K> {
    pub name: String,
    pub key: K,
}

/// Limits of the searches.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct PairLimits {
    /// Radius of the backward sides, if given.
    pub radius: Option<u32>,
    /// Most states of a backward side, by a forecast of its next level.
    pub side_states: u64,
    /// Most bytes of the kept levels of a backward side.
    pub side_bytes: u64,
    /// Most states of a forward side, by a forecast of its next level.
    pub forward_states: u64,
    /// Most bytes of a forward search's kept levels.
    pub forward_bytes: u64,
    /// Most states inside a side that are checked on the rulebook.
    pub looked_at: usize,
}

/// What is known about the length of the shortest path of a pair.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case", tag = "is")]
pub enum Length {
    /// Exactly this many moves.
    Exactly {
        /// Moves.
        moves: u32,
        /// The part of these moves up to where the searches met.
        forward: u32,
        /// And from there on.
        backward: u32,
    },
    /// No path: one of the searches saw every state that it can reach.
    Unreachable {
        /// The exhausted search.
        closed: Side,
    },
    /// More than this many moves, or no path: the searches ended at their limits.
    MoreThan {
        /// Moves.
        moves: u32,
        /// Radius of the forward side.
        forward: u32,
        /// Radius of the backward side.
        backward: u32,
    },
}

impl Length {
    /// Moves, if they are known.
    pub const fn exactly(self) -> Option<u32> {
        match self {
            Self::Exactly { moves, .. } => Some(moves),
            Self::Unreachable { .. } | Self::MoreThan { .. } => None,
        }
    }
}

/// `12`, `>9` or `none`.
impl fmt::Display for Length {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Exactly { moves, .. } => write!(f, "{moves}"),
            Self::MoreThan { moves, .. } => write!(f, ">{moves}"),
            Self::Unreachable { .. } => f.write_str("none"),
        }
    }
}

/// A pair with its length.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct MeasuredPair {
    /// Source.
    pub from: String,
    /// Target.
    pub to: String,
    /// Length.
    pub length: Length,
    /// The state where the searches met, as text.
    pub meeting: Option<String>,
    /// States of a shortest path as text, both ends included; empty if none is known.
    pub path: Vec<String>,
    /// A player's names of its moves.
    pub moves: Vec<String>,
    /// The rulebook's objection to that path: our own derivations disagree.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub fault: Option<String>,
    /// Whether the puzzle's own sweep finds this length too; it shares neither code nor states with
    /// the two searches.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub again: bool,
}

/// The record of a finished source.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Finished {
    /// One row a target.
    pub rows: Vec<MeasuredPair>,
    /// Forward sides, one row per radius.
    pub sides: Vec<SideRow>,
    /// The rulebook's check of the inside of the last side; empty in records of an older version.
    #[serde(default)]
    pub inside: Option<Inside>,
    /// The rulebook's objection to the forward side.
    pub disagreements: Vec<String>,
    /// States that it expanded.
    pub expanded: u64,
}

/// All lengths, with their evidence.
#[derive(Debug, Clone)]
pub struct PairsOutcome {
    /// What ran, where and at what cost.
    pub run: Run,
    /// Names of the sources, in order.
    pub from: Vec<String>,
    /// Names of the targets, in order.
    pub to: Vec<String>,
    /// One row per pair, by source, then by target; sources that were not searched are
    /// missing.
    pub rows: Vec<MeasuredPair>,
    /// Sides: backward by target, then forward by source.
    pub sides: Vec<SideRow>,
    /// The rulebook's check of the inside of each backward side, by target.
    pub backward: Vec<(String, Inside)>,
    /// And of the forward side of each source.
    pub forward: Vec<(String, Inside)>,
    /// Paths and sides that the rulebook does not confirm, in a line each: our own derivations
    /// disagree. [`MeasuredPair::fault`] has the objection to a path.
    pub disagreements: Vec<String>,
}

impl PairsOutcome {
    /// The rulebook's check of the two sides of a pair, forward and backward.
    pub fn sides_of(&self, from: &str, to: &str) -> [Option<&Inside>; 2] {
        let of = |sides: &'_ [(String, Inside)], name: &str| {
            sides.iter().position(|(known, _)| known == name)
        };
        [
            of(&self.forward, from).map(|at| &self.forward[at].1),
            of(&self.backward, to).map(|at| &self.backward[at].1),
        ]
    }
}
