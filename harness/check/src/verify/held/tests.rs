use std::sync::Arc;

use antipode_graph::{Graph, builtin};
use antipode_search::engines::{Roots, Search};
use antipode_search::observers::Distance;
use antipode_search::open::typed_graph;
use puzzle_api::proof::RuleTables;
use puzzle_api::{Direction, Settings};

use super::super::on_tables::OnTables;
use super::super::part::PartRules;
use super::{Held, chosen, held};

/// What tables can be wrong in, beyond what was shown of them.
#[derive(Debug, Clone, Copy, PartialEq)]
enum Lie {
    Nothing,
    LeavesOutAMove,
    AddsAMove,
    TurnsOtherwise,
    TakesAnotherForAll,
    LeadsToAnotherOrbit,
    Solved,
    Ranked,
}

/// Tables that are wrong in one state of four.
#[derive(Debug)]
struct Lying {
    tables: Box<dyn RuleTables<u64>>,
    lie: Lie,
}

impl Lying {
    fn lies(&self, lie: Lie, key: u64) -> bool {
        self.lie == lie && key.count_ones() % 4 == 1
    }
}

impl RuleTables<u64> for Lying {
    fn foundation(&self) -> Result<String, String> {
        self.tables.foundation()
    }

    fn undirected(&self) -> bool {
        self.tables.undirected()
    }

    fn symmetry_count(&self) -> usize {
        self.tables.symmetry_count()
    }

    fn images(&self, keys: &[u64], out: &mut Vec<u64>) {
        let (start, count) = (out.len(), self.symmetry_count());
        self.tables.images(keys, out);
        for (key, images) in keys.iter().zip(out[start..].chunks_mut(count)) {
            if self.lies(Lie::TurnsOtherwise, *key) {
                images[count - 1] = *key;
            }
        }
    }

    fn representative(&self, images: &[u64]) -> u64 {
        match self.lies(Lie::TakesAnotherForAll, images[0]) {
            true => images.iter().copied().max().unwrap(),
            false => self.tables.representative(images),
        }
    }

    fn successors(&self, keys: &[u64], out: &mut Vec<u64>, ends: &mut Vec<usize>) {
        for key in keys {
            let (start, mut end) = (out.len(), Vec::new());
            self.tables.successors(&[*key], out, &mut end);
            if self.lies(Lie::LeavesOutAMove, *key) {
                out.truncate(start.max(out.len() - 1));
            }
            if self.lies(Lie::AddsAMove, *key) {
                out.push(*key ^ 3);
            }
            ends.push(out.len());
        }
    }

    fn successor_orbits(
        &self,
        keys: &[u64],
        out: &mut Vec<u64>,
        ends: &mut Vec<usize>,
        images: &mut Vec<u64>,
    ) {
        for key in keys {
            let start = out.len();
            self.successors(&[*key], out, &mut Vec::new());
            self.reduce(&mut out[start..], images);
            if self.lies(Lie::LeadsToAnotherOrbit, *key) && start < out.len() {
                out[start] ^= 3;
            }
            ends.push(out.len());
        }
    }

    fn is_solved(&self, key: u64) -> bool {
        self.tables.is_solved(key) != self.lies(Lie::Solved, key)
    }

    fn is_ranked(&self, part: u64, key: u64) -> bool {
        self.tables.is_ranked(part, key) && !self.lies(Lie::Ranked, key)
    }
}

/// Looks at boards of a card by tables that lie.
fn looked_at(lie: Lie) -> Held {
    let library = Arc::new(builtin::named("tilt").unwrap());
    let open = |variant: &str| -> Graph<u64> {
        let opened = library.open("card-9", variant, &Settings::new());
        typed_graph(opened.unwrap()).unwrap()
    };
    let (graph, rules) = (open("bitboard"), open("reference"));
    let tables = builtin::tables::<u64>(&rules.opened).unwrap().unwrap();
    let search = Search::new(graph, Direction::Backward, Roots::Solved, None).unwrap();
    let space = rules.space(0).unwrap().unwrap();
    let mut keys = Vec::new();
    let ranks: Vec<u64> = (0..space).step_by(7).collect();
    rules.unrank(0, &ranks, &mut keys).unwrap();
    rules.canonical(&mut keys, None).unwrap();
    let state = |(at, key): (usize, u64)| Distance {
        key,
        depth: at as u16 % 30,
        orbit_size: 8,
    };
    let states: Vec<Distance<u64>> = keys.into_iter().enumerate().map(state).collect();
    let lying = Lying { tables, lie };
    let against = PartRules {
        search: &search,
        rules: &rules,
        whole: true,
    };
    let on = OnTables::new(&lying, true);
    held(on, &against, 0, &states).unwrap()
}

#[test]
fn tables_that_say_what_the_rulebook_does_not_are_told() {
    let honest = looked_at(Lie::Nothing);
    assert!(honest.faults.is_empty() && honest.states >= 256);
    for (lie, what) in [
        (Lie::LeavesOutAMove, "moves by the tables"),
        (Lie::AddsAMove, "moves by the tables"),
        (Lie::TurnsOtherwise, "has other images"),
        (Lie::TakesAnotherForAll, "has another representative"),
        (Lie::LeadsToAnotherOrbit, "leads to another orbit"),
        (Lie::Solved, "is or is not solved"),
        (Lie::Ranked, "has or has no rank"),
    ] {
        let found = looked_at(lie);
        assert_eq!(found.states, honest.states);
        assert!(!found.faults.is_empty(), "{lie:?}");
        // A wrong image of what a move leads to is told as where the move leads.
        let turned = matches!(lie, Lie::TurnsOtherwise | Lie::TakesAnotherForAll);
        let also = |rule: &str| turned && rule.contains("leads to another orbit");
        let told = |rule: &str| rule.contains(what) || also(rule);
        assert!(found.faults.iter().any(|(_, rule)| rule.contains(what)));
        assert!(
            found.faults.iter().all(|(_, rule)| told(rule)),
            "{lie:?}: {:?}",
            found.faults.first()
        );
    }
}

#[test]
fn of_few_orbits_all_are_looked_at_and_of_many_the_first_of_each_distance_too() {
    let states = |many: u64, levels: u64| -> Vec<Distance<u64>> {
        let of = |key: u64| Distance {
            key,
            depth: (key * levels / many) as u16,
            orbit_size: 1,
        };
        (0..many).map(of).collect()
    };
    assert_eq!(chosen(&states(200, 9)).len(), 200);
    assert_eq!(chosen(&states(64_000, 1)).len(), 250);
    let found = chosen(&states(64_000, 7));
    assert!((0..7).all(|level| found.contains(&(level * 64_000_usize).div_ceil(7))));
}
