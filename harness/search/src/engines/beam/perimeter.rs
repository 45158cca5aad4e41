//! The perimeter: all states from which a goal can be reached within some number of moves.

use foldhash::fast::FixedState;
use hashbrown::HashMap;
use puzzle_api::Key;

use crate::breadth_first::BreadthFirst;
use crate::engines::find::{Reduction, Watch};
use crate::error::EngineError;
use crate::steps::DirectionSteps;
use antipode_graph::{Expansion, Graph};

/// States of the rim expanded between two checks of the size. A level that does not fit is left out
/// as soon as that is known, since it is the largest.
const LOOK_EVERY: usize = 64;

/// States by their distance from the goals.
pub(super) struct Perimeter<K> {
    distance: HashMap<K, u16, FixedState>,
    /// The outermost level.
    rim: Vec<K>,
    levels: usize,
    /// Whether nothing lies beyond.
    complete: bool,
}

impl<K: Key> Perimeter<K> {
    /// Grows a perimeter by whole levels to at most `most` states. The goals are in it, however
    /// many there are.
    pub(super) fn grow(
        graph: &Graph<K>,
        reduction: &Reduction,
        goals: &[K],
        most: usize,
        watch: &Watch<'_>,
    ) -> Result<Self, EngineError> {
        let back = DirectionSteps::backward(graph).ok_or_else(|| {
            let name = graph.opened.full_name();
            EngineError::CannotHold(format!("{name}: no moves back from the goals"))
        })?;
        let mut rim = goals.to_vec();
        reduction.reduce(graph, &mut rim)?;
        let list = |steps: DirectionSteps, keys: &[K], out: &mut Expansion<K>| {
            reduction.expand(graph, steps, keys, out)
        };
        let search = BreadthFirst::new(graph, &[back], &rim).listing(&list);
        let mut search = search.looking_every(LOOK_EVERY);
        let mut perimeter = Self {
            distance: HashMap::default(),
            rim: Vec::new(),
            levels: 0,
            complete: false,
        };
        perimeter.take(search.level());
        while watch.over(0).is_none() {
            if !search.advance_within(most as u64)? || search.seen() > most as u64 {
                break;
            }
            if search.level().is_empty() {
                perimeter.complete = true;
                break;
            }
            perimeter.take(search.level());
        }
        Ok(perimeter)
    }

    /// Adds a level.
    fn take(&mut self, level: &[K]) {
        let depth = self.levels as u16;
        self.distance.extend(level.iter().map(|&key| (key, depth)));
        self.rim = level.to_vec();
        self.rim.sort_unstable();
        self.levels += 1;
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

    /// Distance of a state from the nearest goal, if it is in the perimeter.
    #[inline]
    pub(super) fn level_of(&self, key: K) -> Option<u16> {
        self.distance.get(&key).copied()
    }

    /// The representatives on a path from a state of the perimeter to a goal, without the state
    /// itself.
    pub(super) fn descend(
        &self,
        graph: &Graph<K>,
        reduction: &Reduction,
        from: K,
    ) -> Result<Vec<K>, EngineError> {
        let Some(level) = self.level_of(from) else {
            return Ok(Vec::new());
        };
        let (mut way, mut at, mut out) = (Vec::new(), from, Expansion::default());
        for depth in (0..level).rev() {
            reduction.expand(graph, DirectionSteps::FORWARD, &[at], &mut out)?;
            let nearer = out.keys().iter().copied();
            let nearest = nearer
                .filter(|&key| self.level_of(key) == Some(depth))
                .min();
            at = nearest.ok_or_else(|| {
                let fault = format!("lists a state that leads nowhere near: {at:?}");
                graph.opened.broken("predecessors", fault)
            })?;
            way.push(at);
        }
        Ok(way)
    }
}
