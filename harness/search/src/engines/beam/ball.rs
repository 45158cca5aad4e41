//! The ball: all states from which a goal can be reached within some number of moves.

use foldhash::fast::FixedState;
use hashbrown::HashMap;
use puzzle_api::{Direction, Key};

use crate::engines::find::{Reduction, Watch, expand_back};
use crate::engines::{BATCH, EngineError};
use antipode_graph::{Expansion, Graph, PluginError};

/// States by their distance from the goals.
pub(super) struct Ball<K> {
    distance: HashMap<K, u16, FixedState>,
    /// The outermost level.
    rim: Vec<K>,
    levels: usize,
    /// Whether nothing lies beyond.
    complete: bool,
}

impl<K: Key> Ball<K> {
    /// Grows a ball by whole levels to at most `most` states; the goals are in it however
    /// many they are.
    pub(super) fn grow(
        graph: &Graph<K>,
        reduction: &Reduction,
        goals: &[K],
        most: usize,
        watch: &Watch<'_>,
    ) -> Result<Self, EngineError> {
        let mut rim = goals.to_vec();
        reduction.reduce(graph, &mut rim)?;
        rim.sort_unstable();
        rim.dedup();
        let mut ball = Self {
            distance: rim.iter().map(|&key| (key, 0)).collect(),
            rim,
            levels: 1,
            complete: false,
        };
        while watch.over(0).is_none() {
            let Some(next) = ball.beyond(graph, reduction, most)? else {
                break;
            };
            if next.is_empty() {
                ball.complete = true;
                break;
            }
            let level = ball.levels as u16;
            ball.distance.extend(next.iter().map(|&key| (key, level)));
            ball.rim = next;
            ball.levels += 1;
        }
        Ok(ball)
    }

    /// The next level; `None` where the ball would get too large.
    fn beyond(
        &self,
        graph: &Graph<K>,
        reduction: &Reduction,
        most: usize,
    ) -> Result<Option<Vec<K>>, PluginError> {
        let mut next = Vec::new();
        let mut out = Expansion::default();
        // Candidates are cut to distinct ones whenever they have doubled.
        let mut enough = 1 << 16;
        for batch in self.rim.chunks(BATCH) {
            expand_back(graph, batch, &mut out)?;
            reduction.reduce(graph, out.keys_mut())?;
            next.extend_from_slice(out.keys());
            if next.len() > enough {
                next.sort_unstable();
                next.dedup();
                enough = next.len() * 2;
                if self.distance.len() + next.len() > most {
                    return Ok(None);
                }
            }
        }
        next.sort_unstable();
        next.dedup();
        // A goal may lead to another.
        next.retain(|key| !self.distance.contains_key(key));
        Ok((self.distance.len() + next.len() <= most).then_some(next))
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

    /// Distance of a state from the nearest goal, if it is in the ball.
    #[inline]
    pub(super) fn level_of(&self, key: K) -> Option<u16> {
        self.distance.get(&key).copied()
    }

    /// The representatives on a way from a state of the ball to a goal, the state aside.
    pub(super) fn descend(
        &self,
        graph: &Graph<K>,
        reduction: &Reduction,
        from: K,
    ) -> Result<Vec<K>, EngineError> {
        let mut chain = Vec::new();
        let mut at = from;
        let mut out = Expansion::default();
        while let Some(level) = self.level_of(at).filter(|&level| level > 0) {
            graph.expand(Direction::Forward, &[at], &mut out)?;
            reduction.reduce(graph, out.keys_mut())?;
            let closer = out.keys().iter().copied();
            let closer = closer
                .filter(|&key| self.level_of(key) == Some(level - 1))
                .min();
            at = closer.ok_or_else(|| {
                graph.opened.broken(
                    "predecessors",
                    format!("lists a state that leads nowhere near: {at:?}"),
                )
            })?;
            chain.push(at);
        }
        Ok(chain)
    }
}
