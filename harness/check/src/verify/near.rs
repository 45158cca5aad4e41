//! States near the roots of a run, with their distances by the rules: a long search from a state
//! can end at them.

use foldhash::fast::RandomState;
use puzzle_api::{Direction, Key, UNSOLVABLE};

use super::oracle::{MOST_SEEN, Measured};
use antipode_graph::{Expansion, Graph, PluginError};
use antipode_search::breadth_first::BreadthFirst;
use antipode_search::outcome::counted;
use antipode_search::steps::DirectionSteps;

type Depths<K> = std::collections::HashMap<K, u16, RandomState>;
pub(crate) type Keys<K> = std::collections::HashSet<K, RandomState>;

/// States from which searches on the rules met no goal, so the next search need not go beyond them.
/// New ones are kept apart from known ones, which threads may share.
#[derive(Debug)]
pub(super) struct Hopeless<'a, K> {
    known: Option<&'a Keys<K>>,
    learnt: Keys<K>,
}

/// Most such states kept.
pub(super) const MOST_HOPELESS: usize = 1_000_000;

impl<'a, K: Key> Hopeless<'a, K> {
    pub(super) fn unknown() -> Self {
        Self {
            known: None,
            learnt: Keys::default(),
        }
    }

    pub(super) fn beside(known: &'a Keys<K>) -> Self {
        Self {
            known: Some(known),
            ..Self::unknown()
        }
    }

    pub(super) fn learnt(self) -> Keys<K> {
        self.learnt
    }

    pub(super) fn has(&self, key: &K) -> bool {
        self.learnt.contains(key) || self.known.is_some_and(|known| known.contains(key))
    }

    fn learn(&mut self, keys: Vec<K>) {
        if self.learnt.len() + keys.len() <= MOST_HOPELESS {
            self.learnt.extend(keys);
        }
    }
}

/// Which of some states are goals.
type IsGoal<'a, K> = dyn Fn(&[K]) -> Result<Vec<bool>, PluginError> + 'a;

/// Every state up to a distance from the roots.
#[derive(Debug)]
pub(super) struct Near<K> {
    /// Distances of the states.
    depths: Depths<K>,
    /// It has all states up to this distance.
    radius: u16,
    /// Whether there are no others.
    pub(super) all: bool,
    /// The graph for moves back from states further out.
    pub(super) back: Option<DirectionSteps>,
}

impl<K: Key> Near<K> {
    /// The states reachable from some starts, in as many levels as fit into `most`.
    pub(super) fn after(
        rules: &Graph<K>,
        starts: Vec<K>,
        most: usize,
    ) -> Result<Self, PluginError> {
        let mut search = BreadthFirst::new(rules, &[DirectionSteps::FORWARD], &starts);
        let mut depths = Depths::default();
        let mut radius = 0;
        loop {
            depths.extend(search.level().iter().map(|&key| (key, radius)));
            if search.level().is_empty() || depths.len() >= most {
                break;
            }
            let Some(next) = counted(search.depth() + 1) else {
                break;
            };
            search.advance()?;
            radius = next;
        }
        Ok(Self {
            all: search.level().is_empty(),
            depths,
            radius,
            // By listed moves only: time reversal is no part of the rulebook.
            back: DirectionSteps::backward(rules).filter(|steps| *steps != DirectionSteps::Turned),
        })
    }

    /// No states: searches do all the work.
    pub(super) fn nothing() -> Self {
        Self::up_to(Depths::default(), 0, false)
    }

    pub(super) fn is_empty(&self) -> bool {
        self.depths.is_empty()
    }

    /// The states that lead to some goals, in as many levels as fit into `most`. Each was listed by
    /// backward moves, and is kept if the rules lead from it to a state one nearer.
    pub(super) fn before(
        rules: &Graph<K>,
        goals: &[K],
        back: DirectionSteps,
        most: usize,
    ) -> Result<Self, PluginError> {
        let mut search = BreadthFirst::new(rules, &[back], goals);
        let (mut depths, mut out) = (Depths::default(), Expansion::default());
        let mut radius = 0;
        loop {
            depths.extend(search.level().iter().map(|&key| (key, radius)));
            if search.level().is_empty() {
                return Ok(Self::up_to(depths, radius, true));
            }
            let Some(next) = counted(search.depth() + 1) else {
                return Ok(Self::up_to(depths, radius, false));
            };
            let leads = |key: &K| depths.get(key) == Some(&radius);
            let went = search.advance_where(most as u64, |listed| {
                rules.expand(Direction::Forward, listed, &mut out)?;
                let each = (0..listed.len()).map(|i| out.of(i).iter().any(leads));
                Ok(each.collect())
            })?;
            if !went {
                return Ok(Self::up_to(depths, radius, false));
            }
            radius = next;
        }
    }

    fn up_to(depths: Depths<K>, radius: u16, all: bool) -> Self {
        Self {
            depths,
            radius,
            all,
            back: None,
        }
    }

    /// The distance of a state from the starts. A shortest path to a state further out crosses the
    /// rim of what is kept, and the first level back that meets a kept state meets it at the rim. A
    /// kept state is at most `radius` away, and a nearer one would be met from the rim earlier.
    pub(super) fn distance_from_starts(
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
            let depth = u32::from(self.radius) + search.depth();
            // A distance greater than the run's is wrong, however great it is.
            if claimed.is_some_and(|claimed| depth >= claimed.into()) {
                break;
            }
            if !search.advance_within(MOST_SEEN)? {
                return Ok((None, search.seen()));
            }
            let mut level = search.level().iter();
            if level.any(|key| self.depths.contains_key(key)) {
                return Ok((counted(depth + 1), search.seen()));
            }
        }
        Ok((Some(UNSOLVABLE), search.seen()))
    }

    /// The distance of a state to the goals, by a forward search that ends at a kept state, or at a
    /// goal that was not listed. `None` if the level after that shows that something is missing
    /// here.
    pub(super) fn distance_to_goals(
        &self,
        rules: &Graph<K>,
        key: K,
        solved: &IsGoal<'_, K>,
        hopeless: &mut Hopeless<'_, K>,
    ) -> Result<Measured, PluginError> {
        let mut search = BreadthFirst::new(rules, &[DirectionSteps::FORWARD], &[key]);
        let (mut met, mut all): (Option<u32>, Vec<K>) = (None, Vec::new());
        loop {
            search.leave_out(|key| hopeless.has(key));
            if search.level().is_empty() {
                break;
            }
            let is_goal = solved(search.level())?;
            let distances = search.level().iter().zip(is_goal);
            let distances = distances.filter_map(|(key, is_goal)| match is_goal {
                true => Some(0),
                false => self.depths.get(key).copied(),
            });
            let least = distances.min();
            let least = least.map(|least| u32::from(least) + search.depth());
            match (met, least) {
                (Some(met), Some(least)) if least < met => return Ok((None, search.seen())),
                (Some(met), _) => return Ok((counted(met), search.seen())),
                // Nothing is kept that could be wrong.
                (None, Some(least)) if self.is_empty() => {
                    return Ok((counted(least), search.seen()));
                }
                (None, least) => met = least,
            }
            if met.is_none() {
                all.extend_from_slice(search.level());
            }
            if !search.advance_within(MOST_SEEN)? {
                return Ok((met.and_then(counted), search.seen()));
            }
        }
        if met.is_none() {
            hopeless.learn(all);
        }
        Ok((met.map_or(Some(UNSOLVABLE), counted), search.seen()))
    }
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;

    use puzzle_api::Settings;

    use super::*;
    use antipode_graph::Library;
    use antipode_search::forward::ForwardSolver;

    fn card(name: &str) -> Graph<u64> {
        let library = Arc::new(Library::built_in(antipode_tilt::table()));
        let opened = library.open(name, "bitboard", &Settings::new());
        Graph::new(opened.unwrap()).unwrap()
    }

    /// A search that ends at states near the start has the same distance as a whole search.
    #[test]
    fn distances_led_back_are_those_of_a_whole_search() {
        let rules = card("card-30");
        let starts = rules.roots(Direction::Forward, 0).unwrap();
        let whole = Near::after(&rules, starts.clone(), usize::MAX).unwrap();
        let near = Near::after(&rules, starts, 5).unwrap();
        assert!(whole.all && !near.all);
        let far = whole
            .depths
            .values()
            .filter(|&&depth| depth > near.radius + 1);
        assert!(far.count() > 5);
        for (&key, &depth) in &whole.depths {
            let (found, _) = near.distance_from_starts(&rules, key, None).unwrap();
            assert_eq!(found, Some(depth));
            let (found, _) = near.distance_from_starts(&rules, key, Some(depth)).unwrap();
            assert_eq!(found, Some(depth));
            if depth > 0 {
                let (found, _) = near
                    .distance_from_starts(&rules, key, Some(depth - 1))
                    .unwrap();
                assert_ne!(found, Some(depth - 1));
            }
        }
    }

    /// Searches from both ends agree with forward ones, whatever is kept near the goals, and if the
    /// backward moves have left out states there.
    #[test]
    fn distances_from_both_ends_are_those_of_a_search_forward() {
        let rules = card("card-30");
        let solver = ForwardSolver::new(rules.clone());
        let goals = rules.roots(Direction::Backward, 0).unwrap();
        let back = DirectionSteps::backward(&rules).unwrap();
        let solved = |keys: &[u64]| rules.is_solved(keys);
        let states = rules.random(1, 0, 300).unwrap();
        let mut far = 0;
        for most in [0, 40, 400, usize::MAX] {
            let mut near = Near::before(&rules, &goals, back, most).unwrap();
            assert_eq!(near.all, most == usize::MAX);
            for lost in [false, true] {
                if lost {
                    near.depths.retain(|key, depth| *depth == 0 || key % 5 > 0);
                }
                let mut hopeless = Hopeless::unknown();
                for &state in &states {
                    let measured = near.distance_to_goals(&rules, state, &solved, &mut hopeless);
                    let (found, _) = measured.unwrap();
                    let distance = solver.distance(state).unwrap();
                    // Isolated losses are bypassed, or detected.
                    assert!(found == Some(distance) || lost && found.is_none());
                    far += u32::from(distance > near.radius && distance != UNSOLVABLE);
                }
            }
        }
        assert!(far > 100);
    }
}
