//! The symmetries that a search for a path may use: those that keep its goals.

use crate::question::Goal;
use crate::steps::{BATCH, DirectionSteps};
use puzzle_api::Key;

use antipode_graph::{Capabilities, Expansion, Graph, PluginError};

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
    ///
    /// # Errors
    /// [`PluginError`] if the puzzle fails.
    pub fn keeping<K: Key>(graph: &Graph<K>, goal: &Goal<K>) -> Result<Self, PluginError> {
        match *goal {
            Goal::State(goal) => Self::fixing(graph, &[goal]),
            Goal::Solved => Self::fixing(graph, &[]),
        }
    }

    /// The symmetries that fix each of some states.
    ///
    /// # Errors
    /// [`PluginError`] if the puzzle fails.
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
    ///
    /// # Errors
    /// [`PluginError`] if the puzzle fails.
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
    ///
    /// # Errors
    /// [`PluginError`] if the puzzle fails.
    pub fn expand<K: Key>(
        &self,
        graph: &Graph<K>,
        steps: DirectionSteps,
        keys: &[K],
        out: &mut Expansion<K>,
    ) -> Result<(), PluginError> {
        if let Self::Group = self {
            return steps.expand_to_orbits(graph, keys, out);
        }
        steps.expand(graph, keys, out)?;
        self.reduce(graph, out.keys_mut())
    }

    /// Like [`Reduction::expand`], without neighbours that the puzzle's lower bound excludes
    /// ([`Graph::expand_pruned`]), if it [`Reduction::prunes`].
    ///
    /// # Errors
    /// [`PluginError`] if the puzzle fails.
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
    #[must_use]
    pub fn prunes<K: Key>(&self, graph: &Graph<K>, steps: DirectionSteps) -> bool {
        matches!((self, steps), (Self::Group, DirectionSteps::Listed(way)) if graph.prunes(way))
    }

    /// Number of states that each of some representatives stands for.
    ///
    /// # Errors
    /// [`PluginError`] if the puzzle fails.
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
                        let mut images = images.to_vec();
                        images.sort_unstable();
                        images.dedup();
                        states.push(images.len() as u64);
                    }
                }
            }
        }
        Ok(states)
    }

    /// All states that each one represents, with repetitions.
    ///
    /// # Errors
    /// [`PluginError`] if the puzzle fails.
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
