//! The two sides of a search, and their complete levels.

use antipode_graph::direction_name;
use antipode_reports::model;
use puzzle_api::Direction;
use serde::{Deserialize, Serialize};

use crate::digest::hex;
use crate::observers::{LevelSum, LevelSums};

/// The two ends of a search.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Side {
    /// Along the moves from the start.
    Forward,
    /// Against the moves from the goal.
    Backward,
}

impl Side {
    /// Both sides, in the order of their numbers.
    pub const BOTH: [Self; 2] = [Self::Forward, Self::Backward];

    /// Name in files and texts.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Forward => "forward",
            Self::Backward => "backward",
        }
    }

    /// The steps along the moves of this side.
    pub const fn direction(self) -> Direction {
        match self {
            Self::Forward => Direction::Forward,
            Self::Backward => Direction::Backward,
        }
    }

    pub(crate) const fn other(self) -> Self {
        match self {
            Self::Forward => Self::Backward,
            Self::Backward => Self::Forward,
        }
    }
}

/// One complete level of a search for a path.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct SideLevel {
    /// Along the moves from the start, or against them from the goal.
    pub side: Direction,
    /// Distance from that end.
    pub depth: u16,
    /// States.
    pub states: u64,
    /// Level digest; `None` if the engine computes none.
    pub digest: Option<u128>,
}

impl SideLevel {
    /// Levels from the start by their sizes alone; none if there are more than can be counted.
    pub(crate) fn counted(sizes: &[u64]) -> Vec<Self> {
        let is_table = sizes.len() <= usize::from(u16::MAX);
        let levels = sizes.iter().filter(|_| is_table).zip(0..);
        let level = |(&states, depth)| Self {
            side: Direction::Forward,
            depth,
            states,
            digest: None,
        };
        levels.map(level).collect()
    }

    /// The levels of a walk from the start.
    pub fn forward(levels: &LevelSums) -> Vec<Self> {
        let levels = levels.iter().map(|(depth, sum)| Self {
            side: Direction::Forward,
            depth,
            states: sum.states,
            digest: Some(sum.digest),
        });
        levels.collect()
    }

    /// As records hold it.
    pub fn record(&self) -> model::SideLevel {
        model::SideLevel {
            side: direction_name(self.side).to_owned(),
            depth: self.depth.into(),
            states: self.states,
            digest: self.digest.map_or_else(String::new, hex),
        }
    }

    /// The levels of both sides, in the form of records; `None` if there are none, or no digests.
    pub fn figures(levels: &[Self]) -> Option<model::SideLevels> {
        let rows: Vec<model::SideLevel> = levels.iter().map(Self::record).collect();
        model::SideLevels::of(&rows)
    }
}

impl LevelSums {
    /// Sums of the levels of one side of a search, in which every state represents only itself.
    pub fn of(levels: &[SideLevel]) -> Self {
        let mut sums = Self::default();
        for level in levels {
            let sum = LevelSum {
                states: level.states,
                orbits: level.states,
                digest: level.digest.unwrap_or_default(),
            };
            sums.add(level.depth, &sum);
        }
        sums
    }
}
