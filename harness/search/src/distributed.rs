//! Result of a run over all parts of a search, and parts that several processes share.

use crate::blocks::{FinishedBlock, Journal};
use crate::error::EngineError;
use crate::observers::Observers;
use crate::outcome::{Outcome, Spent};

/// What a run has found.
#[derive(Debug)]
pub struct EngineRun<K> {
    /// Observers with all that finished parts (of one part: finished levels) showed.
    pub observers: Observers<K>,
    /// Parts finished.
    pub parts_done: u64,
    /// Parts in all, those included that the run was not about.
    pub parts_total: u64,
    /// [`Outcome::Levels`] if nothing is missing, else what ended it.
    pub outcome: Outcome<K>,
    /// Its cost, without what an earlier run had finished.
    pub spent: Spent,
}

impl<K> EngineRun<K> {
    /// Whether nothing is missing.
    #[must_use]
    pub const fn complete(&self) -> bool {
        self.outcome.is_answer()
    }
}

/// Parts of a search that were dealt out to several processes, as one of them sees it: each walks
/// its own, and all have the same result.
pub trait Distributed<K>: Sync {
    /// Whether this process walks a block.
    fn wants(&self, block: u64) -> bool;

    /// Blocks of this process that others have finished in an earlier run, recorded here.
    ///
    /// # Errors
    /// [`EngineError`] if a folder cannot be read, or belongs to another run.
    fn finished(&self, journal: &Journal) -> Result<Vec<FinishedBlock>, EngineError>;

    /// Puts together what all processes have found, into observers like `fresh`; notifies them if
    /// this one has failed.
    ///
    /// # Errors
    /// What went wrong here, or a process that is gone.
    fn join(
        self: Box<Self>,
        fresh: &Observers<K>,
        ran: Result<EngineRun<K>, EngineError>,
    ) -> Result<EngineRun<K>, EngineError>;
}
