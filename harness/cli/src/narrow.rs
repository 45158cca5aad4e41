//! Little address space (`ulimit -v`): one heap for all threads.
//!
//! The system's allocator sets 64 MiB of address space aside for each thread. Under a limit, heaps
//! take the memory of a search, and a failed allocation ends the process without a message.

use std::os::unix::process::CommandExt;

use antipode_search::memory::address_space_left;
use anyhow::Result;

use super::supervise;

/// Limits the allocator's number of heaps; it reads this only as a process starts.
const HEAPS: &str = "MALLOC_ARENA_MAX";

/// Starts this very process again with one heap, if its address space is limited and no heap option
/// is set. Returns if there is nothing to do, or with the reason why it cannot.
///
/// # Errors
/// The system does not run this program again.
pub fn begin() -> Result<()> {
    if std::env::var_os(HEAPS).is_some() || address_space_left().is_none() {
        return Ok(());
    }
    Err(supervise::this_again()?.env(HEAPS, "1").exec().into())
}
