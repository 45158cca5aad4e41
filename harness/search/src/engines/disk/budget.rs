//! Memory shared by workers: each takes what its partition needs and waits until there is enough.

use std::sync::{Condvar, Mutex, PoisonError};

use crate::error::{EngineError, Result, locked};
use crate::keyset::KeySet;
use crate::memory::human;
use crate::packed::Candidate;

/// Memory not taken yet.
#[derive(Debug)]
pub(super) struct Budget {
    total: u64,
    left: Mutex<u64>,
    freed: Condvar,
}

/// Memory taken; released when dropped.
#[derive(Debug)]
pub(super) struct Taken<'a> {
    budget: &'a Budget,
    bytes: u64,
}

impl Drop for Taken<'_> {
    fn drop(&mut self) {
        let mut left = locked(&self.budget.left);
        *left += self.bytes;
        self.budget.freed.notify_all();
    }
}

impl Budget {
    pub(super) fn new(total: u64) -> Self {
        Self {
            total,
            left: Mutex::new(total),
            freed: Condvar::new(),
        }
    }

    /// Takes memory for some states of a level in one partition, once there is enough.
    ///
    /// # Errors
    /// If there never will be enough; states the memory needed, and for what.
    pub(super) fn take(&self, bytes: u64, (depth, states): (u16, u64)) -> Result<Taken<'_>> {
        if bytes > self.total {
            return Err(EngineError::Memory(format!(
                "level {depth} has {states} states in one bucket, which needs {} of memory; {} are left for it: allow more with --memory and rerun with --resume",
                human(bytes),
                human(self.total)
            )));
        }
        let mut left = locked(&self.left);
        while *left < bytes {
            left = self
                .freed
                .wait(left)
                .unwrap_or_else(PoisonError::into_inner);
        }
        *left -= bytes;
        Ok(Taken {
            budget: self,
            bytes,
        })
    }
}

/// Bytes for finding the neighbours of `states` within a partition, with `known` states to leave
/// out, if the level grows by `growth`.
pub(super) fn for_expansion<C: Candidate>(
    states: u64,
    known: u64,
    packed: u64,
    growth: f64,
) -> u64 {
    let fresh = expected(states, growth);
    // With marks, a new state is listed each time it is met, until the list has doubled.
    let listed = if C::MARKED { 2 * fresh } else { fresh };
    KeySet::<C::Key>::bytes_for(known + fresh) + listed * 2 * size_of::<C>() as u64 + packed
}

/// Expected new states among n candidates.
pub(super) fn expected(states: u64, growth: f64) -> u64 {
    (states as f64 * growth * 1.1) as u64 + 64
}

/// Bytes for merging n candidates.
pub(super) fn for_merging<C>(candidates: u64, packed: u64) -> u64 {
    candidates * 2 * size_of::<C>() as u64 + packed
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::outcome::StopReason;

    #[test]
    fn a_bucket_that_never_fits_says_how_much_it_needs() {
        let budget = Budget::new(64 << 20);
        let error = budget.take(3 << 30, (7, 1234)).expect_err("too much");
        let line = error.to_string();
        for part in [
            "level 7",
            "1234 states",
            "3.00 GiB",
            "64.00 MiB",
            "--memory",
            "--resume",
        ] {
            assert!(line.contains(part), "{line}");
        }
        assert!(StopReason::of_limit(error).is_ok());
    }
}
