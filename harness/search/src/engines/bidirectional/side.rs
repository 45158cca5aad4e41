//! One of the two sides of a search: its contents, and its predicted growth.

use puzzle_api::{Direction, Key};

use crate::level::LevelStates;
use crate::side::SideLevel;
use crate::steps::DirectionSteps;
use crate::visited::VisitedSet;

/// The states around the roots of one side, by levels.
#[derive(Debug)]
pub(super) struct SearchSide<C> {
    /// How it grows.
    pub(super) steps: DirectionSteps,
    /// The states of all levels.
    pub(super) visited: VisitedSet<C>,
    /// Complete levels, none of them empty.
    pub(super) levels: Vec<LevelStates<C>>,
}

impl<C: Key> SearchSide<C> {
    /// States of all complete levels.
    pub(super) fn states(&self) -> u64 {
        self.levels.iter().map(|level| level.states).sum()
    }

    /// States of the last level.
    pub(super) fn frontier(&self) -> u64 {
        self.levels.last().map_or(0, |level| level.states)
    }

    /// Ratio of the last level's size to that of the one before; 4 for a first level.
    pub(super) fn growth(&self) -> f64 {
        match self.levels.as_slice() {
            [.., before, last] => last.states as f64 / before.states as f64,
            _ => 4.0,
        }
    }

    /// Predicted number of states of the next level.
    pub(super) fn evaluation(&self) -> f64 {
        self.frontier() as f64 * self.growth()
    }

    /// The level table, without symmetry.
    pub(super) fn table(&self, side: Direction) -> Vec<SideLevel> {
        let rows = self.levels.iter().zip(0..);
        rows.map(|(level, depth)| SideLevel {
            side,
            depth,
            states: level.states,
            digest: Some(level.digest),
        })
        .collect()
    }
}
