use std::collections::BTreeSet;

use puzzle_api::Xorshift;

use super::*;
use crate::board::{Board, key};
use crate::instances::{Instance, Limits};
use crate::rules::{Tilt, tilt};
use crate::sample::random_board;

fn parameters(pairs: &[(&str, &str)]) -> Settings {
    pairs
        .iter()
        .map(|(key, value)| ((*key).to_owned(), (*value).to_owned()))
        .collect()
}

fn figures(what: &str, pairs: &[(&str, &str)]) -> Settings {
    derive(what, &parameters(pairs), Effort::Quick)
        .unwrap()
        .into_iter()
        .map(|figure| (figure.name, figure.value))
        .collect()
}

fn value(what: &str, pairs: &[(&str, &str)]) -> String {
    figures(what, pairs).remove("value").unwrap()
}

fn refused(what: &str, pairs: &[(&str, &str)]) -> String {
    derive(what, &parameters(pairs), Effort::Quick)
        .unwrap_err()
        .0
}

// The same counts by a separate program: sums of binomials and orbit counts.
#[test]
fn exact_counts() {
    assert_eq!(value("configurations", &[]), "99232773227");
    assert_eq!(value("grey-configurations", &[]), "24191");
    assert_eq!(
        figures("grey-configurations", &[])["without symmetry"],
        "190051"
    );
    assert_eq!(value("final-states", &[]), "105385524");
    assert_eq!(
        figures("final-states", &[])["without symmetry"],
        "842797283"
    );
    assert_eq!(value("orbits", &[]), "12404499370");
    assert_eq!(figures("orbits", &[])["without symmetry"], "99232773227");
    assert_eq!(value("dropped-by-symmetry", &[]), "0.874995941697");
    assert_eq!(
        value("dropped-by-symmetry", &[("boards", "any")]),
        "0.874999515709"
    );
    assert_eq!(value("row-configurations", &[]), "917");
    assert_eq!(value("pruned", &[]), "0.879072209616");
    assert_eq!(value("pruned", &[("checked", "orbits")]), "0.874995941697");
}

#[test]
fn moves_and_inverses() {
    assert_eq!(value("row-predecessors", &[]), "true");
    assert_eq!(value("corner-predecessors", &[]), "5");
    assert_eq!(value("predecessor-counts", &[]), "true");
    assert_eq!(value("keep", &[]), "true");
    assert_eq!(value("thesis-drawings", &[]), "false");
    for property in ["grey-fixed", "blue-kept", "rows-independent"] {
        assert_eq!(value("invariants", &[("property", property)]), "true");
    }
}

/// Number of boards reachable from a board, itself included: the naive twin of the bound.
fn tree_size(start: &Board) -> usize {
    let mut seen = BTreeSet::from([key(start)]);
    let mut open = vec![*start];
    while let Some(board) = open.pop() {
        for next in Tilt::ALL.into_iter().filter_map(|way| tilt(&board, way)) {
            if seen.insert(key(&next)) {
                open.push(next);
            }
        }
    }
    seen.len()
}

#[test]
fn no_search_tree_exceeds_the_bound() {
    let trees = figures("search-trees", &[]);
    assert_eq!(
        (trees["value"].as_str(), trees["bound"].as_str()),
        ("86103", "above")
    );
    let whole = Instance::whole_box(Limits::BOX);
    let drawn = (0..300).map(|draw| random_board(&whole, &mut Xorshift::for_draw(5, draw)));
    let largest = drawn.map(|board| tree_size(&board)).max();
    assert!((2..=86_103).contains(&largest.unwrap()));
}

#[test]
fn every_name_of_the_list_derives() {
    for (name, _) in NAMES {
        assert!(figures(name, &[]).contains_key("value"), "{name}");
    }
}

#[test]
fn what_cannot_be_derived_is_refused_in_one_line() {
    assert!(refused("luck", &[]).starts_with("tilt derives no 'luck': use one of"));
    assert!(refused("orbits", &[("seed", "1")]).contains("takes no parameters"));
    assert!(refused("predecessor-counts", &[("size", "1")]).contains("use seed, count"));
    assert!(refused("predecessor-counts", &[("count", "0")]).contains("from 1 to"));
    assert!(refused("predecessor-counts", &[("seed", "x")]).contains("write a whole number"));
    assert!(refused("printed", &[("function", "main")]).contains("function=main is unknown"));
    assert!(refused("invariants", &[("property", "x")]).contains("is unknown"));
    assert!(refused("dropped-by-symmetry", &[("boards", "x")]).contains("is unknown"));
    assert!(refused("pruned", &[("checked", "1e9")]).contains("is unknown"));
}

/// Errors in print are listed as boards, which can be read back.
#[test]
fn findings_about_boards_have_boards_to_draw() {
    let figures_of = |function| figures("printed", &[("function", function)]);
    for function in ["cartesian", "successors"] {
        let figures = figures_of(function);
        let drawn: Vec<&String> = figures
            .values()
            .filter(|value| value.matches('/').count() == 4)
            .collect();
        assert!(drawn.len() >= 2, "{function}: {figures:?}");
        assert!(drawn.iter().all(|text| crate::board::parse(text).is_ok()));
        assert!(drawn.iter().any(|text| *text != drawn[0]), "{function}");
    }
    let rows = &figures("row-predecessors", &[])["rows, one under the other"];
    assert_eq!(rows.split('/').count(), 10);
    assert!(rows.split('/').all(|row| row.replace('.', "") == "gb"));
}
