//! Consistency of a finished part, state by state on the rules (see `consistency`).

use std::collections::HashSet;

use foldhash::fast::RandomState;
use puzzle_api::{Capabilities, Direction, Key, UNSOLVABLE};

use antipode_graph::{Expansion, Graph, PluginError};
use antipode_search::engines::{BATCH, EngineError, Roots, Search};
use antipode_search::observers::{ConsistencyTally, Distance};
use antipode_search::progress::Progress;

type Delivered<K> = std::collections::HashMap<K, (u16, usize), RandomState>;

/// What a part is checked against.
#[derive(Debug, Clone, Copy)]
pub struct PartRules<'a, K> {
    /// What was searched.
    pub search: &'a Search<K>,
    /// The reference variant.
    pub rules: &'a Graph<K>,
    /// Whether the run delivers unsolvable states too; else a state that it did not
    /// deliver counts as one.
    pub whole: bool,
}

impl<'a, K: Key> PartRules<'a, K> {
    /// Replaces states by the representatives that the run works with, on the rules
    /// where they know symmetry.
    ///
    /// # Errors
    /// [`PluginError`] where the puzzle fails.
    pub fn reduce(&self, keys: &mut [K]) -> Result<(), PluginError> {
        match (self.search.symmetry, self.rules.has(Capabilities::SYMMETRY)) {
            (false, _) => Ok(()),
            (true, true) => self.rules.canonical(keys, None),
            (true, false) => self.search.graph.canonical(keys, None),
        }
    }

    /// The numbering that delivered states are counted by: the reference's, where it has
    /// one with the same parts.
    #[must_use]
    pub fn numbering(&self) -> Option<&'a Graph<K>> {
        let (rules, graph) = (self.rules, &self.search.graph);
        let same_parts = rules.opened.part_count == graph.opened.part_count;
        if rules.has(Capabilities::RANK) && same_parts {
            Some(rules)
        } else {
            graph.has(Capabilities::RANK).then_some(graph)
        }
    }

    /// Whether a state that the run left out is noticed.
    #[must_use]
    pub fn counted(&self) -> bool {
        match self.search.direction {
            Direction::Forward => true,
            Direction::Backward => self.whole && self.numbering().is_some(),
        }
    }

    /// States at distance 0 by the reference, as the run delivers them.
    fn goals(&self, part: u64) -> Result<Vec<K>, PluginError> {
        let mut goals = match (&self.search.roots, self.search.direction) {
            (Roots::State(key), _) => vec![*key],
            (Roots::Starts, _) => self.rules.roots(Direction::Forward, part)?,
            (Roots::Solved, _) if self.rules.has(Capabilities::SOLVED_ROOTS) => {
                self.rules.roots(Direction::Backward, part)?
            }
            (Roots::Solved, _) => Vec::new(),
        };
        self.reduce(&mut goals)?;
        Ok(goals)
    }
}

/// Checks every state of one part on the rules. Gives false when stopped midway.
///
/// # Errors
/// [`EngineError`] where the puzzle fails.
pub fn check_part<K: Key>(
    against: &PartRules<'_, K>,
    part: u64,
    states: &[Distance<K>],
    tally: &mut ConsistencyTally,
    progress: &Progress,
) -> Result<bool, EngineError> {
    let mut check = PartCheck::new(against, states)?;
    let goals = against.goals(part)?;
    let goal_set: HashSet<K> = goals.iter().copied().collect();
    let mut out = Expansion::default();
    for (nth, chunk) in states.chunks(BATCH).enumerate() {
        if progress.stopping() {
            return Ok(false);
        }
        let keys: Vec<K> = chunk.iter().map(|state| state.key).collect();
        let goal = match against.search.roots {
            Roots::Solved => against.rules.is_solved(&keys)?,
            _ => keys.iter().map(|key| goal_set.contains(key)).collect(),
        };
        against.rules.expand(Direction::Forward, &keys, &mut out)?;
        against.reduce(out.keys_mut())?;
        let orbits = if against.search.symmetry {
            orbit_faults(against, chunk)?
        } else {
            vec![None; chunk.len()]
        };
        for (i, state) in chunk.iter().enumerate() {
            let of_moves = match against.search.direction {
                Direction::Backward => check.backward(state, goal[i], out.of(i)),
                Direction::Forward => check.forward(state, goal[i], out.of(i)),
            };
            if let Some(rule) = orbits[i].or(of_moves) {
                check.faults.add(nth * BATCH + i, state.key, rule)?;
            }
        }
    }
    if against.search.direction == Direction::Forward {
        check.without_predecessor(states)?;
    }
    let mut missing = check.missing_goals(&goals)?;
    if against.whole && !check.missing_ranks(part, &mut missing, progress)? {
        return Ok(false);
    }
    let faults = check.faults;
    tally.states += (states.len() + missing.len()) as u64;
    tally.parts += 1;
    tally.wrong += faults.count;
    tally.wrong_parts += u64::from(faults.count > 0);
    tally.faults.extend(faults.lines);
    Ok(true)
}

/// A part's states by key, and what was found wrong with them.
struct PartCheck<'a, K> {
    against: &'a PartRules<'a, K>,
    /// Distance and position of each state delivered.
    delivered: Delivered<K>,
    /// States that a state one closer leads to, by position (forward).
    reached: Vec<bool>,
    faults: Faults<'a, K>,
}

impl<'a, K: Key> PartCheck<'a, K> {
    fn new(against: &'a PartRules<'a, K>, states: &[Distance<K>]) -> Result<Self, PluginError> {
        let mut delivered =
            Delivered::with_capacity_and_hasher(states.len(), RandomState::default());
        let mut faults = Faults::new(against.rules);
        for (at, state) in states.iter().enumerate() {
            if delivered.insert(state.key, (state.depth, at)).is_some() {
                faults.add(at, state.key, "delivered more than once by the run")?;
            }
        }
        Ok(Self {
            against,
            delivered,
            reached: vec![false; states.len()],
            faults,
        })
    }

    /// The rules for one state of a run backward.
    fn backward(&self, state: &Distance<K>, goal: bool, successors: &[K]) -> Option<&'static str> {
        let undelivered = (!self.against.whole).then_some(UNSOLVABLE);
        let depth_of = |key| match self.delivered.get(key) {
            Some(&(depth, _)) => Some(depth),
            None => undelivered,
        };
        // `None` sorts first: a successor that the run should have delivered.
        match successors.iter().map(depth_of).min() {
            Some(None) => Some("has a successor that the run did not deliver"),
            Some(Some(least)) => judge(state.depth, goal, least),
            None => judge(state.depth, goal, UNSOLVABLE),
        }
    }

    /// The rules for one state of a run forward, and a mark on those that it leads to.
    fn forward(
        &mut self,
        state: &Distance<K>,
        start: bool,
        successors: &[K],
    ) -> Option<&'static str> {
        let last = self.against.search.max_depth == Some(state.depth);
        let mut fault = match (start, state.depth) {
            (true, 1..) => Some("is a start, but not at distance 0"),
            (false, 0) => Some("is at distance 0, but no start"),
            _ => None,
        };
        let next = state.depth.saturating_add(1);
        for successor in successors {
            match self.delivered.get(successor) {
                None if last => {}
                None => fault = fault.or(Some("has a successor that the run did not deliver")),
                Some(&(depth, _)) if depth > next => {
                    fault = fault.or(Some("has a successor more than one further on"));
                }
                Some(&(depth, at)) => self.reached[at] |= depth == next,
            }
        }
        fault
    }

    /// States that no state one closer leads to.
    fn without_predecessor(&mut self, states: &[Distance<K>]) -> Result<(), PluginError> {
        for (at, state) in states.iter().enumerate() {
            // Of a state delivered twice the last position counts; it is a fault already.
            if state.depth > 0 && !self.reached[at] {
                self.faults
                    .add(at, state.key, "has no predecessor one closer")?;
            }
        }
        Ok(())
    }

    /// Goals that the run did not deliver.
    fn missing_goals(&mut self, goals: &[K]) -> Result<HashSet<K>, PluginError> {
        let mut missing = HashSet::new();
        for &goal in goals {
            if !self.delivered.contains_key(&goal) && missing.insert(goal) {
                self.faults
                    .add_missing(goal, "is at distance 0, and the run did not deliver it")?;
            }
        }
        Ok(missing)
    }

    /// Orbits of ranks that the run did not deliver. Gives false when stopped midway.
    fn missing_ranks(
        &mut self,
        part: u64,
        missing: &mut HashSet<K>,
        progress: &Progress,
    ) -> Result<bool, PluginError> {
        let Some(numbering) = self.against.numbering() else {
            return Ok(true);
        };
        let size = numbering.space(part)?.unwrap_or(0);
        let mut keys = Vec::new();
        for start in (0..size).step_by(BATCH) {
            if progress.stopping() {
                return Ok(false);
            }
            let ranks: Vec<u64> = (start..size.min(start + BATCH as u64)).collect();
            numbering.unrank(part, &ranks, &mut keys)?;
            // Most ranks are representatives: only the others are led to theirs.
            keys.retain(|key| !self.delivered.contains_key(key));
            self.against.reduce(&mut keys)?;
            for &key in &keys {
                if !self.delivered.contains_key(&key) && missing.insert(key) {
                    self.faults
                        .add_missing(key, "has a rank, and the run did not deliver it")?;
                }
            }
        }
        Ok(true)
    }
}

/// What is wrong with each state as the representative of its orbit, on the rules.
fn orbit_faults<K: Key>(
    against: &PartRules<'_, K>,
    states: &[Distance<K>],
) -> Result<Vec<Option<&'static str>>, PluginError> {
    let rules = if against.rules.has(Capabilities::SYMMETRY) {
        against.rules
    } else {
        &against.search.graph
    };
    let mut keys: Vec<K> = states.iter().map(|state| state.key).collect();
    let mut sizes = Vec::with_capacity(keys.len());
    rules.canonical(&mut keys, Some(&mut sizes))?;
    let fault = |(state, (key, size)): (&Distance<K>, (K, u32))| {
        if key != state.key {
            Some("is not the representative of its orbit")
        } else {
            (size != state.orbit_size)
                .then_some("counts as another number of states than its orbit has")
        }
    };
    Ok(states
        .iter()
        .zip(keys.into_iter().zip(sizes))
        .map(fault)
        .collect())
}

/// The rule for one state, given the least distance among its successors.
fn judge(depth: u16, solved: bool, least: u16) -> Option<&'static str> {
    match (solved, depth) {
        (true, 0) => None,
        (true, _) => Some("is solved, but not at distance 0"),
        (false, 0) => Some("is at distance 0, but not solved"),
        (false, UNSOLVABLE) if least == UNSOLVABLE => None,
        (false, UNSOLVABLE) => Some("counts as unsolvable, but has a solvable successor"),
        (false, _) if least == UNSOLVABLE => Some("counts as solvable, but no successor is"),
        (false, _) if least + 1 > depth => Some("has no successor one closer"),
        (false, _) if least + 1 < depth => Some("has a successor more than one closer"),
        (false, _) => None,
    }
}

struct Faults<'a, K> {
    rules: &'a Graph<K>,
    count: u64,
    /// Positions of the states counted: each counts once.
    counted: HashSet<usize>,
    lines: Vec<String>,
}

impl<'a, K: Key> Faults<'a, K> {
    fn new(rules: &'a Graph<K>) -> Self {
        Self {
            rules,
            count: 0,
            counted: HashSet::new(),
            lines: Vec::new(),
        }
    }

    /// Counts the state at a position, once.
    fn add(&mut self, at: usize, key: K, rule: &str) -> Result<(), PluginError> {
        if self.counted.insert(at) {
            self.add_missing(key, rule)?;
        }
        Ok(())
    }

    /// Counts a state that was not delivered.
    fn add_missing(&mut self, key: K, rule: &str) -> Result<(), PluginError> {
        self.count += 1;
        if self.lines.len() < 3 {
            self.lines
                .push(format!("{}: {rule}", self.rules.draw(key)?));
        }
        Ok(())
    }
}
