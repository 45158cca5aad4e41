use super::{CellFault, Record, wire};
use serde::{Deserialize, Serialize};
use std::fmt;
use std::str::FromStr;

/// The fewest moves from one state to another. A row of `pairs.csv`.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct PairRow {
    /// Name of the state where the path starts.
    pub from: String,
    /// Name of the state where it ends.
    pub to: String,
    /// The fewest moves.
    #[serde(with = "wire::text")]
    pub length: PairLength,
    /// How much is known about it, and why.
    #[serde(with = "wire::text")]
    pub known: PairKnown,
    /// Radius of the side around the start when the sides met, or when the search ended, in
    /// moves; `None` if there is no path.
    pub forward_radius: Option<u32>,
    /// The same of the side around the end.
    pub backward_radius: Option<u32>,
    /// A state in which the sides met.
    pub meeting_state: Option<String>,
    /// The moves of a shortest path, joined by `; `.
    #[serde(with = "wire::by_semicolon")]
    pub moves: Vec<String>,
    /// The states of that path, both ends included, joined by blanks.
    #[serde(with = "wire::by_blank")]
    pub witness: Vec<String>,
}

impl Record for PairRow {
    const SCHEMA: &'static str = "antipode-pairs-1";

    fn check(&self) -> Result<(), CellFault> {
        let (known, moves) = (self.known, self.moves.len());
        let fits = matches!(
            (self.length, known),
            (PairLength::Moves(_), PairKnown::Exactly)
                | (PairLength::NoPath, PairKnown::Closed { .. })
                | (PairLength::Open, PairKnown::MoreThan(_))
        );
        let fault = || format!("\"{known}\" with the length \"{}\"", self.length);
        wire::sound(fits, "known", fault)?;
        let PairLength::Moves(length) = self.length else {
            return Ok(());
        };
        // The states are not counted: those of some puzzles contain blanks, which also join them.
        let fault = || format!("{moves} moves, where the length is {length}");
        wire::sound(moves == 0 || moves == length as usize, "moves", fault)?;
        let radii = self.forward_radius.zip(self.backward_radius);
        let met = radii.is_none_or(|(a, b)| u64::from(a) + u64::from(b) == u64::from(length));
        let fault = || format!("the radii do not add up to the length {length}");
        wire::sound(met, "forward_radius", fault)
    }
}

/// How much is known about a length, in the form of its cell.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum PairKnown {
    /// The length is exact: `exactly`.
    Exactly,
    /// No path is this short: `more than 9`.
    MoreThan(u32),
    /// There is no path, because a search side cannot grow and has not met the other:
    /// `the forward side is closed`.
    Closed {
        /// Whether it is the side around the start.
        forward: bool,
    },
}

const FORWARD_CLOSED: &str = "the forward side is closed";
const BACKWARD_CLOSED: &str = "the backward side is closed";

impl fmt::Display for PairKnown {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Exactly => f.write_str("exactly"),
            Self::MoreThan(moves) => write!(f, "more than {moves}"),
            Self::Closed { forward: true } => f.write_str(FORWARD_CLOSED),
            Self::Closed { forward: false } => f.write_str(BACKWARD_CLOSED),
        }
    }
}

impl FromStr for PairKnown {
    type Err = &'static str;

    fn from_str(text: &str) -> Result<Self, Self::Err> {
        match text {
            "exactly" => Ok(Self::Exactly),
            FORWARD_CLOSED => Ok(Self::Closed { forward: true }),
            BACKWARD_CLOSED => Ok(Self::Closed { forward: false }),
            bound => bound
                .strip_prefix("more than ")
                .and_then(|moves| moves.parse().ok())
                .map(Self::MoreThan)
                .ok_or(
                    "not 'exactly', 'more than N' or 'the forward (or backward) side is closed'",
                ),
        }
    }
}

/// A length in the form of its cell.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum PairLength {
    /// Exactly n moves.
    Moves(u32),
    /// There is no path: `none`.
    NoPath,
    /// Only a bound is known: an empty cell.
    Open,
}

impl fmt::Display for PairLength {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            PairLength::Moves(moves) => write!(f, "{moves}"),
            PairLength::NoPath => f.write_str("none"),
            PairLength::Open => Ok(()),
        }
    }
}

impl FromStr for PairLength {
    type Err = &'static str;

    fn from_str(text: &str) -> Result<Self, Self::Err> {
        match text {
            "" => Ok(PairLength::Open),
            "none" => Ok(PairLength::NoPath),
            number => number
                .parse()
                .map(PairLength::Moves)
                .map_err(|_| "no number of moves, none or nothing"),
        }
    }
}

/// All states within n moves of a state, as evidence: computing the same side again gives the same
/// digest. A row of `sides.csv`.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct SideRow {
    /// The state at its centre.
    pub name: String,
    /// `forward`: states that can be reached from the centre; `backward`: states from
    /// which the centre can be reached.
    pub direction: String,
    /// Moves.
    pub radius: u32,
    /// States in the side, its centre included.
    pub states: u64,
    /// Level digest of all of them, each state counted by itself; 32 hexadecimal digits.
    pub digest: String,
    /// Whether no state lies beyond, so that the side holds all reachable states.
    pub closed: bool,
}

impl Record for SideRow {
    const SCHEMA: &'static str = "antipode-sides-1";

    fn check(&self) -> Result<(), CellFault> {
        wire::sound_word("direction", &self.direction, &["forward", "backward"])?;
        wire::sound_hex("digest", &self.digest, 32)?;
        wire::sound(self.states > 0, "states", || {
            "a side holds its centre at least".to_owned()
        })
    }
}
