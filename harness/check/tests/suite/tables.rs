//! What the rulebook as tables finds is what the literal rulebook finds, in whole and honest runs
//! and in runs with a planted fault.

use std::sync::{Arc, Mutex};

use antipode_check::verify::{PartRules, Tables, check_part, check_part_on};
use antipode_graph::{Graph, builtin};
use antipode_search::engines::{Companion, EngineError, Roots, Search, run};
use antipode_search::observers::{ConsistencyTally, Distance, Observers};
use antipode_search::open::typed_graph;
use antipode_search::progress::{Progress, Stop};
use antipode_search::registry::EngineId;
use puzzle_api::{Direction, Settings, UNSOLVABLE};

/// Keeps all states of the first part.
#[derive(Default)]
struct Keeps(Mutex<Vec<Distance<u64>>>);

impl Companion<u64> for Keeps {
    fn wants(&self, _part: u64) -> bool {
        true
    }

    fn part_done(
        &self,
        part: u64,
        states: Option<&[Distance<u64>]>,
        _seen: &mut Observers<u64>,
        _progress: &Progress,
    ) -> Result<bool, EngineError> {
        if part == 0 {
            *self.0.lock().unwrap() = states.unwrap().to_vec();
        }
        Ok(true)
    }

    fn block_done(&self, _seen: &mut Observers<u64>) -> Result<(), EngineError> {
        Ok(())
    }
}

/// Where a run begins.
enum From {
    Solved,
    Start,
    State(&'static str),
}

/// A run with what it delivered.
struct Ran {
    name: String,
    search: Search<u64>,
    rules: Graph<u64>,
    states: Vec<Distance<u64>>,
    tables: Tables<u64>,
}

impl Ran {
    fn new(name: &str, settings: &[(&str, &str)], from: From, max_depth: Option<u16>) -> Self {
        let (puzzle, instance) = name.split_once('/').unwrap();
        let library = Arc::new(builtin::named(puzzle).unwrap());
        let pair = |&(key, value): &(&str, &str)| (key.to_owned(), value.to_owned());
        let settings: Settings = settings.iter().map(pair).collect();
        let open = |variant: &str| typed_graph(library.open(instance, variant, &settings).unwrap());
        let (graph, rules) = (open("bitboard").unwrap(), open("reference").unwrap());
        let (direction, roots) = match from {
            From::Solved => (Direction::Backward, Roots::Solved),
            From::Start => (Direction::Forward, Roots::Starts),
            From::State(text) => (Direction::Forward, Roots::State(rules.parse(text).unwrap())),
        };
        let search = Search::new(graph, direction, roots, max_depth).unwrap();
        let keeps = Keeps::default();
        let progress = Progress::silent(&Stop::default());
        let engine = EngineId::HASH.of::<u64>();
        let observers = Observers::plain();
        run(&search, engine, &observers, None, &keeps, &progress).unwrap();
        Self {
            name: name.to_owned(),
            tables: Tables::of(&search).unwrap().unwrap(),
            states: keeps.0.into_inner().unwrap(),
            search,
            rules,
        }
    }

    fn tally(&self, states: &[Distance<u64>], on_tables: bool) -> ConsistencyTally {
        let against = PartRules {
            search: &self.search,
            rules: &self.rules,
            whole: self.search.covers_space(),
        };
        let mut tally = ConsistencyTally::default();
        let progress = Progress::silent(&Stop::default());
        let done = match on_tables {
            true => check_part_on(&self.tables, &against, 0, states, &mut tally, &progress),
            false => check_part(&against, 0, states, &mut tally, &progress),
        };
        assert!(done.unwrap());
        assert_eq!(tally.on_tables, if on_tables { tally.images } else { 0 });
        assert_eq!(tally.held > 0, on_tables);
        (tally.on_tables, tally.held) = (0, 0);
        tally
    }
}

fn runs(board: &str) -> Vec<Ran> {
    let goal = [("to", "oo../o.../...o/..oo")];
    let pegs = [("board", board)];
    let new = Ran::new;
    vec![
        new("peg-solitaire/custom", &pegs, From::Solved, None),
        new("peg-solitaire/custom", &pegs, From::Solved, Some(5)),
        new("peg-solitaire/english-33", &[], From::Start, Some(6)),
        new("tilt/card-9", &[], From::Solved, None),
        new("tilt/card-40", &[], From::Start, None),
        new("coin-sliding/custom", &goal, From::Solved, None),
        new("sliding-tile/2x4", &[], From::Solved, None),
        new(
            "sliding-tile/3x3",
            &[("empty", "1,1")],
            From::State("goal"),
            Some(12),
        ),
        new("permutation/pyraminx", &[], From::State("solved"), Some(6)),
        new("pancake/plain-6", &[], From::Solved, None),
        new("pancake/burnt-5", &[], From::State("sorted"), Some(4)),
        new("hanoi/4-5", &[], From::Solved, None),
        new("hanoi/3-7", &[], From::Start, None),
        new("lights-out/3x4", &[], From::Solved, None),
        new("rush-hour/fogleman-1", &[], From::Start, None),
        new("rush-hour/card-1", &[], From::Solved, None),
    ]
}

fn with_runs(test: impl Fn(&Ran)) {
    let folder = tempfile::tempdir().unwrap();
    let board = folder.path().join("board.txt");
    std::fs::write(&board, "oooo\noooo\noooo\n").unwrap();
    runs(board.to_str().unwrap()).iter().for_each(test);
}

#[test]
fn an_honest_run_comes_to_the_same() {
    with_runs(|ran| {
        let literal = ran.tally(&ran.states, false);
        let found = ran.tally(&ran.states, true);
        assert_eq!(found, literal, "{}", ran.name);
        assert_eq!(found.wrong, 0, "{}: {:?}", ran.name, found.faults);
        assert!(found.states > 100, "{}: {}", ran.name, found.states);
    });
}

/// A fault planted in one state.
type Plants = fn(&mut Vec<Distance<u64>>, usize);

const FAULTS: [(&str, Plants); 8] = [
    ("left out", |states, at| {
        states.remove(at);
    }),
    ("twice", |states, at| states.push(states[at])),
    ("one further", |states, at| {
        states[at].depth = match states[at].depth {
            UNSOLVABLE => 3,
            depth => depth + 1,
        };
    }),
    ("one closer", |states, at| {
        states[at].depth = match states[at].depth {
            UNSOLVABLE => 1,
            depth => depth.saturating_sub(1) + u16::from(depth == 0),
        };
    }),
    ("unsolvable", |states, at| {
        states[at].depth = match states[at].depth {
            UNSOLVABLE => 2,
            _ => UNSOLVABLE,
        };
    }),
    ("orbit too large", |states, at| states[at].orbit_size *= 2),
    ("orbit too small", |states, at| states[at].orbit_size = 0),
    ("no state", |states, at| states[at].key ^= 1 << 61),
];

#[test]
fn a_planted_fault_is_found_on_both() {
    with_runs(|ran| {
        let count = ran.states.len();
        for (fault, plant) in FAULTS {
            for at in [0, count / 3, count / 2, count - 1] {
                let mut states = ran.states.clone();
                plant(&mut states, at);
                let found = ran.tally(&states, true);
                let of = format!("{}: state {at} {fault}", ran.name);
                let literal = || ran.tally(&states, false);
                // A state that no state met leads to, where moves cannot be undone and no ranks
                // are counted: left open on both.
                let open = fault == "left out" && found.open > 0;
                if found.wrong == 0 {
                    assert!(open && literal().wrong == 0, "{of}");
                    continue;
                }
                assert!(found.wrong_parts == 1 && !found.faults.is_empty(), "{of}");
                if at == count / 3 {
                    assert!(literal().wrong > 0, "{of}, literally");
                }
            }
        }
    });
}

#[test]
fn another_image_of_a_state_is_not_its_representative() {
    with_runs(|ran| {
        if !ran.search.symmetry {
            return;
        }
        for at in (0..ran.states.len()).step_by(1 + ran.states.len() / 40) {
            let images = ran.rules.images_of(&[ran.states[at].key]).unwrap();
            let mut states = ran.states.clone();
            let Some(&other) = images.iter().find(|&&image| image != states[at].key) else {
                continue;
            };
            states[at].key = other;
            let found = ran.tally(&states, true);
            assert!(found.wrong > 0, "{}: state {at}", ran.name);
        }
    });
}
