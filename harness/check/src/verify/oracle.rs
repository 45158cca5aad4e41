//! The distance that a run ought to give a state, derived on the reference variant by
//! searches that share nothing with the run but the rules.

use puzzle_api::{Direction, Key, UNSOLVABLE};

use antipode_graph::{Graph, PluginError};
use antipode_search::breadth_first::BreadthFirst;
use antipode_search::engines::{Roots, Search};
use antipode_search::forward::{ForwardSolver, Goal};
use antipode_search::steps::Steps;

/// States that one search of a check may see before it is given up.
pub const MOST_SEEN: u64 = 300_000;
/// States near the start that are kept for a run forward.
const MOST_NEAR: usize = 1_000_000;

/// A distance, or none where it could not be found in [`MOST_SEEN`] states; and the
/// states seen.
pub type Measured = (Option<u16>, u64);

type Depths<K> = std::collections::HashMap<K, u16, foldhash::fast::RandomState>;

/// Derives distances on the rules in the sense of one run.
#[derive(Debug)]
pub struct Oracle<K> {
    solver: ForwardSolver<K>,
    sense: Sense<K>,
}

/// What a distance means.
#[derive(Debug)]
enum Sense<K> {
    /// To a goal: a search forward from the state.
    To(Goal<K>),
    /// From the start: a search from the state back to the states near the start.
    From(Near<K>),
}

/// Every state up to a distance from the start, by search forward from it.
#[derive(Debug)]
struct Near<K> {
    /// Distances of the states.
    depths: Depths<K>,
    /// All states up to here are in it.
    radius: u16,
    /// Whether there are no others.
    all: bool,
    /// How states further out are led back.
    back: Option<Steps>,
}

impl<K: Key> Oracle<K> {
    /// The oracle of a search. Of a run forward, up to a million states near the start
    /// are searched here.
    ///
    /// # Errors
    /// [`PluginError`] where the puzzle fails.
    pub fn new(search: &Search<K>, solver: ForwardSolver<K>) -> Result<Self, PluginError> {
        let sense = match (search.direction, &search.roots) {
            (Direction::Forward, Roots::State(key)) => {
                Sense::From(Near::search(solver.graph(), vec![*key], MOST_NEAR)?)
            }
            (Direction::Forward, _) => {
                let starts = solver.graph().roots(Direction::Forward, 0)?;
                Sense::From(Near::search(solver.graph(), starts, MOST_NEAR)?)
            }
            (Direction::Backward, Roots::State(key)) => Sense::To(Goal::State(*key)),
            (Direction::Backward, _) => Sense::To(Goal::Solved),
        };
        Ok(Self { solver, sense })
    }

    /// The reference variant.
    #[must_use]
    pub fn rules(&self) -> &Graph<K> {
        self.solver.graph()
    }

    /// Why no distance can be derived for some states; nothing where all can be tried.
    #[must_use]
    pub fn obstacle(&self) -> Option<String> {
        match &self.sense {
            Sense::From(near) if !near.all && near.back.is_none() => Some(format!(
                "the reference lists no predecessors to lead a state back to the start by, and more than {MOST_NEAR} states can be reached from there"
            )),
            _ => None,
        }
    }

    /// How distances are derived, as part of a sentence.
    #[must_use]
    pub fn way(&self) -> &'static str {
        match &self.sense {
            Sense::To(_) => "solved forward on the rules",
            Sense::From(near) if near.all => "looked up in a search forward on the rules",
            Sense::From(_) => {
                "led back on the rules to the states near the start, which a search forward on the rules lists,"
            }
        }
    }

    /// The distance that the run ought to give a state; [`UNSOLVABLE`] for one that it
    /// must not meet, or must meet nearer or further than `claimed`.
    ///
    /// # Errors
    /// [`PluginError`] where the puzzle fails.
    pub fn distance(&self, key: K, claimed: Option<u16>) -> Result<Measured, PluginError> {
        match &self.sense {
            Sense::To(goal) => self.solver.within(key, goal, MOST_SEEN),
            Sense::From(near) => near.distance(self.solver.graph(), key, claimed),
        }
    }
}

impl<K: Key> Near<K> {
    fn search(rules: &Graph<K>, starts: Vec<K>, most: usize) -> Result<Self, PluginError> {
        let mut search = BreadthFirst::new(rules, &[Steps::FORWARD], &starts);
        let mut depths = Depths::default();
        loop {
            let level = search.level().iter().map(|&key| (key, search.depth()));
            depths.extend(level);
            if search.level().is_empty() || depths.len() >= most {
                break;
            }
            search.advance()?;
        }
        Ok(Self {
            all: search.level().is_empty(),
            depths,
            radius: search.depth(),
            // By listed moves only: a reversal is no part of the rulebook.
            back: Steps::backward(rules).filter(|steps| *steps != Steps::Turned),
        })
    }

    /// A shortest path to a state further out crosses the rim of what is kept, and the
    /// first level back that meets anything kept meets it at the rim: a state kept is at
    /// most `radius` away, and one nearer would be met from the rim earlier.
    fn distance(
        &self,
        rules: &Graph<K>,
        key: K,
        claimed: Option<u16>,
    ) -> Result<Measured, PluginError> {
        if let Some(&depth) = self.depths.get(&key) {
            return Ok((Some(depth), 1));
        }
        let (false, Some(back)) = (self.all, self.back) else {
            return Ok((self.all.then_some(UNSOLVABLE), 1));
        };
        let mut search = BreadthFirst::new(rules, &[back], &[key]);
        while !search.level().is_empty() {
            let depth = self.radius.saturating_add(search.depth());
            // Further than the run says is wrong, however far it is.
            if claimed.is_some_and(|claimed| depth >= claimed) {
                break;
            }
            if !search.advance_within(MOST_SEEN)? {
                return Ok((None, search.seen()));
            }
            let mut level = search.level().iter();
            if level.any(|key| self.depths.contains_key(key)) {
                return Ok((Some(depth.saturating_add(1)), search.seen()));
            }
        }
        Ok((Some(UNSOLVABLE), search.seen()))
    }
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;

    use puzzle_api::Settings;

    use super::*;
    use antipode_graph::Library;

    /// What is led back to a few states near the start has the distance that a whole
    /// search gives it.
    #[test]
    fn distances_led_back_are_those_of_a_whole_search() {
        let library = Arc::new(Library::built_in(antipode_tilt::table()));
        let opened = library
            .open("card-30", "bitboard", &Settings::new())
            .unwrap();
        let rules: Graph<u64> = Graph::new(opened).unwrap();
        let starts = rules.roots(Direction::Forward, 0).unwrap();
        let whole = Near::search(&rules, starts.clone(), usize::MAX).unwrap();
        let near = Near::search(&rules, starts, 5).unwrap();
        assert!(whole.all && !near.all);
        let far = whole
            .depths
            .values()
            .filter(|&&depth| depth > near.radius + 1);
        assert!(far.count() > 5);
        for (&key, &depth) in &whole.depths {
            let (found, _) = near.distance(&rules, key, None).unwrap();
            assert_eq!(found, Some(depth));
            let (found, _) = near.distance(&rules, key, Some(depth)).unwrap();
            assert_eq!(found, Some(depth));
            if depth > 0 {
                let (found, _) = near.distance(&rules, key, Some(depth - 1)).unwrap();
                assert_ne!(found, Some(depth - 1));
            }
        }
    }
}
