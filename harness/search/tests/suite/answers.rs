//! Answers of engines, compared with those of another engine.

use antipode_graph::{Graph, builtin};
use puzzle_api::{Direction, Key};

use antipode_search::engines::find::check_path;
use antipode_search::options::EngineOptions;
use antipode_search::outcome::Outcome;
use antipode_search::progress::Stop;
use antipode_search::question::{Ask, Goal, PathAnswer};
use antipode_search::registry::{self, EngineId};
use antipode_search::steps::DirectionSteps;

use crate::question;

fn graph<K: Key>(name: &str, settings: &[(&str, &str)]) -> Graph<K> {
    builtin::graph(name, None, settings).expect("ships")
}

fn path<K: Key>(
    engine: &str,
    graph: &Graph<K>,
    ends: (K, Goal<K>),
    options: &EngineOptions,
) -> PathAnswer<K> {
    let stop = Stop::default();
    let question = question(graph, ends, options, &stop);
    let engine: EngineId = engine.parse().expect("an engine");
    registry::path(Some(engine), &question).expect("searched").1
}

/// The levels and the length are those of the plain queue of states, with each limit too: of
/// states, and of moves.
fn agrees<K: Key>(
    graph: &Graph<K>,
    start: K,
    goal: Goal<K>,
    (most, deepest): (&[Option<u64>], &[Option<u16>]),
) {
    for &most in most {
        for &max_depth in deepest {
            let options = EngineOptions {
                max_states: most,
                max_depth,
                ..EngineOptions::threads(1)
            };
            let ends = (start, goal);
            let [plain, fast] =
                ["reference", "orbits"].map(|engine| path(engine, graph, ends, &options));
            let name = graph.opened.full_name();
            assert_eq!(fast.levels, plain.levels, "{name}");
            assert_eq!(
                fast.figures.states_seen, plain.figures.states_seen,
                "{name}"
            );
            match (&fast.outcome, &plain.outcome) {
                (Outcome::Path(fast), Outcome::Path(plain)) => {
                    assert_eq!(fast.states.len(), plain.states.len(), "{name}");
                    check_path(graph, &fast.states, Some(&goal)).expect("a path");
                }
                (fast, plain) => assert_eq!(fast, plain, "{name}"),
            }
        }
    }
}

#[test]
fn all_is_as_the_plain_queue_has_it_where_the_start_is_its_own_image() {
    for (name, settings) in [
        ("sliding-block/donkey", &[][..]),
        ("sliding-block/donkey", &[("metric", "step")]),
    ] {
        let graph: Graph<u128> = graph(name, settings);
        let start = graph.roots(Direction::Forward, 0).expect("a start")[0];
        let most = [None, Some(1), Some(50), Some(2_000)];
        agrees(&graph, start, Goal::Solved, (&most, &[None, Some(7)]));
    }
    // First, all symmetries keep the start and some the goal; then only some keep the start.
    let graph: Graph<u64> = graph("peg-solitaire/english-33", &[("to", "any")]);
    let state = |name: &str| graph.parse(name).expect("a state");
    for (start, goal) in [
        ("centre", "=0:0"),
        ("centre", "=0:3"),
        ("centre", "=3:0"),
        ("0:2", "=0:-1"),
    ] {
        // The board is too large to walk; only a few levels of it.
        let goal = Goal::State(state(goal));
        let deepest = [Some(0), Some(3), Some(6)];
        agrees(&graph, state(start), goal, (&[None], &deepest));
    }
}

#[test]
fn a_start_that_is_not_its_own_image_is_refused_and_a_goal_too() {
    let graph: Graph<u128> = graph("sliding-block/donkey", &[]);
    let start = graph.roots(Direction::Forward, 0).expect("a start")[0];
    let engine: EngineId = "orbits".parse().expect("an engine");
    let mut out = antipode_graph::Expansion::default();
    DirectionSteps::FORWARD
        .expand(&graph, &[start], &mut out)
        .expect("moves");
    let moved = out.keys().iter().copied();
    let odd = moved
        .filter(|&key| graph.images(key).expect("images")[1] != key)
        .min()
        .expect("a move to one side");
    let to_one_side = Goal::State(odd);
    for (start, goal) in [(start, to_one_side), (odd, Goal::Solved)] {
        let ask = Ask::Path {
            start: Some(start),
            goal: &goal,
        };
        let why = registry::obstacle(engine, &graph, &ask).expect("an obstacle");
        assert!(why.contains("a symmetry that keeps the start"), "{why}");
        let chosen =
            registry::choose(None, &graph, &ask, &EngineOptions::default()).expect("an engine");
        assert_ne!(chosen, engine);
    }
    let ask = Ask::Path {
        start: Some(start),
        goal: &Goal::Solved,
    };
    let chosen =
        registry::choose(None, &graph, &ask, &EngineOptions::default()).expect("an engine");
    assert_eq!(chosen, engine);
}

/// Dozens of goals are in the level, which is longer than a batch.
#[test]
fn a_level_with_a_goal_is_shown_to_its_end() {
    let board = ("board", "............AABCDE..BCDE............");
    let graph: Graph<u64> = builtin::graph("rush-hour/custom", None, &[board]).expect("a board");
    let start = graph.roots(Direction::Forward, 0).expect("a start")[0];
    let asked = ["hash", "dense"].map(|engine| {
        let options = EngineOptions::default();
        let answer = path(engine, &graph, (start, Goal::Solved), &options);
        let Outcome::Path(path) = answer.outcome else {
            panic!("no path by {engine:?}");
        };
        let levels: Vec<_> = answer.levels.iter().map(|l| (l.states, l.digest)).collect();
        (path.states.last().copied(), levels)
    });
    assert!(asked[0].1.last().expect("levels").0 > 500);
    assert_eq!(asked[0], asked[1]);
}
