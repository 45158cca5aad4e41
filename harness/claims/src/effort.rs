//! How much is proven and how much is sampled. At quick effort, samples with their bounds if a proof
//! takes longer than minutes; at full effort proofs, as long as they take.

use antipode_check::verify::ConsistencyScope;
use antipode_search::memory;
use puzzle_api::Effort;

/// Bytes per state while all of them are checked.
const CHECKED_BYTES: u64 = 64;
/// States beyond which a complete check takes hours.
const MOST_CHECKED: u64 = 256_000_000;
/// States of an instance that are all checked at quick effort too.
const QUICK_STATES: u64 = 4_000_000;
/// Parts whose consistency is checked at quick effort, if there are more states.
const QUICK_PARTS: u64 = 24;

/// Scope of the consistency check of an instance with n numbered states, 0 without a numbering:
/// all, if there are few.
#[must_use]
pub const fn consistency(effort: Effort, seed: u64, numbered: u64) -> ConsistencyScope {
    match effort {
        Effort::Quick if numbered == 0 || numbered > QUICK_STATES => ConsistencyScope::Parts {
            count: QUICK_PARTS,
            seed,
        },
        Effort::Quick | Effort::Full => ConsistencyScope::All,
    }
}

/// Scope of the consistency check of a separate question, which may go far beyond what memory
/// holds.
pub(crate) fn fitting(effort: Effort) -> ConsistencyScope {
    let fewest = fitting_states(effort);
    let states = match (effort, memory::available()) {
        (Effort::Full, Some(memory)) => (memory / CHECKED_BYTES).clamp(fewest, MOST_CHECKED),
        (Effort::Quick, _) | (Effort::Full, None) => fewest,
    };
    ConsistencyScope::Fitting { states }
}

/// Most states that are all checked again on the rulebook.
pub(crate) const fn fitting_states(effort: Effort) -> u64 {
    match effort {
        Effort::Quick => 3_000_000,
        Effort::Full => 8_000_000,
    }
}
