//! Outcome of the consistency check over the parts finished so far.

use serde::{Deserialize, Serialize};

/// Faults kept as witnesses; the count continues.
const MOST_FAULTS: usize = 1000;

/// Counts of the consistency check.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct ConsistencyTally {
    /// Orbits checked, including those that the run should have delivered but did not.
    pub states: u64,
    /// Parts checked, with all of their orbits.
    pub parts: u64,
    /// Parts with a fault.
    pub wrong_parts: u64,
    /// Orbits that break a rule.
    pub wrong: u64,
    /// Parts in scope that were left out because they were too large to hold.
    #[serde(default)]
    pub too_large: u64,
    /// States that the checked orbits represent, each checked by the rules.
    #[serde(default)]
    pub images: u64,
    /// States that the run left out, also checked by the rules.
    #[serde(default)]
    pub outside: u64,
    /// Parts for which the rules alone cannot show that no state was left out.
    #[serde(default)]
    pub open: u64,
    /// A line for each of the first few faults of a part.
    pub faults: Vec<String>,
}

impl ConsistencyTally {
    pub(super) fn absorb(&mut self, other: Self) {
        self.states += other.states;
        self.parts += other.parts;
        self.wrong_parts += other.wrong_parts;
        self.wrong += other.wrong;
        self.too_large += other.too_large;
        self.images += other.images;
        self.outside += other.outside;
        self.open += other.open;
        self.faults.extend(other.faults);
        // Sorted before it is cut, so that the rest does not depend on threads.
        self.faults.sort_unstable();
        self.faults.truncate(MOST_FAULTS);
    }
}
