//! The one trait that every variant of a puzzle implements, and the small types around it.

use crate::{BadInput, Key, Request, settings};

/// Distance of a state from which no solved state can be reached.
pub const UNSOLVABLE: u16 = u16::MAX;

/// The direction of a search.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Direction {
    /// From the start states along successors.
    Forward,
    /// From the solved states along predecessors (retrograde analysis).
    Backward,
}

/// One variant of a puzzle, opened on one instance: a finite directed graph of
/// states, some of them solved.
///
/// This is all that a puzzle has to have. An implementation offers everything else through the
/// traits of [`crate::optional`]: [`crate::export_puzzle!`] finds out which of them a type
/// implements.
///
/// All methods must be pure: the same arguments give the same results on every thread and in every
/// batch. `antipode test-plugin` checks this and all other requirements stated here.
pub trait Puzzle: Sized + Send + Sync + 'static {
    /// Packed form of a state; the same for all variants of a puzzle.
    type Key: Key;
    /// Working form of a state.
    type State: Clone;

    /// Name of this variant. Variant `reference` is the literal rulebook and the oracle of every
    /// check; a single variant of a puzzle has this name.
    const VARIANT: &'static str = "reference";

    /// Opens an instance.
    ///
    /// # Errors
    /// An unknown instance or setting, or a value out of range: one line that names it and the
    /// allowed values.
    fn open(request: &Request<'_>) -> Result<Self, BadInput>;

    /// Opens an instance with settings given in pairs, as tests do.
    ///
    /// # Errors
    /// Same as [`Puzzle::open`].
    fn opened(instance: &str, given: &[(&str, &str)]) -> Result<Self, BadInput> {
        let settings = &settings(given);
        Self::open(&Request { instance, settings })
    }

    /// Optional. Lists the states that a forward search starts from. Without it the user names
    /// a board, with `--board` or `--from`.
    fn starts(&self, _emit: &mut dyn FnMut(Self::State)) {}

    /// Lists the states that one move leads to. A move that changes nothing may or may not be
    /// listed; a state may be listed more than once.
    fn successors(&self, state: &Self::State, emit: &mut dyn FnMut(Self::State));

    /// Whether the state is solved.
    fn is_solved(&self, state: &Self::State) -> bool;

    /// Appends, for each state, whether it is solved. The fallback calls one by one; for puzzles
    /// that decode several states in the time of one.
    fn solved_all(&self, states: &[Self::State], solved: &mut Vec<bool>) {
        solved.extend(states.iter().map(|state| self.is_solved(state)));
    }

    /// Packs a state. Different states have different keys.
    fn key(&self, state: &Self::State) -> Self::Key;

    /// Unpacks a key that [`Puzzle::key`] made.
    fn state(&self, key: Self::Key) -> Self::State;

    /// Reads a state from text: rows joined by `/`, or the name of a state.
    ///
    /// # Errors
    /// Anything that is no state of this instance, in one line.
    fn parse(&self, text: &str) -> Result<Self::State, BadInput>;

    /// Writes a state as rows joined by `/`; [`Puzzle::parse`] reads it back.
    fn draw(&self, state: &Self::State) -> String;

    /// Optional. A proof, found without a search, that no path leads from one state to another
    /// (`None`: to any solved state). It is a line of reason, then lines of whatever a reader needs
    /// to check it. `None` if no proof was found, which means nothing else. Without it, only a
    /// complete search shows that there is no path.
    fn refute(&self, _from: &Self::State, _to: Option<&Self::State>) -> Option<String> {
        None
    }
}
