//! The rules that are easy to get wrong, one board each, in both variants; and the shortest
//! solutions of some boards by a plain search.

use std::collections::{HashMap, VecDeque};

use antipode_tilt::{Bits, Rules};
use puzzle_api::{Names, Puzzle};

use crate::open;

/// Successors with their names, drawn.
fn moves<P: Names<Key = u64>>(puzzle: &P, text: &str) -> Vec<(String, String)> {
    let state = puzzle.parse(text).unwrap();
    let mut found = Vec::new();
    puzzle.successors(&state, &mut |next| {
        let name = puzzle.describe_move(&state, &next).unwrap();
        found.push((name, puzzle.draw(&next)));
    });
    found
}

fn check(text: &str, expected: &[(&str, &str)]) {
    let expected: Vec<_> = expected
        .iter()
        .map(|(name, board)| ((*name).to_owned(), (*board).to_owned()))
        .collect();
    assert_eq!(moves(&open::<Rules>("box", &[]), text), expected, "{text}");
    assert_eq!(moves(&open::<Bits>("box", &[]), text), expected, "{text}");
}

#[test]
fn blocks_stop_only_at_an_edge_or_a_block() {
    check(
        "..g../...../..O../...../#.b.#",
        &[
            ("left", "g..../...../..O../...../#b..#"),
            ("right", "....g/...../..O../...../#..b#"),
            // Up is forbidden: blue falls. Down: the green falls, the blue stays.
            ("down", "...../...../..O../...../#.b.#"),
        ],
    );
}

#[test]
fn two_greens_fall_in_one_tilt() {
    check(
        "...../...../..O.g/...../..g..",
        &[
            ("left", "...../...../..O../...../g...."),
            ("right", "...../...../..O.g/...../....g"),
            ("up", "....g/...../..O../...../....."),
            ("down", "...../...../..O../...../..g.g"),
        ],
    );
    check(
        "#.#../...../..Ogg/...../#.#..",
        &[
            ("left", "#.#../...../..O../...../#.#.."),
            ("up", "#.#gg/...../..O../...../#.#.."),
            ("down", "#.#../...../..O../...../#.#gg"),
        ],
    );
}

#[test]
fn a_blue_must_not_fall_even_after_the_last_green() {
    // To the left: the last green falls and the blue behind it too; the blue first; a blue alone.
    for text in [
        "...../...../..Ogb/...../.....",
        "...../...../..Obg/...../.....",
        "...../...../..O.b/...../.....",
    ] {
        for puzzle in [
            moves(&open::<Rules>("box", &[]), text),
            moves(&open::<Bits>("box", &[]), text),
        ] {
            assert!(puzzle.iter().all(|(name, _)| name != "left"), "{text}");
        }
    }
}

#[test]
fn a_grey_block_shields_the_hole() {
    check(
        "...../...../.bO#g/...../.....",
        &[
            ("left", "...../...../b.O#g/...../....."),
            ("up", ".b..g/...../..O#./...../....."),
            ("down", "...../...../..O#./...../.b..g"),
        ],
    );
}

#[test]
fn a_settled_board_lists_no_tilt_that_changes_nothing() {
    check("g#.../#..../..O../...../.....", &[]);
}

#[test]
fn a_board_without_green_is_solved_settled_or_not() {
    let (rules, bits) = (open::<Rules>("box", &[]), open::<Bits>("box", &[]));
    for (text, solved) in [
        ("...../...../..O../...../.....", true),
        ("..b../...../..O../...../#....", true),
        ("..g../...../..O../...../#....", false),
    ] {
        assert_eq!(rules.is_solved(&rules.parse(text).unwrap()), solved);
        assert_eq!(bits.is_solved(&bits.parse(text).unwrap()), solved);
    }
}

fn shortest<P: Puzzle<Key = u64>>(name: &str) -> Option<u32> {
    let puzzle: P = open(name, &[]);
    let start = puzzle.key(&puzzle.parse(name).unwrap());
    let mut depth = HashMap::from([(start, 0)]);
    let mut queue = VecDeque::from([start]);
    while let Some(key) = queue.pop_front() {
        let here = depth[&key];
        if puzzle.is_solved(&puzzle.state(key)) {
            return Some(here);
        }
        puzzle.successors(&puzzle.state(key), &mut |next| {
            let next = puzzle.key(&next);
            depth.entry(next).or_insert_with(|| {
                queue.push_back(next);
                here + 1
            });
        });
    }
    None
}

#[test]
fn shortest_solutions_by_plain_search() {
    for (name, length) in [
        ("card-1", 7),
        ("card-5", 4),
        ("card-8", 19),
        ("card-20", 28),
        ("card-35", 17),
        ("card-40", 37),
        ("thesis-a", 33),
        ("thesis-b", 65),
    ] {
        assert_eq!(shortest::<Rules>(name), Some(length), "{name}");
        assert_eq!(shortest::<Bits>(name), Some(length), "{name}");
    }
}
