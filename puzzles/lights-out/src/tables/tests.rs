use proptest::prelude::*;
use puzzle_api::optional::*;
use puzzle_api::proof::{Field, FieldImages, RuleTables, agrees};
use puzzle_api::{Request, Settings};

use super::PressTables;

fn tables(instance: &str) -> PressTables {
    let settings = &Settings::new();
    PressTables::open(&Request { instance, settings }).unwrap()
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(60))]

    #[test]
    fn boards_move_and_turn_as_by_the_rulebook(height in 1..=8_usize, width in 1..=8_usize, lit: u64) {
        let tables = tables(&format!("{height}x{width}"));
        let lit = lit & tables.panel.all_on();
        prop_assert_eq!(agrees(&tables, &tables.rules, lit), Ok(()));
        prop_assert!(tables.is_ranked(0, lit) && !tables.is_ranked(1, lit));
    }
}

#[test]
fn what_tables_rest_on_holds() {
    for instance in ["1x1", "2x2", "3x4", "5x5", "8x8"] {
        let tables = tables(instance);
        tables.foundation().unwrap();
        assert!(tables.undirected());
    }
}

#[test]
fn every_board_and_nothing_else_is_its_own_image() {
    let tables = tables("3x4");
    let (mut images, mut ranked) = (Vec::new(), 0);
    for key in 0..1_u64 << 14 {
        images.clear();
        tables.images(&[key], &mut images);
        assert_eq!(images[0] == key, tables.is_ranked(0, key));
        ranked += u64::from(tables.is_ranked(0, key));
    }
    assert_eq!(Some(ranked), tables.rules.space(0));
}

/// What a test does to tables.
type Edit<'a> = &'a dyn Fn(&mut PressTables);

#[test]
fn wrong_tables_are_told() {
    let lights: Vec<Field> = (0..12).map(Field::bit).collect();
    let by = |images: &dyn Fn(u64) -> Vec<u64>| FieldImages::by_the_rulebook(&lights, 0, images);
    let broken: [(&str, Edit<'_>); 4] = [
        ("leads from moves to others", &|tables| {
            tables.moves = by(&|key| vec![key ^ 0b1_0011]);
        }),
        ("moves to other boards", &|tables| {
            // A press switches the light alone.
            tables.moves = by(&|key| (0..12).map(|light| key ^ 1 << light).collect());
        }),
        ("has other images", &|tables| {
            tables.images = by(&|key| vec![key])
        }),
        ("", &|tables| {
            tables.images = super::tests::tables("4x3").images
        }),
    ];
    for (what, breaks) in broken {
        let mut tables = tables("3x4");
        breaks(&mut tables);
        let told = tables.foundation();
        assert!(
            told.as_ref().is_err_and(|told| told.contains(what)),
            "{told:?}"
        );
    }
    let mut one_way = tables("3x4");
    one_way.moves = by(&|key| vec![key & !1 | (key & 2) >> 1]);
    assert!(!one_way.undirected());
}
