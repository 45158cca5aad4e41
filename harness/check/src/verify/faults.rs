//! Faults found by a check: their number, and the first few as lines.

use std::collections::HashSet;

use antipode_graph::{Graph, PluginError};
use antipode_search::observers::{ConsistencyTally, Distance};
use puzzle_api::Key;

/// Lines kept of one part.
const FEW: usize = 3;

/// Faults of one part.
pub(super) struct Faults<'a, K> {
    rules: &'a Graph<K>,
    count: u64,
    /// Positions of the states counted: each counts once.
    counted: HashSet<usize>,
    /// States that were not delivered.
    pub(super) missing: HashSet<K>,
    lines: Vec<String>,
}

impl<'a, K: Key> Faults<'a, K> {
    pub(super) fn new(rules: &'a Graph<K>) -> Self {
        Self {
            rules,
            count: 0,
            counted: HashSet::new(),
            missing: HashSet::new(),
            lines: Vec::new(),
        }
    }

    /// Counts the state at a position, once.
    pub(super) fn add(&mut self, at: usize, key: K, rule: &str) -> Result<(), PluginError> {
        if self.counted.insert(at) {
            self.tell(key, rule)?;
        }
        Ok(())
    }

    /// Counts orbits that the run delivered already, by their positions.
    pub(super) fn add_repeated(
        &mut self,
        repeated: &[usize],
        states: &[Distance<K>],
    ) -> Result<(), PluginError> {
        repeated.iter().try_for_each(|&orbit| {
            let key = states[orbit].key;
            self.add(orbit, key, "delivered more than once by the run")
        })
    }

    /// Passes on the findings of one part.
    pub(super) fn close(self, tally: &mut ConsistencyTally) {
        tally.parts += 1;
        tally.wrong += self.count;
        tally.wrong_parts += u64::from(self.count > 0);
        tally.faults.extend(self.lines);
    }

    /// Counts states that were not delivered, each once.
    pub(super) fn add_missing(
        &mut self,
        missing: impl IntoIterator<Item = (K, &'static str)>,
    ) -> Result<(), PluginError> {
        for (key, rule) in missing {
            if self.missing.insert(key) {
                self.tell(key, rule)?;
            }
        }
        Ok(())
    }

    fn tell(&mut self, key: K, rule: &str) -> Result<(), PluginError> {
        self.count += 1;
        if self.lines.len() < FEW {
            self.lines
                .push(format!("{}: {rule}", self.rules.draw(key)?));
        }
        Ok(())
    }
}
