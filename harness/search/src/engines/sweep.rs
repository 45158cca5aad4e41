//! Engine `sweep`: the puzzle's own inner loop over a part. What it delivers is counted,
//! digested and checked here like anything else.

use puzzle_api::Key;

use super::{Ended, EngineError, Search};
use crate::observers::{Observers, OrbitSizes};
use crate::progress::Progress;

pub(super) fn walk<K: Key>(
    search: &Search<K>,
    part: u64,
    observers: &mut Observers<K>,
    progress: &Progress,
) -> Result<Ended, EngineError> {
    if search.max_depth.is_some() {
        return Err(EngineError::CannotHold(
            "engine sweep walks whole parts; leave out --max-depth or use --engine hash".into(),
        ));
    }
    let mut uneven = None;
    let whole = search.graph.sweep(part, &mut |swept| {
        if swept.keys.len() != swept.depths.len() {
            uneven = Some(swept.keys.len());
            return false;
        }
        let size = OrbitSizes::Uniform(swept.orbit_size);
        observers.observe(part, swept.keys, swept.depths, size);
        progress.expanded(swept.keys.len() as u64);
        !progress.stopping()
    })?;
    if uneven.is_some() {
        let fault = "delivered unequal numbers of keys and depths";
        return Err(search.graph.opened.broken("sweep", fault).into());
    }
    Ok(if whole {
        Ended::Complete
    } else {
        Ended::Stopped
    })
}
