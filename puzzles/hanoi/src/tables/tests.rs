use proptest::prelude::*;
use puzzle_api::proof::{FieldImages, RuleTables, agrees};
use puzzle_api::{Puzzle, Request, Settings};

use super::{BITS, DiscTables, Field, bit};

fn tables(instance: &str) -> DiscTables {
    let settings = &Settings::new();
    DiscTables::open(&Request { instance, settings }).unwrap()
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(100))]

    #[test]
    fn positions_move_and_turn_as_by_the_rulebook(pegs in 3..=6_usize, discs in 1..=20_usize, draw: u64) {
        let tables = tables(&format!("{pegs}-{discs}"));
        let key = tables.rules.key(&tables.drawn(draw).unwrap());
        prop_assert_eq!(agrees(&tables, &tables.rules, key), Ok(()));
        prop_assert!(tables.undirected());
        prop_assert!(tables.is_ranked(0, key) && !tables.is_ranked(1, key));
    }
}

#[test]
fn every_position_of_small_towers_moves_as_by_the_rulebook() {
    for instance in ["3-6", "4-4", "5-3", "6-3", "3-1"] {
        let tables = tables(instance);
        tables.foundation().unwrap();
        let (mut images, mut positions) = (Vec::new(), 0);
        for key in 0..1_u64 << (BITS as usize * tables.tower.discs + 1) {
            let is_position = tables.is_ranked(0, key);
            images.clear();
            tables.images(&[key], &mut images);
            assert_eq!(images[0] == key, is_position, "{instance} {key:o}");
            if is_position {
                positions += 1;
                agrees(&tables, &tables.rules, key).unwrap();
            }
        }
        let all = tables.tower.pegs.pow(tables.tower.discs as u32);
        assert_eq!(positions, all, "{instance}");
    }
}

/// What a test does to tables.
type Edit<'a> = &'a dyn Fn(&mut DiscTables);

#[test]
fn wrong_tables_are_told() {
    let broken: [(&str, Edit<'_>); 5] = [
        ("leads from moves to others", &|tables| {
            tables.steps[4][0][1].stopped &= !bit(&tables.tower, 2, 2);
        }),
        ("moves to other boards", &|tables| {
            // No other disc is in the way of this one, wherever it lies.
            let steps = tables.steps.iter_mut().flatten().flatten();
            for step in steps.filter(|step| step.disc == 5) {
                step.stopped = 0;
            }
        }),
        ("has other images", &|tables| {
            let field = |disc: usize| Field {
                shift: BITS * disc as u32,
                bits: BITS,
                contents: 4,
            };
            let fields: Vec<Field> = (0..6).map(field).collect();
            tables.images = FieldImages::by_the_rulebook(&fields, 0, |key| vec![key]);
        }),
        ("is or is not solved", &|tables| tables.solved ^= 1),
        ("", &|tables| tables.lying[1].swap(0, 1)),
    ];
    for (what, breaks) in broken {
        let mut tables = tables("4-6");
        breaks(&mut tables);
        let told = tables.foundation();
        assert!(
            told.as_ref().is_err_and(|told| told.contains(what)),
            "{told:?}"
        );
    }
    let mut one_way = tables("4-6");
    one_way.steps[3][1][0].stopped = 0;
    assert!(!one_way.undirected());
}
