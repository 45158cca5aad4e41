//! Consistency: how much of an instance is checked, and what that says.
//!
//! Backward: a goal is at distance 0; every other solvable state has a successor one
//! closer and none more than one closer; no successor of an unsolvable state is solvable;
//! and every rank of the part was delivered. Forward: the start is at distance 0; every
//! successor was delivered, at most one further on; every other state has a predecessor
//! one closer. Over all states either proves the distances, given the rules. With symmetry
//! each state must also be the representative of its orbit, and count as many states as
//! its orbit has.

use serde::Serialize;
use std::collections::BTreeSet;

use puzzle_api::{Direction, Xorshift};

use antipode_reports::model::Evidence;

use super::evidence::{evidence, first_few, not_done};
use super::{CONFIDENCE, upper_bound};
use antipode_search::observers::ConsistencyTally;

/// How much of an instance is checked.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum ConsistencyScope {
    /// Nothing.
    Off,
    /// Parts drawn at random from a seed; all of their states.
    Parts {
        /// How many.
        count: u64,
        /// Seed of the draw.
        seed: u64,
    },
    /// Every state: a proof.
    All,
}

impl ConsistencyScope {
    /// The parts in scope.
    #[must_use]
    pub fn parts(self, all: &[u64]) -> BTreeSet<u64> {
        match self {
            Self::Off => BTreeSet::new(),
            Self::Parts { count, seed } if count < all.len() as u64 => {
                let mut random = Xorshift::for_draw(seed, 0x636f_6e73);
                let mut chosen = BTreeSet::new();
                while (chosen.len() as u64) < count {
                    chosen.insert(all[random.below(all.len() as u64) as usize]);
                }
                chosen
            }
            Self::Parts { .. } | Self::All => all.iter().copied().collect(),
        }
    }
}

/// What the check was made on.
#[derive(Debug, Clone, Copy)]
pub struct ConsistencyFrame {
    /// Direction of the run.
    pub direction: Direction,
    /// Parts of the run.
    pub parts_total: u64,
    /// Whether a state that the run left out would be noticed.
    pub counted: bool,
    /// Most states of a part that are held at once.
    pub most_states: usize,
}

/// The check as a sentence with its bound; exhaustive (and then a proof) where it went
/// over all parts, and states left out would have been noticed.
#[must_use]
pub fn consistency(tally: &ConsistencyTally, frame: &ConsistencyFrame) -> (Evidence, Vec<String>) {
    const NAME: &str = "consistency";
    if tally.states == 0 {
        let why = if tally.too_large > 0 {
            format!(
                "a part has more than {} orbits, which a proof holds in memory at once; --effort full does so",
                frame.most_states
            )
        } else if tally.parts > 0 {
            "the parts in scope hold no state".into()
        } else {
            "no part in scope was finished".into()
        };
        return (not_done(NAME, &why), Vec::new());
    }
    let rule = match frame.direction {
        Direction::Backward => "a distance must be one more than the least among the successors",
        Direction::Forward => {
            "every successor must be met, at most one move further on, and every state but the start must have a predecessor one closer"
        }
    };
    let mut text = if tally.parts == frame.parts_total {
        format!("Every state, on the rules: {rule}.")
    } else {
        format!(
            "Parts drawn at random, every state of them ({} orbits), on the rules: {rule}.",
            tally.states
        )
    };
    text.push_str(match (frame.direction, frame.counted) {
        (Direction::Backward, true) => " The ranks are counted: none may be left out.",
        (Direction::Backward, false) => {
            " A state left out that no other leads to would go unnoticed."
        }
        (Direction::Forward, _) => "",
    });
    let found = if tally.parts == frame.parts_total {
        let mut found = evidence(NAME, tally.states, tally.wrong, None, text);
        found.population = frame.counted.then(|| tally.states.into());
        found
    } else {
        // The draw is of parts, so the bound is on parts: states within one are not independent.
        if tally.too_large > 0 {
            text.push_str(&format!(
                " {} more drawn were too large to hold.",
                tally.too_large
            ));
        }
        text.push_str(" Counted in parts:");
        let (parts, wrong) = (tally.parts, tally.wrong_parts);
        let bound = upper_bound(parts, wrong, CONFIDENCE);
        let mut found = evidence(NAME, parts, wrong, bound, text);
        found.population = Some(frame.parts_total.into());
        found
    };
    let mut faults = tally.faults.clone();
    faults.sort_unstable();
    (found, first_few(faults))
}
