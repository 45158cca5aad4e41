//! Proofs of a part's distances that a puzzle brings along, for parts too many to be checked
//! state by state on the rulebook.
//!
//! Such a proof is part of the harness that lives beside the rules it knows: it does not
//! cross the C boundary, and a shared library cannot offer one, because its word would
//! prove nothing.

/// Something found wrong with a part: the key of a state, and what is wrong with it.
pub type Fault = (u64, &'static str);

/// What a proof of one part came to.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct PartProven {
    /// States of the part, all images counted, whether delivered or not.
    pub states: u64,
    /// States delivered, plus those that were missing.
    pub orbits: u64,
    /// How many of them are wrong.
    pub wrong: u64,
    /// The first few of those.
    pub faults: Vec<Fault>,
}

/// Proves the distances of parts of one opened instance.
pub trait PartProof: std::fmt::Debug + Send + Sync {
    /// One sentence that says what the proof rests on, after it was checked.
    ///
    /// # Errors
    /// One line that says where what it rests on does not hold.
    fn foundation(&self) -> Result<String, String>;

    /// How many states all parts hold together, all images counted.
    fn states(&self) -> u64;

    /// Begins with a part; `None` where there is no such part.
    fn part(&self, part: u64) -> Option<Box<dyn PartCheck + '_>>;
}

/// A part while its states come in.
pub trait PartCheck {
    /// Takes some of the delivered states, in any order: keys, distances or
    /// [`crate::UNSOLVABLE`], sizes of orbits.
    fn take(&mut self, keys: &[u64], depths: &[u16], orbit_sizes: &[u32]);

    /// Ends with the part: was every state delivered once, and is every distance one more
    /// than the least among its successors?
    fn finish(self: Box<Self>) -> PartProven;
}
