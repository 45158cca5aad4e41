use proptest::prelude::*;
use puzzle_api::optional::*;
use puzzle_api::proof::{FieldImages, RuleTables, agrees_by_moves};
use puzzle_api::{Puzzle, Request, Settings, Xorshift};

use super::{TurnTables, fields};
use crate::Rules;

fn opened<T>(instance: &str, open: impl Fn(&Request<'_>) -> T) -> T {
    let settings = &Settings::new();
    open(&Request { instance, settings })
}

fn tables(instance: &str) -> TurnTables {
    opened(instance, |request| TurnTables::open(request).unwrap())
}

fn any_instance() -> impl Strategy<Value = String> {
    (any::<bool>(), 1..=12_usize)
        .prop_map(|(burnt, count)| format!("{}-{count}", if burnt { "burnt" } else { "plain" }))
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(100))]

    #[test]
    fn stacks_move_as_by_the_rulebook(instance in any_instance(), seed: u64) {
        let tables = tables(&instance);
        let rules: Rules = opened(&instance, |request| Rules::open(request).unwrap());
        let state = rules.random(&mut Xorshift::for_draw(seed, 0)).expect("draws");
        let key = rules.key(&state);
        prop_assert_eq!(agrees_by_moves(&tables, &rules, key), Ok(()));
        prop_assert!(tables.is_ranked(0, key) && !tables.is_ranked(1, key));
    }
}

#[test]
fn every_instance_holds() {
    for count in 1..=12 {
        for kind in ["plain", "burnt"] {
            let tables = tables(&format!("{kind}-{count}"));
            assert!(tables.foundation().is_ok() && tables.undirected());
        }
    }
}

#[test]
fn ranked_are_the_stacks_that_have_ranks() {
    for instance in ["plain-5", "burnt-3"] {
        let tables = tables(instance);
        let rules: Rules = opened(instance, |request| Rules::open(request).unwrap());
        let all = rules.space(0).unwrap();
        let (mut ranked, mut images) = (0, Vec::new());
        let bits =
            [(0..12_u32), (12..20), (48..51)].map(|bits| bits.fold(0, |all, at| all | 1 << at));
        // All keys of the lowest and some of the higher bits.
        let used = bits.iter().fold(0_u64, |all, bits| all | bits);
        let mut key = 0_u64;
        loop {
            let is_ranked = tables.is_ranked(0, key);
            ranked += u64::from(is_ranked);
            images.clear();
            tables.images(&[key], &mut images);
            assert_eq!(images[0] == key, is_ranked);
            if is_ranked {
                assert!(rules.parse(&rules.draw(&rules.state(key))).is_ok());
            }
            key = key.wrapping_sub(used) & used;
            if key == 0 {
                break;
            }
        }
        assert_eq!(ranked, all, "{instance}");
    }
}

/// What a test does to tables.
type Edit<'a> = &'a dyn Fn(&mut TurnTables);

#[test]
fn wrong_tables_are_told() {
    let broken: [(&str, Edit<'_>); 4] = [
        ("moves to other boards", &|tables| {
            // The burnt sides stay as they are.
            let plain = super::Stack {
                burnt: false,
                ..tables.stack
            };
            tables.moves = FieldImages::by_the_rulebook(&fields(&tables.stack), 0, |key| {
                let pancakes = tables.rules.state(key);
                let after = |count| tables.rules.key(&super::turn(&plain, &pancakes, count));
                (1..=4).map(after).collect()
            });
        }),
        ("moves to other boards", &|tables| {
            let whole = |key| vec![tables.moves.image(key, 3)];
            tables.moves = FieldImages::by_the_rulebook(&fields(&tables.stack), 0, whole);
        }),
        ("does not take places to places", &|tables| {
            let lost = |key: u64| vec![key & !15];
            tables.moves = FieldImages::by_the_rulebook(&fields(&tables.stack), 0, lost);
        }),
        ("is or is not solved", &|tables| tables.solved ^= 1 << 48),
    ];
    for (what, breaks) in broken {
        let mut tables = tables("burnt-4");
        breaks(&mut tables);
        let told = tables.foundation();
        assert!(
            told.as_ref().is_err_and(|told| told.contains(what)),
            "{told:?}"
        );
    }
}
