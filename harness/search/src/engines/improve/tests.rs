use crate::error::Result;
use antipode_graph::{Graph, builtin};
use puzzle_api::{Direction, Xorshift};

use super::{ImproveOptions, Improved, improve};
use crate::forward::ForwardSolver;
use crate::options::SearchLimits;
use crate::outcome::Outcome;
use crate::progress::Stop;
use crate::question::Goal;
use antipode_graph::Expansion;

fn graph(instance: &str) -> Graph<u128> {
    builtin::graph(&format!("sliding-block/{instance}"), None, &[]).expect("ships")
}

fn start(graph: &Graph<u128>) -> u128 {
    graph.roots(Direction::Forward, 0).expect("a start")[0]
}

/// A random walk.
fn walk(graph: &Graph<u128>, steps: usize, seed: u64) -> Vec<u128> {
    let (mut path, mut out) = (vec![start(graph)], Expansion::default());
    for draw in 0..steps as u64 {
        let at = path[path.len() - 1];
        graph
            .expand(Direction::Forward, &[at], &mut out)
            .expect("moves");
        let chance = Xorshift::for_draw(seed, draw).next_u64() as usize;
        path.push(out.keys()[chance % out.keys().len()]);
    }
    path
}

/// A random walk, followed by a path from its end to the nearest solved state.
fn with_detours(graph: &Graph<u128>, steps: usize, seed: u64) -> Vec<u128> {
    let mut path = walk(graph, steps, seed);
    let solver = ForwardSolver::new(graph.clone());
    let end = path[path.len() - 1];
    let rest = solver
        .shortest(end, &Goal::Solved, &mut || false)
        .expect("solved");
    let Outcome::Path(rest) = rest.outcome else {
        panic!("no path");
    };
    path.extend(&rest.states[1..]);
    path
}

fn options(memory: u64) -> ImproveOptions {
    ImproveOptions {
        memory,
        work: std::env::temp_dir().join("antipode-improve-tests"),
        limits: SearchLimits::default(),
        show_progress: false,
    }
}

fn shortened(
    graph: &Graph<u128>,
    goal: &Goal<u128>,
    paths: Vec<Vec<u128>>,
    memory: u64,
) -> Result<Improved<u128>> {
    improve(
        graph,
        graph,
        goal,
        paths,
        &options(memory),
        &Stop::default(),
    )
}

/// Between two given states, by windows and by the region around the paths alone, which does not
/// hold all states here.
#[test]
fn several_paths_to_one_state_are_crossed() {
    let graph = graph("donkey");
    let end = *with_detours(&graph, 0, 1).last().expect("an end");
    let solver = ForwardSolver::new(graph.clone());
    let to = |path: Vec<u128>| {
        let at = path[path.len() - 1];
        let rest = solver
            .shortest(at, &Goal::State(end), &mut || false)
            .expect("a path");
        let Outcome::Path(rest) = rest.outcome else {
            panic!("no path");
        };
        [path, rest.states[1..].to_vec()].concat()
    };
    let paths = [4, 5].map(|seed| to(with_detours(&graph, 40, seed)));
    let done = shortened(&graph, &Goal::State(end), paths.to_vec(), 3 << 20).expect("shorter");
    assert_eq!(done.states.len() - 1, 81);
    assert_eq!(done.window(), 81);
}

/// Neither windows nor free ends apply, and more memory is no remedy.
#[test]
fn without_predecessors_all_states_are_the_proof_or_solve_is_named() {
    let graph = builtin::graph("tilt/card-7", Some("reference"), &[]).expect("ships");
    let path = walk(&graph, 20, 9);
    let goal = Goal::State(path[20]);
    let ended = |memory| shortened(&graph, &goal, vec![path.clone()], memory).expect("a path");
    let done = ended(1 << 20);
    assert!(done.shortest && done.ended.is_none() && done.states.len() > 1);
    let text = ended(1 << 8).ended.expect("a reason").to_string();
    assert!(text.contains("`antipode solve` with --from '"), "{text}");
    let back = vec![path[0]];
    let none = shortened(&graph, &Goal::State(path[0]), vec![back], 1 << 8);
    assert!(none.expect("a path").shortest);
}
