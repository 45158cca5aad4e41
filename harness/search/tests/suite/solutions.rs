//! All solutions at once, compared with trying every sequence of moves.

use std::collections::{BTreeMap, BTreeSet};

use antipode_graph::{Expansion, Graph, builtin};
use antipode_search::engine::EngineOptions;
use antipode_search::engines::solutions::solutions;
use antipode_search::forward::Goal;
use antipode_search::outcome::{Outcome, Solutions, StopReason};
use antipode_search::progress::Stop;
use puzzle_api::{Direction, Xorshift};

use crate::question;

fn opened(instance: &str, (setting, value): (&str, &str)) -> Graph<u64> {
    let name = format!("peg-solitaire/{instance}");
    builtin::graph(&name, Some("bitboard"), &[(setting, value)]).unwrap()
}

fn asked(
    graph: &Graph<u64>,
    start: u64,
    goal: Goal<u64>,
    options: &EngineOptions,
) -> (Outcome<u64>, Option<Solutions>) {
    let stop = Stop::default();
    let answer = solutions(&question(graph, (start, goal), options, &stop)).unwrap();
    (answer.outcome, answer.solutions)
}

/// Paths from a state to a goal, and the states on them by number of pegs.
fn lines(
    graph: &Graph<u64>,
    goal: &Goal<u64>,
    key: u64,
    known: &mut BTreeMap<u64, u128>,
    on: &mut BTreeMap<u32, BTreeSet<u64>>,
) -> u128 {
    if let Some(&lines) = known.get(&key) {
        return lines;
    }
    let mut out = Expansion::default();
    graph.expand(Direction::Forward, &[key], &mut out).unwrap();
    let solved = u128::from(match goal {
        Goal::Solved => graph.is_solved(&[key]).unwrap()[0],
        Goal::State(goal) => *goal == key,
    });
    let next = out.keys().to_vec();
    let sum = solved
        + next
            .into_iter()
            .map(|key| lines(graph, goal, key, known, on))
            .sum::<u128>();
    if sum > 0 {
        on.entry(key.count_ones()).or_default().insert(key);
    }
    known.insert(key, sum);
    sum
}

/// A start from which a solved state can be reached in n moves.
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
        let graph = opened(instance, ("to", to));
        for moves in [0, 1, 4, 9, 13, 13, 13] {
            let start = walked_back(&graph, moves, &mut random);
            solvable += u32::from(agree(&graph, start, Goal::Solved));
        }
    }
    assert_eq!(solvable, 21);
}

/// Compares all solutions with those found one by one; returns whether there are any.
fn agree(graph: &Graph<u64>, start: u64, goal: Goal<u64>) -> bool {
    let mut on = BTreeMap::new();
    let count = lines(graph, &goal, start, &mut BTreeMap::new(), &mut on);
    let (outcome, found) = asked(graph, start, goal, &EngineOptions::threads(1));
    let Some(found) = found else {
        assert!(matches!(outcome, Outcome::Unreachable(_)) && count == 0);
        return false;
    };
    assert_eq!(outcome, Outcome::Levels);
    assert_eq!(found.lines, Some(count), "{start:x}");
    let sizes = on.values().rev().map(|states| states.len() as u64);
    let states = found.levels.iter().map(|level| level.states);
    assert!(states.eq(sizes), "{start:x}");
    let mut levels = found.levels.iter();
    assert!(levels.all(|level| level.orbits <= level.states));
    true
}

/// From a position to its complement, the second half of all solutions is the first with time
/// reversed. An even number of moves meets at a level, an odd one between two.
#[test]
fn solutions_to_the_complement_are_those_found_one_by_one() {
    let folder = tempfile::tempdir().unwrap();
    for (width, pegs, solvable) in [(3, 6, 16), (4, 8, 48), (4, 9, 40), (5, 11, 190)] {
        let rows = format!("{}\n", "o".repeat(width)).repeat(3);
        let file = folder.path().join("board");
        std::fs::write(&file, rows).unwrap();
        let graph = opened("custom", ("board", &file.display().to_string()));
        let full = (1_u64 << (3 * width)) - 1;
        let starts = (0..=full).filter(|start| start.count_ones() == pegs);
        let found = starts.filter(|&start| agree(&graph, start, Goal::State(full ^ start)));
        assert_eq!(found.count(), solvable, "3 by {width}, {pegs} pegs");
    }
}

#[test]
fn a_search_that_is_given_up_says_so() {
    let graph = opened("english-33", ("to", "0:0"));
    let start = graph.roots(Direction::Forward, 0).unwrap()[0];
    let options = EngineOptions {
        max_states: Some(1000),
        ..EngineOptions::threads(1)
    };
    let (outcome, found) = asked(&graph, start, Goal::Solved, &options);
    assert_eq!(outcome, Outcome::NotReached(StopReason::States(1000)));
    assert_eq!(found, None);
}
