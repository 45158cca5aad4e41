//! The inner states of a side, checked on the rulebook. A side of radius r holds all states within
//! r moves of its centre if it holds the centre and all neighbours of its inner states, those
//! within r - 1 moves. Each checked state is expanded by the rulebook, and all its neighbours must
//! be in the side, as themselves: no two states of one rank.
//!
//! Each is checked as soon as the next level is there: states met by then are at most one move
//! further. If there are many states, those with the least hashes are taken, so that they are the
//! same on any number of threads. Checking all states is a proof; for a backward side, by the
//! rulebook's own predecessors.

use antipode_graph::{Expansion, Graph};
use puzzle_api::{Direction, Key};
use serde::{Deserialize, Serialize};

use crate::error::Result;
use crate::parallel;
use crate::picking::{Picked, Picking, keep_least};
use crate::steps::{DirectionSteps, Space};
use crate::visited::VisitedSet;

/// The result of checking the inside of a side.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Inside {
    /// States inside it.
    pub states: u64,
    /// Number of these that were checked.
    pub looked_at: u64,
    /// Number of checked states with a neighbour on the rulebook that is not in the side.
    pub wrong: u64,
    /// The first of these, drawn.
    pub fault: Option<String>,
}

impl Inside {
    /// Whether the side is proven complete.
    pub const fn proven(&self) -> bool {
        self.looked_at == self.states && self.wrong == 0
    }
}

/// How states are expanded, and named.
pub(super) struct Rulebook<'a, K, S> {
    graph: &'a Graph<K>,
    rules: &'a Graph<K>,
    space: &'a S,
    /// `None` if the rulebook lists no predecessors: reversed moves are no part of it.
    steps: Option<DirectionSteps>,
}

impl<'a, K: Key, S: Space<K>> Rulebook<'a, K, S> {
    pub(super) fn new(
        (graph, rules): (&'a Graph<K>, &'a Graph<K>),
        space: &'a S,
        direction: Direction,
    ) -> Self {
        let back =
            || DirectionSteps::backward(rules).filter(|steps| *steps != DirectionSteps::Turned);
        Self {
            graph,
            rules,
            space,
            steps: match direction {
                Direction::Forward => Some(DirectionSteps::FORWARD),
                Direction::Backward => back(),
            },
        }
    }

    /// Picked states with a neighbour that was not met as itself.
    fn astray(
        &self,
        steps: DirectionSteps,
        picked: &[(u64, S::Id)],
        met: &VisitedSet<S::Id>,
    ) -> Result<Vec<K>> {
        let ids: Vec<S::Id> = picked.iter().map(|(_, id)| *id).collect();
        let (mut keys, mut found, mut back) = (Vec::new(), Vec::new(), Vec::new());
        let mut out = Expansion::default();
        self.space.keys(self.graph, &ids, &mut keys)?;
        steps.expand(self.rules, &keys, &mut out)?;
        self.space.ids(self.graph, out.keys(), &mut found)?;
        self.space.keys(self.graph, &found, &mut back)?;
        let mut at = 0;
        let astray = |i: &usize| {
            let own = at..at + out.of(*i).len();
            at = own.end;
            let as_themselves = back[own.clone()] == out.keys()[own.clone()];
            !as_themselves || found[own].iter().any(|&id| !met.contains(id))
        };
        Ok((0..keys.len()).filter(astray).map(|i| keys[i]).collect())
    }
}

/// The checked inner states of a growing side.
pub(super) struct Insides<K, I> {
    most: usize,
    states: u64,
    picked: Picked<I>,
    wrong: Vec<K>,
}

impl<K: Key, I: Key> Insides<K, I> {
    pub(super) fn new(most: usize) -> Self {
        Self {
            most,
            states: 0,
            picked: Vec::new(),
            wrong: Vec::new(),
        }
    }

    /// Takes a level that now lies inside, and checks the states picked from it. The next level has
    /// just been made, so all neighbours must have been met.
    pub(super) fn add<S: Space<K, Id = I>>(
        &mut self,
        states: u64,
        level: Picking<I>,
        rulebook: &Rulebook<'_, K, S>,
        met: &VisitedSet<I>,
    ) -> Result<()> {
        self.states += states;
        let Some(steps) = rulebook.steps else {
            return Ok(());
        };
        let new = self.pick(level);
        let wrong = parallel::try_map(new.chunks(AT_ONCE), |new| rulebook.astray(steps, new, met))?;
        self.wrong.extend(wrong.concat());
        Ok(())
    }

    /// The states of a level that are among the least of all so far.
    fn pick(&mut self, level: Picking<I>) -> Picked<I> {
        let mut level = level.picked();
        self.picked.extend(&level);
        keep_least(&mut self.picked, self.most);
        let greatest = self.picked.iter().max().copied();
        level.retain(|new| greatest.is_some_and(|greatest| *new <= greatest));
        level.sort_unstable();
        level
    }

    pub(super) fn inside(self, rules: &Graph<K>) -> Inside {
        let drawn = |&key: &K| {
            let drawn = rules.draw(key);
            drawn.unwrap_or_else(|error| error.to_string())
        };
        Inside {
            states: self.states,
            looked_at: self.picked.len() as u64,
            wrong: self.wrong.len() as u64,
            fault: self.wrong.first().map(drawn),
        }
    }
}

/// States checked in one call.
const AT_ONCE: usize = 512;
