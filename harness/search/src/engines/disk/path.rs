//! The way back from a state of the last level to a root, along the levels that are kept.

use puzzle_api::{Capabilities, Direction, Key};

use super::folder::Level;
use super::walk::Walk;
use super::{each_state, shelf};
use crate::engines::EngineError;
use crate::way_back::{KeptLevels, rising, way_back};
use antipode_graph::Expansion;

impl<K: Key> Walk<'_, K> {
    /// States from a root to a state of the last level, one of each level.
    ///
    /// # Errors
    /// A damaged level, or a puzzle whose moves cannot be undone although it says so.
    pub(super) fn path_to(&self, state: K) -> Result<Vec<K>, EngineError> {
        if self.kept_at(0).is_none() {
            let what = "the roots are not kept".to_owned();
            return Err(shelf::damaged(self.folder.path(), what).into());
        }
        let depth = u32::from(self.depth());
        let mut path = way_back(&mut Kept { walk: self }, state, Some(depth))?;
        path.reverse();
        Ok(path)
    }

    /// The direction against the search, where the puzzle can go there.
    pub(super) fn against(&self) -> Option<Direction> {
        let graph = &self.search.graph;
        match self.search.direction {
            direction if graph.has(Capabilities::UNDIRECTED) => Some(direction),
            Direction::Backward => Some(Direction::Forward),
            Direction::Forward if graph.has(Capabilities::PREDECESSORS) => {
                Some(Direction::Backward)
            }
            Direction::Forward => None,
        }
    }

    fn kept(&self) -> impl Iterator<Item = &Level> {
        self.shelved.iter().chain(&self.window)
    }

    fn kept_at(&self, depth: u32) -> Option<&Level> {
        self.kept().find(|level| u32::from(level.depth) == depth)
    }
}

/// Looks at some states of a level; gives the one that is looked for.
type Show<'a, K> = dyn FnMut(&[K]) -> Result<Option<K>, EngineError> + 'a;

/// The levels in the work folder.
struct Kept<'a, 'b, K> {
    walk: &'b Walk<'a, K>,
}

impl<K: Key> Kept<'_, '_, K> {
    /// Shows a level, until `show` has found what it looks for.
    fn find(&self, depth: u32, show: &mut Show<'_, K>) -> Result<Option<K>, EngineError> {
        let mut found = None;
        let Some(level) = self.walk.kept_at(depth) else {
            return Ok(None);
        };
        each_state(level, &self.walk.disk, &mut |keys: &[K]| {
            if found.is_none() {
                found = show(keys)?;
            }
            Ok(())
        })?;
        Ok(found)
    }

    fn neighbours(&self, direction: Direction, keys: &[K]) -> Result<Vec<K>, EngineError> {
        let mut out = Expansion::default();
        let search = self.walk.search;
        search.graph.expand(direction, keys, &mut out)?;
        search.reduce(out.keys_mut())?;
        Ok(rising(out.keys()))
    }
}

impl<K: Key> KeptLevels<K> for Kept<'_, '_, K> {
    type Error = EngineError;

    fn nearest_below(&self, depth: Option<u32>) -> Option<u32> {
        let kept = self.walk.kept().map(|level| u32::from(level.depth));
        kept.filter(|&kept| depth.is_none_or(|depth| kept < depth))
            .max()
    }

    fn smallest_of(&mut self, depth: u32, wanted: &[K]) -> Result<Option<K>, EngineError> {
        let mut smallest: Option<K> = None;
        self.find(depth, &mut |keys| {
            let both = keys.iter().filter(|key| wanted.binary_search(key).is_ok());
            smallest = smallest.into_iter().chain(both.copied()).min();
            Ok(None)
        })?;
        Ok(smallest)
    }

    fn leading_to(&mut self, depth: u32, state: K) -> Result<Option<K>, EngineError> {
        let (search, mut out) = (self.walk.search, Expansion::default());
        self.find(depth, &mut |keys| {
            self.walk.neighbours.expand(&search.graph, keys, &mut out)?;
            search.reduce(out.keys_mut())?;
            let at = (0..keys.len()).find(|&i| out.of(i).contains(&state));
            Ok(at.map(|i| keys[i]))
        })
    }

    fn against(&mut self, states: &[K]) -> Result<Option<Vec<K>>, EngineError> {
        let direction = self.walk.against();
        direction
            .map(|direction| self.neighbours(direction, states))
            .transpose()
    }

    fn along(&mut self, state: K) -> Result<Vec<K>, EngineError> {
        self.neighbours(self.walk.search.direction, &[state])
    }

    fn lost(&self, depth: u32, _state: K) -> EngineError {
        let what = format!(
            "gives neighbours from which no path leads back to level {depth}: its moves cannot be undone as it says"
        );
        let opened = &self.walk.search.graph.opened;
        opened.broken("successors", what).into()
    }
}
