//! One pass of the beam through a layered graph: a breadth-first search that continues from the
//! most promising states of each level alone.

use std::cell::{Cell, RefCell};

use foldhash::fast::FixedState;
use hashbrown::HashMap;
use puzzle_api::{Direction, Key};

use super::perimeter::Perimeter;
use super::score::Scorer;
use crate::breadth_first::BreadthFirst;
use crate::digest::hash_key;
use crate::engines::find::{Reduction, Watch};
use crate::error::EngineError;
use crate::outcome::StopReason;
use crate::recurrence::{broken, said};
use crate::side::SideLevel;
use crate::steps::DirectionSteps;
use antipode_graph::{Expansion, Graph};

/// How a pass ended.
pub(super) enum Pass<K> {
    /// The representatives from after the start to a state of the perimeter.
    Met(Vec<K>),
    /// The perimeter was not met, and every state was searched: all levels.
    Exhausted(Vec<SideLevel>),
    /// The perimeter was not met, but states were left out.
    Missed,
    /// Why the pass gave up.
    GaveUp(StopReason),
}

pub(super) struct Beam<'a, K> {
    graph: &'a Graph<K>,
    reduction: &'a Reduction,
    scorer: &'a Scorer,
    width: usize,
    /// States expanded.
    nodes: Cell<u64>,
}

/// The level of each expanded state.
type Met<K> = HashMap<K, usize, FixedState>;

impl<'a, K: Key> Beam<'a, K> {
    pub(super) fn new(
        graph: &'a Graph<K>,
        reduction: &'a Reduction,
        scorer: &'a Scorer,
        width: usize,
    ) -> Self {
        Self {
            graph,
            reduction,
            scorer,
            width,
            nodes: Cell::new(0),
        }
    }

    /// States expanded.
    pub(super) fn nodes(&self) -> u64 {
        self.nodes.get()
    }

    /// Runs from the start, itself a representative, until the perimeter is met.
    pub(super) fn pass(
        &self,
        start: K,
        perimeter: &Perimeter<K>,
        watch: &Watch<'_>,
    ) -> Result<Pass<K>, EngineError> {
        let (graph, reduction, nodes) = (self.graph, self.reduction, &self.nodes);
        let over = RefCell::new(None);
        // Once the pass has given up, a level is not worth finishing: it leads nowhere.
        let list = |steps: DirectionSteps, keys: &[K], out: &mut Expansion<K>| {
            let mut over = over.borrow_mut();
            *over = over.take().or_else(|| watch.over(nodes.get()));
            if over.is_some() {
                out.clear();
                keys.iter().for_each(|_| out.push([]));
                return Ok(());
            }
            nodes.set(nodes.get() + keys.len() as u64);
            reduction.expand(graph, steps, keys, out)
        };
        let search = BreadthFirst::new(graph, &[DirectionSteps::FORWARD], &[start]);
        let mut search = search.listing(&list).traced().layered();
        // Whether only the library says that no state comes back.
        let mut met = said(graph).map(|_| Met::default());
        let mut all = true;
        loop {
            if let Some(met) = &mut met {
                self.none_comes_back(met, search.level(), search.depth() as usize)?;
            }
            let level = search.level();
            if level.is_empty() {
                return Ok(match all {
                    true => Pass::Exhausted(sums(&search)),
                    false => Pass::Missed,
                });
            }
            let mut places = 0..level.len();
            if let Some(at) = places.find(|&at| perimeter.level_of(level[at]).is_some()) {
                return Ok(Pass::Met(search.way_to(at).split_off(1)));
            }
            search.advance()?;
            if let Some(why) = over.borrow_mut().take() {
                return Ok(Pass::GaveUp(why));
            }
            if let Some(kept) = self.most_promising(search.level(), perimeter) {
                search.keep(&kept);
                all = false;
            }
        }
    }

    /// Refuses a state that an earlier level has too.
    fn none_comes_back(
        &self,
        met: &mut Met<K>,
        level: &[K],
        depth: usize,
    ) -> Result<(), EngineError> {
        for &key in level {
            if let Some(before) = met.insert(key, depth) {
                return Err(broken(self.graph, "layered", key, before, depth).into());
            }
        }
        Ok(())
    }

    /// The places of the most promising states of a level, if it has more than are kept. A
    /// state of the perimeter is as promising as possible.
    fn most_promising(&self, level: &[K], perimeter: &Perimeter<K>) -> Option<Vec<usize>> {
        if level.len() <= self.width {
            return None;
        }
        let met = |key: &K| perimeter.level_of(*key).is_some();
        if let Some(met) = level.iter().position(met) {
            return Some(vec![met]);
        }
        let scores = self.scorer.scores(level);
        let mut scored: Vec<_> = scores.into_iter().zip(0..).collect();
        scored.select_nth_unstable(self.width - 1);
        scored.truncate(self.width);
        Some(scored.into_iter().map(|(_, at)| at).collect())
    }
}

/// Size and digest of each level that holds a state: evidence if none was left out.
fn sums<K: Key>(search: &BreadthFirst<'_, K>) -> Vec<SideLevel> {
    let levels = search.levels().filter(|level| !level.is_empty());
    levels
        .zip(0..)
        .map(|(level, depth)| SideLevel {
            side: Direction::Forward,
            depth,
            states: level.len() as u64,
            digest: Some(level.iter().fold(0, |sum: u128, key| {
                sum.wrapping_add(hash_key(key.to_u128()))
            })),
        })
        .collect()
}
