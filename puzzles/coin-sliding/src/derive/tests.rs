use puzzle_api::rank::subsets;
use puzzle_api::settings;

use super::*;
use crate::rules;

fn figure(what: &str, pairs: &[(&str, &str)], name: &str) -> String {
    let figures = derive(what, &settings(pairs), Effort::Quick).unwrap();
    let found = figures.iter().find(|figure| figure.name == name);
    found.unwrap().value.clone()
}

#[test]
fn positions_without_a_last_move_are_counted_as_by_trying() {
    for (width, height, coins) in [(4, 4, 6), (3, 5, 4), (5, 3, 7), (1, 8, 4), (8, 1, 4)] {
        let shape = Shape::new(width, height, coins).unwrap();
        let sparse = subsets::all(shape.cells(), coins).filter(|&mask| {
            let board = rules::board(&shape, mask);
            (0..board.len())
                .all(|cell| !board[cell] || rules::coins_beside(&shape, &board, cell) < 2)
        });
        assert_eq!(
            counts::sparse(&shape),
            sparse.count() as u64,
            "{width}x{height}"
        );
    }
}

#[test]
fn a_circle_and_a_one_way_move_are_found() {
    assert_eq!(figure("circles", &[], "value"), "true");
    assert_ne!(figure("circles", &[], "moves from glyphs that cannot"), "0");
}

/// The exact figures printed in the article, computed again by this crate.
#[test]
fn memory_in_both_units() {
    let memory = |what: &str, unit: &str| -> f64 {
        let value = figure("memory", &[("what", what), ("unit", unit)], "value");
        value.parse().unwrap()
    };
    let shown = |what| [memory(what, "GiB"), memory(what, "GB")].map(|x| format!("{x:.1}"));
    assert_eq!(shown("list-of-boards"), ["6.2", "6.7"]);
    assert_eq!(shown("byte-a-rank"), ["68.0", "73.0"]);
}
