//! Result of a run over all parts of a search, and parts shared by several processes.

use crate::blocks::{FinishedBlock, Journal};
use crate::error::EngineError;
use crate::observers::Observers;
use crate::outcome::{Outcome, Spent};

/// The findings of a run.
#[derive(Debug)]
pub struct EngineRun<K> {
    /// Observers with the results of all finished parts (of one part: of finished levels).
    pub observers: Observers<K>,
    /// Parts finished.
    pub parts_done: u64,
    /// Total number of parts, including those that the run was not about.
    pub parts_total: u64,
    /// [`Outcome::Levels`] if nothing is missing, else the reason why it ended.
    pub outcome: Outcome<K>,
    /// Cost of the run, without the work of earlier runs.
    pub spent: Spent,
}

impl<K> EngineRun<K> {
    /// Whether nothing is missing.
    #[must_use]
    pub const fn complete(&self) -> bool {
        self.outcome.is_answer()
    }
}

/// Parts of a search that were distributed over several processes, as one of them sees it. Each
/// walks its own, and all have the same result.
pub trait Distributed<K>: Sync {
    /// Whether this process walks a block.
    fn wants(&self, block: u64) -> bool;

    /// Blocks of this process that others finished in an earlier run; records them here.
    ///
    /// # Errors
    /// [`EngineError`] if a folder cannot be read, or belongs to another run.
    fn finished(&self, journal: &Journal) -> Result<Vec<FinishedBlock>, EngineError>;

    /// Joins the results of all processes, into observers like `fresh`; notifies them if this one
    /// has failed.
    ///
    /// # Errors
    /// An error here, or a process that is gone.
    fn join(
        self: Box<Self>,
        fresh: &Observers<K>,
        ran: Result<EngineRun<K>, EngineError>,
    ) -> Result<EngineRun<K>, EngineError>;
}
