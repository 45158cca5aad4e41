use std::collections::BTreeSet;

use super::*;
use crate::board::{Board, key};
use crate::rules::{Tilt, tilt};
use crate::sample;

fn figures(what: &str, pairs: &[(&str, &str)]) -> Settings {
    derive(what, &puzzle_api::settings(pairs), Effort::Quick)
        .unwrap()
        .into_iter()
        .map(|figure| (figure.name, figure.value))
        .collect()
}

// The same counts by a separate program: sums of binomials and orbit counts.
#[test]
fn values_are_those_found() {
    for (what, parameters, expected) in [
        ("configurations", &[][..], "99232773227"),
        ("grey-configurations", &[], "24191"),
        ("final-states", &[], "105385524"),
        ("orbits", &[], "12404499370"),
        ("dropped-by-symmetry", &[], "0.874995941697"),
        (
            "dropped-by-symmetry",
            &[("boards", "any")],
            "0.874999515709",
        ),
        ("row-configurations", &[], "917"),
        ("pruned", &[], "0.879072209616"),
        ("pruned", &[("checked", "orbits")], "0.874995941697"),
    ] {
        let found = figures(what, parameters);
        assert_eq!(found["value"], expected, "{what} {parameters:?}");
    }
    for (what, states) in [
        ("grey-configurations", "190051"),
        ("final-states", "842797283"),
        ("orbits", "99232773227"),
    ] {
        assert_eq!(figures(what, &[])["without symmetry"], states, "{what}");
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
        (super::trees::LARGEST.to_string().as_str(), "above")
    );
    let drawn = sample::of_box(5, 300);
    let largest = drawn.map(|board| tree_size(&board)).max();
    assert!((2..=86_103).contains(&largest.unwrap()));
}

/// A statement rests on no lucky draw, and a mean lies in its interval.
#[test]
fn a_sample_shows_no_more_than_it_holds() {
    let one = [("count", "1")];
    assert_eq!(figures("predecessor-counts", &one)["value"], "true");
    assert_eq!(figures("forward-work", &one)["high"], "86103");
    for seed in ["1", "2"] {
        let found = figures("forward-work", &[("seed", seed), ("count", "20000")]);
        let [low, high] = ["low", "high"].map(|end| found[end].parse::<f64>().unwrap());
        assert!(low < 41.0 && 43.0 < high && high < 100.0, "{found:?}");
    }
}

#[test]
fn every_name_of_the_list_derives() {
    for (name, _) in NAMES {
        assert!(figures(name, &[]).contains_key("value"), "{name}");
    }
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
