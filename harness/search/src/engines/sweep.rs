//! Engine `sweep`: the puzzle's own inner loop over a part. What it delivers is counted,
//! digested and checked here like anything else.

use puzzle_api::Key;

use super::{EngineError, Search};
use crate::observers::{Observers, OrbitSizes};
use crate::outcome::{Outcome, Spent, StopReason, Walked};
use crate::progress::Progress;

pub(super) fn walk<K: Key>(
    search: &Search<K>,
    part: u64,
    observers: &mut Observers<K>,
    progress: &Progress,
) -> Result<Walked<K>, EngineError> {
    if search.max_depth.is_some() {
        return Err(EngineError::CannotHold(
            "engine sweep walks whole parts; leave out --max-depth or use --engine hash".into(),
        ));
    }
    let mut uneven = None;
    // The puzzle's loop delivers states and shows no moves, so none are counted.
    let mut spent = Spent::default();
    let whole = search.graph.sweep(part, &mut |swept| {
        if swept.keys.len() != swept.depths.len() {
            uneven = Some(swept.keys.len());
            return false;
        }
        let size = OrbitSizes::Uniform(swept.orbit_size);
        observers.observe(part, swept.keys, swept.depths, size);
        spent.expanded += swept.keys.len() as u64;
        progress.expanded(swept.keys.len() as u64);
        !progress.stopping()
    })?;
    if uneven.is_some() {
        let fault = "delivered unequal numbers of keys and depths";
        return Err(search.graph.opened.broken("sweep", fault).into());
    }
    let outcome = match whole {
        true => Outcome::Levels,
        false => Outcome::NotReached(StopReason::Requested),
    };
    Ok(Walked { outcome, spent })
}
