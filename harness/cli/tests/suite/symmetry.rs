//! Symmetry changes the cost of a search, never its counts.

use antipode_search::engine::EngineOptions;
use antipode_search::engines::{Roots, Search};
use antipode_search::observers::Observers;
use antipode_search::open::typed_graph;
use antipode_search::outcome::Outcome;
use antipode_search::progress::{Progress, Stop};
use antipode_search::registry::EngineId;
use puzzle_api::Direction;

use crate::support::{settings, tilt};

/// States of each level of a part, by depth.
fn states(search: &Search<u64>, engine: &str, part: u64) -> Vec<(u16, u64)> {
    let mut seen = Observers::plain();
    let progress = Progress::silent(&Stop::default());
    let engine: EngineId = engine.parse().unwrap();
    let engine = engine.of();
    let (mut search, rules) = (search.clone(), search.graph.clone());
    let options = EngineOptions::threads(1);
    engine.prepare(&mut search, &options, &rules).unwrap();
    let walked = engine.levels(&search, part, &mut seen, &progress).unwrap();
    assert_eq!(walked.outcome, Outcome::Levels);
    let levels = seen.levels.iter();
    levels.map(|(depth, sum)| (depth, sum.states)).collect()
}

/// Number of ways to turn the grey blocks of a part.
fn grey_images(search: &Search<u64>, part: u64) -> u64 {
    let name = search.graph.part_name(part);
    let mut images = search
        .graph
        .images(search.graph.parse(&name).unwrap())
        .unwrap();
    images.sort_unstable();
    images.dedup();
    images.len() as u64
}

/// Without symmetry, a part's search meets only the placements on its own grey squares; every image
/// of those squares holds equally many.
fn both_ways(engine: &str, pairs: &[(&str, &str)]) {
    let opened = tilt().open("box", "bitboard", &settings(pairs)).unwrap();
    let graph = typed_graph::<u64>(opened).unwrap();
    let reduced = Search::new(graph, Direction::Backward, Roots::Solved, None).unwrap();
    assert!(reduced.symmetry);
    let mut plain = reduced.clone();
    plain.symmetry = false;
    for part in reduced.parts().unwrap() {
        let images = grey_images(&reduced, part);
        let mut expected = states(&plain, engine, part);
        for (_, states) in &mut expected {
            *states *= images;
        }
        assert_eq!(states(&reduced, engine, part), expected, "part {part}");
    }
}

#[test]
fn hash_counts_the_same_with_and_without_symmetry() {
    both_ways(
        "hash",
        &[("grey", "0..1"), ("blue", "0..1"), ("green", "0..2")],
    );
    both_ways("hash", &[("grey", "3"), ("blue", "0"), ("green", "0..1")]);
}

#[test]
fn dense_counts_the_same_with_and_without_symmetry() {
    both_ways(
        "dense",
        &[("grey", "0..2"), ("blue", "0..1"), ("green", "0..1")],
    );
}

#[test]
fn reference_counts_the_same_with_and_without_symmetry() {
    both_ways(
        "reference",
        &[("grey", "1..2"), ("blue", "0"), ("green", "0..2")],
    );
}

/// Whether a forward search from a board uses symmetry.
fn is_reduced_from(board: &str) -> bool {
    let opened = tilt().open("box", "bitboard", &settings(&[])).unwrap();
    let graph = typed_graph::<u64>(opened).unwrap();
    let root = Roots::State(graph.parse(board).unwrap());
    let search = Search::new(graph, Direction::Forward, root, None);
    search.unwrap().symmetry
}

#[test]
fn a_search_from_one_board_uses_symmetry_only_if_the_board_is_its_own_image() {
    assert!(is_reduced_from("b...b/...../..O../...../b...b"));
    assert!(!is_reduced_from("g..../...../..O../...../....."));
    assert!(!is_reduced_from("g...g/...../..O../...../....."));
}
