//! The command without engine `cluster`: no processes share a search.

use std::path::Path;

use antipode_search::engine::{Kind, Means};
use antipode_search::progress::Stop;
use antipode_search::registry::EngineId;
use anyhow::Result;

/// Processes that are not there.
#[derive(Debug)]
pub struct Crew;

/// They end like the engine's own, so the commands are the same with it and without.
impl Drop for Crew {
    fn drop(&mut self) {}
}

/// Whether this process writes the results.
#[must_use]
pub const fn is_first(_: &Means) -> bool {
    true
}

/// Removes nothing.
pub const fn clear(_: Option<EngineId>, _: Option<&Path>, _: &Means, _: bool) {}

/// Removes the leftovers of a run that was killed during its cleanup.
///
/// # Errors
/// Files in the folder that cannot be removed.
pub fn finish(_: Option<&Crew>, _: &Means, work: &Path, _: &Stop) -> Result<()> {
    Ok(antipode_search::work::clear(work, true)?)
}

impl Crew {
    /// `None`: no engine takes the options that name them.
    ///
    /// # Errors
    /// None.
    pub const fn plan(
        _: Option<EngineId>,
        _: Kind,
        _: &mut Means,
        _: (&mut usize, bool),
    ) -> Result<Option<Self>> {
        Ok(None)
    }

    /// Starts none.
    ///
    /// # Errors
    /// None.
    pub const fn start(&mut self) -> Result<()> {
        Ok(())
    }
}
