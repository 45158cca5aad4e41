//! Path reconstruction from a state of the last level to a root, along the levels that are kept.

use std::cell::Cell;

use antipode_graph::{Capabilities, Expansion};
use puzzle_api::{Direction, Key};

use super::each_state;
use super::folder::DiskLevel;
use super::walk::Walk;
use crate::engines::BATCH;
use crate::error::{EngineError, Result};
use crate::progress::note;
use crate::reconstruct_path::{KeptLevels, reconstruct_path, rising};
use crate::steps::DirectionSteps;

impl<K: Key> Walk<'_, K> {
    /// States from a root to a state of the last level, one of each level. A damaged level only
    /// lengthens the leg that would have ended there.
    ///
    /// # Errors
    /// A puzzle whose moves cannot be undone although it says so.
    pub(in crate::engines) fn path_to(&mut self, state: K) -> Result<Vec<K>> {
        let depth = u32::from(self.depth());
        loop {
            if self.kept_at(0).is_none() {
                self.restore_roots()?;
            }
            let (walk, reading) = (&*self, 0);
            let mut kept = FolderLevels { walk, reading };
            let way = reconstruct_path(&mut kept, state, Some(depth));
            let reading = kept.reading;
            match way {
                Ok(mut path) => {
                    path.reverse();
                    return Ok(path);
                }
                // Other processes would continue with the damaged level.
                Err(EngineError::Damaged { path, what, .. }) if self.peers.is_none() => {
                    let path = path.display();
                    note(format_args!(
                        "{path}: damaged ({what}); going back without it"
                    ));
                    self.forget(reading);
                }
                Err(error) => return Err(error),
            }
        }
    }

    fn forget(&mut self, depth: u32) {
        let other = |level: &DiskLevel| u32::from(level.depth) != depth;
        self.kept_for_paths.retain(other);
        self.window.retain(other);
    }

    /// Level 0 anew, if its file was damaged.
    fn restore_roots(&mut self) -> Result<()> {
        let roots = self.search.distinct_roots(self.part)?;
        let level = self.write_roots(&self.own(&roots)?)?;
        self.kept_for_paths.push(level);
        Ok(())
    }

    /// The direction opposite to the search, if the puzzle has it.
    pub(super) fn against(&self) -> Option<Direction> {
        let graph = &self.search.graph;
        match self.search.direction {
            direction if graph.has(Capabilities::UNDIRECTED) => Some(direction),
            Direction::Backward => Some(Direction::Forward),
            Direction::Forward => match DirectionSteps::backward(graph)? {
                DirectionSteps::Listed(back) => Some(back),
                DirectionSteps::Turned => None,
            },
        }
    }

    /// All levels that are on disk.
    pub(super) fn kept(&self) -> impl Iterator<Item = &DiskLevel> {
        self.kept_for_paths.iter().chain(&self.window)
    }

    fn kept_at(&self, depth: u32) -> Option<&DiskLevel> {
        self.kept().find(|level| u32::from(level.depth) == depth)
    }

    /// States on a line of `radius` moves from one of `keys` to a state, in reverse order and
    /// without that state.
    fn descent(&self, state: K, keys: &[K], radius: u32) -> Result<Option<Vec<K>>> {
        let mut out = Expansion::default();
        self.neighbours.expand(&self.search.graph, keys, &mut out)?;
        self.search.reduce(out.keys_mut())?;
        if radius == 1 {
            let leads = (0..keys.len()).find(|&i| out.of(i).contains(&state));
            return Ok(leads.map(|i| vec![keys[i]]));
        }
        for ahead in rising(out.keys()).chunks(BATCH) {
            if let Some(mut line) = self.descent(state, ahead, radius - 1)? {
                let first = line[line.len() - 1];
                let from = (0..keys.len()).find(|&i| out.of(i).contains(&first));
                line.extend(from.map(|i| keys[i]));
                return Ok(Some(line));
            }
        }
        Ok(None)
    }
}

/// The levels in the work folder.
struct FolderLevels<'a, 'b, K> {
    walk: &'b Walk<'a, K>,
    /// Depth of the level that was read last.
    reading: u32,
}

impl<'a, 'b, K: Key> FolderLevels<'a, 'b, K> {
    /// Passes a level to `show` until it finds what it looks for.
    fn find<T>(
        &mut self,
        depth: u32,
        mut show: impl FnMut(&[K]) -> Result<Option<T>>,
    ) -> Result<Option<T>> {
        self.reading = depth;
        let Some(level) = self.walk.kept_at(depth) else {
            return Ok(None);
        };
        let (mut found, is_found) = (None, Cell::new(false));
        let unread = (0..level.runs.len()).take_while(|_| !is_found.get());
        each_state(level, unread, &mut |keys: &[K]| {
            if found.is_none() {
                found = show(keys)?;
                is_found.set(found.is_some());
            }
            Ok(())
        })?;
        Ok(found)
    }

    /// The smallest line that any process found, if several share the search.
    fn of_all(&self, line: Option<Vec<K>>) -> Result<Option<Vec<K>>> {
        let lines = self.walk.all_keys(line.unwrap_or_default())?.into_iter();
        Ok(lines.filter(|line| !line.is_empty()).min())
    }

    fn neighbours(&self, direction: Direction, keys: &[K]) -> Result<Vec<K>> {
        let mut out = Expansion::default();
        let search = self.walk.search;
        search.graph.expand(direction, keys, &mut out)?;
        search.reduce(out.keys_mut())?;
        Ok(rising(out.keys()))
    }
}

impl<K: Key> KeptLevels<K> for FolderLevels<'_, '_, K> {
    fn nearest_below(&self, depth: Option<u32>) -> Option<u32> {
        let kept = self.walk.kept().map(|level| u32::from(level.depth));
        kept.filter(|&kept| depth.is_none_or(|depth| kept < depth))
            .max()
    }

    fn smallest_of(&mut self, depth: u32, wanted: &[K]) -> Result<Option<K>> {
        let mut smallest: Option<K> = None;
        self.find(depth, |keys| {
            let both = keys.iter().filter(|key| wanted.binary_search(key).is_ok());
            smallest = smallest.into_iter().chain(both.copied()).min();
            Ok(None::<()>)
        })?;
        self.of_all(smallest.map(|key| vec![key]))
            .map(|line| line.map(|line| line[0]))
    }

    /// Tries the moves of the whole level. A state of level n is in no earlier level, so every
    /// sequence of n - m moves to it from level m goes through the levels between.
    fn leading_to(&mut self, depth: u32, radius: u32, state: K) -> Result<Option<Vec<K>>> {
        // Few at a time if each has many descendants.
        let at_once = BATCH >> (4 * (radius - 1)).min(12);
        let walk = self.walk;
        let line = self.find(depth, |keys: &[K]| {
            let mut batches = keys.chunks(at_once);
            let line = batches.find_map(|keys| walk.descent(state, keys, radius).transpose());
            line.transpose()
        })?;
        self.of_all(line)
    }

    fn against(&mut self, states: &[K]) -> Result<Option<Vec<K>>> {
        let direction = self.walk.against();
        direction
            .map(|direction| self.neighbours(direction, states))
            .transpose()
    }

    fn along(&mut self, state: K) -> Result<Vec<K>> {
        self.neighbours(self.walk.search.direction, &[state])
    }

    fn lost(&self, depth: u32, _state: K) -> EngineError {
        let what = format!(
            "gives neighbours from which no path leads back to level {depth}: its moves cannot be undone as it says"
        );
        let opened = &self.walk.search.graph.opened;
        opened.disagrees("successors", what).into()
    }
}
