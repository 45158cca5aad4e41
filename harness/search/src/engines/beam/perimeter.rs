//! The perimeter: all states from which a goal can be reached within some number of moves.

use foldhash::fast::FixedState;
use hashbrown::HashMap;
use puzzle_api::Key;

use crate::breadth_first::BreadthFirst;
use crate::engines::find::{Reduction, Watch};
use crate::error::EngineError;
use crate::steps::Steps;
use crate::way_back::{KeptLevels, rising, way_back};
use antipode_graph::{Expansion, Graph, PluginError};

/// States of the rim between two looks at how many were met: a level that does not fit any more
/// is left out as soon as that is known, and it is the largest of all.
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
    /// Grows a perimeter by whole levels to at most `most` states; the goals are in it however
    /// many they are.
    pub(super) fn grow(
        graph: &Graph<K>,
        reduction: &Reduction,
        goals: &[K],
        most: usize,
        watch: &Watch<'_>,
    ) -> Result<Self, EngineError> {
        let back = Steps::backward(graph).ok_or_else(|| {
            let name = graph.opened.full_name();
            EngineError::CannotHold(format!("{name}: no moves back from the goals"))
        })?;
        let mut rim = goals.to_vec();
        reduction.reduce(graph, &mut rim)?;
        let list = |steps: Steps, keys: &[K], out: &mut Expansion<K>| {
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

    /// The representatives on a way from a state of the perimeter to a goal, the state aside.
    pub(super) fn descend(
        &self,
        graph: &Graph<K>,
        reduction: &Reduction,
        from: K,
    ) -> Result<Vec<K>, EngineError> {
        let Some(level) = self.level_of(from) else {
            return Ok(Vec::new());
        };
        let mut descent = Descent {
            perimeter: self,
            graph,
            reduction,
        };
        let mut way = way_back(&mut descent, from, Some(level.into()))?;
        way.remove(0);
        Ok(way)
    }
}

/// The levels of a perimeter, for the way along the moves to a goal: against the search.
struct Descent<'a, K> {
    perimeter: &'a Perimeter<K>,
    graph: &'a Graph<K>,
    reduction: &'a Reduction,
}

impl<K: Key> KeptLevels<K> for Descent<'_, K> {
    type Error = PluginError;

    fn nearest_below(&self, depth: Option<u32>) -> Option<u32> {
        depth.and_then(|depth| depth.checked_sub(1))
    }

    fn smallest_of(&mut self, depth: u32, wanted: &[K]) -> Result<Option<K>, PluginError> {
        let in_level = |key: &&K| self.perimeter.level_of(**key).map(u32::from) == Some(depth);
        Ok(wanted.iter().find(in_level).copied())
    }

    fn against(&mut self, states: &[K]) -> Result<Option<Vec<K>>, PluginError> {
        let mut out = Expansion::default();
        self.reduction
            .expand(self.graph, Steps::FORWARD, states, &mut out)?;
        Ok(Some(rising(out.keys())))
    }

    fn lost(&self, _depth: u32, state: K) -> PluginError {
        let fault = format!("lists a state that leads nowhere near: {state:?}");
        self.graph.opened.broken("predecessors", fault)
    }
}
