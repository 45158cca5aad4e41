//! Whether there are more parts than are counted: states drawn by the rulebook must each be in a
//! counted part. A part that the count leaves out is reached from no other.

use puzzle_api::Key;

use super::part::PartRules;
use antipode_graph::{Capabilities, PluginError};

/// States drawn for each of the first parts, the number of these, and states for each other part.
const EACH: u64 = 10;
const FIRST: u64 = 300;
const EACH_OTHER: u64 = 4;
/// States drawn for all parts together.
const MOST: u64 = 10_000;
const LEAST: u64 = 100;

/// States in no part, a line each; none if the rulebook draws no states, or has no numbering. A
/// puzzle without a count of parts has one part.
///
/// # Errors
/// [`PluginError`] if the puzzle fails, or a state is in a part beyond the count.
pub(crate) fn strays<K: Key>(
    against: &PartRules<'_, K>,
    seed: u64,
) -> Result<Vec<String>, PluginError> {
    let rules = against.rules;
    let draws = rules.has(Capabilities::RANDOM);
    let (Some(numbering), true) = (against.numbering(), draws) else {
        return Ok(Vec::new());
    };
    let parts = rules.opened.part_count;
    let others = parts.saturating_sub(FIRST).saturating_mul(EACH_OTHER);
    let count = others.saturating_add(EACH * parts.min(FIRST));
    let count = count.clamp(LEAST, MOST) as usize;
    let mut keys = rules.random(seed ^ 0x7061_7274, 0, count)?;
    // Only the canonical state of an orbit need be in a part, whatever reduction the search uses.
    rules.canonical(&mut keys, None)?;
    let mut placed = Vec::new();
    numbering.place(&keys, &mut placed)?;
    let nowhere = keys.iter().zip(placed).filter(|(_, place)| place.is_none());
    nowhere
        .map(|(&key, _)| {
            Ok(format!(
                "{}: was drawn, and lies in no part",
                rules.draw(key)?
            ))
        })
        .collect()
}
