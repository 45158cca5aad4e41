use puzzle_api::proof::{FieldImages, RuleTables, agrees};
use puzzle_api::{Numbering, Placement, Puzzle, Request, Settings, Xorshift};

use super::SlideTables;

fn tables(instance: &str, settings: &[(&str, &str)]) -> SlideTables {
    let pair = |&(key, value): &(&str, &str)| (key.to_owned(), value.to_owned());
    let settings: Settings = settings.iter().map(pair).collect();
    let settings = &settings;
    SlideTables::open(&Request { instance, settings }).unwrap()
}

fn square() -> SlideTables {
    tables("custom", &[("to", "oo../o.../...o/..oo")])
}

#[test]
fn boards_and_walks_move_as_by_the_rulebook() {
    let wide = [("width", "16"), ("height", "4"), ("coins", "20")];
    let line = [("width", "7"), ("height", "1"), ("coins", "4")];
    for tables in [
        square(),
        tables("5x7", &[("to", "A")]),
        tables("5x9", &[]),
        tables("custom", &wide),
        tables("custom", &line),
    ] {
        tables.foundation().unwrap();
        let (rules, mut next) = (&tables.rules, Vec::new());
        for draw in 0..60 {
            let mut random = Xorshift::for_draw(3, draw);
            let mut key = crate::sample::random_board(&tables.shape, &mut random);
            for _ in 0..8 {
                agrees(&tables, rules, key).unwrap();
                next.clear();
                rules.successors(&rules.state(key), &mut |to| next.push(rules.key(&to)));
                let Some(last) = next.len().checked_sub(1) else {
                    break;
                };
                key = next[random.below(last as u64 + 1) as usize];
            }
        }
    }
}

#[test]
fn ranked_are_the_boards_that_have_ranks() {
    let tables = square();
    let space = tables.rules.space(0).unwrap();
    let of_rank = |rank| tables.rules.unrank(Placement { part: 0, rank });
    let keys = (0..space).map(|rank| tables.rules.key(&of_rank(rank).unwrap()));
    assert!(keys.clone().all(|key| tables.is_ranked(0, key)));
    assert!(keys.clone().all(|key| !tables.is_ranked(1, key)));
    let all = (0..1_u64 << 17).filter(|&key| tables.is_ranked(0, key));
    assert_eq!(all.count() as u64, space);
}

/// What a test does to tables.
type Edit = fn(&mut SlideTables);

#[test]
fn wrong_tables_are_told() {
    let broken: [(&str, Edit); 5] = [
        ("leads from moves to others", |tables| {
            tables.targets[3].from[0b110] ^= 1 << 9;
        }),
        // In all images alike: no coin may be put beside three.
        ("moves to other boards", |tables| {
            for target in &mut tables.targets {
                for (content, from) in target.from.iter_mut().enumerate() {
                    *from = if content.count_ones() == 3 { 0 } else { *from };
                }
            }
        }),
        ("is or is not solved", |tables| tables.solved.clear()),
        ("none of the symmetries", |tables| {
            let fields: Vec<_> = (0..16).map(super::Field::bit).collect();
            tables.images = FieldImages::by_the_rulebook(&fields, 0, |key| {
                let image = |index| crate::symmetry::image(&tables.shape, key, index);
                [0, 5].map(image).to_vec()
            });
        }),
        ("has other images", |tables| {
            let fields: Vec<_> = (0..16).map(super::Field::bit).collect();
            tables.images = FieldImages::by_the_rulebook(&fields, 0, |key| vec![key]);
        }),
    ];
    for (what, breaks) in broken {
        let mut tables = square();
        breaks(&mut tables);
        let told = tables.foundation();
        assert!(
            told.as_ref().is_err_and(|told| told.contains(what)),
            "{told:?}"
        );
    }
}
