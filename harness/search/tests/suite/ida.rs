//! IDA* on boards whose shortest lengths are known: Korf's hundred of the 15-puzzle, and boards of
//! the 24-puzzle.

use std::time::Duration;

use antipode_graph::{Graph, builtin};
use antipode_search::engine::{EngineOptions, PathAnswer};
use antipode_search::engines::EngineError;
use antipode_search::forward::Goal;
use antipode_search::outcome::StopReason;
use antipode_search::progress::Stop;
use antipode_search::registry;
use puzzle_api::Key;

use crate::question;

/// Korf's instances ("Depth-first iterative-deepening", 1985, table 1) with the lengths printed
/// there.
const KORF: &str = include_str!("../../../../puzzles/classics/korf-100.csv");

fn graph(instance: &str, variant: &str, empty: &str) -> Graph<u64> {
    graph_of("sliding-tile", instance, variant, empty)
}

fn graph_of<K: Key>(puzzle: &str, instance: &str, variant: &str, empty: &str) -> Graph<K> {
    let name = format!("{puzzle}/{instance}");
    builtin::graph(&name, Some(variant), &[("empty", empty)]).unwrap()
}

fn solve<K: Key>(
    graph: &Graph<K>,
    start: K,
    goal: Goal<K>,
    options: &EngineOptions,
) -> Result<PathAnswer<K>, EngineError> {
    let stop = Stop::default();
    let question = question(graph, (start, goal), options, &stop);
    registry::path(Some("ida".parse().unwrap()), &question).map(|(_, answer)| answer)
}

#[test]
fn korfs_hundred_have_the_lengths_that_he_printed() {
    let graph = graph("4x4", "bitboard", "0,0");
    let mut solved = 0;
    for line in KORF.lines().skip(1) {
        let [number, board, moves] = line.split(',').collect::<Vec<_>>()[..] else {
            panic!("{line}");
        };
        let start = graph.parse(board).unwrap();
        let answer = solve(&graph, start, Goal::Solved, &EngineOptions::threads(1)).unwrap();
        let found = answer.outcome.distance();
        assert_eq!(found, moves.parse().ok(), "number {number}");
        solved += 1;
    }
    assert_eq!(solved, 100);
}

/// With the pattern databases, and with the rulebook's Manhattan distance.
#[test]
fn lengths_of_the_24_puzzle_are_those_that_others_found() {
    for (board, moves) in [
        // nitlang/nit, tests/sav/puzzle.res: "easy (55)" and "medium (75)".
        ("79123/a5bd4/8ik6c/hjfne/glm.o", 55),
        ("79123/a5bd4/iknlc/8j.me/hf6go", 75),
    ] {
        for variant in ["bitboard", "reference"] {
            let graph = graph_of::<u128>("large-tile", "5x5", variant, "4,4");
            let start = graph.parse(board).unwrap();
            let answer = solve(&graph, start, Goal::Solved, &EngineOptions::threads(1)).unwrap();
            assert_eq!(answer.outcome.distance(), Some(moves), "{board} {variant}");
        }
    }
}

#[test]
fn limits_end_the_search_and_what_has_no_bound_is_refused() {
    let graph = graph("4x4", "bitboard", "0,0");
    let start = graph.parse("a.24/516c/bd97/f3e8").unwrap();
    let ended = |options: EngineOptions| {
        let answer = solve(&graph, start, Goal::Solved, &options).unwrap();
        answer.outcome.stop().cloned()
    };
    let one = || EngineOptions::threads(1);
    assert_eq!(
        ended(EngineOptions {
            max_states: Some(500),
            ..one()
        }),
        Some(StopReason::States(500))
    );
    assert_eq!(
        ended(EngineOptions {
            max_depth: Some(41),
            ..one()
        }),
        Some(StopReason::Depth(41))
    );
    let time = Duration::ZERO;
    assert_eq!(
        ended(EngineOptions {
            max_time: Some(time),
            ..one()
        }),
        Some(StopReason::Time(time))
    );
    let goal = graph.parse("goal").unwrap();
    let there = solve(&graph, goal, Goal::State(goal), &one()).unwrap();
    assert_eq!(there.outcome.states(), [goal]);
    let elsewhere = solve(&graph, goal, Goal::State(start), &one()).unwrap_err();
    assert!(
        elsewhere.to_string().contains("a solved state only"),
        "{elsewhere}"
    );
}
