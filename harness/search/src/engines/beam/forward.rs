//! One pass of the beam through a layered graph: a breadth-first search that continues from the
//! most promising states of each level alone.

use std::cell::{Cell, RefCell};

use antipode_graph::{Expansion, Graph, PluginError};
use foldhash::fast::FixedState;
use hashbrown::HashMap;
use puzzle_api::{Direction, Key};

use crate::breadth_first::BreadthFirst;
use crate::digest::{scattered, sum_of};
use crate::engines::find::{Reduction, Watch};
use crate::error::{EngineError, Result};
use crate::keyset::stafford;
use crate::outcome::StopReason;
use crate::search::{broken, said};
use crate::side::SideLevel;
use crate::steps::DirectionSteps;

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
    ) -> Result<Pass<K>> {
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
    fn none_comes_back(&self, met: &mut Met<K>, level: &[K], depth: usize) -> Result<()> {
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
            digest: Some(sum_of(level)),
        })
        .collect()
}

// The perimeter: all states from which a goal can be reached within some number of moves.

/// States of the rim expanded between two checks of the size. A level that does not fit is left out
/// as soon as that is known, since it is the largest.
const LOOK_EVERY: usize = 64;

/// States by their distance from the goals.
pub(super) struct Perimeter<K> {
    distance: HashMap<K, u16, FixedState>,
    /// The outermost level.
    rim: Vec<K>,
    levels: usize,
    /// Whether nothing lies beyond.
    complete: bool,
}

impl<K: Key> Perimeter<K> {
    /// Grows a perimeter by whole levels to at most `most` states. The goals are in it, however
    /// many there are.
    pub(super) fn grow(
        graph: &Graph<K>,
        reduction: &Reduction,
        goals: &[K],
        most: usize,
        watch: &Watch<'_>,
    ) -> Result<Self> {
        let back = DirectionSteps::backward(graph)
            .ok_or_else(|| EngineError::refused(&graph.opened, "no moves back from the goals"))?;
        let mut rim = goals.to_vec();
        reduction.reduce(graph, &mut rim)?;
        let list = |steps: DirectionSteps, keys: &[K], out: &mut Expansion<K>| {
            reduction.expand(graph, steps, keys, out)
        };
        let search = BreadthFirst::new(graph, &[back], &rim).listing(&list);
        let mut search = search.looking_every(LOOK_EVERY);
        let mut perimeter = Self {
            distance: HashMap::default(),
            rim: Vec::new(),
            levels: 0,
            complete: false,
        };
        perimeter.take(search.level());
        while watch.over(0).is_none() {
            if !search.advance_within(most as u64)? || search.seen() > most as u64 {
                break;
            }
            if search.level().is_empty() {
                perimeter.complete = true;
                break;
            }
            perimeter.take(search.level());
        }
        Ok(perimeter)
    }

    /// Adds a level.
    fn take(&mut self, level: &[K]) {
        let depth = self.levels as u16;
        self.distance.extend(level.iter().map(|&key| (key, depth)));
        self.rim = level.to_vec();
        self.rim.sort_unstable();
        self.levels += 1;
    }

    pub(super) fn len(&self) -> usize {
        self.distance.len()
    }

    pub(super) fn levels(&self) -> usize {
        self.levels
    }

    pub(super) fn complete(&self) -> bool {
        self.complete
    }

    pub(super) fn rim(&self) -> &[K] {
        &self.rim
    }

    /// Distance of a state from the nearest goal, if it is in the perimeter.
    #[inline]
    pub(super) fn level_of(&self, key: K) -> Option<u16> {
        self.distance.get(&key).copied()
    }

    /// The representatives on a path from a state of the perimeter to a goal, without the state
    /// itself.
    pub(super) fn descend(
        &self,
        graph: &Graph<K>,
        reduction: &Reduction,
        from: K,
    ) -> Result<Vec<K>> {
        let Some(level) = self.level_of(from) else {
            return Ok(Vec::new());
        };
        let (mut way, mut at, mut out) = (Vec::new(), from, Expansion::default());
        for depth in (0..level).rev() {
            reduction.expand(graph, DirectionSteps::FORWARD, &[at], &mut out)?;
            let nearer = out.keys().iter().copied();
            let nearest = nearer
                .filter(|&key| self.level_of(key) == Some(depth))
                .min();
            at = nearest.ok_or_else(|| {
                let fault = format!("lists a state that leads nowhere near: {at:?}");
                graph.opened.disagrees("predecessors", fault)
            })?;
            way.push(at);
        }
        Ok(way)
    }
}

// Scores how promising the states of a beam are.

/// Number of states of the rim from which the score is learned, spread evenly over it.
const SAMPLE: usize = 20_000;
/// Steps of the score per unit of log odds.
const FINENESS: f64 = 256.0;
/// No bit counts as more certain than this.
const CERTAIN: f64 = 1e-3;

/// Scores states by the similarity of their key's bits to those of states on the perimeter's rim;
/// smaller is more promising.
pub(super) struct Scorer {
    /// Score of byte b of the key with value v at `b * 256 + v`.
    bytes: Vec<i32>,
    seed: u64,
}

impl Scorer {
    pub(super) fn new<K: Key>(
        graph: &Graph<K>,
        reduction: &Reduction,
        perimeter: &Perimeter<K>,
        seed: u64,
    ) -> Result<Self, PluginError> {
        Ok(Self {
            bytes: learn(graph, reduction, perimeter.rim())?,
            seed: stafford(seed ^ 0x6265_616d),
        })
    }

    /// Scores of a batch, with a tie-break: a hash of the key, so that it does not depend on the
    /// order of the batch.
    pub(super) fn scores<K: Key>(&self, keys: &[K]) -> Vec<(i64, u64)> {
        let score = |&key: &K| (self.learned(key), scattered(key, self.seed));
        keys.iter().map(score).collect()
    }

    #[inline]
    fn learned<K: Key>(&self, key: K) -> i64 {
        let mut rest = key.to_u128();
        let mut sum = 0;
        for bytes in self.bytes.chunks_exact(256) {
            sum += i64::from(bytes[rest as usize & 0xff]);
            rest >>= 8;
        }
        sum
    }
}

/// Log odds of each bit on the rim, summed over each byte.
fn learn<K: Key>(
    graph: &Graph<K>,
    reduction: &Reduction,
    rim: &[K],
) -> Result<Vec<i32>, PluginError> {
    let step = rim.len().div_ceil(SAMPLE).max(1);
    let sample: Vec<K> = rim.iter().copied().step_by(step).collect();
    let states = reduction.spread(graph, &sample)?;
    let bits = 64 * K::WORDS;
    let weight = |bit: usize| {
        let is_set = |key: &&K| key.to_u128() >> bit & 1 == 1;
        let share = states.iter().filter(is_set).count() as f64 / states.len().max(1) as f64;
        let share = share.clamp(CERTAIN, 1.0 - CERTAIN);
        (-(share / (1.0 - share)).ln() * FINENESS) as i32
    };
    let weights: Vec<i32> = (0..bits).map(weight).collect();
    let joined = |weights: &[i32], value: usize| {
        let set = (0..8).filter(|bit| value >> bit & 1 == 1);
        set.map(|bit| weights[bit]).sum()
    };
    Ok(weights
        .chunks_exact(8)
        .flat_map(|weights| (0..256).map(move |value| joined(weights, value)))
        .collect())
}
