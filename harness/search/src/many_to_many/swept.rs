//! Lengths found again by the puzzle's own sweep: a second computation, forward from the source,
//! that stops when all targets are met. It shares no code with the moves of the searches.

use std::collections::BTreeMap;

use antipode_graph::{Capabilities, Graph, PluginError};
use puzzle_api::{Direction, Key};

use super::{Finished, Length, NamedSource};
use crate::memory;
use crate::progress::Progress;

/// Compares the rows of a source with the puzzle's own sweep. Does nothing if a length is open, if
/// there is no such loop for the source, or if there is too little memory. Returns whether it was
/// not interrupted.
///
/// # Errors
/// [`PluginError`] if the puzzle fails.
pub(super) fn compare<K: Key>(
    graph: &Graph<K>,
    source: &NamedSource<K>,
    targets: &[NamedSource<K>],
    finished: &mut Finished,
    progress: &Progress,
) -> Result<bool, PluginError> {
    let open = |length| matches!(length, Length::MoreThan { .. });
    if finished.rows.iter().any(|row| open(row.length)) || !graph.proves(Capabilities::NONE) {
        return Ok(true);
    }
    let memory = graph.sweep_memory(Direction::Forward, Some(source.key));
    if memory.is_none_or(|needed| memory::available().is_some_and(|free| needed > free)) {
        return Ok(true);
    }
    let others = targets.iter().filter(|target| target.key != source.key);
    let only: Vec<K> = others.map(|target| target.key).collect();
    if only.is_empty() {
        return Ok(true);
    }
    let mut met = BTreeMap::new();
    let (way, from) = (Direction::Forward, Some(source.key));
    let whole = graph.sweep(way, from, 0, &only, &mut |swept| {
        let met_now = swept.keys.iter().copied().zip(swept.depths);
        met.extend(met_now.map(|(key, &depth)| (key, u32::from(depth))));
        !progress.stopping()
    })?;
    if !whole {
        return Ok(false);
    }
    for row in &mut finished.rows {
        let target = targets.iter().find(|target| target.name == row.to);
        let found = target.and_then(|target| met.get(&target.key).copied());
        row.again = found == row.length.exactly();
        if !row.again && row.fault.is_none() {
            let found = found.map_or_else(|| "none".to_owned(), |moves| moves.to_string());
            row.fault = Some(format!(
                "has another length by the puzzle's own sweep, {found}"
            ));
        }
    }
    Ok(true)
}
