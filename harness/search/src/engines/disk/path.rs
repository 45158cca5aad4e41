//! The way back from a state of the last level to a root, also where the levels between
//! are gone: a ball of moves against the search grows around the state until it meets the
//! nearest level that is kept, and so on from there ("the backtracking can be done by
//! reversing the BFS search, starting at the solution board, and stopping when level N-60
//! is hit").

use puzzle_api::{Capabilities, Direction, Key};

use super::folder::Level;
use super::walk::Walk;
use super::{each_state, shelf};
use crate::engines::{BATCH, EngineError};
use antipode_graph::Expansion;

impl<K: Key> Walk<'_, K> {
    /// States from a root to a state of the last level, one of each level.
    ///
    /// # Errors
    /// A damaged level, or a puzzle whose moves cannot be undone although it says so.
    pub(super) fn path_to(&self, state: K) -> Result<Vec<K>, EngineError> {
        let mut path = vec![state];
        let mut depth = self.depth();
        while depth > 0 {
            let level = self.nearest_below(depth)?;
            let radius = depth - level.depth;
            let leg = match self.against() {
                Some(direction) => self.leg_by_ball(path[path.len() - 1], level, radius, direction),
                None => self.leg_by_level(path[path.len() - 1], level),
            }?;
            path.extend(leg);
            depth = level.depth;
        }
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

    fn nearest_below(&self, depth: u16) -> Result<&Level, EngineError> {
        let kept = self.shelved.iter().chain(&self.window);
        let below = kept.filter(|level| level.depth < depth);
        below.max_by_key(|level| level.depth).ok_or_else(|| {
            let what = format!("no level before {depth} is kept");
            shelf::damaged(self.folder.path(), what).into()
        })
    }

    fn neighbours_of(&self, direction: Direction, keys: &[K]) -> Result<Vec<K>, EngineError> {
        let (mut out, mut all) = (Expansion::default(), Vec::new());
        for batch in keys.chunks(BATCH) {
            self.search.graph.expand(direction, batch, &mut out)?;
            self.search.reduce(out.keys_mut())?;
            all.extend_from_slice(out.keys());
        }
        all.sort_unstable();
        all.dedup();
        Ok(all)
    }

    /// From a state back to one of a level `radius` before, the latter last.
    fn leg_by_ball(
        &self,
        state: K,
        level: &Level,
        radius: u16,
        against: Direction,
    ) -> Result<Vec<K>, EngineError> {
        let mut ball = vec![vec![state]];
        for _ in 0..radius {
            let mut shell = self.neighbours_of(against, &ball[ball.len() - 1])?;
            for inner in &ball {
                shell.retain(|key| inner.binary_search(key).is_err());
            }
            ball.push(shell);
        }
        let shell = ball.pop().unwrap_or_default();
        let mut met: Option<K> = None;
        each_state(level, &self.disk, &mut |keys: &[K]| {
            let both = keys.iter().filter(|key| shell.binary_search(key).is_ok());
            met = met.into_iter().chain(both.copied()).min();
            Ok(())
        })?;
        let Some(met) = met else {
            return Err(self.undone(level.depth));
        };
        // Down again through the ball, then turned round.
        let mut leg = vec![met];
        for shell in ball.iter().rev() {
            let ahead = self.neighbours_of(self.search.direction, &leg[leg.len() - 1..])?;
            let next = ahead
                .into_iter()
                .find(|key| shell.binary_search(key).is_ok());
            leg.push(next.ok_or_else(|| self.undone(level.depth))?);
        }
        // The state itself is in the path already.
        leg.pop();
        leg.reverse();
        Ok(leg)
    }

    /// A state of the level just before that leads to a state.
    fn leg_by_level(&self, state: K, level: &Level) -> Result<Vec<K>, EngineError> {
        let mut found: Option<K> = None;
        let mut out = Expansion::default();
        each_state(level, &self.disk, &mut |keys: &[K]| {
            if found.is_some() {
                return Ok(());
            }
            let graph = &self.search.graph;
            self.neighbours.expand(graph, keys, &mut out)?;
            self.search.reduce(out.keys_mut())?;
            found = (0..keys.len())
                .find(|&i| out.of(i).contains(&state))
                .map(|i| keys[i]);
            Ok(())
        })?;
        Ok(vec![found.ok_or_else(|| self.undone(level.depth))?])
    }

    fn undone(&self, depth: u16) -> EngineError {
        let what = format!(
            "gives neighbours from which no path leads back to level {depth}: its moves cannot be undone as it says"
        );
        self.search.graph.opened.broken("successors", what).into()
    }
}
