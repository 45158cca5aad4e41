use super::{CellFault, Record, wire};
use serde::{Deserialize, Serialize};

/// One level of a search: all states at the same distance from the roots.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Level {
    /// Distance from the roots, in moves.
    pub depth: u32,
    /// Number of states at this distance.
    #[serde(with = "wire::decimal")]
    pub states: u128,
    /// Number of orbits: states that a symmetry of the board turns into each other count once.
    #[serde(with = "wire::decimal")]
    pub orbits: u128,
    /// Digest of the level, 32 lowercase hexadecimal digits.
    pub digest: String,
}

/// The states in no level: for a backward search over a whole space, the unsolvable ones.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Unreached {
    /// Number of states.
    #[serde(with = "wire::decimal")]
    pub states: u128,
    /// Number of orbits.
    #[serde(with = "wire::decimal")]
    pub orbits: u128,
    /// Digest over them, formed as for a level.
    pub digest: String,
}

/// Sizes and digests of all levels of a search, nearest first.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct LevelTable {
    /// The levels by ascending depth.
    pub levels: Vec<Level>,
    /// The states that were never reached, if the search knows them all.
    pub unsolvable: Option<Unreached>,
}

impl LevelTable {
    /// States over all levels, without the unsolvable ones.
    pub fn total_states(&self) -> u128 {
        saturating_sum(self.levels.iter().map(|level| level.states))
    }

    /// Orbits over all levels, without the unsolvable ones.
    pub fn total_orbits(&self) -> u128 {
        saturating_sum(self.levels.iter().map(|level| level.orbits))
    }

    /// Whether the figures are possible: each row, and depths from 0 without a gap.
    pub fn check(&self) -> Result<(), CellFault> {
        let mut table = LevelTable::default();
        for row in self.rows() {
            row.check()?;
            table.add(row).map_err(|why| ("depth", why))?;
        }
        Ok(())
    }

    /// Whether states match orbits if no orbit holds more than `symmetries` states.
    pub fn check_orbits(&self, symmetries: u64) -> Result<(), CellFault> {
        let too_many =
            |row: &LevelRow| row.states > row.orbits.saturating_mul(symmetries.max(1).into());
        self.rows().iter().try_for_each(|row| {
            let (depth, states, orbits) = (&row.depth, row.states, row.orbits);
            wire::sound(!too_many(row), "states", || {
                format!(
                    "depth {depth}: {states} states cannot be in {orbits} orbits under {symmetries} symmetries"
                )
            })
        })
    }

    /// Whether antipodes match the table: at its greatest depth, they are at most as many as the
    /// orbits there, and if complete, as many states.
    pub fn check_antipodes(&self, antipodes: &[Antipode]) -> Result<(), CellFault> {
        let Some(last) = self.levels.last().filter(|_| !antipodes.is_empty()) else {
            return Ok(());
        };
        let (deepest, last_orbits, last_states) = (last.depth, last.orbits, last.states);
        for Antipode { depth, .. } in antipodes {
            let fault =
                || format!("an antipode at depth {depth}, where the deepest level is {deepest}");
            wire::sound(*depth == deepest, "depth", fault)?;
        }
        let count = antipodes.len() as u128;
        let states: u128 = antipodes.iter().map(|one| u128::from(one.orbit_size)).sum();
        let fits = count <= last_orbits && states <= last_states;
        let holds = fits && (count == last_orbits) == (states == last_states);
        wire::sound(holds, "orbit_size", || {
            format!(
                "{count} orbits of {states} states, where the deepest level has {last_orbits} of {last_states}"
            )
        })
    }

    /// Depth of the deepest level; `None` for an empty table.
    pub fn max_depth(&self) -> Option<u32> {
        self.levels.iter().map(|level| level.depth).max()
    }
}

/// A table may come from a file, and no content of a file may crash the program.
fn saturating_sum(counts: impl Iterator<Item = u128>) -> u128 {
    counts.fold(0, u128::saturating_add)
}

/// A state at the greatest distance that was found. A row of `antipodes.csv`.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Antipode {
    /// Its distance from the roots.
    pub depth: u32,
    /// The state as text, rows joined by `/`.
    pub state: String,
    /// Number of states in its orbit, itself included.
    pub orbit_size: u32,
}

impl Record for Antipode {
    const SCHEMA: &'static str = "antipode-antipodes-1";

    fn check(&self) -> Result<(), CellFault> {
        wire::sound(self.orbit_size > 0, "orbit_size", || {
            "an orbit holds a state at least".to_owned()
        })
    }
}

/// A row of `levels.csv`: a level, or in the last row the states in no level.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct LevelRow {
    /// Distance from the roots, in moves, or `unsolvable`.
    pub depth: String,
    /// Number of states.
    pub states: u128,
    /// Number of orbits.
    pub orbits: u128,
    /// Digest, 32 lowercase hexadecimal digits.
    pub digest: String,
}

impl Record for LevelRow {
    const SCHEMA: &'static str = "antipode-levels-1";

    fn check(&self) -> Result<(), CellFault> {
        sound_row(&self.depth, self.states, self.orbits, &self.digest)
    }
}

/// A level of a part: a piece of an instance that no move leads out of. A row of `parts.csv`.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct PartRow {
    /// Number of the part, from 0.
    pub part: u64,
    /// Distance from the roots, in moves, or `unsolvable`.
    pub depth: String,
    /// Number of states.
    pub states: u128,
    /// Number of orbits.
    pub orbits: u128,
    /// Digest, 32 lowercase hexadecimal digits.
    pub digest: String,
}

impl Record for PartRow {
    const SCHEMA: &'static str = "antipode-parts-1";

    fn check(&self) -> Result<(), CellFault> {
        sound_row(&self.depth, self.states, self.orbits, &self.digest)
    }
}

/// The depth of the states in no level.
const UNSOLVABLE: &str = "unsolvable";

fn sound_row(depth: &str, states: u128, orbits: u128, digest: &str) -> Result<(), CellFault> {
    let is_depth = depth == UNSOLVABLE || depth.parse::<u32>().is_ok();
    wire::sound(is_depth, "depth", || {
        format!("`{depth}` is no whole number of at least 0, and not \"{UNSOLVABLE}\"")
    })?;
    wire::sound_counts(states, orbits)?;
    wire::sound_hex("digest", digest, 32)
}

impl LevelTable {
    /// The rows of `levels.csv`.
    pub fn rows(&self) -> Vec<LevelRow> {
        let levels = self.levels.iter().map(|level| LevelRow {
            depth: level.depth.to_string(),
            states: level.states,
            orbits: level.orbits,
            digest: level.digest.clone(),
        });
        let rest = self.unsolvable.iter().map(|rest| LevelRow {
            depth: UNSOLVABLE.to_owned(),
            states: rest.states,
            orbits: rest.orbits,
            digest: rest.digest.clone(),
        });
        levels.chain(rest).collect()
    }

    /// Adds the next row of `levels.csv`.
    ///
    /// # Errors
    /// A depth that does not follow, or a row after the last one.
    pub(crate) fn add(&mut self, row: LevelRow) -> Result<(), String> {
        if self.unsolvable.is_some() {
            return Err(format!(
                "a row follows the one for \"{UNSOLVABLE}\", which must be the last"
            ));
        }
        let LevelRow {
            depth,
            states,
            orbits,
            digest,
        } = row;
        let next = self.levels.len();
        match depth.parse::<u32>() {
            Err(_) => {
                self.unsolvable = Some(Unreached {
                    states,
                    orbits,
                    digest,
                });
            }
            Ok(depth) if self.max_depth().is_some_and(|last| last >= depth) => {
                let fault = format!("depth {depth} does not rise above that of the row before");
                return Err(fault);
            }
            Ok(depth) if depth as usize != next => {
                return Err(format!(
                    "depth {depth} does not follow: the row for depth {next} is missing"
                ));
            }
            Ok(depth) => self.levels.push(Level {
                depth,
                states,
                orbits,
                digest,
            }),
        }
        Ok(())
    }
}
