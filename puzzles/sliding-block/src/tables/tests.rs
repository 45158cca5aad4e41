use std::collections::HashSet;

use puzzle_api::proof::{RuleTables, agrees, halves_agree};
use puzzle_api::{Puzzle, Request, Settings, Xorshift};

use super::BlockTables;
use crate::board::Cell;

fn tables(instance: &str, metric: &str) -> BlockTables {
    let settings = Settings::from([("metric".to_owned(), metric.to_owned())]);
    let settings = &settings;
    BlockTables::open(&Request { instance, settings })
        .unwrap()
        .unwrap()
}

#[test]
fn positions_of_walks_move_as_by_the_rulebook() {
    for instance in [
        "donkey",
        "climb-12",
        "climb-12-bare",
        "climb-pro-24",
        "mini-climb-pro",
    ] {
        for metric in ["piece", "line", "step"] {
            let tables = tables(instance, metric);
            tables.foundation().unwrap();
            assert!(tables.undirected());
            let (rules, mut next) = (&tables.rules, Vec::new());
            let mut random = Xorshift::for_draw(5, 0);
            let mut key = rules.key(&tables.board.start);
            for _ in 0..150 {
                agrees(&tables, rules, key).unwrap();
                halves_agree(&tables, &[key]).unwrap();
                next.clear();
                rules.successors(&rules.state(key), &mut |to| next.push(rules.key(&to)));
                key = next[random.below(next.len() as u64) as usize];
            }
        }
    }
}

#[test]
fn images_of_one_pass_are_those_of_each_symbol_by_itself() {
    for instance in ["donkey", "climb-12", "climb-pro-24", "mini-climb-pro"] {
        for metric in ["piece", "step"] {
            let tables = tables(instance, metric);
            let (mut next, mut ends) = (Vec::new(), Vec::new());
            let mut random = Xorshift::for_draw(8, 0);
            let mut key = tables.rules.key(&tables.board.start);
            for _ in 0..200 {
                let position = tables.position(key).unwrap();
                for symmetry in &tables.symmetries {
                    let literal = tables.packing.pack(&tables.turned(&position, symmetry));
                    assert_eq!(tables.image(&position, symmetry), literal);
                }
                let (mut orbits, mut orbits_ends) = (vec![1], Vec::new());
                let room = &mut Vec::new();
                tables.successor_orbits(&[key], &mut orbits, &mut orbits_ends, room);
                next.clear();
                ends.clear();
                tables.successors(&[key], &mut next, &mut ends);
                key = next[random.below(next.len() as u64) as usize];
                tables.reduce(&mut next, room);
                assert_eq!((&orbits[1..], orbits_ends[0]), (&next[..], ends[0] + 1));
            }
        }
    }
}

#[test]
fn a_piece_at_its_goal_is_told_as_by_the_rulebook() {
    let tables = tables("donkey", "piece");
    let start = tables.rules.key(&tables.board.start);
    let (mut seen, mut level) = (HashSet::from([start]), vec![start]);
    let (mut solved, mut next, mut ends) = (0, Vec::new(), Vec::new());
    while !level.is_empty() {
        for (at, &key) in level.iter().enumerate() {
            let is_solved = tables.is_solved(key);
            solved += u32::from(is_solved);
            if is_solved || at % 50 == 0 {
                let state = tables.rules.state(key);
                assert_eq!(tables.rules.is_solved(&state), is_solved);
            }
        }
        next.clear();
        tables.successors(&level, &mut next, &mut ends);
        next.retain(|&key| seen.insert(key));
        std::mem::swap(&mut level, &mut next);
    }
    assert_eq!(seen.len(), 25_955);
    assert!(solved > 0);
}

#[test]
fn keys_of_no_position_are_not_their_own_image() {
    let tables = tables("donkey", "piece");
    let total = tables.board.alphabet.total();
    let (mut images, mut none) = (Vec::new(), 0);
    for key in (0..total + 50).step_by(1 + total as usize / 3000) {
        images.clear();
        tables.images(&[key], &mut images);
        let string = (key < total).then(|| tables.board.alphabet.unrank(key));
        let cells = string.and_then(|string| tables.board.cells_of_string(&string));
        assert_eq!(images[0] == key, cells.is_some(), "{key}");
        none += u32::from(cells.is_none());
        assert!(cells.is_none_or(|cells| cells.iter().any(|cell| *cell != Cell::Wall)));
    }
    assert!(none > 0);
}

/// What a test does to tables.
type Edit = fn(&mut BlockTables);

#[test]
fn wrong_tables_are_told() {
    let broken: [(&str, Edit); 6] = [
        ("leads from steps to others", |tables| {
            let steps = tables.kinds[0].steps.iter_mut().flatten();
            steps
                .filter(|step| step.is_some())
                .take(1)
                .for_each(|step| *step = None);
        }),
        ("does not stop", |tables| {
            // No piece ever moves, alike in all images.
            for kind in &mut tables.kinds {
                kind.steps
                    .iter_mut()
                    .flatten()
                    .for_each(|step| *step = None);
            }
        }),
        ("leads from steps to others", |tables| {
            tables.kinds[0].covers[3] ^= 1 << 9
        }),
        ("leads from steps to others", |tables| {
            let goal = tables.kinds.iter_mut().find_map(|kind| kind.goal.as_mut());
            *goal.unwrap() += 1;
        }),
        ("none of the symmetries", |tables| {
            tables.symmetries[1].kinds.swap(0, 1);
        }),
        ("other images", |tables| tables.symmetries.truncate(1)),
    ];
    for (what, breaks) in broken {
        let mut tables = tables("donkey", "piece");
        breaks(&mut tables);
        let told = tables.foundation();
        assert!(told.is_err(), "{what}");
    }
}
