//! Simple blocks: boards drawn at random and whole small censuses.

use std::collections::BTreeMap;

use antipode_blocks::rules::beside;
use antipode_blocks::simple_block::board::{Board, Grid};
use antipode_blocks::simple_block::{Bits, Rules};
use proptest::prelude::*;
use puzzle_api::optional::*;
use puzzle_api::{Puzzle, Settings};

use crate::twins::{agree, both, censuses_agree, levels, open, successors, try_open};

/// A board of a given size, drawn cell by cell: each is empty, of the neighbouring piece, or of a
/// new one.
fn any_board() -> impl Strategy<Value = String> {
    let sizes = prop_oneof![
        Just((4, 4)),
        Just((3, 5)),
        Just((5, 3)),
        Just((2, 8)),
        Just((3, 3))
    ];
    (sizes, prop::collection::vec(0..6_u8, 16), 0..16_usize).prop_filter_map(
        "a goal piece and an empty cell",
        |((rows, columns), choices, goal)| {
            let grid = Grid { rows, columns };
            let mut marks: Vec<usize> = vec![0; grid.cells()];
            for cell in 0..grid.cells() {
                let beside =
                    |down, right| beside((rows, columns), cell, (down, right)).map(|at| marks[at]);
                marks[cell] = match choices[cell] {
                    0 => 0,
                    1 | 2 => beside(-1, 0).unwrap_or(cell + 1),
                    3 | 4 => beside(0, -1).unwrap_or(cell + 1),
                    _ => cell + 1,
                };
            }
            let goal = marks[goal % marks.len()];
            let mut letters = BTreeMap::from([(0, '.'), (goal, 'A')]);
            for mark in &marks {
                let letter = char::from(b'A' + letters.len() as u8);
                letters.entry(*mark).or_insert(letter);
            }
            let row = |row: &[usize]| row.iter().map(|mark| letters[mark]).collect::<String>();
            let rows: Vec<String> = marks.chunks(columns).map(row).collect();
            (goal > 0 && marks.contains(&0)).then(|| rows.join("/"))
        },
    )
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(100))]

    #[test]
    fn variants_agree_on_drawn_boards(text in any_board(), edges: bool) {
        let board = Board::parse(&text).expect("a board");
        let goal = if edges { "edges" } else { "corner" };
        let (rows, columns) = (board.grid.rows, board.grid.columns);
        let census = format!("{rows}x{columns}-n{}", board.pieces());
        for (instance, settings) in [
            ("custom", vec![("board", text.as_str()), ("goal", goal)]),
            (census.as_str(), vec![("goal", goal)]),
        ] {
            // A refused board is refused only for its goal piece.
            let rules = try_open::<Rules>(instance, &settings);
            let Some(rules) = rules.ok().filter(|rules| rules.parse(&text).is_ok()) else {
                prop_assert!(!edges);
                continue;
            };
            let bits: Bits = open(instance, &settings);
            agree(&rules, &bits, board.key());
            for key in successors(&rules, board.key()) {
                agree(&rules, &bits, key);
            }
        }
    }
}

/// Number of states of a census, which both variants number alike.
fn censuses(instance: &str, settings: &[(&str, &str)]) -> usize {
    let (rules, bits): (Rules, Bits) = both(instance, settings);
    let parts = censuses_agree(&rules, &bits, true);
    parts.iter().map(Vec::len).sum()
}

#[test]
fn small_censuses_are_numbered_alike() {
    for instance in [
        "2x2-n1", "2x3-n3", "3x3-n1", "3x3-n3", "3x3-n8", "4x3-n1", "3x4-n10",
    ] {
        let corner = censuses(instance, &[]);
        let edges = censuses(instance, &[("goal", "edges")]);
        assert!(0 < corner && corner <= edges, "{instance}");
    }
}

/// With any goal piece, each placement occurs once for each of its pieces, and `derive` counts
/// placements in another way.
#[test]
fn every_placement_is_in_a_census() {
    let mut placements = 0;
    for pieces in 1..=8 {
        let bits: Bits = open(&format!("3x3-n{pieces}"), &[("goal", "edges")]);
        let states: u64 = (0..bits.part_count())
            .filter_map(|part| bits.space(part))
            .sum();
        assert_eq!(states % pieces, 0);
        placements += states / pieces;
    }
    let settings = Settings::from([("board".to_owned(), "3x3".to_owned())]);
    let counted = antipode_blocks::simple_block::derive::derive(
        "placements",
        &settings,
        puzzle_api::Effort::Quick,
    );
    let counted: u64 = counted.expect("derives")[0]
        .value
        .parse()
        .expect("a number");
    // In addition, there is the empty board, and boards without an empty cell, which moves never
    // reach: 1,434 ways to join nine cells.
    assert_eq!(counted - placements - 1, 1_434);
}

/// The published figures of the smallest numbers of pieces, which are also those of boards with any
/// beginning.
#[test]
fn the_hardest_of_few_pieces_and_of_many() {
    for (pieces, moves) in [(1, 1), (2, 4), (15, 21)] {
        let bits: Bits = open(&format!("4x4-n{pieces}"), &[]);
        assert_eq!(levels(&bits).len() - 1, moves, "{pieces}");
    }
    let (rules, bits): (Rules, Bits) = both("3x3-n4", &[]);
    assert_eq!(levels(&rules), levels(&bits));
}

#[test]
fn boards_of_other_instances_are_refused() {
    let bits: Bits = open("3x3-n2", &[]);
    let custom: Bits = open("custom", &[("board", "A.B/...")]);
    for (refused, part) in [
        (bits.parse("A./B."), "2 rows of 2 cells"),
        (bits.parse("A../.../..."), "1 pieces"),
        (custom.parse("A.B/..B"), "not those of A.B/..."),
    ] {
        let refused = refused.expect_err(part);
        assert!(refused.0.contains(part), "{refused}");
    }
    assert!(custom.parse("B.A/...").is_ok());
}
