use std::collections::BTreeSet;

use proptest::prelude::*;
use puzzle_api::optional::*;
use puzzle_api::proof::{RuleTables, agrees_by_moves, halves_agree};
use puzzle_api::{Puzzle, Request, Settings, Xorshift};

use super::LineTables;

/// Walls in lines of pieces; 8 by 8; the red car held fast; a small one.
const BOARDS: [&str; 4] = [
    "BB#.CC/D..E../DAAE../D....#/..#GG./FF....",
    "..BBB..C/D......C/D..E..F./AA.E..FG/...EHHHG/I......G/I.JJ..#./..KKK...",
    "#AA#/B..C/B..C",
    "BB.C/AA.C/D.../D.EE",
];
const NAMED: [&str; 4] = ["card-7", "card-37", "fogleman-1", "fogleman-9"];

fn tables(instance: &str, settings: &[(&str, &str)]) -> Option<LineTables> {
    let pair = |&(key, value): &(&str, &str)| (key.to_owned(), value.to_owned());
    let settings: &Settings = &settings.iter().map(pair).collect();
    LineTables::open(&Request { instance, settings }).unwrap()
}

/// One of the boards above.
fn of_board(number: usize, metric: &str) -> LineTables {
    let metric = ("metric", metric);
    let tables = match NAMED.get(number) {
        Some(name) => tables(name, &[metric]),
        None => tables("custom", &[metric, ("board", BOARDS[number - NAMED.len()])]),
    };
    tables.expect("a single board")
}

fn successors(tables: &LineTables, key: u64) -> Vec<u64> {
    let mut next = Vec::new();
    tables.successors(&[key], &mut next, &mut Vec::new());
    next
}

#[test]
fn what_tables_rest_on_holds() {
    for number in 0..NAMED.len() + BOARDS.len() {
        for metric in ["move", "step"] {
            let tables = of_board(number, metric);
            tables.foundation().unwrap();
            assert!(tables.undirected(), "{number}");
        }
    }
    for census in ["4x4", "5x5", "6x6"] {
        assert!(tables(census, &[]).is_none());
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(60))]

    #[test]
    fn boards_of_walks_move_as_by_the_rulebook(
        number in 0..NAMED.len() + BOARDS.len(),
        steps: bool,
        seed: u64,
    ) {
        let tables = of_board(number, if steps { "step" } else { "move" });
        let (rules, mut next) = (&tables.rules, Vec::new());
        let mut random = Xorshift::for_draw(seed, 0);
        let mut key = rules.key(&tables.start);
        for _ in 0..60 {
            prop_assert_eq!(agrees_by_moves(&tables, rules, key), Ok(()));
            prop_assert_eq!(halves_agree(&tables, &[key]), Ok(()));
            next.clear();
            rules.successors(&rules.state(key), &mut |to| next.push(rules.key(&to)));
            let Some(last) = next.len().checked_sub(1) else { break };
            key = next[random.below(last as u64 + 1) as usize];
        }
    }
}

#[test]
fn keys_of_no_board_are_not_their_own_image() {
    for number in [NAMED.len(), NAMED.len() + 2, NAMED.len() + 3] {
        let tables = of_board(number, "move");
        let rules = &tables.rules;
        let all = tables.instance.wall_weight;
        let mut ranked = BTreeSet::new();
        for key in (0..all + 50).step_by(1 + all as usize / 30_000) {
            let mut images = Vec::new();
            tables.images(&[key], &mut images);
            let place = (key < all)
                .then(|| rules.place(&rules.state(key)))
                .flatten();
            assert_eq!(images[0] == key, place.is_some(), "{key}");
            assert_eq!(tables.is_ranked(0, key), place.is_some());
            assert!(!tables.is_ranked(1, key));
            if let Some(place) = place {
                assert!(place.part == 0 && ranked.insert(place.rank));
                assert_eq!(agrees_by_moves(&tables, rules, key), Ok(()));
            }
        }
        if all <= 30_000 {
            assert_eq!(rules.space(0), Some(ranked.len() as u64));
        }
        assert!(!ranked.is_empty());
    }
}

#[test]
fn a_board_of_which_no_cell_is_free_goes_nowhere() {
    let tables = tables("custom", &[("board", "#AA#/B..C/B..C")]).unwrap();
    let start = tables.rules.key(&tables.start);
    assert_eq!(successors(&tables, start), []);
    assert!(!tables.is_solved(start));
}

/// What a test does to tables.
type Edit<'a> = &'a dyn Fn(&mut LineTables);

#[test]
fn wrong_tables_are_told() {
    let broken: [(&str, Edit<'_>); 6] = [
        ("moves to other boards", &|tables| {
            // Pieces go through others.
            let held = tables.held.iter_mut().flatten();
            held.flat_map(|held| &mut held.moves)
                .for_each(|(_, needs)| *needs = 0);
        }),
        ("moves to other boards", &|tables| {
            tables.held[0]
                .iter_mut()
                .for_each(|held| held.moves.clear());
        }),
        ("has other images", &|tables| {
            // A cell beyond the board, twice.
            tables
                .held
                .iter_mut()
                .flatten()
                .for_each(|held| held.covers |= 1 << 63);
        }),
        ("is or is not solved", &|tables| {
            tables.solved.fill(true);
        }),
        ("what a move needs is more", &|tables| {
            let lines = tables.lines.iter_mut().flat_map(|line| &mut line.slides);
            lines.flatten().for_each(|slide| slide.needs = u8::MAX);
        }),
        ("", &|tables| tables.held.swap(0, 1)),
    ];
    for (what, breaks) in broken {
        let mut tables = of_board(1, "move");
        breaks(&mut tables);
        let told = tables.foundation();
        assert!(
            told.as_ref().is_err_and(|told| told.contains(what)),
            "{what}: {told:?}"
        );
    }
}
