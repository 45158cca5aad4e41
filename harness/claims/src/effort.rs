//! How much is proven.

use antipode_check::verify::ConsistencyScope;
use antipode_search::memory;

/// Bytes per state while all of them are checked.
const CHECKED_BYTES: u64 = 64;
/// States beyond which a complete check takes hours.
const MOST_CHECKED: u64 = 256_000_000;
/// States of an instance that are all checked at quick effort too.
const QUICK_STATES: u64 = 4_000_000;
/// Parts whose consistency is checked at quick effort, if there are more states.
const QUICK_PARTS: u64 = 24;

/// How much is proven and how much is sampled.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Effort {
    /// Minutes: samples with their bounds if a proof takes longer.
    Quick,
    /// Proofs, as long as they take.
    Full,
}

impl Effort {
    /// Scope of the consistency check of an instance with n numbered states, 0 without a numbering:
    /// all, if there are few.
    #[must_use]
    pub const fn consistency(self, seed: u64, numbered: u64) -> ConsistencyScope {
        match self {
            Self::Quick if numbered == 0 || numbered > QUICK_STATES => ConsistencyScope::Parts {
                count: QUICK_PARTS,
                seed,
            },
            Self::Quick | Self::Full => ConsistencyScope::All,
        }
    }

    /// Scope of the consistency check of a separate question, which may go far beyond what memory
    /// holds.
    #[must_use]
    pub fn fitting(self) -> ConsistencyScope {
        let fewest = self.fitting_states();
        let states = match (self, memory::available()) {
            (Self::Full, Some(memory)) => (memory / CHECKED_BYTES).clamp(fewest, MOST_CHECKED),
            (Self::Quick, _) | (Self::Full, None) => fewest,
        };
        ConsistencyScope::Fitting { states }
    }

    /// Most states that are all checked again on the rulebook.
    #[must_use]
    pub const fn fitting_states(self) -> u64 {
        match self {
            Self::Quick => 3_000_000,
            Self::Full => 8_000_000,
        }
    }

    /// Name on the command line.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::Quick => "quick",
            Self::Full => "full",
        }
    }

    /// The effort passed to derivations.
    #[must_use]
    pub const fn of_derivations(self) -> puzzle_api::Effort {
        match self {
            Self::Quick => puzzle_api::Effort::Quick,
            Self::Full => puzzle_api::Effort::Full,
        }
    }
}
