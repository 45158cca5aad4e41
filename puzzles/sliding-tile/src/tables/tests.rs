use puzzle_api::proof::{Field, FieldImages, RuleTables, agrees};
use puzzle_api::{Numbering, Placement, Puzzle, Request, Settings, Xorshift};

use super::TileTables;

fn tables(instance: &str, empty: &str) -> TileTables {
    let settings = Settings::from([("empty".to_owned(), empty.to_owned())]);
    let settings = &settings;
    TileTables::open(&Request { instance, settings }).unwrap()
}

#[test]
fn boards_and_walks_move_as_by_the_rulebook() {
    for (instance, empty) in [
        ("2x2", "1,1"),
        ("2x3", "0,0"),
        ("3x3", "1,1"),
        ("3x3", "2,2"),
        ("3x4", "2,3"),
        ("4x4", "3,3"),
        ("2x6", "0,2"),
    ] {
        let tables = tables(instance, empty);
        tables.foundation().unwrap();
        assert!(tables.undirected());
        let (rules, mut next) = (&tables.rules, Vec::new());
        for draw in 0..100 {
            let mut random = Xorshift::for_draw(3, draw);
            let mut key = rules.key(&tables.frame.random(&mut random));
            for _ in 0..8 {
                agrees(&tables, rules, key).unwrap();
                next.clear();
                rules.successors(&rules.state(key), &mut |to| next.push(rules.key(&to)));
                key = next[random.below(next.len() as u64) as usize];
            }
        }
    }
}

#[test]
fn ranked_are_the_boards_that_have_ranks() {
    for (instance, empty) in [("2x3", "1,1"), ("3x3", "2,2"), ("2x3", "0,0")] {
        let tables = tables(instance, empty);
        let space = tables.rules.space(0).unwrap();
        for part in 0..2 {
            for rank in 0..space.min(5000) {
                let key = tables.rules.unrank(Placement { part, rank });
                let key = tables.rules.key(&key.unwrap());
                assert!(tables.is_ranked(part, key) && !tables.is_ranked(1 - part, key));
                assert!(!tables.is_ranked(2, key));
                assert!(!tables.is_ranked(part, key | 1 << 60));
                assert!(!tables.is_ranked(part, key ^ 1));
            }
        }
    }
}

/// What a test does to tables.
type Edit = fn(&mut TileTables);

#[test]
fn wrong_tables_are_told() {
    let broken: [(&str, Edit); 6] = [
        ("leads from moves to others", |tables| {
            // Two tiles beside the empty corner each become the other.
            tables.neighbours[0][0].changes.swap(1, 2);
        }),
        ("leads from moves to others", |tables| {
            tables.neighbours[4].remove(1);
        }),
        ("moves to other boards", |tables| {
            tables.neighbours.iter_mut().for_each(Vec::clear);
        }),
        ("moves to other boards", |tables| {
            // From the empty middle, in all images alike.
            tables.neighbours[4].clear();
        }),
        ("is or is not solved", |tables| tables.solved ^= 0x11),
        ("images", |tables| {
            let fields: Vec<_> = (0..9)
                .map(|square| Field {
                    shift: 4 * square,
                    bits: 4,
                    contents: 9,
                })
                .collect();
            tables.images = FieldImages::by_the_rulebook(&fields, 0, |key| vec![key]);
        }),
    ];
    for (what, breaks) in broken {
        let mut tables = tables("3x3", "1,1");
        breaks(&mut tables);
        let told = tables.foundation();
        assert!(
            told.as_ref().is_err_and(|told| told.contains(what)),
            "{told:?}"
        );
    }
}
