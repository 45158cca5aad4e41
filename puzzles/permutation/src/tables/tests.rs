use puzzle_api::proof::{RuleTables, agrees};
use puzzle_api::{Numbering, Placement, Puzzle, Request, Settings, Xorshift};

use super::MoveTables;
use crate::Bits;

fn tables(instance: &str, settings: &Settings) -> MoveTables {
    MoveTables::open(&Request { instance, settings })
        .unwrap()
        .unwrap()
}

const INSTANCES: [&str; 4] = ["pocket-cube", "pyraminx", "skewb", "tower"];

#[test]
fn states_and_walks_move_as_by_the_rulebook() {
    for instance in INSTANCES {
        for setting in [("metric", "quarter"), ("symmetry", "off")] {
            let settings = Settings::from([(setting.0.to_owned(), setting.1.to_owned())]);
            let tables = tables(instance, &settings);
            tables.foundation().unwrap();
            assert!(tables.undirected());
            let (rules, mut next) = (&tables.rules, Vec::new());
            for draw in 0..60 {
                let mut random = Xorshift::for_draw(3, draw);
                let mut key = match draw % 2 {
                    0 => tables.solved,
                    _ => rules.key(&tables.opened.random(&mut random).unwrap()),
                };
                for _ in 0..8 {
                    agrees(&tables, rules, key).unwrap();
                    next.clear();
                    rules.successors(&rules.state(key), &mut |to| next.push(rules.key(&to)));
                    key = next[random.below(next.len() as u64) as usize];
                }
            }
        }
    }
}

#[test]
fn ranked_are_the_states_that_have_ranks() {
    for instance in INSTANCES {
        let settings = Settings::new();
        let tables = tables(instance, &settings);
        let bits = Bits::open(&Request {
            instance,
            settings: &settings,
        });
        let bits = bits.unwrap();
        let space = bits.space(0).unwrap();
        for rank in (0..space).step_by(1 + space as usize / 1000) {
            let key = bits.unrank(Placement { part: 0, rank }).unwrap();
            assert!(tables.is_ranked(0, key) && !tables.is_ranked(1, key));
            // With another content of one place, exactly where the rulebook reads it back.
            for field in tables.sets.iter().flat_map(|set| &set.fields) {
                let held = key >> field.shift & (field.mask() >> field.shift);
                let other = (held + 1 + rank % (field.contents - 1)) % field.contents;
                let changed = key & !field.mask() | other << field.shift;
                let drawn = tables.rules.draw(&tables.rules.state(changed));
                let read = tables.rules.parse(&drawn).is_ok();
                assert_eq!(tables.is_ranked(0, changed), read, "{instance}: {drawn}");
            }
        }
    }
}

/// What a test does to tables.
type Edit<'a> = &'a dyn Fn(&mut MoveTables);

#[test]
fn wrong_tables_are_told() {
    let other = |instance: &str| tables(instance, &Settings::new());
    let broken: [(&str, Edit<'_>); 4] = [
        ("leads from moves to others", &|tables| {
            // One move of the six alone.
            let rules = &tables.rules;
            let fields: Vec<_> = tables
                .sets
                .iter()
                .flat_map(|set| set.fields.clone())
                .collect();
            tables.moves = super::FieldImages::by_the_rulebook(&fields, 0, |key| {
                let mut after = Vec::new();
                rules.successors(&rules.state(key), &mut |next| after.push(rules.key(&next)));
                vec![after[0]]
            });
        }),
        ("moves to other boards", &|tables| {
            // No move at all does anything.
            let fields: Vec<_> = tables
                .sets
                .iter()
                .flat_map(|set| set.fields.clone())
                .collect();
            tables.moves = super::FieldImages::by_the_rulebook(&fields, 0, |key| vec![key]);
        }),
        ("is or is not solved", &|tables| tables.solved ^= 1),
        ("", &|tables| tables.images = other("skewb").images),
    ];
    for (what, breaks) in broken {
        let mut tables = tables("pyraminx", &Settings::new());
        breaks(&mut tables);
        let told = tables.foundation();
        assert!(
            told.as_ref().is_err_and(|told| told.contains(what)),
            "{told:?}"
        );
    }
}
