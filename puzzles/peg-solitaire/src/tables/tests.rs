use puzzle_api::proof::{RuleTables, agrees};
use puzzle_api::{Puzzle, Request, Settings, Xorshift};

use super::JumpTables;

fn tables(instance: &str, to: &str) -> JumpTables {
    let settings = Settings::from([("to".to_owned(), to.to_owned())]);
    let request = Request {
        instance,
        settings: &settings,
    };
    JumpTables::open(&request).unwrap()
}

#[test]
fn every_board_of_walks_moves_as_by_the_rulebook() {
    for instance in ["english-33", "french-37", "diamond-41", "wiegleb-45"] {
        for to in ["any", "0:0"] {
            let tables = tables(instance, to);
            tables.foundation().unwrap();
            assert!(!tables.undirected());
            let mut random = Xorshift::for_draw(2, 0);
            for _ in 0..30 {
                let mut key = tables.instance.start();
                loop {
                    agrees(&tables, &tables.rules, key).unwrap();
                    let next = tables.rules.state(key).successors();
                    if next.is_empty() {
                        break;
                    }
                    key = next[random.below(next.len() as u64) as usize].key();
                }
            }
        }
    }
}

#[test]
fn shapes_of_jumps_make_the_moves_of_each_jump_by_itself() {
    for (instance, to) in [
        ("english-33", "any"),
        ("english-33", "0:2"),
        ("english-33", "1:0"),
        ("english-33", "1:2"),
        ("french-37", "any"),
        ("diamond-41", "any"),
        ("wiegleb-45", "any"),
    ] {
        let tables = tables(instance, to);
        let draw = |draw| {
            let mut random = Xorshift::for_draw(4, draw);
            tables.instance.random(&mut random)
        };
        let keys: Vec<u64> = (0..500).map(draw).collect();
        let (mut next, mut ends, mut images) = (Vec::new(), Vec::new(), Vec::new());
        tables.successors(&keys, &mut next, &mut ends);
        let (mut orbits, mut orbits_ends) = (vec![7], Vec::new());
        tables.successor_orbits(&keys, &mut orbits, &mut orbits_ends, &mut images);
        let mut start = 0;
        for ((&key, &end), orbits_end) in keys.iter().zip(&ends).zip(orbits_ends) {
            let can = tables.changes.iter();
            let can = can.filter(|change| key & change.holes == change.before);
            let mut one_by_one: Vec<u64> = can
                .map(|change| key ^ change.before ^ change.after)
                .collect();
            one_by_one.sort_unstable();
            let mut listed = next[start..end].to_vec();
            listed.sort_unstable();
            assert_eq!(listed, one_by_one);
            assert_eq!(end + 1, orbits_end);
            start = end;
        }
        tables.reduce(&mut next, &mut images);
        assert_eq!(next, orbits[1..]);
    }
}

#[test]
fn what_is_no_position_is_not_its_own_image() {
    let tables = tables("english-33", "any");
    let mut images = Vec::new();
    tables.images(&[1 << 33, 1 << 40 | 5], &mut images);
    assert!(images[0] != 1 << 33 && images[8] != 1 << 40 | 5);
}

/// Leaves out one jump in all its images, which no symmetry tells.
fn leave_out(tables: &mut JumpTables) {
    let left_out = tables.changes[0];
    for symmetry in 0..tables.images.count() {
        let before = tables.images.image(left_out.before, symmetry);
        tables.changes.retain(|change| change.before != before);
    }
}

/// What a test does to tables.
type Edit = fn(&mut JumpTables);

#[test]
fn wrong_tables_are_told() {
    let broken: [(&str, Edit); 5] = [
        ("leads from jumps to others", |tables| {
            tables.changes.remove(11);
        }),
        ("leads from jumps to others", |tables| {
            tables.changes[5].after ^= tables.changes[5].holes;
        }),
        ("moves to other boards", leave_out),
        ("solved", |board| board.lone ^= 1 << 16),
        ("images", |board| {
            board.images = tables("english-33", "0:2").images;
        }),
    ];
    for (what, breaks) in broken {
        let mut tables = tables("english-33", "any");
        breaks(&mut tables);
        tables.put_together();
        let told = tables.foundation().unwrap_err();
        assert!(told.contains(what), "{told}");
    }
}
