use std::collections::BTreeMap;
use std::sync::Arc;

use antipode_graph::{Graph, builtin};
use antipode_search::breadth_first::BreadthFirst;
use antipode_search::engines::{Roots, Search};
use antipode_search::open::typed_graph;
use antipode_search::progress::Stop;
use antipode_search::steps::Steps;
use puzzle_api::Settings;

use super::super::on_tables::Tables;
use super::*;

/// A run forward from the start of a board, or back from what is solved where it has none; one
/// state of each orbit where it has symmetries.
struct Ran<K> {
    search: Search<K>,
    rules: Graph<K>,
    tables: Tables<K>,
    states: Vec<Distance<K>>,
}

impl<K: Key> Ran<K> {
    fn new(name: &str) -> Self {
        let (puzzle, instance) = name.split_once('/').unwrap();
        let library = Arc::new(builtin::named(puzzle).unwrap());
        let open = |variant: &str| -> Graph<K> {
            let opened = library.open(instance, variant, &Settings::new());
            typed_graph(opened.unwrap()).unwrap()
        };
        let (graph, rules) = (open("bitboard"), open("reference"));
        let mut run = (Direction::Forward, Roots::Starts);
        if rules.roots(run.0, 0).unwrap().is_empty() {
            run = (Direction::Backward, Roots::Solved);
        }
        let search = Search::new(graph, run.0, run.1, None).unwrap();
        let roots = rules.roots(run.0, 0).unwrap();
        let mut levels = BreadthFirst::new(&rules, &[Steps::FORWARD], &roots);
        let mut orbits: BTreeMap<K, Distance<K>> = BTreeMap::new();
        while !levels.level().is_empty() {
            let depth = levels.depth();
            let mut level = levels.level().to_vec();
            if search.symmetry {
                rules.canonical(&mut level, None).unwrap();
            }
            for key in level {
                let orbit = Distance {
                    key,
                    depth,
                    orbit_size: 0,
                };
                orbits.entry(key).or_insert(orbit).orbit_size += 1;
            }
            levels.advance().unwrap();
        }
        let states = orbits.into_values().collect();
        let tables = Tables::of(&search).unwrap().unwrap();
        Self {
            search,
            rules,
            tables,
            states,
        }
    }

    /// Whether half of the moves shows that these states are right.
    fn are_right(&self, states: &[Distance<K>]) -> bool {
        let against = PartRules {
            search: &self.search,
            rules: &self.rules,
            whole: true,
        };
        let on = self.tables.seen_by(&self.search);
        let goals = against.goals(0, Some(on)).unwrap();
        let check = HalfCheck {
            against: &against,
            on,
            part: 0,
            states,
            goals: &goals,
            places: &Images::of_orbits(states),
            counts: false,
        };
        check
            .all_right(&Progress::silent(&Stop::default()))
            .is_some()
    }

    /// What was found is right, and with any one state left out or its distance another, wrong.
    fn one_wrong_state_is_told(&self) {
        assert!(self.are_right(&self.states));
        assert!(self.states.len() > 20, "{} states", self.states.len());
        let tried = (200_000 / self.states.len()).clamp(5, 60);
        for at in (0..self.states.len()).step_by(1 + self.states.len() / tried) {
            let wrong = |change: &dyn Fn(&mut Vec<Distance<K>>)| {
                let mut states = self.states.clone();
                change(&mut states);
                assert!(!self.are_right(&states), "state {at}");
            };
            wrong(&|states| {
                states.remove(at);
            });
            wrong(&|states| states.push(states[at]));
            wrong(&|states| states[at].depth += 1);
            wrong(&|states| states[at].depth = states[at].depth.wrapping_sub(1));
            wrong(&|states| states[at].depth = UNSOLVABLE);
            wrong(&|states| states[at].orbit_size += 1);
            wrong(&|states| {
                states[at].key = K::from_words(&[states[at].key.to_u128() as u64 ^ 1 << 62, 0])
            });
        }
        // As many left out as moves go forth and back: the sums alone would not tell.
        let half = self.states.len() / 2;
        assert!(!self.are_right(&self.states[..half]));
        assert!(!self.are_right(&self.states[half..]));
    }
}

#[test]
fn pieces_that_slide_in_lines() {
    Ran::<u64>::new("rush-hour/card-1").one_wrong_state_is_told();
    Ran::<u64>::new("rush-hour/fogleman-1").one_wrong_state_is_told();
}

#[test]
fn blocks_on_a_board_without_a_mirror() {
    Ran::<u128>::new("sliding-block/lunacy").one_wrong_state_is_told();
}

#[test]
fn blocks_up_to_a_mirror() {
    let ran = Ran::<u128>::new("sliding-block/donkey");
    assert!(ran.search.symmetry);
    ran.one_wrong_state_is_told();
}

/// Whose tables tell no halves: by their keys.
#[test]
fn moves_of_the_whole_key() {
    let mut up_to_symmetry = 0;
    for name in ["pancake/plain-6", "lights-out/4x4", "sliding-tile/2x3"] {
        let ran = Ran::<u64>::new(name);
        up_to_symmetry += usize::from(ran.search.symmetry);
        ran.one_wrong_state_is_told();
    }
    assert!(up_to_symmetry > 0);
}

#[test]
fn distances_of_neighbours_differ_by_one_at_most() {
    assert!(are_neighbours(3, 3) && are_neighbours(3, 4) && are_neighbours(4, 3));
    assert!(!are_neighbours(3, 5) && !are_neighbours(UNSOLVABLE, UNSOLVABLE - 1));
    assert!(are_neighbours(UNSOLVABLE, UNSOLVABLE));
}
