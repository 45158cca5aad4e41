//! Whether a table in a certificate equals the recomputed one.

use serde_json::{Value, json};

use crate::reading::Reading;
use crate::search::Level;
use crate::shown::{OrWrong, Stop, agrees, list};

/// Whether a run belongs to the reading's question.
pub(super) fn ran(
    reading: &Reading,
    (direction, from): (&str, Option<&str>),
    complete: bool,
    parts: usize,
) -> Result<(), Stop> {
    let right = json!({
        "puzzle": reading.puzzle,
        "instance": reading.case.instance,
        "settings": reading.case.settings,
        "direction": direction,
        "from": from,
        "complete": complete,
        "parts_total": parts,
        "parts_done": parts,
    });
    agrees(reading.part("run"), &right, "the run")
}

pub(super) fn told_alike(said: &Value, level: &Level) -> bool {
    let members = ["states", "orbits", "digest"].into_iter();
    let mut members = members.zip(level.told());
    members.all(|(member, text)| said[member] == text)
}

/// Whether a table in a certificate equals the recomputed one.
pub(super) fn same(
    reading: &Reading,
    levels: &[Level],
    unsolvable: Option<&Level>,
) -> Result<(), Stop> {
    let said = reading.part("levels");
    let (rows, rest) = (list(&said["levels"]), &said["unsolvable"]);
    (rows.len() == levels.len()).or_wrong(format!("there are {} levels", levels.len()))?;
    for (depth, (row, level)) in rows.iter().zip(levels).enumerate() {
        let alike = row["depth"] == depth && told_alike(row, level);
        alike.or_wrong(format!("level {depth} has {:?}", level.told()))?;
    }
    let known = unsolvable.map_or(rest.is_null(), |level| told_alike(rest, level));
    let right = unsolvable.map(Level::told);
    known.or_wrong(format!("the unsolvable states are {right:?}"))
}

/// Recomputed levels, with the states of each if they are to be kept, and the states never met.
pub(super) struct Table {
    pub levels: Vec<Level>,
    pub states: Vec<Vec<u128>>,
    pub never: Option<(Level, Vec<u128>)>,
    pub complete: bool,
}

impl Table {
    /// The table of a search that runs no deeper.
    pub fn up_to(mut self, depth: Option<u32>) -> Self {
        if let Some(most) = depth.map(|depth| depth as usize + 1) {
            self.complete = self.levels.len() < most;
            self.levels.truncate(most);
            self.states.truncate(most);
            // A search with a bound shows nothing about other states, even if it ended by itself.
            self.never = None;
        }
        self
    }
}
