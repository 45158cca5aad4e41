//! Memory needs of a search, computed before it starts.

use super::{BidirectionalOptions, SideTable};
use crate::error::EngineError;
use crate::memory::human;

/// Bytes of a set of bits, per state in hash tables, at which a side turns to bits. This balances
/// the cost of clearing that much memory and of looking up a state's neighbours in tables instead
/// of bits (on coin sliding 57 neighbours, some 40 ns dearer each).
const BYTES_A_STATE: u64 = 8192;
/// Bytes of a thread's working memory.
const THREAD: u64 = 16 << 20;

/// The needs of a search.
#[derive(Debug, Clone, Copy)]
pub(super) struct MemoryPlan {
    size: Option<u64>,
    table: SideTable,
    /// Runs being collected, sorted and packed, packed levels, and the threads' own memory.
    pub(super) buffers: u64,
    limit: u64,
}

impl MemoryPlan {
    /// A plan for codes of some bytes; `size` is the number of ranks, if there are ranks.
    pub(super) fn of(size: Option<u64>, code_bytes: u64, options: &BidirectionalOptions) -> Self {
        let runs = 4 * options.run_states as u64 * code_bytes;
        let runs = size.map_or(runs, |size| runs.min(4 * size * code_bytes));
        let levels = options.levels_in_memory;
        let levels = size.map_or(levels, |size| levels.min(4 * size));
        Self {
            size,
            table: options.table,
            buffers: runs + levels + THREAD * rayon::current_num_threads() as u64,
            limit: options.memory,
        }
    }

    /// Bytes of a set of bits; 0 without ranks.
    fn set(&self) -> u64 {
        self.size.map_or(0, crate::ranks::RankSet::bytes)
    }

    /// Bytes of a set of bits per side and of the buffers.
    pub(super) fn bits_need(&self) -> u64 {
        self.buffers + 2 * self.set()
    }

    /// Number of states beyond which a side is kept as bits; `None` for never.
    pub(super) fn bits_beyond(&self) -> Option<u64> {
        let size = self.size?;
        match self.table {
            SideTable::Hash => None,
            SideTable::Bits => Some(0),
            SideTable::Auto => Some(crate::ranks::RankSet::bytes(size) / BYTES_A_STATE),
        }
    }

    /// Memory of the search: all of it for bits, the least for hash tables.
    pub(super) fn need(&self) -> u64 {
        match self.bits_beyond() {
            Some(_) => self.bits_need(),
            None => self.buffers,
        }
    }

    /// Refuses a search that cannot fit.
    ///
    /// # Errors
    /// [`EngineError::Memory`], naming need, limit and remedy.
    pub(super) fn check(&self, name: &str) -> Result<(), EngineError> {
        if self.need() <= self.limit {
            return Ok(());
        }
        let (need, limit) = (human(self.need()), human(self.limit));
        let buffers = human(self.buffers);
        Err(EngineError::Memory(match self.bits_beyond() {
            Some(_) => format!(
                "{name}: needs {need} of memory (two sets of {}, a bit per rank, and {buffers} of buffers), and {limit} is what it may take; free some, raise --memory, or go as far as hash tables hold with --table hash",
                human(self.set())
            ),
            None => format!(
                "{name}: needs {need} of memory for buffers alone, and {limit} is what it may take; free some, or raise --memory"
            ),
        }))
    }

    /// Refuses hash tables that have outgrown the limit.
    ///
    /// # Errors
    /// [`EngineError::Memory`], naming need, limit and remedy.
    pub(super) fn check_tables(
        &self,
        name: &str,
        tables: u64,
        states: u64,
        kept: bool,
    ) -> Result<(), EngineError> {
        if self.buffers + tables <= self.limit {
            return Ok(());
        }
        let (tables, limit) = (human(tables), human(self.limit));
        let on = match kept {
            true => "; what is finished is kept: raise --memory and rerun with --resume",
            false => "; raise --memory",
        };
        Err(EngineError::Memory(format!(
            "{name}: the sides have {states} states, whose hash tables take {tables} in addition to {} of buffers, but the limit is {limit}{on}",
            human(self.buffers)
        )))
    }
}
