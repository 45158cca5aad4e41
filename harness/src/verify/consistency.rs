//! Consistency of a finished part, state by state on the rules: solved is distance 0;
//! every other solvable state has a successor one closer and none more than one closer;
//! no successor of an unsolvable state is solvable. Over all states this proves the
//! distances, given the rules. With symmetry each state must also be the representative
//! of its orbit, and count as many states as its orbit has.

use std::collections::BTreeSet;

use foldhash::fast::RandomState;
use puzzle_api::{Direction, Key, UNSOLVABLE, Xorshift};

use antipode_reports::model::Evidence;

use super::evidence::{evidence, first_few};
use super::{CONFIDENCE, upper_bound};
use crate::engine::{BATCH, EngineError};
use crate::observe::{ConsistencyTally, Distance};
use crate::plugin::{Expansion, Graph, PluginError};
use crate::progress::Progress;

type Distances<K> = std::collections::HashMap<K, u16, RandomState>;

/// How much of an instance is checked.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum ConsistencyScope {
    /// Nothing.
    Off,
    /// Parts drawn at random from a seed; all of their states.
    Parts {
        /// How many.
        count: u64,
        /// Seed of the draw.
        seed: u64,
    },
    /// Every state: a proof.
    All,
}

impl ConsistencyScope {
    /// The parts in scope.
    #[must_use]
    pub fn parts(self, all: &[u64]) -> BTreeSet<u64> {
        match self {
            Self::Off => BTreeSet::new(),
            Self::Parts { count, seed } if count < all.len() as u64 => {
                let mut random = Xorshift::for_draw(seed, 0x636f_6e73);
                let mut chosen = BTreeSet::new();
                while (chosen.len() as u64) < count {
                    chosen.insert(all[random.below(all.len() as u64) as usize]);
                }
                chosen
            }
            Self::Parts { .. } | Self::All => all.iter().copied().collect(),
        }
    }
}

/// The check as a sentence with its bound; exhaustive (and then a proof) where it went
/// over all `parts_total` parts.
#[must_use]
pub fn consistency(tally: &ConsistencyTally, parts_total: u64) -> (Evidence, Vec<String>) {
    const RULE: &str = "a distance must be one more than the least among the successors";
    let found = if tally.parts == parts_total {
        let text = format!("Every state, on the rules: {RULE}.");
        let mut found = evidence("consistency", tally.states, tally.wrong, None, text);
        found.population = Some(tally.states.into());
        found
    } else {
        // The draw is of parts, so the bound is on parts: states within one are not independent.
        let (parts, wrong) = (tally.parts, tally.wrong_parts);
        let text = format!(
            "Parts drawn at random, every state of them ({} orbits), on the rules: {RULE}. Counted in parts:",
            tally.states
        );
        let bound = upper_bound(parts, wrong, CONFIDENCE);
        let mut found = evidence("consistency", parts, wrong, bound, text);
        found.population = Some(parts_total.into());
        found
    };
    let mut faults = tally.faults.clone();
    faults.sort_unstable();
    (found, first_few(faults))
}

/// Checks every state of one part on the rules. `whole` says that the run delivered
/// unsolvable states too; else a state that it did not deliver counts as one. Gives
/// false when stopped midway.
///
/// # Errors
/// [`EngineError`] where the puzzle fails.
pub fn check_part<K: Key>(
    rules: &Graph<K>,
    states: &[Distance<K>],
    symmetry: bool,
    whole: bool,
    tally: &mut ConsistencyTally,
    progress: &Progress,
) -> Result<bool, EngineError> {
    let mut distances = Distances::with_capacity_and_hasher(states.len(), RandomState::default());
    let mut faults = Faults::new(rules);
    for state in states {
        if distances.insert(state.key, state.depth).is_some() {
            faults.add(state.key, "delivered more than once by the run")?;
        }
    }
    let undelivered = (!whole).then_some(UNSOLVABLE);
    let mut out = Expansion::default();
    for chunk in states.chunks(BATCH) {
        if progress.stopping() {
            return Ok(false);
        }
        let keys: Vec<K> = chunk.iter().map(|state| state.key).collect();
        let solved = rules.is_solved(&keys)?;
        rules.expand(Direction::Forward, &keys, &mut out)?;
        if symmetry {
            rules.canonical(out.keys_mut(), None)?;
        }
        let orbits = if symmetry {
            orbit_faults(rules, chunk)?
        } else {
            vec![None; chunk.len()]
        };
        for (i, state) in chunk.iter().enumerate() {
            let depths = out.of(i).iter();
            // `None` sorts first: a successor that the run should have delivered.
            let least = depths
                .map(|key| distances.get(key).copied().or(undelivered))
                .min();
            let verdict = match least {
                Some(None) => Err("has a successor that the run did not deliver"),
                Some(Some(least)) => judge(state.depth, solved[i], least),
                None => judge(state.depth, solved[i], UNSOLVABLE),
            };
            if let Some(rule) = orbits[i].or(verdict.err()) {
                faults.add(state.key, rule)?;
            }
        }
    }
    tally.states += states.len() as u64;
    tally.parts += 1;
    tally.wrong += faults.count;
    tally.wrong_parts += u64::from(faults.count > 0);
    tally.faults.append(&mut faults.lines);
    Ok(true)
}

/// What is wrong with each state as the representative of its orbit, on the rules.
fn orbit_faults<K: Key>(
    rules: &Graph<K>,
    states: &[Distance<K>],
) -> Result<Vec<Option<&'static str>>, PluginError> {
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
fn judge(depth: u16, solved: bool, least: u16) -> Result<(), &'static str> {
    match (solved, depth) {
        (true, 0) => Ok(()),
        (true, _) => Err("is solved, but not at distance 0"),
        (false, 0) => Err("is at distance 0, but not solved"),
        (false, UNSOLVABLE) if least == UNSOLVABLE => Ok(()),
        (false, UNSOLVABLE) => Err("counts as unsolvable, but has a solvable successor"),
        (false, _) if least == UNSOLVABLE => Err("counts as solvable, but no successor is"),
        (false, _) if least + 1 > depth => Err("has no successor one closer"),
        (false, _) if least + 1 < depth => Err("has a successor more than one closer"),
        (false, _) => Ok(()),
    }
}

struct Faults<'a, K> {
    rules: &'a Graph<K>,
    count: u64,
    lines: Vec<String>,
}

impl<'a, K: Key> Faults<'a, K> {
    fn new(rules: &'a Graph<K>) -> Self {
        Self {
            rules,
            count: 0,
            lines: Vec::new(),
        }
    }

    fn add(&mut self, key: K, rule: &str) -> Result<(), PluginError> {
        self.count += 1;
        if self.lines.len() < 3 {
            self.lines
                .push(format!("{}: {rule}", self.rules.draw(key)?));
        }
        Ok(())
    }
}
