use std::collections::BTreeMap;

use proptest::prelude::*;
use puzzle_api::UNSOLVABLE;
use puzzle_api::optional::*;
use puzzle_api::proof::{CensusTables, PartProof, PartProven, TableProof};
use puzzle_api::{Placement, Puzzle, Request, Settings, Xorshift};

use super::{CarTables, NONE};
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
    let pair = |&(key, value): &(&str, &str)| (key.to_owned(), value.to_owned());
    let settings: &Settings = &settings.iter().map(pair).collect();
    CarTables::open(&Request { instance, settings }).unwrap()
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
        let (rules, mut next) = (&tables.rules, Vec::new());
        let mut random = Xorshift::for_draw(seed, 0);
        let mut key = rules.key(&sample::random_board(&tables.instance, &mut random).unwrap());
        for _ in 0..40 {
            prop_assert_eq!(tables.holds(key), Ok(()));
            next.clear();
            rules.successors(&rules.state(key), &mut |to| next.push(rules.key(&to)));
            let Some(last) = next.len().checked_sub(1) else { break };
            key = next[random.below(last as u64 + 1) as usize];
        }
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
        let rules = &tables.rules;
        let parts = rules.part_count();
        let all = rules.key(&super::board_with(
            &tables.instance,
            tables.instance.rows,
            &[],
        ));
        let (mut ranked, mut states) = (vec![0; parts as usize], 0);
        for key in 0..all + 50 {
            let mut images = Vec::new();
            tables.images(&[key], &mut images);
            let board = rules.state(key);
            let mut places = Vec::new();
            if key < all {
                let count = rules.symmetry_count();
                places.extend((0..count).filter_map(|nth| rules.place(&rules.image(&board, nth))));
            }
            assert_eq!(images[0] == key, !places.is_empty(), "{key}");
            let own = (key < all).then(|| rules.place(&board)).flatten();
            for part in 0..parts {
                let is_own = own.is_some_and(|place| place.part == part);
                assert_eq!(tables.is_ranked(part, key), is_own);
                ranked[part as usize] += u64::from(is_own);
            }
            states += u64::from(!places.is_empty());
        }
        for part in 0..parts {
            assert_eq!(tables.space(part), Some(ranked[part as usize]), "{part}");
        }
        assert_eq!(tables.space(parts), None);
        assert_eq!(tables.states(), states, "{instance}");
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

/// A state as delivered: key, distance, size of its orbit.
type Delivered = (u64, u16, u32);

/// The orbits of a part with their distances, by the rulebook alone.
fn searched(tables: &CarTables, part: u64) -> Vec<Delivered> {
    let rules = &tables.rules;
    let canonical = |key: u64| rules.key(&rules.canonical(&rules.state(key)));
    let ranks = 0..rules.space(part).unwrap();
    let states = ranks.map(|rank| rules.unrank(Placement { part, rank }).unwrap());
    let keys = states.map(|state| canonical(rules.key(&state)));
    let mut depths: BTreeMap<u64, u16> = keys.map(|key| (key, UNSOLVABLE)).collect();
    let mut level: Vec<u64> = depths.keys().copied().collect();
    level.retain(|&key| rules.is_solved(&rules.state(key)));
    for depth in 0.. {
        level.retain(|key| std::mem::replace(depths.get_mut(key).unwrap(), depth) == UNSOLVABLE);
        let mut next = Vec::new();
        for &key in &level {
            let mut push = |to| next.push(canonical(rules.key(&to)));
            rules.successors(&rules.state(key), &mut push);
        }
        next.sort_unstable();
        next.dedup();
        next.retain(|key| depths[key] == UNSOLVABLE);
        level = next;
        if level.is_empty() {
            break;
        }
    }
    let size = |key: u64| rules.orbit_size(&rules.state(key));
    depths
        .into_iter()
        .map(|(key, depth)| (key, depth, size(key)))
        .collect()
}

fn checked(proof: &TableProof<CarTables>, part: u64, states: &[Delivered]) -> PartProven {
    let mut check = proof.part(part).expect("a part");
    for &(key, depth, size) in states {
        check.take(&[key], &[depth], &[size]);
    }
    check.finish()
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
        let mut states = 0;
        for part in 0..tables.rules.part_count() {
            let proven = checked(&proof, part, &searched(&tables, part));
            assert_eq!(proven.wrong, 0, "{part}: {:?}", proven.faults);
            states += proven.states;
        }
        assert_eq!(proof.states(), states, "{instance}");
        assert!(proof.part(tables.rules.part_count()).is_none());
    }
}

#[test]
fn boards_and_small_censuses_bring_no_proof() {
    let settings = &Settings::new();
    let of = |instance| super::proof(&Request { instance, settings }).unwrap();
    assert!(of("tromp-5x5").is_none() && of("3x3").is_none());
    assert!(of("4x4").is_some() && of("5x5").is_some());
}

/// What a test does to the states of a part.
type Spoil = fn(&mut Vec<Delivered>, usize);

#[test]
fn every_planted_fault_is_told() {
    let settings = &[("empty", "1..2")];
    let (tables, proof) = (tables("3x3", settings), proof("3x3", settings));
    let has_all = |part: &u64| {
        let states = searched(&tables, *part);
        let mut depths = [0, 1, 2, UNSOLVABLE].into_iter();
        let mut sizes = [1, 2].into_iter();
        depths.all(|depth| states.iter().any(|state| state.1 == depth))
            && sizes.all(|size| states.iter().any(|state| state.2 == size))
    };
    let part = (0..tables.rules.part_count()).find(has_all);
    let part = part.expect("a part with all kinds of states");
    let right = searched(&tables, part);
    let faults: [(&str, Spoil); 9] = [
        ("left out", |states, at| {
            states.remove(at);
        }),
        ("twice", |states, at| states.push(states[at])),
        ("further", |states, at| {
            states[at].1 = states[at].1.wrapping_add(1)
        }),
        ("closer", |states, at| {
            states[at].1 = states[at].1.wrapping_sub(1)
        }),
        ("at the goal", |states, at| match states[at].1 {
            0 => states[at].1 = 7,
            _ => states[at].1 = 0,
        }),
        ("unsolvable", |states, at| match states[at].1 {
            UNSOLVABLE => states[at].1 = 5,
            _ => states[at].1 = UNSOLVABLE,
        }),
        ("orbit too large", |states, at| states[at].2 *= 3),
        ("no state", |states, at| states[at].0 += 1 << 40),
        ("another state", |states, at| states[at].0 += 1),
    ];
    for (what, spoil) in faults {
        for at in 0..right.len() {
            let mut states = right.clone();
            spoil(&mut states, at);
            let proven = checked(&proof, part, &states);
            assert!(
                proven.wrong > 0 && !proven.faults.is_empty(),
                "{what}: {at}"
            );
        }
    }
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
    // None of a part's states.
    assert_eq!(checked(&proof, part, &[]).wrong, 1);
}
