//! One of the two balls: what it holds, and how it grows by a level.

use puzzle_api::Key;

use super::BallLevel;
use super::block::Block;
use super::level::{Level, unpack};
use super::numbering::{Around, Numbering};
use super::steps::Steps;
use super::visited::Visited;
use crate::digest::hash_keys;
use crate::work::WorkError;
use antipode_graph::Graph;

/// A ball around the roots of one side.
#[derive(Debug)]
pub(super) struct Ball<C> {
    /// How it grows.
    pub(super) steps: Steps,
    /// The states of all levels.
    pub(super) visited: Visited<C>,
    /// Complete levels; none is empty.
    pub(super) levels: Vec<Level>,
}

impl<C: Key> Ball<C> {
    /// States of all complete levels.
    pub(super) fn states(&self) -> u64 {
        self.levels.iter().map(|level| level.states).sum()
    }

    /// States of the last level.
    pub(super) fn frontier(&self) -> u64 {
        self.levels.last().map_or(0, |level| level.states)
    }

    /// How many times as large as the one before the last level is; 4 for a first one.
    pub(super) fn growth(&self) -> f64 {
        match self.levels.as_slice() {
            [.., before, last] => last.states as f64 / before.states as f64,
            _ => 4.0,
        }
    }

    /// States that the next level promises to have.
    pub(super) fn promise(&self) -> f64 {
        self.frontier() as f64 * self.growth()
    }

    /// The level table.
    pub(super) fn table(&self) -> Vec<BallLevel> {
        let rows = self.levels.iter().zip(0..);
        rows.map(|(level, depth)| BallLevel {
            depth,
            states: level.states,
            digest: level.digest,
        })
        .collect()
    }
}

/// What a thread works with, kept from batch to batch.
pub(super) struct Scratch<K, C> {
    codes: Vec<C>,
    around: Around<K, C>,
    new: Vec<u32>,
    fresh: Vec<K>,
    low: Vec<u64>,
    high: Vec<u64>,
}

impl<K: Key, C> Default for Scratch<K, C> {
    fn default() -> Self {
        Self {
            codes: Vec::new(),
            around: Around::default(),
            new: Vec::new(),
            fresh: Vec::new(),
            low: Vec::new(),
            high: Vec::new(),
        }
    }
}

/// What came of one block of the last level.
pub(super) struct Grown<C> {
    /// Numbers of the states that are new.
    pub(super) codes: Vec<C>,
    /// Sum of the hashes of their keys.
    pub(super) digest: u128,
    /// The smallest of them that the other ball holds.
    pub(super) meeting: Option<C>,
    /// Neighbours listed.
    pub(super) moves: u64,
}

/// Adds the neighbours of one block of a ball's last level to it.
pub(super) fn grow<K: Key, N: Numbering<K>>(
    graph: &Graph<K>,
    numbering: &N,
    (ball, frontier, other): (&Ball<N::Code>, &Level, &Visited<N::Code>),
    block: &Block,
    scratch: &mut Scratch<K, N::Code>,
) -> Result<Grown<N::Code>, WorkError> {
    unpack(block, &mut scratch.codes, frontier)?;
    numbering.neighbours(graph, ball.steps, &scratch.codes, &mut scratch.around)?;
    let found = &scratch.around.found;
    ball.visited.insert(found, &mut scratch.new);
    let moves = found.len() as u64;
    let codes: Vec<N::Code> = scratch.new.iter().map(|&at| found[at as usize]).collect();
    // Keys are only needed of what is new, a fraction of what was found.
    numbering.keys(graph, &codes, &mut scratch.fresh)?;
    Ok(Grown {
        meeting: other.smallest_of(&codes),
        codes,
        digest: digest(&scratch.fresh, &mut scratch.low, &mut scratch.high),
        moves,
    })
}

/// The level digest of some keys.
pub(super) fn digest<K: Key>(keys: &[K], low: &mut Vec<u64>, high: &mut Vec<u64>) -> u128 {
    hash_keys(keys, low, high);
    let hashes = low.iter().zip(high.iter());
    hashes.fold(0_u128, |sum, (&low, &high)| {
        sum.wrapping_add(u128::from(high) << 64 | u128::from(low))
    })
}
