use proptest::prelude::*;
use puzzle_api::proof::{RuleTables, agrees};
use puzzle_api::{Numbering, Parts, Puzzle, Request, Settings, Xorshift};

use super::{CONTENTS, SIDE, TiltTables, at};
use crate::board;
use crate::rules::{self, Rules, Tilt};
use crate::sample;

fn tables(instance: &str) -> TiltTables {
    let settings = Settings::new();
    let settings = &settings;
    TiltTables::open(&Request { instance, settings }).unwrap()
}

#[test]
fn boards_and_walks_move_as_by_the_rulebook() {
    for instance in ["box", "card-1", "card-23", "card-40", "thesis-a"] {
        let tables = tables(instance);
        tables.foundation().unwrap();
        for draw in 0..2000 {
            let mut random = Xorshift::for_draw(7, draw);
            let mut board = sample::random_board(&tables.instance, &mut random);
            for _ in 0..5 {
                agrees(&tables, &tables.rules, board::key(&board)).unwrap();
                let direction = Tilt::ALL[random.below(4) as usize];
                board = rules::tilt(&board, direction).unwrap_or(board);
            }
        }
    }
}

#[test]
fn states_with_ranks_are_as_many_as_the_ranks() {
    for instance in ["card-7", "box"] {
        let tables = tables(instance);
        let rules: &Rules = &tables.rules;
        for part in (0..rules.part_count()).step_by(977) {
            let space = rules.space(part).unwrap();
            for rank in (0..space).step_by(1 + space as usize / 500) {
                let state = rules.unrank(puzzle_api::Placement { part, rank }).unwrap();
                assert!(tables.is_ranked(part, rules.key(&state)));
                assert!(!tables.is_ranked(part + 1, rules.key(&state)));
            }
        }
    }
}

proptest! {
    #[test]
    fn ranked_is_what_the_numbering_places(key in 0_u64..1 << 50) {
        let tables = tables("card-12");
        let hole = 1 << board::HOLE | 1 << (board::HOLE + board::SQUARES);
        let rules = &tables.rules;
        let grey = u64::from(tables.parts[0]);
        // Sparse, and around the grey blocks of the part or not.
        let (sparse, key) = (key & key.rotate_left(17) & !hole, key & !hole);
        for key in [key, sparse, sparse | grey | grey << board::SQUARES] {
            let place = rules.place(&rules.state(key));
            prop_assert_eq!(tables.is_ranked(0, key), place.is_some());
        }
    }
}

#[test]
fn two_symmetries_make_the_one_that_turns_boards_as_both() {
    let tables = tables("box");
    let image = |key, symmetry| tables.images.image(key, symmetry);
    for (first, second) in (0..8).flat_map(|first| (0..8).map(move |second| (first, second))) {
        let both = tables.one_after_another(first, second).unwrap();
        for draw in 0..50 {
            let mut random = Xorshift::for_draw(3, draw);
            let key = board::key(&sample::random_board(&tables.instance, &mut random));
            assert_eq!(image(image(key, first), second), image(key, both));
        }
    }
    // Each by itself makes all that it makes again and again; a turn and a mirror make all.
    for one in 1..8 {
        let mut made = vec![0, one];
        tables.follow_from(&mut made);
        assert!(matches!(made.len(), 2 | 4), "{one}: {made:?}");
        let others: Vec<usize> = (1..8).filter(|other| !made.contains(other)).collect();
        for other in others {
            let mut all = made.clone();
            all.push(other);
            tables.follow_from(&mut all);
            assert!(matches!(all.len(), 4 | 8), "{one} and {other}: {all:?}");
        }
    }
}

/// What a test does to tables, at a content of a line.
type Edit = fn(&mut TiltTables, usize);

#[test]
fn wrong_tables_are_told() {
    let content = 0b00100_00000 | 0b00000_00001;
    let broken: [(&str, Edit); 4] = [
        ("to no tilt", |tables, content| {
            tables.lines[at(Tilt::Left, 1, content)] ^= 1 << 5;
        }),
        ("moves to other boards", |tables, _| {
            // No tilt does anything, in all four alike.
            for direction in Tilt::ALL {
                for line in 0..SIDE {
                    for content in 0..CONTENTS {
                        tables.lines[at(direction, line, content)] =
                            super::of_line(direction, line, content);
                    }
                }
            }
        }),
        ("is not the identity", |board, _| {
            board.images = super::FieldImages::by_the_rulebook(
                &(0..50)
                    .filter(|at| at % 25 != 12)
                    .map(super::Field::bit)
                    .collect::<Vec<_>>(),
                0,
                |key| {
                    let turned = |index| board::key(&board::image(&board::from_key(key), index));
                    (0..8).rev().map(turned).collect()
                },
            );
        }),
        ("none of the symmetries", |board, _| {
            board.images = super::FieldImages::by_the_rulebook(
                &(0..50)
                    .filter(|at| at % 25 != 12)
                    .map(super::Field::bit)
                    .collect::<Vec<_>>(),
                0,
                |key| {
                    let turned = |index| board::key(&board::image(&board::from_key(key), index));
                    [0, 1, 4].map(turned).to_vec()
                },
            );
        }),
    ];
    for (what, breaks) in broken {
        let mut tables = tables("box");
        breaks(&mut tables, content);
        let told = tables.foundation().unwrap_err();
        assert!(told.contains(what), "{told}");
    }
}
