//! The bitboard variant against the literal rulebook, beyond the contract that the suite of
//! `antipode-check` tests.

use std::collections::{BTreeMap, BTreeSet};

use antipode_tilt::{Bits, Rules, board};
use puzzle_api::optional::*;
use puzzle_api::{Puzzle, Xorshift};

use crate::open;

fn both(instance: &str, pairs: &[(&str, &str)]) -> (Rules, Bits) {
    (open(instance, pairs), open(instance, pairs))
}

fn predecessors(puzzle: &Bits, key: u64) -> BTreeSet<u64> {
    let mut keys = BTreeSet::new();
    puzzle.predecessors(&puzzle.state(key), &mut |origin| {
        keys.insert(puzzle.key(&origin));
    });
    keys
}

/// All keys of a part, by rank.
fn keys<P: Numbering<Key = u64>>(puzzle: &P, part: u64) -> Vec<u64> {
    (0..puzzle.space(part).unwrap())
        .map(|rank| puzzle.key(&puzzle.unrank(Placement { part, rank }).unwrap()))
        .collect()
}

/// In small graphs and with the grey sets of a few cards, some of them symmetric: predecessors are
/// exactly the inverse of the successors.
#[test]
fn predecessors_are_the_inverse_of_the_rulebook_in_whole_parts() {
    let instances: [(&str, &[(&str, &str)]); 6] = [
        ("box", &[("grey", "0"), ("blue", "0..2")]),
        ("box", &[("grey", "2"), ("blue", "1"), ("green", "0..1")]),
        ("card-2", &[]),
        ("card-6", &[]),
        ("card-12", &[]),
        ("card-24", &[]),
    ];
    for (instance, pairs) in instances {
        let (rules, bits) = both(instance, pairs);
        for part in 0..bits.part_count() {
            check_inverse(&rules, &bits, part);
        }
    }
}

fn check_inverse(rules: &Rules, bits: &Bits, part: u64) {
    let mut inverse: BTreeMap<u64, BTreeSet<u64>> = BTreeMap::new();
    let all = keys(bits, part);
    for &key in &all {
        rules.successors(&rules.state(key), &mut |next| {
            inverse.entry(rules.key(&next)).or_default().insert(key);
        });
    }
    for &key in &all {
        let expected = inverse.remove(&key).unwrap_or_default();
        assert_eq!(
            predecessors(bits, key),
            expected,
            "{}",
            bits.draw(&bits.state(key))
        );
    }
    assert!(inverse.is_empty(), "moves stay within the part");
}

#[test]
fn random_boards_belong_to_the_instance_and_fill_it_evenly() {
    let (rules, bits) = both("card-5", &[]);
    let space = bits.space(0).unwrap();
    let mut greens = [0_u64; 3];
    for index in 0..20_000 {
        let state = bits.random(&mut Xorshift::for_draw(7, index)).unwrap();
        let board = rules.random(&mut Xorshift::for_draw(7, index)).unwrap();
        assert_eq!(rules.key(&board), bits.key(&state));
        assert!(bits.place(&bits.canonical(&state)).is_some());
        greens[board::count(&board, board::Cell::Green) as usize] += 1;
    }
    // 1 grey and 3 blue blocks leave 20 squares: 1, 20, 190 ways to set the greens, so 95, 1,896
    // and 18,009 are expected. The margin is four standard deviations.
    assert_eq!(space, 1771 * (1 + 20 + 190));
    assert!((56..134).contains(&greens[0]));
    assert!((1_730..2_062).contains(&greens[1]));
}
