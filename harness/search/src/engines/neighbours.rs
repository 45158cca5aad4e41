//! Neighbours in the direction of the search, from the puzzle or from a stored graph.

use puzzle_api::{Direction, Key, Placement};

use super::BATCH;
use crate::error::{EngineError, Result};
use crate::parallel;
use crate::search::Search;
use antipode_graph::{Capabilities, Expansion, Graph, PluginError};

/// Source of neighbours for one part.
#[derive(Debug)]
pub enum NeighbourSource<K> {
    /// The puzzle's own successors or predecessors.
    Native(Direction),
    /// Predecessors read off a stored forward graph, for puzzles that do not list them.
    Stored(StoredGraph<K>),
}

impl<K: Key> NeighbourSource<K> {
    /// The cheapest source that the puzzle offers.
    ///
    /// # Errors
    /// [`EngineError::CannotHold`] if predecessors are neither offered nor can be stored.
    pub fn of(search: &Search<K>, part: u64) -> Result<Self> {
        let native =
            search.direction == Direction::Forward || search.graph.has(Capabilities::PREDECESSORS);
        if native {
            return Ok(Self::Native(search.direction));
        }
        StoredGraph::build(search, part).map(Self::Stored)
    }

    /// Neighbours of a batch.
    pub fn expand(&self, graph: &Graph<K>, keys: &[K], out: &mut Expansion<K>) -> Result<()> {
        match self {
            Self::Native(direction) => Ok(graph.expand(*direction, keys, out)?),
            Self::Stored(stored) => stored.predecessors(graph, keys, out),
        }
    }

    /// Representatives of the neighbours of a batch if symmetry is used, else the neighbours.
    pub fn expand_reduced(
        &self,
        search: &Search<K>,
        keys: &[K],
        out: &mut Expansion<K>,
    ) -> Result<()> {
        if let (Self::Native(direction), true) = (self, search.symmetry) {
            return Ok(search.graph.expand_to_orbits(*direction, keys, out)?);
        }
        self.expand(&search.graph, keys, out)?;
        Ok(search.reduce(out.keys_mut())?)
    }
}

/// The moves of a part, reversed: predecessors of rank r are
/// `sources[starts[r]..starts[r + 1]]`. 4 bytes per edge and 8 per state.
#[derive(Debug)]
pub struct StoredGraph<K> {
    part: u64,
    starts: Vec<usize>,
    sources: Vec<u32>,
    key: std::marker::PhantomData<fn() -> K>,
}

impl<K: Key> StoredGraph<K> {
    fn build(search: &Search<K>, part: u64) -> Result<Self> {
        let graph = &search.graph;
        let size = graph.space(part)?.ok_or_else(|| {
            let why = "backward needs predecessors or a numbering; this instance has neither; use --direction forward";
            EngineError::refused(&graph.opened, why)
        })?;
        if size > u64::from(u32::MAX) {
            let why = format!(
                "a stored forward graph holds at most {} states, part {part} has {size}; use a variant with predecessors",
                u32::MAX
            );
            return Err(EngineError::refused(&graph.opened, why));
        }
        let edges = forward_edges(search, part, size)?;
        let mut starts = vec![0_usize; size as usize + 1];
        for &(_, to) in edges.iter().flatten() {
            starts[to as usize + 1] += 1;
        }
        for rank in 1..starts.len() {
            starts[rank] += starts[rank - 1];
        }
        let mut next = starts.clone();
        let mut sources = vec![0; edges.iter().map(Vec::len).sum()];
        for (from, to) in edges.into_iter().flatten() {
            sources[next[to as usize]] = from;
            next[to as usize] += 1;
        }
        Ok(Self {
            part,
            starts,
            sources,
            key: std::marker::PhantomData,
        })
    }

    fn predecessors(&self, graph: &Graph<K>, keys: &[K], out: &mut Expansion<K>) -> Result<()> {
        out.clear();
        let mut placed = Vec::new();
        graph.place(keys, &mut placed)?;
        let mut found = Vec::new();
        for at in placed {
            let rank = match at {
                Some(Placement { part, rank }) if part == self.part => rank as usize,
                _ => {
                    let why = format!("the search left the numbering of part {}", self.part);
                    return Err(EngineError::refused(&graph.opened, why));
                }
            };
            let sources = &self.sources[self.starts[rank]..self.starts[rank + 1]];
            let ranks: Vec<u64> = sources.iter().map(|&rank| rank.into()).collect();
            graph.unrank(self.part, &ranks, &mut found)?;
            out.push(found.iter().copied());
        }
        Ok(())
    }
}

/// Number of states sampled to estimate the number of moves.
const SAMPLE: u64 = 4096;

/// Mean number of moves out of a state, or into it, over `sample` states at even distances in the
/// numbering.
pub(super) fn moves_a_state<K: Key>(
    graph: &Graph<K>,
    direction: Direction,
    (part, size): (u64, u64),
    sample: u64,
) -> Result<f64, PluginError> {
    let step = (size / sample).max(1);
    let ranks: Vec<u64> = (0..size).step_by(step as usize).collect();
    let (mut keys, mut out) = (Vec::new(), Expansion::default());
    graph.unrank(part, &ranks, &mut keys)?;
    graph.expand(direction, &keys, &mut out)?;
    Ok(out.keys().len() as f64 / ranks.len().max(1) as f64)
}

/// Bytes that a stored graph takes while it is built: 16 per state and 12 per move. The number of
/// moves is estimated from states at even distances in the numbering. 0 if none is stored.
///
/// # Errors
/// [`PluginError`] if the puzzle fails.
pub fn stored_bytes<K: Key>(
    graph: &Graph<K>,
    direction: Direction,
    (part, size): (u64, u64),
) -> Result<u64, PluginError> {
    if direction == Direction::Forward || graph.has(Capabilities::PREDECESSORS) {
        return Ok(0);
    }
    let moves = moves_a_state(graph, Direction::Forward, (part, size), SAMPLE)?;
    Ok(size
        .saturating_mul(16)
        .saturating_add((size as f64 * moves * 12.0) as u64))
}

/// All moves within a part as pairs of ranks, in pieces.
fn forward_edges<K: Key>(search: &Search<K>, part: u64, size: u64) -> Result<Vec<Vec<(u32, u32)>>> {
    let graph = &search.graph;
    parallel::try_map((0..size).step_by(BATCH), |start| {
        let (mut keys, mut out, mut placed) = (Vec::new(), Expansion::default(), Vec::new());
        let ranks: Vec<u64> = (start..size.min(start + BATCH as u64)).collect();
        graph.unrank(part, &ranks, &mut keys)?;
        graph.expand(Direction::Forward, &keys, &mut out)?;
        place_in_part(search, part, size, out.keys_mut(), &mut placed)?;
        let mut edges = Vec::with_capacity(placed.len());
        let mut at = placed.iter();
        for (i, &rank) in ranks.iter().enumerate() {
            let to = at.by_ref().take(out.of(i).len());
            edges.extend(to.map(|&to| (rank as u32, to as u32)));
        }
        Ok(edges)
    })
}

/// Ranks of states of one part. A numbering may hold only one state per orbit. A state outside it
/// is then replaced by its representative, if the search uses symmetry.
pub(super) fn place_in_part<K: Key>(
    search: &Search<K>,
    part: u64,
    size: u64,
    keys: &mut [K],
    ranks: &mut Vec<u64>,
) -> Result<(), PluginError> {
    let graph = &search.graph;
    let mut placed = Vec::new();
    graph.place(keys, &mut placed)?;
    if search.symmetry && placed.iter().any(Option::is_none) {
        graph.canonical(keys, None)?;
        graph.place(keys, &mut placed)?;
    }
    ranks.clear();
    for (at, key) in placed.iter().zip(keys.iter()) {
        match at {
            Some(at) if at.part == part && at.rank < size => ranks.push(at.rank),
            Some(at) if at.part == part => {
                let fault = format!("gave rank {} in a part of {size} ranks", at.rank);
                return Err(graph.opened.broken("place", fault));
            }
            other => {
                let there = other.map_or("outside the numbering".to_owned(), |at| {
                    format!("in part {}", at.part)
                });
                let fault = format!(
                    "puts the neighbour {} of part {part} {there}: moves must stay within a part",
                    graph.draw(*key)?
                );
                return Err(graph.opened.broken("place", fault));
            }
        }
    }
    Ok(())
}
