//! Consistency of a finished part, state by state on the rules: solved is distance 0;
//! every other solvable state has a successor one closer and none more than one closer;
//! no successor of an unsolvable state is solvable. Over all states this proves the
//! distances, given the rules.

use std::sync::Mutex;

use foldhash::fast::RandomState;
use puzzle_api::{Direction, Key, UNSOLVABLE, Xorshift};
use rayon::prelude::*;

use antipode_reports::model::Evidence;

use super::evidence::{bound_text, evidence, first_few};
use super::{CONFIDENCE, upper_bound};
use crate::engine::{BATCH, Ended, EngineError, EngineKind, Search, walk_part};
use crate::observe::Observers;
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

/// Outcome of the check.
#[derive(Debug, Clone)]
pub struct Consistency {
    /// For reports.
    pub evidence: Evidence,
    /// A line for each of the first few faults.
    pub faults: Vec<String>,
    /// Whether every state of the instance was checked.
    pub exhaustive: bool,
}

#[derive(Default)]
struct Tally {
    states: u64,
    parts: u64,
    wrong_parts: u64,
    wrong: u64,
    faults: Vec<String>,
    stopped: bool,
}

/// Walks parts again with `engine` and checks every state of them on `rules`.
///
/// # Errors
/// [`EngineError`] from the puzzle or the engine.
pub fn check_consistency<K: Key>(
    search: &Search<K>,
    engine: EngineKind,
    rules: &Graph<K>,
    scope: ConsistencyScope,
    progress: &Progress,
) -> Result<Option<Consistency>, EngineError> {
    let all = search.parts()?;
    let chosen = match scope {
        ConsistencyScope::Off => return Ok(None),
        ConsistencyScope::All => all.clone(),
        ConsistencyScope::Parts { count, seed } => draw_parts(&all, count, seed),
    };
    let tally = Mutex::new(Tally::default());
    chosen.par_iter().try_for_each(|&part| {
        let checked = check_part(search, engine, rules, part, progress)?;
        let mut tally = tally
            .lock()
            .unwrap_or_else(std::sync::PoisonError::into_inner);
        match checked {
            None => tally.stopped = true,
            Some((states, wrong, mut faults)) => {
                tally.states += states;
                tally.parts += 1;
                tally.wrong += wrong;
                tally.wrong_parts += u64::from(wrong > 0);
                tally.faults.append(&mut faults);
                progress.parts(1);
            }
        }
        Ok::<_, EngineError>(())
    })?;
    let tally = tally
        .into_inner()
        .unwrap_or_else(std::sync::PoisonError::into_inner);
    Ok(Some(conclude(tally, all.len() as u64)))
}

fn draw_parts(all: &[u64], count: u64, seed: u64) -> Vec<u64> {
    if all.len() as u64 <= count {
        return all.to_vec();
    }
    let mut random = Xorshift::for_draw(seed, 0x636f_6e73);
    let mut chosen = std::collections::BTreeSet::new();
    while (chosen.len() as u64) < count {
        chosen.insert(all[random.below(all.len() as u64) as usize]);
    }
    chosen.into_iter().collect()
}

fn conclude(mut tally: Tally, parts_total: u64) -> Consistency {
    let exhaustive = !tally.stopped && tally.parts == parts_total;
    tally.faults.sort_unstable();
    let (states, parts, wrong) = (tally.states, tally.parts, tally.wrong);
    // The draw is of parts, so the bound is on parts: states within one are not independent.
    let bound = upper_bound(parts, tally.wrong_parts, CONFIDENCE);
    let scope = if exhaustive {
        format!("all {states} orbits")
    } else {
        format!("all {states} orbits of {parts} of {parts_total} parts, drawn at random")
    };
    let reach = if exhaustive {
        String::new()
    } else {
        bound_text(bound).replace("of all are wrong", "of all parts hold a wrong distance")
    };
    let text = format!(
        "{scope}: {wrong} break the rule that a distance is one more than the least distance among the successors, on the rules{reach}"
    );
    let mut evidence = evidence("consistency", states, wrong, bound, text);
    if exhaustive {
        evidence.population = Some(states.into());
        evidence.bound = None;
    }
    Consistency {
        evidence,
        faults: first_few(tally.faults),
        exhaustive,
    }
}

/// States checked, number and lines of faults; `None` when stopped.
type Checked = Option<(u64, u64, Vec<String>)>;

fn check_part<K: Key>(
    search: &Search<K>,
    engine: EngineKind,
    rules: &Graph<K>,
    part: u64,
    progress: &Progress,
) -> Result<Checked, EngineError> {
    let mut observers = Observers::collecting();
    if walk_part(engine, search, part, &mut observers, progress)? == Ended::Stopped {
        return Ok(None);
    }
    let all = observers.collected.into_vec();
    let mut distances = Distances::with_capacity_and_hasher(all.len(), RandomState::default());
    let mut faults = Faults::new(rules);
    for state in &all {
        if distances.insert(state.key, state.depth).is_some() {
            faults.add(state.key, "delivered more than once by the run")?;
        }
    }
    let mut out = Expansion::default();
    for chunk in all.chunks(BATCH) {
        if progress.stopping() {
            return Ok(None);
        }
        let keys: Vec<K> = chunk.iter().map(|state| state.key).collect();
        let solved = rules.is_solved(&keys)?;
        rules.expand(Direction::Forward, &keys, &mut out)?;
        if search.symmetry {
            rules.canonical(out.keys_mut(), None)?;
        }
        for (i, state) in chunk.iter().enumerate() {
            let closest = out.of(i).iter().map(|key| distances.get(key)).min();
            // `None` sorts first: a successor that the run did not deliver at all.
            let verdict = match closest {
                Some(None) => Err("has a successor that the run did not deliver"),
                Some(Some(&least)) => judge(state.depth, solved[i], least),
                None => judge(state.depth, solved[i], UNSOLVABLE),
            };
            if let Err(rule) = verdict {
                faults.add(state.key, rule)?;
            }
        }
    }
    Ok(Some((all.len() as u64, faults.count, faults.lines)))
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
