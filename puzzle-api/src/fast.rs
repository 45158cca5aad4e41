//! What fast variants write alike.

use crate::*;

/// A key as the rulebook of a fast variant packs it.
type KeyOf<F> = <<F as Fast>::Rules as Puzzle>::Key;

/// A fast variant next to a rulebook: its states are keys. It has the moves; texts, names, random
/// and solved states are those of the rulebook. It has [`Puzzle`] and [`Expand`] without further
/// code, and [`SolvedStates`], [`RandomStates`] and [`Names`] if the rulebook has them.
pub trait Fast: Sized + Send + Sync + 'static {
    /// The rulebook.
    type Rules: Puzzle;

    /// The variant of an opened rulebook.
    ///
    /// # Errors
    /// What the variant cannot hold, in one line.
    fn new(rules: Self::Rules) -> Result<Self, BadInput>;

    /// The rulebook that it was made of.
    fn rules(&self) -> &Self::Rules;

    /// Passes on the keys of the states after or before one move.
    fn each_neighbour(&self, way: Direction, key: KeyOf<Self>, emit: impl FnMut(KeyOf<Self>));

    /// Whether the state with a key is solved.
    fn solves(&self, key: KeyOf<Self>) -> bool;

    /// The forms in which [`Fast::list`] lists neighbours, as in [`Expand::expands`].
    fn lists(&self, form: Form) -> bool {
        form == Form::All
    }

    /// Neighbours of many states, as in [`Expand::expand`].
    fn list(&self, want: Want, keys: &[KeyOf<Self>], out: &mut Neighbours<KeyOf<Self>>) {
        for &key in keys {
            self.each_neighbour(want.direction, key, |next| out.keys.push(next));
            out.end();
        }
    }
}

impl<F: Fast> Puzzle for F {
    type Key = KeyOf<F>;
    type State = KeyOf<F>;

    const VARIANT: &'static str = "bitboard";

    fn open(request: &Request<'_>) -> Result<Self, BadInput> {
        Self::new(F::Rules::open(request)?)
    }

    fn starts(&self, emit: &mut dyn FnMut(Self::State)) {
        let rules = self.rules();
        rules.starts(&mut |state| emit(rules.key(&state)));
    }

    #[inline]
    fn successors(&self, state: &Self::State, emit: &mut dyn FnMut(Self::State)) {
        self.each_neighbour(Direction::Forward, *state, emit);
    }

    fn is_solved(&self, state: &Self::State) -> bool {
        self.solves(*state)
    }

    #[inline]
    fn key(&self, state: &Self::State) -> Self::Key {
        *state
    }

    #[inline]
    fn state(&self, key: Self::Key) -> Self::State {
        key
    }

    fn parse(&self, text: &str) -> Result<Self::State, BadInput> {
        let rules = self.rules();
        Ok(rules.key(&rules.parse(text)?))
    }

    fn draw(&self, state: &Self::State) -> String {
        let rules = self.rules();
        rules.draw(&rules.state(*state))
    }

    fn refute(&self, from: &Self::State, to: Option<&Self::State>) -> Option<String> {
        let rules = self.rules();
        let to = to.map(|&to| rules.state(to));
        rules.refute(&rules.state(*from), to.as_ref())
    }
}

impl<F: Fast> Expand for F {
    fn expands(&self, want: Want) -> bool {
        self.lists(want.form)
    }

    fn expand(&self, want: Want, keys: &[KeyOf<F>], _: &[u32], out: &mut Neighbours<KeyOf<F>>) {
        self.list(want, keys, out);
    }
}

impl<F: Fast<Rules: SolvedStates>> SolvedStates for F {
    fn solved_states(&self, part: u64, emit: &mut dyn FnMut(Self::State)) {
        let rules = self.rules();
        rules.solved_states(part, &mut |state| emit(rules.key(&state)));
    }

    fn lists_solved_states(&self) -> bool {
        self.rules().lists_solved_states()
    }
}

impl<F: Fast<Rules: RandomStates>> RandomStates for F {
    fn random(&self, random: &mut Xorshift) -> Option<Self::State> {
        let rules = self.rules();
        Some(rules.key(&rules.random(random)?))
    }
}

impl<F: Fast<Rules: Names>> Names for F {
    fn describe_move(&self, from: &Self::State, to: &Self::State) -> Option<String> {
        let rules = self.rules();
        rules.describe_move(&rules.state(*from), &rules.state(*to))
    }

    fn names(&self) -> Vec<String> {
        self.rules().names()
    }
}
