//! Permutation puzzles up to their rotations: the same bytes from every engine and variant, and
//! the same states as without.

use std::sync::Arc;

use antipode_check::analysis::{Analysis, Request, analyse};
use antipode_graph::{Library, builtin};
use antipode_reports::csv_out;
use antipode_search::progress::Stop;
use puzzle_api::{Direction, Settings};

fn permutation() -> Library {
    let found = builtin::all().into_iter();
    let mut named = found.filter(|library| library.name == "permutation");
    named.next().expect("built in")
}

fn walked(instance: &str, engine: &str, variant: &str, symmetry: &str) -> Analysis {
    let request = Request {
        settings: Settings::from([("symmetry".to_owned(), symmetry.to_owned())]),
        variant: Some(variant.to_owned()),
        engine: Some(engine.parse().expect("an engine")),
        direction: Some(Direction::Forward),
        from: Some("solved".to_owned()),
        // Few enough levels for the rulebook, and nearly no position of them is its own image.
        max_depth: Some(7),
        antipodes: 100,
        ..Request::new(Arc::new(permutation()), instance.to_owned())
    };
    analyse(&request, &Stop::default()).expect("walks")
}

fn tables(analysis: &Analysis) -> String {
    let mut text = Vec::new();
    csv_out::write_rows_to(&mut text, &analysis.levels.rows()).expect("memory");
    csv_out::write_rows_to(&mut text, &analysis.antipodes).expect("memory");
    String::from_utf8(text).expect("text")
}

/// Every engine finds the same orbits, and the same states as without symmetries.
fn agrees(instance: &str, symmetries: u128) {
    let literal = walked(instance, "reference", "reference", "on");
    let oracle = tables(&literal);
    for (engine, variant) in [
        ("hash", "bitboard"),
        ("dense", "bitboard"),
        ("hash", "reference"),
    ] {
        let found = tables(&walked(instance, engine, variant, "on"));
        assert_eq!(found, oracle, "{engine}, {variant}");
    }
    let plain = [
        walked(instance, "hash", "bitboard", "off"),
        walked(instance, "dense", "bitboard", "off"),
    ];
    assert_eq!(tables(&plain[0]), tables(&plain[1]));
    let (orbits, states) = (literal.levels.rows(), plain[0].levels.rows());
    assert_eq!(orbits.len(), states.len());
    let mut fewer = 0_u128;
    for (orbits, states) in orbits.iter().zip(&states) {
        assert_eq!(orbits.states, states.states);
        assert_eq!(states.orbits, states.states);
        fewer += orbits.orbits;
    }
    let all: u128 = states.iter().map(|level| level.states).sum();
    assert!(
        fewer >= all / symmetries && fewer < all / (symmetries - 1),
        "{fewer} of {all}"
    );
}

#[test]
fn every_engine_finds_the_orbits_of_the_tower() {
    agrees("tower", 4);
}

#[test]
fn every_engine_finds_the_orbits_of_the_pyraminx() {
    agrees("pyraminx", 24);
}
