//! Proofs of a part's distances that a puzzle brings along, for parts too many to be checked
//! state by state on the rulebook.
//!
//! Such a proof is part of the harness that lives next to the rules it knows: it does not cross the
//! C boundary. A shared library cannot offer one, because its statement would prove nothing.

use crate::UNSOLVABLE;

/// A fault in a part: the key of a state, and its error.
pub type ProofFault = (u64, &'static str);

/// Result of a proof of one part.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct PartProven {
    /// States of the part, all images counted, whether delivered or not.
    pub states: u64,
    /// States delivered, plus the missing ones.
    pub orbits: u64,
    /// Number of wrong ones.
    pub wrong: u64,
    /// The first few of them.
    pub faults: Vec<ProofFault>,
}

/// Faults named; all are counted.
const FEW: usize = 3;

impl PartProven {
    /// Counts a fault.
    pub fn fault(&mut self, key: u64, what: &'static str) {
        self.wrong += 1;
        if self.faults.len() < FEW {
            self.faults.push((key, what));
        }
    }
}

/// Marks a state that was not delivered, in a table of distances of a byte each.
pub const MISSING: u8 = u8::MAX;
/// The same, of a state that cannot be solved. Greater distances are not counted.
pub const UNSOLVED: u8 = u8::MAX - 1;
/// The greatest distance that is counted.
const FARTHEST: u8 = UNSOLVED - 1;

/// A delivered distance as a byte.
///
/// # Errors
/// The distance exceeds the capacity of a byte besides [`MISSING`] and [`UNSOLVED`].
#[inline]
pub fn packed(depth: u16) -> Result<u8, &'static str> {
    match depth {
        UNSOLVABLE => Ok(UNSOLVED),
        depth if depth < u16::from(UNSOLVED) => Ok(depth as u8),
        _ => Err("has a distance beyond what the proof counts"),
    }
}

/// The fault of a state's distance, given the least of its successors'; both in the form of
/// [`packed`].
#[inline]
#[must_use]
pub fn judge(depth: u8, solved: bool, least: u8) -> Option<&'static str> {
    let right = match (solved, least) {
        (true, _) => 0,
        (false, UNSOLVED) => UNSOLVED,
        (false, FARTHEST) => return Some("is farther than the proof counts"),
        (false, least) => least + 1,
    };
    match depth {
        depth if depth == right => None,
        MISSING => Some("is a placement of the part, and was not delivered"),
        0 => Some("is at distance 0, but not solved"),
        _ if solved => Some("is solved, but not at distance 0"),
        UNSOLVED => Some("counts as unsolvable, but has a solvable successor"),
        _ if right == UNSOLVED => Some("counts as solvable, but no successor is"),
        _ if depth < right => Some("has no successor one closer"),
        _ => Some("has a successor more than one closer"),
    }
}

/// Whether [`judge`] finds no fault, without a branch: for many states at once.
#[inline]
#[must_use]
pub fn right(depth: u8, solved: bool, least: u8) -> bool {
    let far = least.wrapping_add(u8::from(least != UNSOLVED));
    let counted = solved | (least != FARTHEST);
    counted & (depth == if solved { 0 } else { far })
}

/// Proves the distances of parts of one opened instance.
pub trait PartProof: std::fmt::Debug + Send + Sync {
    /// One sentence with the basis of the proof, once it was checked.
    ///
    /// # Errors
    /// One line that says where its basis does not hold.
    fn foundation(&self) -> Result<String, String>;

    /// Total number of states of all parts, counting all images.
    fn states(&self) -> u64;

    /// Begins a part; `None` if there is no such part.
    fn part(&self, part: u64) -> Option<Box<dyn PartCheck + '_>>;
}

/// A part while its states arrive.
pub trait PartCheck {
    /// Takes some of the delivered states, in any order: keys, distances or
    /// [`crate::UNSOLVABLE`], sizes of orbits.
    fn take(&mut self, keys: &[u64], depths: &[u16], orbit_sizes: &[u32]);

    /// Ends the part: was every state delivered once, and is every distance one more than the least
    /// among its successors?
    fn finish(self: Box<Self>) -> PartProven;
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_state_is_right_where_nothing_is_wrong_with_it() {
        for depth in 0..=u8::MAX {
            for least in 0..=UNSOLVED {
                for solved in [false, true] {
                    let wrong = judge(depth, solved, least);
                    assert_eq!(
                        right(depth, solved, least),
                        wrong.is_none(),
                        "{depth} {least}"
                    );
                }
            }
        }
        // Next to the farthest that is counted, "unsolvable" would be the same byte.
        assert!(judge(UNSOLVED, false, FARTHEST).is_some());
    }
}
