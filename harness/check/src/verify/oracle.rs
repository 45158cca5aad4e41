//! The distance that a run should have for a state, derived on the reference variant by searches
//! that share only the rules with the run.
//!
//! To find a goal, a search runs forward until it meets the states near the goals. These are found
//! by moves back, each confirmed by the rules (see `near`).

use puzzle_api::{Direction, Key, UNSOLVABLE};

use super::near::{Hopeless, Keys, MOST_HOPELESS, Near};
use antipode_graph::{Capabilities, Graph, PluginError};
use antipode_search::engines::{Roots, Search};
use antipode_search::forward::{ForwardSolver, Goal};
use antipode_search::parallel;
use antipode_search::steps::DirectionSteps;

/// States that one search of a check may see before it gives up.
pub(crate) const MOST_SEEN: u64 = 300_000;
/// States that a forward search may see before it is replaced by one from both ends.
const FORWARD: u64 = 200;
/// States near the goals that are kept for that.
const MOST_BEFORE: usize = 300_000;
/// States measured one after another in a batch.
const LOT: usize = 8;
/// Parts whose goals are listed for that.
const MOST_PARTS: u64 = 1_000;
/// States near the start that are kept for a run forward.
const MOST_NEAR: usize = 1_000_000;

/// A distance, or `None` if it could not be found in [`MOST_SEEN`] states; and the
/// states seen.
pub(crate) type Measured = (Option<u16>, u64);

/// Derives distances by the rules in the sense of one run.
#[derive(Debug)]
pub(crate) struct Oracle<K> {
    solver: ForwardSolver<K>,
    sense: Sense<K>,
}

/// What a distance means.
#[derive(Debug)]
enum Sense<K> {
    /// To a goal: a search forward from the state, to the states near the goals if these are known.
    To(Goal<K>, Near<K>),
    /// From the start: a search from the state back to the states near the start.
    From(Near<K>),
}

impl<K: Key> Oracle<K> {
    /// The oracle of a search. For a forward run, up to a million states near the start
    /// are searched here.
    pub(crate) fn new(search: &Search<K>, solver: ForwardSolver<K>) -> Result<Self, PluginError> {
        let rules = solver.graph();
        let sense = match search.direction {
            Direction::Forward => {
                let starts = match search.roots {
                    Roots::State(key) => vec![key],
                    _ => rules.roots(Direction::Forward, 0)?,
                };
                Sense::From(Near::after(rules, starts, MOST_NEAR)?)
            }
            Direction::Backward => {
                let (goal, goals) = match search.roots {
                    Roots::State(key) => (Goal::State(key), vec![key]),
                    _ => (Goal::Solved, solved(rules)?),
                };
                // If there are backward moves to find the states near them.
                let back = DirectionSteps::backward(rules).filter(|_| !goals.is_empty());
                let near = back.map(|back| Near::before(rules, &goals, back, MOST_BEFORE));
                Sense::To(goal, near.transpose()?.unwrap_or_else(Near::nothing))
            }
        };
        Ok(Self { solver, sense })
    }

    /// Why no distance can be derived for some states; `None` if all can be tried.
    pub(crate) fn obstacle(&self) -> Option<String> {
        match &self.sense {
            Sense::From(near) if !near.all && near.back.is_none() => Some(format!(
                "the reference lists no predecessors to lead a state back to the start by, and more than {MOST_NEAR} states can be reached from there"
            )),
            _ => None,
        }
    }

    /// How distances are derived, as part of a sentence.
    pub(crate) fn way(&self) -> &'static str {
        match &self.sense {
            Sense::To(_, near) if near.is_empty() => "solved forward on the rules",
            Sense::To(_, _) => {
                "solved on the rules from both ends, each backward move confirmed by the rules,"
            }
            Sense::From(near) if near.all => "looked up in a search forward on the rules",
            Sense::From(_) => {
                "led back on the rules to the states near the start, which a search forward on the rules lists,"
            }
        }
    }

    /// The distance that the run should have for a state; [`puzzle_api::UNSOLVABLE`] for one that
    /// it must not meet, or must meet nearer or further than `claimed`.
    pub(crate) fn distance(&self, key: K, claimed: Option<u16>) -> Result<Measured, PluginError> {
        self.distance_beside(key, claimed, &mut Hopeless::unknown())
    }

    /// Like [`Oracle::distance`], for several states side by side. States that lead to no goal are
    /// searched only once: `hopeless` holds those known before and after.
    pub(crate) fn distances(
        &self,
        asked: &[(K, Option<u16>)],
        hopeless: &mut Keys<K>,
    ) -> Result<Vec<Measured>, PluginError> {
        // What a batch learns is shared only when all batches are done, so no result depends on
        // which thread comes first.
        let known = &*hopeless;
        let lots = parallel::try_map(asked.chunks(LOT), |lot| {
            let mut hopeless = Hopeless::beside(known);
            let measured = lot
                .iter()
                .map(|&(key, claimed)| self.distance_beside(key, claimed, &mut hopeless))
                .collect::<Result<Vec<_>, PluginError>>()?;
            Ok::<_, PluginError>((measured, hopeless.learnt()))
        })?;
        let mut all = Vec::with_capacity(asked.len());
        for (measured, learnt) in lots {
            all.extend(measured);
            if hopeless.len() < MOST_HOPELESS {
                hopeless.extend(learnt);
            }
        }
        Ok(all)
    }

    /// Like [`Oracle::distance`], for one state of several: states that lead to no goal are
    /// searched once.
    pub(super) fn distance_beside(
        &self,
        key: K,
        claimed: Option<u16>,
        hopeless: &mut Hopeless<'_, K>,
    ) -> Result<Measured, PluginError> {
        match &self.sense {
            Sense::To(goal, near) => self.to_goal(key, goal, near, hopeless),
            Sense::From(near) => near.distance_from_starts(self.solver.graph(), key, claimed),
        }
    }

    fn to_goal(
        &self,
        key: K,
        goal: &Goal<K>,
        near: &Near<K>,
        hopeless: &mut Hopeless<'_, K>,
    ) -> Result<Measured, PluginError> {
        let mut seen = 0;
        if hopeless.has(&key) {
            return Ok((Some(UNSOLVABLE), 1));
        }
        if near.all {
            // If there is little to see, only the rules are used.
            let (distance, states) = self.solver.within(key, goal, FORWARD)?;
            if distance.is_some() {
                return Ok((distance, states));
            }
            seen = states;
        }
        let rules = self.solver.graph();
        let is_goal = |keys: &[K]| match goal {
            Goal::State(goal) => Ok(keys.iter().map(|key| key == goal).collect()),
            Goal::Solved => rules.is_solved(keys),
        };
        let (distance, more) = near.distance_to_goals(rules, key, &is_goal, hopeless)?;
        match distance {
            // The backward moves left out some states.
            None if !near.is_empty() => self.solver.within(key, goal, MOST_SEEN),
            _ => Ok((distance, seen + more)),
        }
    }
}

/// The solved states as the rulebook lists them, if it lists few parts and few states.
fn solved<K: Key>(rules: &Graph<K>) -> Result<Vec<K>, PluginError> {
    let parts = rules.opened.part_count;
    let mut goals = Vec::new();
    if !rules.has(Capabilities::SOLVED_ROOTS) || parts > MOST_PARTS {
        return Ok(goals);
    }
    for part in 0..parts {
        goals.extend(rules.roots(Direction::Backward, part)?);
        if goals.len() > MOST_BEFORE {
            return Ok(Vec::new());
        }
    }
    Ok(goals)
}
