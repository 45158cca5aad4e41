//! The boards of a part, numbered by what is put on them place after place.

use std::hash::Hash;

use foldhash::{HashMap, HashMapExt};

/// A way to fill boards.
pub trait Filling {
    /// What was put on the first places, as far as the others depend on it.
    type State: Clone + Eq + Hash;
    /// What is put on one place.
    type Choice: Clone + PartialEq;

    /// Nothing put yet.
    fn nothing(&self) -> Self::State;

    /// What may be put on the next place, in the order of ranks, and the state after it; `None` if
    /// the board is whole.
    fn next(&self, state: &Self::State) -> Option<Vec<(Self::Choice, Self::State)>>;
}

/// Boards counted by what was put on their first places.
#[derive(Debug)]
pub struct Counted<F: Filling> {
    pub(crate) filling: F,
    counts: HashMap<F::State, u64>,
}

impl<F: Filling> Counted<F> {
    /// Counts all boards.
    #[must_use]
    pub fn new(filling: F) -> Self {
        let counts = HashMap::new();
        let mut counted = Self { filling, counts };
        counted.count(counted.filling.nothing());
        counted
    }

    fn count(&mut self, state: F::State) -> u64 {
        if let Some(&count) = self.counts.get(&state) {
            return count;
        }
        let next = self.filling.next(&state);
        let count = next.map_or(1, |next| {
            next.into_iter().map(|(_, to)| self.count(to)).sum()
        });
        self.counts.insert(state, count);
        count
    }

    /// Number of boards.
    #[must_use]
    pub fn boards(&self) -> u64 {
        self.counts[&self.filling.nothing()]
    }

    /// The rank of a board, by what is put on its places.
    pub fn rank(&self, choices: impl Iterator<Item = F::Choice>) -> Option<u64> {
        let (mut state, mut rank) = (self.filling.nothing(), 0);
        for choice in choices {
            let mut next = self.filling.next(&state)?.into_iter();
            state = loop {
                let (other, to) = next.next()?;
                if other == choice {
                    break to;
                }
                rank += self.counts[&to];
            };
        }
        self.filling.next(&state).is_none().then_some(rank)
    }

    /// What is put on the places of the board with a rank.
    #[must_use]
    pub fn unrank(&self, rank: u64) -> Option<Vec<F::Choice>> {
        let (mut state, mut rest, mut choices) = (self.filling.nothing(), rank, Vec::new());
        while let Some(next) = self.filling.next(&state) {
            let found = next.into_iter().find(|(_, to)| {
                let boards = self.counts[to];
                let is_it = rest < boards;
                rest -= if is_it { 0 } else { boards };
                is_it
            });
            let (choice, to) = found?;
            choices.push(choice);
            state = to;
        }
        (rest == 0).then_some(choices)
    }

    /// Every board of which all choices are wanted.
    pub fn each(
        &self,
        wanted: &dyn Fn(&F::State, &F::Choice) -> bool,
        emit: &mut dyn FnMut(&[F::Choice]),
    ) {
        self.each_from(&self.filling.nothing(), &mut Vec::new(), wanted, emit);
    }

    fn each_from(
        &self,
        state: &F::State,
        choices: &mut Vec<F::Choice>,
        wanted: &dyn Fn(&F::State, &F::Choice) -> bool,
        emit: &mut dyn FnMut(&[F::Choice]),
    ) {
        let Some(next) = self.filling.next(state) else {
            return emit(choices);
        };
        for (choice, to) in next {
            if self.counts[&to] > 0 && wanted(state, &choice) {
                choices.push(choice);
                self.each_from(&to, choices, wanted, emit);
                choices.pop();
            }
        }
    }
}
