use super::{CellFault, Record, wire};
use serde::{Deserialize, Serialize};

/// The fewest moves from one state to another. A row of `pairs.csv`.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct PairRow {
    /// Name of the state where the path starts.
    pub from: String,
    /// Name of the state where it ends.
    pub to: String,
    /// The fewest moves; `none` if there is no path, empty if only a bound is known.
    pub length: String,
    /// How much is known about it: `exactly`, `more than 9`, or that there is no path, because a
    /// search side cannot grow and has not met the other: `the forward side is closed`.
    pub known: String,
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
        let (known, moves, length) = (&*self.known, self.moves.len(), self.exactly());
        let is_number = |text: &str| text.parse::<u32>().is_ok();
        let fits = match (&*self.length, known) {
            ("none", "the forward side is closed" | "the backward side is closed") => true,
            ("", known) => known.strip_prefix("more than ").is_some_and(is_number),
            (_, known) => length.is_some() && known == "exactly",
        };
        let fault = || format!("\"{known}\" with the length \"{}\"", self.length);
        wire::sound(fits, "known", fault)?;
        let Some(length) = length else {
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

impl PairRow {
    /// The fewest moves, if they are known.
    pub(crate) fn exactly(&self) -> Option<u32> {
        self.length.parse().ok()
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
