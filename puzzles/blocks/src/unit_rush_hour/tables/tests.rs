use proptest::prelude::*;
use puzzle_api::optional::*;
use puzzle_api::proof::{CensusTables, PartProof, TableProof};
use puzzle_api::{Puzzle, Xorshift};

use super::{CarTables, NONE};
use crate::proving::{
    Delivered, checked, holds_on_a_walk, opened, proves, searched, takes_states_alone, tells_faults,
};
use crate::unit_rush_hour::sample;

/// Censuses with and without mirror images.
const INSTANCES: [(&str, &[(&str, &str)]); 5] = [
    ("3x3", &[("empty", "any")]),
    ("4x4", &[]),
    ("4x4", &[("empty", "1..3"), ("exit", "2")]),
    ("3x5", &[("exit", "2"), ("empty", "2")]),
    ("2x6", &[]),
];

fn tables(instance: &str, settings: &[(&str, &str)]) -> CarTables {
    opened((instance, settings), CarTables::open).unwrap()
}

/// The orbits of a part, by the rulebook.
fn orbits(tables: &CarTables, part: u64) -> Vec<Delivered> {
    let rules = &tables.rules;
    searched(rules, part, |board| rules.canonical_and_size(board))
}

fn of_instance(number: usize, metric: &str) -> CarTables {
    let (instance, settings) = INSTANCES[number];
    tables(instance, &[settings, &[("metric", metric)]].concat())
}

#[test]
fn what_tables_rest_on_holds() {
    for number in 0..INSTANCES.len() {
        for metric in ["step", "move"] {
            let tables = of_instance(number, metric);
            let rests_on = tables.foundation().unwrap();
            assert_eq!(rests_on.contains("mirror"), tables.symmetry_count() == 2);
        }
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(60))]

    #[test]
    fn boards_move_as_by_the_rulebook(
        number in 0..INSTANCES.len(),
        far: bool,
        seed: u64,
    ) {
        let tables = of_instance(number, if far { "move" } else { "step" });
        let mut random = Xorshift::for_draw(seed, 0);
        let board = sample::random_board(&tables.instance, &mut random).unwrap();
        let key = tables.rules.key(&board);
        holds_on_a_walk(&tables, &tables.rules, key, &mut random);
    }
}

#[test]
fn keys_of_no_state_are_not_their_own_image() {
    for (instance, settings) in [
        ("2x3", &[("empty", "1..2")][..]),
        ("3x3", &[]),
        ("3x3", &[("exit", "2"), ("empty", "any")]),
    ] {
        let tables = tables(instance, settings);
        let (rules, rows) = (&tables.rules, tables.instance.rows);
        let all = rules.key(&super::board_with(&tables.instance, rows, &[]));
        takes_states_alone(&tables, rules, (0..all + 50, all), |board| {
            let images = 0..rules.symmetry_count();
            images.map(|nth| rules.image(board, nth)).collect()
        });
    }
}

/// What a test does to tables.
type Edit = fn(&mut CarTables);

#[test]
fn wrong_tables_are_told() {
    let broken: [(&str, Edit); 9] = [
        ("comes from elsewhere", |tables| {
            tables.steps.from[5][0] = None
        }),
        ("comes from elsewhere", |tables| {
            tables.steps.into[5][0] = None
        }),
        ("comes from elsewhere", |tables| {
            tables.steps.into[5][2] = Some(4)
        }),
        ("not what its car adds", |tables| {
            tables.reader.cars[0][3].image += 1
        }),
        ("not what its cars add", |tables| {
            tables.reader.groups[1][7].all.part += 1
        }),
        ("not what its cars add", |tables| {
            tables.reader.groups[0].swap(1, 2)
        }),
        ("solved, other", |tables| tables.reader.broaden_the_goal()),
        ("has another representative", |tables| {
            let parts = tables.reader.numbered.iter_mut();
            parts.for_each(|part| *part = if *part == NONE { 0 } else { NONE });
        }),
        ("has other images", |tables| tables.mirror = false),
    ];
    for (what, breaks) in broken {
        let mut tables = tables("4x4", &[]);
        breaks(&mut tables);
        let told: Result<(), String> = tables.foundation().and_then(|_| {
            let mut random = Xorshift::for_draw(1, 0);
            let draws =
                (0..400).filter_map(|_| sample::random_board(&tables.instance, &mut random));
            let mut keys = draws.map(|board| tables.rules.key(&board));
            keys.try_for_each(|key| tables.holds(key))
        });
        assert!(
            told.as_ref().is_err_and(|told| told.contains(what)),
            "{what}: {told:?}"
        );
    }
}

fn proof(instance: &str, settings: &[(&str, &str)]) -> TableProof<CarTables> {
    TableProof::new(tables(instance, settings))
}

#[test]
fn whole_censuses_are_proven() {
    for (instance, settings) in [
        ("3x3", &[][..]),
        (
            "3x3",
            &[("empty", "1..3"), ("metric", "move"), ("exit", "2")],
        ),
        ("2x4", &[("exit", "1"), ("empty", "any")]),
    ] {
        let (tables, proof) = (tables(instance, settings), proof(instance, settings));
        let rests_on = proof.foundation().unwrap();
        assert!(rests_on.starts_with("by the rulebook as tables: the rulebook steps a car"));
        let parts = tables.rules.part_count();
        proves(&proof, parts, |part| orbits(&tables, part));
    }
}

#[test]
fn boards_and_small_censuses_bring_no_proof() {
    let of = |instance| opened((instance, &[]), super::proof).unwrap();
    assert!(of("tromp-5x5").is_none() && of("3x3").is_none());
    assert!(of("4x4").is_some() && of("5x5").is_some());
}

#[test]
fn every_planted_fault_is_told() {
    let settings = &[("empty", "1..2")];
    let (tables, proof) = (tables("3x3", settings), proof("3x3", settings));
    let (part, right) = tells_faults(&proof, &[1, 2], |part| orbits(&tables, part));
    // Another image of a state in its place.
    let other = right.iter().position(|state| state.2 == 2).unwrap();
    let mut images = Vec::new();
    tables.images(&[right[other].0], &mut images);
    let mut states = right.clone();
    states[other].0 = images[1];
    let faults = checked(&proof, part, &states).faults;
    assert!(
        faults
            .iter()
            .any(|fault| fault.1.contains("representative"))
    );
}
