//! All solutions at once, against every line of moves tried one by one.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

use antipode_graph::{Expansion, Graph, builtin};
use antipode_search::engine::{Means, PathQuestion};
use antipode_search::forward::Goal;
use antipode_search::open::typed_graph;
use antipode_search::outcome::{Outcome, StopReason};
use antipode_search::progress::Stop;
use antipode_search::solutions::{Solutions, solutions};
use puzzle_api::{Direction, Settings, Xorshift};

fn pegs(instance: &str, to: &str) -> Graph<u64> {
    let library = builtin::all()
        .into_iter()
        .find(|library| library.name == "peg-solitaire")
        .unwrap();
    let settings = Settings::from([("to".to_owned(), to.to_owned())]);
    let opened = Arc::new(library).open(instance, "bitboard", &settings);
    typed_graph(opened.unwrap()).unwrap()
}

fn asked(
    graph: &Graph<u64>,
    start: u64,
    goal: Goal<u64>,
    means: &Means,
) -> (Outcome<u64>, Option<Solutions>) {
    let (outcome, found, _) = solutions(&PathQuestion {
        graph,
        rules: graph,
        start,
        goal,
        means,
        stop: &Stop::default(),
    })
    .unwrap();
    (outcome, found)
}

/// Lines to a solved state below a state, and what lies on them by number of pegs.
fn lines(
    graph: &Graph<u64>,
    key: u64,
    known: &mut BTreeMap<u64, u128>,
    on: &mut BTreeMap<u32, BTreeSet<u64>>,
) -> u128 {
    if let Some(&lines) = known.get(&key) {
        return lines;
    }
    let mut out = Expansion::default();
    graph.expand(Direction::Forward, &[key], &mut out).unwrap();
    let solved = u128::from(graph.is_solved(&[key]).unwrap()[0]);
    let next = out.keys().to_vec();
    let sum = solved
        + next
            .into_iter()
            .map(|key| lines(graph, key, known, on))
            .sum::<u128>();
    if sum > 0 {
        on.entry(key.count_ones()).or_default().insert(key);
    }
    known.insert(key, sum);
    sum
}

/// A start from which a solved state can be reached in so many moves.
fn walked_back(graph: &Graph<u64>, moves: usize, random: &mut Xorshift) -> u64 {
    let solved = graph.roots(Direction::Backward, 0).unwrap();
    let mut key = solved[random.below(solved.len() as u64) as usize];
    let mut out = Expansion::default();
    for _ in 0..moves {
        graph.expand(Direction::Backward, &[key], &mut out).unwrap();
        if out.keys().is_empty() {
            break;
        }
        key = out.keys()[random.below(out.keys().len() as u64) as usize];
    }
    key
}

#[test]
fn solutions_are_those_found_one_by_one() {
    let mut random = Xorshift::for_draw(11, 0);
    let mut solvable = 0;
    for (instance, to) in [
        ("english-33", "0:0"),
        ("english-33", "any"),
        ("french-37", "any"),
    ] {
        let graph = pegs(instance, to);
        for moves in [0, 1, 4, 9, 13, 13, 13] {
            let start = walked_back(&graph, moves, &mut random);
            let (outcome, found) = asked(&graph, start, Goal::Solved, &Means::threads(1));
            let mut on = BTreeMap::new();
            let count = lines(&graph, start, &mut BTreeMap::new(), &mut on);
            assert_eq!(outcome, Outcome::Levels);
            let found = found.unwrap();
            assert_eq!(found.lines, Some(count), "{instance} {start:x}");
            let sizes: Vec<u64> = on
                .values()
                .rev()
                .map(|states| states.len() as u64)
                .collect();
            let states: Vec<u64> = found.levels.iter().map(|level| level.states).collect();
            assert_eq!(states, sizes, "{instance} {start:x}");
            assert!(
                found
                    .levels
                    .iter()
                    .all(|level| level.orbits <= level.states)
            );
            solvable += 1;
        }
    }
    assert_eq!(solvable, 21);
}

#[test]
fn a_search_that_is_given_up_says_so() {
    let graph = pegs("english-33", "0:0");
    let start = graph.roots(Direction::Forward, 0).unwrap()[0];
    let means = Means {
        max_states: Some(1000),
        ..Means::threads(1)
    };
    let (outcome, found) = asked(&graph, start, Goal::Solved, &means);
    assert_eq!(outcome, Outcome::NotReached(StopReason::States(1000)));
    assert_eq!(found, None);
}
