//! The symmetries that a search for a path may use: those that keep its goals.

use antipode_graph::{Capabilities, Expansion, Graph, PluginError};
use puzzle_api::{Direction, Key};

use crate::error::{EngineError, Result};
use crate::question::Goal;
use crate::reconstruct_path::rising;
use crate::steps::{BATCH, DirectionSteps};

/// Symmetries under which states represent each other.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Reduction {
    /// Only the identity.
    Identity,
    /// All of the puzzle's.
    Group,
    /// Those with these indices, which form a subgroup.
    Subgroup(Vec<usize>),
}

impl Reduction {
    /// The symmetries that map goals to goals: all, for any solved state, else those that fix the
    /// one goal.
    pub fn keeping<K: Key>(graph: &Graph<K>, goal: &Goal<K>) -> Result<Self, PluginError> {
        match *goal {
            Goal::State(goal) => Self::fixing(graph, &[goal]),
            Goal::Solved => Self::fixing(graph, &[]),
        }
    }

    /// The symmetries that fix each of some states.
    pub fn fixing<K: Key>(graph: &Graph<K>, states: &[K]) -> Result<Self, PluginError> {
        if !graph.has(Capabilities::SYMMETRY) {
            return Ok(Self::Identity);
        }
        let count = graph.opened.symmetry_count as usize;
        let mut fixing: Vec<usize> = (0..count).collect();
        for &state in states {
            let images = graph.images(state)?;
            fixing.retain(|&index| images[index] == state);
        }
        Ok(match fixing.len() {
            1 => Self::Identity,
            all if all == count => Self::Group,
            _ => Self::Subgroup(fixing),
        })
    }

    /// Replaces each state by its representative.
    pub fn reduce<K: Key>(&self, graph: &Graph<K>, keys: &mut [K]) -> Result<(), PluginError> {
        match self {
            Self::Identity => Ok(()),
            Self::Group => graph.canonical(keys, None),
            Self::Subgroup(indices) => {
                let count = graph.opened.symmetry_count as usize;
                let images = graph.images_of(keys)?;
                for (key, images) in keys.iter_mut().zip(images.chunks_exact(count)) {
                    let least = indices.iter().map(|&index| images[index]).min();
                    *key = least.unwrap_or(*key);
                }
                Ok(())
            }
        }
    }

    /// Neighbours of a batch, each replaced by its representative, in the order of the neighbours.
    pub fn expand<K: Key>(
        &self,
        graph: &Graph<K>,
        steps: DirectionSteps,
        keys: &[K],
        out: &mut Expansion<K>,
    ) -> Result<(), PluginError> {
        if let (Self::Group, DirectionSteps::Listed(way)) = (self, steps) {
            return graph.expand_to_orbits(way, keys, out);
        }
        steps.expand(graph, keys, out)?;
        self.reduce(graph, out.keys_mut())
    }

    /// Like [`Reduction::expand`], without neighbours that the puzzle's lower bound excludes
    /// ([`Graph::expand_pruned`]), if it [`Reduction::prunes`].
    pub fn expand_pruned<K: Key>(
        &self,
        graph: &Graph<K>,
        steps: DirectionSteps,
        keys: &[K],
        out: &mut Expansion<K>,
    ) -> Result<(), PluginError> {
        match (self, steps) {
            (Self::Group, DirectionSteps::Listed(way)) if graph.prunes(way) => {
                graph.expand_pruned(way, keys, out)
            }
            _ => self.expand(graph, steps, keys, out),
        }
    }

    /// Whether the puzzle can list neighbours without those that its lower bound excludes, under
    /// these symmetries.
    pub fn prunes<K: Key>(&self, graph: &Graph<K>, steps: DirectionSteps) -> bool {
        matches!((self, steps), (Self::Group, DirectionSteps::Listed(way)) if graph.prunes(way))
    }

    /// Number of states that each of some representatives stands for.
    pub fn sizes<K: Key>(&self, graph: &Graph<K>, keys: &[K]) -> Result<Vec<u64>, PluginError> {
        let mut states = Vec::with_capacity(keys.len());
        match self {
            Self::Identity => states.resize(keys.len(), 1),
            Self::Group => {
                let mut sizes = Vec::new();
                for batch in keys.chunks(BATCH) {
                    graph.canonical(&mut batch.to_vec(), Some(&mut sizes))?;
                    states.extend(sizes.iter().copied().map(u64::from));
                }
            }
            Self::Subgroup(_) => {
                for batch in keys.chunks(BATCH) {
                    let images = self.spread(graph, batch)?;
                    for images in images.chunks(images.len() / batch.len()) {
                        states.push(rising(images).len() as u64);
                    }
                }
            }
        }
        Ok(states)
    }

    /// All states that each one represents, with repetitions.
    pub fn spread<K: Key>(&self, graph: &Graph<K>, keys: &[K]) -> Result<Vec<K>, PluginError> {
        let all = match self {
            Self::Identity => return Ok(keys.to_vec()),
            Self::Group | Self::Subgroup(_) => graph.images_of(keys)?,
        };
        let Self::Subgroup(indices) = self else {
            return Ok(all);
        };
        let count = graph.opened.symmetry_count as usize;
        let images = all.chunks_exact(count);
        Ok(images
            .flat_map(|images| indices.iter().map(|&index| images[index]))
            .collect())
    }
}

// From a chain of representatives to a path of states, and its check.

/// The path from `start` whose states are represented by the members of `chain`, without the start.
/// In a chain of representatives, each represents a successor of the one before, so a matching
/// successor of the state itself exists.
///
/// # Errors
/// [`PluginError`] if the puzzle fails, or if its symmetries do not map moves to
/// moves.
pub fn follow<K: Key>(
    graph: &Graph<K>,
    reduction: &Reduction,
    start: K,
    chain: &[K],
) -> Result<Vec<K>, PluginError> {
    let mut path = vec![start];
    let mut out = Expansion::default();
    for &wanted in chain {
        let at = path[path.len() - 1];
        graph.expand(Direction::Forward, &[at], &mut out)?;
        let mut reduced = out.keys().to_vec();
        reduction.reduce(graph, &mut reduced)?;
        match reduced.iter().position(|&key| key == wanted) {
            Some(i) => path.push(out.keys()[i]),
            None => {
                let fault = format!(
                    "does not map the moves of {} to those of its image",
                    graph.draw(at)?
                );
                return Err(graph.opened.disagrees("canonical", fault));
            }
        }
    }
    Ok(path)
}

/// [`check_path`] for a path from a user, which is bad input if it is invalid.
///
/// # Errors
/// [`EngineError::CannotHold`] that names the first invalid step.
pub fn check_given<K: Key>(rules: &Graph<K>, path: &[K], goal: Option<&Goal<K>>) -> Result<()> {
    check_path(rules, path, goal).map_err(|error| match error {
        EngineError::Disagree(why) => EngineError::CannotHold(why),
        other => other,
    })
}

/// Replays a path on another variant, the rulebook: every step must be one of its moves, and the
/// last state a goal.
///
/// # Errors
/// [`EngineError`] that names the first invalid step.
pub fn check_path<K: Key>(rules: &Graph<K>, path: &[K], goal: Option<&Goal<K>>) -> Result<()> {
    let mut out = Expansion::default();
    for (i, pair) in path.windows(2).enumerate() {
        rules.expand(Direction::Forward, &pair[..1], &mut out)?;
        if !out.keys().contains(&pair[1]) {
            return Err(EngineError::Disagree(format!(
                "{}: move {} of the path is none on variant {}: {} to {}",
                rules.opened.full_name(),
                i + 1,
                rules.opened.variant,
                rules.draw(pair[0])?,
                rules.draw(pair[1])?
            )));
        }
    }
    let Some((&last, goal)) = path.last().zip(goal) else {
        return Ok(());
    };
    let reached = match goal {
        Goal::State(key) => last == *key,
        Goal::Solved => rules.is_solved(&[last])?[0],
    };
    if reached {
        return Ok(());
    }
    Err(EngineError::Disagree(format!(
        "{}: the path ends at {}, which is no goal on variant {}",
        rules.opened.full_name(),
        rules.draw(last)?,
        rules.opened.variant
    )))
}
