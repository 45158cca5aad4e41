//! Bounds against distances, proofs, and the forms in which boards are read.

use std::collections::{BTreeMap, BTreeSet};

use antipode_classics::sliding_tile::{Bits, Large, Rules, placed, placed_large};
use puzzle_api::optional::*;
use puzzle_api::{Puzzle, Request, Settings, Xorshift, settings};

use crate::{refuses, refuses_to_open};

fn given(empty: &str) -> Settings {
    let all = [("empty", empty)];
    settings(&all[..usize::from(!empty.is_empty())])
}

/// Both variants of an instance whose solved board has a square empty.
fn open<A: Puzzle, B: Puzzle>(instance: &str, empty: &str) -> (A, B) {
    let settings = &given(empty);
    let request = Request { instance, settings };
    match (A::open(&request), B::open(&request)) {
        (Ok(rules), Ok(bits)) => (rules, bits),
        _ => panic!("{instance} {empty}"),
    }
}

fn literal(rules: &Rules, key: u64) -> BTreeSet<u64> {
    let mut keys = BTreeSet::new();
    rules.successors(&rules.state(key), &mut |next| {
        assert!(keys.insert(rules.key(&next)));
    });
    keys
}

/// Boards are read with any symbol for the empty square, a blank too.
#[test]
fn boards_are_read_with_any_empty_square() {
    for (instance, empty) in [
        ("2x2", ""),
        ("3x3", "1,1"),
        ("2x8", "0,3"),
        ("5x3", "4,0"),
        ("4x4", ""),
    ] {
        let (rules, bits): (Rules, Bits) = open(instance, empty);
        let settings = &given(empty);
        let request = Request {
            instance: "2x2",
            settings,
        };
        for draw in 0..40 {
            let key = bits
                .random(&mut Xorshift::for_draw(3, draw))
                .expect("draws");
            let (board, tiles) = (bits.draw(&key), rules.state(key));
            let numbers = |empty: &str| -> String {
                let number = |tile: &u8| match tile {
                    0 => empty.to_owned(),
                    tile => tile.to_string(),
                };
                let rows = tiles.chunks(rules.frame.width);
                let rows = rows.map(|row| row.iter().map(number).collect::<Vec<_>>().join(" "));
                rows.collect::<Vec<_>>().join("/")
            };
            let texts = [" ", "0", "_", "x"].map(|empty| board.replace('.', empty));
            for text in texts.into_iter().chain(["0", "_"].map(numbers)) {
                let read = placed(&request, &text).map(|read| (read.instance, read.from));
                assert_eq!(
                    read,
                    Ok((instance.to_owned(), Some(board.clone()))),
                    "'{text}'"
                );
            }
        }
    }
}

/// Distances of all solvable boards from the goal, on the rulebook.
fn distances(rules: &Rules) -> BTreeMap<u64, u64> {
    let goal = rules.key(&rules.parse("goal").expect("reads"));
    let mut known = BTreeMap::from([(goal, 0)]);
    let mut level = vec![goal];
    for depth in 1.. {
        let next: Vec<u64> = level.iter().flat_map(|&key| literal(rules, key)).collect();
        level = next
            .into_iter()
            .filter(|&key| {
                known
                    .insert(key, *known.get(&key).unwrap_or(&depth))
                    .is_none()
            })
            .collect();
        if level.is_empty() {
            break;
        }
    }
    known
}

/// On every board, neither bound is more than the distance, and the pattern bound is at least the
/// Manhattan distance.
#[test]
fn bounds_are_never_more_than_the_distance() {
    for (instance, empty) in [("2x3", ""), ("2x4", "0,1"), ("3x3", ""), ("3x3", "1,1")] {
        let (rules, bits): (Rules, Bits) = open(instance, empty);
        for (key, distance) in distances(&rules) {
            let (patterns, manhattan) =
                (bits.lower_bound(&key), rules.lower_bound(&rules.state(key)));
            assert!(manhattan <= patterns && patterns <= distance, "{key:x}");
            assert_eq!((patterns + distance) % 2, 0, "{key:x}");
        }
    }
}

/// Both bounds change by one along every move, and are 0 at the goal, so they never exceed the
/// distance.
fn bounds_change_by_one<A, B>(instance: &str, empty: &str, draws: u64)
where
    A: LowerBound,
    B: LowerBound<Key = A::Key, State = A::Key> + RandomStates,
{
    let (rules, fast): (A, B) = open(instance, empty);
    let of = |key| [fast.lower_bound(&key), rules.lower_bound(&rules.state(key))];
    assert_eq!(of(fast.parse("goal").expect("reads")), [0, 0]);
    for draw in 0..draws {
        let key = fast
            .random(&mut Xorshift::for_draw(7, draw))
            .expect("draws");
        assert!(of(key)[0] >= of(key)[1], "{key:?}");
        rules.successors(&rules.state(key), &mut |next| {
            for (here, there) in of(key).into_iter().zip(of(rules.key(&next))) {
                assert_eq!(here.abs_diff(there), 1, "{key:?}");
            }
        });
    }
}

#[test]
fn bounds_change_by_one_a_move() {
    for (instance, empty) in [("3x4", ""), ("2x7", "1,3"), ("5x3", "2,1"), ("4x4", "0,0")] {
        bounds_change_by_one::<Rules, Bits>(instance, empty, 2000);
    }
    for (instance, empty) in [("5x5", ""), ("3x6", "1,2")] {
        bounds_change_by_one::<Rules<u128>, Large>(instance, empty, 500);
    }
}

#[test]
fn a_proof_of_impossibility_is_given_for_the_other_parity_alone() {
    let (rules, bits): (Rules, Bits) = open("3x3", "");
    let (goal, swapped) = ("123/456/78.", "123/456/87.");
    let read = |text: &str| bits.parse(text).expect("reads");
    let proof = bits.refute(&read(swapped), None).expect("other parity");
    assert!(proof.contains("from: 123/456/87., unequal"), "{proof}");
    assert_eq!(rules.refute(&rules.state(read(swapped)), None), Some(proof));
    assert_eq!(bits.refute(&read(goal), None), None);
    assert_eq!(bits.refute(&read("123/456/7.8"), Some(&read(goal))), None);
}

#[test]
fn large_boards_are_read_from_lists_of_numbers() {
    let settings = &Settings::new();
    let request = Request {
        instance: "5x5",
        settings,
    };
    let read = |text: &str| placed_large(&request, text);
    let board = read("1 2 3 4 5 6 7 8 9 10 11 12 13 14 15 16 17 18 19 20 21 22 23 0 24");
    let board = board.expect("reads");
    assert_eq!(board.instance, "5x5");
    assert_eq!(board.from.as_deref(), Some("12345/6789a/bcdef/ghijk/lmn.o"));
    let refused = read("1 2 3 4 5 6 7 8 0").expect_err("small");
    assert!(refused.0.contains("sliding-tile/3x3 is one"), "{refused}");
}

#[test]
fn bad_input_is_refused_in_one_line() {
    refuses_to_open::<Bits>(
        "1x9 | from 2
         5x4 | at most 16
         5x5 | large-tile/5x5 is one
         03x3 | ROWSxCOLUMNS
         3x3 empty=3,0 | 0,0 to 2,2
         3x3 empty=-1,0 | ROW,COLUMN
         3x3 empty=9223372036854775807,1 | 0,0 to 2,2",
    );
    refuses::<Bits>(
        "3x3",
        "123/456/78.",
        "| 3 rows of 3
         123/456/789 | no tile '9'
         123/456/77. | '7' is there twice
         123/456/7\u{e9}. | no tile
         123/456/78./ | 3 rows",
    );
}
