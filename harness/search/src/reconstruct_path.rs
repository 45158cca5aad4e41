//! Path reconstruction: from a state along the levels of a search to a root, even if levels between
//! are gone. Moves against the search lead from the state outward, shell by shell, to the nearest
//! kept level, and so on from there ("the backtracking can be done by reversing the BFS search,
//! starting at the solution board, and stopping when level N-60 is hit", Dogon). If moves cannot be
//! listed against the search, the level before is scanned for a state that leads on.

use antipode_graph::Graph;
use puzzle_api::Key;

use crate::error::{EngineError, Result};
use crate::level::LevelStates;
use crate::steps::{BATCH, DirectionSteps, NeighbourBatch, Space};

/// States in order, each once.
pub fn rising<I: Copy + Ord>(states: &[I]) -> Vec<I> {
    let mut states = states.to_vec();
    states.sort_unstable();
    states.dedup();
    states
}

/// Levels of a search, some of which are kept, and its moves.
pub trait KeptLevels<I> {
    /// Distance of the outermost kept level, or of the outermost below `depth`.
    fn nearest_below(&self, depth: Option<u32>) -> Option<u32>;

    /// The smallest of some sorted states that a kept level holds.
    ///
    /// # Errors
    /// If the level cannot be read.
    fn smallest_of(&mut self, depth: u32, wanted: &[I]) -> Result<Option<I>>;

    /// Neighbours against the search, sorted, each once; `None` if the puzzle does not
    /// list them.
    fn against(&mut self, states: &[I]) -> Result<Option<Vec<I>>>;

    /// Neighbours of a state along the search, sorted, each once. Only called if levels in between
    /// are not kept.
    fn along(&mut self, state: I) -> Result<Vec<I>>;

    /// States on a line of `radius` moves of the search from a kept level to a state: that of the
    /// level last, without the state itself. Only called if there are no moves against the search.
    ///
    /// # Errors
    /// If the level cannot be read, or the puzzle fails.
    fn leading_to(&mut self, depth: u32, radius: u32, state: I) -> Result<Option<Vec<I>>>;

    /// The error if a state of a level has no neighbour in the one below.
    fn lost(&self, depth: u32, state: I) -> EngineError;
}

/// The path from a state at a distance from the roots, or from one whose level is unknown and not
/// kept, to a root, both included. Among equally good states, it takes the smallest.
///
/// # Errors
/// Errors of the levels; [`KeptLevels::lost`] if levels and moves do not match.
pub fn reconstruct_path<I: Copy + Ord, L: KeptLevels<I>>(
    levels: &mut L,
    from: I,
    depth: Option<u32>,
) -> Result<Vec<I>> {
    let (mut way, mut at, mut state) = (vec![from], depth, from);
    while at != Some(0) {
        let Some(below) = levels.nearest_below(at) else {
            return Err(levels.lost(at.unwrap_or(0), state));
        };
        match levels.against(&[state])? {
            Some(shell) => way.extend(leg(levels, (state, shell), below, at.map(|at| at - below))?),
            None => {
                let line = levels.leading_to(below, at.map_or(1, |at| at - below), state)?;
                way.extend(line.ok_or_else(|| levels.lost(below, state))?);
            }
        }
        state = way[way.len() - 1];
        at = Some(below);
    }
    Ok(way)
}

/// From a state to one of a level `radius` before, or of the first such level that is met, without
/// the state itself.
fn leg<I: Copy + Ord, L: KeptLevels<I>>(
    levels: &mut L,
    (state, mut shell): (I, Vec<I>),
    below: u32,
    radius: Option<u32>,
) -> Result<Vec<I>> {
    let mut shells = vec![vec![state]];
    let met = loop {
        for inner in &shells {
            shell.retain(|state| inner.binary_search(state).is_err());
        }
        // A level may be on disk, so it is read only where it can be met.
        if radius.is_none_or(|radius| radius as usize == shells.len()) {
            match levels.smallest_of(below, &shell)? {
                Some(met) => break met,
                None if radius.is_some() => return Err(levels.lost(below, state)),
                None => {}
            }
        }
        let next = levels.against(&shell)?.filter(|_| !shell.is_empty());
        let next = next.ok_or_else(|| levels.lost(below, state))?;
        shells.push(std::mem::replace(&mut shell, next));
    };
    // Down again through the shells, then reversed.
    let mut leg = vec![met];
    for shell in shells[1..].iter().rev() {
        let ahead = levels.along(leg[leg.len() - 1])?;
        let next = ahead.into_iter().find(|id| shell.binary_search(id).is_ok());
        leg.push(next.ok_or_else(|| levels.lost(below, state))?);
    }
    leg.reverse();
    Ok(leg)
}

/// Levels from the roots outward, without a gap, of a search that keeps them itself.
pub(crate) struct SideLevels<'a, K: Key, S: Space<K>> {
    graph: &'a Graph<K>,
    space: &'a S,
    along: Option<DirectionSteps>,
    against: Option<DirectionSteps>,
    levels: &'a [LevelStates<S::Id>],
    around: NeighbourBatch<K, S::Id>,
}

impl<'a, K: Key, S: Space<K>> SideLevels<'a, K, S> {
    /// The innermost levels of a search, with its ways to list neighbours along its moves and
    /// against them.
    pub(crate) fn new(
        graph: &'a Graph<K>,
        space: &'a S,
        [along, against]: [Option<DirectionSteps>; 2],
        levels: &'a [LevelStates<S::Id>],
    ) -> Self {
        Self {
            graph,
            space,
            along,
            against,
            levels,
            around: NeighbourBatch::default(),
        }
    }

    /// The reconstructed path as states: [`reconstruct_path`].
    pub(crate) fn reconstruct_path(&mut self, from: S::Id, depth: Option<u32>) -> Result<Vec<K>> {
        let way = reconstruct_path(self, from, depth)?;
        let mut keys = Vec::new();
        self.space.keys(self.graph, &way, &mut keys)?;
        Ok(keys)
    }

    fn neighbours(
        &mut self,
        steps: Option<DirectionSteps>,
        of: &[S::Id],
    ) -> Result<Option<Vec<S::Id>>> {
        let Some(steps) = steps else {
            return Ok(None);
        };
        self.space
            .neighbours(self.graph, steps, of, &mut self.around)?;
        Ok(Some(rising(&self.around.found)))
    }
}

impl<K: Key, S: Space<K>> KeptLevels<S::Id> for SideLevels<'_, K, S> {
    fn nearest_below(&self, depth: Option<u32>) -> Option<u32> {
        let kept = self.levels.len() as u32;
        depth.map_or(kept, |depth| depth.min(kept)).checked_sub(1)
    }

    fn smallest_of(&mut self, depth: u32, wanted: &[S::Id]) -> Result<Option<S::Id>> {
        self.levels[depth as usize].smallest_of(wanted)
    }

    fn against(&mut self, states: &[S::Id]) -> Result<Option<Vec<S::Id>>> {
        self.neighbours(self.against, states)
    }

    fn along(&mut self, state: S::Id) -> Result<Vec<S::Id>> {
        let neighbours = self.neighbours(self.along, &[state])?;
        neighbours.ok_or_else(|| self.lost(0, state))
    }

    fn leading_to(&mut self, depth: u32, _radius: u32, state: S::Id) -> Result<Option<Vec<S::Id>>> {
        let steps = self.along.ok_or_else(|| self.lost(depth, state))?;
        let level = &self.levels[depth as usize];
        let (mut pieces, mut ids) = (level.read()?, Vec::new());
        while let Some(piece) = pieces.next_slab(1)?.first() {
            level.unpack(piece, &mut ids)?;
            for batch in ids.chunks(BATCH) {
                let around = &mut self.around;
                self.space.neighbours(self.graph, steps, batch, around)?;
                if !around.found.contains(&state) {
                    continue;
                }
                for &id in batch {
                    if self.along(id)?.contains(&state) {
                        return Ok(Some(vec![id]));
                    }
                }
            }
        }
        Ok(None)
    }

    fn lost(&self, _depth: u32, state: S::Id) -> EngineError {
        if self.against.is_none() {
            let fault =
                "give other states than a moment ago: no path leads back through the levels";
            return self.graph.opened.disagrees("successors", fault).into();
        }
        let mut key = Vec::new();
        let drawn = self.space.keys(self.graph, &[state], &mut key);
        let drawn = drawn.and_then(|()| self.graph.draw(key[0]));
        let fault = format!(
            "and successors do not agree: {} was met one move from a level that none of its neighbours is in",
            drawn.unwrap_or_else(|_| format!("{state:?}"))
        );
        self.graph.opened.disagrees("predecessors", fault).into()
    }
}
