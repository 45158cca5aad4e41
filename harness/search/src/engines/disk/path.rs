//! The way back from a state of the last level to a root, also where the levels between
//! are gone: a ball of moves against the search grows around the state until it meets the
//! nearest level that is kept, and so on from there ("the backtracking can be done by
//! reversing the BFS search, starting at the solution board, and stopping when level N-60
//! is hit").

use puzzle_api::{Capabilities, Direction, Key};

use super::each_state;
use super::folder::Level;
use super::walk::Walk;
use crate::engines::{BATCH, EngineError};
use crate::work::WorkError;
use antipode_graph::Expansion;

impl<K: Key> Walk<'_, K> {
    /// States from a root to a state of the last level, one of each level. A level that is
    /// damaged only makes the leg longer that would have ended there.
    ///
    /// # Errors
    /// A puzzle whose moves cannot be undone although it says so.
    pub(super) fn path_to(&mut self, state: K) -> Result<Vec<K>, EngineError> {
        let mut path = vec![state];
        let mut depth = self.depth();
        while depth > 0 {
            let Some(level) = self.nearest_below(depth) else {
                self.restore_roots()?;
                continue;
            };
            let (below, radius) = (level.depth, depth - level.depth);
            let leg = match self.against() {
                Some(direction) => self.leg_by_ball(path[path.len() - 1], level, radius, direction),
                None => self.leg_by_level(path[path.len() - 1], level, radius),
            };
            match leg {
                Ok(leg) => path.extend(leg),
                Err(EngineError::Work(error)) => match *error {
                    WorkError::Damaged { path, what, .. } => {
                        let path = path.display();
                        eprintln!("{path}: damaged ({what}); going back without it");
                        self.forget(below);
                        continue;
                    }
                    other => return Err(other.into()),
                },
                Err(error) => return Err(error),
            }
            depth = below;
        }
        path.reverse();
        Ok(path)
    }

    fn forget(&mut self, depth: u16) {
        self.kept_for_paths.retain(|level| level.depth != depth);
        self.window.retain(|level| level.depth != depth);
    }

    /// Level 0 anew, where its file was damaged.
    fn restore_roots(&mut self) -> Result<(), EngineError> {
        let roots = self.search.distinct_roots(self.part)?;
        let (level, _) = self.write_roots(&roots)?;
        self.kept_for_paths.push(level);
        Ok(())
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

    fn nearest_below(&self, depth: u16) -> Option<&Level> {
        let kept = self.kept_for_paths.iter().chain(&self.window);
        let below = kept.filter(|level| level.depth < depth);
        below.max_by_key(|level| level.depth)
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

    /// From a state back to one of a level `radius` before, the latter last, by the moves of
    /// the whole level: a state of level n that is reached in n - m moves from level m is in
    /// no level before its own, so every such line of moves goes through the levels between.
    fn leg_by_level(&self, state: K, level: &Level, radius: u16) -> Result<Vec<K>, EngineError> {
        let mut found: Option<Vec<K>> = None;
        // Few at a time where each has many descendants.
        let at_once = BATCH >> (4 * u32::from(radius - 1)).min(12);
        each_state(level, &self.disk, &mut |keys: &[K]| {
            for keys in keys.chunks(at_once) {
                if found.is_none() {
                    found = self.descent(state, keys, radius)?;
                }
            }
            Ok(())
        })?;
        found.ok_or_else(|| self.undone(level.depth))
    }

    /// States on a line of `radius` moves from one of `keys` to a state, which is left out,
    /// the first of them last.
    fn descent(&self, state: K, keys: &[K], radius: u16) -> Result<Option<Vec<K>>, EngineError> {
        let mut out = Expansion::default();
        self.neighbours.expand(&self.search.graph, keys, &mut out)?;
        self.search.reduce(out.keys_mut())?;
        if radius == 1 {
            let leads = (0..keys.len()).find(|&i| out.of(i).contains(&state));
            return Ok(leads.map(|i| vec![keys[i]]));
        }
        let mut ahead = out.keys().to_vec();
        ahead.sort_unstable();
        ahead.dedup();
        for ahead in ahead.chunks(BATCH) {
            if let Some(mut leg) = self.descent(state, ahead, radius - 1)? {
                let first = leg[leg.len() - 1];
                let from = (0..keys.len()).find(|&i| out.of(i).contains(&first));
                leg.extend(from.map(|i| keys[i]));
                return Ok(Some(leg));
            }
        }
        Ok(None)
    }

    fn undone(&self, depth: u16) -> EngineError {
        let what = format!(
            "gives neighbours from which no path leads back to level {depth}: its moves cannot be undone as it says"
        );
        self.search.graph.opened.broken("successors", what).into()
    }
}
