//! Distances that a search learns from its own levels.
//!
//! A pass that met a goal reports, for a sample of each of its levels, an upper bound on the
//! distance from the start. A distance is fitted to these by least squares: a weight for each
//! feature of a state, and another for each in each setting ([`puzzle_api::Hints::features`]). A
//! beam around solved states that uses this distance then yields, for its levels, the distance from
//! a goal. The distance fitted to these orders the next passes. It is a guess, as is every order of
//! a beam.

use std::sync::Arc;

use antipode_graph::{Capabilities, Graph, PluginError};
use puzzle_api::{FeatureSpace, Key};
use serde::{Deserialize, Serialize};

use super::BeamPasses;
use super::base::Base;
use super::keep::{LEARNED, LearnedPiece, PassLevels};
use super::pass::{End, Guide, Pass};
use crate::breadth_first::BreadthFirst;
use crate::digest::{key_texts, scattered};
use crate::error::Result;
use crate::outcome::StopReason;
use crate::question::Goal;
use crate::steps::DirectionSteps;

/// States of a level to which a distance is fitted.
const SAMPLES: usize = 8192;
/// States whose features are requested at a time: few enough for the first-level cache.
const SHORT_BATCH: usize = 256;
/// Most weights of a distance.
const MOST_WEIGHTS: usize = 1 << 20;
/// Number of passes over all samples.
const ROUNDS: usize = 8;
/// The part of a sample's error that is corrected at the beginning and at the end.
const RATES: (f32, f32) = (0.6, 0.03);
/// The share of that for a feature alone, against a feature in a setting.
const ALONE: f32 = 0.3;
/// Resolution of an order, in steps per move.
const FINE: f32 = 8.0;

/// A fitted distance.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub(super) struct Fitted {
    settings: u32,
    features: u32,
    each: u32,
    mean: f32,
    /// By feature.
    alone: Vec<f32>,
    /// By setting and feature.
    within: Vec<f32>,
}

impl Fitted {
    fn space(&self) -> FeatureSpace {
        FeatureSpace {
            settings: self.settings,
            features: self.features,
            each: self.each,
        }
    }

    /// Whether it belongs to an instance with such features.
    pub(super) fn fits(&self, space: Option<FeatureSpace>) -> bool {
        let (alone, within) = (self.features as usize, self.settings as usize);
        Some(self.space()) == space
            && self.alone.len() == alone
            && self.within.len() == alone * within
    }

    /// The distance of a state, by its setting and features.
    #[inline]
    fn of(&self, state: &[u32]) -> f32 {
        let setting = state[0] as usize * self.features as usize;
        let features = state[1..].iter().map(|&feature| feature as usize);
        features.fold(self.mean, |sum, feature| {
            sum + self.alone[feature] + self.within[setting + feature]
        })
    }

    /// Adds a sample: corrects a part of its error.
    fn learn(&mut self, state: &[u32], distance: f32, rate: f32) {
        let step = (distance - self.of(state)) * rate / (1 + self.each) as f32;
        let setting = state[0] as usize * self.features as usize;
        for &feature in &state[1..] {
            self.alone[feature as usize] += ALONE * step;
            self.within[setting + feature as usize] += step;
        }
        self.mean += ALONE * step;
    }

    /// Distances of states, in fine steps; less is nearer.
    pub(super) fn order<K: Key>(
        &self,
        graph: &Graph<K>,
        keys: &[K],
    ) -> Result<Vec<u64>, PluginError> {
        let (mut order, mut features) = (Vec::with_capacity(keys.len()), Vec::new());
        for batch in keys.chunks(SHORT_BATCH) {
            graph.features(self.space(), batch, &mut features)?;
            let states = features.chunks_exact(1 + self.each as usize);
            order.extend(states.map(|state| (self.of(state).max(0.0) * FINE) as u64));
        }
        Ok(order)
    }
}

/// Most states whose distance is known.
pub(super) struct Samples {
    space: FeatureSpace,
    /// Setting and features of each.
    states: Vec<u32>,
    distances: Vec<f32>,
}

impl Samples {
    /// No samples yet; `None` if the puzzle has no features, or too many.
    pub(super) fn new<K: Key>(graph: &Graph<K>) -> Result<Option<Self>, PluginError> {
        let space = graph.feature_space()?.filter(|space| {
            (space.settings as usize).saturating_mul(space.features as usize) <= MOST_WEIGHTS
        });
        Ok(space.map(|space| Self {
            space,
            states: Vec::new(),
            distances: Vec::new(),
        }))
    }

    /// Adds some states of each level of a pass.
    pub(super) fn add<K: Key>(&mut self, graph: &Graph<K>, kept: &PassLevels<K>) -> Result<()> {
        let mut features = Vec::new();
        for depth in kept.depths() {
            let keys = kept.read(depth)?;
            let every = keys.len().div_ceil(SAMPLES).max(1);
            let some: Vec<K> = keys.into_iter().step_by(every).collect();
            self.add_some(graph, depth, &some, &mut features)?;
        }
        Ok(())
    }

    /// Adds some states of each level around the start.
    pub(super) fn add_base<K: Key>(&mut self, graph: &Graph<K>, base: &Base<K>) -> Result<()> {
        let mut features = Vec::new();
        base.samples(SAMPLES, |depth, some| {
            Ok(self.add_some(graph, depth.into(), some, &mut features)?)
        })
    }

    fn add_some<K: Key>(
        &mut self,
        graph: &Graph<K>,
        depth: usize,
        some: &[K],
        features: &mut Vec<u32>,
    ) -> Result<(), PluginError> {
        graph.features(self.space, some, features)?;
        self.states.extend_from_slice(features);
        let count = self.distances.len() + some.len();
        self.distances.resize(count, depth as f32);
        Ok(())
    }

    /// The distance that fits the samples; `None` if none does.
    pub(super) fn fit(&self, seed: u64) -> Option<Arc<Fitted>> {
        let FeatureSpace {
            settings,
            features,
            each,
        } = self.space;
        let count = self.distances.len();
        let mean = self.distances.iter().sum::<f32>() / count.max(1) as f32;
        let mut fitted = Fitted {
            settings,
            features,
            each,
            mean,
            alone: vec![0.0; features as usize],
            within: vec![0.0; settings as usize * features as usize],
        };
        let states: Vec<&[u32]> = self.states.chunks_exact(1 + each as usize).collect();
        let mut turns: Vec<u32> = (0..count as u32).collect();
        for round in 0..ROUNDS {
            turns.sort_by_cached_key(|&at| scattered(u64::from(at), seed ^ round as u64));
            let left = 1.0 - round as f32 / ROUNDS as f32;
            let rate = RATES.1 + (RATES.0 - RATES.1) * left;
            for &at in &turns {
                let at = at as usize;
                fitted.learn(states[at], self.distances[at], rate);
            }
        }
        let weights = fitted.alone.iter().chain(&fitted.within);
        let is_sound = weights
            .chain([&fitted.mean])
            .all(|weight| weight.is_finite());
        (count > 0 && is_sound).then(|| Arc::new(fitted))
    }
}

// Learning between passes: distances to a goal, from a beam around the goals.

/// Most states of a level that the beam around the goals keeps.
const MOST: usize = 1 << 20;
/// Number of solved states from which it chooses each of its roots.
const CHOICE: usize = 8;
/// Number of levels after the first goal, as a part of its moves, whose solved states it begins
/// with.
const FEW_BEHIND: usize = 12;
/// The part of the path's moves that it follows: (3, 4) for three quarters.
const FOLLOWED: (usize, usize) = (3, 4);

impl<K: Key> BeamPasses<'_, K> {
    /// Learns distances to a goal, for the passes that follow one that met a goal. Returns the
    /// reason if it gives up.
    ///
    /// Only if any solved state is a goal, and if moves can be undone, so that one way to list
    /// neighbours works from both ends.
    pub(super) fn learn(
        &mut self,
        pass: &mut Pass<'_, K>,
        way: &[K],
        base: Option<&Base<K>>,
        number: u32,
    ) -> Result<Option<StopReason>> {
        let graph = self.graph;
        if *self.goal != Goal::Solved || !graph.has(Capabilities::UNDIRECTED) {
            return Ok(None);
        }
        let seed = self.options.seed ^ u64::from(number);
        let Some(from_start) = fitted(graph, &self.kept, base, seed)? else {
            return Ok(None);
        };
        let watch = self.watch_of_pass();
        let mut goals = match pass.solved_behind(way.len() / FEW_BEHIND, &watch)? {
            Ok(goals) => goals,
            Err(why) => return Ok(Some(why)),
        };
        goals.extend(way.last());
        let width = pass.width().min(MOST);
        let roots = around(graph, &goals, &from_start, width / 2)?;
        let start = Goal::State(self.start);
        let guide = Guide {
            let_in: &[],
            pace: None,
            learned: Some(from_start),
        };
        let mut kept = PassLevels::in_memory();
        let mut back =
            Pass::new(graph, &start, self.options, (number, width), guide).around_goals();
        back.restore(&mut kept, &roots)?;
        let progress = self.progress(&format!("beam of {width} around the goals"));
        let bound = way.len() * FOLLOWED.0 / FOLLOWED.1;
        let end = back.run(&mut kept, bound, &watch, &progress)?;
        drop(progress);
        self.stats.nodes += back.expanded();
        let path = match end {
            End::GaveUp(why) => return Ok(Some(why)),
            End::Missed => Vec::new(),
            End::Met(state, depth) => {
                let mut path = kept.way_to(graph, state, depth)?;
                path.reverse();
                path
            }
        };
        if let Some(to_goal) = fitted(graph, &kept, None, seed)? {
            let piece = LearnedPiece {
                distance: Fitted::clone(&to_goal),
                keys: key_texts(&path),
                expanded: back.expanded(),
            };
            self.kept.finish(LEARNED, &piece)?;
            self.learned = Some(to_goal);
            self.paths
                .extend(Some(path).filter(|path| !path.is_empty()));
        }
        Ok(None)
    }
}

/// Fits the distance from the start of a pass to its levels and the levels before it; `None` if
/// nothing can be learned.
fn fitted<K: Key>(
    graph: &Graph<K>,
    kept: &PassLevels<K>,
    base: Option<&Base<K>>,
    seed: u64,
) -> Result<Option<Arc<Fitted>>> {
    let Some(mut samples) = Samples::new(graph)? else {
        return Ok(None);
    };
    samples.add(graph, kept)?;
    if let Some(base) = base {
        samples.add_base(graph, base)?;
    }
    Ok(samples.fit(seed))
}

/// Some solved states, reached from given ones by moves among solved states, that are the nearest
/// to the start; sorted.
fn around<K: Key>(
    graph: &Graph<K>,
    goals: &[K],
    from_start: &Fitted,
    many: usize,
) -> Result<Vec<K>> {
    let mut search = BreadthFirst::new(graph, &[DirectionSteps::FORWARD], goals);
    let mut all = search.level().to_vec();
    while all.len() < CHOICE * many && !search.level().is_empty() {
        search.advance()?;
        let solved = graph.is_solved(search.level())?;
        let places: Vec<usize> = (0..solved.len()).filter(|&at| solved[at]).collect();
        search.keep(&places);
        all.extend_from_slice(search.level());
    }
    let order = from_start.order(graph, &all)?;
    let mut ranked: Vec<(u64, K)> = order.into_iter().zip(all).collect();
    ranked.sort_unstable();
    ranked.truncate(many.max(1));
    let mut roots: Vec<K> = ranked.into_iter().map(|(_, key)| key).collect();
    roots.sort_unstable();
    Ok(roots)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Two settings in which the same feature has different weights.
    #[test]
    fn a_distance_is_learned_from_its_features() {
        let distance = |state: &[u32]| {
            let each = state[1..].iter().map(|&feature| feature as f32);
            each.sum::<f32>() * if state[0] == 0 { 2.0 } else { 5.0 } + 10.0
        };
        let mut samples = Samples {
            space: FeatureSpace {
                settings: 2,
                features: 8,
                each: 2,
            },
            states: Vec::new(),
            distances: Vec::new(),
        };
        for at in 0..4000 {
            let state = [at % 2, at / 2 % 8, at / 16 % 8];
            samples.states.extend(state);
            samples.distances.push(distance(&state));
        }
        let fitted = samples.fit(1).expect("fits");
        assert!(fitted.fits(Some(samples.space)));
        for state in samples.states.chunks(3) {
            let off = (fitted.of(state) - distance(state)).abs();
            assert!(off < 1.0, "{state:?}: {}", fitted.of(state));
        }
        assert_eq!(samples.fit(1), Some(fitted));
    }
}
