//! Breadth-first search in memory, on the calling thread, level by level, for at most a few million
//! states. The caller decides when it ends: it sees each level before the next is made.

use puzzle_api::Key;

use crate::steps::{BATCH, DirectionSteps};
use crate::visited::VisitedSet;
use antipode_graph::{Expansion, Graph, PluginError};

/// Lists the neighbours of a batch that a search is to use, in the order of the states.
pub type List<'a, K> =
    dyn Fn(DirectionSteps, &[K], &mut Expansion<K>) -> Result<(), PluginError> + 'a;

/// Levels around some roots; at first the roots themselves.
pub struct BreadthFirst<'a, K> {
    graph: &'a Graph<K>,
    ways: Vec<DirectionSteps>,
    list: Option<&'a List<'a, K>>,
    visited: VisitedSet<K>,
    level: Vec<K>,
    depth: u32,
    seen: u64,
    trail: Option<Trail<K>>,
    /// States expanded between two checks of the number of states met.
    batch: usize,
    /// Whether only the states of the level reached count as met.
    layered: bool,
    out: Expansion<K>,
}

/// The origin of the states of each level.
struct Trail<K> {
    /// The levels before the one reached.
    levels: Vec<Vec<K>>,
    /// For each state after level 0, a place in the level before it.
    origins: Vec<Vec<u32>>,
}

impl<'a, K: Key> BreadthFirst<'a, K> {
    /// A search by one or more ways to list neighbours.
    pub fn new(graph: &'a Graph<K>, ways: &[DirectionSteps], roots: &[K]) -> Self {
        let mut visited = VisitedSet::tables(1, 0);
        let new = roots.iter().copied().filter(|&key| visited.insert_one(key));
        let level: Vec<K> = new.collect();
        Self {
            graph,
            ways: ways.to_vec(),
            list: None,
            visited,
            seen: level.len() as u64,
            level,
            depth: 0,
            trail: None,
            batch: BATCH,
            layered: false,
            out: Expansion::default(),
        }
    }

    /// The same search of a graph in which no state comes back: it keeps no states met before the
    /// level reached.
    pub fn layered(self) -> Self {
        Self {
            layered: true,
            ..self
        }
    }

    /// The same search; it checks after every n states whether too many were found.
    pub fn looking_every(self, batch: usize) -> Self {
        let batch = batch.clamp(1, BATCH);
        Self { batch, ..self }
    }

    /// The same search, at its roots, with capacity for n states before its set must grow. Pages of
    /// outgrown tables cost more than empty slots, which take no pages.
    pub fn with_capacity(mut self, states: usize) -> Self {
        self.visited.reset(1, states);
        for &root in &self.level {
            self.visited.insert_one(root);
        }
        self
    }

    /// The same search with neighbours of another kind, such as representatives; the roots must
    /// be of that kind.
    pub fn listing(self, list: &'a List<'a, K>) -> Self {
        Self {
            list: Some(list),
            ..self
        }
    }

    /// The same search; it keeps what path reconstruction needs: 4 more bytes per state and a
    /// second copy of its key.
    pub fn traced(self) -> Self {
        Self {
            trail: Some(Trail {
                levels: Vec::new(),
                origins: Vec::new(),
            }),
            ..self
        }
    }

    /// The states of the level reached, in the order in which they were met. An empty level means
    /// that no further state can be reached.
    pub fn level(&self) -> &[K] {
        &self.level
    }

    /// Distance of that level from the roots.
    pub fn depth(&self) -> u32 {
        self.depth
    }

    /// States met so far.
    pub fn seen(&self) -> u64 {
        self.seen
    }

    /// Whether a state was met.
    pub fn has_met(&self, key: K) -> bool {
        self.visited.contains(key)
    }

    /// Leaves out states of the level reached: they count as met and are not expanded. A traced
    /// search keeps all.
    pub fn leave_out(&mut self, mut what: impl FnMut(&K) -> bool) {
        if self.trail.is_none() {
            self.level.retain(|key| !what(key));
        }
    }

    /// Expands only the states at these places of the level reached; the others count as met.
    pub fn keep(&mut self, places: &[usize]) {
        self.level = places.iter().map(|&at| self.level[at]).collect();
        if let Some(last) = self
            .trail
            .as_mut()
            .and_then(|trail| trail.origins.last_mut())
        {
            *last = places.iter().map(|&at| last[at]).collect();
        }
    }

    /// The levels so far of a traced search, as they were expanded, and the one reached.
    pub fn levels(&self) -> impl Iterator<Item = &[K]> {
        let before = self.trail.iter().flat_map(|trail| &trail.levels);
        before.map(Vec::as_slice).chain([self.level()])
    }

    /// Advances by a level.
    pub fn advance(&mut self) -> Result<(), PluginError> {
        self.advance_within(u64::MAX).map(drop)
    }

    /// Like [`BreadthFirst::advance`], but gives up before a batch if more than `most` states were
    /// met. It then returns false, and the level reached stays.
    pub fn advance_within(&mut self, most: u64) -> Result<bool, PluginError> {
        // Most levels have about as many states as the one before.
        let expected = self.level.len() + self.level.len() / 4;
        let (mut next, mut origins) = (Vec::with_capacity(expected), Vec::new());
        if self.trail.is_some() {
            origins.reserve_exact(expected);
        }
        if self.layered {
            self.visited = VisitedSet::tables(1, self.level.len());
        }
        for (nth, batch) in self.level.chunks(self.batch).enumerate() {
            for way in &self.ways {
                if self.seen > most {
                    return Ok(false);
                }
                around(self.graph, self.list, *way, batch, &mut self.out)?;
                let visited = &mut self.visited;
                let before = next.len();
                if self.trail.is_some() {
                    for i in 0..batch.len() {
                        let of = self.out.of(i).iter();
                        next.extend(of.filter(|&&key| visited.insert_one(key)));
                        origins.resize(next.len(), (nth * self.batch + i) as u32);
                    }
                } else {
                    let all = self.out.keys().iter();
                    next.extend(all.filter(|&&key| visited.insert_one(key)));
                }
                self.seen += (next.len() - before) as u64;
            }
        }
        let last = std::mem::replace(&mut self.level, next);
        if let Some(trail) = &mut self.trail {
            trail.levels.push(last);
            trail.origins.push(origins);
        }
        self.depth += 1;
        Ok(true)
    }

    /// Like [`BreadthFirst::advance`], but with a list that is not trusted. `holds` gets sorted
    /// batches of the new states that the list names; those it accepts are met, and the others may
    /// be named again. Gives up before more than `most` states are met: then returns false, and the
    /// level reached stays. Traces no paths.
    ///
    /// # Errors
    /// [`PluginError`] if the puzzle fails, or from `holds`.
    pub fn advance_where(
        &mut self,
        most: u64,
        mut holds: impl FnMut(&[K]) -> Result<Vec<bool>, PluginError>,
    ) -> Result<bool, PluginError> {
        let mut named = Vec::new();
        for batch in self.level.chunks(self.batch) {
            for way in &self.ways {
                around(self.graph, self.list, *way, batch, &mut self.out)?;
                let all = self.out.keys().iter();
                named.extend(all.filter(|&&key| !self.visited.contains(key)));
                // Half of them may be the same.
                if self.seen + named.len() as u64 > most.saturating_mul(2) {
                    distinct(&mut named);
                    if self.seen + named.len() as u64 > most {
                        return Ok(false);
                    }
                }
            }
        }
        distinct(&mut named);
        if self.seen + named.len() as u64 > most {
            return Ok(false);
        }
        self.level.clear();
        for batch in named.chunks(self.batch) {
            let held = batch.iter().zip(holds(batch)?).filter(|&(_, holds)| holds);
            self.level.extend(held.map(|(&key, _)| key));
        }
        for &key in &self.level {
            self.visited.insert_one(key);
        }
        self.seen += self.level.len() as u64;
        self.trail = None;
        self.depth += 1;
        Ok(true)
    }

    /// The path to state `at` of the level reached, from a root; in a search that is not traced,
    /// only the state.
    pub fn way_to(&self, at: usize) -> Vec<K> {
        let mut way = vec![self.level[at]];
        let mut at = at;
        if let Some(trail) = &self.trail {
            for (level, origins) in trail.levels.iter().zip(&trail.origins).rev() {
                at = origins[at] as usize;
                way.push(level[at]);
            }
        }
        way.reverse();
        way
    }
}

/// The neighbours of a batch, from the list if there is one.
fn around<K: Key>(
    graph: &Graph<K>,
    list: Option<&List<'_, K>>,
    way: DirectionSteps,
    batch: &[K],
    out: &mut Expansion<K>,
) -> Result<(), PluginError> {
    match list {
        Some(list) => list(way, batch, out),
        None => way.expand(graph, batch, out),
    }
}

fn distinct<K: Key>(keys: &mut Vec<K>) {
    keys.sort_unstable();
    keys.dedup();
}
